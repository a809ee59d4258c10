"""A decision of a trained strategy as rows and as JSON: for `pokerlab show` and the pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.codes import combo_index, format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, GRID
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.players.strategies.limit_view import GroupRow, LimitView
from pokerlab.runtime.arrays import Floats


def has_classes(view: LimitView) -> bool:
    """Whether a 13×13 picture says it all: two private cards, before the flop or on one board."""
    return view.hole_cards == 2 and len(view.node.game.deck) == 52 and shown_by_hand(view)


def shown_by_hand(view: LimitView) -> bool:
    """Whether hands are listed one by one: before the flop, or on one board."""
    return view.board is not None or (view.complete and view.node.street == 0)


def hand_rows(view: LimitView) -> list[dict[str, Any]]:
    """What each hand does: before the flop by class, on a board by combo, the strongest first."""
    by_class = has_classes(view) and view.board is None
    rows: dict[str, dict[str, Any]] = {}
    for hand in range(len(view)):
        name = view.private_text(hand)
        if by_class:
            name = CLASS_NAMES[CLASS_OF_COMBO[combo_index(*view.cards[hand].tolist())]]
        if name in rows:
            rows[name]["combos"] += 1
            continue
        rows[name] = {
            "hand": name,
            "combos": 1,
            "group": int(view.groups[hand]),
            "weight": float(view.weights[hand]),
            "strategy": view.strategy[hand].tolist(),
            "trained": bool(view.trained[hand]),
            "strength": float(view.strengths[hand]) if len(view.strengths) else None,
        }
    return sorted(rows.values(), key=lambda row: -(row["strength"] or 0.0))


def limit_payload(
    strategy: LimitStrategy,
    view: LimitView,
    rows: list[dict[str, Any]],
    groups: list[GroupRow],
) -> dict[str, Any]:
    """The decision as JSON: `rows` are those of `hand_rows`, where hands are shown one by one."""
    game = strategy.game.game
    return {
        "game": game.name,
        "groups_name": strategy.game.name,
        "exploitability_mbb": strategy.exploitability * game.mbb,
        "exact": strategy.exact,
        "line": view.line,
        "street": view.node.street,
        "player": view.node.player,
        "pot": view.node.pot / game.unit,
        "board": None if view.board is None else format_cards(view.board),
        "actions": list(view.actions),
        "frequencies": list(view.frequencies),
        "arriving": view.arriving,
        "next": [{"action": action, "line": line_after(view, action)} for action in view.actions],
        "hands": {
            row["hand"]: {key: value for key, value in row.items() if key != "hand"} for row in rows
        },
        "sampled": not view.complete,
        "groups": [row._asdict() for row in groups],
    }


def class_shares(view: LimitView) -> tuple[Floats, Floats]:
    """(actions, 169) and (169,): what each class does, and how likely it arrives."""
    hands = [combo_index(*hand) for hand in view.cards[:, :2].tolist()]
    classes = CLASS_OF_COMBO[hands]
    cells = GRID * GRID
    # A class that never arrives is drawn as it would play.
    weights = np.maximum(view.weights, 1e-9)
    total = np.maximum(np.bincount(classes, weights, cells), 1e-300)
    shares = [np.bincount(classes, weights * row, cells) / total for row in view.strategy.T]
    number = np.bincount(classes, minlength=cells)
    arriving = np.bincount(classes, view.weights, cells) / np.maximum(number, 1)
    return np.array(shares), arriving


def line_after(view: LimitView, action: str) -> str:
    """The line after an action of the decision."""
    return view.node.after(action).text


def action_word(view: LimitView, action: str) -> str:
    """An action in words: a call that costs nothing is a check."""
    if action == "c":
        return "call" if view.node.to_call else "check"
    return "fold" if action == "f" else "raise" if view.node.to_call else "bet"


def outcome_words(view: LimitView, action: str) -> str:
    """What follows an action: the pot, and whether cards come or the hand is over."""
    after = view.node.after(action)
    pot = f"{after.pot / after.game.unit:,g}"
    if after.player >= 0:
        return f"pot {pot}" + (", cards come" if after.street > view.node.street else "")
    return f"showdown for {pot}" if len(after.live) > 1 else f"over, the pot is {pot}"
