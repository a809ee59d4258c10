"""A decision as rows: for tables, JSON, CSV, Parquet and range texts.

A row is a hand of a player that arrives at the line, or a group of hands (``AKs``): how likely
it is there, what it does, the chips it takes from there on (on average, and with each action), its
equity, and how much of its equity it realises (EV divided by equity times pot).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, combo_index, format_cards, parse_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.node_view import Decision, NodeView
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats

_DIGITS = 4
"""Digits of weights in range texts: other programs read more, people do not."""
_LEAST = 0.001
"""Hands that arrive less often are left out of range texts: that is what solving leaves over."""


@dataclass(frozen=True)
class HandRow:
    """One hand, or a group of hands, at a decision.

    Attributes
    ----------
    name
        ``AsKs``, or that of a group: ``AKs``, ``top-pair-top-kicker``.
    weight
        Range weight times the player's own actions on the way; of a group, the sum.
    strategy
        The probability of each action; empty for the player who does not act.
    ev, equity
        None where the hand meets no hand of the opponent.
    realisation
        EV divided by equity times pot; None without equity.
    action_ev
        The EV of each action; empty for the player who does not act.
    """

    name: str
    weight: float
    strategy: tuple[float, ...]
    ev: float | None
    equity: float | None
    realisation: float | None
    action_ev: tuple[float | None, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The row without its name."""
        return {
            "weight": self.weight,
            "strategy": list(self.strategy),
            "ev": self.ev,
            "equity": self.equity,
            "realisation": self.realisation,
            "action_ev": list(self.action_ev),
        }


def hand_rows(view: NodeView, player: int | None = None) -> list[HandRow]:
    """The hands of a player (who acts, if None) that arrive, aces first.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> rows = hand_rows(solve_spot(spot, target="0.01%").at())
    >>> [row.name for row in rows if row.strategy[1] > 0.99]
    ['7s7h', '7s7c', '7h7c']
    """
    player = view.player if player is None else player
    names = (format_cards(cards) for cards in COMBO_CARDS.tolist())
    groups = [[combo] for combo in range(N_COMBOS)]
    return grouped_rows(view, player, list(zip(names, groups, strict=True))[::-1])


def grouped_rows(
    view: NodeView, player: int, groups: Sequence[tuple[str, Sequence[int]]]
) -> list[HandRow]:
    """A row for each named group of combos of which one arrives."""
    weights = view.weights[player]
    unblocked = weights * unblocked_weights(view.weights[1 - player])
    rows = []
    for name, combos in groups:
        weight = float(weights[combos].sum())
        if weight <= 0:
            continue
        strategy: tuple[float, ...] = ()
        action_ev: tuple[float | None, ...] = ()
        if player == view.player:
            played = np.nan_to_num(view.strategy[:, combos]) @ weights[combos] / weight
            strategy = tuple(played.tolist())
            action_ev = tuple(_mean(row, unblocked[combos]) for row in view.action_ev[:, combos])
        ev = _mean(view.ev[player][combos], unblocked[combos])
        equity = _mean(view.equity[player][combos], unblocked[combos])
        realised = _realised(ev, equity, view.pot)
        rows.append(HandRow(name, weight, strategy, ev, equity, realised, action_ev))
    return rows


def range_totals(view: NodeView, player: int) -> HandRow:
    """The EV and equity of a player's whole range at a decision."""
    weights = view.weights[player]
    unblocked = weights * unblocked_weights(view.weights[1 - player])
    ev, equity = _mean(view.ev[player], unblocked), _mean(view.equity[player], unblocked)
    combos, realised = float(weights.sum()), _realised(ev, equity, view.pot)
    return HandRow(PLAYERS[player], combos, (), ev, equity, realised)


def arriving_range(view: Decision, player: int, action: str | None = None) -> Range:
    """The range of a player at a decision, or the part of it that takes an action.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> view = solve_spot(spot, target="0.01%").at()
    >>> arriving_range(view, 0).plain_text()
    '65s,7h7c,7s7c,7s7h'
    >>> arriving_range(view, 0, "b50")
    Traceback (most recent call last):
    ValueError: action 'b50' is not possible here; possible: x, a
    """
    weights = view.weights[player]
    if action is not None:
        if player != view.player:
            raise ValueError(
                f"action {action!r}: {PLAYERS[view.player]} acts here, not {PLAYERS[player]}"
            )
        if action not in view.actions:
            raise ValueError(
                f"action {action!r} is not possible here; possible: {', '.join(view.actions)}"
            )
        weights = weights * np.nan_to_num(view.strategy[view.actions.index(action)])
    rounded = np.clip(np.round(weights, _DIGITS), 0, 1)
    return Range(np.where(rounded < _LEAST, 0.0, rounded))


@dataclass(frozen=True)
class Following:
    """The decision or end that follows an action.

    Attributes
    ----------
    action, frequency
        The action, and how often it is taken.
    ev
        The mean EV of the hands that take it (in equilibrium that is the action's); 0 for a
        fold, None if no hand takes it.
    line
        The line after it.
    kind
        Where that leads: a decision, a card to come, or an end.
    pot
        The chips in the middle there; at an end, what is taken.
    """

    action: str
    frequency: float
    ev: float | None
    line: str
    kind: EdgeKind
    pot: float


def following_lines(spot: Spot, view: NodeView) -> list[Following]:
    """The lines that go on from a decision."""
    arriving = view.weights[view.player] * unblocked_weights(view.weights[1 - view.player])
    frequencies = view.frequencies.tolist()
    found = []
    for number, action in enumerate(view.actions):
        line = f"{view.line}/{action}" if view.line else action
        place = spot.find(line)
        street = spot.tree.streets[place.level]
        decides = place.kind == EdgeKind.NODE
        pot = int(street.pot[place.node] if decides else street.end_pot[place.edge])
        played = arriving * np.nan_to_num(view.strategy[number])
        # Who folds takes nothing; all else is what the hands that do it take on average.
        ev = 0.0 if place.kind == EdgeKind.FOLD else _mean(view.ev[view.player], played)
        chips = spot.tree.chips(pot)
        found.append(Following(action, frequencies[number], ev, line, place.kind, chips))
    return found


def table_columns(
    view: NodeView, rows: Sequence[HandRow] | None = None, player: int | None = None
) -> dict[str, list[Any]]:
    """The hands of a player (who acts, if None) as columns, all or some.

    The column of an action's name says how often it is taken, that of ``ev_`` and the name what it
    is worth.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> list(table_columns(solve_spot(spot, target="0.01%").at()))[:6]
    ['hand', 'class', 'made', 'draws', 'weight', 'x']
    """
    rows = hand_rows(view, player) if rows is None else rows
    actions = view.actions if player in (None, view.player) else ()
    combos = [combo_index(*parse_cards(row.name)) for row in rows]
    made, drawing = made_hands(view.board), draws(view.board)
    return {
        "hand": [row.name for row in rows],
        "class": [CLASS_NAMES[CLASS_OF_COMBO[combo]] for combo in combos],
        "made": [MADE_HANDS[made[combo]] for combo in combos],
        "draws": [
            " ".join(name for name, has in zip(DRAWS, drawing[:, combo], strict=True) if has)
            for combo in combos
        ],
        **row_columns(rows, actions),
    }


def row_columns(rows: Sequence[HandRow], actions: Sequence[str]) -> dict[str, list[Any]]:
    """The numbers of rows of the player who acts, as columns."""
    return {
        "weight": [row.weight for row in rows],
        **{action: [row.strategy[number] for row in rows] for number, action in enumerate(actions)},
        "ev": [row.ev for row in rows],
        "equity": [row.equity for row in rows],
        "realisation": [row.realisation for row in rows],
        **{
            f"ev_{action}": [row.action_ev[number] for row in rows]
            for number, action in enumerate(actions)
        },
    }


def _mean(values: Floats, weights: Floats) -> float | None:
    known = ~np.isnan(values) & (weights > 0)
    total = float(weights[known].sum())
    return float(values[known] @ weights[known]) / total if total > 0 else None


def _realised(ev: float | None, equity: float | None, pot: float) -> float | None:
    return None if ev is None or not equity else ev / (equity * pot)
