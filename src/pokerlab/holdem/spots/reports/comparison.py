"""Two solutions of a spot beside each other at a line, as plain data for a page.

It is what `diff` and `diff_frequencies` find there, with the way to the line.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.games.betting_trees.lines import LineLike
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.reports.diff import (
    FrequencyChange,
    HandChange,
    check_same_spot,
    diff,
    diff_frequencies,
)
from pokerlab.holdem.spots.reports.locked import locked_combos
from pokerlab.holdem.spots.reports.study import decision_data

_PLACE = (
    "line",
    "board",
    "street",
    "path",
    "kind",
    "pot",
    "stack",
    "to_call",
    "pot_odds",
    "player",
    "seat",
    "options",
)


def comparison_data(
    first: PostflopSolution, second: PostflopSolution, line: LineLike = ""
) -> dict[str, Any]:
    """The differences at a line; unknown numbers are None.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> before = solve_spot(spot, target="0.1%")
    >>> after = solve_spot(spot, target="0.1%", locks={"a": {"f": "AA, QQ"}})
    >>> found = comparison_data(before, after, "a")
    >>> found["actions"], found["total"]["frequencies"][1]
    (['f', 'c'], [1.0, 0.0])
    >>> comparison_data(before, after)["total"]["exceeds"]
    True
    """
    check_same_spot(first.spot, second.spot)
    place = decision_data(first, line)
    epsilon = [each.exploitability.chips for each in (first, second)]
    data: dict[str, Any] = {name: place[name] for name in _PLACE if name in place}
    spot = first.spot
    start = {"street": STREETS[spot.street], "board": place["board"][: len(spot.board)]}
    data |= {
        "start": {**start, "pot": spot.pot},
        "epsilon": epsilon,
        "locks": [first.locks, second.locks],
    }
    if place["kind"] != "decision":
        return data | {"cards": place.get("cards"), "text": place.get("text")}
    (change,) = diff_frequencies(first, second, line)
    own = [list(second.decision(line).actions)]
    return data | {
        "reached": list(change.reached),
        "locked": [_locked(each, line) for each in (first, second)],
        "actions": list(change.actions),
        "missing": [
            [action for action in change.actions if action not in here]
            for here in (place["actions"], *own)
        ],
        "total": _change(change.total, sum(epsilon)),
        "classes": {name: _change(part, sum(epsilon)) for name, part in change.classes.items()},
        "hands": [_hand(each) for each in diff(first, second, line)],
    }


def _locked(solution: PostflopSolution, line: LineLike) -> list[str]:
    """The classes of hands that are locked at a decision, in whole or in part."""
    combos = locked_combos(solution, solution.decision(line))
    return [CLASS_NAMES[number] for number in np.unique(CLASS_OF_COMBO[combos]).tolist()]


def _change(part: FrequencyChange, epsilon: float) -> dict[str, Any]:
    old, new = part.evs
    moved = None if old is None or new is None else new - old
    return {
        "weights": list(part.weights),
        "frequencies": [list(each) for each in part.frequencies],
        "changes": list(part.changes),
        "moved": part.moved,
        "evs": list(part.evs),
        "ev_change": moved,
        "exceeds": moved is not None and abs(moved) > epsilon,
    }


def _hand(change: HandChange) -> dict[str, Any]:
    evs = [None if math.isnan(ev) else ev for ev in change.evs]
    return {
        "hand": change.hand,
        "weight": change.weight,
        "strategies": [list(each) for each in change.strategies],
        "moved": change.strategy_change,
        "evs": evs,
        "ev_change": None if math.isnan(change.ev_change) else change.ev_change,
        "exceeds": change.exceeds,
    }
