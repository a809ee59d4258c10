"""Spots as TOML files: the fields of `Spot`, ``raise`` without the underscore.

A file holds what differs from the defaults; menus are texts or tables::

    board = "Td9d6h"
    oop = "66+, A8s+, A5s-A4s, AJo+, K9s+, KQo"
    ip = "QQ-22, AQs-A2s, ATo+, K5s+, KJo+"
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
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from pokerlab.errors import source_named
from pokerlab.files.toml_text import parse_toml

__all__ = ["is_spot_file", "read_spot_fields", "read_spot_text", "write_spot_fields"]


def read_spot_text(path: str | os.PathLike[str]) -> str:
    """The text of a file; `ValueError` names the file and what is wrong with it."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


def is_spot_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path names a TOML file of a spot, whole or not; games are TOML files too."""
    path = Path(path)
    try:
        if path.suffix.lower() != ".toml" or not path.is_file():
            return False
        table = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # whoever loads it says what is wrong
        return False
    return not {"board", "oop", "ip", "pot"}.isdisjoint(table)


def read_spot_fields(text: str, source: str) -> dict[str, Any]:
    r"""Read the fields of a spot, some of which may be missing; `Spot.from_fields` checks them.

    `source` is what to call the text in error messages.

    Examples
    --------
    >>> read_spot_fields('board = "Td9d6h"\npot = 200', "spot.toml")
    {'board': 'Td9d6h', 'pot': 200}
    >>> read_spot_fields("board =", "spot.toml")
    Traceback (most recent call last):
    ValueError: spot.toml: not a TOML file: Invalid value (at end of document)
    """
    with source_named(source):
        return parse_toml(text)


def write_spot_fields(fields: Mapping[str, Any]) -> str:
    """Write the fields of a spot as text that `read_spot_fields` reads.

    Examples
    --------
    >>> print(write_spot_fields({"board": "Td9d6h", "pot": 200}), end="")
    board = "Td9d6h"
    pot = 200
    """
    return tomli_w.dumps(fields)
