"""Small games for best responses, their groups, and strategies at random."""

from itertools import permutations

import numpy as np

from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.games import load_betting_game, read_toml
from pokerlab.holdem.limit.buckets.street_buckets import StreetBuckets, one_bucket
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame

SHORT = """
players = 2
betting = "limit"
ranks = "{ranks}"
suits = "{suits}"
blinds = [2, 1]
showdown = "{showdown}"
{stacks}

[[streets]]
hole = 2
first = 1
bet = 2
max_raises = 1
"""


def short_holdem(boards, ranks="JQKA", suits="hs", showdown="five-card", stacks=None):
    """Hold'em with few cards; `boards` are the public cards of the streets after the first."""
    text = SHORT.format(
        ranks=ranks,
        suits=suits,
        showdown=showdown,
        stacks="" if stacks is None else f"stacks = {list(stacks)}",
    )
    for cards in boards:
        text += f"\n[[streets]]\nboard = {cards}\nbet = 4\nmax_raises = 1\n"
    return read_toml(text, "short")


def by_suits(game, street, groups, *, named=False):
    """Groups by the cards of a street, at random; up to suits, unless these are `named`."""
    deck = game.deck
    hole, board = game.hole_cards[street], game.board_cards[street]
    values = np.zeros((len(deck),) * (hole + board), np.uint16)
    rng, known = np.random.default_rng(street), {}
    for places in permutations(range(len(deck)), hole + board):
        cards = [deck[place] for place in places]
        rounds = cards[:hole], cards[hole:]
        key = tuple(map(frozenset, rounds)) if named else canonical(*rounds).cards
        values[places] = known.setdefault(key, len(known))
    labels = rng.integers(groups, size=len(known)).astype(np.uint16)
    labels[:groups] = np.arange(groups)[: len(labels)]
    return StreetBuckets(groups, labels[values].ravel())


def remembered(groups):
    """The groups of the street before."""
    return StreetBuckets(
        groups, np.empty(0, np.uint16), "cards", np.arange(groups, dtype=np.int32)[:, None]
    )


def grouped(game, *groups):
    return BucketedGame(game, groups, "test")


def bucketed(name, groups="each"):
    return BucketedGame.of(load_betting_game(name), groups)


def random_chances(game, seed=1):
    """A table with rows that were never trained, and others that never do something."""
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet([0.7] * 3, size=game.rows)
    probabilities[rng.random(game.rows) < 0.1] = np.nan
    pure = rng.random(game.rows) < 0.2
    probabilities[pure] = np.eye(3)[rng.integers(3, size=int(pure.sum()))]
    return probabilities


__all__ = [
    "bucketed",
    "by_suits",
    "grouped",
    "one_bucket",
    "random_chances",
    "remembered",
    "short_holdem",
]
