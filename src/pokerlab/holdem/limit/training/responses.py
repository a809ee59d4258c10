"""Responses of both seats to a model: by sampled deals, or on a whole game of buckets."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.bucket_games.evaluation import BucketGame, join_seats
from pokerlab.holdem.limit.bucket_games.exact_tables import tables_by_street
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.legal_rows import legal_rows
from pokerlab.holdem.limit.training.trainer import Trainer
from pokerlab.runtime.arrays import Singles
from pokerlab.solvers.both_seats import BothSeats
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.rules import Rule


def restrict_rows(
    game: BucketedGame, model: npt.ArrayLike, p: float | npt.ArrayLike
) -> Restriction:
    """Check a model of both seats (rows, 3), node by node, and how far it binds its player.

    `p` is one number for whole hands, or one for each row. Rows of `model` that are NaN are
    uniform, and what is not legal is a call.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> caller = restrict_rows(game, np.tile([0.0, 1.0, 0.0], (game.rows, 1)), 0.5)
    >>> caller.whole, float(caller.trust.max())
    (0.5, 0.0)
    >>> restrict_rows(game, caller.model, 1.5)
    Traceback (most recent call last):
    ValueError: p: 1.5 is not a probability (0 to 1)
    """
    if game.game.players != 2:
        raise ValueError(
            f"responses to models are for two players; {game.game.name} has {game.game.players}"
        )
    return Restriction.of(legal_rows(game, model), p, game.rows, f"rows of {game}")


def sampled_response(
    game: BucketedGame, restriction: Restriction, *, seed: int = 0, **options: Any
) -> BothSeats[Trainer]:
    """Two trainings, by the `options` of `Trainer`; an iteration is a deal to each seat.

    Exploitability is what the response can lose.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> caller = restrict_rows(game, np.tile([0.0, 1.0, 0.0], (game.rows, 1)), 0.7)
    >>> response = sampled_response(game, caller, threads=1, seed=1)
    >>> response.iterate(20_000)
    >>> abs(response.exploitability() - 1 / 12) < 0.01
    True
    """
    model, trust = game.from_nodes(restriction.model), game.from_nodes(restriction.trust)

    def make(hero: int) -> Trainer:
        opponent = Restriction(model, trust, restriction.whole, 1 - hero)
        return Trainer(game, seed=2 * seed + hero, restriction=opponent, **options)

    def join(first: Singles, second: Singles) -> Singles:
        return np.where((game.positions == 0)[:, None], first, second)

    def measure(probabilities: Singles) -> float:
        return both.seats[0].measure(game.from_nodes(legal_rows(game, probabilities)))

    identity = {"seed": str(seed), "model": restriction.digest}
    both = BothSeats(make, join, identity, measure)
    return both


def bucket_response(
    game: BucketedGame, buckets: BucketGame, restriction: Restriction, rule: str | Rule
) -> BothSeats[BucketSolver]:
    """Two solves on a whole game of the buckets of a bucketed game.

    Exploitability is the distance from the equilibria against the restricted opponent, the mean
    of both seats.
    """
    model = tables_by_street(game, buckets, game.from_nodes(restriction.model))
    wide = np.repeat(game.from_nodes(restriction.trust)[:, None], 3, axis=1)
    trust = [np.ascontiguousarray(each[:, 0]) for each in tables_by_street(game, buckets, wide)]

    def make(hero: int) -> BucketSolver:
        opponent = [
            Restriction(*tables, restriction.whole, 1 - hero)
            for tables in zip(model, trust, strict=True)
        ]
        return BucketSolver(buckets, rule, restrictions=opponent)

    return BothSeats(make, partial(join_seats, buckets), {"model": restriction.digest})
