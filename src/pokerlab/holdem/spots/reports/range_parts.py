"""The parts of a range on one board, and the same parts over many boards put together.

A part is a made hand, a draw, a starting hand or a tenth of equity, as in `breakdown`. Over several
boards a part is the mean of what it is on each of them, as often as its hands are there and meet
others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.holdem.spots.reports.breakdown import breakdown_names, hand_groups
from pokerlab.holdem.spots.reports.export import HandRow
from pokerlab.runtime.arrays import Floats


@dataclass(frozen=True, slots=True)
class RangePart:
    """A part of the range of the player who acts, on one board.

    Attributes
    ----------
    deals
        How often its hands arrive and meet a hand, weights multiplied.
    ev, equity
        Their means.
    frequencies, action_evs
        By action: how often they take it, and what it would earn all of them.
    """

    deals: float
    ev: float
    equity: float
    frequencies: tuple[float, ...]
    action_evs: tuple[float, ...]


def range_parts(view: NodeView, by: str, hands: str | None = None) -> dict[str, RangePart]:
    """The parts that arrive at a decision, by name, in the order of `breakdown_names`.

    With `hands`, of the hands that a filter lets through alone (`pokerlab.cards.filter_hands`).
    """
    player = view.player
    often = view.weights[player] * unblocked_weights(view.weights[1 - player])
    if hands is not None:
        often = often * filter_hands(hands, view.board)
    counted = np.flatnonzero(often)
    members = _members(view, by)[:, counted]
    numbers = np.stack(
        [
            np.ones(len(counted)),
            *(row[counted] for row in (view.ev[player], view.equity[player])),
            *view.strategy[:, counted],
            *view.action_ev[:, counted],
        ]
    )
    sums = members @ (np.nan_to_num(numbers) * often[counted]).T
    actions = len(view.actions)
    found = {}
    for name, (deals, *totals) in zip(breakdown_names(by), sums.tolist(), strict=True):
        if deals > 0:
            ev, equity, *rest = (total / deals for total in totals)
            found[name] = RangePart(deals, ev, equity, (*rest[:actions],), (*rest[actions:],))
    return found


def _members(view: NodeView, by: str) -> Floats:
    """(parts, 1326): 1 for the combos of each part."""
    groups = hand_groups(view, by, view.player)
    found = np.zeros((len(groups), N_COMBOS))
    for row, (_, combos) in zip(found, groups, strict=True):
        row[combos] = 1.0
    return found


class PartTotals:
    """Parts of a range over many boards, added one by one.

    Parameters
    ----------
    by
        What the parts are, as for `breakdown`.
    actions
        What may be done, on any board. On a board that does not have an action nobody takes it.
    """

    def __init__(self, by: str, actions: Sequence[str]) -> None:
        self._by = by
        self._actions = list(actions)
        self._deals = 0.0
        self._sums: dict[str, Floats] = {}

    def add(
        self,
        parts: Mapping[str, RangePart],
        actions: Sequence[str],
        *,
        deals: float,
        pot: float,
        times: float,
    ) -> None:
        """Add a board that counts `times`, where `deals` of the whole range arrive."""
        self._deals += times * deals
        count = len(self._actions)
        places = [self._actions.index(action) for action in actions]
        for name, part in parts.items():
            numbers = np.zeros(4 + 3 * count)
            numbers[:4] = 1.0, part.ev, part.equity, part.equity * pot
            frequencies, possible, action_evs = numbers[4:].reshape(3, count)
            frequencies[places] = part.frequencies
            possible[places] = 1.0
            action_evs[places] = part.action_evs
            total = self._sums.setdefault(name, np.zeros(len(numbers)))
            total += times * part.deals * numbers

    def rows(self) -> list[HandRow]:
        """A row for each part; its weight is the share of the whole range."""
        rows = []
        for name in breakdown_names(self._by):
            if name not in self._sums:
                continue
            deals, ev, equity, owned, *rest = self._sums[name].tolist()
            count = len(self._actions)
            possible, earned = rest[count : 2 * count], rest[2 * count :]
            rows.append(
                HandRow(
                    name,
                    deals / self._deals,
                    tuple(played / deals for played in rest[:count]),
                    ev / deals,
                    equity / deals,
                    ev / owned if owned else None,
                    tuple(
                        value / known if known else None
                        for value, known in zip(earned, possible, strict=True)
                    ),
                )
            )
        return rows
