"""A street's betting as a kernel runs it: for one player, which rows go where.

The player whose values are computed is the *hero*. Going down, the opponent's reach is split at
the opponent's nodes: there is a reach row for each root and for each action of the opponent; the
hero's own actions do not change it, and many nodes and leaves share a row. Going up, there is a
value row for each node, and for each leaf's sweep.

Leaves that share a reach row share a *lane* of the sweep: at most one showdown and one fold
evaluation a row, whatever the stakes, since the stake is a factor on the edge. Roots are taken
in batches, so that the rows of a batch stay in a cache.

An all-in before the river has a value row for each reach row too, whatever the stakes (see
`product_kernels`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from pokerlab.engine.game import PublicBetting
from pokerlab.engine.tables.arrays import AllIns, Leaves, Program
from pokerlab.engine.tables.boards import Boards, WalkerShape
from pokerlab.engine.tables.layout import first_slots
from pokerlab.engine.tables.payoffs import Payoffs, make_payoffs
from pokerlab.games.betting_trees.betting_tree import EdgeKind, StreetTree

_ROWS_A_LANE = 3


@dataclass(frozen=True, eq=False)
class StreetProgram:
    """The programs of both players for one street."""

    programs: tuple[Program, Program]
    reach_size: int
    """Elements of the largest reach array of a batch, for the wider player."""
    value_size: int
    """The same for values, a scratch row at the end included."""


def compile_street(
    street: StreetTree,
    payoffs: Payoffs,
    widths: tuple[int, int],
    dtype: npt.DTypeLike,
    shape: WalkerShape,
    *,
    whole: bool,
) -> StreetProgram:
    """Compile a street for both players.

    Parameters
    ----------
    street
        The betting.
    widths
        The length of a row of each player's hands.
    dtype
        The precision of the rows.
    shape
        What the walker takes at once.
    whole
        Whether all roots go into one batch: on a street from which another follows.
    """
    writers = [_Writer(street, hero, payoffs, widths, shape, whole) for hero in range(2)]
    for writer in writers:
        writer.write()
    return StreetProgram(
        programs=(writers[0].program(dtype), writers[1].program(dtype)),
        reach_size=max(writer.most_reach * max(widths) for writer in writers),
        value_size=max((writer.most_values + 1) * max(widths) for writer in writers),
    )


def compile_streets(
    spot: PublicBetting, boards: Boards, dtype: npt.DTypeLike, shape: WalkerShape
) -> tuple[StreetProgram, ...]:
    """Compile all streets of a spot."""
    payoffs = make_payoffs(spot, boards)
    return tuple(
        compile_street(street, payoffs, boards.widths, dtype, shape, whole=street.number < 2)
        for street in spot.tree.streets
    )


@dataclass
class _Lane:
    showdown: int = -1
    fold: int = -1
    tie: int = -1


@dataclass
class _Batch:
    """Rows of the batch that is being written."""

    reach_rows: int = 0
    value_rows: int = 0
    lanes: dict[int, _Lane] = field(default_factory=dict)


@dataclass
class _Writer:
    street: StreetTree
    hero: int
    payoffs: Payoffs
    widths: tuple[int, int]
    shape: WalkerShape
    whole: bool
    most_reach: int = 0
    most_values: int = 0

    def __post_init__(self) -> None:
        street = self.street
        self.own_width, self.other_width = self.widths[self.hero], self.widths[1 - self.hero]
        self.roots = street.roots
        self.mine = street.player == self.hero
        # Lists: an element of an array takes ten times as long to read or write.
        self.is_mine, self.kind = self.mine.tolist(), street.kind.tolist()
        self.target, self.matched = street.target.tolist(), street.matched.tolist()
        self.first_node: list[int] = street.root_first_node.tolist()
        self.first_edge: list[int] = street.first_edge.tolist()
        self.reach_row, self.split_row, self.value_row = ([0] * street.nodes for _ in range(3))
        self.edge_row, self.edge_factor = [0] * street.edges, [1.0] * street.edges
        self.root_reach, self.root_value = [0] * self.roots, [0] * self.roots
        # Few pots are different.
        self.fold, self.showdown = cache(self.payoffs.fold), cache(self.payoffs.showdown)
        self.tie = cache(self.payoffs.tie)
        self.batches: list[tuple[int, ...]] = []
        self.lane_rows: list[tuple[int, int, int, int]] = []
        self.flags: list[tuple[bool, bool]] = []
        self.raked_showdowns: list[tuple[int, int, int, int, float, float, float]] = []
        self.all_in_rows: dict[int, int] = {}
        self.next_rows: dict[int, tuple[int, int]] = {}
        self.next_stakes: dict[int, tuple[float, ...]] = {}
        self.batch = _Batch()

    def write(self) -> None:
        """Go through the roots batch by batch."""
        root = 0
        # One batch at least, however empty: walks always look at the first.
        while root < self.roots or not self.batches:
            self.batch = _Batch()
            first, first_raked = root, len(self.raked_showdowns)
            while root < self.roots:
                if not self.whole and root > first and self._would_overflow(root):
                    break
                self._write_root(root)
                root += 1
            first_block = len(self.flags)
            self._write_lanes()
            nodes = [self.first_node[first], self.first_node[root]]
            self.batches.append(
                (
                    *nodes,
                    first,
                    root,
                    first_block,
                    len(self.flags),
                    first_raked,
                    len(self.raked_showdowns),
                )
            )
            self.most_reach = max(self.most_reach, self.batch.reach_rows)
            self.most_values = max(self.most_values, self.batch.value_rows)

    def _would_overflow(self, root: int) -> bool:
        """Whether the batch has no room for another root (an estimate is enough)."""
        first, last = (self.first_edge[self.first_node[each]] for each in (root, root + 1))
        edges: int = (last - first) // 2
        lanes = self.shape.batch_bytes // (_ROWS_A_LANE * 4 * max(self.widths))
        blocks = max(-(-lanes // self.shape.leaves), 2)
        return len(self.batch.lanes) + edges > blocks * self.shape.leaves

    def _reach_rows(self, count: int) -> int:
        self.batch.reach_rows += count
        return self.batch.reach_rows - count

    def _value_row(self) -> int:
        self.batch.value_rows += 1
        return self.batch.value_rows - 1

    def _write_root(self, root: int) -> None:
        row = self._reach_rows(1)
        self.root_reach[root] = row
        first, last = self.first_node[root], self.first_node[root + 1]
        self.reach_row[first] = row
        for node in range(first, last):
            self.value_row[node] = self._value_row()
            edges = range(self.first_edge[node], self.first_edge[node + 1])
            if self.is_mine[node]:
                reach, step = self.reach_row[node], 0
            else:
                reach, step = self._reach_rows(len(edges)), 1
                self.split_row[node] = reach
            for edge in edges:
                self._write_edge(node, edge, reach)
                reach += step
        self.root_value[root] = self.value_row[first]
        # Edges to nodes know their rows only now.
        for edge in range(self.first_edge[first], self.first_edge[last]):
            if self.kind[edge] == EdgeKind.NODE:
                self.edge_row[edge] = self.value_row[self.target[edge]]

    def _write_edge(self, node: int, edge: int, reach: int) -> None:
        kind, matched = self.kind[edge], self.matched[edge]
        if kind == EdgeKind.NODE:
            self.reach_row[self.target[edge]] = reach
        elif kind == EdgeKind.FOLD:
            factor = self.fold(self.hero, matched, wins=not self.is_mine[node])
            self.edge_row[edge], self.edge_factor[edge] = self._fold_row(reach), factor
        elif kind == EdgeKind.NEXT_STREET:
            self.edge_row[edge] = self._next_row(self.target[edge], reach, matched)
        else:
            self.edge_row[edge], self.edge_factor[edge] = self._write_end(reach, matched)

    def _write_end(self, reach: int, matched: int) -> tuple[int, float]:
        """A pot that only cards decide: value row and factor."""
        showdown = self._showdown_row(reach)
        beaten, unblocked = self.showdown(self.hero, matched)
        # Before the river, the margins of all-ins count ties.
        tie = self.tie(self.hero, matched) if self.street.number == 2 else 0.0
        if unblocked == 0 and tie == 0:
            return showdown, beaten
        row = self._value_row()
        fold = self._fold_row(reach)
        ties = self._tie_row(reach) if tie else 0
        self.raked_showdowns.append((row, showdown, fold, ties, beaten, unblocked, tie))
        return row, 1.0

    def _showdown_row(self, reach: int) -> int:
        if self.street.number < 2:
            if reach not in self.all_in_rows:
                self.all_in_rows[reach] = self._value_row()
            return self.all_in_rows[reach]
        lane = self._lane(reach)
        if lane.showdown < 0:
            lane.showdown = self._value_row()
        return lane.showdown

    def _fold_row(self, reach: int) -> int:
        lane = self._lane(reach)
        if lane.fold < 0:
            lane.fold = self._value_row()
        return lane.fold

    def _tie_row(self, reach: int) -> int:
        lane = self._lane(reach)
        if lane.tie < 0:
            lane.tie = self._value_row()
        return lane.tie

    def _next_row(self, root: int, reach: int, matched: int) -> int:
        row = self._value_row()
        self.next_rows[root] = reach, row
        self.next_stakes[root] = self.payoffs.check_down(self.hero, matched)
        return row

    def _lane(self, reach: int) -> _Lane:
        return self.batch.lanes.setdefault(reach, _Lane())

    def _write_lanes(self) -> None:
        """Sort lanes so that few blocks need both kinds of evaluation, and fill up the last."""
        kinds = {(True, False): 0, (True, True): 1, (False, True): 2}
        lanes = sorted(
            self.batch.lanes.items(),
            key=lambda item: (kinds[item[1].showdown >= 0, item[1].fold >= 0], item[0]),
        )
        size = self.shape.leaves
        for first in range(0, len(lanes), size):
            block = lanes[first : first + size]
            showdowns = any(lane.showdown >= 0 for _, lane in block)
            folds = any(lane.fold >= 0 for _, lane in block)
            self.flags.append((showdowns, folds))
            rows = [(reach, lane.showdown, lane.fold, lane.tie) for reach, lane in block]
            self.lane_rows += rows + [(rows[0][0], -1, -1, -1)] * (size - len(block))

    def program(self, dtype: npt.DTypeLike) -> Program:
        """The arrays, rows turned into starts."""
        own, other = self.own_width, self.other_width
        batches = np.array(self.batches, np.int64)
        scratch = self.most_values * own
        rows = np.array(self.lane_rows, np.int64).reshape(-1, 4)
        value_starts = np.where(rows[:, 1:] < 0, scratch, rows[:, 1:] * own)
        flags = np.array(self.flags, bool).reshape(-1, 2)
        raked = np.array(self.raked_showdowns, np.float64).reshape(-1, 7)
        ties = value_starts[:, 2].copy() if raked[:, 6].any() else np.zeros(0, np.int64)
        following = [self.next_rows[root] for root in range(len(self.next_rows))]
        next_rows = np.array(following, np.int64).reshape(-1, 2)
        all_ins = list(self.all_in_rows.items())
        all_ins += [(0, self.most_values)] * (-len(all_ins) % self.shape.all_ins)
        all_in_rows = np.array(all_ins, np.int64).reshape(-1, 2)
        return Program(
            batches=batches,
            mine=self.mine,
            first_edge=self.street.first_edge.astype(np.int64),
            slot=first_slots(self.street),
            reach_start=np.array(self.reach_row, np.int64) * other,
            split_start=np.array(self.split_row, np.int64) * other,
            value_start=np.array(self.value_row, np.int64) * own,
            edge_start=np.array(self.edge_row, np.int64) * own,
            edge_factor=np.array(self.edge_factor, np.float64).astype(dtype),
            leaves=Leaves(
                rows[:, 0] * other, value_starts[:, 0].copy(), value_starts[:, 1].copy(), ties
            ),
            block_showdowns=flags[:, 0].copy(),
            block_folds=flags[:, 1].copy(),
            raked_starts=raked[:, :4].astype(np.int64) * own,
            raked_factors=raked[:, 4:].astype(dtype),
            all_ins=AllIns(all_in_rows[:, 0] * other, all_in_rows[:, 1] * own),
            root_reach=np.array(self.root_reach, np.int64) * other,
            root_value=np.array(self.root_value, np.int64) * own,
            next_reach=next_rows[:, 0] * other,
            next_value=next_rows[:, 1] * own,
            next_stake=np.array(
                [self.next_stakes[root] for root in range(len(next_rows))], dtype
            ).ravel(),
        )
