"""What simple decisions cost: best responses to strategies that are simple here and full there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np

from pokerlab.holdem.spots.answer.solution import PostflopSolution, certified_solution
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.real_game import RealGame
from pokerlab.holdem.spots.simple.decisions import SimpleDecision
from pokerlab.holdem.spots.simple.rounding import choose_decisions
from pokerlab.holdem.spots.simple.solved_spot import prepared_of
from pokerlab.runtime.arrays import Halves
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import value_store

Chosen = Collection[SimpleDecision]


class PricedStrategies:
    """A solution beside a simple form of it.

    Parameters
    ----------
    solution
        With the strategies of all streets, without groups and gadget.
    simple
        For each player the simple strategies, of all decisions that may become simple.
    threads, device
        Of the best responses.
    resume
        A file that keeps the values of best responses: none of them is computed again.
    """

    def __init__(
        self,
        solution: PostflopSolution,
        simple: Callable[[PreparedSpot, int, Sequence[Halves]], Sequence[Halves]],
        threads: int | None = None,
        device: str = "auto",
        resume: str | Path | None = None,
    ) -> None:
        self.solution = solution
        self.prepared = prepared_of(solution)
        self.game = RealGame(self.prepared, threads, device)
        self.full = tuple(
            tuple(np.asarray(pair[player]) for pair in solution.strategies) for player in range(2)
        )
        self.simple = [simple(self.prepared, player, self.full[player]) for player in range(2)]
        self.responses = 0
        self._base: dict[int, float] = {}
        self._losses: dict[tuple[int, Chosen], float] = {}
        self._store = None if resume is None else value_store(resume, "simple strategies", [1])

    def strategy(self, player: int, chosen: Chosen) -> tuple[Halves, ...]:
        """A player's strategy that is simple at the chosen decisions."""
        places = {(each.level, each.node) for each in chosen if each.player == player}
        full, simple = self.full[player], self.simple[player]
        return choose_decisions(self.prepared, player, full, simple, places)

    def loss_of(self, player: int, strategy: Sequence[Halves]) -> float:
        """What the opponent's best response takes more against it than against the full one."""
        if player not in self._base:
            self._base[player] = self._response(player, self.full[player])
        return self._response(player, strategy) - self._base[player]

    def loss(self, player: int, chosen: Chosen) -> float:
        """The same for the strategy that is simple at the chosen decisions."""
        own = frozenset(each for each in chosen if each.player == player)
        if not own:
            return 0.0
        if (player, own) not in self._losses:
            self._losses[player, own] = self.loss_of(player, self.strategy(player, own))
        return self._losses[player, own]

    def _response(self, player: int, strategy: Sequence[Halves]) -> float:
        if self._store is None:
            self.responses += 1
            return self.game.best_value(1 - player, strategy)
        question = f"{self.solution.spot.to_toml()}, {player}, {self.prepared.isomorphism}"
        key = digest(question, *strategy, length=32)
        known = self._store.get(key)
        if known is None:
            self.responses += 1
            known = key, (self.game.best_value(1 - player, strategy),)
            self._store.add(key, known)
        return known[1][0]

    def made_solution(
        self, chosen: Chosen, report: Callable[[float], None] | None = None
    ) -> PostflopSolution:
        """The solution that is simple at the chosen decisions, with its own certificate."""
        first, second = (self.strategy(player, chosen) for player in range(2))
        return self.certified(first, second, report)

    def certified(
        self,
        first: Sequence[Halves],
        second: Sequence[Halves],
        report: Callable[[float], None] | None = None,
    ) -> PostflopSolution:
        """The solution of two strategies, with its certificate."""
        strategies = tuple(zip(first, second, strict=True))
        solution = self.solution
        return certified_solution(
            self.prepared,
            strategies,
            self.game.certify(strategies, report),
            rule=solution.rule,
            iterations=solution.iterations,
            seconds=solution.seconds,
            stopped="simplified",
            history=(),
        )
