"""Spots as TOML files: the fields of `Spot`, ``raise`` without the underscore.

A file holds what differs from the defaults; menus are texts or tables::

    board = "Td9d6h"
    oop = "66+, A8s+, A5s-A4s, AJo+, K9s+, KQo"
    ip = "@button.txt"          # a range in a file beside this one
    pot = 200
    stack = 900                 # or [900, 1200]: oop, ip
    raise = "2.5x"
    donk = "river: 50%"
    aggressor = "ip"            # who raised before the flop
    max_bets = 4
    added = ["x/b50"]

    [bet]
    flop = "33%"
    turn = { oop = "50%", ip = "75%" }
    river = "50%, e, a"

    [locks.x]                   # decisions that are fixed: by line, by action
    b66 = 0.3                   # how often, or the hands that do it: "AA, KK:0.5"
    weight = 0.7                # if that is not all that is done there; the rest is free

    [textures.monotone]         # menus of some flops; see `texture_menus`
    bet = "33%"

Instead of ranges, pot and stacks a file may give the preflop action::

    board = "Td9d6h"
    preflop = "BTN raise 2.5, BB call"
    ranges = "six-max.toml"     # beside this file; see
    `pokerlab.holdem.spots.question.preflop_ranges`
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from pokerlab.holdem.charts.shipped import is_shipped
from pokerlab.holdem.spots.question.endgame_file import SUFFIX, endgame_fields
from pokerlab.runtime.files.toml_text import parse_toml


def read_spot_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the fields of a spot, some of which may be missing; `Spot.from_fields` checks them.

    Names of range files (``oop = "@bb.txt"``, ``ranges = "six-max.toml"``) are relative to the file
    that says so.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        fields = endgame_fields(text) if is_endgame(path) else parse_toml(text)
    except UnicodeDecodeError:
        raise ValueError("not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    return place_range_files(fields, Path(path).parent)


def place_range_files(fields: Mapping[str, Any], beside: Path) -> dict[str, Any]:
    """The fields with names of range files that are looked up in the folder of the spot.

    Examples
    --------
    >>> place_range_files({"oop": "@bb.txt", "ip": "AA", "ranges": "six-max.toml"}, Path("spots"))
    {'oop': '@spots/bb.txt', 'ip': 'AA', 'ranges': 'spots/six-max.toml'}
    """
    placed = dict(fields)
    for name in ("oop", "ip"):
        value = fields.get(name)
        if isinstance(value, str) and value.strip().startswith("@"):
            placed[name] = f"@{beside / value.strip()[1:].strip()}"
    ranges = fields.get("ranges")
    if isinstance(ranges, str) and ranges.strip() and not is_shipped(ranges):
        placed["ranges"] = str(beside / ranges)
    return placed


def is_spot_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path names a file of a spot, whole or not; games are TOML files too."""
    path = Path(path)
    if is_endgame(path):
        return True
    try:
        if path.suffix.lower() != ".toml" or not path.is_file():
            return False
        table = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # whoever loads it says what is wrong
        return False
    return is_spot(table)


def is_endgame(path: str | os.PathLike[str]) -> bool:
    """Whether a path names an endgame of Libratus (see `endgame_file`)."""
    return Path(path).suffix.lower() == SUFFIX


def is_spot(table: Mapping[str, Any]) -> bool:
    """Whether the table of a TOML file is one of a spot, whole or not."""
    return not {"board", "oop", "ip", "pot", "preflop"}.isdisjoint(table)


def write_spot_fields(fields: Mapping[str, Any]) -> str:
    """Write the fields of a spot as text that `Spot.from_toml` reads.

    Examples
    --------
    >>> print(write_spot_fields({"board": "Td9d6h", "pot": 200}), end="")
    board = "Td9d6h"
    pot = 200
    """
    return tomli_w.dumps(fields)
