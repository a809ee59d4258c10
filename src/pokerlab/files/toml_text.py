"""TOML by users: read it, or say in one line what is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from pokerlab.errors import one_line


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The table that a text describes; `ValueError` says why it is none.

    Examples
    --------
    >>> parse_toml("players = 2")
    {'players': 2}
    >>> parse_toml("players =")
    Traceback (most recent call last):
    ValueError: not a TOML file: Invalid value (at end of document)
    """
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        reason = one_line(str(error))
    except RecursionError:
        reason = "its brackets are nested too deeply"
    except (ValueError, ArithmeticError):  # a number that Python or `parse_float` does not read
        reason = "it has a number that nobody can read"
    raise ValueError(f"not a TOML file: {reason}")
