"""Ties of all leaves of a block, against a loop over pairs of hands."""

import numpy as np
import pytest

from pokerlab.cards import Range, evaluate_batch, parse_cards
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.engine.cpu.kernels.leaf_kernels import LEAVES, LeafWorkspace
from pokerlab.engine.cpu.kernels.sweep_kernels import count_sum_rows
from pokerlab.engine.cpu.kernels.tie_kernels import evaluate_ties
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.arrays import Leaves
from pokerlab.engine.tables.boards import Boards


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("board", ["Ts9s8d7c3h", "AsKsQsJsTs", "QhJh2c4d7h"])
def test_ties_against_a_loop(kind, board):
    ranges = (Range("JJ, 22, A2s+, J9o, KQo").weights, Range("QQ-99, A2o+, J8s+, KQ").weights)
    boards = Boards.of(parse_cards(board), ranges, CPU_SHAPE)
    tables, rng = boards.tables[0], np.random.default_rng(1)
    own, other = tables.hands
    known = [
        [COMBO_CARDS[boards.combos[player][hand]].tolist() for hand in side.order
         if hand < len(boards.combos[player])]
        for player, side in enumerate((own, other))
    ]  # fmt: skip
    counts, width = len(other.order), len(own.order)
    reach = np.zeros((counts + 1, LEAVES), kind)
    reach[: len(known[1])] = rng.random((len(known[1]), LEAVES))
    values = np.full((LEAVES, width), 9, kind)
    starts = rng.permutation(LEAVES) * width
    work = LeafWorkspace(reach.reshape(-1), np.full(count_sum_rows(counts) * LEAVES, 5, kind))
    leaves = Leaves(starts, starts, starts, starts)
    evaluate_ties(values.reshape(-1), 0, leaves, own, other, 0, tables.group_first, work)
    classes = [
        evaluate_batch(np.array([[*parse_cards(board), *hand] for hand in side])).astype(int)
        for side in known
    ]
    expected = np.zeros((LEAVES, width))
    for mine, hand in enumerate(known[0]):
        for theirs, opposing in enumerate(known[1]):
            if classes[0][mine] == classes[1][theirs] and not set(hand) & set(opposing):
                expected[:, mine] += reach[theirs]
    found = values.reshape(-1)[starts[:, None] + np.arange(width)]
    np.testing.assert_allclose(found, expected, atol=200 * np.finfo(kind).eps)
    assert expected.any()
