"""`RunOutCounts`: how many turns and rivers a subset of run-outs has, as users write it."""

from __future__ import annotations

import re
from typing import NamedTuple

from pokerlab.runtime.errors import shorten

TURNS, RIVERS = 49, 48
"""How many may come after a flop, and after a turn."""


class RunOutCounts(NamedTuple):
    """How many turns a subset has, and rivers after each of them.

    Examples
    --------
    >>> RunOutCounts.parse("12x10")
    RunOutCounts(turns=12, rivers=10)
    >>> str(RunOutCounts.parse(" 12 X 10 "))
    '12x10'
    >>> RunOutCounts.parse("12x60")
    Traceback (most recent call last):
    ValueError: runouts: '12x60' is not a number of turns (1 to 49) and of rivers after each (1 to
    48), as 12x10
    """

    turns: int
    rivers: int

    @classmethod
    def parse(cls, text: str) -> RunOutCounts:
        """Read a text such as ``12x10``."""
        found = re.fullmatch(r"\s*([0-9]{1,2})\s*[xX×]\s*([0-9]{1,2})\s*", text)
        counts = cls(int(found[1]), int(found[2])) if found else None
        if counts is None or not (1 <= counts.turns <= TURNS and 1 <= counts.rivers <= RIVERS):
            raise ValueError(
                f"runouts: {shorten(repr(text))} is not a number of turns (1 to {TURNS}) and of "
                f"rivers after each (1 to {RIVERS}), as 12x10"
            )
        return counts

    @property
    def all(self) -> bool:
        """Whether nothing is left out."""
        return self == (TURNS, RIVERS)

    def __str__(self) -> str:
        return f"{self.turns}x{self.rivers}"
