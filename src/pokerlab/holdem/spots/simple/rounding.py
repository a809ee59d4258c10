"""Strategies with few frequencies: multiples of a step, and few actions for each hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.games.betting_trees.chips import read_number
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.simple.hand_sets import board_groups, check_hand_set
from pokerlab.holdem.spots.simple.own_reach import own_reach
from pokerlab.holdem.spots.simple.rounding_kernels import round_rows
from pokerlab.runtime.arrays import Halves, Singles
from pokerlab.runtime.errors import shorten

ALL_ACTIONS = 1000
"""More than any decision has."""

_NEARLY = 0.011
"""33% stands for a third."""
_MOST_UNITS = 1000


@dataclass(frozen=True)
class Rounding:
    """How decisions are made simple.

    Attributes
    ----------
    units
        Probabilities become multiples of 1 / units; 0 leaves them.
    most
        The most actions that a hand may mix.
    by
        What plays one strategy together: see `pokerlab.holdem.spots.simple.hand_sets`.
    balanced
        Whether rounding one hand up lets the next be rounded down, so that the whole range takes
        each action nearly as often as before. Otherwise each hand is rounded to the nearest.

    Examples
    --------
    >>> Rounding.of("25%", max_actions=2)
    Rounding(units=4, most=2, by='hand', balanced=True)
    >>> Rounding.of("33%").units
    3
    >>> Rounding.of("30%")
    Traceback (most recent call last):
    ValueError: step: 30% does not divide 100%; take 50%, 25%, 20%, 10%, 5%, 1% or another that does
    """

    units: int = 4
    most: int = ALL_ACTIONS
    by: str = "hand"
    balanced: bool = True

    @classmethod
    def of(
        cls,
        step: float | str = "25%",
        max_actions: int | None = None,
        by: str = "hand",
        *,
        balanced: bool = True,
    ) -> Rounding:
        """Read a step, in percent or from 0 to 1; 0 for no rounding."""
        check_hand_set(by)
        if max_actions is not None and max_actions < 1:
            raise ValueError(f"max actions: {max_actions} must be at least 1")
        most = ALL_ACTIONS if max_actions is None else min(max_actions, ALL_ACTIONS)
        return cls(_units(step), most, by, balanced)

    @property
    def text(self) -> str:
        """The settings in a few words: ``25%, at most 2 actions, by hand``."""
        parts = [f"{100 / self.units:g}%"] if self.units else ["no steps"]
        if not self.keeps_actions:
            parts.append(f"at most {self.most} action{'s' if self.most > 1 else ''}")
        return ", ".join([*parts, f"by {self.by}"])

    @property
    def keeps_all(self) -> bool:
        """Whether nothing changes."""
        return self.units == 0 and self.keeps_actions and self.by == "hand"

    @property
    def keeps_actions(self) -> bool:
        """Whether hands may mix all actions."""
        return self.most >= ALL_ACTIONS

    def round(self, rows: Singles, weights: Sequence[float] | None = None) -> Singles:
        """Round (actions, hands), each hand by itself, with these weights.

        Examples
        --------
        >>> rows = np.array([[0.6, 0.6, 0.6], [0.4, 0.4, 0.4]], np.float32)
        >>> Rounding(1).round(rows)[0], Rounding(1, balanced=False).round(rows)[0]
        (array([1., 0., 1.], dtype=float32), array([1., 1., 1.], dtype=float32))
        """
        hands = rows.shape[1]
        weighed = np.ones(hands) if weights is None else np.asarray(weights, np.float64)
        groups = np.arange(hands, dtype=np.int32)
        rounded = np.empty_like(rows)
        round_rows(
            rows, weighed, groups, hands, self.units, self.most, bool(self.balanced), rounded
        )
        return rounded


def _units(step: float | str) -> int:
    text = step.strip() if isinstance(step, str) else f"{step:g}"
    number = read_number(text.removesuffix("%").rstrip())
    if number is None or not 0 <= number <= (100 if text.endswith("%") else 1):
        raise ValueError(f"step: {shorten(text)!r} is not a step from 0% to 100%, such as 25%")
    share = number / 100 if text.endswith("%") else number
    share = share if isinstance(step, str) else float(step)
    if share == 0:
        return 0
    units = round(1 / share)
    if units > _MOST_UNITS:
        raise ValueError(f"step: {shorten(text)} is below 0.1%; 0 leaves probabilities as they are")
    if abs(units * share - 1) > _NEARLY:
        raise ValueError(
            f"step: {shorten(text)} does not divide 100%; "
            "take 50%, 25%, 20%, 10%, 5%, 1% or another that does"
        )
    return units


def round_strategy(
    prepared: PreparedSpot,
    player: int,
    strategy: Sequence[Halves],
    rounding: Rounding,
    fixed: Collection[tuple[int, int]] = (),
) -> tuple[Halves, ...]:
    """Round every decision of a player on all boards, but for those that are `fixed`.

    Each is rounded by itself: means and balance count hands as they arrive by `strategy`, so what
    becomes of a decision does not depend on which others are rounded too.
    """
    if rounding.keeps_all:
        return tuple(strategy)
    rounded = tuple(np.array(each) for each in strategy)
    for board in own_reach(prepared, player, strategy):
        level, number = board.level, board.number
        layout, street = prepared.layout.at(level, player), prepared.spot.tree.streets[level]
        groups, count = board_groups(prepared, player, level, number, rounding.by)
        written = layout.board(rounded[level], number)
        for node in np.flatnonzero(street.player == player).tolist():
            if (level, node) in fixed:
                continue
            slots = slice(int(layout.slot[node]), int(layout.slot[node] + layout.actions[node]))
            simple = np.empty_like(board.rows[slots])
            round_rows(
                board.rows[slots],
                board.reach[node],
                groups,
                count,
                rounding.units,
                rounding.most,
                bool(rounding.balanced),
                simple,
            )
            written[slots] = simple
    return rounded


def choose_decisions(
    prepared: PreparedSpot,
    player: int,
    full: Sequence[Halves],
    simple: Sequence[Halves],
    chosen: Collection[tuple[int, int]],
) -> tuple[Halves, ...]:
    """A strategy that is simple at some decisions, (level, node), and full at all others."""
    mixed = []
    for level, street in enumerate(prepared.spot.tree.streets):
        layout = prepared.layout.at(level, player)
        own = [int(node) for node in np.flatnonzero(street.player == player)]
        wanted = [node for node in own if (level, node) in chosen]
        if len(wanted) in (0, len(own)):
            mixed.append(np.asarray((simple if wanted else full)[level]))
            continue
        slots = np.concatenate(
            [
                np.arange(layout.slot[node], layout.slot[node] + layout.actions[node])
                for node in wanted
            ]
        )
        array = np.array(full[level])
        for number in range(len(layout.rows)):
            here = layout.board(np.asarray(simple[level]), number)
            layout.board(array, number)[slots] = here[slots]
        mixed.append(array)
    return tuple(mixed)
