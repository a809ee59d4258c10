"""What stacks are worth in prize money, for the form of a spot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pokerlab.holdem.spots.question.spot import Spot

_MOST_ROWS = 20
_MOST_PLAYERS = 200
"""Stacks that a page lists, and weighs with each change; a tournament may have 2,000."""


def stack_worths(spot: Spot) -> dict[str, Any] | None:
    """The worth of each stack as shares of the prize pool; None without payouts.

    ``worth`` is that of the stacks before the hand goes on, with half the pot for each of its two
    players; ``wins`` and ``gives_up`` are theirs if they take the pot as it is, or leave it.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("Ks8d5h2c9s", "AA", "KK", 12, (22, 34), payouts="50,30,20", others="20, 12")
    >>> found = stack_worths(spot)
    >>> [(row["player"], round(row["worth"], 3)) for row in found["rows"]]
    [('oop', 0.282), ('ip', 0.334), ('1', 0.231), ('2', 0.153)]
    >>> round(sum(row["worth"] for row in found["rows"]), 9)
    1.0
    """
    from pokerlab.games.prizes import icm

    prizes = spot.prizes
    if prizes is None:
        return None
    half = spot.pot / 2
    behind = [*prizes.stacks, *prizes.others]
    chips = [stack + (half if place < 2 else 0.0) for place, stack in enumerate(behind)]
    if len(behind) > _MOST_PLAYERS:
        return {"rows": [], "left_out": len(behind), "pool": prizes.pool, "linear": prizes.linear}
    found = icm(chips, prizes.payouts, prizes.bounties)
    rows: list[dict[str, Any]] = [
        {
            "player": ("oop", "ip")[place] if place < 2 else str(place - 1),
            "stack": behind[place],
            "worth": share,
            "money": share * found.pool,
        }
        for place, share in enumerate(found.equities[:_MOST_ROWS].tolist())
    ]
    for player, worth in enumerate(prizes.worths(0.0)):
        rows[player]["wins"] = prizes.share(player, worth.win + half)
        rows[player]["gives_up"] = prizes.share(player, worth.loss + half)
    return {
        "rows": rows,
        "left_out": len(behind) - len(rows),
        "pool": found.pool,
        "linear": prizes.linear,
    }
