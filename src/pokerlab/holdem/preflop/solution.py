"""`PreflopSolution`: the result of a solve before the flop, by line and starting hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.charts.chart import PreflopChart
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.game import PreflopGame, Strategy
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.shown import Shown


@dataclass(frozen=True, eq=False)
class PreflopView(Shown):
    """One decision before the flop.

    Attributes
    ----------
    line
        The actions that led here: ``r2.5/c``; ``f`` folds, ``c`` calls (or limps), ``x`` checks,
        ``a`` is all-in.
    player
        The player to act, `SMALL_BLIND` or `BIG_BLIND`.
    actions
        The legal actions.
    reach
        (169,): how often each class of the player gets there by its own play.
    strategy
        (actions, 169): what it does.
    """

    _picture = "pokerlab.views.pictures.preflop_picture:view_html"

    line: str
    player: int
    actions: tuple[str, ...]
    reach: Floats
    strategy: Floats
    _evs: Callable[[], Floats]

    @cached_property
    def ev(self) -> Floats:
        """(actions, 169): what each action wins, in big blinds from the beginning of the hand.

        NaN where no opposing hand gets there. With flops this takes a walk over all of them.
        """
        return self._evs()

    def to_frame(self) -> Any:
        """A row for each class: reach, and how often each action is taken.

        A ``pandas.DataFrame``; EVs are in `PreflopSolution.rows`.
        """
        return make_frame(
            {
                "hand": CLASS_NAMES,
                "combos": CLASS_SIZES.tolist(),
                "reach": self.reach.tolist(),
                **dict(zip(self.actions, self.strategy.tolist(), strict=True)),
            }
        )

    @property
    def frequencies(self) -> Floats:
        """How often each action is taken, over all hands that get there; NaN if none does."""
        weights = self.reach * CLASS_SIZES
        with np.errstate(invalid="ignore"):
            return np.asarray(self.strategy @ weights / weights.sum())


@dataclass(frozen=True, eq=False)
class PreflopSolution(Shown):
    """A strategy for both players before the flop, with its values.

    Attributes
    ----------
    game
        What was solved.
    strategy
        One table (decisions, actions, 169), in the order of `game.tree`; see `PreflopGame`.
    exploitability
        Half of what both players could gain together by best responses, in big blinds.
    method
        How it was found, as ``lp`` or ``dcfr(1.5,0,2)``.
    chart
        The file that it was read from: values are then those of the file.

    Examples
    --------
    >>> from pokerlab.holdem.preflop import solve_push_fold
    >>> solution = solve_push_fold(10)
    >>> round(solution.value, 4), solution.exploitability < 1e-9
    (-0.0454, True)
    >>> solution.at("").frequencies.round(3)
    array([0.417, 0.583])
    >>> float(solution.at("a").strategy[1, CLASS_NAMES.index("K7s")])
    1.0
    """

    _picture = "pokerlab.views.pictures.preflop_picture:solution_html"

    game: PreflopGame
    strategy: Strategy
    exploitability: float
    method: str
    chart: PreflopChart | None = None

    def __repr__(self) -> str:
        return (
            f"<PreflopSolution {self.rules.stack:g} bb {self.method}, "
            f"exploitability {self.exploitability:.2g} bb>"
        )

    @property
    def rules(self) -> PreflopRules:
        """The rules of the betting."""
        return self.game.rules

    @property
    def value(self) -> float:
        """The small blind's winnings a hand, in big blinds; the big blind loses them."""
        if self.chart is not None:
            return float(self.chart.values[SMALL_BLIND, 0].sum(dtype=np.float64))
        return float(self.place_values(SMALL_BLIND)[0].sum())

    @property
    def decisions(self) -> list[str]:
        """The lines after which a player acts, in the order of the tree."""
        return [line for _, _, line in self.game.tree.walk()]

    def at(self, line: str) -> PreflopView:
        """The decision after a line such as ``r2.5``; the first one is ``""``."""
        street, place = self.game.tree.streets[0], self.game.tree.find(line)
        if place.kind != EdgeKind.NODE:
            raise ValueError(f"line {line!r}: nobody acts there, the betting has ended")
        node, actions = place.node, tuple(street.labels(place.node))
        player = int(street.player[node])
        return PreflopView(
            self.game.tree.line(0, node),
            player,
            actions,
            self.reaches(player)[node],
            self.strategy[0][node, : len(actions)],
            partial(self._action_values, node, player),
        )

    def _action_values(self, node: int, player: int) -> Floats:
        """What each action wins for each class; NaN where no opposing hand gets there."""
        following = self.game.streets[0].child[node]
        if self.chart is None:
            won = self.place_values(player)[following[following >= 0]]
        else:
            won = self.chart.action_values[node, : np.count_nonzero(following >= 0)]
        met = self.game.unblocked(0, self.reaches(1 - player)[node][None])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(won / met)

    def place_values(self, player: int) -> Floats:
        """(places, 169): the values of a player's classes, as `PreflopGame.place_values` has them.

        With flops this takes a walk over all of them, once for each player. `ValueError` for what
        was read from a file, which has the values of decisions and actions alone.
        """
        if self.chart is not None:
            raise ValueError("a file has the values of decisions and actions, not of all places")
        if player not in self._walked:
            self._walked[player] = self.game.place_values(self.strategy, player)
        return self._walked[player]

    @cached_property
    def _walked(self) -> dict[int, Floats]:
        return {}

    def reaches(self, player: int) -> Floats:
        """(places, 169): how often each class of a player does what leads to each place."""
        return self._reaches[player]

    @cached_property
    def _reaches(self) -> list[Floats]:
        return [self.game.reach(self.strategy, player) for player in (SMALL_BLIND, BIG_BLIND)]

    def range_after(self, line: str, player: int) -> Range:
        """The hands with which a player follows a line.

        Examples
        --------
        >>> from pokerlab.holdem.preflop import SMALL_BLIND, solve_push_fold
        >>> "A2o" in solve_push_fold(10).range_after("a", SMALL_BLIND)
        True
        """
        reach = self.reaches(player)[self.game.place(line)]
        return Range(np.clip(reach, 0.0, 1.0)[CLASS_OF_COMBO])

    def lines(self) -> Iterator[tuple[str, int, Range]]:
        """Every line that ends with something other than a fold, who ended it, with what."""
        for before in self.decisions:
            view = self.at(before)
            for action in view.actions:
                if action != "f":
                    line = f"{before}/{action}" if before else action
                    yield line, view.player, self.range_after(line, view.player)

    def rows(self, line: str) -> list[dict[str, object]]:
        """A row for each class at a decision: its name, combos, reach, shares and EVs."""
        view = self.at(line)
        return [
            {
                "hand": name,
                "combos": int(CLASS_SIZES[number]),
                "reach": float(view.reach[number]),
                "strategy": view.strategy[:, number].tolist(),
                "ev": [None if np.isnan(each) else float(each) for each in view.ev[:, number]],
            }
            for number, name in enumerate(CLASS_NAMES)
        ]
