"""What a card that comes does to a board."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.board_hands.next_cards import CARD_EFFECTS, card_effects
from pokerlab.cards.codes import parse_card
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
