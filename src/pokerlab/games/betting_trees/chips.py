"""Amounts of chips: how they are read, and the smallest chip that everything is counted in.

People write chips, ``200``, ``5.5``, or big blinds, ``5.5bb``. A tree counts in whole numbers of
the *smallest chip*: one chip where all amounts are whole, and a hundredth of one elsewhere. Sizes
are rounded to it. So nothing is lost on the way, and equal pots are equal.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from pokerlab.runtime.errors import shorten

MAX_CHIPS = 10**9
"""The largest pot or stack: far beyond any game, and all sums of chips stay exact."""

MAX_UNITS = 1000
"""The smallest chip is at least a thousandth of a chip."""

_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", re.ASCII)


def round_half_up(amount: float) -> int:
    """Round to a whole number, halves up.

    A product such as 1.15 · 10 may miss its half by the last bit; that does not count.

    Examples
    --------
    >>> round_half_up(2.4), round_half_up(2.5), round_half_up(0.29 * 50)
    (2, 3, 15)
    """
    return math.floor(min(amount, 4.0 * MAX_CHIPS * MAX_UNITS) + 0.5 + 1e-9)


def read_amount(field: str, value: object, big_blind: float = 1, *, above: bool = False) -> float:
    """An amount in chips of what a user gave; `ValueError` names the field.

    Parameters
    ----------
    field
        What to call it.
    value
        A number of chips, or text: chips (``"5.5"``) or big blinds (``"5.5bb"``).
    big_blind
        The chips of a big blind.
    above
        Whether 0 is too small.

    Examples
    --------
    >>> read_amount("pot", 200.0), read_amount("pot", "5.5bb"), read_amount("pot", "5.5bb", 10)
    (200, 5.5, 55)
    >>> read_amount("stack", -1)
    Traceback (most recent call last):
    ValueError: stack: -1 is not a number of chips from 0 to 1000000000 (or big blinds, as 5.5bb)
    >>> read_amount("pot", 5.12345)
    Traceback (most recent call last):
    ValueError: pot: 5.12345 has a part smaller than a thousandth of a chip
    """
    least = "above 0, at most" if above else "from 0 to"
    accepted = f"a number of chips {least} {MAX_CHIPS} (or big blinds, as 5.5bb)"
    shown = shorten(repr(value))
    chips = _chips(value, big_blind)
    if chips is None or not 0 <= chips <= MAX_CHIPS or (above and chips == 0):
        raise ValueError(f"{field}: {shown} is not {accepted}")
    if chips * MAX_UNITS % 1:
        raise ValueError(f"{field}: {shown} has a part smaller than a thousandth of a chip")
    return plain_number(chips)


def _chips(value: object, big_blind: float) -> Decimal | None:
    if isinstance(value, str):
        text = value.strip()
        number = read_number(text.removesuffix("bb").rstrip())
        factor = exact(big_blind) if text.endswith("bb") else Decimal(1)
        return None if number is None else exact(number) * factor
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    return exact(number) if math.isfinite(number) else None


def is_in_big_blinds(value: object) -> bool:
    """Whether a user wrote big blinds."""
    return isinstance(value, str) and value.strip().endswith("bb")


def exact(number: float) -> Decimal:
    """The number that a person reads when the float is printed.

    Examples
    --------
    >>> exact(0.1) * 3
    Decimal('0.3')
    """
    return Decimal(repr(float(number)))


def plain_number(number: Decimal | float) -> float:
    """An `int` where the number is whole, so that it is shown as it was written.

    Examples
    --------
    >>> plain_number(900.0), plain_number(5.5)
    (900, 5.5)
    """
    return int(number) if number == int(number) else float(number)


def units_needed(*amounts: float) -> int:
    """How many smallest chips make a chip: 1 if all amounts are whole, otherwise 100 or 1000.

    Examples
    --------
    >>> units_needed(200, 900), units_needed(5.5, 97), units_needed(5.125)
    (1, 100, 1000)
    """
    for units in (1, 100):
        if all(exact(amount) * units % 1 == 0 for amount in amounts):
            return units
    return MAX_UNITS


def read_number(text: str) -> float | None:
    """Read a decimal number without sign or exponent; None for any other text.

    Examples
    --------
    >>> read_number("2.5"), read_number("1e3"), read_number("-1")
    (2.5, None, None)
    """
    number = float(text) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def read_numbers(field: str, text: str) -> list[float]:
    """Numbers with commas between them; a % behind one is left out.

    Examples
    --------
    >>> read_numbers("payouts", "50%, 30%, 20%"), read_numbers("bounties", "")
    ([50.0, 30.0, 20.0], [])
    >>> read_numbers("payouts", "50,x")
    Traceback (most recent call last):
    ValueError: payouts: 'x' is not a number; write numbers with commas, for example 50,30,20
    """
    found = []
    for part in text.replace(",", " ").split():
        number = read_number(part.removesuffix("%"))
        if number is None:
            raise ValueError(
                f"{field}: {shorten(repr(part))} is not a number; write numbers with commas, for "
                "example 50,30,20"
            )
        found.append(number)
    return found


def read_big_blinds(text: str) -> float | None:
    """Read a number of big blinds, as ``12`` or ``12bb``; None for any other text.

    Examples
    --------
    >>> read_big_blinds(" 12 BB "), read_big_blinds("12.5"), read_big_blinds("12 chips")
    (12.0, 12.5, None)
    """
    return read_number(text.strip().lower().removesuffix("bb").rstrip())


def write_number(number: float) -> str:
    """Write a number in the shortest form that `read_number` reads back.

    Examples
    --------
    >>> write_number(33.0), write_number(2.5), write_number(1e-7)
    ('33', '2.5', '0.0000001')
    """
    text = format(exact(number), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
