"""The response to a model on a whole game of buckets, for both seats."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.bucket_games.bound_player import BoundBuckets
from pokerlab.abstraction.bucket_games.evaluation import BucketGame
from pokerlab.abstraction.bucket_games.exact_tables import tables_by_street
from pokerlab.abstraction.bucket_games.solver import BucketSolver
from pokerlab.abstraction.training.response_trainer import BoundRows
from pokerlab.abstraction.training.seats import restore_seats, seats_state
from pokerlab.arrays import AnyArray, Bools, Floats
from pokerlab.solvers.rules import Rule


class BucketResponse:
    """Iterates a rule on the two games against a bound opponent; `pokerlab.solvers.run` drives it.

    Parameters
    ----------
    buckets
        The game of buckets.
    bound
        The opponent, in the bucketed game that it belongs to.
    rule
        See `BucketSolver`.
    """

    def __init__(self, buckets: BucketGame, bound: BoundRows, rule: str | Rule) -> None:
        self.game, self._bound = buckets, bound
        game = bound.game
        model = tables_by_street(game, buckets, game.from_nodes(bound.model))
        wide = np.repeat(game.from_nodes(bound.trust)[:, None], 3, axis=1)
        trust = [np.ascontiguousarray(each[:, 0]) for each in tables_by_street(game, buckets, wide)]
        self._seats = [
            BucketSolver(buckets, rule, bound=BoundBuckets(1 - hero, bound.whole, model, trust))
            for hero in (0, 1)
        ]
        self.rule = self._seats[0].rule
        self.iteration = 0

    def iterate(self, iterations: int) -> None:
        """Run some more iterations for each seat."""
        for each in self._seats:
            each.iterate(iterations)
        self.iteration += iterations

    def strategy(self) -> list[Floats]:
        """The response so far, by street (nodes, actions, buckets)."""
        return self._by_seat([each.strategy() for each in self._seats])

    def unreached(self) -> list[Bools]:
        """By street (nodes, buckets): where the response means nothing: no play leads there."""
        return self._by_seat([each.unreached() for each in self._seats])

    def exploitability(self) -> float:
        """How far it is from the equilibria against the bound opponent, the mean of both seats."""
        return sum(each.exploitability() for each in self._seats) / 2

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return self._seats[0].identity | {"model": self._bound.digest}

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return seats_state(self._seats)

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a state; `ValueError` for one of another game, rule or model."""
        self.iteration = restore_seats(self._seats, state)

    def _by_seat(self, found: list[list[AnyArray]]) -> list[AnyArray]:
        """The rows of each seat from its own solver."""
        first, second = found
        tables = []
        for betting, one, other in zip(self.game.streets, first, second, strict=True):
            mine = (betting.actor == 0).reshape((-1,) + (1,) * (one.ndim - 1))
            tables.append(np.where(mine, one, other))
        return tables
