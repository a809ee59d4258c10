"""Comparators: which of several two-player histories is nearest to a decision of three players.

A comparator gives for each candidate some leading properties, compared in their order, and the
distance that decides among those that agree in all of them. A new one is a function::

    @COMPARATORS.add("pot-first")
    def pot_first(decision, histories, candidates):
        \"\"\"The nearest pot, then the distance in actions.\"\"\"
        pot = np.abs(histories.pot[candidates] - decision.pot)
        return Order((pot,), action_distances(decision, histories, candidates))

The first three are those of the thesis "Abbildung eines 2-Spieler Computerspielers auf
3-Spieler-Limit-Poker" (TU Darmstadt 2013); ``stakes`` is our own.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.arrays import AnyArray, Indices, Int16s, Singles
from pokerlab.bots.mapping.filters import odds_distances
from pokerlab.bots.mapping.histories import (
    Histories,
    Position,
    ThreePlayerDecision,
    action_distances,
)
from pokerlab.bots.mapping.registry import Registry


class Order(NamedTuple):
    """By what candidates are ordered: leading properties, the first weighs most, and a distance.

    Entry n of each array belongs to candidate n; smaller is nearer.
    """

    properties: tuple[AnyArray, ...]
    distance: AnyArray


class Comparator(Protocol):
    """A function that says by what candidates are ordered."""

    def __call__(
        self, decision: ThreePlayerDecision, histories: Histories, candidates: Indices, /
    ) -> Order:
        """Properties and distance of each candidate."""


COMPARATORS: Registry[Comparator] = Registry("comparator")
"""Comparators by name."""


class Ranking(NamedTuple):
    """Candidates, the nearest first.

    Attributes
    ----------
    numbers
        The candidates.
    groups
        Candidates that agree in all leading properties share a number; it grows along the list.
    distance
        The distance within the group.
    """

    numbers: Int16s
    groups: Int16s
    distance: Singles


def rank(numbers: Indices, order: Order, enough: int | None = None) -> Ranking:
    """Sort candidates; equal ones keep the order of the betting tree.

    Parameters
    ----------
    numbers, order
        The candidates, and by what to order them.
    enough
        Sort only the nearest, these many or more: to sort 5,670 candidates of the river by five
        columns takes a millisecond. All by default.

    Examples
    --------
    >>> far = np.array([1, 0, 0])
    >>> ranking = rank(np.array([7, 8, 9]), Order((far,), np.array([0, 3, 2])))
    >>> ranking.numbers.tolist(), ranking.groups.tolist(), ranking.distance.tolist()
    ([9, 8, 7], [0, 0, 1], [2.0, 3.0, 0.0])
    """
    if enough is not None and len(numbers) > enough:
        leading = (*order.properties, order.distance)[0]
        kept = np.flatnonzero(leading <= np.partition(leading, enough - 1)[enough - 1])
        numbers = numbers[kept]
        order = Order(tuple(column[kept] for column in order.properties), order.distance[kept])
    sequence = np.lexsort((order.distance, *reversed(order.properties)))
    changes = np.zeros(len(numbers), dtype=np.bool_)
    for column in order.properties:
        ordered = column[sequence]
        changes[1:] |= ordered[1:] != ordered[:-1]
    return Ranking(
        numbers[sequence].astype(np.int16),
        np.cumsum(changes).astype(np.int16),
        order.distance[sequence].astype(np.float32),
    )


def numeric_distances(groups: AnyArray, distance: AnyArray) -> list[float]:
    """One number for the distance of each of a sorted list of histories.

    It is the distance within the group plus the number of the last history of the group before.

    Examples
    --------
    >>> numeric_distances(np.array([0, 1, 2, 2]), np.array([4, 2, 3, 4]))
    [4.0, 6.0, 9.0, 10.0]
    """
    found: list[float] = []
    before = 0.0
    for place, within in enumerate(distance):
        if place > 0 and groups[place] != groups[place - 1]:
            before = found[-1]
        found.append(before + float(within))
    return found


@COMPARATORS.add("standard")
def standard(decision: ThreePlayerDecision, histories: Histories, candidates: Indices) -> Order:
    """The distance in actions (HBB2 and HBB3)."""
    return Order((), action_distances(decision, histories, candidates))


@COMPARATORS.add("advanced")
def advanced(decision: ThreePlayerDecision, histories: Histories, candidates: Indices) -> Order:
    """A raise as possible as here, the preferred position, the distance in actions (HBB4)."""
    leading: tuple[AnyArray, ...] = (
        histories.raise_possible[candidates] != decision.raise_possible,
    )
    wanted = preferred_position(decision.position, decision.opponent_position)
    if wanted is not None:
        leading += (histories.in_small_blind[candidates] != (wanted == "SB"),)
    return Order(leading, action_distances(decision, histories, candidates))


@COMPARATORS.add("odds-first")
def odds_first(decision: ThreePlayerDecision, histories: Histories, candidates: Indices) -> Order:
    """Pot odds, pot size, then all that ``advanced`` looks at (HBB5)."""
    odds = odds_distances(decision, histories, candidates)
    pot = np.abs(histories.pot[candidates] - decision.pot)
    properties, distance = advanced(decision, histories, candidates)
    return Order((odds.round(9), pot, *properties), distance)


@COMPARATORS.add("stakes")
def stakes(decision: ThreePlayerDecision, histories: Histories, candidates: Indices) -> Order:
    """The chips of the player and this opponent, then everything of ``advanced``.

    The chips of the third player are left out, so a pot of three does not look like one that two
    players have raised up between them. In place of the order of HBB5 it won 107 ± 26 mbb/g more
    against two three-player strategies (9,000 hands; one of some ten candidates on the same cards).
    """
    own = np.abs(histories.spent[candidates] - decision.spent)
    other = np.abs(histories.opponent_spent[candidates] - decision.opponent_spent)
    properties, distance = advanced(decision, histories, candidates)
    return Order((own + other, *properties), distance)


def preferred_position(own: Position, opponent: Position) -> Position | None:
    """The position among two in which one acts before or after the opponent as among three.

    None where there is no such one: the small blind acts before the big blind on every street
    when there are three.

    Examples
    --------
    >>> preferred_position("BU", "SB"), preferred_position("SB", "BU")
    ('SB', 'BB')
    >>> preferred_position("SB", "BB") is None
    True
    """
    if opponent == "BU":
        return "BB"
    return "SB" if own == "BU" else None
