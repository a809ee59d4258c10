"""Where strategies are stored, against counting up entry by entry."""

from __future__ import annotations

import numpy as np
import pytest
from tests.postflop.solved_spots import SPOTS

from pokerlab.postflop.cpu.walker import CPU_SHAPE
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.layout import StrategyLayout, first_slots


def make(name: str) -> tuple[Boards, StrategyLayout]:
    spot = SPOTS[name]
    boards = Boards.of(spot.board, (spot.oop.weights, spot.ip.weights), CPU_SHAPE)
    return boards, StrategyLayout.of(spot.tree, boards)


@pytest.mark.parametrize("name", SPOTS)
def test_every_entry_belongs_to_one_board_node_action_and_hand(name: str) -> None:
    boards, layout = make(name)
    for level, street in enumerate(SPOTS[name].tree.streets):
        for player in range(2):
            here = layout.at(level, player)
            array = np.arange(here.size)
            entry = 0
            for board in range(len(boards.cards[level])):
                hands = boards.tables[level].hands[player]
                row = int(hands.first[board + 1] - hands.first[board])
                whole = []
                for node in np.flatnonzero(street.player == player).tolist():
                    actions = len(street.edges_of(node))
                    expected = np.arange(entry, entry + actions * row).reshape(actions, row)
                    assert here.start(board, node) == entry
                    np.testing.assert_array_equal(here.node(array, board, node), expected)
                    whole.append(expected)
                    entry += actions * row
                if whole:
                    np.testing.assert_array_equal(here.board(array, board), np.concatenate(whole))
            assert here.size == entry
            assert here.slots == street.actions_of(player)
        assert [each.size for each in layout.streets[level]] == [
            int(first[-1]) for first in layout.first(level)
        ]


def test_rows_may_be_shorter_than_the_hands_of_a_board() -> None:
    boards, by_hand = make("turn")
    tree = SPOTS["turn"].tree
    rng = np.random.default_rng(0)
    rows = [
        (rng.integers(1, 9, len(cards)), rng.integers(1, 9, len(cards))) for cards in boards.cards
    ]
    layout = StrategyLayout.of(tree, boards, rows)
    for level, both in enumerate(rows):
        for player, lengths in enumerate(both):
            here = layout.at(level, player)
            assert here.size == lengths.sum() * by_hand.at(level, player).slots
            assert here.first[1] == lengths[0] * here.slots
            array = np.arange(here.size)
            node = int(np.flatnonzero(tree.streets[level].player == player)[-1])
            last = here.node(array, len(lengths) - 1, node)
            assert last.shape[1] == lengths[-1]
            assert last[-1, -1] == here.size - 1


def test_slots_count_the_actions_of_each_player() -> None:
    for street in SPOTS["turn"].tree.streets:
        counted = [0, 0]
        for node, slot in enumerate(first_slots(street).tolist()):
            player = int(street.player[node])
            assert slot == counted[player]
            counted[player] += len(street.edges_of(node))
