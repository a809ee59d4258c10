"""Dealing the cards of a game and comparing its hands, in kernels.

A card drawn costs one random number and an exchange of two bytes of the deck. A hand compared
costs, for each card, two loads of 8 bytes and two look-ups at the end (poker hands), or one
multiplication a card and one look-up (games with a table of strengths). Nothing else leaves the
first cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.random_kernels import next_below
from pokerlab.runtime.arrays import Bytes, Int32s, Int64s, Uint64s
from pokerlab.runtime.jit import kernel


class CardRules(NamedTuple):
    """The deck, and who wins a showdown."""

    deck: Bytes
    """(cards,): the codes of the cards; play shuffles it."""
    place: Int64s
    """(52,): the place of each code in the sorted deck."""
    hole: int
    """Private cards of a player; all come first."""
    board_cards: Int64s
    """(streets,): public cards so far."""
    strength: Int32s
    """By `cards_number` of private cards and board, greater wins; empty: poker hands of five."""
    evaluator: EvaluatorTables
    whole_chips: bool
    """Whether odd chips stay whole, and go to the winner in the lowest position."""
    unit: float
    """The number of chips in which payoffs are counted."""


@kernel(inline="always", makes_arrays=False)
def deal_cards(cards: Bytes, deck: Bytes, hole: int, state: Uint64s) -> None:
    """Draw private cards position by position, then the board, which every position sees."""
    positions, seen = cards.shape
    drawn = 0
    for position in range(positions):
        for place in range(hole):
            cards[position, place] = draw_card(deck, drawn, state)
            drawn += 1
    for place in range(hole, seen):
        card = draw_card(deck, drawn, state)
        drawn += 1
        for position in range(positions):
            cards[position, place] = card


@kernel(makes_arrays=False)
def draw_card(deck: Bytes, drawn: int, state: Uint64s) -> Any:
    """One of the cards that have not been drawn; it goes to place `drawn`."""
    place = drawn + next_below(state, len(deck) - drawn)
    card = deck[place]
    deck[place] = deck[drawn]
    deck[drawn] = card
    return card


@kernel(makes_arrays=False)
def cards_number(cards: Bytes, seen: int, place: Int64s, deck: int) -> int:
    """Number the first `seen` cards by their places in a deck of `deck` cards, in their order."""
    number = 0
    for card in range(seen):
        number = number * deck + place[cards[card]]
    return number


@kernel(makes_arrays=False)
def cards_strength(cards: Bytes, rules: CardRules) -> int:
    """The strength of private cards and the whole board; greater wins."""
    if len(rules.strength):
        return int(rules.strength[cards_number(cards, len(cards), rules.place, len(rules.deck))])
    key = START
    bits = np.uint64(0)
    for place in range(len(cards)):
        key += rules.evaluator.card_key[cards[place]]
        bits |= rules.evaluator.card_bit[cards[place]]
    return -int(classify(key, bits, rules.evaluator))
