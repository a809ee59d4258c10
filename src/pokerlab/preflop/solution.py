"""`PreflopSolution`: the result of a solve before the flop, by line and starting hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.cards.ranges.range import Range
from pokerlab.files.columns import make_frame
from pokerlab.pictures.shown import Shown
from pokerlab.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopNode, PreflopRules
from pokerlab.preflop.game import PreflopGame, Strategy


@dataclass(frozen=True, eq=False)
class PreflopView(Shown):
    """One decision before the flop.

    Attributes
    ----------
    node
        What may be done, and by whom.
    reach
        (169,): how often each class of who acts gets there by its own play.
    strategy
        (actions, 169): what it does.
    """

    _picture = "pokerlab.preflop.preflop_picture:view_html"

    node: PreflopNode
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
                **dict(zip(self.node.actions, self.strategy.tolist(), strict=True)),
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
        By node of the tree: (actions, 169) at decisions, None at ends.
    exploitability
        Half of what both players could gain together by best responses, in big blinds.
    method
        How it was found, as ``lp`` or ``dcfr(1.5,0,2)``.

    Examples
    --------
    >>> from pokerlab.preflop import solve_push_fold
    >>> solution = solve_push_fold(10)
    >>> round(solution.value, 4), solution.exploitability < 1e-9
    (-0.0454, True)
    >>> solution.at("").frequencies.round(3)
    array([0.417, 0.583])
    >>> float(solution.at("a").strategy[1, CLASS_NAMES.index("K7s")])
    1.0
    """

    _picture = "pokerlab.preflop.preflop_picture:solution_html"

    game: PreflopGame
    strategy: Strategy
    exploitability: float
    method: str

    def __repr__(self) -> str:
        return (
            f"<PreflopSolution {self.rules.stack:g} bb {self.method}, "
            f"exploitability {self.exploitability:.2g} bb>"
        )

    @property
    def rules(self) -> PreflopRules:
        """The rules of the betting."""
        return self.game.tree.rules

    @cached_property
    def value(self) -> float:
        """The small blind's winnings a hand, in big blinds; the big blind loses them."""
        return float(self.game.values(self.strategy, SMALL_BLIND).sum())

    def at(self, line: str) -> PreflopView:
        """The decision after a line such as ``r2.5``; the first one is ``""``."""
        number = self.game.tree.find(line)
        node = self.game.tree.nodes[number]
        probabilities = self.strategy[number]
        if node.player is None or probabilities is None:
            raise ValueError(f"line {line!r}: nobody acts there, the betting has ended")
        return PreflopView(
            node,
            self.game.reach(self.strategy, number, node.player),
            probabilities,
            partial(self.game.action_values, self.strategy, number),
        )

    def range_after(self, line: str, player: int) -> Range:
        """The hands with which a player follows a line.

        Examples
        --------
        >>> from pokerlab.preflop import SMALL_BLIND, solve_push_fold
        >>> "A2o" in solve_push_fold(10).range_after("a", SMALL_BLIND)
        True
        """
        reach = self.game.reach(self.strategy, self.game.tree.find(line), player)
        return Range(np.clip(reach, 0.0, 1.0)[CLASS_OF_COMBO])

    def lines(self) -> Iterator[tuple[str, int, Range]]:
        """Every line that ends with something other than a fold, who ended it, with what."""
        for number in self.game.tree.decisions:
            node = self.game.tree.nodes[number]
            assert node.player in (SMALL_BLIND, BIG_BLIND)
            for action, child in zip(node.actions, node.children, strict=True):
                if action != "f":
                    line = self.game.tree.nodes[child].line
                    yield line, node.player, self.range_after(line, node.player)

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
