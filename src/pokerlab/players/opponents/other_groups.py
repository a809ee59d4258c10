"""A strategy as somebody sees it who tells other groups of cards apart."""

from __future__ import annotations

import numpy as np

from pokerlab.holdem.limit.buckets.bucket_kernels import find_buckets
from pokerlab.holdem.limit.buckets.buckets import random_deals
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, is_holdem, same_rules
from pokerlab.holdem.limit.sampling.legal_rows import legal_rows
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Bytes, Floats, Int32s, Singles
from pokerlab.trees.limit.betting import ACTIONS

_STREETS = 4
_LEAST = 1e-9
"""A group that comes somewhere more seldom is taken as if it came there whatever it holds."""


def in_other_groups(
    strategy: LimitStrategy, game: BucketedGame, *, deals: int = 500_000, seed: int = 0
) -> Singles:
    """A strategy of limit hold'em, averaged over the card groups of another game.

    How often a group of the one is a group of the other is counted on random deals. After some
    betting, groups count as often as the strategy plays so with them: a player who raised before
    the flop holds better cards than others of the same group on the flop. Where groups do not
    remember the street before, the play there is the mean over the deals.

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
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> holdem = load_betting_game("holdem.limit.2p")
    >>> classes = BucketedGame.of(holdem, "classes")
    >>> strategy = LimitStrategy.of(train(classes, iterations=200, threads=1, boards=2))
    >>> none = BucketedGame.of(holdem, "none")
    >>> in_other_groups(strategy, none, deals=1000).shape == (none.rows, 3)
    True
    """
    own = strategy.game
    if not is_holdem(game.game) or not same_rules(own.game, game.game) or game.game.players != 2:
        raise ValueError(
            f"a strategy of {own.game.name} cannot be seen in groups of {game.game.name}:"
            " both must be limit hold'em for two by the same rules"
        )
    cards = random_deals(deals, np.random.default_rng(seed))
    played, seen = _groups(own, cards), _groups(game, cards)
    together = [
        _counts(seen[:, street], played[:, street], game.counts[street], own.counts[street])
        for street in range(_STREETS)
    ]
    # Where the deals of each group came from on the street before.
    before = [
        _counts(
            played[:, street], played[:, street - 1], own.counts[street], own.counts[street - 1]
        )
        for street in range(1, _STREETS)
    ]
    origins = [counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0) for counts in before]

    probabilities = legal_rows(own, strategy.probabilities)
    rows = np.empty((game.rows, probabilities.shape[1]), np.float32)
    reach = {0: np.ones((2, own.counts[0]))}  # of nodes still to come, by player and group
    tree = own.betting.tree.nodes
    for node, street in enumerate(own.betting.streets.tolist()):
        player = own.betting.nodes[node].player
        arrive = reach.pop(node)
        first, own_first = int(game.first_row[node]), int(own.first_row[node])
        here = probabilities[own_first : own_first + own.counts[street]]
        rows[first : first + game.counts[street]] = _mean(together[street], arrive[player]) @ here
        for action, child in enumerate(tree[node, : len(ACTIONS)].tolist()):
            if 0 <= child < len(own.betting.nodes):
                goes = arrive.copy()
                goes[player] *= here[:, action]
                later = int(own.betting.streets[child])
                reach[child] = goes @ origins[street].T if later > street else goes
    return rows


def _groups(game: BucketedGame, cards: Bytes) -> Int32s:
    found = np.empty((len(cards), _STREETS), np.int32)
    find_buckets(game.look_up, cards, found)
    return found


def _counts(first: Int32s, second: Int32s, rows: int, columns: int) -> Floats:
    """(rows, columns): how often each pair of groups was drawn.

    A group that was not drawn is like all deals together.
    """
    pairs = np.bincount(first.astype(np.int64) * columns + second, minlength=rows * columns)
    counts = pairs.reshape(rows, columns).astype(np.float64)
    counts[counts.sum(axis=1) == 0.0] = counts.sum(axis=0)
    return counts


def _mean(counts: Floats, arrive: Floats) -> Floats:
    """Weights of the columns of each row, which add up to 1."""
    weights = counts * arrive
    never = weights.sum(axis=1) < _LEAST * counts.sum(axis=1)
    weights[never] = counts[never]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
