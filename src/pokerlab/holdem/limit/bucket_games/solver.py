"""Solves games of buckets exactly, by CFR and its variants.

How often a player reaches a place (betting, bucket) is linear in how often they reached the places
before it, so averages, best responses and exploitability are exact. All is float64. One
iteration updates both players, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.bucket_games.bucket_game_kernels import add_average, hedge, match_regrets
from pokerlab.holdem.limit.bucket_games.evaluation import Below, BucketEvaluation, BucketGame
from pokerlab.runtime.arrays import AnyArray, Bools, Floats
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.rules import Rule, parse_rule

MAX_BYTES = 8_000_000_000
"""Memory of the largest game that is solved."""


class BucketSolver:
    """Iterates an update rule on a game of buckets; `pokerlab.solvers.run` drives it.

    Parameters
    ----------
    game
        The game.
    rule
        A rule or its text: ``"fp"``, ``"cfr"``, ``"cfr+"``, ``"dcfr"``, …
    restrictions
        By street, how far a player is bound to a model; the other one learns to answer them. Empty
        if nobody is.
    """

    _averages_own_turn = True
    """Whether a strategy enters the average when its player is updated, or when the other is."""

    def __init__(
        self,
        game: BucketGame,
        rule: str | Rule = "dcfr",
        *,
        restrictions: Sequence[Restriction] = (),
    ) -> None:
        self.game = game
        self._evaluation = BucketEvaluation(game)
        self._restrictions = restrictions
        self._restricted = restrictions[0].player if restrictions else None
        self._by_model: list[Floats] = []
        if restrictions:
            models = [each.model for each in restrictions]
            self._by_model = self._evaluation.follow(restrictions[0].player, models)
        self.rule = parse_rule(rule)
        self.iteration = 0
        keeps_regret = not self.rule.greedy
        keeps_sum = self.rule.averages and not self.rule.plays_against_average
        shapes = [
            (*street.child.shape, count)
            for street, count in zip(game.streets, game.counts, strict=True)
        ]
        tables = 1 + keeps_regret + keeps_sum
        places = sum(
            street.places * count for street, count in zip(game.streets, game.counts, strict=True)
        )
        size = 8 * (tables * sum(int(np.prod(shape)) for shape in shapes) + 5 * places)
        if size > MAX_BYTES:
            raise ValueError(
                f"this game of buckets needs {size / 1e9:.1f} GB; at most {MAX_BYTES / 1e9:.0f}"
                " GB are taken: use fewer buckets"
            )
        self._strategy = [np.zeros(shape) for shape in shapes]
        for street, strategy in zip(game.streets, self._strategy, strict=True):
            legal = street.child >= 0
            strategy[:] = (legal / legal.sum(axis=1, keepdims=True))[:, :, None]
        self._regret = [np.zeros(shape) for shape in shapes] if keeps_regret else []
        self._total = [np.zeros(shape) for shape in shapes] if keeps_sum else []
        self._reach = [self._follow(player) for player in (0, 1)]

    def begin_from(self, strategy: Sequence[Floats], weight: int = 1) -> None:
        """Begin fictitious play with a strategy that counts as `weight` best responses.

        By default it begins with the uniform strategy, which counts as one.
        """
        if not self.rule.plays_against_average:
            raise ValueError(f"{self.rule} has no average to begin from: only fictitious play has")
        self.iteration = weight - 1
        for own, given in zip(self._strategy, strategy, strict=True):
            own[:] = given
        self._reach = [self._follow(player) for player in (0, 1)]

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            for player in (0, 1):
                self._update(player)

    def strategy(self) -> list[Floats]:
        """The answer so far, by street (nodes, actions, buckets)."""
        if self.rule.plays_against_average:
            return [self._normalised(self._slots(street), street) for street in self._streets]
        if self.rule.averages:
            return [self._normalised(self._total[street], street) for street in self._streets]
        return [strategy.copy() for strategy in self._strategy]

    def unreached(self) -> list[Bools]:
        """By street (nodes, buckets): where the answer means nothing: no play leads there."""
        found = []
        for street in self._streets:
            weights = self._total[street] if self._total else self._slots(street)
            found.append(~(weights.sum(axis=1) > 0.0))
        return found

    def exploitability(self) -> float:
        """The mean gain of best responses against `strategy`.

        A restricted player responds within their limits, and is met as they play.
        """
        if self._restrictions:
            return self._evaluation.gap(self._restrictions, self.strategy())
        return sum(self.best_responses(self.strategy())) / 2

    def best_responses(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """The value of each player's best response to the other's strategy."""
        return self._evaluation.best_responses(strategy)

    def values(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """Each player's value when both play a strategy."""
        return self._evaluation.values(strategy)

    @property
    def identity(self) -> dict[str, str]:
        """The game and the rule of a saved state."""
        own = self.game.identity | {"rule": str(self.rule)}
        if self._restrictions:
            own["model"] = " ".join(each.digest for each in self._restrictions)
        return own

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`; `ValueError` for another."""
        own = self._arrays()
        check_state(state, own)
        self.iteration = int(state["iteration"][0])
        for name, table in own.items():
            table[:] = state[name]

    def _arrays(self) -> dict[str, AnyArray]:
        """The state itself, not a copy."""
        tables = {"strategy": self._strategy, "regret": self._regret, "total": self._total}
        tables |= {f"reach_{player}": self._reach[player] for player in (0, 1)}
        arrays: dict[str, AnyArray] = {"iteration": np.array([self.iteration])}
        for name, by_street in tables.items():
            arrays |= {f"{name}_{street}": table for street, table in enumerate(by_street)}
        return arrays

    @property
    def _streets(self) -> range:
        return range(len(self.game.streets))

    def _update(self, player: int) -> None:
        step, rule = self.rule.at(self.iteration), self.rule
        averaged = player if self._averages_own_turn else 1 - player
        for street, total in enumerate(self._total):
            betting = self.game.streets[street]
            reach = self._reach[averaged][street]
            add_average(averaged, step.average, betting.child, betting.actor, reach, total)

        bound = self._restrictions if self._restricted == player else ()

        def learn(street: int, value: Floats) -> None:
            betting, strategy = self.game.streets[street], self._strategy[street]
            tree = betting.child, betting.actor, bound[street] if bound else None
            passed_up = int(rule.passes_up)
            if rule.greedy:
                hedge(player, step.greedy, step.hedge, passed_up, *tree, strategy, value)
            else:
                match_regrets(
                    player,
                    step.positive,
                    step.negative,
                    step.prediction,
                    step.trial,
                    passed_up,
                    *tree,
                    self._regret[street],
                    strategy,
                    value,
                    np.empty(value.shape[1]),
                )

        others = self._reach[1 - player]
        if self._restrictions and not bound:
            met = zip(self._restrictions, self._by_model, others, strict=True)
            others = [limits.over_hands(by_model, free) for limits, by_model, free in met]
        self._evaluation.climb(player, others, learn, self._below(player))
        played = self._follow(player)
        for street in self._streets:
            if rule.plays_against_average:
                self._reach[player][street] *= step.average
                self._reach[player][street] += (1 - step.average) * played[street]
            else:
                self._reach[player][street][:] = played[street]

    def _below(self, player: int) -> Below | None:
        """What a player learns in the subgames of the game; None where there are none."""
        return None

    def _follow(self, player: int) -> list[Floats]:
        """How often a player reaches each place by the current strategy, where it is free."""
        strategy: Sequence[Floats] = self._strategy
        if self._restricted == player:
            strategy = [
                own + limits.trust[:, None] * (limits.model - own)
                for own, limits in zip(strategy, self._restrictions, strict=True)
            ]
        return self._evaluation.follow(player, strategy)

    def _slots(self, street: int) -> Floats:
        """The reach of the acting player behind each action."""
        betting = self.game.streets[street]
        reach = np.stack([self._reach[player][street] for player in (0, 1)])
        slots = reach[betting.actor[:, None], betting.child]
        return np.asarray(np.where((betting.child >= 0)[:, :, None], slots, 0.0))

    def _normalised(self, weights: Floats, street: int) -> Floats:
        """Weights of actions as probabilities; uniform where all weights are 0."""
        legal = (self.game.streets[street].child >= 0)[:, :, None]
        totals = weights.sum(axis=1, keepdims=True)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)
