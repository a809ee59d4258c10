"""A hand's panel in Study: what its combos earn, what they beat, and what they block.

The numbers of a class are means over its combos that arrive, weighted as a deal weighs them: the
weight of a combo times that of each opposing combo that it can meet. `hand_data` has them for the
cards that lie on the board now; cards to come are in the equity alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, combo_index, format_cards, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, class_combos
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.node_view import Decision, NodeView
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.reports.export import following_lines, grouped_rows
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.errors import shorten

Data = dict[str, Any]

_MOST_BLOCKED = 12
"""Classes of the opponent's hands that are listed as blocked."""


def hand_data(solution: PostflopSolution, line: str, player: int, hand: str) -> Data:
    """All that the panel of a hand shows at a decision.

    Parameters
    ----------
    solution, line
        The decision.
    player
        Whose hand it is, 0 or 1.
    hand
        A class (``AKs``) or a combo (``AsKs``).

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, KQs", pot=100, stack=100, bet="a", raise_="")
    >>> found = hand_data(solve_spot(spot, target="0.01%"), "a", 1, "AA")
    >>> [round(found["showdown"][name], 2) for name in ("beats", "ties", "loses")]
    [0.33, 0.0, 0.67]
    >>> [row["name"] for row in found["combos"]][:2]
    ['AsAh', 'AsAd']
    """
    view = solution.at(line)
    combos = hand_combos(hand, view.board)
    data: Data = {
        "line": view.line,
        "hand": hand,
        "player": PLAYERS[player],
        "opponent": PLAYERS[1 - player],
        "actions": list(view.actions) if player == view.player else [],
    }
    names = [format_cards(COMBO_CARDS[combo].tolist()) for combo in combos]
    groups = [(name, [combo]) for name, combo in zip(names, combos, strict=True)]
    rows = grouped_rows(view, player, groups)
    total = grouped_rows(view, player, [(hand, combos)])
    data["combos"] = [{"name": row.name, **row.to_json()} for row in rows]
    data["total"] = total[0].to_json() if total else None
    arriving = np.array([combo for combo in combos if view.weights[player][combo] > 0], np.int64)
    if not arriving.size:
        return data | {"showdown": None, "made": [], "blocked": [], "responses": []}
    shares = view.weights[player][arriving] / view.weights[player][arriving].sum()
    return data | {
        **_against(view, arriving, shares, 1 - player),
        "responses": _responses(solution, view, arriving, shares, player),
    }


def hand_combos(hand: str, board: tuple[int, ...]) -> list[int]:
    """The combos of a class or of two cards that a board leaves, aces and spades first.

    Examples
    --------
    >>> hand_combos("AsKs", ())
    [1322]
    >>> hand_combos("AKx", ())
    Traceback (most recent call last):
    ValueError: 'AKx' is not a hand such as AKs or AsKs
    """
    if hand in CLASS_NAMES:
        combos = class_combos()[CLASS_NAMES.index(hand)].tolist()
    else:
        try:
            combos = [combo_index(*parse_cards(hand))]
        except (ValueError, TypeError):
            raise ValueError(f"{shorten(hand)!r} is not a hand such as AKs or AsKs") from None
    free = [combo for combo in combos if not set(COMBO_CARDS[combo].tolist()) & set(board)]
    if not free:
        raise ValueError(f"{shorten(hand)}: the board holds one of its cards")
    return sorted(free, reverse=True)


def _disjoint(combos: Indices) -> Floats:
    """(combos, 1326): 1 where two combos share no card, 0 elsewhere."""
    cards = COMBO_CARDS[combos]
    shared = (cards[:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))
    return np.asarray(~shared, np.float64)


def _against(view: NodeView, combos: Indices, shares: Floats, opponent: int) -> Data:
    """What the hand beats on the board as it lies, and what it takes from the other range."""
    opposing = np.flatnonzero(view.weights[opponent] > 0)
    weights = view.weights[opponent][opposing]
    met = shares[:, None] * _disjoint(combos)[:, opposing] * weights
    # Lower classes are better hands.
    lead = _ranking(view.board, opposing) - _ranking(view.board, combos)[:, None]
    parts = {
        "beats": np.where(lead > 0, met, 0.0).sum(axis=0),
        "ties": np.where(lead == 0, met, 0.0).sum(axis=0),
        "loses": np.where(lead < 0, met, 0.0).sum(axis=0),
    }
    total = float(met.sum())
    made, classes = made_hands(view.board)[opposing], CLASS_OF_COMBO[opposing]
    sums = {name: np.bincount(made, part, len(MADE_HANDS)) for name, part in parts.items()}
    before = np.bincount(classes, weights, len(CLASS_NAMES))
    after = np.bincount(classes, met.sum(axis=0), len(CLASS_NAMES))
    taken = before - after
    order = [int(each) for each in np.argsort(-taken, kind="stable") if taken[each] > 1e-9]
    return {
        "showdown": {name: _part(part.sum(), total) for name, part in parts.items()},
        "combos_met": total,
        "combos_opposing": float(weights.sum()),
        "made": [
            {"name": name, **{key: _part(each[place], total) for key, each in sums.items()}}
            for place, name in enumerate(MADE_HANDS)
            if any(each[place] > 0 for each in sums.values())
        ],
        "blocked": [
            {"name": CLASS_NAMES[each], "combos": float(before[each]), "left": float(after[each])}
            for each in order[:_MOST_BLOCKED]
        ],
        "unblocked": [
            CLASS_NAMES[place]
            for place in np.flatnonzero((before > 1e-3) & (taken <= 1e-9)).tolist()
        ],
    }


def _ranking(board: tuple[int, ...], combos: Indices) -> Indices:
    """The class of each combo with the board; lower is better."""
    rows = np.empty((len(combos), 2 + len(board)), np.int64)
    rows[:, :2], rows[:, 2:] = COMBO_CARDS[combos], board
    return np.asarray(evaluate_batch(rows), np.int64)


def _part(part: float, total: float) -> float:
    return float(part) / total if total > 0 else 0.0


def _responses(
    solution: PostflopSolution, view: NodeView, combos: Indices, shares: Floats, player: int
) -> list[Data]:
    """How the opponent plays against the hand: here, or after each action of the player."""
    if view.player != player:
        return [{"after": None, "line": view.line, **_response(view, combos, shares)}]
    found = []
    for following in following_lines(solution.spot, view):
        if following.kind != EdgeKind.NODE:
            continue
        decision = solution.decision(following.line)
        if decision.player == player or not decision.reached:
            continue
        answer = _response(decision, combos, shares)
        found.append({"after": following.action, "line": following.line, **answer})
    return found


def _response(decision: Decision, combos: Indices, shares: Floats) -> Data:
    """Each action of a decision: how often against all hands, how often against these.

    And what part of the hands that take it these cards remove.
    """
    weights = decision.weights[decision.player]
    met = shares @ _disjoint(combos)
    played = np.nan_to_num(decision.strategy) * weights
    whole, left = played.sum(axis=1), played @ met
    total = float(left.sum())
    return {
        "player": PLAYERS[decision.player],
        "actions": [
            {
                "action": action,
                "frequency": float(decision.frequencies[number]),
                "against": _part(left[number], total) if total > 0 else None,
                "blocked": _part(whole[number] - left[number], float(whole[number])),
            }
            for number, action in enumerate(decision.actions)
        ],
    }
