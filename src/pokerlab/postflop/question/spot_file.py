"""Spots as TOML files: the fields of `Spot`, ``raise`` without the underscore.

A file holds what differs from the defaults; menus are texts or tables::

    board = "Td9d6h"
    oop = "66+, A8s+, A5s-A4s, AJo+, K9s+, KQo"
    ip = "QQ-22, AQs-A2s, ATo+, K5s+, KJo+"
    pot = 200
    stack = 900                 # or [900, 1200]: oop, ip
    raise = "2.5x"
    donk = "river: 50%"
    max_bets = 4
    added = ["x/b50"]

    [bet]
    flop = "33%"
    turn = { oop = "50%", ip = "75%" }
    river = "50%, e, a"
"""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import fields
from difflib import get_close_matches
from inspect import signature
from pathlib import Path
from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.question.menus import Menus
from pokerlab.postflop.question.spot import Spot

__all__ = ["load_spot", "read_spot", "spot_fields", "write_spot"]

_PARAMETERS = {
    "raise" if name == "raise_" else name: parameter
    for name, parameter in signature(Spot).parameters.items()
}
_MISSING = {
    "board": "3, 4 or 5 cards such as 'Td9d6h'",
    "oop": "a range such as 'TT+, AQs+'",
    "ip": "a range such as 'TT+, AQs+'",
    "pot": "a number of chips above 0",
    "stack": "one number of chips, or two (oop, ip)",
}


def load_spot(path: str | os.PathLike[str]) -> Spot:
    """Read a file; `ValueError` names the file, the field and what it may be."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    return read_spot(text, str(path))


def read_spot(text: str, source: str) -> Spot:
    r"""Read a text; `source` is what to call it in error messages.

    Examples
    --------
    >>> read_spot('board = "Td9d6h"\npot = 200', "spot.toml")
    Traceback (most recent call last):
    ValueError: spot.toml: oop: missing (a range such as 'TT+, AQs+')
    >>> read_spot('bord = "Td9d6h"', "spot.toml")
    Traceback (most recent call last):
    ValueError: spot.toml: bord: unknown field, did you mean board? (add_allin, added, bet, ...)
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not a TOML file: {error}") from None
    try:
        return _spot(table)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def write_spot(spot: Spot) -> str:
    """Write a spot as text that `read_spot` reads.

    Examples
    --------
    >>> print(write_spot(Spot("Td9d6h", "66+", "QQ-22", 200, [900, 1200], max_bets=4)))
    board = "Td9d6h"
    oop = "66+"
    ip = "QQ-22"
    pot = 200
    stack = [900, 1200]
    bet = "50%, a"
    raise = "60%, a"
    max_bets = 4
    """
    return "".join(f"{name} = {_text(value)}\n" for name, value in spot_fields(spot).items())


def spot_fields(spot: Spot) -> dict[str, Any]:
    """The fields of a spot as texts, numbers and lists; but for menus, no defaults.

    Examples
    --------
    >>> spot_fields(Spot("Td9d6h", "66+", "QQ-22", 200, 900, added=["b50"]))["added"]
    ['b50']
    """
    plain: dict[str, Any] = {}
    for field in fields(spot):
        name, value = field.name.rstrip("_"), getattr(spot, field.name)
        if name == "board":
            value = format_cards(value)
        elif isinstance(value, Menus):
            value = None if value.silent else str(value)
        elif isinstance(value, Range):
            value = str(value)
        elif name in ("added", "removed"):
            value = [str(line) for line in value]
        default = _PARAMETERS[name].default
        if name in ("bet", "raise") or value not in (default, None, []):
            plain[name] = value
    return plain


def _text(value: object) -> str:
    """A text, number or list as TOML: spelled as in JSON, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _spot(table: dict[str, Any]) -> Spot:
    for name, value in table.items():
        if name not in _PARAMETERS:
            near = get_close_matches(name, _PARAMETERS, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise ValueError(f"{name}: unknown field{hint} ({', '.join(sorted(_PARAMETERS))})")
        if name in ("board", "oop", "ip") and not isinstance(value, str):
            raise ValueError(f"{name}: {value!r} is not a text, {_MISSING[name]}")
    for name, accepted in _MISSING.items():
        if name not in table:
            raise ValueError(f"{name}: missing ({accepted})")
    return Spot(**{"raise_" if name == "raise" else name: value for name, value in table.items()})
