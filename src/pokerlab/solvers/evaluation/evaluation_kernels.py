"""Walks over the nodes of a tree: down with reach, up with values, and a best response.

These share nothing with the kernels that solve. They work on nodes, those on sequences, so each
is a test of the other. Arrays are those of `GameTree` with N nodes, S slots, I information sets
and T terminal nodes; everything is float64.
"""

from __future__ import annotations

from pokerlab.runtime.arrays import Floats, Int8s, Int32s
from pokerlab.runtime.jit import kernel


@kernel
def flow_down(parent: Int32s, slot: Int32s, chance: Floats, chosen: Floats, reach: Floats) -> None:
    """Write to `reach` [N] the product of the probabilities on the way to each node.

    `chosen` [S] are the probabilities of the players' moves.
    """
    reach[0] = 1.0
    for node in range(1, len(parent)):
        edge = slot[node]
        reach[node] = reach[parent[node]] * (chosen[edge] if edge >= 0 else chance[node])


@kernel
def flow_up(parent: Int32s, slot: Int32s, chance: Floats, chosen: Floats, values: Floats) -> None:
    """Average `values` [N, players], given at terminal nodes and 0 elsewhere, up to the root."""
    for node in range(len(parent) - 1, 0, -1):
        edge, before = slot[node], parent[node]
        probability = chosen[edge] if edge >= 0 else chance[node]
        for player in range(values.shape[1]):
            values[before, player] += probability * values[node, player]


@kernel
def best_reply(
    player: int,
    parent: Int32s,
    mover: Int8s,
    infoset: Int32s,
    slot: Int32s,
    slot_player: Int8s,
    terminals: Int32s,
    payoffs: Floats,
    reach: Floats,
    here: int,
    end: int,
    offset: Int32s,
    last: Int32s,
    before: Int32s,
    worth: Floats,
    choice: Int32s,
) -> float:
    """Best response of a player with the information sets `here` … `end` − 1; return its value.

    `mover` [N] is ``GameTree.player``, `payoffs` [T] are the player's, `reach` [N] is that of the
    others and chance. `last` [N] and `before` [I] are work space: the player's last slot before a
    node and before an information set. Written: `worth` [S], the player's counterfactual value of
    each slot (0 before), and `choice` [I], the slot that is played, the first of equals.
    """
    total = 0.0
    for node in range(len(parent)):
        edge = slot[node]
        if edge >= 0 and slot_player[edge] == player:
            last[node] = edge
        else:
            last[node] = last[parent[node]] if node > 0 else -1
        if mover[node] == player:
            before[infoset[node]] = last[node]
    for leaf in range(len(terminals)):
        node = terminals[leaf]
        if last[node] >= 0:
            worth[last[node]] += reach[node] * payoffs[leaf]
        else:
            total += reach[node] * payoffs[leaf]
    for number in range(end - 1, here - 1, -1):
        best = offset[number]
        for edge in range(offset[number] + 1, offset[number + 1]):
            if worth[edge] > worth[best]:
                best = edge
        choice[number] = best
        if before[number] >= 0:
            worth[before[number]] += worth[best]
        else:
            total += worth[best]
    return total
