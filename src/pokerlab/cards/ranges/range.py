"""`Range`: which hands a player may hold, and how likely each of them is.

A range gives a weight from 0 to 1 to each of the 1,326 combos. It is made from text such as
``77+, A5s-A2s, AKo:0.5`` (all that a text may hold is in `pokerlab.cards.ranges.text`), from
weights, or from another range by set operations.

Text and pictures of a range are made in modules of their own, which are imported when they are
first asked for: most programs only read ranges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, CLASS_SIZES, GRID
from pokerlab.cards.ranges.text import parse_range
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.shown import ShownPicture, function_named

RangeLike: TypeAlias = "Range | str | npt.ArrayLike"
"""What a public function takes as a range: text, 1,326 weights, or a `Range`."""


class Range:
    """Weights from 0 to 1 of the 1,326 combos; it never changes.

    Parameters
    ----------
    hands
        Text such as ``"77+, AKs:0.5"``, ``"@btn.txt"`` for what a file holds (a name relative to
        the current folder; see `pokerlab.cards.ranges.range_file`), 1,326 weights in the order of
        the combo numbers, or a range.

    Examples
    --------
    >>> opening = Range("77+, A5s-A2s, AKs, AKo:0.5, AhKd")
    >>> opening.combos, opening.count
    (74.5, 80)
    >>> opening.weight("AKo"), opening.weight("AhKd"), "QQ" in opening
    (0.5416666666666666, 1.0, True)
    >>> print(opening - "QQ+" | "22")
    JJ-77,22,AKs,AKo:0.5,A5s-A2s,AhKd
    >>> Range("random").remove("AsKd").combos
    1225.0
    """

    __slots__ = ("_text", "_weights")
    __array_ufunc__ = None  # `np.float64(0.5) * hands` is left to `Range.__rmul__`

    _weights: Floats
    _text: str | None

    def __init__(self, hands: RangeLike = "") -> None:
        if isinstance(hands, Range):
            weights = hands._weights
        elif isinstance(hands, str):
            weights = _from_text(hands)
        else:
            weights = _checked(hands)
        weights.flags.writeable = False
        self._weights = weights
        self._text = None

    @property
    def weights(self) -> Floats:
        """The weight of every combo, by combo number: shape (1326,), read-only."""
        return self._weights

    @property
    def indices(self) -> Indices:
        """The numbers of the combos with a positive weight, ascending."""
        return np.flatnonzero(self._weights)

    @property
    def combos(self) -> float:
        """The sum of the weights."""
        return float(self._weights.sum())

    @property
    def count(self) -> int:
        """How many combos have a positive weight."""
        return int(np.count_nonzero(self._weights))

    def weight(self, hand: str) -> float:
        """The weight of a combo (``AhKd``), or the mean weight of several (``AKs``, ``77+``).

        Examples
        --------
        >>> Range("AhKh").weight("AKs")
        0.25
        """
        named = Range(hand).indices
        if not len(named):
            raise ValueError(f"{shorten(hand)!r} names no hand; write one such as AhKd, AKs or 77+")
        return float(self._weights[named].mean())

    def class_weights(self) -> Floats:
        """The mean weight of every hand class on the 13×13 grid of all poker charts.

        Aces come first; pairs stand on the diagonal, suited hands above it.

        Examples
        --------
        >>> Range("AA, AKs:0.5, AKo:0.25").class_weights()[:2, :2]
        array([[1.  , 0.5 ],
               [0.25, 0.  ]])
        """
        sums = np.bincount(CLASS_OF_COMBO, self._weights, GRID * GRID)
        return (sums / CLASS_SIZES).reshape(GRID, GRID)

    def remove(self, dead: Cards) -> Range:
        """The range without the combos that hold a dead card.

        Examples
        --------
        >>> print(Range("AA").remove("AsAd"))
        AhAc
        """
        cards = np.array(to_cards(dead), dtype=np.uint8)
        return Range(np.where(np.isin(COMBO_CARDS, cards).any(axis=1), 0.0, self._weights))

    def plain_text(self) -> str:
        """Classes and combos by name, each once, with its weight: what every program reads.

        Examples
        --------
        >>> Range("QQ+, AK:0.5").plain_text()
        'AA,AKs:0.5,AKo:0.5,KK,QQ'
        """
        from pokerlab.cards.ranges.writer import plain_text

        return plain_text(self._weights)

    def pio_text(self) -> str:
        """The 1,326 weights as PioSOLVER writes them, from 2d2c to AsAh; a file of them is read.

        Examples
        --------
        >>> numbers = Range("2d2c, AsAh:0.5").pio_text().split()
        >>> len(numbers), numbers[:2], numbers[-1]
        (1326, ['1', '0'], '0.5')
        """
        from pokerlab.cards.ranges.writer import pio_text

        return pio_text(self._weights)

    def picture(self) -> ShownPicture:
        """The range as a 13×13 picture for Rich and for notebooks."""
        draw = function_named("pokerlab.views.pictures.range_picture:RangePicture")
        picture: ShownPicture = draw(self.class_weights())
        return picture

    def __and__(self, other: RangeLike) -> Range:
        """Combos that are in both ranges, with the smaller weight."""
        return Range(np.minimum(self._weights, Range(other)._weights))

    def __or__(self, other: RangeLike) -> Range:
        """Combos that are in either range, with the larger weight."""
        return Range(np.maximum(self._weights, Range(other)._weights))

    def __sub__(self, other: RangeLike) -> Range:
        """Take the weights of the other range away: a combo of weight 1 there is removed."""
        return Range(np.maximum(self._weights - Range(other)._weights, 0.0))

    def __invert__(self) -> Range:
        """Give every combo the weight that it lacks to 1."""
        return Range(1.0 - self._weights)

    def __mul__(self, factor: float) -> Range:
        """All weights times a number from 0 to 1."""
        if isinstance(factor, Range | str):
            return NotImplemented
        if not 0 <= factor <= 1:
            raise ValueError(f"a range is multiplied by a number from 0 to 1, not by {factor}")
        return Range(self._weights * float(factor))

    __rmul__ = __mul__

    def __contains__(self, hands: RangeLike) -> bool:
        """Whether all combos that `hands` names have a positive weight here."""
        return bool(self._weights[Range(hands).indices].all())

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Give the combos with a positive weight, by number: ``("AhKd", 0.5)``."""
        for index in self.indices.tolist():
            yield format_cards(COMBO_CARDS[index].tolist()), float(self._weights[index])

    def __bool__(self) -> bool:
        return bool(self._weights.any())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return np.array_equal(self._weights, other._weights)

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __str__(self) -> str:
        """Text that gives the same weights: spans, then single combos."""
        if self._text is None:
            from pokerlab.cards.ranges.writer import range_text

            self._text = range_text(self._weights)
        return self._text

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __reduce__(self) -> tuple[type[Range], tuple[Floats]]:
        return Range, (self._weights,)

    def __rich__(self) -> ShownPicture:
        return self.picture()

    def _repr_html_(self) -> str:
        return self.picture()._repr_html_()


def _from_text(text: str) -> Floats:
    name = text.strip()
    if not name.startswith("@"):
        return parse_range(text)
    from pokerlab.cards.ranges.range_file import read_range_file

    return read_range_file(name.removeprefix("@").strip())


def _checked(values: npt.ArrayLike) -> Floats:
    """Copy weights, after a check that they are 1,326 numbers from 0 to 1."""
    try:
        given = np.asarray(values)
        weights = np.array(given.real, dtype=np.float64) + 0.0  # no negative zeros
    except (TypeError, ValueError):
        raise ValueError(
            f"a range is text, a Range or {N_COMBOS} weights, not {type(values).__name__}"
        ) from None
    if np.iscomplexobj(given):
        raise ValueError("a range has weights from 0 to 1, not complex numbers")
    if weights.shape != (N_COMBOS,):
        raise ValueError(f"a range has {N_COMBOS} weights, not an array of shape {weights.shape}")
    good = (weights >= 0) & (weights <= 1)
    if not good.all():
        combo = int(np.argmin(good))
        hand = format_cards(COMBO_CARDS[combo].tolist())
        raise ValueError(f"weight {weights[combo]} of {hand} (combo {combo}) is outside 0 to 1")
    return weights
