"""Exchanges of cards in draw games: discards, new cards, and who saw them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.cards.codes import format_cards

DRAW = re.compile(r"\([0-9]{1,2}\)")
"""A draw in the text of a `Betting`: the number of cards."""


class Swap(NamedTuple):
    """An exchange of cards: who threw what and got what."""

    seat: int
    thrown: tuple[int, ...]
    received: tuple[int, ...]


def exchanged(hand: tuple[int, ...], swap: Swap) -> tuple[int, ...]:
    """A hand in which new cards lie in the places of those thrown away."""
    new = dict(zip(swap.thrown, swap.received, strict=True))
    return tuple(new.get(card, card) for card in hand)


def earlier_discards(swaps: Sequence[Swap], holes: Sequence[tuple[int, ...]]) -> set[int]:
    """The cards that can be shuffled again: discarded before, and in nobody's hand now."""
    thrown = {card for swap in swaps for card in swap.thrown}
    return thrown.difference(*holes)


def swap_action(swap: Swap, draw: str, hand: tuple[int, ...]) -> str:
    """A draw as an action; by number, as it stands in the betting, if the cards are hidden.

    Examples
    --------
    >>> swap_action(Swap(0, (3,), (7,)), "(1)", (7, 8)), swap_action(Swap(0, (), ()), "(1)", ())
    ('d2s', '(1)')
    >>> swap_action(Swap(0, (), ()), "(0)", (7, 8)), swap_action(Swap(0, (), ()), "(0)", ())
    ('d', '(0)')
    """
    known = hand and draw == f"({len(swap.thrown)})"
    return "d" + format_cards(swap.thrown) if known else draw


def swap_seen(swap: Swap, draw: str, seat: int | None) -> str:
    """A draw as a seat sees it."""
    if swap.seat != seat or not swap.thrown:
        return draw
    new = f"+{format_cards(swap.received)}" if swap.received else ""
    return f"({format_cards(swap.thrown)}){new}"
