"""Conditions and orders in text, for rows of numbers: ``b120 > 0.5 and ev < 20``, ``ev asc``.

A condition is a name, a comparison and a number, which may be in percent; several are joined by
``and``. Who asks knows the names.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pokerlab.runtime.errors import shorten

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_CONDITION = re.compile(r"([^\s<>=!]+)\s*(<=|>=|!=|==|<|>|=)\s*([^\s<>=!]+)")


class Condition(NamedTuple):
    """One condition, as its text has it."""

    text: str
    name: str
    compare: Callable[[Any, Any], Any]
    """Takes a number, or an array of them, and the limit."""
    limit: float


def read_conditions(text: str, example: str) -> list[Condition]:
    """Read conditions; `example` is shown where the text is none.

    Examples
    --------
    >>> [(each.name, each.limit) for each in read_conditions("b50 > 25% and ev < 20", "ev > 0")]
    [('b50', 0.25), ('ev', 20.0)]
    >>> read_conditions("b50 or ev", "ev > 0")
    Traceback (most recent call last):
    ValueError: where: 'b50 or ev' is not a condition; write a name, one of < > = ... as in 'ev > 0'
    """
    return [_read_condition(part, example) for part in re.split(r"\band\b", text, flags=re.I)]


def read_order(text: str) -> tuple[str, bool]:
    """Read a name, maybe with ``asc`` or ``desc`` after it, and whether the largest comes first.

    Examples
    --------
    >>> read_order("ev"), read_order("ev asc")
    (('ev', True), ('ev', False))
    """
    words = text.split()
    if not words or words[1:] not in ([], ["asc"], ["desc"]):
        raise ValueError(
            f"sort: {shorten(text)!r} is not a column, with or without asc or desc: 'ev asc'"
        )
    return words[0], words[1:] != ["asc"]


def _read_condition(text: str, example: str) -> Condition:
    part = text.strip()
    match = _CONDITION.fullmatch(part)
    if match is None:
        raise ValueError(
            f"where: {shorten(part)!r} is not a condition; write a name, one of"
            f" {' '.join(sorted(_OPERATORS, key=len))}, and a number, as in {example!r}"
        )
    return Condition(part, match[1], _OPERATORS[match[2]], _read_number(match[3], part))


def _read_number(text: str, part: str) -> float:
    try:
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"where: {shorten(text)!r} in {shorten(part)!r} is not a number, for example 0.5 or 50%"
        )
    return number
