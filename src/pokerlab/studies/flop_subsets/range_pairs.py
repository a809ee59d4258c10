"""Pairs of ranges that meet on a flop, and spots that were solved with some of them.

They are what players hold in games with 100 big blinds, roughly (see ``ranges.toml``): the subsets
shall be right for spots of all kinds, not for the last percent of one chart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w

from pokerlab.runtime.files.atomic import write_text
from pokerlab.studies.reporting.data import read_data

_DATA = read_data("flop_subsets", "ranges.toml")

RANGE_PAIRS: dict[str, tuple[str, str]] = _DATA["pairs"]
"""Who meets whom: (out of position, in position)."""

SPOTS: dict[str, tuple[str, dict[str, Any]]] = {
    name: (spot["pair"], spot["fields"]) for name, spot in _DATA["spots"].items()
}
"""By name, a pair of ranges and the rest of the spot; chips are tenths of a big blind."""


def write_spots(folder: Path) -> list[Path]:
    """Write each spot as a file that ``pokerlab batch`` takes."""
    files = []
    for name, (pair, fields) in SPOTS.items():
        first, second = RANGE_PAIRS[pair]
        files.append(folder / f"{name}.toml")
        write_text(files[-1], tomli_w.dumps({"oop": first, "ip": second, **fields}))
    return files
