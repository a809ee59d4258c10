"""`Walker`: what the engine and the answer ask of a machine that walks over the public tree.

The engine knows rules, certificates and files; a walker knows how to go through all boards of a
spot fast. There is one for the processor (`cpu`) and one for a GPU (`gpu`);
`make_walker` and `make_learner` are the places that make them.

Strategies are handed to a walker as `Storage`: arrays in the layout of
`pokerlab.engine.tables.layout`, which files and checkpoints share. The walker that learns makes
them, and they may lie on a GPU: others see them through its `read` and `write`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.walker import CPU_SHAPE, CpuWalker
from pokerlab.engine.game import PublicBetting, PublicGame
from pokerlab.engine.subsets.run_subsets import run_out_dealer
from pokerlab.engine.tables.arrays import Locks, StreetStorage
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.program import StreetProgram, compile_streets
from pokerlab.runtime.arrays import AnyArray, Floats, Reals, Singles
from pokerlab.runtime.files.stored_tensor import StoredTensor, Tensor
from pokerlab.solvers.rules import Rule

Storage: TypeAlias = tuple[StreetStorage, ...]
Halves: TypeAlias = npt.NDArray[np.float16] | StoredTensor
Probabilities: TypeAlias = tuple[tuple[Halves, Halves], ...]

LARGEST_WEIGHT = 4.0
"""Of a hand in a range that is set: a GPU with tensor cores takes 2,048 times the reach at an
all-in as halves, which end at 65,504, and hands may count several times on a subset of run-outs."""


class Learner(Protocol):
    """Walks over all boards of one spot, and learns.

    The player whose values are computed is the *hero*. Values at the root are those of the hero's
    hands, each the sum over opposing hands of their weight times the chips won against an even
    split of the pot, times `unit`. With `average` the strategies are the averages, without it the
    current ones. Whatever does not write to the storage may be asked by several threads at once.
    """

    unit: float

    def make_storage(
        self, layout: StrategyLayout, kind: npt.DTypeLike, *, regrets: bool, sums: bool
    ) -> Storage:
        """Zeros for all strategies; `regrets` and `sums` are empty where none are kept."""

    def read(self, array: Any) -> AnyArray:
        """The numbers of an array of storage; maybe the array itself."""

    def write(self, array: Any, numbers: AnyArray) -> None:
        """Replace the numbers of an array of storage."""

    def hold(self, storage: Storage) -> Storage:
        """The same storage, where walks find it without copying it each time."""

    def compile_kernels(self, storage: Storage, rule: Rule) -> None:
        """Compile, or load, what iterations of a rule and measurements need."""

    def iterate(self, storage: Storage, rule: Rule, first: int, iterations: int) -> None:
        """Run iterations of a rule, the number `first` and those after it."""

    def learn(self, storage: Storage, rule: Rule, number: int, hero: int) -> Reals:
        """Run the half of an iteration in which one player learns.

        Gives what each of the player's hands was worth at the root before.
        """

    def set_range(self, player: int, weights: Floats) -> None:
        """Let a player hold the hands with other weights from now on.

        (hands,), or (roots, hands) where they are not the same at all roots of the betting. They
        must not add up to more than those of the larger range of the boards: `unit` keeps values
        within 16 bits for these. None may be above `LARGEST_WEIGHT`.
        """

    def record(self, storage: Storage, *, average: bool = False) -> None:
        """Write the sums that one iteration with the current strategies gives.

        With `average`, the sums hold probabilities and are multiplied by the players' own reach.
        """

    def seed_regrets(self, storage: Storage, positive: float, negative: float) -> None:
        """Write regrets from the action values of the average strategies."""

    def values(self, storage: Storage, hero: int, *, average: bool) -> Reals:
        """What each hand is worth at the root."""

    def values_and_below(self, storage: Storage, hero: int) -> tuple[Reals, Singles]:
        """Of the average strategies `values` and `values_below` the first street, in one walk."""

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> Reals:
        """The same for a best response; (roots, hands) where the betting has several roots.

        With `by_group`, for a response that does the same with all hands of a group: going up,
        each group takes the action that is best for its hands together.
        """

    def values_below(self, storage: Storage, hero: int, level: int) -> Singles:
        """The average strategies' values where the next street begins: (boards, roots, hands).

        The boards are those of the level: 0 for the first street, which has one.
        """

    def shares(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> Sequence[tuple[Any, Any]]:
        """The strategies of all streets as probabilities, IEEE halves in 16 bits, for `read`.

        Where averages are 0 they are the current ones.
        """


class Walker(Learner, Protocol):
    """A walker that also answers questions about single boards."""

    def board_values(
        self,
        storage: Storage,
        hero: int,
        boards: Sequence[int],
        values_below: Reals | None = None,
        *,
        best: bool = False,
    ) -> BoardValues:
        """The values at all nodes of a board under the average strategies.

        With `best`, those of a best response to the average strategies.
        """


def deal_boards(
    spot: PublicGame,
    *,
    isomorphism: bool,
    everyone: Collection[int] = (),
    alike: Floats | None = None,
) -> Boards:
    """The boards of a spot, with the tables that its walker needs; options as of `Boards.of`."""
    weights = (spot.ranges[0].weights, spot.ranges[1].weights)
    deal = run_out_dealer(spot.runouts, weights)
    return Boards.of(
        spot.board,
        weights,
        CPU_SHAPE,
        isomorphism=isomorphism,
        deal=deal,
        everyone=everyone,
        alike=alike,
    )


def make_walker(
    spot: PublicBetting,
    boards: Boards,
    kind: npt.DTypeLike,
    threads: int,
    locks: Sequence[Locks] | None = None,
    groups: BoardGroups | None = None,
    programs: tuple[StreetProgram, ...] | None = None,
) -> Walker:
    """The walker for a spot: `kind` is the precision of its rows.

    `programs` are those of the betting (`compile_programs`) where they are known.
    """
    return CpuWalker(spot, boards, kind, threads, locks, groups, programs)


def compile_programs(
    spot: PublicBetting, boards: Boards, kind: npt.DTypeLike
) -> tuple[StreetProgram, ...]:
    """What a walker is to do, for all boards with as many hands of the same weight."""
    return compile_streets(spot, boards, kind, CPU_SHAPE)


def make_learner(
    spot: PublicGame,
    boards: Boards,
    kind: npt.DTypeLike,
    threads: int,
    locks: Sequence[Locks] | None = None,
    groups: BoardGroups | None = None,
    device: str = "cpu",
) -> Learner:
    """The walker that solves a spot, on the processor or on a GPU."""
    if device == "cpu":
        return make_walker(spot, boards, kind, threads, locks, groups)
    # Only those who use a GPU load what drives it.
    from pokerlab.engine.gpu.walker import GpuWalker
    from pokerlab.runtime.gpu.machine import CudaMachine

    return GpuWalker(CudaMachine(), spot, boards, kind, locks, groups=groups)


def as_storage(layout: StrategyLayout, strategies: Sequence[tuple[Tensor, Tensor]]) -> Storage:
    """Probabilities in half precision as averages; streets that are missing are empty."""
    everywhere = [(0, len(street[0].rows)) for street in layout.streets]
    return _read_boards(layout, strategies, everywhere)


def board_storage(
    layout: StrategyLayout,
    strategies: Sequence[tuple[Tensor, Tensor]],
    boards: Boards,
    numbers: Sequence[int],
    players: Sequence[int] = (0, 1),
) -> Storage:
    """The same for walks over one board: what lies on the way to it, on it and below it.

    `numbers` are those of the boards on the way. Of strategies that are in a file, only this is
    read, and only those of some `players`.
    """
    needed = [(0, 1), *((number, number + 1) for number in numbers)]
    for tables in boards.tables[len(numbers) : -1]:
        first, last = needed[-1]
        needed.append((int(tables.child_first[first]), int(tables.child_first[last])))
    return _read_boards(layout, strategies, needed, players)


def _read_boards(
    layout: StrategyLayout,
    strategies: Sequence[tuple[Tensor, Tensor]],
    needed: Sequence[tuple[int, int]],
    players: Sequence[int] = (0, 1),
) -> Storage:
    """The storage of some boards of each street, from a first to before a last one."""
    empty = np.zeros(0, np.uint16)
    found = []
    for level, (first, last) in enumerate(needed):
        sums, begin = (empty, empty), layout.first(level)
        if level < len(strategies):
            one, other = layout.streets[level]
            own, opposing = (
                here.boards(array, first, last).view(np.uint16) if here.player in players else empty
                for here, array in zip((one, other), strategies[level], strict=True)
            )
            sums = own, opposing
            begin = one.first - one.first[first], other.first - other.first[first]
        rows = layout.rows(level)
        found.append(StreetStorage((empty, empty), (empty, empty), sums, begin, rows))
    return tuple(found)
