"""Game definitions as TOML: the fields of `BettingGame`, and a table for each street.

A file holds what differs from the defaults::

    description = "Kuhn poker: three cards, one bet"
    players = 2
    betting = "limit"
    ante = 1
    ranks = "JQK"
    suits = "s"
    showdown = "high-card"

    [[streets]]
    hole = 1
    bet = 1
    max_raises = 1
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

import tomli_w

from pokerlab.errors import shorten, source_named
from pokerlab.files.toml_text import parse_toml
from pokerlab.games.definition import BettingGame
from pokerlab.games.rules import Street, quoted

_LISTS = ("blinds", "stacks")
_TEXTS = (
    "name",
    "betting",
    "ranks",
    "suits",
    "showdown",
    "menu",
    "reopen",
    "odd_chips",
    "description",
)


def read_toml(text: str, name: str, source: str = "") -> BettingGame:
    """Read a game; `ValueError` names the source, the field, and the accepted values.

    Parameters
    ----------
    text
        The file.
    name
        The name of the game, if the file does not give one.
    source
        What to call the file in error messages; `name` if empty.

    Examples
    --------
    >>> read_toml('players = 2', "mine", "mine.toml")
    Traceback (most recent call last):
    ValueError: mine.toml: betting: missing (limit, pot-limit, no-limit)
    >>> read_toml('playrs = 2', "mine", "mine.toml")
    Traceback (most recent call last):
    ValueError: mine.toml: playrs: unknown field, did you mean players? (ante, betting, ...)
    """
    with source_named(source or name):
        return _game(parse_toml(text), name)


def write_toml(game: BettingGame) -> str:
    """Write a game as text that `read_toml` reads.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> print(write_toml(load_game("kuhn.3p")))
    name = "kuhn.3p"
    description = ...
    players = 3
    betting = "limit"
    ranks = "JQKA"
    suits = "s"
    showdown = "high-card"
    ante = 1
    <BLANKLINE>
    [[streets]]
    hole = 1
    bet = 1
    max_raises = 1
    """
    order = ["name", "description"]
    order += [entry.name for entry in fields(game) if entry.name not in (*order, "streets")]
    text = tomli_w.dumps(_chosen(game, order))
    for street in game.streets:
        chosen = _chosen(street, [entry.name for entry in fields(street)])
        text += f"\n[[streets]]\n{tomli_w.dumps(chosen)}"
    return text


def _chosen(item: BettingGame | Street, names: list[str]) -> dict[str, Any]:
    """What is not as it is by default."""
    defaults = {entry.name: entry.default for entry in fields(item)}
    values = {name: getattr(item, name) for name in names}
    return {name: value for name, value in values.items() if value != defaults[name]}


def _game(table: dict[str, Any], name: str) -> BettingGame:
    values: dict[str, Any] = {"name": name} | table
    _check_names("", values, BettingGame)
    for key, value in values.items():
        if key in _TEXTS and not isinstance(value, str):
            raise ValueError(f"{key}: {quoted(value)} is not a text")
        if key in _LISTS:
            if not isinstance(value, list):
                raise ValueError(
                    f"{key}: {quoted(value)} is not a list of whole numbers, one a player"
                )
            values[key] = tuple(value)
    streets = values["streets"]
    if not isinstance(streets, list) or not all(isinstance(street, dict) for street in streets):
        raise ValueError("streets: not a list of tables (one [[streets]] for each)")
    for number, street in enumerate(streets):
        _check_names(f"streets[{number}].", street, Street)
    return BettingGame(**values | {"streets": tuple(Street(**street) for street in streets)})


def _check_names(where: str, table: dict[str, Any], kind: type[BettingGame] | type[Street]) -> None:
    accepted = {
        entry.name: entry.default is MISSING and entry.default_factory is MISSING
        for entry in fields(kind)
    }
    for key in table:
        if key not in accepted:
            near = get_close_matches(key, accepted, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise ValueError(
                f"{where}{shorten(key)}: unknown field{hint} ({', '.join(sorted(accepted))})"
            )
    hints = {"betting": " (limit, pot-limit, no-limit)", "players": " (2 to 10)"}
    for key, required in accepted.items():
        if required and key not in table:
            raise ValueError(f"{where}{key}: missing{hints.get(key, '')}")
