"""Strategies of a bucketed game as tables by street, and back: between trainers and exact games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.holdem.limit.bucket_games.evaluation import BucketGame
from pokerlab.holdem.limit.bucket_games.exact_game import (
    MAX_EXACT_BUCKETS,
    ExactBucketGame,
    cached_exact_game,
    check_sizes,
    exact_game_file,
)
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.buckets.plan import parse_buckets
from pokerlab.holdem.limit.sampling.bucketed_game import SIMPLE_GROUPS, BucketedGame
from pokerlab.runtime.arrays import Bools, Floats, Singles


def check_exact_buckets(name: str) -> None:
    """Refuse buckets that have no exact game, before they are made.

    Examples
    --------
    >>> check_exact_buckets("ehs2:5,5,5,5")
    >>> check_exact_buckets("kmeans:8,50,50,50")
    Traceback (most recent call last):
    ValueError: kmeans:8,50,50,50 forgets earlier streets: it has no exact game of buckets
    """
    if name in SIMPLE_GROUPS:
        raise ValueError(f"{name}: only buckets of hold'em for two have an exact game of buckets")
    plan = parse_buckets(name)
    check_sizes(str(plan), plan.counts, recall=plan.recall)


def exact_game_of(game: BucketedGame) -> ExactBucketGame:
    """The exact game of some buckets; its pairs are counted the first time."""
    buckets = _buckets_of(game)
    if buckets is None:
        raise ValueError(
            f"{game.name}: only buckets of hold'em for two have an exact game of buckets"
        )
    return cached_exact_game(game.game, buckets)


def known_exact_game(game: BucketedGame) -> ExactBucketGame | None:
    """The same if its pairs have been counted already; else None."""
    buckets = _buckets_of(game)
    if buckets is None or not buckets.recall or buckets.counts[-1] > MAX_EXACT_BUCKETS:
        return None
    return cached_exact_game(game.game, buckets) if exact_game_file(buckets).is_file() else None


def tables_by_street(game: BucketedGame, exact: BucketGame, probabilities: Singles) -> list[Floats]:
    """Rows of a trainer as tables by street (nodes, actions, buckets)."""
    found = []
    for street, betting in enumerate(exact.streets):
        rows = game.tree.base[betting.nodes][:, None] + (
            np.arange(game.counts[street]) * game.tree.width[street]
        )
        found.append(np.ascontiguousarray(np.moveaxis(probabilities[rows], 2, 1), np.float64))
    return found


def rows_of_tables(
    game: BucketedGame,
    exact: BucketGame,
    tables: Sequence[Floats],
    unreached: Sequence[Bools],
) -> Singles:
    """Tables by street as rows node by node; NaN where no play leads."""
    probabilities = np.empty((game.rows, 3), np.float32)
    for street, betting in enumerate(exact.streets):
        rows = game.first_row[betting.nodes][:, None] + np.arange(game.counts[street])
        probabilities[rows] = np.moveaxis(tables[street], 1, 2)
        probabilities[rows[unreached[street]]] = np.nan
    return probabilities


def _buckets_of(game: BucketedGame) -> Buckets | None:
    """The groups of a game as buckets; None if they are not of hold'em for two."""
    if game.game.players != 2 or any(street.numbers != "hand" for street in game.groups):
        return None
    return Buckets(game.name, game.groups, tuple(np.empty(0) for _ in game.groups))
