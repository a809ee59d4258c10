"""The pre-computation that lets Adam search one street at a time.

A general strategy says how both players go on from the next street; general transition matrices
say where their buckets go. Together they give the value of the rest of a hand for each way to the
next street and each pair of buckets: a matrix, of which there are 63 after the flop and 567 after
the turn, 180 MB with 265 buckets. They are read from a file that all processes share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.holdem.limit.bucket_games.bucket_game_kernels import go_down
from pokerlab.holdem.limit.bucket_games.independent_game import IndependentBucketGame
from pokerlab.holdem.limit.bucket_games.independent_tables import independent_game_of
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Floats, Int64s, Singles
from pokerlab.runtime.files.builds import Report, cached
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.runtime.files.reader import Expected, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.jit import cache_folder

FORMAT = "pokerlab adam continuations 2"


@dataclass(frozen=True, eq=False)
class Continuations:
    """The values of the rest of a hand at the end of the streets before the last.

    Attributes
    ----------
    game
        The general matrices.
    values
        For each street from the flop to the turn (ways, buckets, buckets): what player 0 wins after
        a way with one bucket against another.
    """

    game: IndependentBucketGame
    values: tuple[Singles, ...]

    def places_of(self, street: int, nodes: Int64s) -> Int64s:
        """The places in `values` of the ways that lead to some nodes of the whole betting."""
        following = self.game.streets[street + 1]
        return np.searchsorted(following.nodes[following.roots], nodes)


def street_values(
    game: IndependentBucketGame, strategy: list[Floats]
) -> Iterator[tuple[int, Floats]]:
    """For each street but the last, the later ones first: what the rest of a hand is worth.

    (ways, buckets, buckets): the value of player 0 after each way to the next street.
    `strategy` has a table for each street of the game (nodes, 3, buckets), which both players
    follow.
    """
    later: Floats = np.zeros((0, 0, 0))
    for street in reversed(range(1, len(game.streets))):
        betting, count = game.streets[street], game.counts[street]
        owner = np.full(betting.places, -1)
        owner[betting.roots] = np.arange(len(betting.roots))
        for node, children in enumerate(betting.child):
            owner[children[children >= 0]] = owner[node]
        reach = np.zeros((2, betting.places, count))
        reach[:, betting.roots] = 1.0
        for player in (0, 1):
            go_down(player, betting.child, betting.actor, strategy[street], reach[player])
        move = game.transitions[street - 1]
        found = np.empty((len(betting.roots), len(move), len(move)))
        for root in range(len(betting.roots)):
            folds, showdowns = (owner[each] == root for each in (betting.folds, betting.showdowns))
            values = _both(reach[:, betting.folds[folds]], betting.fold_gains[folds, 0])
            if showdowns.any():
                met = _both(reach[:, betting.showdowns[showdowns]], betting.stakes[showdowns])
                values += game.showdown * met
            for way in np.flatnonzero(owner[betting.ways] == root):
                first, second = reach[:, betting.ways[way]]
                values += first[:, None] * later[way] * second
            found[root] = move @ values @ move.T
        later = found
        yield street - 1, later


def _both(reach: Floats, worth: Floats) -> Floats:
    """How often pairs of buckets reach some places together, weighted by what these are worth."""
    return np.asarray((reach[0] * worth[:, None]).T @ reach[1])


def cached_continuations(strategy: LimitStrategy, report: Report | None = None) -> Continuations:
    """The continuations of a trained strategy from the cache folder; made the first time."""
    game = independent_game_of(strategy.game, report)
    streets = range(1, len(game.streets) - 1)
    entries = {"groups": strategy.game.name, "game": game.digest}
    name = content_hash({"strategy": strategy.probabilities}, entries)
    path = cache_folder() / "adam" / f"{name[:16]}.safetensors"
    schema = {}
    for street in streets:
        count, ways = game.counts[street], len(game.streets[street].ways)
        schema[f"values_{street}"] = Expected(np.float32, (ways, count, count))

    def make(report: Report) -> None:
        tables = [
            strategy.at_nodes(betting.nodes, street) for street, betting in enumerate(game.streets)
        ]
        found = {
            f"values_{street}": values.astype(np.float32)
            for street, values in street_values(game, tables)
            if street in streets
        }
        write_hashed(path, found, {"format": FORMAT, **entries})

    def load(path: Path) -> Continuations:
        found, _ = read_checked(path, FORMAT, schema, verify=True)
        return Continuations(game, tuple(found[f"values_{street}"] for street in streets))

    return cached(path, make, load, report)
