"""The instructions that a team of threads follows, as `kernels/program.cu` reads them.

An instruction names *slots*: places in shared memory for a row. While a program is written, slots
may be as many as they like; `slots.py` finds room for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import NamedTuple

import numpy as np

MOST_ACTIONS = 15
"""The number of actions for whose rows an instruction has room."""


class Kind(IntEnum):
    """What an instruction does."""

    SPLIT = 0
    """Multiply a reach row by the opponent's strategy: a row for each action."""
    VALUE = 1
    """The value of a node of the hero, from those behind the actions."""
    ADD = 2
    """The sum of rows of values."""
    LEAVES = 3
    """Evaluate one or two leaves."""
    COMBINE = 4
    """Make a table of card sums from others."""
    ENTER = 5
    """Gather the reach of a root from the board above."""
    LEAVE = 6
    """Write the values of a root."""
    PASS_DOWN = 7
    """Write reach for the next street, or for an all-in."""
    FETCH_UP = 8
    """Read values of the next street, or of an all-in."""
    STOP = 9
    PREFETCH = 10
    """Nothing but what its `next` says."""
    MORE = 11
    """Load the next chunk of instructions."""
    SPILL = 12
    """Write a row to global memory."""
    FILL = 13
    """Read it back."""


class Flag(IntFlag):
    """What an instruction does beside."""

    SYNC = 1
    """Wait for all threads of the team first."""
    FOLD = 2
    """The first row is one of reach, and its value that of a fold."""
    SUMS = 4
    """Add to the sums of strategies."""


class LeafKind(IntEnum):
    """What a leaf is evaluated for."""

    SHOWDOWN = 1
    CARDS = 2
    """Card sums alone, for folds."""


class Leaf(NamedTuple):
    """A leaf: rows of reach and of values, a table for its card sums, and the stake.

    `ties` is what a tie counts, where a win counts 1; None where none does anywhere.
    """

    reach: int
    values: int
    table: int
    kind: LeafKind
    factor: float
    ties: float | None = None

    @property
    def word(self) -> int:
        """As kernels read it."""
        return self.reach | self.values << 8 | self.table << 16 | self.kind << 24


@dataclass
class Instruction:
    """One step of a program.

    Attributes
    ----------
    number
        The first slot of a node in storage, a root, a link to the next street, an all-in, the
        table that is made, or the number of a spilled row.
    rows
        Slots behind the actions of a node; tables that are combined.
    out, source
        Slots that are written and read.
    factor, table
        Of a fold: the stake, and the card sums of its reach.
    signs
        Which of the combined tables are subtracted, a bit each.
    next
        A node that comes soon: its first slot in storage, its actions, and whether it is split.
    """

    kind: Kind
    number: int = 0
    rows: list[int] = field(default_factory=list)
    out: int = 0
    source: int = 0
    factor: float = 0.0
    table: int = 0
    flags: int = 0
    signs: int = 0
    leaves: tuple[Leaf, ...] = ()
    next: tuple[int, int, bool] | None = None

    @property
    def read(self) -> set[int]:
        """Slots that are read."""
        if self.kind == Kind.LEAVES:
            return {leaf.reach for leaf in self.leaves}
        if self.kind in (Kind.VALUE, Kind.ADD):
            return set(self.rows)
        if self.kind in (Kind.SPLIT, Kind.LEAVE, Kind.PASS_DOWN, Kind.SPILL):
            return {self.source}
        return set()

    @property
    def written(self) -> set[int]:
        """Slots that are written."""
        if self.kind == Kind.LEAVES:
            return {leaf.values for leaf in self.leaves if leaf.kind == LeafKind.SHOWDOWN}
        if self.kind == Kind.SPLIT:
            return set(self.rows)
        if self.kind in (Kind.VALUE, Kind.ADD, Kind.ENTER, Kind.FETCH_UP, Kind.FILL):
            return {self.out}
        return set()

    def move(self, place: dict[int, int]) -> None:
        """Rename the slots that it reads and writes."""
        if self.kind == Kind.LEAVES:
            self.leaves = tuple(
                leaf._replace(
                    reach=place[leaf.reach],
                    values=place[leaf.values] if leaf.kind == LeafKind.SHOWDOWN else 0,
                )
                for leaf in self.leaves
            )
            return
        if self.kind in (Kind.SPLIT, Kind.VALUE, Kind.ADD):
            self.rows = [place[row] for row in self.rows]
        if self.kind in (Kind.SPLIT, Kind.LEAVE, Kind.PASS_DOWN):
            self.source = place[self.source]
        if self.kind in (Kind.VALUE, Kind.ADD, Kind.ENTER, Kind.FETCH_UP):
            self.out = place[self.out]

    def pack(self, factors: dict[float, int] | None = None) -> list[int]:
        """The eight words that kernels read.

        Factors are floats in a word; with `factors`, they are numbers in a list of exact ones.
        """

        def word(factor: float) -> int:
            if factors is None:
                return int(np.float32(factor).view(np.uint32))
            return factors.setdefault(factor, len(factors))

        head = self.kind | self.flags << 8 | self.out << 16 | self.source << 24
        if self.kind == Kind.LEAVES:
            pairs = [(leaf.word, word(leaf.factor)) for leaf in self.leaves]
            pairs += [(0, 0)] * (2 - len(pairs))
            ties = [word(leaf.ties) for leaf in self.leaves if leaf.ties is not None]
            return [head, *pairs[0], *pairs[1], *ties, *[0] * (3 - len(ties))]
        rows = [*self.rows, *[0] * (16 - len(self.rows))]
        packed = [sum(rows[k + n] << 8 * n for n in range(4)) for k in range(0, 16, 4)]
        if self.kind == Kind.COMBINE:
            return [head, self.number, *packed[:2], 0, len(self.rows) | self.signs << 8, 0, 0]
        actions = len(self.rows) << 4
        words = [head | actions, self.number, *packed[:2], word(self.factor), self.table]
        if len(self.rows) > 8:
            return words + packed[2:]
        if self.next is None:
            return [*words, 0, 0]
        slot, count, split = self.next
        return [*words, slot, count | (1 if split else 2) << 8]
