"""Chips are whole: how a size becomes a number of them, and how numbers are read and written."""

from __future__ import annotations

import math
import re
from decimal import Decimal

__all__ = ["MAX_CHIPS", "read_number", "round_chips", "whole_chips", "write_number"]

MAX_CHIPS = 10**9
"""The largest pot or stack: far beyond any game, and all sums of chips stay exact."""

_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", re.ASCII)


def round_chips(amount: float) -> int:
    """Round to whole chips, halves up.

    A product such as 1.15 · 10 may miss its half by the last bit; that does not count.

    Examples
    --------
    >>> round_chips(2.4), round_chips(2.5), round_chips(0.29 * 50)
    (2, 3, 15)
    """
    return math.floor(min(amount, 4.0 * MAX_CHIPS) + 0.5 + 1e-9)


def whole_chips(field: str, value: object, least: int) -> int:
    """Take a number of chips that a user gave; `ValueError` names the field.

    Examples
    --------
    >>> whole_chips("pot", 200.0, least=1)
    200
    >>> whole_chips("pot", 5.5, least=1)
    Traceback (most recent call last):
    ValueError: pot: 5.5 is not a whole number of chips; count in smaller chips (5.5 big blinds
    are 550 chips of a hundredth)
    >>> whole_chips("stack", -1, least=0)
    Traceback (most recent call last):
    ValueError: stack: -1 is not a number of chips from 0 to 1000000000
    """
    accepted = f"a number of chips from {least} to {MAX_CHIPS}"
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise ValueError(f"{field}: {value!r} is not {accepted}")
    number = float(value)
    if not least <= number <= MAX_CHIPS:  # NaN too
        raise ValueError(f"{field}: {value} is not {accepted}")
    if number != int(number):
        raise ValueError(
            f"{field}: {value} is not a whole number of chips; count in smaller chips "
            "(5.5 big blinds are 550 chips of a hundredth)"
        )
    return int(number)


def read_number(text: str) -> float | None:
    """Read a decimal number without sign or exponent; None for any other text.

    Examples
    --------
    >>> read_number("2.5"), read_number("1e3"), read_number("-1")
    (2.5, None, None)
    """
    number = float(text) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def write_number(number: float) -> str:
    """Write a number in the shortest form that `read_number` reads back.

    Examples
    --------
    >>> write_number(33.0), write_number(2.5), write_number(1e-7)
    ('33', '2.5', '0.0000001')
    """
    text = format(Decimal(repr(float(number))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
