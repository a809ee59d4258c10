"""What the tasks of the study found, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pokerlab.holdem.spots.coarse.lifting import ANSWERS
from pokerlab.studies.bets.menus import BEST, MenuTask
from pokerlab.studies.bets.plan import BetsPlan, BetsTask
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.study import Kept

ALL_ANSWERS = (*ANSWERS, BEST)
Kind = TypeVar("Kind")


class LossRow(NamedTuple):
    """What a coarse strategy loses, in percent of the pot."""

    street: str
    board: str
    sizes: str
    player: int
    answer: str
    least: float
    most: float
    solves: int
    mbb: float

    @property
    def percent(self) -> float:
        """The middle of the bounds."""
        return (self.least + self.most) / 2


@dataclass(frozen=True, eq=False)
class BetsResults:
    """The results of all tasks that were done.

    Attributes
    ----------
    plan
        What was to be done.
    done
        The results by task.
    """

    plan: BetsPlan
    done: Mapping[BetsTask, Kept]

    def of(self, kind: type[Kind]) -> list[tuple[Kind, dict[str, Any]]]:
        """The tasks of a kind with their results."""
        return [(task, kept) for task, kept in self.done.items() if isinstance(task, kind)]

    def losses(self) -> Iterator[LossRow]:
        """All rows of the menu tasks."""
        for task, kept in self.of(MenuTask):
            game = task.game
            for player, answer, least, most, solves, _ in kept["rows"]:
                bounds = game.percent(least), game.percent(most)
                mbb = 500 * (least + most)
                place = (game.street, game.board, first_sizes(game.bet, game.street))
                yield LossRow(*place, player, answer, *bounds, solves, mbb)


def first_sizes(menu: str, street: str) -> str:
    """The sizes of a street in a menu's text.

    Examples
    --------
    >>> first_sizes("flop: 33%, a; turn: a", "flop"), first_sizes("50%, a", "river")
    ('33%, a', '50%, a')
    """
    parts = dict(part.split(": ") for part in menu.split("; ")) if ":" in menu else {street: menu}
    return parts[street]


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> tuple[Measure, float]:
    """The mean of flops with its standard error, and the standard deviation over flops.

    Examples
    --------
    >>> weighted_mean([1.0, 3.0], [1.0, 1.0])
    (Measure(value=2.0, error=1.0), 1.4142135623730951)
    """
    each, share = np.array(values), np.array(weights) / np.sum(weights)
    mean = float(share @ each)
    count = 1 / float(share @ share)  # of flops that all weigh the same
    if count <= 1:
        return Measure(mean, float("nan")), float("nan")
    spread = float(np.sqrt(share @ (each - mean) ** 2 * count / (count - 1)))
    return Measure(mean, spread / count**0.5), spread
