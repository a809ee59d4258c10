"""`Setup`: how hands are dealt, and which of their decisions are asked.

The *gap* of a decision is what the second-best action loses against the best, in percent of the
pot, with the hand that is held. Where it is smaller than what still counts as no loss, both actions
are right and the solution mixes them: how often to take each is another thing to learn. So these
are left out unless they are asked for.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pokerlab.drills.hand import seat_number
from pokerlab.drills.judging import GRADES
from pokerlab.games.betting_trees import Line
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots import NodeView
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

LONGEST = 600
"""The most seconds that a decision may be given."""


@dataclass(frozen=True)
class Closeness:
    """Bounds of the gap, in percent of the pot.

    Attributes
    ----------
    most
        Close decisions alone: the gap is at most this; None for any.
    least
        Clear decisions alone: the gap is at least this. None leaves out those whose two best
        actions both count as no loss; 0 leaves out none.

    Examples
    --------
    >>> Closeness(most=1).text()
    'with a gap of at most 1% of the pot'
    >>> Closeness(most=1, least=2)
    Traceback (most recent call last):
    ValueError: clear: 2 is above close, 1: no gap is both
    """

    most: float | None = None
    least: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("close", self.most), ("clear", self.least)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and 0 <= value <= 100):
                shown = shorten(repr(value))
                raise ValueError(f"{name}: {shown} must be from 0 to 100 (percent of the pot)")
        if self.most is not None and self.least is not None and self.least > self.most:
            raise ValueError(f"clear: {self.least:g} is above close, {self.most:g}: no gap is both")

    @property
    def all(self) -> bool:
        """Whether every decision is asked."""
        return self.most is None and self.least is None

    def fits(self, gap: float, exactness: float = 0.0) -> bool:
        """Whether a decision is asked; losses up to `exactness` count as none.

        Examples
        --------
        >>> [Closeness(most=1).fits(gap) for gap in (0.05, 0.5, 2)]
        [False, True, False]
        >>> Closeness(most=1).fits(0.5, exactness=0.6), Closeness(most=1, least=0).fits(0)
        (False, True)
        """
        if self.all:
            return True
        if not gap >= 0:  # the hand cannot be here
            return False
        if self.most is not None and gap > self.most:
            return False
        if self.least is not None:
            return gap >= self.least
        return gap > max(GRADES["best"], exactness)

    def check(self, exactness: float) -> None:
        """`ValueError` if no gap can be within the bounds: a solution is not as exact as that.

        Examples
        --------
        >>> Closeness(most=0.3).check(0.5)
        Traceback (most recent call last):
        ValueError: close: up to 0.5% of the pot count as no loss here, so ask for more ...
        """
        floor = max(GRADES["best"], exactness)
        if self.most is not None and self.least is None and self.most <= floor:
            raise ValueError(
                f"close: up to {floor:.2g}% of the pot count as no loss here, so ask for more than"
                " that, or also for actions that are as good (clear: 0)"
            )

    def text(self) -> str:
        """The bounds in words."""
        parts = []
        if self.least:
            parts.append(f"at least {self.least:g}%")
        if self.most is not None:
            parts.append(f"at most {self.most:g}%")
        return f"with a gap of {' and '.join(parts) or 'any size'} of the pot"


@dataclass(frozen=True)
class Setup:
    """How hands are dealt.

    Attributes
    ----------
    seat
        ``oop`` or ``ip``; None for both in turn.
    street
        ``flop``, ``turn`` or ``river``: hands begin where equilibrium play first comes to it.
        None for where the solution begins.
    line
        Hands begin after this line, reached by equilibrium play; cards may be left out.
    mistakes
        Only decisions that went wrong before, until they are played well.
    seed
        The same seed deals the same hands.
    close, clear
        Only decisions whose two best actions are at most, or at least, as far apart as this, in
        percent of the pot (see `Closeness`); the solution plays your seat elsewhere.
    seconds
        The time for each decision; None for as long as you like.
    due
        ``only`` for decisions that are due today, ``first`` for these before new hands, else empty.

    Examples
    --------
    >>> Setup(seat="button")
    Traceback (most recent call last):
    ValueError: seat: 'button' must be one of oop, ip
    >>> Setup(street="preflop")
    Traceback (most recent call last):
    ValueError: street: 'preflop' must be one of flop, turn, river
    """

    seat: str | None = None
    street: str | None = None
    line: str = ""
    mistakes: bool = False
    seed: int = 0
    close: float | None = None
    clear: float | None = None
    seconds: float | None = None
    due: str = ""

    def __post_init__(self) -> None:
        if self.seat is not None:
            seat_number(self.seat)
        if self.street is not None and self.street not in STREETS:
            shown = shorten(str(self.street))
            raise ValueError(f"street: {shown!r} must be one of {', '.join(STREETS)}")
        Line.parse(self.line)
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed: {shorten(repr(self.seed))} is not a seed (0 or more)")
        Closeness(self.close, self.clear)
        if self.seconds is not None:
            number = isinstance(self.seconds, int | float) and not isinstance(self.seconds, bool)
            if not (number and 1 <= self.seconds <= LONGEST):
                shown = shorten(repr(self.seconds))
                raise ValueError(f"seconds: {shown} must be from 1 to {LONGEST}")
        if self.due not in ("", "only", "first"):
            raise ValueError(f"due: {shorten(repr(self.due))} must be only, first or empty")
        if self.mistakes and self.due:
            raise ValueError("due: choose mistakes or what is due, not both")

    @property
    def closeness(self) -> Closeness:
        """Which decisions are asked."""
        return Closeness(self.close, self.clear)

    @property
    def repeats(self) -> bool:
        """Whether only decisions of earlier hands are dealt."""
        return self.mistakes or self.due == "only"

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def gaps(view: NodeView) -> Floats:
    """The gap of each hand at a decision, in percent of the pot (1326); NaN where it cannot be.

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> found = gaps(solve_spot(spot, target="0.01%").at())
    >>> found[combo_index(*parse_cards("7s7h"))] > 10
    np.True_
    """
    if len(view.actions) < 2:
        return np.full(view.action_ev.shape[1], np.nan)
    ordered = np.sort(view.action_ev, axis=0)
    return np.asarray(100 * (ordered[-1] - ordered[-2]) / view.pot)
