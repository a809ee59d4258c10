"""Counterfactual regret minimisation on the streets of Rhode Island hold'em."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.rules import PassedUpValue, Rule, parse_rule
from pokerlab.studies.rhode_island.boards import Plan, StreetGame


def regret_rule(text: str) -> Rule:
    """Read a rule; `ValueError` for one that does more than to match regrets.

    Examples
    --------
    >>> regret_rule("cgh")
    Traceback (most recent call last):
    ValueError: rule cgh(0.2): Rhode Island hold'em takes rules of regret, for example dcfr
    """
    rule = parse_rule(text)
    if rule.greedy or rule.plays_against_average or rule.passes_up != PassedUpValue.OLD:
        raise ValueError(
            f"rule {rule}: Rhode Island hold'em takes rules of regret, for example dcfr"
        )
    return rule


@dataclass(eq=False)
class RegretSolver:
    """Players are updated in turn, on whole arrays; in float64.

    Attributes
    ----------
    game
        What is played.
    rule
        A regret rule.
    iterations
        How many there were.

    Examples
    --------
    >>> from pokerlab.studies.rhode_island.boards import RhodeIslandBoards
    >>> solver = RegretSolver(RhodeIslandBoards.of(2, 2, 1))
    >>> solver.iterate(60)
    >>> low, high = solver.bounds()
    >>> high - low < 0.3
    True
    """

    game: StreetGame
    rule: Rule = field(default_factory=lambda: parse_rule("dcfr"))
    iterations: int = 0

    def __post_init__(self) -> None:
        plans = [self.game.uniform(player) for player in (0, 1)]
        self._choices = [self.game.choices_of(player, plans[player]) for player in (0, 1)]
        self._regrets = [[np.zeros_like(each) for each in plan] for plan in plans]
        self._sums = [[np.zeros_like(each) for each in plan] for plan in plans]

    def iterate(self, count: int) -> None:
        """Do some more."""
        for _ in range(count):
            self.iterations += 1
            for player in (0, 1):
                self._update(player)

    def state(self) -> dict[str, AnyArray]:
        """All that a solver needs to go on."""
        tables = {name: self._fetch(table) for name, table in self._tables()}
        return {"iteration": np.array([self.iterations]), **tables}

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go on from a state."""
        check_state(state, self.state())
        self.iterations = int(state["iteration"][0])
        for name, table in self._tables():
            table[...] = self._put(state[name])

    def plans(self) -> tuple[Plan, Plan]:
        """The average plans of both players."""
        game = self.game
        first, second = (
            game.plan_of(player, game.choices_of(player, [self._fetch(each) for each in sums]))
            for player, sums in enumerate(self._sums)
        )
        return first, second

    def bounds(self) -> tuple[float, float]:
        """What player 0 wins at least by their plan, and at most against the other's: exact."""
        return self.game.bounds(*self.plans())

    def _tables(self) -> Iterator[tuple[str, Any]]:
        """All tables by name, where they are."""
        kinds = {"choices": self._choices, "regrets": self._regrets, "sums": self._sums}
        for kind, players in kinds.items():
            for player, streets in enumerate(players):
                for street, table in enumerate(streets):
                    yield f"{kind}-{player}-{street}", table

    def _fetch(self, table: Any) -> AnyArray:
        """A table as an array of the processor."""
        return np.asarray(table)

    def _put(self, array: AnyArray) -> Any:
        """An array of the processor, where the tables are."""
        return array

    def _update(self, player: int) -> None:
        step = self.rule.at(self.iterations)
        choices, regrets = self._choices[player], self._regrets[player]
        other = self.game.plan_of(1 - player, self._choices[1 - player])
        for street, mine in enumerate(self.game.plan_of(player, choices)):
            self._sums[player][street] *= step.average
            self._sums[player][street] += mine

        def choose(street: int, number: int, worth: Floats, slots: Sequence[int]) -> Floats:
            mine = list(slots)
            chosen = choices[street][:, :, mine]
            value: Floats = (chosen * worth).sum(axis=2)
            before = regrets[street][:, :, mine]
            before *= np.where(before > 0.0, step.positive, step.negative)
            gain = worth - value[:, :, None]
            before += gain
            regrets[street][:, :, mine] = before
            weight = np.where(before > 0.0, step.prediction, step.prediction + step.trial) * gain
            positive = np.maximum(np.maximum(before, 0.0) + weight, 0.0)
            total = positive.sum(axis=2, keepdims=True)
            even = np.full_like(positive, 1.0 / len(mine))
            choices[street][:, :, mine] = np.divide(positive, total, out=even, where=total > 0.0)
            return value

        self.game.walk(player, other, choose)
