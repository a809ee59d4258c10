"""What a card that comes does to a board."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.board_hands.next_cards import (
    CARD_EFFECTS,
    CARD_TEXTURES,
    card_effects,
    card_textures,
)
from pokerlab.cards.codes import parse_card, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import category

BOARDS = st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True)


@given(BOARDS)
def test_effects_by_their_meaning(cards):
    *board, card = cards
    found = card_effects(board, card)
    assert list(found) == sorted(found, key=CARD_EFFECTS.index)
    ranks = [each >> 2 for each in board]
    assert ("pair" in found) == (card >> 2 in ranks)
    assert ("overcard" in found) == (card >> 2 > max(ranks))
    assert ("flush" in found) == ([each & 3 for each in board].count(card & 3) >= 2)
    assert ("blank" in found) == (found == ("blank",))


FLUSHES = [MADE_HANDS.index(name) for name in MADE_HANDS if "flush" in name]
DRAW = DRAWS.index("flush-draw")


@given(BOARDS)
def test_textures_by_every_hand(cards):
    """What some two hole cards have with the card, and had not before it."""
    *board, card = cards
    found = card_textures(board, card)
    assert list(found) == sorted(found, key=list(CARD_TEXTURES).index)
    effects = [each for each in found if each != "flush-draw"]
    assert card_effects(board, card) == (tuple(effects) or ("blank",))
    assert ("blank" in found) == (found == ("blank",))

    drawing = np.zeros(1326, bool) if len(cards) == 5 else draws(cards)[DRAW]
    new = drawing & ~draws(board)[DRAW]
    if "flush" in found:  # a third card of the suit brings draws to one card of it, too
        assert "flush-draw" not in found
    else:
        assert ("flush-draw" in found) == bool(new.any())

    def flushes(lying):
        return np.isin(made_hands(lying), FLUSHES)

    full = np.isin(made_hands(cards), [MADE_HANDS.index(each) for each in ("quads", "full-house")])
    if not full.any():  # such a hand may hide a flush
        assert ("flush" in found) == bool((flushes(cards) & ~flushes(board)).any())


@pytest.mark.parametrize("flop", ["Kh9h2c", "9s8d7c", "AsAd5d", "8h8d8c"])
def test_each_card_that_may_come_has_one_texture(flop):
    words = [card_textures(flop, card)[0] for card in {*range(52)} - {*parse_cards(flop)}]
    assert len(words) == 49
    assert {*words} <= {*CARD_TEXTURES}
    suits = [card & 3 for card in parse_cards(flop)]
    ranks = {card >> 2 for card in parse_cards(flop)}
    assert words.count("pair") == 4 * len(ranks) - 3
    other = sum(13 - suits.count(suit) for suit in range(4) if suits.count(suit) == 2)
    flushes = [card_textures(flop, card) for card in {*range(52)} - {*parse_cards(flop)}]
    assert sum("flush" in each for each in flushes) == other


@cache
def some_hand_makes_a_straight(ranks):
    """Whether any two hole cards do with three cards of these ranks."""
    three = [4 * rank + suit for suit, rank in enumerate(sorted(ranks))]
    return any(
        category(evaluate_cards((*three, 4 * low + 3, 4 * high + 3))) == "straight"
        for low, high in combinations(range(13), 2)
    )


@pytest.mark.parametrize("size", [3, 4])
def test_a_straight_is_one_that_two_hole_cards_make_with_the_card(size):
    """All flops and turns of different ranks, and every other rank that may come."""
    for ranks in combinations(range(13), size):
        board = [4 * rank + number % 3 for number, rank in enumerate(ranks)]
        for rank in {*range(13)} - {*ranks}:
            made = any(
                some_hand_makes_a_straight(frozenset((*two, rank)))
                for two in combinations(ranks, 2)
            )
            assert ("straight" in card_effects(board, 4 * rank + 2)) == made


@pytest.mark.parametrize(
    ("board", "card", "expected"),
    [
        ("Td9d6h", "8d", ("flush", "straight")),
        ("Td9d6h", "6c", ("pair",)),
        ("Kh9h2c", "6s", ("blank",)),
        ("4h3h2c", "As", ("straight", "overcard")),
        ("Kh9h2c", "9d", ("pair",)),
    ],
)
def test_examples(board, card, expected):
    assert card_effects(board, parse_card(card)) == expected


def test_a_card_of_the_board_cannot_come():
    with pytest.raises(ValueError, match="the card 9h lies on the board Kh9h2c"):
        card_effects("Kh9h2c", parse_card("9h"))
