"""Where in a tree a player holds which private cards."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.games.suit_isomorphic import SuitIsomorphic
from pokerlab.runtime.arrays import Indices
from pokerlab.runtime.errors import shorten
from pokerlab.trees.game_tree import GameTree


def pockets_of(tree: GameTree, player: int) -> tuple[str, ...]:
    """The first private cards that a player may get; where suits are merged, their ranks.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> pockets_of(GameTree.build(load_game("kuhn")), 1)
    ('Js', 'Qs', 'Ks')
    """
    names = [_cards(tree.edge(node)) for node in _dealt(tree, player)]
    if isinstance(tree.game, SuitIsomorphic):  # of the cards of a rank some stand for all
        names = [_ranks(name) for name in names]
    return tuple(sorted(dict.fromkeys(names), key=_order))


def deals_with(tree: GameTree, player: int, pocket: str) -> Indices:
    """The nodes at which a player has just got some private cards.

    Parameters
    ----------
    tree
        The game.
    player
        Who gets them.
    pocket
        The cards, ``Ks``, or their ranks, ``K``: whatever the suits. Where suits are merged, cards
        have no suits of their own, and only ranks are taken.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("leduc"))
    >>> [tree.path(node) for node in deals_with(tree, 0, "K")]
    ['0d{Kh}', '0d{Ks}']
    >>> deals_with(tree, 0, "A")
    Traceback (most recent call last):
    ValueError: no pocket 'A' of player 0 in leduc (Jh, Js, Qh, Qs, Kh, Ks)
    """
    wanted = pocket.strip()
    nodes = _dealt(tree, player)
    found = [node for node in nodes if _fits(tree, _cards(tree.edge(node)), wanted)]
    if not found:
        names = pockets_of(tree, player)
        known = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        raise ValueError(
            f"no pocket {shorten(pocket)!r} of player {player} in {tree.game.name}"
            f" ({known or 'the player gets no private cards'})"
        )
    return np.array(found)


def _dealt(tree: GameTree, player: int) -> list[int]:
    """The nodes at which a player has just got their first private cards."""
    private = [number for number, text in enumerate(tree.labels) if text.startswith(f"{player}d{{")]
    found: list[int] = []
    end = 0
    for node in np.flatnonzero(np.isin(tree.label, private)).tolist():
        if node >= end:  # not behind another one: those are cards that replace others
            found.append(node)
            end = int(tree.end[node])
    return found


def _cards(edge: str) -> str:
    return edge[edge.index("{") + 1 : -1]


def _fits(tree: GameTree, cards: str, wanted: str) -> bool:
    if not isinstance(tree.game, SuitIsomorphic) and (
        cards.lower() == wanted.lower() or _pairs(cards) == _pairs(wanted)
    ):
        return True
    ranks = _ranks(cards)
    return bool(ranks) and sorted(ranks) == sorted(wanted.upper())


def _order(cards: str) -> tuple[list[int], str]:
    """Low cards first."""
    return [RANKS.index(letter) for letter in cards if letter in RANKS], cards


def _pairs(text: str) -> list[str]:
    return sorted(text[place : place + 2].lower() for place in range(0, len(text), 2))


def _ranks(cards: str) -> str:
    """The ranks of cards such as ``AsKd``; nothing for any other text."""
    ranks, suits = cards[::2], cards[1::2]
    known = set(ranks) <= set(RANKS) and set(suits) <= set(SUITS) and len(ranks) == len(suits)
    return ranks if known else ""
