"""Corrections of check-downs, against sums over all pairs of hands and all run-outs."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.cards import parse_cards
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.engine.subsets.check_downs import (
    check_down_corrections,
    following_weights,
    hand_scales,
)
from pokerlab.engine.tables.runouts import find_run_out, find_solved, following_cards
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots import Spot

SPOT = Spot("QsJh2h", "AA, QTs", "KK, AQs, T9s", pot=100, stack=80, runouts="4x3")


@pytest.fixture(scope="module")
def boards():
    return deal_boards(SPOT, isomorphism=True)


def sign_of(board, own, other):
    """Who wins on a complete board; 0 where a hand has a card of it."""
    cards = [*COMBO_CARDS[own].tolist(), *COMBO_CARDS[other].tolist()]
    if set(cards) & set(board):
        return 0
    hands = np.array([[*board, *cards[:2]], [*board, *cards[2:]]])
    mine, theirs = evaluate_batch(hands).astype(int)
    return np.sign(theirs - mine)


def pairs(boards):
    for own, first in enumerate(boards.combos[0]):
        for other, second in enumerate(boards.combos[1]):
            if not set(COMBO_CARDS[first].tolist()) & set(COMBO_CARDS[second].tolist()):
                yield (own, first), (other, second)


def test_weights_after_a_board_sum_to_its_cards(boards):
    for level, cards in ((0, 49), (1, 48)):
        weights = following_weights(boards, level)
        np.testing.assert_allclose(weights.sum(axis=1), cards)
    assert (
        following_weights(deal_boards(Spot("QsJh2h", "AA", "KK", 1, 1), isomorphism=True), 0)
        is None
    )


def test_a_turn_is_corrected_to_its_win_margins_over_all_rivers(boards):
    board = boards.cards[1][0].tolist()
    left = [card for card in range(52) if card not in board]
    weights = following_weights(boards, 1)[0]
    scales = [hand_scales(boards, 1, player)[0] for player in range(2)]
    own, other = boards.padded
    found = check_down_corrections(boards, 1)[0].view(np.float16).reshape(-1, other, own)[0]
    for (mine, first), (theirs, second) in pairs(boards):
        signs = np.array([sign_of([*board, card], first, second) for card in left])
        if {*COMBO_CARDS[first].tolist(), *COMBO_CARDS[second].tolist()} & set(board):
            continue
        subset = scales[0][mine] * scales[1][theirs] * (weights[left] * signs).sum() / 44
        assert found[theirs, mine] == pytest.approx(signs.sum() / 44 - subset, abs=2e-3)


def test_the_flop_is_corrected_to_its_win_margins_over_all_run_outs(boards):
    flop = parse_cards("QsJh2h")
    own, other = boards.padded
    found = check_down_corrections(boards, 0)[0].view(np.float16).reshape(other, own)
    weights = following_weights(boards, 0)[0]
    scales = [hand_scales(boards, 0, player)[0] for player in range(2)]
    left = [card for card in range(52) if card not in flop]
    for (mine, first), (theirs, second) in list(pairs(boards))[::17]:
        by_turn = np.zeros(52)
        for turn, river in combinations(left, 2):
            sign = sign_of([*flop, turn, river], first, second)
            by_turn[[turn, river]] += sign
        whole = by_turn.sum() / 45 / 44
        subset = scales[0][mine] * scales[1][theirs] * (weights * by_turn).sum() / 44 / 45
        assert found[theirs, mine] == pytest.approx(whole - subset, abs=2e-3)


def test_what_one_player_misses_the_other_has_too_much(boards):
    own, other = boards.padded
    for level in range(2):
        first, second = (each.view(np.float16) for each in check_down_corrections(boards, level))
        turned = second.reshape(-1, own, other).swapaxes(1, 2)
        np.testing.assert_array_equal(first.reshape(-1, other, own), -turned)


def test_a_card_that_is_left_out_is_named_with_those_that_are_there(boards):
    solved = following_cards(boards, find_run_out(boards, [])[0])
    assert sum(solved.values()) == pytest.approx(49)
    missing = next(card for card in range(52) if card not in (*solved, *SPOT.board))
    assert len(find_solved(boards, [missing, 0])) == 1
    with pytest.raises(ValueError, match=r"was left out of this solve; after QsJh2h it has"):
        find_run_out(boards, [missing])
