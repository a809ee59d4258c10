"""Spots that were solved on all 1,755 flops: what a subset has to keep when there is betting.

A table is a CSV file: the flop, how many deals the ranges leave on it, and any number of columns
whose means over flops matter, such as a share of the pot or how often a bet is made.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pokerlab.cards.flops import N_FLOPS, all_flops
from pokerlab.errors import damage_named
from pokerlab.files.text_lines import whole_text

__all__ = ["SolvedSpot", "read_solved"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SolvedSpot:
    """A solved spot on the 1,755 flops, in their order."""

    name: str
    columns: tuple[str, ...]
    values: Floats
    """(flops, columns)"""
    chances: Floats
    """(flops, 1): deals that the ranges leave."""


def read_solved(path: Path) -> SolvedSpot:
    """Read a table; `DamagedFileError` if it is not about all flops."""
    rows = list(csv.reader(whole_text(path).splitlines()))
    with damage_named(path):
        if not rows or rows[0][:2] != ["flop", "deals"]:
            raise ValueError("its first line does not begin with flop,deals")
        names = [row[0] for row in rows[1:] if row]
        if names != [flop.name for flop in all_flops()]:
            raise ValueError(f"it does not have the {N_FLOPS:,} flops, each once, in their order")
        numbers = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError("it holds a number that is not finite")
    return SolvedSpot(path.stem, tuple(rows[0][2:]), numbers[:, 1:], numbers[:, :1])
