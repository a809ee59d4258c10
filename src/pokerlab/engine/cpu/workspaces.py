"""The memory that a walk works in: rows of reach and values, and the plans of its sweeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.kernels.group_kernels import group_rows
from pokerlab.engine.cpu.kernels.leaf_kernels import LEAVES, LeafWorkspace
from pokerlab.engine.cpu.kernels.product_kernels import list_room, tile_room
from pokerlab.engine.cpu.kernels.street_kernels import Workspace
from pokerlab.engine.cpu.kernels.sweep_kernels import (
    OPPOSING_PLACES,
    OWN_PLACES,
    ZERO_ROW,
    OneSide,
    Sweep,
    count_sum_rows,
    write_places,
)
from pokerlab.engine.cpu.records import as_record
from pokerlab.engine.tables.arrays import BoardTables, GroupTables
from pokerlab.engine.tables.boards import Boards, is_one_card
from pokerlab.engine.tables.program import StreetProgram
from pokerlab.runtime.arrays import AnyArray, Reals
from pokerlab.runtime.vector_kernels import LANES

_PLANNED: WeakKeyDictionary[Boards, tuple[tuple[Sweep, Sweep], ...]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Workspaces:
    """The workspaces of one walk.

    Attributes
    ----------
    results
        For each hero the values at the root.
    parts
        For each hero the values that each board of the second street leaves: (boards, roots,
        hands).
    pieces
        Into how many the rivers of a board of the second street are cut; 0 where it is walked whole
        by one thread.
    """

    streets: tuple[StreetProgram, ...]
    groups: tuple[GroupTables | None, ...]
    kind: np.dtype[Any]
    hands: int
    results: tuple[Reals, Reals]
    parts: tuple[Reals, Reals]
    pieces: int = 0
    _made: dict[tuple[int, int], tuple[Workspace, Workspace]] = field(default_factory=dict)
    _records: dict[int, tuple[Workspace, ...]] = field(default_factory=dict)
    _rows: list[tuple[Reals, Reals]] = field(default_factory=list)
    """Reach and values of each board of the second street, for each hero, where it is cut."""

    @classmethod
    def of_spot(
        cls,
        streets: tuple[StreetProgram, ...],
        boards: Boards,
        groups: tuple[GroupTables | None, ...],
        kind: np.dtype[Any],
        pieces: int = 0,
    ) -> Workspaces:
        """Workspaces for a spot."""
        below = len(boards.cards[1]) if len(streets) > 1 else 0
        roots = len(streets[0].programs[0].next_value)
        first, second = (
            aligned(below * roots * width, kind).reshape(below, roots, width)
            for width in boards.widths
        )
        tops = len(streets[0].programs[0].root_value)
        results = (aligned(tops * boards.widths[0], kind), aligned(tops * boards.widths[1], kind))
        return cls(streets, groups, kind, max(boards.padded), results, (first, second), pieces)

    def of(self, thread: int, level: int, hero: int) -> Workspace:
        """The workspace of a thread on a street, made when it is first asked for."""
        key = thread, level
        if key not in self._made:
            self._made[key] = self._make(self.streets[level], self.groups[level])
        return self._made[key][hero]

    def all_of(self, thread: int) -> tuple[Workspace, ...]:
        """Those of a thread on all streets, of the first hero and then of the second.

        Where boards of the second street are cut into pieces, then those for each of these boards,
        of the first hero and of the second: its rows are there for all threads.
        """
        if thread not in self._records:
            levels = range(len(self.streets))
            works = [self.of(thread, level, hero) for hero in range(2) for level in levels]
            if self.pieces:
                works += self._with_rows(self.of(thread, 1, 0))
            self._records[thread] = as_record(tuple(works))
        return self._records[thread]

    def _with_rows(self, own: Workspace) -> list[Workspace]:
        """The workspaces of a thread with the rows of each board of the second street."""
        if not self._rows:
            size = self.streets[1].reach_size, self.streets[1].value_size
            for _ in range(2 * len(self.parts[0])):
                self._rows.append((aligned(size[0], self.kind), aligned(size[1], self.kind)))
        return [
            as_record(Workspace(*rows, own.groups, own.leaves, own.lists, own.tile))
            for rows in self._rows
        ]

    def _make(
        self, street: StreetProgram, groups: GroupTables | None
    ) -> tuple[Workspace, Workspace]:
        group_size = 0 if groups is None else group_rows(groups.actions) * groups.width
        # Each hero has separate rows: the last place of a row is zero and stays so.
        leaves = LeafWorkspace(
            aligned((self.hands + 1) * LEAVES, self.kind),
            aligned(count_sum_rows(self.hands) * LEAVES, self.kind),
        )
        # On each street its own: any thread may take the leaves of the first, in thread 0's rows.
        lists = np.empty(list_room(self.hands), np.uint16)
        tile = aligned(tile_room(self.hands), self.kind)
        first, second = (
            as_record(
                Workspace(
                    aligned(street.reach_size, self.kind),
                    aligned(street.value_size, self.kind),
                    aligned(group_size, self.kind),
                    leaves,
                    lists,
                    tile,
                )
            )
            for _ in range(2)
        )
        return first, second


def aligned(size: int, kind: npt.DTypeLike) -> AnyArray:
    """Zeros that begin at a multiple of 64 bytes: vectors then never cross a cache line."""
    width = np.dtype(kind).itemsize
    block = np.zeros(size + 64 // width, kind)
    skip = (-block.ctypes.data % 64) // width
    return block[skip : skip + size]


def plan_sweeps(boards: Boards) -> tuple[tuple[Sweep, Sweep], ...]:
    """The places for the sweeps (see `sweep_kernels`) of both heroes, by street; made only once."""
    if boards not in _PLANNED:
        _PLANNED[boards] = tuple(_plan_street(tables) for tables in boards.tables)
    return _PLANNED[boards]


def _plan_street(tables: BoardTables) -> tuple[Sweep, Sweep]:
    first = _plan(tables, 0)
    # Where both players hold the same hands, they share their tables.
    return first, first if tables.hands[0] is tables.hands[1] else _plan(tables, 1)


def _plan(tables: BoardTables, hero: int) -> Sweep:
    own, other = tables.hands[hero], tables.hands[1 - hero]
    sweep = Sweep(
        np.empty(OWN_PLACES * len(own.order), np.uint16),
        np.empty(OPPOSING_PLACES * len(other.order), np.uint16),
    )
    write_places(
        OneSide(own.first, own.cards),
        OneSide(other.first, other.cards),
        own.same_hand,
        own.groups,
        tables.group_first,
        LEAVES,
        sweep,
    )
    if len(own.cards) and is_one_card(own.cards.reshape(-1, 2)):
        _leave_out_second_cards(sweep, max(np.diff(other.first)))
    return sweep


def _leave_out_second_cards(sweep: Sweep, hands: int) -> None:
    """Let a hand of one card, which it has twice, meet the sums of that card once.

    A second card adds nothing to the first, and its own sum goes to a row that nobody reads.
    """
    spare = (count_sum_rows(int(hands)) - 1) * LANES
    opposing = sweep.opposing.reshape(-1, OPPOSING_PLACES)
    opposing[:, 3], opposing[:, 4] = ZERO_ROW * LANES, spare
    sweep.own.reshape(-1, OWN_PLACES)[:, 5:8] = ZERO_ROW * LANES
