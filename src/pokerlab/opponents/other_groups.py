"""A strategy as somebody sees it who tells other groups of cards apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.buckets.bucket_kernels import find_buckets
from pokerlab.abstraction.buckets.buckets import random_deals
from pokerlab.abstraction.sampling.bucketed_game import BucketedGame, is_holdem, same_rules
from pokerlab.abstraction.sampling.legal_rows import legal_rows
from pokerlab.strategies.limit_file import LimitStrategy

__all__ = ["in_other_groups"]

_STREETS = 4


def in_other_groups(
    strategy: LimitStrategy, game: BucketedGame, *, deals: int = 500_000, seed: int = 0
) -> npt.NDArray[np.float32]:
    """What a strategy of limit hold'em does on average with each group of cards of another game.

    How often a group of the one is a group of the other is counted on random deals, whatever the
    betting; so it forgets that who raised holds better cards than others of his group.

    Parameters
    ----------
    strategy
        What is played.
    game
        The same game with other groups.
    deals, seed
        How many deals are drawn, and by which random numbers.

    Returns
    -------
    array (rows, 3)
        Rows of `game`, node by node.

    Examples
    --------
    >>> from pokerlab.abstraction.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> holdem = load_betting_game("holdem.limit.2p")
    >>> classes = BucketedGame.of(holdem, "classes")
    >>> strategy = LimitStrategy.of(train(classes, iterations=200, threads=1, boards=2))
    >>> none = BucketedGame.of(holdem, "none")
    >>> in_other_groups(strategy, none, deals=1000).shape == (none.rows, 3)
    True
    """
    own = strategy.game
    if not is_holdem(game.game) or not same_rules(own.game, game.game):
        raise ValueError(
            f"a strategy of {own.game.name} cannot be seen in groups of {game.game.name}:"
            " both must be limit hold'em by the same rules"
        )
    cards = random_deals(deals, np.random.default_rng(seed))
    groups = []
    for each in (own, game):
        found = np.empty((deals, _STREETS), np.int32)
        find_buckets(each.look_up, cards, found)
        groups.append(found)
    shares = [
        _shares(groups[1][:, street], groups[0][:, street], game.counts[street], own.counts[street])
        for street in range(_STREETS)
    ]
    chances = legal_rows(own, strategy.chances)
    rows = np.empty((game.rows, chances.shape[1]), np.float32)
    for node, street in enumerate(game.betting.streets.tolist()):
        first, own_first = int(game.first_row[node]), int(own.first_row[node])
        here = chances[own_first : own_first + own.counts[street]]
        rows[first : first + game.counts[street]] = shares[street] @ here
    return rows


def _shares(
    seen: npt.NDArray[np.int32], played: npt.NDArray[np.int32], rows: int, columns: int
) -> npt.NDArray[np.float64]:
    """(rows, columns): of the deals of a group, how many are in each group of the other kind.

    A group that was not drawn is like all deals together.
    """
    pairs = np.bincount(seen.astype(np.int64) * columns + played, minlength=rows * columns)
    counts = pairs.reshape(rows, columns).astype(np.float64)
    counts[counts.sum(axis=1) == 0.0] = counts.sum(axis=0)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
