"""The shortest text of a range.

`shortest_text` writes what `pokerlab.cards.ranges.text.parse_range` reads back to exactly the
same weights. It uses the whole grammar: spans, both suits at once, diagonals, weights that later
items replace, ``any`` with exceptions, brackets where many items share a weight, and a
percentage where that is the range. Weights are written as Python writes floats, with the fewest
digits that read back. A percentage with corrections says little to a reader, so the text must
then be at most half as long as without it.

The pairs, and the suited or offsuit hands of one high card, are written in the fewest
characters that there are. How these lines are put together is a search that takes the best
step as long as one helps, so a text with several weights may be a few characters longer than
the best one (see `pokerlab.cards.ranges.lines`).

`plain_text` is for other programs, whose grammars are smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain
from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, format_cards
from pokerlab.cards.hand_classes import (
    CLASS_NAMES,
    CLASS_SIZES,
    best_first,
    class_combos,
)
from pokerlab.cards.ranges.lines import Need
from pokerlab.cards.ranges.paint import Painter

__all__ = ["plain_text", "shortest_text"]

Weights = npt.NDArray[np.float64]


def shortest_text(weights: Weights) -> str:
    """Write weights of the 1,326 combos in few characters.

    Examples
    --------
    >>> from pokerlab.cards.ranges.text import parse_range
    >>> shortest_text(parse_range("AKs, AQs, AKo, AQo, JJ, QQ, KK, AA:0.5"))
    'JJ+,AQ+,AA:0.5'
    """
    picture = _Picture(weights)
    canvas = _Canvas(picture)
    drafts: list[tuple[str, _Base, set[int]]] = []
    for base in _bases(picture):
        items = canvas.items(base)
        text, bracketed = _join(picture, items)
        obscure = base.text.endswith("%") and len(items) > 1
        if not obscure or 2 * len(text) <= min(len(draft[0]) for draft in drafts):
            drafts.append((text, base, bracketed))
    text, base, bracketed = min(drafts, key=lambda draft: len(draft[0]))
    # Inside brackets a weight costs nothing, so other items may be better there.
    free = bracketed | picture.frequent
    if free:
        again, _ = _join(picture, _Canvas(picture, free).items(base))
        text = min(text, again, key=len)
    return text


def plain_text(weights: Weights) -> str:
    """Name every class, or every combo where they differ, once, with its weight.

    Examples
    --------
    >>> from pokerlab.cards.ranges.text import parse_range
    >>> plain_text(parse_range("QQ+:0.5, ATs+, AhKd"))
    'AA:0.5,AKs,AQs,AJs,ATs,KK:0.5,QQ:0.5,AhKd'
    """
    classes, combos = [], []
    for name, members in zip(CLASS_NAMES, class_combos(), strict=True):
        own = weights[members].tolist()
        if own.count(own[0]) == len(own):
            if own[0]:
                classes.append(name + _suffix(own[0]))
        else:
            combos += [
                _combo_text(combo) + _suffix(weight)
                for combo, weight in zip(members.tolist(), own, strict=True)
                if weight
            ]
    return ",".join(classes + combos)


class _Picture:
    """The weights as colours, which are small integers; colour 0 is weight 0.

    Attributes
    ----------
    values, suffixes
        The weight of every colour, and how an item shows it.
    combos
        The colour of every combo.
    classes
        How many combos of every class have which colour.
    frequent
        The colours other than weights 0 and 1 of three classes or more.
    """

    def __init__(self, weights: Weights) -> None:
        values, colours = np.unique(np.append(0.0, weights), return_inverse=True)
        self.values: list[float] = values.tolist()
        self.suffixes = list(map(_suffix, self.values))
        self.combos: list[int] = colours.reshape(-1)[1:].tolist()
        self.classes: list[dict[int, int]] = []
        for members in class_combos():
            counts: dict[int, int] = {}
            for combo in members.tolist():
                colour = self.combos[combo]
                counts[colour] = counts.get(colour, 0) + 1
            self.classes.append(counts)
        uses = Counter(chain.from_iterable(self.classes))
        self.frequent = {
            colour for colour in uses if uses[colour] > 2 and self.values[colour] not in (0, 1)
        }


class _Base(NamedTuple):
    """The first item, if it has a text: one that paints much of the grid."""

    text: str
    colour: int
    background: list[int]


def _bases(picture: _Picture) -> Iterator[_Base]:
    """Give the beginnings that are worth a try."""
    colours = [max(counts, key=counts.__getitem__) for counts in picture.classes]
    frequencies = Counter(colours)
    nothing = frequencies.pop(0, 0)
    yield _Base("", 0, [0] * len(colours))
    if not frequencies:
        return
    colour, frequency = frequencies.most_common(1)[0]
    if frequency >= nothing:
        yield _Base("any", colour, [colour] * len(colours))
    # How many classes the best 0, 1, 2, … classes in this colour would leave wrong.
    wrong = [frequencies.total()]
    for number in best_first():
        wrong.append(wrong[-1] - (colours[number] == colour) + (colours[number] == 0))
    best = min(range(1, len(colours)), key=wrong.__getitem__)
    if 3 * wrong[best] < wrong[0]:  # else the corrections would be too many
        top = {*best_first()[:best]}
        background = [colour if number in top else 0 for number in range(len(colours))]
        yield _Base(_percentage(best), colour, background)


def _percentage(classes: int) -> str:
    """The shortest percentage that means this many of the best classes (but not all)."""
    combos = np.cumsum(CLASS_SIZES[list(best_first())]).tolist()
    least, too_much = (100 * combos[index] / N_COMBOS for index in (classes - 1, classes))
    digits = 0
    while ceil(least * 10**digits) / 10**digits >= too_much:
        digits += 1
    return f"{ceil(least * 10**digits) / 10**digits:.{digits}f}%"


class _Item(NamedTuple):
    text: str
    colour: int
    layer: int
    """Items of one layer may stand in any order; they replace weights of lower layers."""


class _Canvas:
    """Chooses items; the weights of the `free` colours are taken to cost no characters."""

    def __init__(self, picture: _Picture, free: Iterable[int] = ()) -> None:
        self.picture = picture
        prices = [1 + len(suffix) for suffix in picture.suffixes]  # 1 for the comma
        for colour in free:
            prices[colour] = 1
        self.painter = Painter(prices)
        known: dict[tuple[tuple[int, int], ...], Need] = {}
        self.needs = [
            known.setdefault(tuple(counts.items()), _need(counts, prices))
            for counts in picture.classes
        ]

    def items(self, base: _Base) -> list[_Item]:
        items = [_Item(base.text, base.colour, 0)] if base.text else []
        colours = base.background.copy()
        layers = [len(items) - 1] * len(colours)
        for text, colour, classes in self.painter.paint(self.needs, base.background):
            layer = max(layers[number] + (colours[number] != colour) for number in classes)
            items.append(_Item(text, colour, layer))
            for number in classes:
                colours[number] = colour
                layers[number] = layer
        for number, counts in enumerate(self.picture.classes):
            if counts.keys() == {colours[number]}:
                continue
            for combo in class_combos()[number].tolist():
                colour = self.picture.combos[combo]
                if colour != colours[number]:
                    items.append(_Item(_combo_text(combo), colour, layers[number] + 1))
        return items


def _need(counts: dict[int, int], prices: list[int]) -> Need:
    if len(counts) == 1:
        (colour,) = counts
        return Need({colour: 0}, wanted=colour)
    combo_prices = {colour: count * (4 + prices[colour]) for colour, count in counts.items()}
    everything = sum(combo_prices.values())
    repairs = {colour: everything - price for colour, price in combo_prices.items()}
    return Need(repairs, everything, wanted=min(repairs, key=repairs.__getitem__))


def _join(picture: _Picture, items: list[_Item]) -> tuple[str, set[int]]:
    """Give the text of the items, and the colours that it shows by brackets."""
    groups: dict[tuple[int, int], list[_Item]] = {}
    for item in items:
        groups.setdefault((item.layer, item.colour), []).append(item)
    parts: dict[int, list[str]] = {layer: [] for layer, _ in sorted(groups)}
    brackets = set()
    for (layer, colour), group in groups.items():
        percent = _percent(picture.values[colour])
        opening, closing = f"[{percent}]", f"[/{percent}]"
        # Two brackets against a weight at every item; no comma is needed next to a bracket.
        extra = len(opening + closing) - (len(groups) > 1)
        if extra < len(group) * len(picture.suffixes[colour]):
            brackets.add((layer, colour))
            parts[layer].append(opening + ",".join(item.text for item in group) + closing)
    for layer, texts in parts.items():
        texts[:0] = [
            item.text + picture.suffixes[item.colour]
            for item in items
            if item.layer == layer and (layer, item.colour) not in brackets
        ]
    text = ",".join(part for texts in parts.values() for part in texts)
    return text.replace("],", "]").replace(",[", "["), {colour for _, colour in brackets}


def _suffix(weight: float) -> str:
    if weight in (0, 1):
        return "" if weight else ":0"
    return f":{weight!r}".replace("e-0", "e-")


def _percent(weight: float) -> str:
    """The weight in percent, exactly: the decimal point moves two places."""
    percent = Decimal(repr(weight)).scaleb(2).normalize()
    return min(f"{percent:f}", str(percent), key=len)


def _combo_text(combo: int) -> str:
    return format_cards(COMBO_CARDS[combo].tolist())
