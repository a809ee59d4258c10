"""The cards of one hand: who gets what, decided before anybody acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.games.rules import GameRules


class Deal(NamedTuple):
    """All cards of a hand, as card codes.

    An empty hand is one that is not known (an opponent's, say), and the board may end where
    knowledge ends; such a hand can be played, but not be shown down.

    Attributes
    ----------
    holes
        The private cards of each seat, in the order in which they come.
    board
        The public cards, in the order in which they come.
    stub
        What replaces discards: the next card is the first that has not been taken.
    reshuffled
        An order of the deck. When the stub is used up, earlier discards come back in it.
    up
        Of hands that are not known: the hand with up-cards in their places, and anything in the
        others.
    """

    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...] = ()
    stub: tuple[int, ...] = ()
    reshuffled: tuple[int, ...] = ()
    up: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        holes = "|".join(format_cards(hole) for hole in self.holes)
        return f"{holes}/{format_cards(self.board)}" if self.board else holes


def random_deals(game: GameRules, rng: np.random.Generator, count: int) -> Iterator[Deal]:
    """Deal `count` hands; the first ones are the same however many are dealt.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.games import load_game
    >>> for deal in random_deals(load_game("leduc"), np.random.default_rng(1), 2):
    ...     print(deal)
    Kh|Jh/Qh
    Qh|Qs/Ks
    """
    hole, seats, board = game.hole_cards[-1], game.players, game.board_cards[-1]
    deck = np.array(game.deck)
    drawn = sum(street.draw for street in game.streets)
    runs_out = drawn * seats > len(deck) - seats * hole - board
    shuffles = 2 if runs_out else 1  # of a hand
    while count > 0:
        batch = min(count, 1000)
        count -= batch
        decks = rng.permuted(np.tile(deck, (batch * shuffles, 1)), axis=1).tolist()
        for cards, again in zip(decks[::shuffles], decks[shuffles - 1 :: shuffles], strict=True):
            after = seats * hole + board
            yield Deal(
                tuple(tuple(cards[start : start + hole]) for start in range(0, seats * hole, hole)),
                tuple(cards[seats * hole : after]),
                tuple(cards[after:]) if drawn else (),
                tuple(again) if runs_out else (),
            )


def make_deal(game: GameRules, holes: Sequence[Cards], board: Cards = "", stub: Cards = "") -> Deal:
    """Deal chosen cards; an empty hand is an unknown one, and the board may be incomplete.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> leduc = load_game("leduc")
    >>> print(make_deal(leduc, ["Js", "Kh"], "Qs"))
    Js|Kh/Qs
    >>> make_deal(leduc, ["Js", "As"])
    Traceback (most recent call last):
    ValueError: As is not in the deck of leduc (ranks JQK, suits hs)
    >>> make_deal(leduc, ["Js", "Js"])
    Traceback (most recent call last):
    ValueError: card Js is dealt twice in Js|Js
    """
    deal = Deal(tuple(map(to_cards, holes)), to_cards(board), to_cards(stub))
    check_deal(game, deal)
    return deal


def check_deal(game: GameRules, deal: Deal) -> None:
    """Raise a `ValueError` if these cards cannot be dealt in this game."""
    if len(deal.holes) != game.players:
        raise ValueError(f"{deal} deals {len(deal.holes)} hands, {game.name} has {game.players}")
    for seat, hole in enumerate(deal.holes):
        if len(hole) not in (0, game.hole_cards[-1]):
            raise ValueError(
                f"seat {seat} gets {format_cards(hole)}, {game.name} deals"
                f" {game.hole_cards[-1]} private cards (or none, if they are not known)"
            )
    if len(deal.board) > game.board_cards[-1]:
        raise ValueError(
            f"the board {format_cards(deal.board)} is too long: public cards of {game.name}:"
            f" {game.board_cards[-1]}"
        )
    cards = [card for hole in deal.holes for card in hole] + [*deal.board, *deal.stub]
    for position, card in enumerate(cards):
        if card not in game.deck:
            raise ValueError(
                f"{format_cards([card])} is not in the deck of {game.name}"
                f" (ranks {game.ranks}, suits {game.suits})"
            )
        if card in cards[:position]:
            raise ValueError(f"card {format_cards([card])} is dealt twice in {deal}")
