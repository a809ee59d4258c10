"""Where sizes are chosen: the menus of a player on a street, apart from all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, Menu, Menus, parse_menu
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.errors import shorten

DEFAULT_CANDIDATES = {
    "bet": "20%, 33%, 50%, 75%, 100%, 150%, 200%, a",
    "raise": "33%, 50%, 75%, 100%, 150%, a",
    "donk": "20%, 33%, 50%, 75%, 100%, 150%, 200%, a",
}
"""By the kind of sizes. Of a raise they are parts of the pot after calling."""
KINDS = tuple(DEFAULT_CANDIDATES)

_FIRST = 67.0
"""In percent of the pot: the search begins with the candidate next to it."""


class MenuPlace(NamedTuple):
    """A player on a street, and a kind of sizes; 0 is out of position, and the flop."""

    player: int
    street: int
    kind: str = "bet"

    def __str__(self) -> str:
        where = f"{PLAYERS[self.player]} {STREETS[self.street]}"
        return where if self.kind == "bet" else f"{where} {self.kind}"


PlacedMenus: TypeAlias = Mapping[MenuPlace, Menu]


def menu_places(
    spot: Spot,
    streets: str | Sequence[str] | None = None,
    player: str | None = None,
    kind: str = "bet",
) -> tuple[MenuPlace, ...]:
    """The places whose sizes are chosen: all of a spot, or those on some streets, of one player.

    `kind` is ``bet``, ``raise`` or ``donk``: the first player's bets into the aggressor of the
    street before.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA", "KK", pot=100, stack=100)
    >>> [str(place) for place in menu_places(spot, "turn")]
    ['oop turn', 'ip turn']
    """
    names = streets.split(",") if isinstance(streets, str) else streets
    wanted = None if names is None else [each.strip() for each in names]
    known = STREETS[spot.street :]
    for each in wanted or ():
        if each not in known:
            raise ValueError(f"streets: {shorten(each)!r} is not one of {', '.join(known)}")
    if player is not None and player not in PLAYERS:
        raise ValueError(f"player: {shorten(player)!r} is not one of {', '.join(PLAYERS)}")
    _check_kind(kind)
    found = tuple(
        MenuPlace(seat, street, kind)
        for street in range(spot.street, len(STREETS))
        for seat in range(len(PLAYERS))
        if (wanted is None or STREETS[street] in wanted)
        and player in (None, PLAYERS[seat])
        and (kind != "donk" or _may_donk(spot, seat, street))
    )
    if not found:
        raise ValueError(
            "kind: nobody can donk there; donk bets are those of oop on later streets, and on the "
            "first where the aggressor is ip"
        )
    return found


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"kind: {shorten(kind)!r} is not one of {', '.join(KINDS)}")


def _may_donk(spot: Spot, player: int, street: int) -> bool:
    return player == 0 and (street > spot.street or spot.aggressor == PLAYERS[1])


def read_candidates(text: str | None, kind: str = "bet") -> Menu:
    """Read the sizes to choose from, those of `DEFAULT_CANDIDATES` without; each counts once.

    Examples
    --------
    >>> print(*read_candidates("33%, 75%, 33%, a"))
    33% 75% a
    """
    _check_kind(kind)
    text = text or DEFAULT_CANDIDATES[kind]
    try:
        found = tuple(dict.fromkeys(parse_menu(text, kind)))
    except ValueError as error:
        raise ValueError(f"candidates: {error}") from None
    if len(found) < 2:
        raise ValueError(f"candidates: {shorten(text)!r} must be two sizes or more")
    return found


def first_size(candidates: Menu) -> Menu:
    """The size to begin with: the one next to two thirds of the pot, if any is such a part."""
    parts = [each for each in candidates if each.unit == "%"]
    return (min(parts, key=lambda each: abs(each.number - _FIRST)) if parts else candidates[0],)


def with_menus(spot: Spot, menus: PlacedMenus) -> Spot:
    """The spot with other sizes at some places.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA", "KK", pot=100, stack=100, bet="50%")
    >>> print(with_menus(spot, {MenuPlace(1, 2): read_candidates("33%, a")}).bet)
    flop: 50%; turn: 50%; oop river: 50%; ip river: 33%, a
    """
    cells = {kind: [list(row) for row in menus_of(spot, kind).cells] for kind in KINDS}
    for place, menu in menus.items():
        # Donk menus are written for the street alone.
        for player in range(len(PLAYERS)) if place.kind == "donk" else (place.player,):
            cells[place.kind][place.street][player] = menu
    bet, raises, donk = (Menus(kind, tuple(map(tuple, cells[kind]))) for kind in KINDS)
    return replace(spot, bet=bet, raise_=raises, donk=donk)


def menus_of(spot: Spot, kind: str) -> Menus:
    """The bets, raises or donk bets of a spot."""
    return {"bet": spot.bet, "raise": spot.raise_, "donk": spot.donk}[kind]


def in_order(candidates: Menu, menu: Menu) -> Menu:
    """A menu in the order of the candidates."""
    return tuple(each for each in candidates if each in menu)
