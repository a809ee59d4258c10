"""Responses to a model of a limit player, between safe and greedy.

The same as `pokerlab.solvers.respond` for games whose tree cannot be written out: by sampled deals,
or on a whole game of buckets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.bucket_games.evaluation import (
    BucketEvaluation,
    BucketGame,
    join_seats,
)
from pokerlab.holdem.limit.bucket_games.exact_tables import known_exact_game, tables_by_street
from pokerlab.holdem.limit.response.bounds import Winnings, played_winnings
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.legal_rows import legal_rows
from pokerlab.holdem.limit.training.responses import restrict_rows
from pokerlab.holdem.limit.training.training import BUCKET_GAMES, Training, bucket_game_of, train
from pokerlab.players.opponents.limit_model import LimitModel
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Floats, Reals
from pokerlab.runtime.machine import core_count
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.loop import Progress


@dataclass(frozen=True, eq=False)
class LimitResponse:
    """A strategy for both seats against a model.

    Attributes
    ----------
    strategy
        What the responder plays; its `exploitability` is what it can lose.
    won
        What it wins from the model in each seat, in units of the game.
    training
        How it was trained.
    """

    strategy: LimitStrategy
    won: Winnings
    training: Training


def train_response(
    game: BucketedGame,
    model: LimitModel | LimitStrategy | npt.ArrayLike,
    p: float | npt.ArrayLike = 1.0,
    *,
    method: str = "external",
    rule: str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    boards: int = 100,
    deals: int = 1_000_000,
    report: Callable[[Progress], None] | None = None,
) -> LimitResponse:
    """The response to an opponent who plays a model with probability p, else a best response.

    Parameters
    ----------
    game
        A game for two with the groups of cards of the model.
    model
        What the opponent plays, in both seats: a model, a strategy or rows (rows, 3).
    p
        One number: the restricted Nash response, 0 an equilibrium, 1 a best response. Or a number
        for each row: the data-biased response (`confidence` of the model's observations).
    method, rule, iterations, seconds, target, seed, threads, checkpoint, boards, report
        See `pokerlab.holdem.limit.training.training.train`; deals are those to each seat.
    deals
        Hands to play against the model where what is won is not counted exactly.

    Examples
    --------
    Against somebody who always calls, much is won with little risk:

    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> caller = np.tile([0.0, 1.0, 0.0], (kuhn.rows, 1))
    >>> response = train_response(kuhn, caller, 0.7, iterations=100_000, threads=1)
    >>> round(response.won.value, 2), round(response.strategy.exploitability, 2)
    (0.33, 0.08)
    """
    restriction = restrict_rows(game, _rows_of(game, model), p)
    training = train(
        game,
        method=method,
        rule=rule,
        iterations=iterations,
        seconds=seconds,
        target=target,
        seed=seed,
        threads=threads,
        checkpoint=checkpoint,
        boards=boards,
        restriction=restriction,
        report=report,
    )
    strategy = LimitStrategy.of(training)
    buckets: BucketGame | None = known_exact_game(game)
    if method in BUCKET_GAMES:
        # What was measured on the way is how far it is from equilibrium against the model.
        buckets = bucket_game_of(game, method)
        tables = _tables(game, buckets, training.probabilities)
        lost = BucketEvaluation(buckets).exploitability(tables)
        strategy = replace(strategy, exploitability=lost)
    won = (
        _played(game, training.probabilities, restriction, seed, deals, threads)
        if buckets is None
        else _counted(game, buckets, training.probabilities, restriction)
    )
    return LimitResponse(strategy, won, training)


def _rows_of(game: BucketedGame, model: LimitModel | LimitStrategy | npt.ArrayLike) -> Reals:
    if not isinstance(model, LimitModel | LimitStrategy):
        return np.asarray(model)
    if model.game.digest != game.digest:
        raise ValueError(
            f"a model with the groups {model.game.name} of {model.game.game.name}, not with"
            f" {game.name} of {game.game.name}"
        )
    strategy = model.strategy if isinstance(model, LimitModel) else model
    return np.asarray(strategy.probabilities)


def _played(
    game: BucketedGame,
    probabilities: npt.ArrayLike,
    restriction: Restriction,
    seed: int,
    deals: int,
    threads: int | None,
) -> Winnings:
    own = game.from_nodes(legal_rows(game, probabilities))
    rng = np.random.default_rng([seed, 2])
    model = game.from_nodes(restriction.model)
    return played_winnings(game, own, model, rng, deals=deals, threads=threads or core_count())


def _counted(
    game: BucketedGame, buckets: BucketGame, probabilities: npt.ArrayLike, restriction: Restriction
) -> Winnings:
    """The exact gain against the model in a game of buckets."""
    own, model = _tables(game, buckets, probabilities), _tables(game, buckets, restriction.model)
    first = BucketEvaluation(buckets).values(join_seats(buckets, own, model))[0]
    second = BucketEvaluation(buckets).values(join_seats(buckets, model, own))[1]
    return Winnings((first, second), 0.0)


def _tables(game: BucketedGame, buckets: BucketGame, probabilities: npt.ArrayLike) -> list[Floats]:
    return tables_by_street(game, buckets, game.from_nodes(legal_rows(game, probabilities)))
