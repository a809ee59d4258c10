"""What the flops of a game before the flop take in memory, and how to store them within some.

A flop has what all its lines share: who wins each all-in, which hands its boards leave in what
order, and which of them are in one group; both players have the same. Every line adds its tables of
regrets and strategies. Without groups the tables are most of it, with groups the smallest part, so
there is no point in groups that are coarser than those by strength.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from pokerlab.cards.codes import Cards
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.tables.group_counts import count_spot_groups
from pokerlab.holdem.preflop.betting import PreflopRules
from pokerlab.holdem.preflop.flop_bets import DEFAULT_BETS, FlopBets, WeightedBoards
from pokerlab.holdem.spots.cost import SolveCost, estimate_cost, with_groups
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.runtime.machine import core_count, size_text
from pokerlab.solvers.rules import Rule, parse_rule

_BASE_BYTES = 240_000_000
"""Python, its compiled kernels, the table of the 169 classes."""
_WALKER_BYTES = 3_000_000
"""The rows that a walk over a line of a board works in."""
_BOARD_BYTES = 11
"""For each hand of both players on each board: they share their tables."""
_GROUP_BYTES = 17
"""Likewise, where hands are in groups: 9 for the groups, and what making them leaves behind."""
_GROUPING_BYTES = 32
"""Likewise, what a thread takes to make the groups of a board."""


@dataclass(frozen=True)
class StorageChoice:
    """How numbers after the flop are stored.

    Attributes
    ----------
    precision
        Bits of a number.
    groups
        Hands that are stored together; None where each has numbers of its own.
    peak_bytes
        About what the whole process has in use.
    reason
        What was chosen, and what was too large.
    """

    precision: int
    groups: str | None
    peak_bytes: int
    reason: str


class SubtreeMemory:
    """Counts what all subtrees of a subset take, before they are made.

    Examples
    --------
    >>> rules = PreflopRules(10, "a")
    >>> memory = SubtreeMemory(rules, [("QhJh2c", 1.0), ("AsKs7d", 1.0)])
    >>> memory.peak_bytes(16) // 10**6, memory.peak_bytes(32) // 10**6
    (830, 1136)
    """

    def __init__(
        self,
        rules: PreflopRules,
        boards: WeightedBoards,
        bets: FlopBets = DEFAULT_BETS,
        rule: str | Rule = DEFAULT_RULE,
        threads: int | None = None,
    ) -> None:
        self._threads = threads
        self._rule = parse_rule(rule)
        self._boards = [_Board(rules, board, bets) for board, _ in boards]
        self._counted: dict[object, _LineCosts] = {}

    def peak_bytes(self, precision: int, groups: HandGrouping | None = None) -> int:
        """About what the whole process has in use."""
        costs = [self._cost(board, groups) for board in self._boards]
        counted = _BASE_BYTES + sum(cost.nbytes(precision) for cost in costs)
        if groups is not None:
            threads = min(self._threads or core_count(), len(costs))
            counted += threads * _GROUPING_BYTES * max((cost.hands for cost in costs), default=0)
        return counted

    def table_bytes(self, precision: int, groups: HandGrouping | None = None) -> int:
        """About the size of all regrets and strategies, and so of a checkpoint."""
        return sum(self._cost(board, groups).table_bytes(precision) for board in self._boards)

    def _cost(self, board: _Board, groups: HandGrouping | None) -> _LineCosts:
        # Boards of the same suits, and of as many ranks, have as many run-outs up to suits. Their
        # groups are not quite as many, but the tables are the smallest part then.
        key = groups, board.kind
        if key not in self._counted:
            costs = [estimate_cost(spot, self._rule) for spot in board.spots]
            if groups is not None and costs:
                counts = count_spot_groups(board.spots[0], groups, threads=self._threads)
                costs = [
                    with_groups(spot, cost, counts)
                    for spot, cost in zip(board.spots, costs, strict=True)
                ]
            self._counted[key] = _LineCosts(costs)
        return self._counted[key]


def fit_subtrees(
    rules: PreflopRules,
    boards: WeightedBoards,
    bets: FlopBets,
    memory: int,
    rule: str | Rule = DEFAULT_RULE,
    *,
    threads: int | None = None,
    counting: Callable[[], None] = lambda: None,
) -> StorageChoice:
    """Choose bits and groups so that a solve stays within `memory` bytes.

    What loses least comes first: 32 bits, 16 bits, then at 16 bits the groups ``view`` and
    ``strength``. `counting` is called before groups are counted, which takes some seconds.

    Examples
    --------
    >>> rules, boards = PreflopRules(10, "a"), [("QhJh2c", 1.0)]
    >>> fit_subtrees(rules, boards, DEFAULT_BETS, 600_000_000).reason
    '16 bits, each hand on its own, fit: 535 MB (too large: 32 bits 688 MB)'
    >>> fit_subtrees(rules, boards, DEFAULT_BETS, 1000)
    Traceback (most recent call last):
    ValueError: memory: 1.0 kB are too little: even 16 bits, each hand on its own, need about ...
    """
    counted = SubtreeMemory(rules, boards, bets, rule, threads)
    view, strength = HandGrouping.parse("view"), HandGrouping.parse("strength")
    larger: list[StorageChoice] = []
    for precision, groups in ((32, None), (16, None), (16, view), (16, strength)):
        if groups is view:
            counting()
        needed = counted.peak_bytes(precision, groups)
        text = None if groups is None else groups.text
        choice = StorageChoice(precision, text, needed, "")
        if needed <= memory:
            return replace(choice, reason=_reason(choice, larger))
        larger.append(choice)
    least = min(larger, key=lambda each: each.peak_bytes)
    raise ValueError(
        f"memory: {size_text(memory)} are too little: even {_name(least)} need about "
        f"{size_text(least.peak_bytes)}; take fewer flops, or offer fewer sizes before the flop"
    )


@dataclass(frozen=True, eq=False)
class _Board:
    """A board of the subset."""

    rules: PreflopRules
    cards: Cards
    bets: FlopBets

    @cached_property
    def kind(self) -> object:
        """The same for boards that have as many run-outs."""
        cards = canonical(self.cards).cards
        return (
            tuple(card & 3 for card in cards),
            tuple(card >> 2 == after >> 2 for card, after in pairwise(cards)),
        )

    @cached_property
    def spots(self) -> list[Spot]:
        return self.bets.spots(self.rules, self.cards)


@dataclass(frozen=True)
class _LineCosts:
    """What the lines of a board take."""

    costs: list[SolveCost]

    @property
    def hands(self) -> int:
        return max((cost.counts.hands for cost in self.costs), default=0)

    def table_bytes(self, precision: int) -> int:
        return sum(replace(cost, bits=precision).table_bytes for cost in self.costs)

    def nbytes(self, precision: int) -> int:
        shared = max(map(_shared_bytes, self.costs), default=0)
        return self.table_bytes(precision) + len(self.costs) * _WALKER_BYTES + shared


def _shared_bytes(cost: SolveCost) -> int:
    """What all lines of a board share; margins of two bytes are those of both players."""
    hands = _BOARD_BYTES + (0 if cost.groups is None else _GROUP_BYTES)
    return cost.counts.margins + hands * cost.counts.hands


def _reason(choice: StorageChoice, larger: list[StorageChoice]) -> str:
    reason = f"{_name(choice)} fit: {size_text(choice.peak_bytes)}"
    if larger:
        needed = (f"{_name(each, short=True)} {size_text(each.peak_bytes)}" for each in larger)
        reason += f" (too large: {', '.join(needed)})"
    return reason


def _name(choice: StorageChoice, *, short: bool = False) -> str:
    if choice.groups is not None:
        return choice.groups if short else f"{choice.precision} bits and groups {choice.groups}"
    bits = f"{choice.precision} bits"
    return bits if short else f"{bits}, each hand on its own,"
