"""Where strategies are stored, against counting up entry by entry."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS

from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout, first_slots


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


def test_groups_make_rows_shorter_than_the_hands_of_a_board() -> None:
    boards, by_hand = make("turn")
    tree = SPOTS["turn"].tree
    rng = np.random.default_rng(0)
    groups_of = [
        (rng.integers(0, 2, (len(cards), 1326)), rng.integers(0, 2, (len(cards), 1326)))
        for cards in boards.cards
    ]
    groups = BoardGroups.of_groups("some", boards, groups_of)
    layout = StrategyLayout.of(tree, boards, groups)
    for level, both in enumerate(groups_of):
        for player, numbers in enumerate(both):
            here = layout.at(level, player)
            assert here.rows.tolist() == [16] * len(here.rows)
            assert here.size == 16 * len(here.rows) * by_hand.at(level, player).slots
            hands = boards.tables[level].hands[player]
            for board in range(len(here.rows)):
                order = hands.order[hands.first[board] : hands.first[board + 1]]
                known = order < len(boards.combos[player])
                label = numbers[board, boards.combos[player][order[known]]]
                column = here.by_hand(np.arange(16), board)[known]
                # The same label is the same column, and the first hand's column is the first.
                assert column[0] == 0
                assert (column[:, None] == column).tolist() == (label[:, None] == label).tolist()


def test_slots_count_the_actions_of_each_player() -> None:
    for street in SPOTS["turn"].tree.streets:
        counted = [0, 0]
        for node, slot in enumerate(first_slots(street).tolist()):
            player = int(street.player[node])
            assert slot == counted[player]
            counted[player] += len(street.edges_of(node))
