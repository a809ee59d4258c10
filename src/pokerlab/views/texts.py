"""Numbers as people write them, for the command line and the pages."""

from __future__ import annotations

import math

_NOISE = 1e-9
"""What is never below zero, and is by less than this, is zero: sums are rounded."""


def number_text(number: float) -> str:
    """A number as people write it: about three digits, no exponent unless it is tiny.

    Examples
    --------
    >>> [number_text(number) for number in (165231.2, 312.4, 12.34, 1.234, 0.8123, 0.00123, 3e-7)]
    ['165,231', '312', '12.3', '1.23', '0.81', '0.0012', '3.0e-07']
    """
    number = 0.0 if -_NOISE < number <= 0 else number
    size = abs(number)
    if size >= 100 or size == 0:
        return f"{number:,.0f}"
    if size >= 1:
        return f"{number:.{1 if size >= 10 else 2}f}"
    if size < 1e-5:
        return f"{number:.1e}"
    return f"{number:.{1 - math.floor(math.log10(size))}f}"


def gap_text(number: float, digits: int = 3) -> str:
    """An exploitability, or another gap that is never below zero, to a few digits.

    Examples
    --------
    >>> gap_text(0.2414), gap_text(1.42e-15), gap_text(-2.78e-14), gap_text(-0.5)
    ('0.241', '1.42e-15', '0', '-0.5')
    """
    return f"{0.0 if -_NOISE < number <= 0 else number:.{digits}g}"


def signed_text(number: float, digits: int) -> str:
    """A value with its sign and this many digits after the point; zero has a plus.

    Examples
    --------
    >>> signed_text(-1 / 18, 6), signed_text(-1e-16, 6), signed_text(-0.0, 2)
    ('-0.055556', '+0.000000', '+0.00')
    """
    return f"{round(number, digits) + 0.0:+.{digits}f}"


def subset_text(runouts: str | None) -> str:
    """What is said behind an exploitability on a subset of run-outs.

    Examples
    --------
    >>> f"0.3% of the pot{subset_text('12x10')}", subset_text(None)
    ('0.3% of the pot (on 12x10 run-outs, not on all)', '')
    """
    return "" if runouts is None else f" (on {runouts} run-outs, not on all)"
