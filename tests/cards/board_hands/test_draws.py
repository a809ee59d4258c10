"""Draws, against cards to come that are counted one by one."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.board_hands.draws import DRAWS, draws, straight_outs
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import category
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, permute_cards, permute_combos

EARLY_BOARDS = st.lists(st.integers(0, 51), min_size=3, max_size=4, unique=True)
RAINBOWS = st.lists(st.integers(0, 12), min_size=3, max_size=4).map(
    lambda ranks: [4 * rank + suit for suit, rank in enumerate(ranks)]
)
COMBOS = st.lists(st.integers(0, 1325), min_size=8, max_size=8, unique=True)


def drawing(hand, board):
    found = draws(board)[:, combo_index(*parse_cards(hand))]
    return {name for name, has in zip(DRAWS, found, strict=True) if has}


def left_over(board, combos):
    for combo in combos:
        cards = COMBO_CARDS[combo].tolist()
        if not set(cards) & set(board):
            yield combo, cards


@given(EARLY_BOARDS, st.sampled_from(range(24)))
def test_names_of_suits_do_not_matter(board, number):
    permutation = SUIT_PERMUTATIONS[number]
    permuted = draws(permute_cards(board, permutation))
    assert (permuted[:, permute_combos(permutation)] == draws(board)).all()


@given(EARLY_BOARDS)
def test_draws_exclude_and_contain_one_another_as_they_should(board):
    found = dict(zip(DRAWS, draws(board), strict=True))
    assert not (found["nut-flush-draw"] & ~found["flush-draw"]).any()
    straight = [found["open-ended"], found["double-gutshot"], found["gutshot"]]
    assert np.sum(straight, axis=0).max() <= 1
    assert (found["combo-draw"] == found["flush-draw"] & np.any(straight, axis=0)).all()
    blocked = np.isin(COMBO_CARDS, board).any(axis=1)
    assert not draws(board)[:, blocked].any()
    assert draws(board)[:, ~blocked].any(axis=0).all()
    assert (found["no-draw"] <= (draws(board).sum(axis=0) == 1)).all()


@given(EARLY_BOARDS, COMBOS)
def test_flush_draws_are_four_cards_of_a_suit_with_a_hole_card(board, combos):
    found = dict(zip(DRAWS, draws(board), strict=True))
    made = made_hands(board)
    for combo, cards in left_over(board, combos):
        suits = Counter(card & 3 for card in [*cards, *board])
        held = {card & 3 for card in cards}
        assert found["flush-draw"][combo] == any(suits[suit] == 4 for suit in held)
        three = len(board) == 3 and any(suits[suit] == 3 for suit in held)
        assert found["backdoor-flush-draw"][combo] == three
        if found["flush-draw"][combo]:
            suit = suits.most_common(1)[0][0]
            outs = [card for card in range(suit, 52, 4) if card not in [*cards, *board]]
            assert len(outs) == 9
            # The draw is to the nuts if the flush is, whichever card makes it.
            for card in outs:
                better = MADE_HANDS[made_hands([*board, card])[combo]]
                if better in ("nut-flush", "lower-flush") and made[combo] > 4:
                    best = max(each for each in range(suit, 52, 4) if each not in board)
                    nuts = found["nut-flush-draw"][combo]
                    assert nuts == (best in cards)
                    assert not nuts or better == "nut-flush"


@given(RAINBOWS, COMBOS)
def test_straight_draws_by_counting_the_cards_that_make_them(board, combos):
    # Where all cards of the board have different suits, one more card makes no flush.
    found = dict(zip(DRAWS, draws(board), strict=True))
    outs = straight_outs(board)
    for combo, cards in left_over(board, combos):
        seen = {*cards, *board}
        if category(evaluate_cards(seen)) == "straight":
            assert not outs[:, combo].any()
            continue
        ranks = []
        for card in set(range(52)) - seen:
            of_hand = evaluate_cards([*seen, card])
            if category(of_hand) == "straight" and of_hand < of_board(board, card):
                ranks.append(card >> 2)
        assert np.flatnonzero(outs[:, combo]).tolist() == sorted(set(ranks))
        # A rank that makes a straight is not there yet: all four of its cards are left.
        assert len(ranks) == 4 * len(set(ranks))
        assert found["gutshot"][combo] == (len(set(ranks)) == 1)
        many = len(set(ranks)) >= 2
        assert (found["open-ended"] | found["double-gutshot"])[combo] == many
        held = [{card >> 2 for card in seen}.issuperset(range(low, low + 4)) for low in range(9)]
        both = [(low - 1) % 13 in ranks and low + 4 in ranks for low in range(9)]
        assert found["open-ended"][combo] == any(map(all, zip(held, both, strict=True)))


def of_board(board, card):
    """How good the board is with a card and without hole cards; the worst if it is too short."""
    return evaluate_cards([*board, card]) if len(board) == 4 else 7462


@given(RAINBOWS.filter(lambda board: len(board) == 3), COMBOS)
@settings(max_examples=30)
def test_backdoor_straight_draws_by_dealing_two_cards(board, combos):
    found = dict(zip(DRAWS, draws(board), strict=True))
    outs = straight_outs(board)
    for combo, cards in left_over(board, combos):
        held = {card >> 2 for card in cards}
        ranks = held | {card >> 2 for card in board}
        windows = [{12, 0, 1, 2, 3}, *({low + step for step in range(5)} for low in range(9))]
        already = any(window <= ranks for window in windows) or outs[:, combo].any()
        with_two = len(held) == 2 and any(
            held <= window <= ranks | set(two)
            for two in combinations(range(13), 2)
            for window in windows
        )
        assert found["backdoor-straight-draw"][combo] == (with_two and not already)


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
@settings(max_examples=10)
def test_nobody_draws_on_the_river(board):
    found = draws(board)
    assert not found[:-1].any()
    assert (found[-1] == ~np.isin(COMBO_CARDS, board).any(axis=1)).all()


COMBO_DRAW = {"combo-draw", "nut-flush-draw", "flush-draw"}


@pytest.mark.parametrize(
    ("hand", "board", "expected"),
    [
        ("AhKh", "QhJh2c", COMBO_DRAW | {"gutshot", "two-overcards"}),
        ("KsQd", "JhTc2d", {"open-ended", "two-overcards"}),
        ("AsKd", "JhTc2d", {"gutshot", "two-overcards"}),
        ("As5d", "4h3cKd", {"gutshot", "one-overcard"}),
        ("8s6d", "Th7c4d", {"double-gutshot"}),
        ("KsKd", "AhQh2h", {"no-draw"}),
        ("Ks7d", "KhJh2h3h", {"no-draw"}),  # the flush draw is the board's
        ("2s2d", "9h8c7d6h", {"no-draw"}),  # and so is the straight draw
        ("AsQd", "KhJcTd9s", {"no-draw"}),  # a straight already
        ("3s3d", "KhKc7d7h", {"no-draw"}),
    ],
)
def test_examples(hand, board, expected):
    assert drawing(hand, board) == expected
