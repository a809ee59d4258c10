"""The public-tree engine against the laboratory: the same games written out node by node."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, combo_index
from pokerlab.postflop import Spot
from pokerlab.postflop.engine import PostflopSolver
from pokerlab.solvers import CfrSolver, Strategy, exploitability, solve_lp, values
from pokerlab.trees import GameTree
from tests.postflop.explicit_game import SpotGame, split_name

RIVER = "QhJh2c4d7h"

# Weights without a pattern: equal values of two actions, which rounding would decide, are rare.
SPOTS = {
    "river": Spot(
        RIVER,
        "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 8c7c:0.64, 5h4h:0.71, AcKc, 6d5d:0.37, 3s3c",
        "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs, 6c5c:0.67, TdTs, AcQs",
        pot=100,
        stack=260,
        bet="50%, a",
        raise_="60%, a",
    ),
    "river, four actions, rake": Spot(
        "Ts9s8d3c3h",
        "AsTc:0.61, JhTh:0.83, QdJd, 7d6d:0.45, AhAd:0.77, 5s4s, KsQs:0.39",
        "JcJs:0.47, ThTd, 9c9d:0.35, AcKc:0.94, 8s7s, QhJs:0.58, 6h5h:0.81",
        pot=61,
        stack=(300, 150),
        bet="30%, 75%, a",
        raise_="50%, a",
        max_bets=3,
        rake=0.05,
        rake_cap=7.5,
    ),
    "river, rake without a cap": Spot(
        "Ts9s8d3c3h",
        "AsTc:0.61, JhTh:0.83, 7d6d:0.45, 5s4s, KsQs:0.39",
        "JcJs:0.47, ThTd, AcKc:0.94, 8s7s, QhJs:0.58",
        pot=60,
        stack=90,
        bet="50%, a",
        raise_="a",
        rake=0.04,
    ),
    "river, the same hands": Spot(
        RIVER,
        "AhKd:0.63, AhQs:0.85, AsKs:0.41, KsKd:0.72, QsQd:0.94, AdQd:0.57",
        "AhKd:0.88, AhQs:0.31, AsKs:0.67, KsKd:0.49, QsQd:0.76, AdQd:0.97",
        pot=80,
        stack=120,
        bet={"river": {"oop": "40%, a", "ip": "75%"}},
        raise_="2.5x",
    ),
    "turn": Spot(
        "QhJh2c4d",
        "AsAd:0.83, KhQd:0.61, 9h8h",
        "JsJd:0.37, 5c5s, AhKh:0.72",
        pot=100,
        stack=300,
        bet="turn: 50%, a; river: 75%",
        raise_="turn: a; river:",
    ),
    "turn, rake, only all-in": Spot(
        "Kc9d5s5h",
        "AsKd:0.81, 7h6h:0.53",
        "QsQc:0.67, Th9h, JsTs:0.45",
        pot=90,
        stack=45,
        bet="a",
        raise_="a",
        donk="river:",
        rake=0.1,
        rake_cap=11,
    ),
    "turn, one suit": Spot(
        "AhKh7h2h",
        "JcJd:0.7, JcJs:0.7, JdJs:0.7, 9h8h:0.55",
        "6c6d:0.9, 6c6s:0.9, 6d6s:0.9, QhTc:0.8, QhTd:0.8, QhTs:0.8",
        pot=100,
        stack=150,
        bet="turn: 50%; river: a",
        raise_="",
    ),
    "flop": Spot(
        "QhJh2c",
        "AsAd:0.6",
        "JsJd, Th9h:0.43",
        pot=100,
        stack=200,
        bet="flop: a; turn:; river: 50%",
        raise_="",
    ),
    "flop, one suit": Spot(
        "AhKh7h",
        "QhJc:0.8, QhJd:0.8, QhJs:0.8",
        "5h4h",
        pot=30,
        stack=60,
        bet="flop: 50%; turn: ; river: a",
        raise_="",
        rake=0.03,
        rake_cap=2,
    ),
}

RULES = [
    "cfr",
    "cfr-return",
    "cfr+",
    "linear",
    "dcfr",
    "dcfr(1.5,0.25,3)",
    "pcfr+",
    "cgh(0.2)",
    "cgh(0.2,2)",
    "cgh-return(0.2)",
    "fp",
    "fp-naive",
]


@cache
def explicit_tree(name: str) -> GameTree:
    tree = GameTree.build(SpotGame(SPOTS[name]))
    assert len(tree) < 300_000
    return tree


def suit_maps(spot: Spot) -> list[tuple[int, ...]]:
    """The suit permutations that keep the board and the ranges, tried one by one."""
    board = set(spot.board)
    found = []
    for suits in permutations(range(4)):
        image = [4 * (card // 4) + suits[card % 4] for card in range(52)]
        combos = [combo_index(image[high], image[low]) for high, low in COMBO_CARDS.tolist()]
        if {image[card] for card in board} == board and all(
            np.array_equal(hands.weights[combos], hands.weights) for hands in spot.ranges
        ):
            found.append(suits)
    return found


class Places:
    """Where the numbers of each information set stand in the storage of a solver.

    With isomorphism, a board that is not stored is carried to one that is, and the hand with it.
    """

    def __init__(self, solver: PostflopSolver, tree: GameTree) -> None:
        spot, boards, infosets = solver.spot, solver.boards, tree.infosets
        self.tree = tree
        self.found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        known = len(spot.board)
        stored = [
            {tuple(cards[known:]): number for number, cards in enumerate(level.tolist())}
            for level in boards.cards
        ]
        maps = suit_maps(spot)
        orders = {}
        for number, name in enumerate(infosets.names):
            combo, line = split_name(name)
            place = spot.find(line)
            level, player = place.level, int(infosets.player[number])
            # An image that is stored; without isomorphism that of the identity always is.
            for suits in maps:
                image = [4 * (card // 4) + suits[card % 4] for card in range(52)]
                board = stored[level].get(tuple(image[card] for card in place.cards))
                if board is not None:
                    break
            assert board is not None, "no stored board stands for this one"
            hands = boards.tables[level].hands[player]
            first, last = hands.first[board], hands.first[board + 1]
            if (level, player, board) not in orders:
                order = hands.order[first:last].tolist()
                orders[level, player, board] = {
                    int(boards.combos[player][hand]): entry
                    for entry, hand in enumerate(order)
                    if hand < len(boards.combos[player])
                }
            high, low = COMBO_CARDS[combo].tolist()
            entry = orders[level, player, board][combo_index(image[high], image[low])]
            slot = int(solver._walker.streets[level].programs[0].slot[place.node])
            start = int(solver.storage[level].first[player][board])
            slots, indices = self.found.setdefault((level, player), ([], []))
            for action in range(infosets.n_actions[number]):
                slots.append(int(infosets.offset[number]) + action)
                indices.append(start + (slot + action) * int(last - first) + entry)

    def read(self, solver: PostflopSolver, field: str) -> np.ndarray:
        """The stored numbers of all slots of the tree."""
        numbers = np.zeros(self.tree.infosets.slots)
        for (level, player), (slots, indices) in self.found.items():
            array = getattr(solver.storage[level], field)[player]
            array = array.view(np.float16) if array.dtype == np.uint16 else array
            numbers[slots] = array[indices]
        return numbers

    def current(self, solver: PostflopSolver) -> Strategy:
        weights = np.maximum(self.read(solver, "kept"), 0)
        return Strategy.from_weights(self.tree.infosets, weights)

    def answer(self, solver: PostflopSolver) -> Strategy:
        if not solver.rule.averages:
            return self.current(solver)
        return Strategy.from_weights(self.tree.infosets, self.read(solver, "sums"))


@cache
def places(name: str, isomorphism: bool = True) -> Places:
    solver = PostflopSolver(SPOTS[name], "cfr", precision=64, isomorphism=isomorphism)
    return Places(solver, explicit_tree(name))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", SPOTS)
def test_strategies_of_the_laboratory(name: str, rule: str) -> None:
    tree, where = explicit_tree(name), places(name)
    engine = PostflopSolver(SPOTS[name], rule, precision=64)
    laboratory = CfrSolver(tree, rule, alternating=True)
    for more in (1, 1, 3, 15):
        engine.iterate(more)
        laboratory.iterate(more)
        np.testing.assert_allclose(
            where.current(engine).array, laboratory.current().array, atol=1e-9
        )


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize(
    ("precision", "tolerance"), [(64, 1e-11), (32, 1e-6), (16, 1e-6)], ids=["64", "32", "16"]
)
def test_exploitability_and_values_of_the_strategies(
    name: str, precision: int, tolerance: float
) -> None:
    tree, where, spot = explicit_tree(name), places(name), SPOTS[name]
    solver = PostflopSolver(spot, "dcfr(1.5,0.25,3)", precision=precision)
    for more in (0, 1, 2, 30):
        solver.iterate(more)
        average = where.answer(solver)
        close = tolerance * (spot.pot + 2 * spot.effective_stack)
        assert solver.exploitability() == pytest.approx(exploitability(tree, average), abs=close)
        expected = values(tree, average) + spot.pot / 2
        np.testing.assert_allclose(solver.values(), expected, atol=close)
