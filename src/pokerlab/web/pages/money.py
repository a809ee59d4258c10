"""What the pages need to show results in other units than chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import FieldError

if TYPE_CHECKING:
    from pokerlab.holdem.spots import Spot

UNITS = ("chips", "bb", "pot", "prizes")


def money_of(spot: Spot) -> dict[str, Any]:
    """The pot at the beginning, the big blind if one is known, and the prizes if there are some.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> money_of(Spot("Ks8d5h2c9s", "AA", "KK", 12, 30, payouts="50,30", others=[8]))
    {'pot': 12, 'big_blind': None, 'prizes': {'chips': 80, 'pool': 80.0}}
    """
    prizes = spot.prizes
    return {
        "pot": spot.pot,
        "big_blind": spot.big_blind if spot.has_big_blind else None,
        "prizes": None if prizes is None else {"chips": prizes.chips, "pool": prizes.pool},
    }


def columns_in_unit(columns: dict[str, Any], unit: str, spot: Spot, pot: float) -> dict[str, Any]:
    """A table with its EVs in another unit, named in the headings: ``ev_bb``.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("Ks8d5h2c9s", "AA", "KK", pot=12, stack=30, big_blind=2)
    >>> columns_in_unit({"hand": ["AA"], "ev": [3.0], "ev_x": [None]}, "bb", spot, 12)
    {'hand': ['AA'], 'ev_bb': [1.5], 'ev_x_bb': [None]}
    >>> columns_in_unit({"oop_ev": [3.0]}, "pot", spot, 12)
    {'oop_ev_pot': [25.0]}
    """
    if unit not in ("", *UNITS):
        raise FieldError("unit", f"unit: {shorten(unit)!r} is not one of {', '.join(UNITS)}")
    money = money_of(spot)
    factors = {"pot": 100 / pot}
    if money["big_blind"]:
        factors["bb"] = 1 / money["big_blind"]
    if money["prizes"]:
        factors["prizes"] = 100 / money["prizes"]["chips"]
    if unit not in factors:
        return columns
    factor = factors[unit]
    return {
        f"{name}_{unit}" if _is_ev(name) else name: [
            None if each is None else each * factor for each in cells
        ]
        if _is_ev(name)
        else cells
        for name, cells in columns.items()
    }


def _is_ev(name: str) -> bool:
    return name == "ev" or name.startswith("ev_") or name.endswith("_ev")
