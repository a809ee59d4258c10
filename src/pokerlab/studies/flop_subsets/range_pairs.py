"""Pairs of ranges that meet on a flop: from a limped pot to one that was raised four times.

They are what players hold in games with 100 big blinds, roughly: the subsets shall be right for
spots of all kinds, not for the last percent of one chart. The first range is out of position.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w

from pokerlab.runtime.files.atomic import write_text

_BUTTON_OPENS = (
    "22+, A2s+, K3s+, Q5s+, J7s+, T7s+, 97s+, 86s+, 76s, 65s, 54s, A4o+, K9o+, Q9o+, J9o+, T9o"
)
_BIG_BLIND_CALLS = (
    "99-22, AJs-A2s, K2s+, Q4s+, J6s+, T6s+, 96s+, 85s+, 75s+, 64s+, 53s+, 43s, "
    "AJo-A5o, K9o+, Q9o+, J9o+, T9o, 98o"
)

RANGE_PAIRS: dict[str, tuple[str, str]] = {
    "big blind calls button": (_BIG_BLIND_CALLS, _BUTTON_OPENS),
    "big blind calls under the gun": (
        "JJ-22, AQs-A2s, K9s+, Q9s+, J9s+, T8s+, 97s+, 87s, 76s, 65s, 54s, AQo-ATo, KJo+",
        "66+, 55:0.5, A3s+, K9s+, QTs+, JTs, T9s, ATo+, KJo+",
    ),
    "big blind calls small blind": (
        "22+:0.8, A2s+, K4s+, Q6s+, J7s+, T7s+, 97s+, 86s+, 76s, 65s, A5o+, KTo+, QTo+, JTo",
        "99-22, AJs-A2s, K2s+, Q3s+, J5s+, T6s+, 95s+, 85s+, 74s+, 64s+, 53s+, 43s, "
        "AJo-A2o, K8o+, Q8o+, J8o+, T8o+, 98o",
    ),
    "small blind limps": (
        "88-22, A9s-A2s, KJs-K2s, Q2s+, J3s+, T5s+, 95s+, 84s+, 74s+, 63s+, 53s+, 43s, "
        "ATo-A2o, K2o+, Q5o+, J7o+, T7o+, 97o+, 87o",
        "66-22, A5s-A2s, K9s-K2s, Q9s-Q2s, J9s-J2s, T8s-T2s, 97s-92s, 86s-82s, 75s-72s, "
        "64s-62s, 53s-52s, 43s-42s, 32s, A7o-A2o, KTo-K2o, Q2o+, J4o+, T6o+, 95o+, 85o+, 75o+, "
        "64o+",
    ),
    "button calls small blind's re-raise": (
        "TT+, 99:0.5, 55:0.3, AJs+, ATs:0.5, A5s-A3s, KTs+, QJs, JTs:0.5, T9s:0.5, AQo+, "
        "AJo:0.4, KQo:0.5",
        "JJ-44, AQs-A8s, A5s-A4s, KTs+, QTs+, JTs, T9s, 98s, 87s, 76s, AQo, AJo:0.6, KQo:0.6",
    ),
    "button calls big blind's re-raise": (
        "JJ+, TT:0.5, AQs+, A5s-A2s:0.6, K9s-K6s:0.4, Q9s:0.4, J8s:0.4, 87s:0.4, 76s:0.4, "
        "65s:0.4, AQo+, A5o-A4o:0.4, KJo:0.4",
        "TT-33, AJs-A4s, K8s+, Q9s+, J9s+, T8s+, 97s+, 87s, 76s, 65s, AQo-AJo, KQo, ATo:0.4",
    ),
    "big blind calls the fourth bet": (
        "JJ-99, QQ:0.6, KK:0.2, AQs-AJs, AKs:0.5, A5s:0.5, KQs, AKo:0.4, JTs:0.3, 76s:0.3",
        "KK+, QQ:0.8, AKs, AKo, A5s-A3s:0.5, AQo:0.2, KJs:0.3, QJs:0.2",
    ),
    "the best fifth each": (
        "A9o+, KTo+, QTo+, JTo, A4s+, K8s+, Q9s+, J9s+, T9s, 55+",
        "A9o+, KTo+, QTo+, JTo, A4s+, K8s+, Q9s+, J9s+, T9s, 55+",
    ),
    "any two cards each": ("random", "random"),
}
"""Who meets whom: (out of position, in position)."""


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
