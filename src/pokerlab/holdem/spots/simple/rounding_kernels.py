"""Loops that follow one player's own actions down a street, and that round probabilities."""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Bools, Floats, Int32s, Int64s, Singles
from pokerlab.runtime.jit import kernel


@kernel
def follow_street(
    rows: Singles, before: Int64s, slot: Int64s, roots: Int64s, above: Floats, reach: Floats
) -> None:
    """Write how likely each hand of a player is to come to each node by its own actions.

    Parameters
    ----------
    rows : (slots, hands)
        The player's probabilities on a board.
    before, slot : (nodes,)
        The node before each node (−1: it is the first of its root), and the player's slot that
        leads from there (−1: an action of the opponent).
    roots : (nodes,)
        The root of each node.
    above : (roots, hands)
        How likely the hands are at the roots.
    reach : (nodes, hands)
        To be written.
    """
    nodes, hands = reach.shape
    for node in range(nodes):
        parent = before[node]
        if parent < 0:
            for hand in range(hands):
                reach[node, hand] = above[roots[node], hand]
        elif slot[node] < 0:
            for hand in range(hands):
                reach[node, hand] = reach[parent, hand]
        else:
            row = slot[node]
            for hand in range(hands):
                reach[node, hand] = reach[parent, hand] * rows[row, hand]


@kernel
def round_rows(
    rows: Singles,
    weights: Floats,
    groups: Int32s,
    count: int,
    units: int,
    most: int,
    balanced: bool,
    rounded: Singles,
) -> None:
    """Round the probabilities of a decision, one strategy for each group of hands.

    Parameters
    ----------
    rows : (actions, hands)
        The probabilities.
    weights : (hands,)
        How much each hand counts in the mean of its group, and in `balanced`.
    groups, count
        The group of each hand, in the order in which they are rounded (−1: the hand stays as it
        is), and how many groups there are.
    units
        Probabilities become multiples of 1 / units; 0 keeps them.
    most
        The most actions that may have any.
    balanced
        Whether a group is rounded so that the errors of the groups before it cancel.
    rounded : (actions, hands)
        To be written.
    """
    actions, hands = rows.shape
    means = np.zeros((count, actions))
    totals = np.zeros(count)
    members = np.zeros(count)
    for hand in range(hands):
        group = groups[hand]
        if group >= 0:
            totals[group] += weights[hand]
            members[group] += 1.0
    for hand in range(hands):
        group = groups[hand]
        if group >= 0:
            part = 1.0 / members[group]
            if totals[group] > 0.0:
                part = weights[hand] / totals[group]
            for action in range(actions):
                means[group, action] += part * rows[action, hand]
    owed = np.zeros(actions)
    # Memory for one group after the other: to allocate it takes longer than to round.
    kept, before, score = np.zeros(actions, np.bool_), np.zeros(actions), np.zeros(actions)
    for group in range(count):
        if members[group] > 0.0:
            weight = totals[group] if balanced else 0.0
            _round_one(means[group], units, most, owed, weight, kept, before, score)
    for hand in range(hands):
        group = groups[hand]
        for action in range(actions):
            given = rows[action, hand] if group < 0 else means[group, action]
            rounded[action, hand] = given


@kernel
def _round_one(
    shares: Floats,
    units: int,
    most: int,
    owed: Floats,
    weight: float,
    kept: Bools,
    before: Floats,
    score: Floats,
) -> None:
    """Round probabilities in place; `owed` is what the hands before lack of each action.

    `kept`, `before` and `score` are memory to work in.
    """
    actions = shares.size
    for action in range(actions):
        kept[action] = False
        before[action] = shares[action]
    total = 0.0
    for _ in range(min(most, actions)):
        largest = -1
        for action in range(actions):
            if not kept[action] and (largest < 0 or shares[action] > shares[largest]):
                largest = action
        if shares[largest] > 0.0:
            kept[largest] = True
            total += shares[largest]
    for action in range(actions):
        shares[action] = shares[action] / total if kept[action] else 0.0
    if units > 0:
        _to_units(shares, kept, units, owed, weight, score)
    for action in range(actions):
        owed[action] += weight * (before[action] - shares[action])


@kernel
def _to_units(
    shares: Floats, kept: Bools, units: int, owed: Floats, weight: float, score: Floats
) -> None:
    """Multiples of 1 / units: whole units first, the rest where most is lacking."""
    actions = shares.size
    # Probabilities are stored in 16 bits; together, actions must not gain a unit by that.
    slack = min(1e-3 * units, 0.5 / actions)
    left = units
    for action in range(actions):
        score[action] = -np.inf
        given = shares[action] * units
        whole = int(given + slack)
        left -= whole
        shares[action] = whole
        if kept[action] and given - whole > slack:
            score[action] = given - whole
            if weight > 0.0:
                score[action] += owed[action] * units / weight
    while left > 0:
        chosen = -1
        for action in range(actions):
            if score[action] > -np.inf and (chosen < 0 or score[action] > score[chosen]):
                chosen = action
        if chosen < 0:  # all were whole but for their storage: the largest has lost it
            for action in range(actions):
                if kept[action] and (chosen < 0 or shares[action] > shares[chosen]):
                    chosen = action
        shares[chosen] += 1.0
        score[chosen] = -np.inf
        left -= 1
    for action in range(actions):
        shares[action] /= units
