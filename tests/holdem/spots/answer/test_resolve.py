"""A river of a spot as a spot of its own has the betting that stands below it in the whole tree."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards import parse_card
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.answer.resolve import spot_below

TURN = {"board": "Td9d6hQc", "oop": "66+, A8s+", "ip": "QQ-22", "pot": 200, "stack": 900}
SPOTS = [
    Spot(**TURN, bet="60%, e, a", raise_="2.5x", donk="river: 25%", max_bets=3),
    Spot(**TURN, bet="50%", donk="", force_allin=0.2, merge=0.1, add_allin=1.5),
    Spot(**TURN, bet="turn: 50%; river:", raise_=""),
    Spot(
        **TURN,
        bet="50%",
        added=["x/b100/c/b33", "x/b100/c/x/b77", "x/x/b10", "x/b7%"],
        removed=["x/b50%/c/x/b50%", "b100/c/b200", "x/x/b10/c"],
    ),
]


@pytest.mark.parametrize("spot", SPOTS)
def test_the_betting_below_a_river(spot):
    weights = spot.oop.remove("2s").weights, spot.ip.remove("2s").weights
    street = spot.tree.streets[-1]
    assert street.roots >= 3
    for root in range(street.roots):
        river = spot_below(spot, (*spot.board, 0), root, weights)
        first, last = street.root_first_node[root : root + 2]
        start, stop = street.first_edge[first], street.first_edge[last]
        matched = street.root_matched[root]
        found = river.tree.streets[0]
        assert river.tree.stack == spot.tree.stack - matched
        np.testing.assert_array_equal(found.player, street.player[first:last])
        np.testing.assert_array_equal(found.pot, street.pot[first:last])
        np.testing.assert_array_equal(found.first_edge, street.first_edge[first : last + 1] - start)
        np.testing.assert_array_equal(found.action, street.action[start:stop])
        np.testing.assert_array_equal(found.amount, street.amount[start:stop])
        np.testing.assert_array_equal(found.kind, street.kind[start:stop])
        np.testing.assert_array_equal(found.matched, street.matched[start:stop] - matched)
        below = found.kind == EdgeKind.NODE
        np.testing.assert_array_equal(found.target[below], street.target[start:stop][below] - first)


def test_the_locks_are_kept():
    locks = {
        "x": {"x": "QQ"},
        "x/x/x": {"x": 0.5, "b100": 0.5},
        "x/x/2d/x": {"x": 0.25, "b100": 0.75},
        "x/x/3d/x": {"x": 1},
        "x/b100/c/2d": {"x": "AA"},
    }
    spot = Spot(**TURN, bet="50%", locks=locks)
    board = (*spot.board, parse_card("2d"))
    rivers = {
        spot.tree.line(1, int(first)): spot_below(spot, board, root, weights_of(spot)).fields()
        for root, first in enumerate(spot.tree.streets[-1].root_first_node[:-1])
    }
    assert rivers["x/x"]["locks"] == {"x": {"x": 0.25, "b100": 0.75}}
    assert rivers["x/b100/c"]["locks"] == {"": {"x": "AA"}}
    assert "locks" not in rivers["b100/c"]


def test_the_locks_below_a_turn_keep_their_river_cards():
    locks = {"x/x/2d/x/x/3d": {"x": 1}, "x/x/x/x/x": {"x": 1}, "x/x/4d/x": {"x": 1}, "x": {"x": 1}}
    spot = Spot(**(TURN | {"board": "Td9d6h"}), bet="50%", locks=locks)
    board = (*spot.board, parse_card("2d"))
    street = spot.tree.streets[1]
    roots = [spot.tree.line(1, int(first)) for first in street.root_first_node[:-1]]
    turn = spot_below(spot, board, roots.index("x/x"), weights_of(spot))
    assert turn.fields()["locks"] == {"x/x/x": {"x": 1}, "x/x/3d": {"x": 1}}
    assert turn.street == 1 and turn.pot == 200


def test_the_edits_are_seen():
    labels = {
        tuple(river.tree.streets[0].labels(0))
        for root in range(SPOTS[-1].tree.streets[-1].roots)
        for river in [spot_below(SPOTS[-1], (*SPOTS[-1].board, 0), root, weights_of(SPOTS[-1]))]
    }
    assert ("x", "b33", "b200") in labels and ("x", "b10", "b100") in labels


def weights_of(spot):
    return spot.oop.weights, spot.ip.weights
