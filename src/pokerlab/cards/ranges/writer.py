"""The text of a range, in spans of hands that have one weight.

`range_text` writes what `pokerlab.cards.ranges.text.parse_range` reads back to exactly the same
weights. Pairs, and the suited and the offsuit hands of each high card, are written as runs of
equal weight: ``77+``, ``A5s-A2s:0.5``, and ``AT+`` where suited and offsuit hands have the same
run. A class whose combos differ is written with the weight that most of them have, and the others
follow by name. Weights are written as Python writes floats, with the fewest digits that read back.

`plain_text` is for other programs, whose grammars are smaller, and `pio_text` for those that read
numbers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from pokerlab.cards.codes import COMBO_CARDS, RANKS, format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, class_combos, class_number
from pokerlab.runtime.arrays import Floats


def range_text(weights: Floats) -> str:
    """Write weights of the 1,326 combos as spans, with single combos at the end.

    Examples
    --------
    >>> from pokerlab.cards.ranges.text import parse_range
    >>> range_text(parse_range("AKs, AQs, AKo, AQo, JJ, QQ, KK, AA:0.5"))
    'AA:0.5,KK-JJ,AQ+'
    >>> range_text(parse_range("22+, AhAd:0.5"))
    '22+,AhAd:0.5'
    """
    common = [_common_weight(weights[members].tolist()) for members in class_combos()]
    if len(set(common)) == 1:
        items = ["any" + _suffix(common[0])] if common[0] else []
    else:
        items = list(_spans(common))
    for number, members in enumerate(class_combos()):
        items += [
            _combo_text(combo) + _suffix(weight)
            for combo, weight in zip(members.tolist(), weights[members].tolist(), strict=True)
            if weight != common[number]
        ]
    return ",".join(items)


def plain_text(weights: Floats) -> str:
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


def pio_text(weights: Floats) -> str:
    """The weights of the 1,326 combos in their order, which is PioSOLVER's, with blanks between.

    Examples
    --------
    >>> from pokerlab.cards.ranges.text import parse_range
    >>> pio_text(parse_range("2d2c, 2h2c:0.25"))[:10]
    '1 0.25 0 0'
    """
    return " ".join(repr(each) if each % 1 else f"{each:.0f}" for each in weights.tolist())


def _common_weight(weights: list[float]) -> float:
    """The weight to write for a class: that of most combos, or 0 if naming them is shorter."""
    frequent, _ = Counter(weights).most_common(1)[0]

    def length(common: float) -> int:
        item = len("AKs,") + len(_suffix(common)) if common else 0
        return item + sum(len("AhKd,") + len(_suffix(own)) for own in weights if own != common)

    return min(0.0, frequent, key=length)


def _spans(weights: list[float]) -> Iterator[str]:
    """The items that give the classes their weights; each class is in one item at most."""
    pairs = [weights[class_number(rank, rank)] for rank in reversed(range(13))]
    for weight, first, last in _runs(pairs):
        yield _span(2 * RANKS[12 - first], 2 * RANKS[12 - last], first == 0) + _suffix(weight)
    for high in reversed(range(1, 13)):
        kickers = range(high - 1, -1, -1)
        suited, offsuit = (
            set(_runs([weights[class_number(high, low, suited=suited)] for low in kickers]))
            for suited in (True, False)
        )
        for run in sorted(suited | offsuit, key=lambda run: (run[1], run not in suited)):
            weight, first, last = run
            kind = "" if run in suited and run in offsuit else "s" if run in suited else "o"
            best, worst = (RANKS[high] + RANKS[kickers[end]] + kind for end in (first, last))
            yield _span(best, worst, first == 0) + _suffix(weight)


def _runs(weights: list[float]) -> Iterator[tuple[float, int, int]]:
    """Each run of one weight other than 0: the weight, its first and its last position."""
    position = 0
    for weight, run in groupby(weights):
        length = len(list(run))
        if weight:
            yield weight, position, position + length - 1
        position += length


def _span(best: str, worst: str, from_top: bool) -> str:
    if best == worst:
        return best
    return f"{worst}+" if from_top else f"{best}-{worst}"


def _suffix(weight: float) -> str:
    if weight in (0, 1):
        return "" if weight else ":0"
    return f":{weight!r}"


def _combo_text(combo: int) -> str:
    return format_cards(COMBO_CARDS[combo].tolist())
