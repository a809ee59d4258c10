"""CFR and its variants on a game before the flop, all 169 classes at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.limit.bucket_games.evaluation import Below
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.preflop.game import PreflopGame, Strategy
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.rules import Rule


class FlopLearner(Protocol):
    """What follows a flop and learns together with the play before it."""

    def learn(self, reach: Floats, hero: int, iteration: int) -> Floats:
        """(flops, 169): what bets add to the hero's values with the current strategies.

        The hero then learns from it. `reach` (flops, 169) is how often each opposing class gets
        to the flops.
        """

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""

    @property
    def groups(self) -> HandGrouping | None:
        """Hands that play one strategy together."""

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on: the arrays themselves, unless a GPU has them."""

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state`."""


class PreflopSolver(BucketSolver):
    """Solves a game before the flop by regret matching; `pokerlab.solvers.run` runs it.

    A strategy enters the average when the opponent is updated, as after the flop.

    Parameters
    ----------
    game
        What to solve.
    rule
        A regret rule or its text.
    flops
        What learns after the flop; None if nobody bets there.

    Examples
    --------
    >>> from pokerlab.holdem.preflop.betting import PreflopRules
    >>> solver = PreflopSolver(PreflopGame(PreflopRules.push_fold(10)))
    >>> solver.iterate(200)
    >>> solver.exploitability() < 0.001
    True
    """

    _averages_own_turn = False

    def __init__(
        self, game: PreflopGame, rule: str | Rule = "dcfr", flops: FlopLearner | None = None
    ) -> None:
        super().__init__(game, rule)
        if self.rule.greedy:
            raise ValueError(f"rule {self.rule}: a game before the flop takes rules of regret")
        self._preflop = game
        self._flops = flops

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return super().identity | ({} if self._flops is None else self._flops.identity)

    def best_responses(self, strategy: Strategy) -> tuple[float, float]:
        """The value of each player's best response to the other's strategy, in big blinds."""
        first, second = (float(self._preflop.best_values(strategy, hero).sum()) for hero in (0, 1))
        return first, second

    def values(self, strategy: Strategy) -> tuple[float, float]:
        """Each player's value when both play a strategy, in big blinds."""
        first, second = (float(self._preflop.values(strategy, hero).sum()) for hero in (0, 1))
        return first, second

    def exploitability_abstract(self) -> float | None:
        """The same as `exploitability`, where each group must be played by one strategy.

        None without groups. A lower bound, as
        `pokerlab.holdem.spots.PostflopSolver.exploitability_abstract` is.
        """
        if self._flops is None or self._flops.groups is None:
            return None
        return self._preflop.exploitability(self.strategy(), by_group=True)

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return super().state() | ({} if self._flops is None else self._flops.state())

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state())
        super().restore({name: state[name] for name in super().state()})
        if self._flops is not None:
            self._flops.restore(state)

    def _below(self, player: int) -> Below:
        def learn(reach: Floats) -> Floats:
            shown = self._preflop.shown_down(reach)
            if self._flops is None:
                return shown
            return shown + self._flops.learn(reach, player, self.iteration)

        return learn
