"""Spots on the command line: the options that describe one, and the spot that they make.

A spot comes from a TOML file, from options, or from a file with options beside it that replace
its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options.declared import OnlyFor
from pokerlab.cli.terminal.plain_text import tell

if TYPE_CHECKING:
    from pokerlab.holdem.spots import Spot

_FIELDS: dict[str, tuple[Any, str]] = {
    "board": (str, "3, 4 or 5 cards, for example QhJh2c."),
    "oop": (str, "Range of the player who acts first: 'TT+, AQs+, KQo:0.5'."),
    "ip": (str, "Range of the player in position."),
    "pot": (str, "Chips in the middle, or big blinds: 5.5bb."),
    "stack": (str, "Chips behind, likewise: one, or two: 900,1200 (oop, ip)."),
    "bet": (
        str,
        "Bet sizes: '50%, a' by default. 33% (of the pot), 120c (chips), e, 2e (geometric), a "
        "(all-in); by street: 'flop: 33%; turn: 75%, a; river: 50%, e, a'.",
    ),
    "raise_": (str, "Raise sizes, '60%, a' by default; 2.5x is a multiple."),
    "donk": (str, "Sizes of donk bets; the bet sizes by default, '' for none."),
    "aggressor": (
        str,
        "Who raised last before the flop (or bet last on the street before): oop or ip. After ip "
        "the first bet is a donk bet.",
    ),
    "add_allin": (float, "Offer all-in up to this many times the pot; 0 is off."),
    "force_allin": (float, "All-in if at most this part of the pot is left; 0 is off."),
    "merge": (float, "Merge sizes closer than this; 0 is off."),
    "max_bets": (int, "After this many bets on a street only all-in is left."),
    "runouts": (
        str,
        "Solve some turns of a flop and rivers after each instead of all, for example 12x10: "
        "weighted, and exact for check-downs.",
    ),
    "rake": (float, "Part of the pot that the house takes, for example 0.05."),
    "rake_cap": (str, "At most this many chips (or 3bb) of rake; 0 is no cap."),
    "payouts": (
        str,
        "Of a tournament, what the first, the second, ... win: 50,30,20. Prize money counts then.",
    ),
    "others": (str, "With --payouts, the stacks of players who are not in the pot: 3200,1500."),
    "bounty": (str, "With --payouts, on each head: one amount, or one each (oop, ip, others)."),
    "progressive": (bool, "Half of a bounty that is won goes on the winner's own head."),
    "big_blind": (float, "Chips of a big blind, for mbb and for amounts in bb; 1 by default."),
    "preflop": (
        str,
        "The preflop action, for example 'BTN raise 2.5, BB call': instead of --oop, --ip, --pot "
        "and --stack.",
    ),
    "ranges": (
        str,
        "Ranges by position and action for --preflop: a .toml file, 200bb for the charts of two "
        "players, or six-max for six; 100bb by default.",
    ),
    "smallest_chip": (
        float,
        "What sizes are rounded to: 1 by default, 0.01 with fractions of chips or big blinds.",
    ),
    "added": (list[str], "Add a line to the tree, for example x/b50 (repeatable)."),
    "removed": (list[str], "Remove a line with all that follows."),
}
_RARE = {
    *("aggressor", "add_allin", "force_allin", "merge", "max_bets", "smallest_chip"),
    *("added", "removed"),
}
_OPTIONS = {"raise_": "--raise", "added": "--add-line", "removed": "--remove-line"}


def option_of(field: str) -> str:
    """The option that sets a field of a spot.

    Examples
    --------
    >>> option_of("add_allin"), option_of("raise_")
    ('--add-allin', '--raise')
    """
    return _OPTIONS.get(field, f"--{field.replace('_', '-')}")


SPOT_FIELDS = {
    name: Annotated[
        kind | None,
        typer.Option(
            option_of(name),
            help=text,
            hidden=name in _RARE,
            rich_help_panel="The spot (instead of a file, or to replace fields of one)",
            show_default=False,
        ),
        OnlyFor("spots"),
    ]
    for name, (kind, text) in _FIELDS.items()
}
"""The options that describe a spot, by its fields."""


def spot_fields_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a spot that were given, by their names in `Spot`.

    Examples
    --------
    >>> spot_fields_given({"pot": "5.5bb", "stack": "900,1200", "bet": None, "added": []})
    {'pot': '5.5bb', 'stack': ['900', '1200']}
    """
    given = {name: value for name, value in options.items() if value not in (None, [])}
    if "," in given.get("stack", ""):
        given["stack"] = [part.strip() for part in given["stack"].split(",")]
    return given


def make_spot(target: str | None, fields: Mapping[str, Any], *, quiet: bool = False) -> Spot:
    """The spot of a file, of options, or of both.

    Of menus by texture in the file those of the board are taken; it is said unless `quiet`.
    """
    from pokerlab.holdem.spots import Spot
    from pokerlab.holdem.spots.question.spot import REQUIRED_FIELDS
    from pokerlab.holdem.spots.question.spot_file import read_spot_file
    from pokerlab.holdem.spots.question.texture_menus import choose_menus

    given = {"raise" if name == "raise_" else name: value for name, value in fields.items()}
    if target is None:
        told = {"oop", "ip", "pot", "stack"} if "preflop" in given else set()
        for name, accepted in REQUIRED_FIELDS.items():
            if name not in given and name not in told:
                raise ValueError(f"{option_of(name)}: missing, {accepted}")
        spot = Spot.from_fields(given)
        tell_doubts(spot)
        return spot
    try:
        here = {"board": given["board"]} if "board" in given else {}
        table, texture = choose_menus(read_spot_file(target) | here)
        spot = Spot.from_fields(table | given)
    except ValueError as error:
        if str(error).partition(":")[0] in given:
            raise
        raise ValueError(f"{target}: {error}") from None
    if texture is not None and not quiet:
        chosen = f"the menus of its texture {texture!r}" if texture else "none of its textures fits"
        tell(f"{target}: {chosen}")
    tell_doubts(spot)
    return spot


def tell_doubts(spot: Spot) -> None:
    """Warn on stderr about fields that are probably mistakes; the spot is solved all the same."""
    from pokerlab.holdem.spots.question.doubts import spot_doubts

    for doubt in spot_doubts(spot):
        tell(doubt)
