"""Spots to solve on all flops, so that subsets keep what betting makes of ranges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w

from pokerlab.files.atomic import write_text
from pokerlab.studies.flop_subsets.range_pairs import RANGE_PAIRS

SPOTS: dict[str, tuple[str, dict[str, Any]]] = {
    "single-raised": (
        "big blind calls button",
        {"pot": 55, "stack": 975, "bet": "50%", "raise": "a"},
    ),
    "three-bet": (
        "button calls small blind's re-raise",
        {"pot": 210, "stack": 895, "bet": "50%", "raise": "60%"},
    ),
    "fourth-bet": (
        "big blind calls the fourth bet",
        {
            "pot": 225,
            "stack": 390,
            "bet": {"flop": "33%, a", "turn": "a", "river": "a"},
            "raise": {"flop": "a", "turn": "", "river": ""},
        },
    ),
}
"""By name, a pair of ranges and the rest of the spot; chips are tenths of a big blind.

Menus are small: a flop takes seconds, and there are 1,755 of them.
"""


def write_spots(folder: Path) -> list[Path]:
    """Write each spot as a file that ``pokerlab batch`` takes."""
    files = []
    for name, (pair, fields) in SPOTS.items():
        first, second = RANGE_PAIRS[pair]
        files.append(folder / f"{name}.toml")
        write_text(files[-1], tomli_w.dumps({"oop": first, "ip": second, **fields}))
    return files
