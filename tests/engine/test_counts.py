"""How large a game is."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards import COMBO_CARDS, Range, canonical, parse_cards
from pokerlab.engine import count_tree
from pokerlab.engine.counts import possible_hands, street_boards, table_bytes, table_entries
from pokerlab.engine.walker import deal_boards
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot

EXAMPLES = Path(__file__).parents[2] / "examples" / "spots"


@pytest.mark.parametrize("hands", ["", "random"])
def test_the_reference_tree_of_the_thesis(hands):
    """The published counts, whatever the ranges (those of the file, or all hands)."""
    spot = Spot.from_file(EXAMPLES / "thesis-qhjh2c.toml")
    if hands:
        spot = Spot("QhJh2c", hands, hands, 2, 49, "50%, a", "50%, a", max_bets=4)
    counts = count_tree(spot, isomorphism=False).to_json()
    assert counts["nodes"] == {
        "flop": 57,
        "turn": 18_081,
        "river": 3_577_392,
        "total": 3_595_530,
    }
    assert counts["player_nodes"] == 1_333_016
    assert counts["dealer_nodes"] == 2_802
    assert counts["leaves"] == 2_259_712
    assert counts["information_sets"] == 1_567_626_816
    assert counts["actions"] == 4_070_164_224
    per_board = [street.edges + street.roots for street in spot.tree.streets]
    assert per_board == [57, 369, 1_521]
    assert [street.count(EdgeKind.NEXT_STREET) for street in spot.tree.streets] == [9, 57, 0]


def test_isomorphism_leaves_one_board_of_each_class():
    # Clubs and spades are alike on Td9d6h. Turn: 13 ranks in a pair of suits, 11 diamonds and
    # 12 hearts. River: a turn in clubs or spades tells the two apart (48 cards); after one of
    # the 23 others, 13 pairs and the 22 diamonds and hearts that are left.
    spot = Spot.from_file(EXAMPLES / "s1-flop.toml")
    merged = [len(boards) for boards in street_boards(spot)]
    assert merged == [1, 13 + 23, 13 * 48 + 23 * (13 + 22)]
    assert [len(boards) for boards in street_boards(spot, isomorphism=False)] == [1, 49, 49 * 48]
    counts, whole = count_tree(spot), count_tree(spot, isomorphism=False)
    assert counts.streets[2].player_nodes / whole.streets[2].player_nodes == merged[2] / (49 * 48)


def test_classes_of_boards_are_those_of_brute_force():
    """With ranges that know no suits, runs of cards are alike if their canonical forms are."""
    spot = Spot("QhJh2h", "random", "random", 2, 10)
    flop, turns, rivers = street_boards(spot)
    deck = [card for card in range(52) if card not in spot.board]
    forms = {canonical(spot.board, [turn]).rounds for turn in deck}
    assert len(turns) == len(forms) and len(flop) == 1
    deals = [(turn, river) for turn in deck for river in deck if turn != river]
    forms = {canonical(spot.board, [turn], [river]).rounds for turn, river in deals}
    assert len(rivers) == len(forms)
    assert {
        canonical(board[:3], board[3:4], board[4:]).rounds for board in rivers.tolist()
    } == forms


def test_ranges_that_know_suits_prevent_isomorphism():
    spot = Spot("Td9d6h", "AcKc, QQ", "random", 2, 10)
    assert [len(boards) for boards in street_boards(spot)] == [1, 49, 49 * 48]


def test_later_streets_start_with_fewer_cards():
    turn = count_tree(Spot("Td9d6hQc", "AA", "KK", 2, 10), isomorphism=False)
    assert turn.combos == 48 * 47 // 2
    assert [street.boards for street in turn.streets] == [1, 48]
    assert turn.to_json()["nodes"]["flop"] == 0
    river = count_tree(Spot("Td9d6hQc2s", "AA", "KK", 2, 10))
    assert [street.boards for street in river.streets] == [1]


def test_hands_that_a_board_leaves():
    hands = Range("66+, AKs, T9o:0.5")
    boards = street_boards(Spot("Td9d6h", hands, "AA", 2, 10), isomorphism=False)[2][::97]
    plain = [
        sum(not set(COMBO_CARDS[combo].tolist()) & set(board) for combo in hands.indices)
        for board in boards.tolist()
    ]
    assert possible_hands(hands, boards).tolist() == plain


def test_bytes_are_regrets_and_strategy_sums_of_possible_hands():
    """By hand: a river game with 4 actions for each player, 7 and 3 hands."""
    spot = Spot("Td9d6hQc2s", "AA, KsJs:0.5", "QQ", 100, 80, bet="a", raise_="")
    (street,) = spot.tree.streets
    # oop: x a | f c after x/a; ip: x a after x | f c after a.
    assert (street.actions_of(0), street.actions_of(1)) == (4, 4)
    assert [hands.count for hands in spot.ranges] == [7, 3]
    boards = street_boards(spot)
    assert table_entries(spot.tree, boards, spot.ranges, padding=1) == [(4 * 7, 4 * 3)]
    assert table_entries(spot.tree, boards, spot.ranges) == [(4 * 16, 4 * 16)]
    assert count_tree(spot).to_json()["bytes"] == {"32": 2 * 4 * 128, "16": 2 * 2 * 128}
    assert table_bytes(10, 32) == 80


def test_padded_entries_over_many_boards():
    spot = Spot("Td9d6hQc", "66+, AKs", "QQ-22, KQs", 100, 80, bet="a", raise_="")
    boards = street_boards(spot)
    plain = []
    for street, on_street in zip(spot.tree.streets, boards, strict=True):
        sums = [0, 0]
        for board in on_street.tolist():
            for node in range(street.nodes):
                player = int(street.player[node])
                hands = spot.ranges[player].remove(board).count
                sums[player] += len(street.edges_of(node)) * ((hands + 15) // 16 * 16)
        plain.append(tuple(sums))
    assert table_entries(spot.tree, boards, spot.ranges) == plain


def test_s1_fits_in_650_megabytes():
    counts = count_tree(Spot.from_file(EXAMPLES / "s1-flop.toml")).to_json()
    assert counts["bytes"]["32"] < 650e6
    assert counts["bytes"]["16"] * 2 == counts["bytes"]["32"]


def test_counts_of_the_public_tree_by_walking_it():
    """Deal every board, follow every edge, and count what is met."""
    spot = Spot("Td9d6hQc", "AA", "KK", pot=10, stack=30, bet="50%", raise_="a")
    counts = count_tree(spot, isomorphism=False)
    met = {"player": 0, "dealer": 0, "leaf": 0, "actions": 0}

    def visit(level: int, node: int) -> None:
        street = spot.tree.streets[level]
        met["player"] += 1
        for edge in street.edges_of(node):
            met["actions"] += 1
            target = int(street.target[edge])
            if street.kind[edge] == EdgeKind.NODE:
                visit(level, target)
            elif street.kind[edge] == EdgeKind.NEXT_STREET:
                met["dealer"] += 1
                first = int(spot.tree.streets[level + 1].root_first_node[target])
                for _ in range(48):
                    visit(level + 1, first)
            else:
                met["leaf"] += 1

    visit(0, 0)
    assert met["player"] == counts.player_nodes
    assert met["dealer"] == counts.dealer_nodes
    assert met["leaf"] == counts.leaves
    assert met["actions"] * len(list(combinations(range(48), 2))) == counts.actions
    assert counts.nodes == sum(street.nodes for street in counts.streets)


def test_boards_begin_with_the_board_of_the_spot():
    spot = Spot("Td9d6h", "AA", "KK", 2, 10)
    for boards in street_boards(spot):
        assert boards.dtype == np.uint8
        assert (boards[:, :3] == parse_cards("Td9d6h")).all()


@pytest.mark.parametrize("isomorphism", [True, False])
def test_margins_are_counted_where_all_may_be_in(isomorphism):
    flop = Spot("Td9d6h", "AA, K9s, 72o", "QQ, A5s", 100, 90, bet="a", raise_="a")
    boards = deal_boards(flop, isomorphism=isomorphism)
    kept = sum(len(margins) for level in (0, 1) for margins in boards.win_margins(level))
    assert count_tree(flop, isomorphism=isomorphism).margins == kept
    never = Spot("Td9d6h", "AA", "QQ", 100, 5000, bet="50%", raise_="", max_bets=1)
    assert count_tree(never).margins == 0
