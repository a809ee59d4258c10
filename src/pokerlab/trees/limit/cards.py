"""The cards of a game as arrays: its deck, its boards, and who wins a showdown."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from pokerlab.arrays import Int32s
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.games import BettingGame
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.trees.limit.cards_kernels import CardRules

MAX_NUMBERS = 1_000_000
"""Orders of cards for which a table of strengths is made."""


def card_rules(game: BettingGame) -> CardRules:
    """The tables with which kernels deal the cards of a game and compare hands."""
    place = np.zeros(52, np.int64)
    place[list(game.deck)] = np.arange(len(game.deck))
    return CardRules(
        np.array(game.deck, np.uint8),
        place,
        game.hole_cards[-1],
        np.array(game.board_cards),
        _strengths(game),
        evaluator_tables.load(),
        game.odd_chips == "first",
        float(game.unit),
    )


def _strengths(game: BettingGame) -> Int32s:
    """The strength of all cards by their number; empty for hands of five cards."""
    if game.showdown == "five-card":
        return np.empty(0, np.int32)
    hole, seen = game.hole_cards[-1], game.hole_cards[-1] + game.board_cards[-1]
    base = len(game.deck)
    if base**seen > MAX_NUMBERS:
        raise ValueError(f"{game.name} has too many hands for a table of their strengths")
    rule = SHOWDOWN_RULES[game.showdown].strength
    strengths = np.zeros(base**seen, np.int32)
    for places in permutations(range(base), seen):
        cards = tuple(game.deck[place] for place in places)
        number = 0
        for place in places:
            number = number * base + place
        strengths[number] = rule(cards[:hole], cards[hole:])
    return strengths
