"""Spots that were solved on all 1,755 flops: what a subset has to keep when there is betting.

A table is a CSV file: the flop, how many deals the ranges leave on it, and any number of columns
whose means over flops matter: the first player's share of the pot and equity, and how often an
action is taken, such as ``x`` or, by the second player, ``x/b33``.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.cards.flops import N_FLOPS, all_flops
from pokerlab.holdem.batches import Batch, report_boards
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.columns import write_csv
from pokerlab.runtime.files.text_lines import whole_text


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


def write_solved(batch: Batch, path: Path) -> None:
    """Write the table of a batch over all flops; solutions of the first street are enough."""
    first, second = report_boards(batch), report_boards(batch, "x")
    flops = tuple(flop.name for flop in all_flops())
    if set(first.names) != set(flops) or second.names != first.names:
        raise ValueError(f"{batch.folder}: not all {N_FLOPS:,} flops are solved")
    columns = {"ev": first.ev[:, 0] / first.pot, "equity": first.equity[:, 0]}
    columns |= {name: first.column(name) for name in first.actions}
    checked = first.column("x")
    columns |= {
        f"x/{name}": checked * np.nan_to_num(second.column(name)) for name in second.actions
    }
    order = [first.names.index(flop) for flop in flops]
    rounded = {
        name: [float(f"{value:.5g}") for value in values[order].tolist()]
        for name, values in {"deals": first.deals, **columns}.items()
    }
    write_csv({"flop": flops, **rounded}, path)
