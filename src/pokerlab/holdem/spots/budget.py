"""`fit_memory`: how to store a spot so that its solve stays within some memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pokerlab.engine.counts import HAND_PADDING
from pokerlab.engine.tables.group_counts import count_spot_groups
from pokerlab.holdem.spots.cost import SolveCost, estimate_cost, merges_suits, with_groups
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.runtime.machine import size_text
from pokerlab.solvers.rules import Rule

_IDENTITIES = "view/river", "strength/river"

_CLUSTERS = range(HAND_PADDING, 401, HAND_PADDING)
"""Numbers of groups by k-means on every street: those that fill whole vectors."""


class MemoryChoice(NamedTuple):
    """How a solve fits into some memory."""

    precision: int
    """Bits of the stored numbers."""
    groups: str | None
    """Hands that are stored together; None where each has numbers of its own."""
    peak_bytes: int
    """The most that the process will have in use."""
    reason: str
    """What was chosen, and what was too large."""


def fit_memory(
    spot: Spot,
    memory: int,
    rule: str | Rule = DEFAULT_RULE,
    *,
    isomorphism: bool = True,
    threads: int | None = None,
    groups: bool = True,
    counting: Callable[[], None] = lambda: None,
) -> MemoryChoice:
    """Choose bits and groups so that a solve stays within `memory` bytes.

    What loses least comes first: 32 bits, 16 bits, then at 16 bits the groups ``view`` and
    ``strength``, and as many groups by ``kmeans`` on every street as there is room for. What
    the choice costs, the exploitability of the solution shows. Kernels that have to be compiled
    first take about 330 MB more, once.

    Parameters
    ----------
    spot, rule, isomorphism, threads
        What is solved, as for `pokerlab.holdem.spots.solve_spot`.
    memory
        Bytes that the whole process may have in use.
    groups
        Whether hands may be stored together.
    counting
        Called before groups are counted, which takes a second or two on a flop.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> choice = fit_memory(spot, 2_000_000_000)
    >>> choice.precision, choice.groups, choice.reason
    (32, None, '32 bits, each hand on its own, fit: 240 MB')
    >>> fit_memory(spot, 100_000_000)
    Traceback (most recent call last):
    ValueError: memory: 100 MB are too little: even ...
    """
    cost = estimate_cost(spot, rule, isomorphism=isomorphism, threads=threads)
    halved = replace(cost, bits=16)
    merged = merges_suits(spot, isomorphism=isomorphism)

    def grouped(text: str) -> SolveCost:
        counts = count_spot_groups(spot, text, isomorphism=merged, threads=threads)
        return with_groups(spot, halved, counts)

    def clustered(number: int) -> SolveCost:
        return grouped(f"kmeans:{','.join([str(number)] * len(spot.tree.streets))}")

    def finer() -> Iterator[SolveCost]:
        yield cost
        yield halved
        if groups:
            counting()
            yield from map(grouped, _IDENTITIES)

    larger: list[SolveCost] = []
    for each in finer():
        if each.peak_bytes <= memory:
            return _choose(each, larger)
        larger.append(each)
    if groups:
        fitting = bisect_right(_CLUSTERS, memory, key=lambda number: clustered(number).peak_bytes)
        if fitting:
            return _choose(clustered(_CLUSTERS[fitting - 1]), larger)
        larger.append(clustered(_CLUSTERS[0]))
    least = min(larger, key=lambda each: each.peak_bytes)
    raise ValueError(
        f"memory: {size_text(memory)} are too little: even {_name(least)} need "
        f"{size_text(least.peak_bytes)}; offer fewer bet sizes or narrow the ranges"
    )


def _choose(cost: SolveCost, larger: list[SolveCost]) -> MemoryChoice:
    reason = f"{_name(cost)} fit: {size_text(cost.peak_bytes)}"
    if larger:
        needed = (f"{_name(each, short=True)} {size_text(each.peak_bytes)}" for each in larger)
        reason += f" (too large: {', '.join(needed)})"
    groups = None if cost.groups is None else cost.groups.text
    return MemoryChoice(cost.bits, groups, cost.peak_bytes, reason)


def _name(cost: SolveCost, *, short: bool = False) -> str:
    if cost.groups is not None:
        return cost.groups.text if short else f"{cost.bits} bits and groups {cost.groups.text}"
    return f"{cost.bits} bits" if short else f"{cost.bits} bits, each hand on its own,"
