"""Few bet sizes and what they lose as plain data: what ``pokerlab sizes --json`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, menu_text

if TYPE_CHECKING:
    from pokerlab.holdem.spots import FoundSizes, MenuLoss
    from pokerlab.holdem.spots.sizes.menu_places import MenuPlace
    from pokerlab.holdem.spots.sizes.valuing import ChipBounds


def sizes_payload(found: FoundSizes) -> dict[str, Any]:
    """The menus of each round with their losses, those of the players, and all that was tried."""
    return {
        "menus": _by_player({place: menu_text(menu) for place, menu in found.menus.items()}),
        "loss": _bounds(found, found.loss),
        "players": {
            name: None if each is None else _bounds(found, each)
            for name, each in zip(PLAYERS, found.players, strict=True)
        },
        "rounds": [
            {
                "most": each.most,
                "menus": _by_player({at: menu_text(menu) for at, menu in each.menus.items()}),
                "losses": _by_player(
                    {at: _bounds(found, loss) for at, loss in each.losses.items()}
                ),
            }
            for each in found.rounds
        ],
        "tried": [
            {
                "player": PLAYERS[each.place.player],
                "street": STREETS[each.place.street],
                "menu": each.text,
                "loss": found.shown(each.loss)[0],
                "bounds": list(found.shown(each.loss)[1:]),
            }
            for each in found.tried
        ],
        "candidates": menu_text(found.candidates),
        "kind": found.kind,
        "bet": str(found.spot.bet),
        "raise": str(found.spot.raise_),
        "donk": None if found.spot.donk.silent else str(found.spot.donk),
        "solves": found.solves,
    }


def answers_payload(size: str, losses: Sequence[MenuLoss], pot: float) -> dict[str, Any]:
    """What each player loses who answers a size that the spot does not have."""
    return {
        "against": size,
        "losses": [
            {
                "player": PLAYERS[each.player],
                "answer": each.answer,
                "chips": each.chips,
                "percent": 100 * each.chips / pot,
                "bounds": [each.least, each.most],
                "solves": each.solves,
            }
            for each in losses
        ],
    }


def _by_player(by_place: Mapping[MenuPlace, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            STREETS[place.street]: each for place, each in by_place.items() if place.player == seat
        }
        for seat, name in enumerate(PLAYERS)
    }


def _bounds(found: FoundSizes, bounds: ChipBounds) -> dict[str, Any]:
    chips, least, most = found.shown(bounds)
    return {"chips": chips, "percent": 100 * chips / found.spot.pot, "bounds": [least, most]}
