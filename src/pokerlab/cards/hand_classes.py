"""The 169 classes of starting hands: pairs, suited and offsuit hands on a 13×13 grid.

A class has the number ``13 · row + column`` of its cell. Aces come first; pairs stand on the
diagonal, suited hands above it, offsuit hands below it, as in every poker chart. `best_first`
orders the classes by their equity against a random hand before the flop.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, RANKS
from pokerlab.runtime.arrays import Bytes, Indices

GRID = 13
"""Rows and columns of the grid."""


def class_number(high: int, low: int, *, suited: bool = False) -> int:
    """Give the class of two ranks (0 for deuce to 12 for ace, ``high >= low``).

    Examples
    --------
    >>> CLASS_NAMES[class_number(12, 11, suited=True)], CLASS_NAMES[class_number(12, 11)]
    ('AKs', 'AKo')
    """
    if suited:
        return GRID * (12 - high) + 12 - low
    return GRID * (12 - low) + 12 - high


def _class_name(number: int) -> str:
    row, column = divmod(number, GRID)
    if row == column:
        return 2 * RANKS[12 - row]
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("s" if row < column else "o")


def _classes_of_combos() -> Bytes:
    from_ace = 12 - (COMBO_CARDS >> 2).astype(np.intp)
    high, low = from_ace[:, 0], from_ace[:, 1]
    suited = (COMBO_CARDS[:, 0] & 3) == (COMBO_CARDS[:, 1] & 3)
    classes = np.where(suited, GRID * high + low, GRID * low + high).astype(np.uint8)
    classes.flags.writeable = False
    return classes


CLASS_NAMES: tuple[str, ...] = tuple(map(_class_name, range(GRID * GRID)))
"""``AA``, ``AKs``, … ``22``, by class number."""

CLASS_OF_COMBO: Bytes = _classes_of_combos()
"""The class of every combo: shape (1326,)."""

CLASS_SIZES: Indices = np.bincount(CLASS_OF_COMBO, minlength=GRID * GRID)
"""Combos in every class: 6 for pairs, 4 for suited and 12 for offsuit hands; shape (169,)."""
CLASS_SIZES.flags.writeable = False


@cache
def class_combos() -> tuple[Indices, ...]:
    """The combos of every class, ascending.

    Examples
    --------
    >>> class_combos()[CLASS_NAMES.index("22")]
    array([0, 1, 2, 3, 4, 5])
    """
    by_class = np.argsort(CLASS_OF_COMBO, kind="stable")
    by_class.flags.writeable = False
    return tuple(np.split(by_class, np.cumsum(CLASS_SIZES)[:-1]))


@cache
def best_first() -> tuple[int, ...]:
    """The classes by equity against one random hand before the flop, the best first.

    The equities are exact: all boards, all opposing hands, a tie counts half. They differ
    between any two classes, so the order is unique.

    Examples
    --------
    >>> [CLASS_NAMES[number] for number in best_first()[:4]], CLASS_NAMES[best_first()[-1]]
    (['AA', 'KK', 'QQ', 'JJ'], '32o')
    """
    text = (Path(__file__).parent / "data" / "preflop_order.txt").read_text("utf-8")
    number_of = {name: number for number, name in enumerate(CLASS_NAMES)}
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return tuple(number_of[name] for name, _ in lines)


@cache
def _combos_of_best() -> Indices:
    """How many combos the best 1, 2, … 169 classes hold."""
    return np.cumsum(CLASS_SIZES[list(best_first())])


def top_classes(percent: float) -> tuple[int, ...]:
    """The best classes that together hold at most `percent` of the 1,326 combos.

    Classes are taken whole, the best first, up to the first one that does not fit.

    Examples
    --------
    >>> [CLASS_NAMES[number] for number in top_classes(2)]
    ['AA', 'KK', 'QQ', 'JJ']
    """
    # A hair of slack, so that 100 · 6 / 1326 percent still holds the six aces.
    fitting = np.searchsorted(_combos_of_best(), percent / 100 * N_COMBOS + 1e-9, side="right")
    return best_first()[:fitting]
