"""What a bot would do with every hand that it might hold.

A bot whose play depends on nothing but what is public and its own cards can tell it
(`Bot.hand_strategy`). Local best responses, exact local responses and the reduction of variance
ask for it: they know what the bot might hold, not what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pokerlab.games import DealtState
from pokerlab.games.rules import GameRules
from pokerlab.runtime.arrays import Floats

Hand = tuple[int, ...]


class HandStrategy(NamedTuple):
    """The actions at a public state, and how often each hand takes each of them."""

    actions: tuple[str, ...]
    """What any hand does, in the words of `DealtState.apply`."""
    probabilities: Floats
    """(hands, actions), hands in the order of `private_hands`; all 0 for those that hold a public
    card."""


def private_hands(game: GameRules) -> tuple[Hand, ...]:
    """All hands that a seat can be dealt, in hold'em in the order of combos.

    Games in which cards are exchanged, come later or lie open are refused.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.cards.codes import format_cards
    >>> [format_cards(hand) for hand in private_hands(load_game("kuhn"))]
    ['Js', 'Qs', 'Ks']
    >>> hands = private_hands(load_game("holdem.nolimit.2p"))
    >>> len(hands), hands[2]
    (1326, (2, 1))
    """
    if game.up_cards or len(set(game.hole_cards)) > 1 or any(s.draw for s in game.streets):
        raise ValueError(
            f"{game.name}: hands that change or lie open have no strategy of all hands"
        )
    return deck_hands(tuple(game.deck), game.hole_cards[0])


@lru_cache(maxsize=16)
def deck_hands(deck: Hand, cards: int) -> tuple[Hand, ...]:
    """All hands of some cards of a deck, in the order of `private_hands`."""
    found = (tuple(sorted(hand, reverse=True)) for hand in combinations(deck, cards))
    return tuple(sorted(found))


def same_for_all_hands(probabilities: Mapping[str, float], view: DealtState) -> HandStrategy:
    """The strategy of a bot that does not look at its cards.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> state = game.replay("cc/", game.make_deal(["Js", "Kh"], "Qs"))
    >>> same_for_all_hands({"c": 1.0}, state).probabilities.sum(axis=1)
    array([1., 1., 1., 0., 1., 1.])
    """
    hands = private_hands(view.game)
    public = set(view.board)
    free = np.array([not public.intersection(hand) for hand in hands], np.float64)
    chances = np.array(list(probabilities.values()))
    return HandStrategy(tuple(probabilities), free[:, None] * chances)


def ask_each_hand(
    probabilities: Callable[[DealtState], Mapping[str, float] | None], view: DealtState
) -> HandStrategy | None:
    """The strategy of all hands of the seat that acts, asked hand by hand; None if it is not told.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> def cautious(view):
    ...     return {"c": 1.0} if view.holes[view.player] < (47,) else {"c": 0.5, "r": 0.5}
    >>> ask_each_hand(cautious, game.replay("", game.make_deal(["Qs", "Js"])).view(0))
    HandStrategy(actions=('c', 'r'), probabilities=array([[1. , 0. ],
           [1. , 0. ],
           [0.5, 0.5]]))
    """
    hands = private_hands(view.game)
    public = set(view.board)
    told: list[Mapping[str, float]] = []
    for hand in hands:
        own = {} if public.intersection(hand) else probabilities(view.holding(hand))
        if own is None:
            return None
        told.append(own)
    actions = tuple(dict.fromkeys(action for each in told for action in each))
    table = np.zeros((len(hands), len(actions)))
    for row, each in enumerate(told):
        for action, chance in each.items():
            table[row, actions.index(action)] = chance
    return HandStrategy(actions, table)
