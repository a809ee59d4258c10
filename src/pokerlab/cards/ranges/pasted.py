"""Range texts of other programs: the 1,326 weights of PioSOLVER, and which program wrote a text.

`pokerlab.cards.ranges.text` reads all of them; here is what is not a list of items, and the words
that say how a text was understood.
"""

from __future__ import annotations

import re

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

_FLAGS = re.IGNORECASE | re.ASCII
_WEIGHT = r"(?:[01](?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?"
_BETWEEN = r"[\s,;\u00a0]"
_MANY = 20
"""The number of weights from which on a text is a list of them: no hand is written like that."""
_BEGINNING = re.compile(rf"{_BETWEEN}*(?:{_WEIGHT}{_BETWEEN}+){{{_MANY - 1}}}{_WEIGHT}", _FLAGS)
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?", _FLAGS)

_BRACKET = re.compile(r"\[[ ]*[0-9.]+[ ]*\]", _FLAGS)
_COMBO_WEIGHT = re.compile(r"[2-9TJQKA][cdhs][2-9TJQKA][cdhs]\s*:", _FLAGS)
_CLASS_WEIGHT = re.compile(r"[2-9TJQKA][2-9TJQKA][so]?\s*:", _FLAGS)


def parse_weights(text: str) -> Floats | None:
    """The weights of a text that is a list of 1,326 numbers; None for any other text.

    The order is that of our combo numbers, from 2d2c to AsAh, which is PioSOLVER's; blanks, commas
    or line ends stand between the numbers.

    Examples
    --------
    >>> weights = parse_weights("0.5 " + "0 " * 1325)
    >>> weights.shape, weights[:2].tolist(), parse_weights("22, 33") is None
    ((1326,), [0.5, 0.0], True)
    >>> parse_weights("0 " * 1325)
    Traceback (most recent call last):
    ValueError: bad range: 1,325 numbers; a list of weights has 1,326, from 2d2c to AsAh
    """
    begins = _BEGINNING.match(text)
    if not begins and len(text) < 2 * N_COMBOS - 1:
        return None
    items = [item for item in re.split(rf"{_BETWEEN}+", text) if item]
    numbers = [_NUMBER.fullmatch(item) is not None for item in items]
    if not begins and (len(items) != N_COMBOS or sum(numbers) < N_COMBOS - _MANY):
        return None
    for place, (item, number) in enumerate(zip(items, numbers, strict=True)):
        if not number or float(item) > 1:
            why = "is outside 0 to 1" if number else "is not a number"
            raise ValueError(f"bad range: weight {place + 1:,}, {shorten(item, 40)!r}, {why}")
    if len(items) != N_COMBOS:
        raise ValueError(
            f"bad range: {len(items):,} numbers; a list of weights has {N_COMBOS:,}, from 2d2c to"
            " AsAh"
        )
    return np.array(items, dtype=np.float64)


def form_words(text: str) -> str | None:
    """The form of a text that another program wrote, in words; None for what nobody needs told.

    Examples
    --------
    >>> form_words("[50.0]AKs-AQs[/50.0],AA")
    'weights in brackets (GTO+)'
    >>> form_words("2d2c: 1,2h2c: 0.5"), form_words("77+, AKs")
    ('weights of single combos (GTO Wizard)', None)
    """
    if _BEGINNING.match(text):
        return "1,326 weights (PioSOLVER)"
    if _BRACKET.search(text):
        return "weights in brackets (GTO+)"
    if _COMBO_WEIGHT.search(text):
        return "weights of single combos (GTO Wizard)"
    if _CLASS_WEIGHT.search(text):
        return "weights after a colon (PioSOLVER)"
    return None
