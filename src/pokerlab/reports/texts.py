"""Numbers as people write them, for the command line and the pages."""

from __future__ import annotations

import math

__all__ = ["number_text"]


def number_text(number: float) -> str:
    """A number as people write it: about three digits, no exponent unless it is tiny.

    Examples
    --------
    >>> [number_text(number) for number in (165231.2, 312.4, 12.34, 1.234, 0.8123, 0.00123, 3e-7)]
    ['165,231', '312', '12.3', '1.23', '0.81', '0.0012', '3.0e-07']
    """
    size = abs(number)
    if size >= 100 or size == 0:
        return f"{number:,.0f}"
    if size >= 1:
        return f"{number:.{1 if size >= 10 else 2}f}"
    if size < 1e-5:
        return f"{number:.1e}"
    return f"{number:.{1 - math.floor(math.log10(size))}f}"
