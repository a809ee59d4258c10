"""Bounds of numbers on the command line: checked by a callback, so that the help stays readable."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import typer

from pokerlab.runtime.errors import shorten

Number: TypeAlias = int | float | Sequence[int] | None


def bounded(low: int, high: float = math.inf) -> Callable[[Number], Number]:
    """The callback of an option that takes numbers from `low` to `high`; never nan or infinity.

    Examples
    --------
    >>> check = bounded(1, 1000)
    >>> check(7), check(None)
    (7, None)
    >>> check(0)
    Traceback (most recent call last):
    typer...BadParameter: must be from 1 to 1,000
    """

    def check(value: Number) -> Number:
        for number in value if isinstance(value, Sequence) else [value]:
            if number is not None and not (low <= number <= high and math.isfinite(number)):
                span = f"from {low:,} to {high:,}" if high < math.inf else f"{low:,} or more"
                raise typer.BadParameter(f"must be {span}")
        return value

    return check


def check_digits(words: Sequence[str]) -> None:
    """Refuse numbers in digits of other alphabets, which Python would read.

    Examples
    --------
    >>> check_digits(["--hands=١٢"])
    Traceback (most recent call last):
    ValueError: '١٢': write numbers with the digits 0 to 9
    """
    for word in words:
        value = word.partition("=")[2] if word.startswith("--") else word
        digits = value.lstrip("+-").replace(".", "", 1)
        if digits.isdecimal() and not digits.isascii():
            raise ValueError(f"{shorten(value)!r}: write numbers with the digits 0 to 9")
