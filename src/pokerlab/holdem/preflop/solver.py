"""CFR and its variants on a game before the flop, all 169 classes at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND
from pokerlab.holdem.preflop.game import PreflopGame, Reaches
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.rules import Rule, parse_rule


class FlopLearner(Protocol):
    """What follows a flop and learns together with the play before it."""

    def learn(self, reaches: Reaches, hero: int, iteration: int) -> Mapping[int, Floats]:
        """By node, what each class of the hero wins with the current strategies.

        The hero then learns from it. `reaches` is by node how often each opposing class gets there.
        """

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""

    @property
    def groups(self) -> HandGrouping | None:
        """Hands that play one strategy together."""

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on: the arrays themselves."""


class PreflopSolver:
    """Solves a game before the flop by regret matching; `pokerlab.solvers.run` runs it.

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
    >>> from pokerlab.holdem.preflop.betting import PreflopRules, PreflopTree
    >>> game = PreflopGame(PreflopTree(PreflopRules.push_fold(10)))
    >>> solver = PreflopSolver(game)
    >>> solver.iterate(200)
    >>> solver.exploitability() < 0.001
    True
    """

    def __init__(
        self, game: PreflopGame, rule: str | Rule = "dcfr", flops: FlopLearner | None = None
    ) -> None:
        self.game = game
        self.flops = flops
        self.rule = parse_rule(rule)
        if self.rule.greedy:
            raise ValueError(f"rule {self.rule}: a game before the flop takes rules of regret")
        self.iteration = 0
        self._current: list[Floats | None] = game.uniform()
        shapes = [None if rows is None else rows.shape for rows in self._current]
        self._regrets = [None if shape is None else np.zeros(shape) for shape in shapes]
        self._sums = [None if shape is None else np.zeros(shape) for shape in shapes]

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        own = {"rules": repr(self.game.tree.rules), "rule": str(self.rule)}
        return own if self.flops is None else own | self.flops.identity

    def iterate(self, iterations: int) -> None:
        """Run some more iterations; the players are updated in turn."""
        for _ in range(iterations):
            self.iteration += 1
            for hero in (SMALL_BLIND, BIG_BLIND):
                self._update(hero)

    def strategy(self) -> list[Floats | None]:
        """The answer so far: the average strategy."""
        answer = self.game.uniform()
        for rows, sums in zip(answer, self._sums, strict=True):
            if rows is not None and sums is not None:
                total = sums.sum(axis=0)
                there = total > 0
                rows[:, there] = sums[:, there] / total[there]
        return answer

    def current(self) -> list[Floats | None]:
        """The strategy that the next iteration answers."""
        return self._current

    def exploitability(self) -> float:
        """Half of what both players could win together by best responses, in big blinds."""
        return self.game.exploitability(self.strategy())

    def exploitability_abstract(self) -> float | None:
        """The same, where each group must be played by one strategy; None without groups.

        A lower bound, as `pokerlab.holdem.spots.PostflopSolver.exploitability_abstract` is.
        """
        if self.flops is None or self.flops.groups is None:
            return None
        return self.game.exploitability(self.strategy(), by_group=True)

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        arrays = {
            f"{kind}.{number}": rows
            for kind, all_rows in (
                ("current", self._current),
                ("regret", self._regrets),
                ("sum", self._sums),
            )
            for number, rows in enumerate(all_rows)
            if rows is not None
        }
        flops = {} if self.flops is None else self.flops.state()
        return {"iteration": np.array([self.iteration]), **arrays, **flops}

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        own = self.state()
        check_state(state, own)
        self.iteration = int(state["iteration"][0])
        for name, array in own.items():
            if name != "iteration":
                array[...] = state[name]

    def _update(self, hero: int) -> None:
        """Let the hero learn from the values under the current strategies."""
        step = self.rule.at(self.iteration)
        arrivals = self.game.arrivals(self._current, hero)
        learnt: Mapping[int, Floats] = {}
        if self.flops is not None:
            learnt = self.flops.learn(self.game.at_flops(arrivals), hero, self.iteration)
        for number in self.game.tree.decisions:
            if self.game.tree.nodes[number].player != hero:
                # A strategy enters the average when the opponent walks over it, as after the flop.
                rows, _, sums = self._at(number)
                sums *= step.average
                sums += arrivals[number] * rows

        def learn(number: int, of_actions: Floats) -> Floats:
            rows, regrets, _ = self._at(number)
            mean = np.asarray((rows * of_actions).sum(axis=0))
            gains = of_actions - mean
            regrets *= np.where(regrets > 0, step.positive, step.negative)
            regrets += gains
            of_gains = np.where(regrets > 0, step.prediction, step.prediction + step.trial)
            weights = np.maximum(np.maximum(regrets, 0.0) + of_gains * gains, 0.0)
            total = weights.sum(axis=0)
            rows[...] = np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / len(rows))
            return mean

        self.game.climb(0, hero, arrivals, learn, learnt)

    def _at(self, number: int) -> tuple[Floats, Floats, Floats]:
        """The current strategy, the regrets and the strategy sums of a decision."""
        rows, regrets, sums = self._current[number], self._regrets[number], self._sums[number]
        assert rows is not None and regrets is not None and sums is not None
        return rows, regrets, sums
