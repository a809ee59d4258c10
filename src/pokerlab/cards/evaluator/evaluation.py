"""How good a hand of five, six or seven cards is: class 1 (royal flush) to 7462 (seven high).

One hand costs a microsecond and needs no compiled code; `evaluate_batch` takes arrays of hands
and runs a kernel. Other kernels call those of `pokerlab.cards.evaluator.evaluator_kernels`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.tables import FLUSH_BITS, INDEX_MASK, ROW_SHIFT, START_KEY
from pokerlab.runtime.arrays import Uint16s

_ROWS_COPIED = 8192  # at a time: they stay in the cache


def evaluate(cards: Cards) -> int:
    """Class of the best five cards among five, six or seven: 1 is best, 7462 worst.

    Examples
    --------
    >>> evaluate("AsKsQsJsTs9h2d")
    1
    >>> evaluate("2c3d4h5s7c")
    7462
    >>> evaluate("AsKsQsJs")
    Traceback (most recent call last):
    ValueError: a hand has 5, 6 or 7 cards, 'AsKsQsJs' has 4
    """
    codes = to_cards(cards)
    if not 5 <= len(codes) <= 7:
        shown = cards if isinstance(cards, str) else format_cards(codes)
        raise ValueError(f"a hand has 5, 6 or 7 cards, {shown!r} has {len(codes)}")
    return evaluate_cards(codes)


def evaluate_cards(codes: Iterable[int]) -> int:
    """Class of five to seven different card codes, unchecked: for inner loops in Python.

    Codes that do not make a hand get a meaningless class; `evaluate` refuses them.

    Examples
    --------
    >>> evaluate_cards((51, 47, 43, 39, 35))
    1
    """
    return _look_up()(codes)


def evaluate_batch(cards: npt.ArrayLike, *, check: bool = True) -> Uint16s:
    """Classes of many hands, given as card codes of shape (n, 5), (n, 6) or (n, 7).

    Fastest with ``uint8``; other integers are copied to bytes first.

    Parameters
    ----------
    cards
        The hands.
    check
        Make sure that every row is a hand of different cards. Without it a bad row gets a
        meaningless class; that saves an eighth of the time (a third on x86-64 processors without
        AVX-512).

    Examples
    --------
    >>> evaluate_batch([[51, 47, 43, 39, 35], [0, 5, 10, 15, 20]])
    array([   1, 7462], dtype=uint16)
    >>> evaluate_batch([[51, 47, 43, 39, 35], [0, 0, 10, 15, 20]])
    Traceback (most recent call last):
    ValueError: row 1 is not a hand of different cards (codes 0 to 51): [0, 0, 10, 15, 20]
    """
    from pokerlab.cards.evaluator.batch_kernels import evaluate_rows, find_bad_row, narrow_codes
    from pokerlab.cards.evaluator.layout import hand_layout

    hands = np.ascontiguousarray(cards)
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7 or hands.dtype.kind not in "iu":
        raise ValueError(
            "hands are integer card codes of shape (n, 5), (n, 6) or (n, 7), "
            f"got {hands.dtype} of shape {hands.shape}"
        )
    classes = np.empty(len(hands), dtype=np.uint16)
    layout = hand_layout(hands.shape[1])
    rows_at_once = max(len(hands), 1) if hands.dtype == np.uint8 else _ROWS_COPIED
    for first in range(0, len(hands), rows_at_once):
        codes = hands[first : first + rows_at_once]
        if codes.dtype != np.uint8:
            wide, codes = codes, np.empty(codes.shape, np.uint8)
            narrow_codes(wide.reshape(-1), codes.reshape(-1))
        found = classes[first : first + len(codes)]
        if not evaluate_rows(codes, found, check, layout, evaluator_tables.load()):
            bad_row = first + find_bad_row(codes)
            raise ValueError(
                f"row {bad_row} is not a hand of different cards (codes 0 to 51): "
                f"{hands[bad_row].tolist()}"
            )
    return classes


@cache
def _look_up() -> Callable[[Iterable[int]], int]:
    """The tables bound to a function; indexing memory views is quicker than NumPy arrays."""
    tables = evaluator_tables.load()
    key_of = tables.card_key.tolist().__getitem__
    bit_of = tables.card_bit.tolist().__getitem__
    row_offset = tables.row_offset.data
    rank_class = tables.rank_class.data
    flush_class = tables.flush_class.data

    def look_up(codes: Iterable[int]) -> int:
        codes = tuple(codes)
        key: int = sum(map(key_of, codes), START_KEY)
        if key & FLUSH_BITS:
            bits: int = sum(map(bit_of, codes))
            suit = next(suit for suit in range(4) if key >> (51 + 4 * suit) & 1)
            return flush_class[bits >> 16 * suit & 0x1FFF]
        ranks = key & 0xFFFFFFFF
        return rank_class[(ranks + row_offset[ranks >> ROW_SHIFT]) & INDEX_MASK]

    return look_up
