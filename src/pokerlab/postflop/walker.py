"""`Walker`: what the engine and the answer ask of a machine that walks over the public tree.

The engine knows rules, certificates and files; a walker knows how to go through all boards of a
spot fast. There is one for the processor (`cpu`), and `make_walker` is the one place that makes it.

Strategies are handed to a walker as `Storage`: arrays in the layout of
`pokerlab.postflop.tables.layout`, which files and checkpoints share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.cpu.walker import CPU_SHAPE, CpuWalker
from pokerlab.postflop.cpu.workspaces import aligned
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.arrays import Locks, StreetStorage
from pokerlab.postflop.tables.board_values import BoardValues
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups
from pokerlab.postflop.tables.layout import StrategyLayout
from pokerlab.solvers.rules import Rule

__all__ = [
    "Probabilities",
    "Rows",
    "Storage",
    "Walker",
    "as_storage",
    "deal_boards",
    "make_storage",
    "make_walker",
]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Storage: TypeAlias = tuple[StreetStorage, ...]
Probabilities: TypeAlias = "tuple[tuple[npt.NDArray[np.float16], npt.NDArray[np.float16]], ...]"


class Walker(Protocol):
    """Walks over all boards of one spot.

    The player whose values are computed is the *hero*. Values at the root are those of the hero's
    hands, each the sum over opposing hands of their weight times the chips won against an even
    split of the pot, times `unit`. With `average` the strategies are the averages, without it the
    current ones. Whatever does not write to the storage may be asked by several threads at once.
    """

    unit: float

    def iterate(self, storage: Storage, rule: Rule, first: int, iterations: int) -> None:
        """Run iterations of a rule, the number `first` and those after it."""

    def record(self, storage: Storage, *, average: bool = False) -> None:
        """Write the sums that one iteration with the current strategies gives.

        With `average`, the sums hold probabilities and are multiplied by the players' own reach.
        """

    def seed_regrets(self, storage: Storage, positive: float, negative: float) -> None:
        """Write regrets from the action values of the average strategies."""

    def values(self, storage: Storage, hero: int, *, average: bool) -> Rows:
        """What each hand is worth at the root."""

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> Rows:
        """The same for a best response.

        With `by_group`, for a response that does the same with all hands of a group: going up,
        each group takes the action that is best for its hands together.
        """

    def board_values(
        self,
        storage: Storage,
        hero: int,
        boards: Sequence[int],
        river_values: Rows | None = None,
    ) -> BoardValues:
        """The values at all nodes of a board under the average strategies."""

    def river_values(self, storage: Storage, hero: int) -> npt.NDArray[np.float32]:
        """The values at the roots of the river: (turn boards, roots, hands)."""

    def probabilities(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> Probabilities:
        """The strategies of all streets as probabilities."""


def deal_boards(spot: Spot, *, isomorphism: bool) -> Boards:
    """The boards of a spot, with the tables that its walker needs."""
    weights = (spot.oop.weights, spot.ip.weights)
    return Boards.of(spot.board, weights, CPU_SHAPE, isomorphism=isomorphism)


def make_walker(
    spot: Spot,
    boards: Boards,
    kind: npt.DTypeLike,
    threads: int,
    locks: Sequence[Locks] | None = None,
    groups: BoardGroups | None = None,
) -> Walker:
    """The walker for a spot: `kind` is the precision of its rows."""
    return CpuWalker(spot, boards, kind, threads, locks, groups)


def make_storage(
    layout: StrategyLayout, kind: npt.DTypeLike, *, regrets: bool, sums: bool
) -> Storage:
    """Zeros for all strategies of a spot; `regrets` and `sums` are empty where none are kept."""

    def pair(sizes: Sequence[int], kept: bool) -> tuple[npt.NDArray[Any], ...]:
        return tuple(aligned(size if kept else 0, kind) for size in sizes)

    return tuple(
        StreetStorage(
            pair(sizes, True),
            pair(sizes, regrets),
            pair(sizes, sums),
            layout.first(level),
            layout.rows(level),
        )
        for level, sizes in enumerate([each.size for each in both] for both in layout.streets)
    )


def as_storage(
    layout: StrategyLayout, strategies: Sequence[tuple[npt.NDArray[Any], ...]]
) -> Storage:
    """Probabilities in half precision as averages; streets that are missing are empty."""
    empty = np.zeros(0, np.uint16)
    missing = [(empty, empty)] * (len(layout.streets) - len(strategies))
    return tuple(
        StreetStorage(
            (empty, empty),
            (empty, empty),
            (pair[0].view(np.uint16), pair[1].view(np.uint16)),
            layout.first(level),
            layout.rows(level),
        )
        for level, pair in enumerate((*strategies, *missing))
    )
