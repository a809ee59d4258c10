"""The kernels of the GPU against the processor's engine.

They run on the processor by emulation; with ``POKERLAB_GPU=1`` the same tests run on a GPU.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.holdem.spots.two_numbers import second_numbers
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.engine.walker import Storage
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.runtime.gpu.machine import CudaMachine, Machine

RANGES = "AA:0.5, KQs, 88, 76s", "QQ, AJs, 99, T9s"
RIVER = Spot(
    "QhJh2c4d7h", *RANGES, pot=100, stack=400, bet="50%,a", raise_="a", rake=0.05, rake_cap=20
)
TURN = Spot("QhJh2c4d", *RANGES, pot=100, stack=150, bet="50%", raise_="a", donk="30%")
FLOP = Spot("AhKhQh", "88, 76s", "99, T9s", pot=100, stack=150, bet="a", raise_="a")

QUIET = Spot(
    "QhJh2c4d", *RANGES, pot=100, stack=150, bet="turn: 50%; river:", raise_="turn: a; river:"
)
"""Nobody can bet the river."""

COMPILED_APART = "cfr-return", "cgh-return", "fp-naive"
"""Rules with kernels of their own, which take a while to compile."""

KINDS = "strategy_weights", "regret", "sums"


@pytest.fixture(scope="module")
def machine() -> Machine:
    if os.environ.get("POKERLAB_GPU") == "1":
        return CudaMachine()
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    return EmulatedMachine()


class Pair:
    """The same storage on the processor and on the GPU.

    It is random, but for rules that predict or try: what they store depends on one another, and
    begins with some iterations.
    """

    def __init__(
        self,
        machine: Machine,
        spot: Spot,
        rule: str = "dcfr(1.5,0.25,3)",
        precision: int = 32,
        **options: Any,
    ) -> None:
        self.cpu = PostflopSolver(spot, rule, precision=precision, threads=1, **options)
        solver = self.cpu
        self.gpu = GpuWalker(
            machine,
            solver.spot,
            solver.boards,
            np.float32,
            solver.prepared.placed_locks,
            groups=solver.groups,
        )
        if solver._predicts or solver.rule.at(1).trial:
            solver.iterate(3)
        else:
            self._fill(precision)
        self.storage = self.on_gpu()

    def _fill(self, precision: int) -> None:
        rng = np.random.default_rng(1)
        for stored in self.cpu.storage:
            for kind in KINDS:
                for array in getattr(stored, kind):
                    if kind == "strategy_weights" and self.cpu.rule.greedy:
                        continue  # strategies: they begin uniform
                    numbers = 10 * rng.normal(size=array.size)
                    if kind == "sums":
                        numbers = abs(numbers)
                    array[:] = (
                        numbers.astype(np.float16).view(np.uint16) if precision == 16 else numbers
                    )

    def on_gpu(self) -> Storage:
        """A copy of what the processor has."""
        rule = self.cpu.rule
        kind = self.cpu.storage[0].strategy_weights[0].dtype
        predicts = rule.at(1).prediction != 0
        found = self.gpu.make_storage(self.cpu.layout, kind, regrets=predicts, sums=rule.averages)
        for mine, its in zip(self.cpu.storage, found, strict=True):
            for name in KINDS:
                for numbers, array in zip(getattr(mine, name), getattr(its, name), strict=True):
                    self.gpu.write(array, numbers)
        return found

    def iterate(self, iterations: int = 1) -> None:
        self.cpu._walker.iterate(self.cpu.storage, self.cpu.rule, 5, iterations)
        self.gpu.iterate(self.storage, self.cpu.rule, 5, iterations)

    def numbers(self, storage: Storage) -> dict[tuple[str, int, int], npt.NDArray[Any]]:
        """What is stored for hands that exist; padding may differ."""
        found = {}
        for level, stored in enumerate(storage):
            for kind in KINDS:
                for player, array in enumerate(getattr(stored, kind)):
                    if len(array) == 0:
                        continue
                    numbers = self.gpu.read(array)
                    if numbers.dtype == np.uint16:
                        numbers = numbers.view(np.float16).astype(np.float32)
                    found[kind, level, player] = numbers[self.real(level, player)]
        return found

    def real(self, level: int, player: int) -> npt.NDArray[np.bool_]:
        groups = self.cpu.groups
        if groups is not None:
            here = groups.at(level, player)
            slots = self.cpu.layout.at(level, player).slots
            counts = zip(here.counts, here.rows, strict=True)
            return np.concatenate([np.tile(np.arange(row) < n, slots) for n, row in counts])
        hands = self.cpu.boards.tables[level].hands[player]
        known = hands.order != self.cpu.boards.widths[player] - 1
        slots = self.cpu.layout.at(level, player).slots
        starts = zip(hands.first[:-1], hands.first[1:], strict=True)
        return np.concatenate([np.tile(known[first:last], slots) for first, last in starts])

    def assert_close(self, error: float) -> None:
        """Differences are at most this part of the largest number of an array."""
        expected, found = self.numbers(self.cpu.storage), self.numbers(self.storage)
        assert expected.keys() == found.keys()
        for key, numbers in expected.items():
            largest = float(np.abs(numbers).max())
            assert largest > 0
            np.testing.assert_allclose(
                found[key], numbers, rtol=0, atol=error * largest, err_msg=str(key)
            )


def assert_equal_values(
    expected: npt.NDArray[Any], found: npt.NDArray[Any], error: float = 2e-6
) -> None:
    largest = float(np.abs(expected).max())
    assert largest > 0
    np.testing.assert_allclose(found, expected[: len(found)], rtol=0, atol=error * largest)


@pytest.mark.parametrize(
    "spot",
    [
        pytest.param(RIVER, id="river"),
        pytest.param(TURN, id="turn", marks=pytest.mark.slow),
        pytest.param(FLOP, id="flop", marks=pytest.mark.slow),
        pytest.param(QUIET, id="river without bets", marks=pytest.mark.slow),
    ],
)
def test_an_iteration_learns_what_it_learns_on_the_processor(machine: Machine, spot: Spot) -> None:
    pair = Pair(machine, spot)
    pair.iterate()
    # Tensor cores cut off what they add up, so all-ins are a little off; so far 2.4e-6 was seen.
    pair.assert_close(5e-6 if machine.tensor_cores else 2e-6)


def test_a_street_without_bets_has_room_for_its_programs(machine: Machine) -> None:
    # What carries reach needs a second row, even where nobody has a choice.
    cpu = PostflopSolver(QUIET, threads=1)
    walker = GpuWalker(machine, QUIET, cpu.boards, np.float32)
    assert walker.kind == np.float32


def test_ranges_are_set_between_the_halves_of_an_iteration(machine: Machine) -> None:
    """As a game before the flop does it, whose classes arrive in other numbers each time."""
    pair = Pair(machine, RIVER)
    rng = np.random.default_rng(7)
    for hero in range(2):
        for player, before in enumerate(pair.cpu.boards.weights):
            weights = before * rng.random(len(before))
            pair.cpu._walker.set_range(player, weights)
            pair.gpu.set_range(player, weights)
        expected = pair.cpu._walker.learn(pair.cpu.storage, pair.cpu.rule, 3, hero).copy()
        found = pair.gpu.learn(pair.storage, pair.cpu.rule, 3, hero)
        assert_equal_values(expected, found)
    pair.assert_close(2e-6)


@pytest.mark.slow
def test_values_and_best_responses_are_those_of_the_processor(machine: Machine) -> None:
    pair = Pair(machine, TURN)
    for hero in range(2):
        for name in ("values", "best_values"):
            expected, found = (
                getattr(walker, name)(storage, hero, average=True)
                for walker, storage in (
                    (pair.cpu._walker, pair.cpu.storage),
                    (pair.gpu, pair.storage),
                )
            )
            assert_equal_values(expected, found)


@pytest.mark.slow
def test_the_certificate_is_computed_in_doubles_and_after_rake(machine: Machine) -> None:
    pair = Pair(machine, RIVER)
    exact = GpuWalker(machine, RIVER, pair.cpu.boards, np.float64)
    for hero in range(2):
        expected = pair.cpu._exact_walker.best_values(pair.cpu.storage, hero, average=True)
        found = exact.best_values(pair.storage, hero, average=True)
        assert_equal_values(expected, found, 1e-13)


def test_halves_are_rounded_as_on_the_processor(machine: Machine) -> None:
    pair = Pair(machine, RIVER, precision=16)
    pair.iterate()
    pair.assert_close(1e-3)


@pytest.mark.parametrize(
    "rule",
    [
        "cfr",
        "cfr+",
        "linear",
        "pcfr+",
        *(pytest.param(rule, marks=pytest.mark.slow) for rule in ("cgh", "fp", *COMPILED_APART)),
    ],
)
def test_rules_learn_what_they_learn_on_the_processor(machine: Machine, rule: str) -> None:
    pair = Pair(machine, RIVER, rule)
    pair.iterate(2)
    pair.assert_close(2e-6)


@pytest.mark.parametrize(
    ("groups", "precision"),
    [
        (None, 32),
        pytest.param(None, 16, marks=pytest.mark.slow),
        pytest.param("strength", 32, marks=pytest.mark.slow),
    ],
)
def test_actions_on_trial_on_the_card(machine: Machine, groups: str | None, precision: int) -> None:
    pair = Pair(machine, RIVER, "dcfr(1.4,0.5,3,0.1)", precision, groups=groups)
    pair.iterate(2)
    pair.assert_close(2e-3 if precision == 16 else 2e-6)  # a half that stands alone has nine bits
    kind = np.float16 if precision == 16 else np.float32
    played, regrets = (
        [each(array.view(kind)) for array in pair.cpu.storage[0].strategy_weights]
        for each in (np.array, second_numbers)
    )
    tried = [(first > 0) & (second < 0) for first, second in zip(played, regrets, strict=True)]
    assert np.concatenate(tried).sum() > 2
    for found, expected, where in zip(
        pair.storage[0].strategy_weights, regrets, tried, strict=True
    ):
        found = second_numbers(pair.gpu.read(found).view(kind))[where]
        expected = expected[where]
        close = 0.13 if precision == 16 else 1e-3
        np.testing.assert_allclose(found, expected, rtol=close, atol=2e-6 * abs(expected).max())


def test_locks_hold_on_the_card(machine: Machine) -> None:
    locks = {"": {"x": "30%", "a": "20%"}, "x": {"x": "QQ, AJs:0.5", "a": "AJs:0.5"}}
    pair = Pair(machine, RIVER, locks=locks)
    pair.iterate(2)
    pair.assert_close(2e-6)


SOFT = {
    "": {"x": "30%", "a": "20%", "weight": 0.6},
    "x": {"x": "QQ, AJs:0.5", "a": "AJs:0.5", "weight": 0.25},
    "b50": {"f": "QQ", "c": "AJs, 99"},
}


@pytest.mark.slow
@pytest.mark.parametrize("groups", [None, "strength"])
def test_soft_locks_mix_on_the_card(machine: Machine, groups: str | None) -> None:
    pair = Pair(machine, RIVER, locks=SOFT, groups=groups)
    pair.iterate(2)
    pair.assert_close(2e-6)
    for hero in range(2):
        for average in (False, True):
            for walk in ("values", "best_values"):
                expected, found = (
                    getattr(walker, walk)(storage, hero, average=average)
                    for walker, storage in (
                        (pair.cpu._walker, pair.cpu.storage),
                        (pair.gpu, pair.storage),
                    )
                )
                assert_equal_values(expected, found)
    for walker, storage in ((pair.cpu._walker, pair.cpu.storage), (pair.gpu, pair.storage)):
        walker.seed_regrets(storage, 40.0, 3.0)
    pair.assert_close(2e-5)


def test_groups_share_what_they_learn(machine: Machine) -> None:
    pair = Pair(machine, RIVER, groups="strength")
    pair.iterate(2)
    pair.assert_close(2e-6)
    for hero in range(2):
        expected, found = (
            walker.best_values(storage, hero, average=True, by_group=True)
            for walker, storage in (
                (pair.cpu._walker, pair.cpu.storage),
                (pair.gpu, pair.storage),
            )
        )
        assert_equal_values(expected, found)


def test_groups_weigh_the_hands_of_each_player(machine: Machine) -> None:
    """The same hands and groups for both players, but other weights."""
    ranges = "AA, KK, QQ, TT, 99", "AA:0.5, KK, QQ:0.1, TT, 99:0.2"
    spot = Spot("QhJh2c4d7h", *ranges, pot=100, stack=150, bet="60%", raise_="")
    pair = Pair(machine, spot, groups="percentile:2")
    pair.iterate(4)
    pair.assert_close(2e-6)


def test_probabilities_are_those_of_the_processor(machine: Machine) -> None:
    pair = Pair(machine, RIVER)
    expected, found = (
        walker.shares(storage, pair.cpu.layout, average=True)
        for walker, storage in (
            (pair.cpu._walker, pair.cpu.storage),
            (pair.gpu, pair.storage),
        )
    )
    for player in range(2):
        real = pair.real(0, player)
        mine, its = (
            pair.gpu.read(each[0][player]).view(np.float16)[real].astype(float)
            for each in (expected, found)
        )
        np.testing.assert_allclose(its, mine, rtol=0, atol=5e-4)


@pytest.mark.parametrize(
    ("spot", "heroes"),
    [
        pytest.param(TURN, (0, 1), id="turn"),
        pytest.param(FLOP, (1,), id="flop", marks=pytest.mark.slow),
    ],
)
def test_values_below_a_street_are_those_of_the_processor(
    machine: Machine, spot: Spot, heroes: tuple[int, ...]
) -> None:
    pair = Pair(machine, spot)
    for hero in heroes:
        expected, found = (
            walker.values_below(storage, hero, 0)
            for walker, storage in (
                (pair.cpu._walker, pair.cpu.storage),
                (pair.gpu, pair.storage),
            )
        )
        assert found.shape == expected.shape and found.dtype == expected.dtype
        assert_equal_values(expected, found)


def test_one_walk_gives_values_and_those_below(machine: Machine) -> None:
    pair = Pair(machine, TURN)
    for walker, storage in ((pair.cpu._walker, pair.cpu.storage), (pair.gpu, pair.storage)):
        rows, below = walker.values_and_below(storage, 1)
        assert rows.any() and below.any()
        np.testing.assert_array_equal(rows, walker.values(storage, 1, average=True))
        np.testing.assert_array_equal(below, walker.values_below(storage, 1, 0))


@pytest.mark.slow
def test_two_runs_give_the_same_bits(machine: Machine) -> None:
    pair = Pair(machine, TURN)
    again = pair.on_gpu()
    for storage in (pair.storage, again):
        pair.gpu.iterate(storage, pair.cpu.rule, 1, 2)
    first, second = pair.numbers(pair.storage), pair.numbers(again)
    for key, numbers in first.items():
        assert numbers.tobytes() == second[key].tobytes(), key


@pytest.mark.parametrize("best", [True, False])
@pytest.mark.parametrize("spot", [TURN, pytest.param(FLOP, marks=pytest.mark.slow)])
def test_values_of_single_boards_are_those_of_the_processor(
    machine: Machine, spot: Spot, best: bool
) -> None:
    pair = Pair(machine, spot)
    exact = GpuWalker(machine, spot, pair.cpu.boards, np.float64)
    street = spot.tree.streets[1]
    roots = street.root_first_node[: street.roots]
    walker = pair.cpu._exact_walker
    for hero in range(2):
        found = exact.next_values(pair.storage, hero, best=best)
        assert len(found) == len(pair.cpu.boards.cards[1])
        for board in range(0, len(found), 5):
            expected = walker.board_values(pair.cpu.storage, hero, [board], best=best).nodes[roots]
            assert np.abs(expected).max() > 1
            np.testing.assert_allclose(
                found[board, :, : expected.shape[1]], expected, rtol=1e-9, atol=1e-9
            )
