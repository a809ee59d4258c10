"""Textures: the classes of boards that players speak of, and text that selects them.

Every flop, also that of a longer board, has one value of each feature:

===============  ===================================================================================
high card        ``A-high`` … ``2-high``: the highest rank
pairing          ``unpaired``, ``paired`` (two cards of a rank), ``trips`` (three)
suits            ``rainbow`` (three suits), ``two-tone`` (two), ``monotone`` (one)
connectedness    ``connected``: some hand has a straight (987, A52);
                 ``open-ended``: none has, but some hand needs one card of either of two ranks
                 for one (T72 with 98, KQ2 with JT);
                 ``gutshot``: at best, a hand needs a card of one rank (AK7 with QJ);
                 ``disconnected``: no hand has a straight draw (K72, QQ5)
broadway cards   ``0-broadway`` … ``3-broadway``: cards from ten up
===============  ===================================================================================

A turn and a river have the first word that is true of the card on the cards before it
(`pokerlab.cards.board_hands.next_cards`): ``pair-turn``, ``flush-turn``, ``straight-turn``,
``overcard-turn``, ``flush-draw-turn`` or ``blank-turn``, and the same but for flush draws with
``-river``. A board without such a card is ``no-turn``, ``no-river``.

A text that selects boards is words with blanks between them, all of which must hold, and commas
between alternatives: ``monotone, A-high paired`` is the monotone flops and the paired ones with
an ace on top, ``monotone blank-turn`` the boards where a blank follows a monotone flop.
``two-tone|monotone`` is either of the two. ``T-high+`` is ten-high and higher,
``9-high-`` nine-high and lower; broadway cards are counted the same way (``2-broadway+``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from pokerlab.cards.board_hands.next_cards import CARD_TEXTURES, card_textures
from pokerlab.cards.codes import RANKS, Cards, to_cards
from pokerlab.runtime.errors import shorten

PAIRINGS = ("unpaired", "paired", "trips")
SUIT_COUNTS = ("rainbow", "two-tone", "monotone")
CONNECTEDNESS = ("disconnected", "gutshot", "open-ended", "connected")
TURNS = (*(f"{word}-turn" for word in CARD_TEXTURES), "no-turn")
RIVERS = (*(f"{word}-river" for word in CARD_TEXTURES if word != "flush-draw"), "no-river")


class Texture(NamedTuple):
    """The texture of a board; the module explains the values."""

    high: int
    """The rank of the highest card, 0 for a deuce to 12 for an ace."""
    pairing: str
    """``unpaired``, ``paired`` or ``trips``."""
    suits: str
    """``rainbow``, ``two-tone`` or ``monotone``."""
    connectedness: str
    """How the ranks are connected."""
    broadways: int
    """Cards from ten up, 0 to 3."""
    turn: str = "no-turn"
    """What the turn does, if there is one: one of `TURNS`."""
    river: str = "no-river"
    """What the river does, if there is one: one of `RIVERS`."""

    @property
    def high_card(self) -> str:
        """The high card in words: ``A-high``."""
        return f"{RANKS[self.high]}-high"

    def __str__(self) -> str:
        flop = self.high_card, self.pairing, self.suits, self.connectedness
        later = (each for each in (self.turn, self.river) if not each.startswith("no-"))
        return " ".join((*flop, *later))


def texture(flop: Cards) -> Texture:
    """Tell the kind of a flop, or of a longer board: its first three cards, its turn, its river.

    Examples
    --------
    >>> print(texture("AsKh7d"))
    A-high unpaired rainbow gutshot
    >>> print(texture("9s8s8h"))
    9-high paired two-tone open-ended
    >>> texture("As5s2s").connectedness, texture("KsQs2h").broadways
    ('connected', 2)
    >>> print(texture("AsKh7d7c"), texture("AsKh7d2h9c").river, sep="; ")
    A-high unpaired rainbow gutshot pair-turn; blank-river
    """
    board = to_cards(flop)
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a flop has three cards, not {len(board)} (a longer board 4 or 5)")
    cards = board[:3]
    ranks = [card >> 2 for card in cards]
    return Texture(
        high=max(ranks),
        pairing=PAIRINGS[3 - len(set(ranks))],
        suits=SUIT_COUNTS[3 - len({card & 3 for card in cards})],
        connectedness=_connectedness(frozenset(ranks)),
        broadways=sum(rank >= RANKS.index("T") for rank in ranks),
        turn=f"{card_textures(cards, board[3])[0]}-turn" if len(board) > 3 else "no-turn",
        river=f"{card_textures(board[:4], board[4])[0]}-river" if len(board) > 4 else "no-river",
    )


@dataclass(frozen=True)
class TextureFilter:
    """Selects boards by a text such as ``monotone, A-high paired`` (the module has the words).

    Examples
    --------
    >>> wet = TextureFilter("monotone, two-tone connected")
    >>> wet.matches("9s8s7h"), wet.matches("Ks7s2h")
    (True, False)
    >>> TextureFilter("soggy")
    Traceback (most recent call last):
    ValueError: bad texture 'soggy': 'soggy' must be one of rainbow, two-tone, monotone, ...
    >>> TextureFilter("two-tone flush-turn").matches("Ks7s2h4s")
    True
    """

    text: str

    def __post_init__(self) -> None:
        _alternatives(self.text)

    def matches(self, flop: Cards | Texture) -> bool:
        """Whether a board is one of these."""
        kind = flop if isinstance(flop, Texture) else texture(flop)
        return any(all(holds(kind) for holds in words) for words in _alternatives(self.text))


_Condition = Callable[[Texture], bool]
_COUNTED = re.compile(r"(?:([2-9TJQKA])-high|([0-3])-broadway)([+-]?)", re.IGNORECASE | re.ASCII)
_FLOP_WORDS = (*SUIT_COUNTS, *PAIRINGS, *CONNECTEDNESS)
_WORDS = (*_FLOP_WORDS, *TURNS, *RIVERS)


@lru_cache(maxsize=256)
def _alternatives(text: str) -> tuple[tuple[_Condition, ...], ...]:
    found = tuple(
        tuple(_condition(word, text) for word in part.split()) for part in text.split(",")
    )
    if not all(found):
        raise ValueError(f"bad texture {shorten(text)!r}: a word is missing, such as 'paired'")
    return found


def _condition(word: str, text: str) -> _Condition:
    if (names := word.lower().split("|")) and all(name in _WORDS for name in names):
        return lambda kind: any(name in kind for name in names)
    matched = _COUNTED.fullmatch(word)
    if matched is None:
        raise ValueError(
            f"bad texture {shorten(text)!r}: {shorten(word, 30)!r} must be one of "
            f"{', '.join(_FLOP_WORDS)}, A-high, T-high+, 9-high-, 2-broadway, flush-turn, "
            "blank-river"
        )
    rank, count, direction = matched.groups()
    field = "high" if rank else "broadways"
    bound = RANKS.index(rank.upper()) if rank else int(count)

    def holds(kind: Texture) -> bool:
        value = getattr(kind, field)
        if direction == "+":
            return bool(value >= bound)
        return bool(value <= bound if direction == "-" else value == bound)

    return holds


# The ranks of each straight; the ace is low in the first.
_STRAIGHTS = tuple(frozenset(rank % 13 for rank in range(low, low + 5)) for low in range(-1, 9))


@cache
def _connectedness(ranks: frozenset[int]) -> str:
    outs: dict[frozenset[int], set[int]] = {}
    """For each two ranks in hand, the ranks that complete a straight with them."""
    for straight in _STRAIGHTS:
        missing = straight - ranks
        if len(missing) <= 2:
            return "connected"
        if len(missing) == 3:
            for out in missing:
                outs.setdefault(missing - {out}, set()).add(out)
    return CONNECTEDNESS[min(max(map(len, outs.values()), default=0), 2)]
