"""What solving a spot takes, before anything is allocated: memory, time, and what would fit.

Memory at its peak is that of the whole process: the tables of the rule (a regret and a strategy
sum for each entry; a rule that predicts keeps a third number, one without an average only the
first), the answer in half precision that is made of them at the end, the margins for all-ins, and
a base: the interpreter with its compiled kernels, the boards, and the space that threads work in.

Time before the start is a range, not a number: what the same processor needs with all cores to
itself, up to what a busy machine needs for a spot that converges slowly. Once a solve runs,
`pokerlab.solvers.pace` knows better. Numbers of 16 bits halve the tables but save no time that
we could measure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pokerlab.postflop.engine import DEFAULT_RULE
from pokerlab.postflop.question.menus import STREETS, Menus, Size
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.counts import TreeCounts, count_tree
from pokerlab.solvers.rules import Rule, parse_rule

__all__ = ["Cheaper", "SolveCost", "cheaper_solves", "estimate_cost"]

_BASE_BYTES = 250_000_000
"""What hardly grows with the tree: 200 MB on rivers, 235 MB on a flop of 1,429 river boards.
Where kernels have to be compiled first, the compiler keeps about 330 MB more."""

_SECONDS = 2.2e-9, 10e-9
"""Processor seconds that an iteration takes for each entry: at best, and on a busy machine."""

_ITERATIONS = 80, 150
"""What 0.5% of the pot took on the flops that we solved, with the default rule."""


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
    """

    counts: TreeCounts
    bits: int
    arrays: int
    threads: int

    @property
    def table_bytes(self) -> int:
        """The rule's tables alone."""
        return self.counts.entries * self.arrays * self.bits // 8

    @property
    def answer_bytes(self) -> int:
        """The strategies of the answer, in memory and as a file."""
        return 2 * self.counts.entries

    @property
    def peak_bytes(self) -> int:
        """The most that the whole process has in use at any time."""
        return self.table_bytes + self.answer_bytes + 2 * self.counts.margins + _BASE_BYTES

    @property
    def seconds(self) -> tuple[float, float]:
        """From the least to the most that 0.5% of the pot is likely to take."""
        low, high = (
            each * iterations * self.counts.entries / self.threads
            for each, iterations in zip(_SECONDS, _ITERATIONS, strict=True)
        )
        return low, high


def estimate_cost(
    spot: Spot,
    rule: str | Rule = DEFAULT_RULE,
    *,
    precision: int = 32,
    isomorphism: bool = True,
    threads: int | None = None,
) -> SolveCost:
    """Estimate what a solve of a spot takes; the options are those of `solve_spot`.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> estimate_cost(spot).table_bytes, estimate_cost(spot, "pcfr+", precision=16).table_bytes
    (2560, 1920)
    """
    chosen = parse_rule(rule)
    arrays = 1 + chosen.averages + (chosen.at(1).prediction != 0)
    counts = count_tree(spot, isomorphism=isomorphism)
    return SolveCost(counts, precision, arrays, threads or os.cpu_count() or 1)


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


def cheaper_solves(
    spot: Spot, cost: SolveCost, free: int, *, isomorphism: bool = True
) -> Iterator[Cheaper]:
    """What would fit into `free` bytes: fewer bits, or menus without one of their sizes.

    The whole tree comes first, then trees without a size of the river, of the turn, of the flop.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=800, bet="50%, a")
    >>> cost = estimate_cost(spot)
    >>> [way[:4] for way in cheaper_solves(spot, cost, cost.peak_bytes - 500_000)]
    [(16, '', '', ''), (32, 'river', 'bet', '50%'), (32, 'turn', 'bet', '50%')]
    """
    if cost.bits > 16:
        halved = replace(cost, bits=16)
        if halved.peak_bytes <= free:
            yield Cheaper(16, "", "", "", halved.peak_bytes)
    for street in range(len(STREETS) - 1, spot.street - 1, -1):
        for kind, field in (("bet", "bet"), ("raise", "raise_")):
            menus: Menus = getattr(spot, field)
            cells = menus.cells[street]
            for size in sorted({size for cell in cells for size in cell or ()}, key=str):
                smaller = _without(spot, field, street, size)
                if smaller is None:
                    continue
                counts = count_tree(smaller, isomorphism=isomorphism)
                peak = replace(cost, counts=counts).peak_bytes
                if peak <= min(free, cost.peak_bytes - 1):
                    yield Cheaper(cost.bits, STREETS[street], kind, str(size), peak)


def _without(spot: Spot, field: str, street: int, size: Size) -> Spot | None:
    """The spot without a size on a street; None where a menu or a line needs it."""
    menus: Menus = getattr(spot, field)
    cells = list(menus.cells)
    cells[street] = tuple(
        None if menu is None else tuple(each for each in menu if each != size)
        for menu in cells[street]
    )
    if any(left == () for left in cells[street]):
        return None  # nothing would be left to bet, or to raise
    try:
        changed: dict[str, Any] = {field: replace(menus, cells=tuple(cells))}
        return replace(spot, **changed)
    except ValueError:
        return None
