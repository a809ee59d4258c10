"""Menus by texture: fields of a spot that are others on some flops.

A file of a spot may hold them, a table for each texture (`pokerlab.cards.textures`), of which the
first that fits the flop counts::

    bet = "50%"

    [textures.monotone]
    bet = "33%"

    [textures."paired, A-high"]
    bet = "25%, 75%"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pokerlab.cards.codes import Cards, parse_cards
from pokerlab.cards.textures import TextureFilter
from pokerlab.runtime.errors import shorten

Textures: TypeAlias = "tuple[tuple[str, Mapping[str, Any]], ...]"
"""Fields of the spot that hold on some flops: texts of `TextureFilter`, the first that fits."""

_BY_TEXTURE = ("bet", "raise", "donk", "add_allin", "force_allin", "merge", "max_bets")


def read_textures(found: Any) -> Textures:
    """Read the table ``textures`` of a file; `ValueError` says what is wrong with it."""
    good = isinstance(found, dict) and all(isinstance(each, dict) for each in found.values())
    if not good:
        raise ValueError(
            "textures: write a table for each texture, as in [textures.monotone] with bet = '33%'"
        )
    textures = tuple((text, dict(fields)) for text, fields in found.items())
    check_textures(textures)
    return textures


def check_textures(textures: Textures) -> None:
    """`ValueError` for a texture that is none, or a field that may not differ."""
    for text, fields in textures:
        TextureFilter(text)
        for name in fields:
            if name not in _BY_TEXTURE:
                accepted = ", ".join(_BY_TEXTURE)
                raise ValueError(
                    f"textures: {shorten(text)!r}: {shorten(name)} is not a field that may "
                    f"differ by texture ({accepted})"
                )


def find_texture(textures: Textures, board: Cards) -> int:
    """The number of the first texture that fits the flop of a board; −1 for none."""
    fitting = (
        number for number, (text, _) in enumerate(textures) if TextureFilter(text).matches(board)
    )
    return next(fitting, -1)


def choose_menus(table: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The fields of a spot with the menus of its board, and the texture that they are of.

    The text is None in a table without textures, and empty where none of them fits.

    Examples
    --------
    >>> table = {"board": "AsKs7s", "bet": "50%", "textures": {"monotone": {"bet": "33%"}}}
    >>> choose_menus(table)
    ({'board': 'AsKs7s', 'bet': '33%'}, 'monotone')
    >>> choose_menus(table | {"board": "AsKs7d"})
    ({'board': 'AsKs7d', 'bet': '50%'}, '')
    """
    fields = dict(table)
    if "textures" not in fields:
        return fields, None
    textures = read_textures(fields.pop("textures"))
    board = fields.get("board")
    try:
        cards = parse_cards(board) if isinstance(board, str) else []
    except ValueError:  # whoever makes the spot says what is wrong with its board
        cards = []
    number = find_texture(textures, cards) if len(cards) >= 3 else -1
    if number < 0:
        return fields, ""
    text, changed = textures[number]
    return {**fields, **changed}, text
