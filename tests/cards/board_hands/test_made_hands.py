"""Made hands: one a hand, whatever the suits are called, in the order of the evaluator."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.board_hands.made_hands import MADE_HAND_FAMILIES, MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import category, hand_ranks
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, permute_cards, permute_combos

BOARDS = st.lists(st.integers(0, 51), min_size=3, max_size=5, unique=True)
COMBOS = st.lists(st.integers(0, 1325), min_size=30, max_size=30, unique=True)

CATEGORY_OF = {
    "straight-flush": "straight flush",
    "quads": "four of a kind",
    "full-house": "full house",
    "nut-flush": "flush",
    "lower-flush": "flush",
    "straight": "straight",
    "set": "three of a kind",
    "trips": "three of a kind",
    "top-two-pair": "two pair",
    "lower-two-pair": "two pair",
}


def made(hand, board):
    return MADE_HANDS[made_hands(board)[combo_index(*parse_cards(hand))]]


def hands_on(board, combos):
    """Some combos that the board leaves, with the class of the evaluator."""
    for combo in combos:
        cards = COMBO_CARDS[combo].tolist()
        if not set(cards) & set(board):
            yield combo, cards, evaluate_cards([*cards, *board])


@given(BOARDS)
def test_each_hand_that_the_board_leaves_is_in_one_class(board):
    found = made_hands(board)
    blocked = np.isin(COMBO_CARDS, board).any(axis=1)
    assert (found[blocked] == -1).all()
    assert ((found[~blocked] >= 0) & (found[~blocked] < len(MADE_HANDS))).all()


@given(BOARDS, st.sampled_from(range(24)))
def test_names_of_suits_do_not_matter(board, number):
    permutation = SUIT_PERMUTATIONS[number]
    permuted = made_hands(permute_cards(board, permutation))
    assert (permuted[permute_combos(permutation)] == made_hands(board)).all()


@given(BOARDS, COMBOS)
@settings(max_examples=100)
def test_classes_agree_with_the_evaluator(board, combos):
    found = made_hands(board)
    board_ranks = [card >> 2 for card in board]
    for combo, cards, value in hands_on(board, combos):
        name, kind = MADE_HANDS[found[combo]], category(value)
        if name in CATEGORY_OF or kind in list(CATEGORY_OF.values())[:6]:
            assert CATEGORY_OF.get(name) == kind, (name, kind)
            continue
        # The pairs that play and that a hole card takes part in.
        deciding = {"pair": 1, "two pair": 2}.get(kind, 0)
        own = [
            rank
            for rank in hand_ranks(value)[:deciding]
            if board_ranks.count(rank) < 2 and rank in [card >> 2 for card in cards]
        ]
        assert (name in MADE_HAND_FAMILIES["pair"]) == (len(own) == 1), (name, kind)
        assert (name in MADE_HAND_FAMILIES["high-card"]) == (not own), (name, kind)


@given(BOARDS.filter(lambda board: len({card >> 2 for card in board}) == len(board)), COMBOS)
@settings(max_examples=100)
def test_on_a_board_without_a_pair_a_better_class_never_loses(board, combos):
    found = made_hands(board)
    by_class = sorted((int(found[combo]), value) for combo, _, value in hands_on(board, combos))
    best_so_far, worst_above, current = 0, 0, -1
    for number, value in by_class:
        if number != current:
            worst_above, current = best_so_far, number
        assert value >= worst_above, (MADE_HANDS[number], value)
        best_so_far = max(best_so_far, value)


@pytest.mark.parametrize(
    ("hand", "board", "expected"),
    [
        ("KsQd", "KhTc7d7h", "top-pair-good-kicker"),  # the board's pair is everybody's
        ("AsAd", "KhKc7d", "overpair"),
        ("As7s", "KhKc7d", "second-pair"),
        ("5s5d", "KhKc7d", "underpair"),
        ("Ks2s", "Kh7c7d2h", "top-pair-weak-kicker"),  # the deuces do not play
        ("7s2s", "KhKc7d2h", "second-pair"),
        ("8s8d", "KhKc7d7h2s", "pair-below-top"),
        ("AsQs", "7h7c7d", "ace-high"),  # three of a kind of the board, too
        ("QsJs", "7h7c7d7sKh", "quads"),
        ("AsKs", "AhQc2d", "top-pair-top-kicker"),
        ("AsJs", "AhKcQd", "top-pair-top-kicker"),
        ("As2s", "5h4c3d", "straight"),
        ("Ah5h", "KhTh4h4cKc", "nut-flush"),
        ("KsKd", "KhTh4h4cKc", "quads"),
        ("Qh2h", "AhKhTh4h3h", "nut-flush"),
        ("2h2s", "AhKhTh4h3h", "lower-flush"),  # the board's flush
        ("6s6d", "KhTc7d4s", "low-pair"),
    ],
)
def test_examples(hand, board, expected):
    assert made(hand, board) == expected


@pytest.mark.parametrize(
    ("board", "wrong"), [("AhKh", "3, 4 or 5"), ("AhAhKc", "twice"), ([1, 2, 60], "60")]
)
def test_bad_boards_are_named(board, wrong):
    with pytest.raises(ValueError, match=wrong):
        made_hands(board)
