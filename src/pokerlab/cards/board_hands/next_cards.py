"""The effect of the next card on a board: pairs it, completes a flush or a straight, is high."""

from __future__ import annotations

from pokerlab.cards.board_hands.rank_tables import RANK_SET_SIZES, STRAIGHT_WINDOWS
from pokerlab.cards.codes import Cards, format_cards, to_cards

CARD_EFFECTS: tuple[str, ...] = ("pair", "flush", "straight", "overcard", "blank")
"""What a card may do, in the order in which it is counted where only one may be named."""


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
