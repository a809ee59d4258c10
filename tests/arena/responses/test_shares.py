"""One hand against all others: the kernel, the exact shares, those before the flop."""

import numpy as np
import pytest

from pokerlab.arena.responses.share_kernels import add_shares
from pokerlab.arena.responses.shares import drawn_shares, shares_by_hand
from pokerlab.cards import equity
from pokerlab.cards.codes import COMBO_CARDS, combo_index, format_cards, parse_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.games import load_game
from pokerlab.holdem.preflop.class_matchups import class_tables

HOLDEM = load_game("holdem.nolimit.2p")


def test_kernel_is_the_plain_comparison():
    rng = np.random.default_rng(3)
    boards = np.array([rng.permutation(52)[:5] for _ in range(20)], np.uint8)
    hero = combo_index(*parse_cards("AsKd"))
    sums = np.zeros((2, 1326))
    add_shares(boards, hero, sums, evaluator_tables.load())
    expected = np.zeros((2, 1326))
    for board in boards:
        if set(board) & set(COMBO_CARDS[hero]):
            continue
        fits = np.array([not set(board) & set(cards) for cards in COMBO_CARDS.tolist()])
        sevens = np.concatenate([COMBO_CARDS, np.tile(board, (1326, 1))], axis=1)
        classes = np.zeros(1326)
        classes[fits] = evaluate_batch(sevens[fits])
        expected[0] += fits * ((classes > classes[hero]) + (classes == classes[hero]) / 2)
        expected[1] += fits
    np.testing.assert_allclose(sums, expected)


@pytest.mark.parametrize("board", ["7s8d2c", "7s8d2cTh", "7s8d2cThAc"])
def test_shares_are_equities(board):
    hand, cards = parse_cards("JsTs"), parse_cards(board)
    shares = shares_by_hand(HOLDEM, hand, cards)
    for place in (3, 400, 801, 1200):
        other = COMBO_CARDS[place].tolist()
        if set(other) & {*hand, *cards}:
            assert shares[place] == 0.0
        else:
            found = equity("JsTs", format_cards(other), board=board).value
            assert shares[place] == pytest.approx(found, abs=1e-12)


def test_before_the_flop_shares_are_those_of_classes():
    from pokerlab.cards.hand_classes import CLASS_NAMES

    hand = parse_cards("QhQs")
    shares = shares_by_hand(HOLDEM, hand, ())
    classes = class_tables().equities
    queens, kings = CLASS_NAMES.index("QQ"), CLASS_NAMES.index("AKs")
    assert shares[combo_index(*parse_cards("AdKd"))] == classes[queens, kings]
    assert shares[combo_index(*parse_cards("QhKd"))] == 0.0
    drawn = drawn_shares(hand, np.random.default_rng(1))
    possible = shares > 0
    assert (drawn[~possible] == 0).all()
    assert abs(drawn[possible] - shares[possible]).max() < 0.06
