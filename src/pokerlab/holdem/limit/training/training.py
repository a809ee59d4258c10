"""Training a strategy for a bucketed limit game until something says stop.

See `pokerlab.holdem.limit.training.trainer` for training by sampled deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.games import BettingGame, load_betting_game
from pokerlab.holdem.limit.bucket_games.evaluation import BucketGame
from pokerlab.holdem.limit.bucket_games.exact_game import ExactBucketGame
from pokerlab.holdem.limit.bucket_games.exact_tables import (
    check_exact_buckets,
    exact_game_of,
    rows_of_tables,
)
from pokerlab.holdem.limit.bucket_games.independent_tables import (
    check_independent_groups,
    independent_game_of,
)
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.response.bounds import ExploitabilityBound
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.responses import bucket_response, sampled_response
from pokerlab.holdem.limit.training.trainer import METHODS, Trainer, chosen_rule
from pokerlab.runtime.arrays import AnyArray, Floats, Singles
from pokerlab.solvers.both_seats import BothSeats
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.history import History, Point
from pokerlab.solvers.loop import Progress, Run, run
from pokerlab.solvers.rules import parse_rule

BUCKET_GAMES = {"exact": "dcfr", "independent": "fp"}
"""Methods that solve a whole game of buckets, with the rule that each has by default."""
_BATCH = 1 << 14
"""Deals between measurements at least, where those take seconds."""


@dataclass(frozen=True, eq=False)
class Training:
    """The result of a training.

    Attributes
    ----------
    game
        The bucketed game.
    probabilities
        (rows, 3) node by node, as in `TableStrategy`; NaN where training never was.
    method, rule, seed, threads
        How it was trained.
    visited
        Betting nodes visited.
    run
        Iterations, seconds, exploitability on the way.
    measured
        The last measurement: exact or a bound.
    """

    game: BucketedGame
    probabilities: Singles
    method: str
    rule: str
    seed: int
    threads: int
    visited: int
    run: Run
    measured: ExploitabilityBound


def check_method(
    game: BettingGame, method: str, rule: str | None, groups: str | None = None
) -> None:
    """Refuse a method or a rule that does not fit, before buckets are built for it.

    `groups` by name are asked only about the games of buckets, which not all groups have.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> check_method(load_betting_game("leduc"), "exact", "cfr+")
    >>> check_method(load_betting_game("kuhn.3p"), "chance", None)
    Traceback (most recent call last):
    ValueError: method: chance is for two players, kuhn.3p has 3 (external, outcome)
    """
    if method not in (*METHODS, *BUCKET_GAMES):
        known = ", ".join((*METHODS, *BUCKET_GAMES))
        raise ValueError(f"method: {method!r} is not known ({known})")
    if method not in BUCKET_GAMES:
        chosen_rule(game, method, rule)
        return
    parse_rule(rule or BUCKET_GAMES[method])
    if game.players != 2:
        raise ValueError(f"method: {method} is for two players, {game.name} has {game.players}")
    if groups is not None:
        if method == "exact":
            check_exact_buckets(groups)
        else:
            check_independent_groups(game, groups)


def bucket_game_of(game: BucketedGame, method: str) -> BucketGame:
    """The game of buckets that a method of `BUCKET_GAMES` solves; counted the first time."""
    return exact_game_of(game) if method == "exact" else independent_game_of(game)


def train(
    game: BucketedGame,
    *,
    method: str = "external",
    rule: str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_seconds: float = 300.0,
    boards: int = 100,
    restriction: Restriction | None = None,
    ranges: Floats | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Training:
    """Train until something says stop (see `pokerlab.solvers.run` for what is not named here).

    Parameters
    ----------
    game
        The game.
    method, rule, seed, threads, boards
        See `Trainer`. Or not by sampling, but on a whole game of buckets, with any rule of
        `pokerlab.solvers.rules`: ``exact`` for buckets that remember (`ExactBucketGame`; by default
        DCFR), ``independent`` for the game of transition matrices between buckets that forget
        (`IndependentBucketGame`; by default fictitious play).
    iterations, seconds, target
        When to stop; the target is an exploitability in the bucketed game. Seconds are those of
        training and measuring: compiling and loading come before.
    checkpoint
        A file from which an interrupted training continues.
    restriction
        An opponent who partly plays by a model (`restrict_rows`): what is trained is then the
        response to them. By sampling, exploitability is what the response can lose; on a game
        of buckets, how far it is from the equilibrium against them.
    ranges
        What each position holds where the game begins: see `Trainer`.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> leduc = BucketedGame.of(load_betting_game("leduc"), "each")
    >>> training = train(leduc, iterations=50_000, threads=1)
    >>> training.probabilities.shape, training.run.exploitability < 0.2
    ((936, 3), True)
    """
    if method in BUCKET_GAMES:
        if game.line or ranges is not None:
            raise ValueError(f"method: {method} is for whole games, not after a line (external)")
        return _train_on_buckets(
            game,
            method,
            rule or BUCKET_GAMES[method],
            iterations=iterations,
            seconds=seconds,
            target=target,
            checkpoint=checkpoint,
            checkpoint_seconds=checkpoint_seconds,
            report=report,
            restriction=restriction,
        )
    options: dict[str, Any] = {"method": method, "rule": rule, "seed": seed, "threads": threads}
    options["boards"] = boards
    solver: Trainer | BothSeats[Trainer]
    if restriction is None:
        solver = Trainer(game, **options, ranges=ranges)
        trainers: tuple[Trainer, ...] = (solver,)
    else:
        solver = sampled_response(game, restriction, **options)
        trainers = solver.seats
    trainer = trainers[0]
    trainer.prepare_measuring()
    batch = 1 if trainer.measures_exactly else _BATCH
    if ranges is not None and iterations is not None:
        batch = max(batch, -(-iterations // 4))  # there are many such parts: two measurements each
    batches = _Batches(solver, batch, iterations)
    done = run(
        batches,
        iterations=None if iterations is None else -(-iterations // batches.size),
        seconds=seconds,
        target=target,
        checkpoint=checkpoint,
        checkpoint_seconds=checkpoint_seconds,
        report=None if report is None else batches.report_to(report),
        growth=4.0,
        stall=False,  # what samples measure is noisy
    )
    assert trainer.measured is not None
    return Training(
        game,
        solver.strategy(),
        trainer.method,
        str(trainer.rule),
        seed,
        trainer.threads,
        sum(each.visited for each in trainers),
        replace(done, iterations=trainer.iteration, history=batches.in_deals(done.history)),
        trainer.measured,
    )


def _train_on_buckets(
    game: BucketedGame, method: str, rule: str, restriction: Restriction | None, **stops: Any
) -> Training:
    # On a game of one bucket, so that compiling is not counted as solving.
    kuhn = load_betting_game("kuhn")
    small = BucketSolver(ExactBucketGame(kuhn, (), np.ones((1, 1)), np.zeros((1, 1))), rule)
    small.iterate(1)
    small.exploitability()
    buckets = bucket_game_of(game, method)
    solver: BucketSolver | BothSeats[BucketSolver]
    if restriction is None:
        solver = BucketSolver(buckets, rule)
        done = run(solver, **stops)
        unreached = solver.unreached()
    else:
        solver = bucket_response(game, buckets, restriction, rule)
        done = run(solver, **stops)
        unreached = solver.join(*(each.unreached() for each in solver.seats))
    return Training(
        game,
        rows_of_tables(game, buckets, solver.strategy(), unreached),
        method,
        str(parse_rule(rule)),
        0,
        1,
        solver.iteration * game.rows,
        done,
        ExploitabilityBound(done.exploitability, 0.0, exact=True),
    )


class _Batches:
    """A trainer whose iterations are batches of deals: the loop measures after 1, 4, 16, … .

    A bound takes seconds, and tells nothing about a strategy of a few deals.
    """

    def __init__(
        self, trainer: Trainer | BothSeats[Trainer], size: int, most_deals: int | None
    ) -> None:
        self.trainer, self.size, self.most_deals = trainer, size, most_deals
        self.iteration = 0

    @property
    def identity(self) -> dict[str, str]:
        return self.trainer.identity

    def iterate(self, iterations: int) -> None:
        self.iteration += iterations
        self.trainer.iterate(max(self._deals(self.iteration) - self.trainer.iteration, 0))

    def strategy(self) -> Singles:
        found: Singles = self.trainer.strategy()
        return found

    def exploitability(self) -> float:
        return self.trainer.exploitability()

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        return self.trainer.state()

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        self.trainer.restore(state)
        self.iteration = self.trainer.iteration // self.size

    def in_deals(self, history: tuple[Point, ...]) -> History:
        return History(point._replace(iteration=self._deals(point.iteration)) for point in history)

    def report_to(self, report: Callable[[Progress], None]) -> Callable[[Progress], None]:
        def tell(progress: Progress) -> None:
            report(
                replace(
                    progress,
                    iteration=self.trainer.iteration,
                    history=self.in_deals(progress.history),
                    iterations=self.most_deals,
                )
            )

        return tell

    def _deals(self, batches: int) -> int:
        deals = batches * self.size
        return deals if self.most_deals is None else min(deals, self.most_deals)
