"""`PreflopChart`: what every player does before the flop, with what is known of how good it is.

A chart knows decisions by their lines, and nothing of the rules that lead from one to the next: it
holds any number of players. Classes of starting hands are in the order of `CLASS_NAMES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Floats, Singles

_DIGITS = 4
"""Digits of the weights of ranges; a hand whose weight is then 0 is left out."""
_NEAR = 1.5
"""A raise stands for another that is at most this many times as large."""


class ChartDecision(NamedTuple):
    """A decision of a chart."""

    line: str
    """What led to it, for example ``r2.5/r10``; empty for the first."""
    player: int
    """The number of the player who acts."""
    actions: tuple[str, ...]
    """``f`` folds, ``c`` calls or limps, ``x`` checks, ``r10`` raises to 10 big blinds, ``a``."""


@dataclass(frozen=True, eq=False)
class PreflopChart:
    """Play before the flop, by line and class of starting hands.

    Attributes
    ----------
    players
        The positions, in the order of their numbers: ``("SB", "BB")``.
    stacks
        What each has before the hand, in big blinds.
    small_blind, ante
        In big blinds; each player posts the ante.
    decisions
        All decisions, each after those that lead to it.
    strategy : (decisions, actions, 169)
        Probabilities; 0 for actions that a decision does not have.
    values : (players, decisions, 169)
        What a class wins from the decision on, in big blinds from the beginning of the hand, summed
        over the hands of the others with the chance of the deal and of their play.
    action_values : (decisions, actions, 169)
        The same for each action of the player who acts.
    flop_lines
        The lines that lead to a flop.
    flop_reach : (players, lines, 169)
        How often each class of each player follows them.
    facts
        What is known of the solve: rules, menus, exploitability in parts, rule, iterations and
        seconds.
    """

    players: tuple[str, ...]
    stacks: tuple[float, ...]
    small_blind: float
    ante: float
    decisions: tuple[ChartDecision, ...]
    strategy: Floats
    values: Singles
    action_values: Singles
    flop_lines: tuple[str, ...]
    flop_reach: Singles
    facts: Mapping[str, Any]

    @cached_property
    def by_line(self) -> dict[str, int]:
        """The number of each decision, by its line."""
        return {decision.line: number for number, decision in enumerate(self.decisions)}

    def reach(self, line: str, player: int) -> Floats:
        """(169,): how often each class of a player does what a line says."""
        reach = np.ones(self.strategy.shape[2])
        before = ""
        for label in line.split("/") if line else ():
            number = self.by_line.get(before)
            if number is None or label not in self.decisions[number].actions:
                raise ValueError(f"line {line!r}: the chart has no {label!r} after {before!r}")
            decision = self.decisions[number]
            if decision.player == player:
                reach = reach * self.strategy[number, decision.actions.index(label)]
            before = f"{before}/{label}" if before else label
        return reach

    def range_after(self, line: str, player: int) -> Range:
        """The hands with which a player follows a line, with weights of four digits."""
        weights = np.clip(self.reach(line, player), 0.0, 1.0).round(_DIGITS)
        return Range(weights[CLASS_OF_COMBO])

    def follow(self, acts: Sequence[tuple[str, float | None]]) -> str:
        """The line of the chart that is nearest to what was done.

        An act is ``f``, ``c``, ``x``, ``a``, or ``r`` with what the raise is to. A raise stands for
        the nearest of the chart by the ratio of the two, all-in included.

        Raises ValueError with one line where the chart has nothing near.
        """
        line = ""
        for kind, amount in acts:
            number = self.by_line.get(line)
            known = () if number is None else self.decisions[number].actions
            label = kind
            if amount is not None:
                label = self._nearest(known, amount) or f"r{amount:g}"
            if label not in known:
                after = f"after {line}" if line else "first"
                raise ValueError(
                    f"the charts have no {label} {after}; there: {', '.join(known) or 'nothing'}"
                )
            line = f"{line}/{label}" if line else label
        return line

    def _nearest(self, known: Sequence[str], amount: float) -> str | None:
        """The raise of a decision that is nearest to one to an amount; None if none is near."""
        sizes = {label: float(label[1:]) for label in known if label.startswith("r")}
        if "a" in known:
            sizes["a"] = max(self.stacks)
        if not sizes:
            return None
        ratio = {label: abs(log(size / amount)) for label, size in sizes.items()}
        label = min(ratio, key=ratio.__getitem__)
        return label if ratio[label] <= log(_NEAR) else None
