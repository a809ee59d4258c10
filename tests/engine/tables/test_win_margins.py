"""Win margins: the kernel against NumPy, and threads that count pieces of them."""

import numpy as np
import pytest

from pokerlab.cards import Range, evaluate_batch, parse_cards
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.margin_kernels import count_ties, count_win_margins
from pokerlab.engine.tables.win_margins import WinMargins


@pytest.mark.parametrize("run_outs", [1, 24, 61])
def test_kernel_adds_up_signs(run_outs):
    rng = np.random.default_rng(run_outs)
    own, opposing = (rng.integers(0, 6, (run_outs, hands)).astype(np.int16) for hands in (32, 48))
    masks = [np.uint64(1) << rng.integers(0, 5, hands).astype(np.uint64) for hands in (32, 48)]
    margins, reverse = np.full((48, 32), 7, np.uint16), np.full((32, 48), 7, np.uint16)
    flat = margins.reshape(-1), reverse.reshape(-1)
    count_win_margins(own, opposing, *masks, 2, (16, 48), *flat, False)
    expected = plain_margins(own, opposing, masks)[16:]
    np.testing.assert_array_equal(margins[16:].view(np.float16), expected)
    np.testing.assert_array_equal(reverse[:, 16:].view(np.float16), -expected.T)
    assert (margins[:16] == 7).all() and (reverse[:, :16] == 7).all()


def test_kernel_compares_the_same_hands_once():
    rng = np.random.default_rng(3)
    classes = rng.integers(0, 6, (30, 48)).astype(np.int16)
    masks = np.uint64(1) << rng.integers(0, 5, 48).astype(np.uint64)
    margins = np.full((48, 48), 7, np.uint16)
    flat = margins.reshape(-1)
    for others in ((32, 48), (0, 32)):
        count_win_margins(classes, classes, masks, masks, 2, others, flat, flat, True)
    expected = plain_margins(classes, classes, [masks, masks])
    np.testing.assert_array_equal(margins.view(np.float16), expected)


def plain_margins(own, opposing, masks):
    """Twice the sum of signs over run-outs: (opposing, own)."""
    signs = np.sign(opposing[:, :, None].astype(int) - own[:, None]).sum(axis=0)
    return np.where(masks[1][:, None] & masks[0] == 0, 2 * signs, 0)


def test_every_pair_of_hands_on_the_turns_of_a_flop():
    ranges = (Range("QQ-22, ATs+, KTo").weights, Range("77+, AJs+, QJo").weights)
    boards = Boards.of(parse_cards("Td9d6h"), ranges, CPU_SHAPE)
    found, _ = boards.win_margins(1)
    found = found.view(np.float16).reshape(len(boards.cards[1]), *boards.padded[::-1])
    for number in (0, 12):
        board = boards.cards[1][number]
        expected = np.zeros(found.shape[1:])
        for river in set(range(52)) - set(board.tolist()):
            known = [*board.tolist(), river]
            (mine, here), (theirs, there) = (classes(known, each) for each in boards.combos)
            signs = np.sign(theirs[:, None] - mine) * (there[:, None] & here)
            expected[: len(theirs), : len(mine)] += signs
        cards = [COMBO_CARDS[combos] for combos in boards.combos]
        shared = (cards[1][:, None, :, None] == cards[0][:, None]).any(axis=(2, 3))
        expected[: len(shared), : shared.shape[1]][shared] = 0
        assert expected.any()
        np.testing.assert_array_equal(found[number], expected)


def classes(board, combos):
    """Classes of hands on a board of five cards, and which of the hands are possible."""
    cards = COMBO_CARDS[combos].astype(int)
    possible = ~np.isin(cards, board).any(axis=1)
    found = np.zeros(len(cards), int)
    hands = np.concatenate([np.tile(board, (len(cards), 1)), cards], axis=1)
    found[possible] = evaluate_batch(hands[possible])
    return found, possible


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc"])
@pytest.mark.parametrize("second", ["QQ-22, A2s+, KTo+", "77+, AJs+"])
def test_threads_count_the_same(board, second):
    ranges = (Range("QQ-22, A2s+, KTo+").weights, Range(second).weights)
    boards = Boards.of(parse_cards(board), ranges, CPU_SHAPE)
    alone, together = (WinMargins(boards.cards[0], boards.combos, boards.padded) for _ in range(2))
    alone.count([0])
    together.count([0], threads=3)
    assert alone.first.any()
    np.testing.assert_array_equal(alone.first, together.first)
    np.testing.assert_array_equal(alone.second, together.second)


def test_threads_share_the_turns_of_a_flop():
    ranges = (Range("AA, 87s").weights, Range("QQ, A5s").weights)
    boards = [Boards.of(parse_cards("Td9d6h"), ranges, CPU_SHAPE) for _ in range(2)]
    for alone, together in zip(
        boards[0].win_margins(1), boards[1].win_margins(1, threads=3), strict=True
    ):
        assert alone.any()
        np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("run_outs", [1, 24])
def test_ties_are_counted(run_outs):
    rng = np.random.default_rng(run_outs)
    own, opposing = (rng.integers(0, 5, (run_outs, hands)).astype(np.int16) for hands in (32, 48))
    masks = [np.uint64(1) << rng.integers(0, 5, hands).astype(np.uint64) for hands in (32, 48)]
    ties = np.zeros((48, 32), np.int16)
    count_ties(own, opposing, *masks, 2, (16, 48), ties)
    equal = (own[:, None] == opposing[:, :, None]) & (own[:, None] > 0)
    expected = 2 * equal.sum(axis=0) * (masks[1][:, None] & masks[0] == 0)
    np.testing.assert_array_equal(ties[16:], expected[16:])
    assert (ties[:16] == 0).all()
