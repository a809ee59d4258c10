"""Spots that are walked together on a GPU: each must learn what it learns alone.

The kernels run on the processor by emulation (with ``POKERLAB_GPU=1`` on a GPU) and are compared
with the processor's engine, which solves the spots one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.engine.gpu.test_walker import FLOP, RIVER, TURN, machine
from tests.runtime.gpu.emulation import EmulatedMachine

from pokerlab.engine.gpu.joined_walker import JoinedWalker, WalkedGame
from pokerlab.engine.gpu.level import Tuning
from pokerlab.engine.locks import parse_locks
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.holdem.spots import (
    PostflopSolver,
    Spot,
    solve_each,
    solve_spot,
    solve_together,
    together,
)
from pokerlab.holdem.spots.joined import COARSE, JoinedSolver
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.runtime.gpu.machine import Kernel, Machine, Options
from pokerlab.solvers.loop import Run
from pokerlab.solvers.rules import Rule, parse_rule

__all__ = ["machine"]

KINDS = "strategy_weights", "sums"


class Together:
    """The same storage on the processor, spot by spot, and on the GPU in one piece.

    Regrets are larger alone, where a spot counts values in a larger unit.
    """

    def __init__(
        self,
        machine: Machine,
        spots: Sequence[Spot],
        tuning: Tuning | None = None,
        **options: Any,
    ) -> None:
        # Random numbers are no state of a rule that tries actions: it keeps two numbers in one.
        rule = "dcfr(1.5,0.25,3)"
        self.alone = [PostflopSolver(spot, rule, threads=1, **options) for spot in spots]
        games = [
            WalkedGame(each.spot, each.boards, each.prepared.placed_locks, each.groups)
            for each in self.alone
        ]
        self.card = JoinedWalker(machine, games, np.float32, tuning)
        layout = StrategyLayout.join([each.layout for each in self.alone])
        self.storage = self.card.make_storage(layout, np.float32, regrets=False, sums=True)
        rng = np.random.default_rng(1)
        for level, stored in enumerate(self.storage):
            for kind in KINDS:
                for player, array in enumerate(getattr(stored, kind)):
                    parts = []
                    for each in self.alone:
                        own = getattr(each.storage[level], kind)[player]
                        own[:] = rng.normal(size=own.size)
                        if kind == "sums":
                            np.abs(own, out=own)
                        parts.append(own * self._scale(each, kind))
                    self.card.write(array, np.concatenate(parts))

    def _scale(self, solver: PostflopSolver, kind: str) -> float:
        return self.card.unit / solver._walker.unit if kind == "strategy_weights" else 1.0

    def iterate(self) -> None:
        rule = self.alone[0].rule
        self.card.iterate(self.storage, rule, 5, 1)
        for each in self.alone:
            each._walker.iterate(each.storage, rule, 5, 1)

    def assert_equal(self) -> None:
        for level, stored in enumerate(self.storage):
            for kind in KINDS:
                for player, array in enumerate(getattr(stored, kind)):
                    first, numbers = 0, self.card.read(array)
                    for each in self.alone:
                        expected = getattr(each.storage[level], kind)[player]
                        found = numbers[first : first + len(expected)] / self._scale(each, kind)
                        first += len(expected)
                        known = stored_hands(each, level, player)
                        largest = float(np.abs(expected[known]).max())
                        assert largest > 0
                        np.testing.assert_allclose(
                            found[known], expected[known], rtol=0, atol=1e-5 * largest
                        )
                    assert first == len(numbers)


def stored_hands(solver: PostflopSolver, level: int, player: int) -> npt.NDArray[np.bool_]:
    """Which numbers of a street belong to hands, or to groups of them; padding may differ."""
    layout = solver.layout.at(level, player)
    hands = solver.boards.tables[level].hands[player]
    real = hands.order < len(solver.boards.combos[player])
    found = []
    for board, (first, last) in enumerate(zip(hands.first[:-1], hands.first[1:], strict=True)):
        row = np.zeros(int(layout.rows[board]), bool)
        row[layout.by_hand(np.arange(len(row)), board)[real[first:last]]] = True
        found.append(np.tile(row, layout.slots))
    return np.concatenate(found)


LOCKS = {
    "": {"x": "30%", "a": "20%"},
    "x": {"x": "QQ, AJs:0.5", "a": "AJs:0.5", "weight": 0.6},
}
RIVERS = [
    RIVER,
    replace(
        RIVER, board="9h8s2c4d7h", oop="AA, KQs", ip="QQ, AJs, 99, T9s:0.3, 22-44", locks=LOCKS
    ),
    replace(RIVER, board="AsAd7d6d2h"),
]


def test_rivers_learn_what_they_learn_alone(machine: Machine) -> None:
    joined = Together(machine, RIVERS, tuning=COARSE)
    joined.iterate()
    joined.assert_equal()


def test_turns_learn_what_they_learn_alone(machine: Machine) -> None:
    """Blocks walk several rivers at once, also the last of one turn with the first of the next."""
    first = replace(TURN, board="KsQs7s4s", oop="AA, 88, 76s:0.2", ip="QQ, AJs, 99")
    joined = Together(machine, [first, TURN])
    assert len(joined.alone[0].boards.cards[1]) % 4
    joined.iterate()
    joined.assert_equal()
    for hero in range(2):
        below = joined.card.values_below_each(joined.storage, hero, 0)
        for each, found in zip(joined.alone, below, strict=True):
            expected = each._walker.values_below(each.storage, hero, 0)
            assert found.shape == expected.shape
            largest = float(np.abs(expected).max())
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * largest)


@pytest.mark.slow
def test_flops_learn_what_they_learn_alone(machine: Machine) -> None:
    joined = Together(machine, [FLOP, replace(FLOP, board="KsQsJs", oop="88:0.5, 65s")])
    joined.iterate()
    joined.assert_equal()


def test_groups_of_each_spot_share_what_they_learn(machine: Machine) -> None:
    joined = Together(machine, RIVERS[::2], groups="strength")
    joined.iterate()
    joined.assert_equal()


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
    """The emulated card is the one that solves find, unless there is a real one."""
    if isinstance(machine, EmulatedMachine):
        monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", EmulatedMachine)


@pytest.mark.usefixtures("card")
@pytest.mark.slow
def test_each_spot_gets_its_own_certificate() -> None:
    found = solve_together(RIVERS, target="2%", device="gpu")
    assert len({solution.iterations for solution in found}) == 1
    reached = []
    for spot, solution in zip(RIVERS, found, strict=True):
        assert solution.spot == spot
        assert solution.stopped == "target"
        assert solution.exploitability.percent <= 2
        measured = [point.exploitability for point in solution.history]
        assert measured[-1] == pytest.approx(solution.exploitability.chips, rel=0.05)
        reached.append(next(n for n, chips in enumerate(measured) if chips <= 2))
        # The certificate is that of the strategies: the processor comes to the same.
        certified = PostflopSolver(spot, precision=64, threads=1).certify(solution.storage)
        assert solution.values == pytest.approx(certified.values, rel=1e-12)
        assert solution.best_values == pytest.approx(certified.best_values, rel=1e-12)
        alone = solve_spot(spot, target="2%", device="cpu")
        assert solution.values == pytest.approx(alone.values, abs=2)
    # The last spot that reaches the target ends the run, those before it go on until then.
    assert max(reached) == len(found[0].history) - 1 > min(reached)


@pytest.mark.slow
@pytest.mark.usefixtures("card")
def test_soft_locks_are_in_what_a_rule_without_averages_saves() -> None:
    # Of the first spot, equal actions are chosen between by rounding.
    _, found = solve_together(RIVERS[:2], "cgh", iterations=20, device="gpu")
    alone = solve_spot(RIVERS[1], "cgh", iterations=20, device="cpu", threads=1)
    assert found.values == pytest.approx(alone.values, abs=1e-3)
    first, second = found.at("x"), alone.at("x")
    here = second.weights[1] > 0
    np.testing.assert_allclose(first.strategy[:, here], second.strategy[:, here], atol=2e-3)
    (lock,) = (lock for lock in parse_locks(RIVERS[1], found.locks) if lock.line == "x")
    here &= lock.shares[0] >= 0
    least = lock.weight * lock.shares[:, here]
    assert (first.strategy[:, here] >= least - 1e-3).all() and least.max() > 0.5


OPTIONS = together._Options(
    parse_rule("dcfr"), "1%", None, None, 1, 32, True, None, None, None, True, None, 0.0
)


def launched(spots: Sequence[Spot], room: int = 1 << 40) -> list[list[int]]:
    return [launch.numbers for launch in together._launches(spots, OPTIONS, room)]


def test_spots_of_one_tree_are_launched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    raked, deep = replace(RIVER, rake=0.04), replace(RIVER, stack=500)
    spots = [RIVERS[0], raked, RIVERS[1], deep, RIVERS[2]]
    assert launched(spots) == [[0, 2, 4], [1], [3]]
    size = OPTIONS.prepare(RIVER).size
    both = OPTIONS.needs(OPTIONS.prepare(RIVER), size.with_other(size)).nbytes
    assert launched([RIVER] * 5, room=both) == [[0, 1], [2, 3], [4]]
    assert launched([RIVER] * 3, room=1) == [[0], [1], [2]]  # it is refused when it begins
    monkeypatch.setattr(together, "_ENOUGH", 3 * size.entries)
    assert launched([RIVER] * 4) == [[0, 1, 2], [3]]


class SpotOnly:
    """In place of `JoinedSolver`: it is done after an iteration, and its solutions are spots."""

    def __init__(
        self, machine: Machine, spots: Sequence[PreparedSpot], rule: Rule, *, precision: int
    ) -> None:
        self.spots, self.iteration = spots, 0

    def iterate(self, iterations: int) -> None:
        self.iteration += iterations

    def exploitability(self) -> float:
        return 0.0

    def solutions(self, result: Run, target: float, streets: int | None) -> Iterator[Spot]:
        return iter([each.spot for each in self.spots])


@pytest.mark.usefixtures("card")
def test_solutions_find_their_spots_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.holdem.spots.joined.JoinedSolver", SpotOnly)
    first, second = (OPTIONS.prepare(spot).size for spot in RIVERS[:2])
    monkeypatch.setattr(together, "_ENOUGH", first.entries + second.entries)
    deep = [replace(RIVER, stack=500), replace(RIVERS[2], stack=500)]
    spots = [RIVERS[0], deep[0], *RIVERS[1:], deep[1]]
    assert solve_together(spots, device="gpu") == spots
    stop = Event()
    found = []
    for number, _ in solve_each(spots, device="gpu", stop=stop):
        found.append(number)
        stop.set()
    assert found == [0, 2]  # no other launch is begun


class OneStands(SpotOnly):
    """The first spot stands still; the second has reached the target, and the third still falls."""

    def exploitability(self) -> float:
        return 50.0

    def solutions(self, result: Run, target: float, streets: int | None) -> Iterator[Any]:
        falling = [point._replace(exploitability=50 / point.iteration) for point in result.history]
        for stopped, history in [
            ("stalled", result.history),
            ("target", falling),
            ("stalled", falling),
        ]:
            yield SimpleNamespace(stopped=stopped, history=history)


@pytest.mark.usefixtures("card")
def test_a_spot_that_stands_still_does_not_end_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.holdem.spots.joined.JoinedSolver", OneStands)
    found = dict(solve_each(RIVERS, target="2%", device="gpu"))
    assert [found[number].stopped for number in range(3)] == ["stalled", "target", "target"]
    assert found[2].spot == RIVERS[2]


class CountingMachine(EmulatedMachine):
    """Counts what is allocated, and runs nothing."""

    nbytes = 0

    def array(self, numbers: npt.NDArray[Any]) -> Any:
        self.nbytes += numbers.nbytes
        return super().array(numbers)

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        found = super().zeros(shape, dtype)
        self.nbytes += found.nbytes
        return found

    def kernel(self, name: str, options: Options, threads: int, shared: int = 0) -> Kernel:
        return lambda grid, arguments: None


def test_memory_of_a_launch_is_counted_before() -> None:
    """Rows of a narrow range are as long as those of the wide one that it is walked with."""
    spot = Spot("Td9d6hQc", "22+, A2s+, KTs+", "22+, ATo+, KQo", pot=200, stack=900)
    spots = [OPTIONS.prepare(each) for each in (spot, replace(spot, board="7s5d2c3h", ip="AA"))]
    sizes = [each.size for each in spots]
    needs = OPTIONS.needs(spots[0], sizes[0].with_other(sizes[1]))
    machine = CountingMachine()
    JoinedSolver(machine, spots)
    assert needs.learning_bytes == pytest.approx(machine.nbytes, rel=0.15)


def test_without_a_card_spots_are_solved_one_by_one() -> None:
    found = list(solve_each(RIVERS, iterations=3, device="cpu"))
    assert [number for number, _ in found] == [0, 1, 2]
    assert [solution.spot for _, solution in found] == RIVERS
    stop = Event()
    few = []
    for number, _ in solve_each(RIVERS, iterations=3, device="cpu", stop=stop):
        few.append(number)
        stop.set()
    assert few == [0]
