"""What menus are worth: certified solves of a spot, or of several boards with weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.codes import card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.coarse.menu_loss import check_no_rake
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.sizes.menu_places import PlacedMenus, with_menus
from pokerlab.holdem.spots.solving import parse_target, solve_spot
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import KeptValues, value_store


class ChipBounds(NamedTuple):
    """A number of chips that a certificate encloses."""

    least: float
    most: float

    @property
    def middle(self) -> float:
        """The middle of the bounds."""
        return (self.least + self.most) / 2

    def never_negative(self) -> tuple[float, float, float]:
        """Middle and bounds of a number that is known not to be negative.

        Examples
        --------
        >>> ChipBounds(-0.5, 1.5).never_negative(), ChipBounds(-2.0, 1.0).never_negative()
        ((0.5, 0.0, 1.5), (0.0, 0.0, 1.0))
        """
        return max(self.middle, 0.0), max(self.least, 0.0), max(self.most, 0.0)

    def minus(self, other: ChipBounds) -> ChipBounds:
        """Bounds of the difference."""
        return ChipBounds(self.least - other.most, self.most - other.least)


class MenuValues:
    """Solves a spot with the menus that it is asked for, each once.

    Parameters
    ----------
    spot
        Without rake and locks.
    boards
        The boards to average over and their weights; that of the spot alone by default. A board
        counts by its weight times the deals that the ranges leave on it.
    target
        Of every solve: chips, or percent of the pot.
    threads, device
        See `solve_spot`.
    resume
        A file that keeps what was solved, for the same call later.
    report
        Called after each solve.
    """

    def __init__(
        self,
        spot: Spot,
        boards: Mapping[str, float] | None = None,
        *,
        target: float | str = "0.1%",
        threads: int | None = None,
        device: str = "auto",
        resume: str | Path | None = None,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        check_comparable(spot)
        parse_target(target, spot.pot)
        named = [(spot, 1.0)]
        if boards is not None:
            named = [(spot.with_board(name), weight) for name, weight in boards.items()]
            if len({each.street for each, _ in named}) > 1:
                raise ValueError("boards: one menu is for boards of one street; take flops alone")
            named = [(each, weight * _deals(each)) for each, weight in named]
        total = sum(weight for _, weight in named)
        self.spot = named[0][0]
        self._boards = [(each, weight / total) for each, weight in named]
        self._options: dict[str, Any] = {"target": target, "threads": threads, "device": device}
        self._target, self._report = target, report
        self._store = None if resume is None else value_store(resume, "sizes", (2, 4))
        self._known: dict[str, KeptValues] = {} if self._store is None else self._store.all()
        self.solves = 0

    def value(self, player: int, menus: PlacedMenus) -> ChipBounds:
        """What the game is worth to a player; with prizes, the equilibrium that was found."""
        least = most = 0.0
        for spot, weight in self._boards:
            known = self._solved(with_menus(spot, menus))
            # Where players share the pot, what one takes at most is what the other takes at least.
            lower = known[2 + player] if spot.pays_prizes else spot.pot - known[1 - player]
            least, most = least + weight * lower, most + weight * known[player]
        return ChipBounds(least, most)

    def _solved(self, spot: Spot) -> tuple[float, ...]:
        """What each player takes at most; with prizes, what each takes behind it."""
        key = digest(spot.to_toml(), str(self._target), length=32)
        known = self._known.get(key)
        if known is None:
            found = solve_whole(spot, **self._options)
            taken = found.values if spot.pays_prizes else ()
            known = self._known[key] = key, (*found.best_values, *taken)
            self.solves += 1
            self._report()
            if self._store is not None:
                self._store.add(key, known)
        return known[1]


def check_comparable(spot: Spot) -> None:
    """Refuse a spot with rake or locks: what sizes are worth there cannot be compared."""
    check_no_rake(spot)
    if spot.locks:
        raise ValueError("locks: sizes are compared without them")


def solve_whole(spot: Spot, **options: Any) -> PostflopSolution:
    """Solve a spot, one of many: `KeyboardInterrupt` if that is interrupted, not a rough answer."""
    solution = solve_spot(spot, **options)
    if solution.stopped == "interrupted":
        raise KeyboardInterrupt
    return solution


def _deals(spot: Spot) -> float:
    """How many deals of two hands the ranges leave on the board, weights multiplied."""
    free = COMBO_MASKS & np.uint64(card_mask(spot.board)) == 0
    first, second = (np.where(free, each.weights, 0.0) for each in spot.ranges)
    return float(first @ unblocked_weights(second))
