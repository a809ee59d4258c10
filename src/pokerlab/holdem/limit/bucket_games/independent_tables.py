"""The game of transition matrices of some groups of cards: counted once, and kept.

For hold'em the matrices are counted over all deals and kept in the cache folder: seconds to
minutes, by the number of river buckets. For games with few cards they are counted anew each time.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from math import perm
from pathlib import Path

import numpy as np

from pokerlab.games import BettingGame
from pokerlab.holdem.limit.bucket_games.independent_game import (
    IndependentBucketGame,
    independent_bucket_game,
)
from pokerlab.holdem.limit.bucket_games.transitions import (
    MAX_SHOWDOWN_BUCKETS,
    margin_matrix,
    rows_to_one,
)
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.buckets.caching import cached_buckets
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.buckets.plan import parse_buckets
from pokerlab.holdem.limit.sampling.bucketed_game import SIMPLE_GROUPS, BucketedGame, is_holdem
from pokerlab.holdem.limit.strength.tables import strength_tables
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.builds import Report, cached
from pokerlab.runtime.files.reader import Expected, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.jit import cache_folder
from pokerlab.trees.limit.cards_kernels import cards_strength

INDEPENDENT_FORMAT = "pokerlab independent bucket game 1"
MAX_DEALS = 100_000
"""Deals to two players of the biggest game that is counted deal by deal."""


def check_independent_groups(game: BettingGame, name: str) -> None:
    """Refuse groups of cards that have no game of transition matrices, before they are made.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> limit = load_betting_game("holdem.limit.2p")
    >>> check_independent_groups(limit, "169/ehs2-flat:30,30,30")
    >>> check_independent_groups(limit, "ehs2:5,5,5,5")
    Traceback (most recent call last):
    ValueError: ehs2:5,5,5,5 remembers earlier streets: it has an exact game of buckets, but no
    game of transition matrices
    """
    if not is_holdem(game):
        if _deals(game) > MAX_DEALS:
            raise ValueError(f"{game.name} has too many deals for a game of transition matrices")
        return
    if name in SIMPLE_GROUPS:
        raise ValueError(f"{name}: only buckets of hold'em have a game of transition matrices")
    plan = parse_buckets(name)
    if plan.recall:
        raise ValueError(
            f"{plan} remembers earlier streets: it has an exact game of buckets, but no game of"
            " transition matrices"
        )
    if plan.counts[-1] > MAX_SHOWDOWN_BUCKETS:
        raise ValueError(
            f"{plan} has {plan.counts[-1]:,} buckets on the river: a showdown matrix has at most"
            f" {MAX_SHOWDOWN_BUCKETS:,}"
        )


def independent_game_of(game: BucketedGame, report: Report | None = None) -> IndependentBucketGame:
    """The game of transition matrices of some groups.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> leduc = BucketedGame.of(load_betting_game("leduc"), "each")
    >>> independent_game_of(leduc).counts
    (6, 30)
    """
    check_independent_groups(game.game, game.name)
    if is_holdem(game.game):
        return cached_independent_game(game.game, cached_buckets(game.name), report)
    return count_independent_game(game)


def count_independent_game(game: BucketedGame) -> IndependentBucketGame:
    """Count the matrices of a game with few cards, deal by deal."""
    rules, counts = game.rules, game.counts
    hole = int(rules.hole)
    seen = hole + int(rules.board_cards[-1])
    start = np.zeros(counts[0])
    moves = [np.zeros(pair) for pair in pairwise(counts)]
    wins = np.zeros((counts[-1], counts[-1]))
    meetings = np.zeros_like(wins)
    groups = np.zeros((2, len(counts)), np.int64)
    deck = [int(card) for card in rules.deck]
    for deal in permutations(deck, hole + seen):
        hands = [
            np.array(deal[place : place + hole] + deal[2 * hole :], np.uint8) for place in (0, hole)
        ]
        for player, cards in enumerate(hands):
            buckets_of_cards(cards, game.look_up, groups[player])
        start[groups[0, 0]] += 1
        for street, matrix in enumerate(moves):
            matrix[groups[0, street], groups[0, street + 1]] += 1
        one, other = (cards_strength(cards, rules) for cards in hands)
        wins[groups[0, -1], groups[1, -1]] += one > other
        meetings[groups[0, -1], groups[1, -1]] += 1
    return IndependentBucketGame(
        game.game,
        np.stack([start / start.sum()] * 2),
        tuple(rows_to_one(matrix) for matrix in moves),
        margin_matrix(wins, meetings),
    )


def independent_game_file(buckets: Buckets) -> Path:
    """Where the matrices of some buckets are kept."""
    return cache_folder() / "independent-games" / f"{buckets.digest[:16]}.safetensors"


def cached_independent_game(
    game: BettingGame, buckets: Buckets, report: Report | None = None
) -> IndependentBucketGame:
    """The game of some buckets of hold'em from the cache folder; counted the first time."""
    path, counts = independent_game_file(buckets), buckets.counts
    schema = {
        "start": Expected(np.float64, (2, counts[0]), 0.0, 1.0),
        "showdown": Expected(np.float64, (counts[-1], counts[-1]), -1.0, 1.0),
    }
    for street in range(1, len(counts)):
        shape = counts[street - 1], counts[street]
        schema[f"to_{street}"] = Expected(np.float64, shape, 0.0, 1.0)

    def make(report: Report) -> None:
        made = independent_bucket_game(game, buckets, strength_tables(report), report=report)
        moves = {f"to_{street}": each for street, each in enumerate(made.transitions, 1)}
        tensors = {"start": made.start, "showdown": made.showdown, **moves}
        write_hashed(path, tensors, {"format": INDEPENDENT_FORMAT, "buckets": buckets.name})

    def load(path: Path) -> IndependentBucketGame:
        found, _ = read_checked(path, INDEPENDENT_FORMAT, schema, verify=True)
        with damage_named(path):
            kept = tuple(found[f"to_{street}"] for street in range(1, len(counts)))
            return IndependentBucketGame(game, found["start"], kept, found["showdown"])

    return cached(path, make, load, report, again="counted")


def _deals(game: BettingGame) -> int:
    return perm(len(game.deck), 2 * game.hole_cards[-1] + game.board_cards[-1])
