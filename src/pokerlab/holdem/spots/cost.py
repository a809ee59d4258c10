"""What solving a spot takes, before anything is allocated: memory, time, and what would fit.

Memory at its peak is that of the whole process: the tables of the rule (a regret and a strategy
sum for each entry; a rule that predicts keeps a third number, one without an average only the
first), the answer in half precision that is made of them at the end, the margins for all-ins, and
a base: the interpreter with its compiled kernels, the boards, and the space that threads work in.
Where hands are stored in groups, tables and answer are by group, and there are tables of which
hands belong to which group.

Time before the start is a range, not a number: what the same processor needs with all cores to
itself, up to what a busy machine needs for a spot that converges slowly. Iterations grow as the
target shrinks, with its power of 0.6: so did four spots between 2% and 0.1% of the pot. Once a
solve runs, `pokerlab.solvers.pace` knows better. Numbers of 16 bits halve the tables; the tenth of
the time that they save is less than what is uncertain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

from pokerlab.engine.counts import TreeCounts, count_tree, street_boards
from pokerlab.engine.device import GpuMemory, row_lengths, walker_bytes
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.locks import keeps_suits, parse_locks
from pokerlab.engine.tables.group_counts import SpotGroupCounts, count_spot_groups
from pokerlab.games.betting_trees.menus import STREETS, Menus, Size
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.runtime.machine import core_count, free_memory
from pokerlab.solvers.rules import Rule, parse_rule

_BASE_BYTES = 240_000_000
"""What does not grow with the spot: Python, kernels, what threads work in. Where kernels have to be
compiled first, the compiler keeps about 330 MB more."""

_BOARD_BYTES = 48
"""For each hand of each board."""

_GROUP_BASE_BYTES = 30_000_000
"""What grouping hands leaves behind."""

_GROUP_BYTES = 110
"""For each hand of each board: its group, place and shares, in float32 for the solve and in float64
for the certificate, 40 in all, and what making them takes."""

_FINEST = "view"
"""The groups that lose least."""

_SECONDS = 2.2e-9, 10e-9
"""Processor seconds that an iteration takes for each entry: at best, and on a busy machine."""

_ITERATIONS = 80, 150
"""What 0.5% of the pot took on the flops that we solved, with the default rule."""

_GROWTH = 0.6
"""Iterations are as the target to the power of minus this."""


@dataclass(frozen=True)
class SolveCost:
    """What a solve takes.

    Attributes
    ----------
    counts
        The size of the game.
    bits
        Bits of a stored number.
    arrays
        Numbers that the rule stores for each entry.
    threads
        How many threads work.
    entries
        How many numbers a table holds: one for each action and hand, or group of hands.
    groups
        How many groups there are; None where each hand has numbers of its own.
    on_gpu
        Whether a GPU holds the tables.
    """

    counts: TreeCounts
    bits: int
    arrays: int
    threads: int
    entries: int
    groups: SpotGroupCounts | None = None
    on_gpu: bool = False

    @property
    def table_bytes(self) -> int:
        """The rule's tables alone."""
        return self.entries * self.arrays * self.bits // 8

    @property
    def answer_bytes(self) -> int:
        """The strategies of the answer, in memory and as a file."""
        columns = 0 if self.groups is None else 2 * self.counts.hands
        return 2 * self.entries + columns

    @property
    def group_bytes(self) -> int:
        """Which hands belong to which group, for kernels in float32 and in float64."""
        return 0 if self.groups is None else _GROUP_BASE_BYTES + _GROUP_BYTES * self.counts.hands

    @property
    def peak_bytes(self) -> int:
        """The most that the whole process has in use at any time."""
        boards = _BOARD_BYTES * self.counts.hands + 2 * self.counts.margins
        tables = 0 if self.on_gpu else self.table_bytes
        return tables + self.answer_bytes + self.group_bytes + boards + _BASE_BYTES

    def seconds(self, percent: float = 0.5) -> tuple[float, float]:
        """From the least to the most that a target in percent of the pot is likely to take."""
        more = (0.5 / percent) ** _GROWTH
        low, high = (
            each * iterations * more * self.counts.entries / self.threads
            for each, iterations in zip(_SECONDS, _ITERATIONS, strict=True)
        )
        return low, high

    def to_json(self, percent: float = 0.5) -> dict[str, Any]:
        """The counts, the bytes and the seconds that are likely.

        ``expected_seconds`` is the middle of ``expected_range``, the same for 32 and 16 bits.
        """
        low, high = self.seconds(percent)
        by_bits = {str(bits): replace(self, bits=bits) for bits in (32, 16)}
        tables = {bits: each.table_bytes for bits, each in by_bits.items()}
        grouped = {} if self.groups is None else {"bytes": tables}
        return (
            self.counts.to_json()
            | grouped
            | {
                "groups": None if self.groups is None else self.groups.to_json(),
                "peak_bytes": {bits: each.peak_bytes for bits, each in by_bits.items()},
                "free_bytes": free_memory(),
                "expected_seconds": dict.fromkeys(by_bits, sqrt(low * high)),
                "expected_range": [low, high],
            }
        )


def estimate_cost(
    spot: Spot,
    rule: str | Rule = DEFAULT_RULE,
    *,
    precision: int = 32,
    isomorphism: bool = True,
    threads: int | None = None,
    groups: str | HandGrouping | None = None,
) -> SolveCost:
    """Estimate what a solve of a spot takes; the options are those of `solve_spot`.

    With `groups` they are counted, which takes a second or two on a flop.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> estimate_cost(spot).table_bytes, estimate_cost(spot, "pcfr+", precision=16).table_bytes
    (2560, 1920)
    """
    chosen = parse_rule(rule)
    arrays = 1 + chosen.averages + (chosen.at(1).prediction != 0)
    merged = merges_suits(spot, isomorphism=isomorphism)
    counts = count_tree(spot, isomorphism=merged)
    cost = SolveCost(counts, precision, arrays, threads or core_count(), counts.entries)
    if groups is None:
        return cost
    return with_groups(
        spot, cost, count_spot_groups(spot, groups, isomorphism=merged, threads=threads)
    )


def gpu_memory(spot: Spot, cost: SolveCost, *, isomorphism: bool = True) -> GpuMemory:
    """What the same solve would keep on a GPU.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> gpu_memory(spot, estimate_cost(spot)).nbytes < 60_000_000
    True
    """
    boards = street_boards(spot, isomorphism=merges_suits(spot, isomorphism=isomorphism))
    counts, lengths = [len(each) for each in boards], row_lengths(spot, boards)
    first, second = (
        walker_bytes(spot.tree, counts, lengths, real_bytes, grouped=cost.groups is not None)
        for real_bytes in (4, 8)
    )
    return GpuMemory(cost.entries, cost.arrays, cost.bits, (first, second))


def with_groups(spot: Spot, cost: SolveCost, groups: SpotGroupCounts) -> SolveCost:
    """The same solve with hands in groups."""
    return replace(cost, entries=groups.entries(spot), groups=groups)


def merges_suits(spot: Spot, *, isomorphism: bool) -> bool:
    """Whether a solve merges boards that differ by suits alone: locks may forbid it."""
    return isomorphism and keeps_suits(parse_locks(spot, spot.locks), spot.board, spot.ranges)


class Cheaper(NamedTuple):
    """A way to solve a spot, or a smaller tree of it, in less memory."""

    bits: int
    street: str
    """Where a size is left out of the menus; empty where the tree stays as it is."""
    kind: str
    """Of which menu: ``bet`` or ``raise``."""
    size: str
    """The size, as menus write it."""
    peak_bytes: int
    groups: str = ""
    """Hands in groups; empty where each has its own numbers."""


def cheaper_solves(
    spot: Spot, cost: SolveCost, free: int, *, isomorphism: bool = True
) -> Iterator[Cheaper]:
    """What would fit into `free` bytes: fewer bits, groups, or menus without one of their sizes.

    The whole tree comes first, then trees without a size of the river, of the turn, of the flop.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=800, bet="50%, a")
    >>> cost = estimate_cost(spot)
    >>> [way[:4] for way in cheaper_solves(spot, cost, cost.peak_bytes - 500_000)]
    [(16, '', '', ''), (32, 'river', 'bet', '50%'), (32, 'turn', 'bet', '50%')]
    """
    merged = merges_suits(spot, isomorphism=isomorphism)
    least = min(free, cost.peak_bytes - 1)
    halved = replace(cost, bits=min(cost.bits, 16))
    if halved.peak_bytes <= least:
        yield Cheaper(16, "", "", "", halved.peak_bytes)
    if cost.groups is None:
        grouped = with_groups(spot, cost, count_spot_groups(spot, _FINEST, isomorphism=merged))
        for each in (grouped, replace(grouped, bits=halved.bits)):
            if each.peak_bytes <= least:
                yield Cheaper(each.bits, "", "", "", each.peak_bytes, _FINEST)
                break
    for _, way in trees_without_a_size(spot, cost, isomorphism=isomorphism):
        if way.peak_bytes <= least:
            yield way


def trees_without_a_size(
    spot: Spot, cost: SolveCost, *, isomorphism: bool = True
) -> Iterator[tuple[Spot, Cheaper]]:
    """Every spot that has one size less on one street, and what its solve takes.

    The river comes first, then the turn, then the flop. A menu keeps at least one size.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=800, bet="50%, a")
    >>> [way[1:4] for _, way in trees_without_a_size(spot, estimate_cost(spot))][:3]
    [('river', 'bet', '50%'), ('river', 'bet', 'a'), ('river', 'raise', '60%')]
    """
    merged = merges_suits(spot, isomorphism=isomorphism)
    for street in range(len(STREETS) - 1, spot.street - 1, -1):
        for kind, field in (("bet", "bet"), ("raise", "raise_")):
            menus: Menus = getattr(spot, field)
            cells = menus.cells[street]
            for size in sorted({size for cell in cells for size in cell or ()}, key=str):
                smaller = _without(spot, field, street, size)
                if smaller is None:
                    continue
                counts = count_tree(smaller, isomorphism=merged)
                fewer = replace(cost, counts=counts, entries=counts.entries)
                if cost.groups is not None:
                    fewer = with_groups(smaller, fewer, cost.groups)
                way = Cheaper(cost.bits, STREETS[street], kind, str(size), fewer.peak_bytes)
                yield smaller, way


def _without(spot: Spot, field: str, street: int, size: Size) -> Spot | None:
    """The spot without a size on a street; None where a menu or a line needs it."""
    menus: Menus = getattr(spot, field)
    cells = list(menus.cells)
    cells[street] = tuple(
        None if menu is None else tuple(each for each in menu if each != size)
        for menu in cells[street]
    )
    if any(
        left == () != menu for left, menu in zip(cells[street], menus.cells[street], strict=True)
    ):
        return None  # nothing would be left to bet, or to raise
    try:
        changed: dict[str, Any] = {field: replace(menus, cells=tuple(cells))}
        return replace(spot, **changed)
    except ValueError:
        return None
