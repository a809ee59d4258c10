"""The next card on a board: pairs it, completes a flush or a straight, brings a draw, is high.

`CARD_TEXTURES` are the words for turns and rivers in all reports and filters: the *texture* of a
card is the first of them that is true of it, so that each card has one. `card_effects` knows no
flush draws; it is what ``completes`` means in reports for scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pokerlab.cards.board_hands.rank_tables import RANK_SET_SIZES, STRAIGHT_WINDOWS
from pokerlab.cards.codes import Cards, format_cards, to_cards

CARD_EFFECTS: tuple[str, ...] = ("pair", "flush", "straight", "overcard", "blank")
"""What a card may do, in the order in which it is counted where only one may be named."""


CARD_TEXTURES: Mapping[str, str] = MappingProxyType(
    {
        "pair": "pairs the board",
        "flush": "completes a flush",
        "straight": "completes a straight",
        "overcard": "overcard",
        "flush-draw": "brings a flush draw",
        "blank": "blank",
    }
)
"""What a card may do, in the order in which the first counts, and the words for people."""


def card_textures(board: Cards, card: int) -> tuple[str, ...]:
    """All of `CARD_TEXTURES` that are true of a card on a board; the first is its texture.

    Those of `card_effects`, with the same meaning, and

    - ``flush-draw``: a turn that makes two of its suit, so that two hole cards draw to a flush
      which they could not draw to with one card of the board.

    Examples
    --------
    >>> from pokerlab.cards import parse_card
    >>> [card_textures("Kh9h2c", parse_card(card)) for card in ("Ah", "9c", "6s", "6c")]
    [('flush', 'overcard'), ('pair', 'flush-draw'), ('blank',), ('flush-draw',)]
    >>> card_textures("Kh9h2c2s", parse_card("5c"))
    ('blank',)
    """
    cards = to_cards(board)
    found = [each for each in card_effects(cards, card) if each != "blank"]
    one = sum(lying & 3 == card & 3 for lying in cards) == 1
    if one and len(cards) < _BEFORE_RIVER:
        found.append("flush-draw")
    return tuple(found) or ("blank",)


_BEFORE_RIVER = 4
"""Cards of a board on which the last card comes: nobody draws any more after it."""


def card_effects(board: Cards, card: int) -> tuple[str, ...]:
    """The effects of a card on a board, in the order of `CARD_EFFECTS`.

    - ``pair``: its rank lies on the board already;
    - ``flush``: the board has three cards or more of its suit then;
    - ``straight``: it is one of three or more ranks of the board among five in a row, so that two
      hole cards can make a straight with it;
    - ``overcard``: it is above all ranks of the board;
    - ``blank``: none of these.

    Examples
    --------
    >>> from pokerlab.cards import parse_card
    >>> [card_effects("Kh9h2c", parse_card(card)) for card in ("Ah", "9s", "Td", "6s")]
    [('flush', 'overcard'), ('pair',), ('straight',), ('blank',)]
    """
    cards = to_cards(board)
    if card in cards:
        raise ValueError(f"the card {format_cards([card])} lies on the board {format_cards(cards)}")
    ranks = {lying >> 2 for lying in cards}
    rank = card >> 2
    found = []
    if rank in ranks:
        found.append("pair")
    if sum(lying & 3 == card & 3 for lying in cards) >= 2:
        found.append("flush")
    together = sum(1 << each for each in ranks | {rank})
    if rank not in ranks and any(
        window >> rank & 1 and RANK_SET_SIZES[together & window] >= 3 for window in STRAIGHT_WINDOWS
    ):
        found.append("straight")
    if rank > max(ranks, default=rank):
        found.append("overcard")
    return tuple(found) or ("blank",)
