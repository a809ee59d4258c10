"""Cards and two-card hands as small integers, and their text.

A card is ``4 · rank + suit``: 2c = 0, 2d = 1, … As = 51. A *combo* is an unordered pair of
cards; the combo of ``low < high`` has the number ``high · (high − 1) / 2 + low``, 0 … 1325, so
the combos of the first n cards are the first n(n−1)/2 numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt
from typing import TypeAlias

import numpy as np

from pokerlab.runtime.arrays import Bytes
from pokerlab.runtime.errors import shorten

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
N_CARDS = 52
N_COMBOS = 1326

Cards: TypeAlias = "str | Iterable[int]"
"""What a public function takes as cards: text such as ``"AsKd"``, or card codes."""

_RANK_OF = {text: rank for rank, text in enumerate(RANKS)} | {
    text.lower(): rank for rank, text in enumerate(RANKS)
}
_SUIT_OF = (
    {text: suit for suit, text in enumerate(SUITS)}
    | {text.upper(): suit for suit, text in enumerate(SUITS)}
    | {text: suit for suit, text in enumerate(SUIT_SYMBOLS)}
    | {text: suit for suit, text in enumerate("♧♢♡♤")}
)
_TEXT_OF = {4 * rank + suit: RANKS[rank] + SUITS[suit] for rank in range(13) for suit in range(4)}
_SYMBOLS_OF = {
    4 * rank + suit: RANKS[rank] + SUIT_SYMBOLS[suit] for rank in range(13) for suit in range(4)
}
_IGNORED = " ,\t\n[]\ufe0f"  # U+FE0F follows a suit symbol that is drawn as an emoji


def parse_card(text: str) -> int:
    """Read one card.

    Examples
    --------
    >>> parse_card("2c"), parse_card("10h"), parse_card("A♠")
    (0, 34, 51)
    >>> parse_card("Ax")
    Traceback (most recent call last):
    ValueError: bad card 'Ax': 'x' is not a suit (c, d, h, s or ♣ ♦ ♥ ♠)
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise ValueError(f"expected one card such as 'As', got {shorten(text)!r}")
    return cards[0]


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards that all differ, in any of the usual spellings, in the order of the text.

    Blanks, commas and square brackets separate; case does not matter; ten is ``T`` or ``10``.

    Examples
    --------
    >>> parse_cards("AsKd") == parse_cards("[as kd]") == parse_cards("A♠, K♦") == (51, 45)
    True
    >>> parse_cards("AsKdAs")
    Traceback (most recent call last):
    ValueError: card As stands twice in 'AsKdAs'
    >>> parse_cards("As1d")
    Traceback (most recent call last):
    ValueError: bad cards 'As1d': '1' is not a rank (2 to 9, T or 10, J, Q, K, A)
    """
    cards: list[int] = []
    position = 0
    while position < len(text):
        if text[position] in _IGNORED:
            position += 1
            continue
        rank_text = "10" if text.startswith("10", position) else text[position]
        rank = RANKS.index("T") if rank_text == "10" else _RANK_OF.get(rank_text)
        if rank is None:
            raise _bad_cards(text, f"{rank_text!r} is not a rank (2 to 9, T or 10, J, Q, K, A)")
        position += len(rank_text)
        if position == len(text):
            raise _bad_cards(text, f"{rank_text!r} at the end has no suit (c, d, h or s)")
        suit = _SUIT_OF.get(text[position])
        if suit is None:
            raise _bad_cards(text, f"{text[position]!r} is not a suit (c, d, h, s or ♣ ♦ ♥ ♠)")
        position += 1
        cards.append(4 * rank + suit)
    _reject_duplicates(cards, text)
    return tuple(cards)


def to_cards(cards: Cards) -> tuple[int, ...]:
    """Take cards as text or as codes; check that the codes are cards and that all differ.

    Examples
    --------
    >>> to_cards([51, 45]) == to_cards("AsKd")
    True
    >>> to_cards([51, 52])
    Traceback (most recent call last):
    ValueError: 52 is not a card code (0 for 2c to 51 for As)
    """
    if isinstance(cards, str):
        return parse_cards(cards)
    codes = []
    for card in cards:
        code = int(card)
        if code != card or not 0 <= code < N_CARDS:
            raise _no_card(card)
        codes.append(code)
    _reject_duplicates(codes, "".join(map(_card_text, codes)))
    return tuple(codes)


def format_cards(cards: Iterable[int], *, separator: str = "", symbols: bool = False) -> str:
    """Write cards as text that `parse_cards` reads.

    Examples
    --------
    >>> format_cards([51, 45]), format_cards([51, 45], separator=" ", symbols=True)
    ('AsKd', 'A♠ K♦')
    >>> format_cards([-1])
    Traceback (most recent call last):
    ValueError: -1 is not a card code (0 for 2c to 51 for As)
    """
    texts = _SYMBOLS_OF if symbols else _TEXT_OF
    try:
        return separator.join([texts[card] for card in cards])
    except KeyError as error:
        raise _no_card(error.args[0]) from None


def combo_index(first: int, second: int) -> int:
    """Give the number of a two-card hand; the order of its cards does not matter.

    Examples
    --------
    >>> combo_index(0, 1), combo_index(51, 50), combo_index(50, 51)
    (0, 1325, 1325)
    """
    low, high = min(first, second), max(first, second)
    if not 0 <= low < high < N_CARDS:
        raise ValueError(f"cards {first} and {second} do not make a hand of two cards")
    return high * (high - 1) // 2 + low


def combo_cards(index: int) -> tuple[int, int]:
    """Give the two cards of a combo, the higher code first.

    Examples
    --------
    >>> combo_cards(0), combo_cards(1325)
    ((1, 0), (51, 50))
    """
    if not 0 <= index < N_COMBOS:
        raise ValueError(f"{index} is not a combo (0 to {N_COMBOS - 1})")
    high = (1 + isqrt(1 + 8 * index)) // 2
    return high, index - high * (high - 1) // 2


def card_mask(cards: Iterable[int]) -> int:
    """Give the set of cards as 52 bits: bit c stands for card c.

    Examples
    --------
    >>> bin(card_mask([0, 2]))
    '0b101'
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _combo_table() -> Bytes:
    low, high = np.triu_indices(N_CARDS, 1)
    order = np.lexsort((low, high))
    table = np.stack([high[order], low[order]], axis=1).astype(np.uint8)
    table.flags.writeable = False
    return table


COMBO_CARDS: Bytes = _combo_table()
"""The cards of every combo, higher code first: shape (1326, 2)."""


def _card_text(card: int) -> str:
    return _TEXT_OF[card]


def _no_card(card: object) -> ValueError:
    return ValueError(f"{shorten(str(card))} is not a card code (0 for 2c to 51 for As)")


def _bad_cards(text: str, why: str) -> ValueError:
    kind = "card" if len(text) <= 3 else "cards"
    return ValueError(f"bad {kind} {shorten(text)!r}: {why}")


def _reject_duplicates(cards: list[int], text: str) -> None:
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"card {_card_text(twice)} stands twice in {shorten(text)!r}")
