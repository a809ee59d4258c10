"""The public-tree engine against the laboratory: the same games written out node by node."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, permutations
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from numba import typeof
from tests.holdem.spots.explicit_game import SpotGame, split_name
from tests.holdem.spots.two_numbers import second_numbers

from pokerlab.cards import equity
from pokerlab.cards.codes import COMBO_CARDS, combo_index
from pokerlab.engine.cpu import walker
from pokerlab.engine.walker import Storage, as_storage
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, PostflopSolver
from pokerlab.solvers import (
    CfrSolver,
    LocalRule,
    PassedUpValue,
    Step,
    Strategy,
    best_response,
    exploitability,
    reach,
    solve_lp,
    values,
)
from pokerlab.trees import GameTree

Floats: TypeAlias = npt.NDArray[np.float64]
Slots: TypeAlias = npt.NDArray[np.signedinteger[Any]]

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
    "turn, many sizes": Spot(
        "QhJh2c4d",
        "AsAd:0.83, 9h8h",
        "JsJd:0.37, AhKh:0.72",
        pot=20,
        stack=200,
        bet="turn: 40%, 80%, a; river: 50%, 90%, a",
        raise_="turn: 50%, a; river:",
        max_bets=2,
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
        bet="flop:; turn: a; river: 50%",
        raise_="",
        rake=0.03,
        rake_cap=2,
    ),
}

RIVERS = [name for name in SPOTS if name.startswith("river")]

RULES = [
    "cfr",
    "cfr-return",
    "cfr+",
    "linear",
    "dcfr",
    "dcfr(1.4,0.5,3,0.1)",
    "pcfr+",
    "cgh(0.2)",
    "cgh(0.2,2)",
    "cgh-return(0.2)",
    "fp",
    "fp-naive",
]
STEADY = ["cfr", "cfr-return", "linear", "dcfr", "dcfr(1.5,0.25,3)"]
"""Rules that forget no regret: a tie between actions, which rounding decides, stays rare."""


@cache
def explicit_tree(name: str) -> GameTree:
    tree = GameTree.build(SpotGame(SPOTS[name]))
    assert len(tree) < 300_000
    return tree


def suit_maps(spot: Spot) -> list[list[int]]:
    """What the suit permutations that keep board and ranges make of each card."""
    found = []
    for suits in permutations(range(4)):
        image = [4 * (card // 4) + suits[card % 4] for card in range(52)]
        combos = [combo_index(image[high], image[low]) for high, low in COMBO_CARDS.tolist()]
        if {image[card] for card in spot.board} == set(spot.board) and all(
            np.array_equal(hands.weights[combos], hands.weights) for hands in spot.ranges
        ):
            found.append(image)
    return found


class Places:
    """Where the numbers of each slot of an explicit tree stand in the storage of a solver.

    A board that is not stored, because of isomorphism, is carried to one that is, and the hand
    with it.
    """

    def __init__(self, solver: PostflopSolver, tree: GameTree) -> None:
        spot, boards, infosets = solver.spot, solver.boards, tree.infosets
        self.infosets = infosets
        found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        self.weights = np.zeros(infosets.slots)
        """The weight of the hand of each slot in its range."""
        self.chance = np.zeros(infosets.slots)
        """The chance of the cards that have come, given both hands."""
        known = len(spot.board)
        stored = [
            {tuple(cards[known:]): number for number, cards in enumerate(level.tolist())}
            for level in boards.cards
        ]
        maps = suit_maps(spot)
        find = cache(spot.find)
        orders: dict[tuple[int, int, int], dict[int, int]] = {}
        for number, name in enumerate(infosets.names):
            combo, line = split_name(name)
            place = find(line)
            level, player = place.level, int(infosets.player[number])
            image, board = next(
                (image, stored[level][cards])
                for image in maps
                if (cards := tuple(image[card] for card in place.cards)) in stored[level]
            )
            hands = boards.tables[level].hands[player]
            first, last = hands.first[board], hands.first[board + 1]
            if (level, player, board) not in orders:
                order = hands.order[first:last].tolist()
                combos = boards.combos[player].tolist()
                orders[level, player, board] = {
                    combos[hand]: entry for entry, hand in enumerate(order) if hand < len(combos)
                }
            high, low = COMBO_CARDS[combo].tolist()
            entry = orders[level, player, board][combo_index(image[high], image[low])]
            slot = int(solver.layout.at(level, player).slot[place.node])
            start = int(solver.storage[level].first[player][board])
            slots, indices = found.setdefault((level, player), ([], []))
            for action in range(infosets.n_actions[number]):
                slots.append(int(infosets.offset[number]) + action)
                indices.append(start + (slot + action) * int(last - first) + entry)
            these = slice(infosets.offset[number], infosets.offset[number + 1])
            self.weights[these] = spot.ranges[player].weights[combo]
            self.chance[these] = np.prod([1 / (48 - known - each) for each in range(level)])
        self.found = {
            key: (np.array(slots), np.array(indices)) for key, (slots, indices) in found.items()
        }

    def read(self, solver: PostflopSolver, field: str) -> Floats:
        """The stored numbers of all slots."""
        return self.read_storage(solver.storage, field)

    def read_storage(self, storage: Storage, field: str) -> Floats:
        """The numbers of all slots in any storage."""
        numbers = np.zeros(self.infosets.slots)
        for (level, player), (slots, indices) in self.found.items():
            array = getattr(storage[level], field)[player]
            array = array.view(np.float16) if array.dtype == np.uint16 else array
            numbers[slots] = array[indices]
        return numbers

    def write(self, solver: PostflopSolver, field: str, numbers: Floats) -> None:
        """Overwrite the stored numbers of all slots."""
        for (level, player), (slots, indices) in self.found.items():
            getattr(solver.storage[level], field)[player][indices] = numbers[slots]

    def current(self, solver: PostflopSolver) -> Strategy:
        """What is played now."""
        weights = np.maximum(self.read(solver, "strategy_weights"), 0)
        return Strategy.from_weights(self.infosets, weights)

    def answer(self, solver: PostflopSolver) -> Strategy:
        """The average if the rule has one."""
        if not solver.rule.averages:
            return self.current(solver)
        return Strategy.from_weights(self.infosets, self.read(solver, "sums"))


@cache
def places(name: str, isomorphism: bool = True) -> Places:
    solver = PostflopSolver(SPOTS[name], "cfr", precision=64, isomorphism=isomorphism)
    return Places(solver, explicit_tree(name))


@cache
def slots_by_depth(name: str) -> list[tuple[Slots, Slots]]:
    """Slots and the player's own slots before them (−1: none), first decisions first."""
    infosets = explicit_tree(name).infosets
    parent = infosets.parent[infosets.slot_infoset]
    depth = np.zeros(infosets.slots + 1, int)
    depth[-1] = -1  # what comes before the first decisions
    found: list[tuple[Slots, Slots]] = []
    while len(found) <= depth.max():
        depth[:-1] = depth[parent] + 1
        here = np.flatnonzero(depth[:-1] == len(found))
        found.append((here, parent[here]))
    return found


def own_reach(name: str, strategy: Floats) -> Floats:
    """For each slot, the product of the player's own probabilities on the way to it."""
    reach = np.ones(len(strategy) + 1)
    for slots, before in slots_by_depth(name):
        reach[slots] = reach[before] * strategy[slots]
    return reach[:-1]


@pytest.mark.parametrize("rule", STEADY)
@pytest.mark.parametrize("name", RIVERS)
def test_strategies_on_the_river_are_those_of_the_laboratory(name: str, rule: str) -> None:
    tree, where = explicit_tree(name), places(name)
    engine = PostflopSolver(SPOTS[name], rule, precision=64)
    laboratory = CfrSolver(tree, rule, alternating=True)
    for more in (1, 1, 3, 15):
        engine.iterate(more)
        laboratory.iterate(more)
        found, expected = where.current(engine).array, laboratory.current().array
        np.testing.assert_allclose(found, expected, atol=1e-9)


class Snapshot(NamedTuple):
    """What a solver has learned, by slot, in the laboratory's units."""

    strategy: Floats
    regret: Floats
    sums: Floats
    reach: Floats
    """What the opponent meets: the own reach of the strategy, or of the average."""


@cache
def all_deals(name: str) -> float:
    """The sum over all pairs of hands of the product of their weights."""
    first, second = (hands.weights for hands in SPOTS[name].ranges)
    return float(first @ (SpotGame(SPOTS[name]).chance_of_pair > 0) @ second)


def snapshot(name: str, engine: PostflopSolver) -> Snapshot:
    where, rule = places(name), engine.rule
    # The laboratory weighs the values of a hand by its own weight and by the chance of the cards,
    # the engine does not. With sums of strategies the hand's weight is the other way round.
    scale = where.weights * where.chance / (all_deals(name) * engine._walker.unit)
    strategy = where.current(engine).array
    regret = where.read(engine, "regret" if rule.at(1).prediction else "strategy_weights")
    if rule.at(1).trial:
        regret = second_numbers(regret)
    regret *= scale
    sums = where.read(engine, "sums") / where.weights if rule.averages else np.zeros(len(regret))
    reach = own_reach(name, strategy)
    if rule.plays_against_average:
        reach = sums / (engine.iteration + 1)  # uniform play counts as one iteration
    return Snapshot(strategy, regret, sums, reach)


def compare_step(name: str, engine: PostflopSolver, laboratory: CfrSolver) -> None:
    """Run an iteration of the engine, and the same in the laboratory from where the engine was.

    On small ranges many actions are worth exactly the same, and rounding decides between them:
    the strategies of two correct programs drift apart. So the laboratory starts from what the
    engine has, and is asked about one player at a time.
    """
    tree, rule = explicit_tree(name), engine.rule
    before = snapshot(name, engine)
    engine.iterate(1)
    after = snapshot(name, engine)
    step = rule.at(engine.iteration)
    for hero in range(2):
        mine = tree.infosets.slot_player == hero
        faced = before if hero == 0 else Snapshot(*map(np.where, [~mine] * 4, after, before))
        laboratory.restore(
            {
                "iteration": np.array([engine.iteration - 1]),
                "regret": np.zeros(0) if rule.greedy else before.regret,
                "strategy": faced.strategy,
                "total": np.zeros_like(laboratory.state()["total"]),
                "reach": np.concatenate([faced.reach, np.ones(2)]),
            }
        )
        laboratory.iterate(1)
        expected = laboratory.current().array
        # What is played on trial, and the regret behind it, have half of the digits.
        close = 4e-6 if step.trial else 1e-9
        off = np.unique(tree.infosets.slot_infoset[mine & (abs(after.strategy - expected) > close)])
        if rule.greedy:
            action_values = laboratory._value
            for infoset in off:
                slots = np.arange(*tree.infosets.offset[[infoset, infoset + 1]])
                possible = hedge_ties(before.strategy[slots], action_values[slots], step)
                assert min(abs(after.strategy[slots] - each).max() for each in possible) < 1e-9
        else:
            regret = laboratory.state()["regret"]
            for infoset in off:  # only where no regret is more than rounding
                slots = np.arange(*tree.infosets.offset[[infoset, infoset + 1]])
                assert regret[slots].max() < 1e-10
            same = mine if rule.passes_up == PassedUpValue.OLD else mine & ~slots_above(tree, off)
            digits = 1e-6 if step.trial else 1e-7
            np.testing.assert_allclose(after.regret[same], regret[same], rtol=digits, atol=1e-10)
        if rule.averages:
            entering = after if hero == 0 or rule.plays_against_average else before
            keep = 1.0 if rule.plays_against_average else step.average
            sums = before.sums * keep + own_reach(name, entering.strategy)
            np.testing.assert_allclose(after.sums[mine], sums[mine], atol=1e-10)


def slots_above(tree: GameTree, infosets: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """The slots of all information sets from which a player comes to some of his own."""
    found = np.zeros(tree.infosets.slots, bool)
    for infoset in infosets:
        slot = tree.infosets.parent[infoset]
        while slot >= 0:
            above = tree.infosets.slot_infoset[slot]
            found[tree.infosets.offset[above] : tree.infosets.offset[above + 1]] = True
            slot = tree.infosets.parent[above]
    return found


def hedge_ties(strategy: Floats, action_values: Floats, step: Step) -> list[Floats]:
    """What a greedy rule may make of a strategy, whichever of equal actions is the best."""
    lower = np.maximum(0, (1 - step.greedy) * strategy - step.hedge / len(strategy))
    found = []
    for best in np.flatnonzero(action_values > action_values.max() - 1e-10):
        new = lower.copy()
        new[best] += 1 - lower.sum()
        found.append(new)
    return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name.startswith("flop") else [])
        for name in SPOTS
    ],
)
def test_an_iteration_is_one_of_the_laboratory(name: str, rule: str) -> None:
    engine = PostflopSolver(SPOTS[name], rule, precision=64)
    laboratory = CfrSolver(explicit_tree(name), rule, alternating=False)
    for skipped in (0, 0, 2) if name.startswith("flop") else (0, 0, 2, 14):
        engine.iterate(skipped)
        compare_step(name, engine, laboratory)


def in_bits(names: Iterable[str], *precisions: int) -> list[Any]:
    """Spots and precisions; 16 bits are slow but for turns: others have kernels of their own."""

    def slow(name: str, bits: int) -> bool:
        largest = name == "flop, one suit" or (name, bits) == ("flop", 64)
        return largest or (bits == 16 and len(SPOTS[name].board) != 4)

    return [
        pytest.param(name, bits, marks=[pytest.mark.slow] if slow(name, bits) else [])
        for bits in precisions
        for name in names
    ]


@pytest.mark.parametrize(("name", "precision"), in_bits(SPOTS, 64, 32, 16))
def test_values_and_exploitability_are_those_of_the_explicit_tree(
    name: str, precision: int
) -> None:
    close = 1e-9 if precision == 64 else 1e-3
    tree, where, spot = explicit_tree(name), places(name), SPOTS[name]
    solver = PostflopSolver(spot, precision=precision)
    for more in (0, 1, 2, 30):
        solver.iterate(more)
        average = where.answer(solver)
        assert solver.exploitability() == pytest.approx(exploitability(tree, average), abs=close)
        expected = values(tree, average) + spot.pot / 2
        np.testing.assert_allclose(solver.values(), expected, atol=close)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game that can be written out is too large for one batch; so make batches small."""
    monkeypatch.setattr(walker, "CPU_SHAPE", replace(walker.CPU_SHAPE, batch_bytes=0))


def test_many_sizes_take_several_batches() -> None:
    """The spot is there for its rivers, whose leaves do not fit into one batch."""
    solver = PostflopSolver(SPOTS["turn, many sizes"], precision=64)
    assert len(solver._walker.streets[1].programs[0].batches) > 1


@pytest.mark.parametrize(
    ("name", "precision"), in_bits(["river", "turn", "flop, one suit"], 32, 16)
)
@pytest.mark.parametrize("saved", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_certificate_is_exact(name: str, precision: int, saved: bool) -> None:
    """Of the probabilities that are saved, and of the sums that they come from."""
    tree, where, spot = explicit_tree(name), places(name), SPOTS[name]
    solver = PostflopSolver(spot, precision=precision)
    solver.iterate(20)
    averages = as_storage(solver.layout, solver.shares()) if saved else None
    numbers = where.read_storage(averages or solver.storage, "sums")
    average = Strategy.from_weights(where.infosets, numbers)
    found_values, found_best, *_ = solver.certify(averages)
    best = [best_response(tree, average, player).value for player in range(2)]
    np.testing.assert_allclose(found_values, values(tree, average) + spot.pot / 2, atol=1e-9)
    np.testing.assert_allclose(found_best, np.array(best) + spot.pot / 2, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["turn, one suit", pytest.param("flop, one suit", marks=pytest.mark.slow)]
)
def test_isomorphism_keeps_the_value_of_strategies(name: str) -> None:
    merged = PostflopSolver(SPOTS[name], precision=64)
    merged.iterate(7)
    apart = PostflopSolver(SPOTS[name], precision=64, isomorphism=False)
    assert apart.nbytes > 1.5 * merged.nbytes
    assert len(apart.boards.cards[-1]) > 1.5 * len(merged.boards.cards[-1])
    sums = places(name).read(merged, "sums")
    places(name, isomorphism=False).write(apart, "sums", sums)
    np.testing.assert_allclose(apart.values(), merged.values(), atol=1e-9)
    assert apart.exploitability() == pytest.approx(merged.exploitability(), abs=1e-9)


LARGER = {
    "one suit": Spot(
        "AhKh7h2h",
        "JJ:0.7, 98s:0.4, AQo, QTs:0.9",
        "66:0.8, QTo:0.3, AJs, T9s",
        pot=100,
        stack=150,
        bet="60%, a",
        raise_="a",
    ),
    "suits that differ": Spot(
        "QhJh2c",
        "AA:0.83, KQs:0.37, ThTd, 98s:0.61",
        "JJ:0.47, AK:0.71, 55:0.29, Th9h",
        pot=100,
        stack=130,
        bet="flop: 50%; turn: a; river: a",
        raise_="",
    ),
    "one suit on the flop": Spot(
        "AhKh7h",
        "JJ:0.7, 98s:0.4",
        "66:0.8, QTo:0.3",
        pot=100,
        stack=150,
        bet="flop: 40%; turn: 60%; river: a",
        raise_="",
        rake=0.03,
    ),
}


@pytest.mark.parametrize("name", LARGER)
@pytest.mark.parametrize("rule", ["cfr", "dcfr"])
def test_isomorphism_changes_no_result(name: str, rule: str) -> None:
    solvers = [
        PostflopSolver(LARGER[name], rule, precision=64, isomorphism=merge)
        for merge in (True, False)
    ]
    for _ in range(3):
        for solver in solvers:
            solver.iterate(1)
        merged, apart = solvers
        np.testing.assert_allclose(merged.values(), apart.values(), atol=1e-9)
        assert merged.exploitability() == pytest.approx(apart.exploitability(), abs=1e-9)


def learned(solver: PostflopSolver) -> dict[str, npt.NDArray[np.generic]]:
    """All that is stored, without the padding."""
    real = {}
    for level, (street, tables) in enumerate(
        zip(solver.storage, solver.boards.tables, strict=True)
    ):
        for player, hands in enumerate(tables.hands):
            masks = []
            for number, (first, last) in enumerate(pairwise(street.first[player])):
                order = hands.order[hands.first[number] : hands.first[number + 1]]
                known = order < len(solver.boards.combos[player])
                masks.append(np.tile(known, (last - first) // max(len(known), 1)))
            real[f"{level}.{player}"] = np.concatenate(masks)
    return {
        name: array[real[name.split(".", 1)[1]]]
        for name, array in solver.state().items()
        if "." in name
    }


@pytest.mark.parametrize("precision", [32, pytest.param(16, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["one suit", "suits that differ"])
def test_the_number_of_threads_changes_nothing(
    name: str, precision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Helpers for the least of work, too.
    monkeypatch.setattr(walker, "_HELPER_NUMBERS", 1)
    solvers = [
        PostflopSolver(LARGER[name], precision=precision, threads=threads) for threads in (1, 2, 16)
    ]
    for solver in solvers:
        solver.iterate(4)
    first, *others = solvers
    for other in others:
        assert other.values() == first.values()
        assert other.exploitability() == first.exploitability()
        for array, expected in zip(learned(other).values(), learned(first).values(), strict=True):
            np.testing.assert_array_equal(array, expected)
        for shares, wanted in zip(other.probabilities(), first.probabilities(), strict=True):
            for player in range(2):
                np.testing.assert_array_equal(shares[player], wanted[player])


def test_the_value_of_linear_programming() -> None:
    name = "river"
    spot, exact = SPOTS[name], solve_lp(explicit_tree(name))
    for precision, iterations in ((64, 1000), (32, 1000), (16, 1000)):
        solver = PostflopSolver(spot, precision=precision)
        solver.iterate(iterations)
        gap = 2 * solver.exploitability()
        assert gap < 2e-3 * spot.pot
        expected = np.array(exact.values) + spot.pot / 2
        assert abs(np.array(solver.values()) - expected).max() <= gap + 1e-4


@pytest.mark.parametrize("rule", ["cfr", "dcfr(1.5,0.25,3)", DEFAULT_RULE])
def test_sums_of_16_bits_do_not_stand_still(rule: str) -> None:
    """What an iteration adds late is less than half of a last bit: it must not be lost."""
    spot = SPOTS["river"]
    solver = PostflopSolver(spot, rule, precision=16)
    solver.iterate(500)
    early = solver.exploitability() / spot.pot
    solver.iterate(2500)
    late = solver.exploitability() / spot.pot
    assert late < max(early, 5e-4)  # rounded to the nearest: from 4e-3 to 1e-2 late


@pytest.mark.slow
def test_a_long_solve_in_16_bits_stays_as_good_as_it_was() -> None:
    oop = "22-JJ, A2s-AJs, K8s-KJs, Q9s+, J9s+, T8s+, 97s+, 87s, 76s, 65s, A9o-AJo, KTo+, QJo"
    ip = "77+, ATs+, KTs+, QJs, JTs, T9s, 98s, AJo+, KQo"
    spot = Spot("8h6h5cKh", oop, ip, pot=100, stack=350, bet="50%, a")
    solver = PostflopSolver(spot, precision=16)
    solver.iterate(50)
    best = solver.exploitability()
    while solver.iteration < 2000:
        solver.iterate(solver.iteration // 10)
        now = solver.exploitability()
        assert now < 2 * best
        best = min(best, now)
    assert best < 5e-5 * spot.pot  # rounded to the nearest: 2e-4 at best, and ten times that now


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name.startswith("flop") else [])
        for name, spot in SPOTS.items()
        if spot.rake
    ],
)
def test_the_house_takes_what_is_missing(name: str) -> None:
    tree, spot = explicit_tree(name), SPOTS[name]
    solver = PostflopSolver(spot, precision=64)
    solver.iterate(10)
    arrival = reach(tree, places(name).answer(solver))[tree.terminals]
    rake = -tree.payoffs.sum(axis=1)
    assert rake.min() > 0 and rake.max() <= (spot.rake_cap or spot.rake * 1000)
    assert spot.pot - sum(solver.values()) == pytest.approx(arrival @ rake, abs=1e-9)


@pytest.mark.parametrize("rule", ["dcfr", "pcfr+", "cgh", "fp"])
@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6h2s", "Td9d6h2sAs"])
def test_without_chips_behind_the_values_are_the_equities(board: str, rule: str) -> None:
    oop, ip = "66+, A8s+, KQo:0.5", "QQ-22:0.7, AQs-A2s, ATo+, T7s+"
    spot = Spot(board, oop, ip, pot=100, stack=0)
    solver = PostflopSolver(spot, rule, precision=64)
    solver.iterate(2)
    expected = 100 * np.array(equity(oop, ip, board=board).values)
    np.testing.assert_allclose(solver.values(), expected, atol=1e-9)
    assert solver.exploitability() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("board", ["QhJh2c", "QhJh2c4d"])
@pytest.mark.parametrize("rule", ["dcfr", "cgh"])
def test_a_tree_that_ends_before_the_next_street(board: str, rule: str) -> None:
    removed = ["x", "a/c"]
    spot = Spot(board, "AA", "KK", pot=100, stack=100, bet="a", raise_="", removed=removed)
    solver = PostflopSolver(spot, rule, precision=64)
    solver.iterate(2)
    np.testing.assert_allclose(solver.values(), [100, 0], atol=1e-9)
    assert solver.exploitability() == pytest.approx(0, abs=1e-9)


def test_a_saved_state_goes_on_as_if_nothing_had_happened() -> None:
    spot = SPOTS["turn"]
    trials = "dcfr(1.4,0.5,3,0.1)"
    for rule, precision in (("pcfr+", 64), (trials, 32), ("fp", 64), (trials, 16)):
        solver = PostflopSolver(spot, rule, precision=precision)
        solver.iterate(3)
        saved = {name: array.copy() for name, array in solver.state().items()}
        solver.iterate(4)
        other = PostflopSolver(spot, rule, precision=precision)
        assert other.identity == solver.identity
        other.restore(saved)
        other.iterate(4)
        assert other.iteration == solver.iteration == 7
        for array, expected in zip(learned(other).values(), learned(solver).values(), strict=True):
            np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_a_new_solver_has_its_kernels_and_has_not_walked(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: set[tuple[str, tuple[Any, ...]]] = set()

    def listen(kernel: str) -> None:
        function = getattr(walker, kernel)

        def run(*arguments: Any) -> None:
            called.add((kernel, tuple(map(typeof, arguments))))
            function(*arguments)

        monkeypatch.setattr(walker, kernel, run)

    for kernel in ("walk_spot", "walk_boards", "walk_turns", "add_parts"):
        listen(kernel)
    solver = PostflopSolver(SPOTS[name])
    (used,) = solver._walker._free  # type: ignore[attr-defined]
    assert not any(values.any() for values in used.results)
    compiled = set(called)
    solver.iterate(1)
    solver.exploitability()
    assert any(values.any() for values in used.results)
    assert called == compiled


def test_memory() -> None:
    spot = SPOTS["turn"]
    used = {rule: PostflopSolver(spot, rule).nbytes for rule in ("dcfr", "pcfr+", "cgh")}
    assert used["pcfr+"] == 1.5 * used["dcfr"] == 3 * used["cgh"]
    assert PostflopSolver(spot, "dcfr", precision=16).nbytes == used["dcfr"] / 2
    # Three hands of each player fill sixteen places on the turn and on each of the 48 rivers.
    actions = [[street.actions_of(player) for player in range(2)] for street in spot.tree.streets]
    assert used["cgh"] == 4 * 16 * (sum(actions[0]) + 48 * sum(actions[1]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 8}, "precision: 8 is not a number of bits (16, 32 or 64)"),
        ({"threads": 10**6}, "threads: 1000000 is not a number of threads (1 to 1024)"),
        ({"threads": 1.5}, "threads: 1.5 is not a number of threads (1 to 1024)"),
        ({"device": 5}, "device: '5' is not auto, cpu or gpu"),
        ({"groups": 5}, "groups '5': it is no text; write "),
        ({"threads": 0}, "threads: 0 is not a number of threads (1 to 1024)"),
        ({"rule": "magic"}, "unknown rule 'magic'; known rules are cfr, "),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        PostflopSolver(SPOTS["river"], **options)
    assert str(caught.value).startswith(message)


@dataclass(frozen=True)
class Cubes(LocalRule):
    """Regret matching by third powers, which no coefficients say, whatever the scale of values."""

    name: ClassVar[str] = "cubes"

    @staticmethod
    def update(memory, strategy, values, reach, step):  # type: ignore[no-untyped-def]
        # In loops: Numba takes seconds to compile expressions of whole arrays.
        mean = largest = total = 0.0
        for action in range(len(values)):
            mean += strategy[action] * values[action]
        for action in range(len(values)):
            memory[0, action] += values[action] - mean
            largest = max(largest, abs(memory[0, action]))
        for action in range(len(values)):
            weight = 0.01 / step[0]  # a tie is not for rounding to decide
            if largest > 1e-11:
                weight += max(memory[0, action] / largest, 0.0) ** 3
            strategy[action] = weight
            total += weight
        for action in range(len(values)):
            strategy[action] /= total


@dataclass(frozen=True)
class Seen(LocalRule):
    """Plays uniformly and remembers what it was told."""

    name: ClassVar[str] = "seen"
    averages: ClassVar[bool] = False
    memory: ClassVar[int] = 2

    @staticmethod
    def update(memory, strategy, values, reach, step):  # type: ignore[no-untyped-def]
        for action in range(len(values)):
            memory[0, action] = values[action]
            memory[1, action] = reach


@pytest.mark.parametrize(
    "name", ["river", "turn", "turn, one suit", pytest.param("flop", marks=pytest.mark.slow)]
)
def test_an_update_of_its_own_is_that_of_the_laboratory(name: str) -> None:
    tree, where = explicit_tree(name), places(name)
    engine = PostflopSolver(SPOTS[name], Cubes(), precision=64)
    laboratory = CfrSolver(tree, Cubes())
    for more in (1, 1, 3)[: 2 if name == "flop" else 3]:
        engine.iterate(more)
        laboratory.iterate(more)
        np.testing.assert_allclose(
            where.current(engine).array, laboratory.current().array, atol=1e-9
        )
        np.testing.assert_allclose(
            where.answer(engine).array, laboratory.strategy().array, atol=1e-9
        )


def test_an_update_is_told_values_in_chips_and_the_own_reach() -> None:
    name = "turn"
    tree, where = explicit_tree(name), places(name)
    engine, laboratory = PostflopSolver(SPOTS[name], Seen(), precision=64), CfrSolver(tree, Seen())
    engine.iterate(1)
    laboratory.iterate(1)
    stored = tuple(
        street._replace(
            sums=tuple(array[: len(array) // 2] for array in street.regret),
            strategy_weights=tuple(array[len(array) // 2 :] for array in street.regret),
        )
        for street in engine.storage
    )
    values, reach = laboratory.state()["regret"].reshape(2, -1)
    np.testing.assert_allclose(where.read_storage(stored, "strategy_weights"), reach, atol=1e-12)
    opposing = np.array([hands.weights.sum() for hands in SPOTS[name].ranges[::-1]])
    scale = where.weights * where.chance * opposing[tree.infosets.slot_player] / all_deals(name)
    np.testing.assert_allclose(where.read_storage(stored, "sums") * scale, values, atol=1e-9)


def test_a_spot_is_solved_by_an_update_of_its_own() -> None:
    spot = SPOTS["river"]
    solution = solve_spot(spot, Cubes(), target="10%", iterations=500, threads=1)
    assert solution.exploitability.percent <= 10
    assert solution.rule == "cubes"
    solver = PostflopSolver(spot, Cubes())
    solver.iterate(5)
    again = pickle.loads(pickle.dumps(solver))
    for each in (solver, again):
        each.iterate(5)
    assert again.exploitability() == solver.exploitability()
    for options, what in (
        ({"precision": 16}, "precision 16"),
        ({"groups": "view/river"}, "groups"),
        ({"device": "gpu"}, "device gpu"),
        ({"locks": {"": {"x": 1}}}, "locks does not work with rule cubes"),
        ({"start": solution, "target": "1%"}, "start: rule cubes has an update of its own"),
    ):
        with pytest.raises(ValueError, match=what):
            solve_spot(spot, Cubes(), **options)
