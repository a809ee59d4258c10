"""The compiled loop that writes a strategy of one betting tree into another, board by board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Floats, Int32s, Int64s, Singles
from pokerlab.runtime.jit import kernel


class LiftSteps(NamedTuple):
    """What is multiplied and added on a street: the same on every board.

    A *pair* is a line of the real tree and a line of a source that stands for it. An own action of
    the source is named by its source and its slot there; −1 is no action, a factor of 1.
    """

    pairs: Int64s
    """(pairs, 3): the pair before (−1 − n for the n-th that the street begins with), source,
    slot."""
    factors: Floats
    """(pairs,): the probability of the translation."""
    parts: Int64s
    """(parts, 4): the slot of the real tree, the pair, source and slot that it gets a part of."""
    nodes: Int64s
    """(own nodes, 2): the first slot of the real tree, and the number of its actions."""
    ends: Int64s
    """(ends, 3): the pair, source and slot of each pair that the next street begins with."""
    end_factors: Floats
    """(ends,)."""


@kernel
def lift_street(
    steps: LiftSteps,
    shares: Singles,
    begins: Int64s,
    first: Int64s,
    order: Int32s,
    parents: Int64s,
    above: Singles,
    real_first: Int64s,
    real: Singles,
    below: Singles,
) -> None:
    """Write the probabilities of a player on all boards of a street.

    Parameters
    ----------
    steps
        What to do.
    shares, begins
        The probabilities of all sources one after the other, and (sources, boards) where those of a
        board begin.
    first, order
        Where the hands of each board begin, and the numbers of the hands.
    parents, above
        The board before each board, and (boards before, pairs, hands + 1) how likely the pairs are
        there by the player's own actions and the translations; the last hand is none.
    real_first, real
        Where the boards begin in the real storage, and the storage.
    below
        As `above` for the next street, to be written.
    """
    nobody = above.shape[2] - 1
    widest = 0
    for board in range(first.size - 1):
        widest = max(widest, first[board + 1] - first[board])
    reach = np.zeros((steps.pairs.shape[0], widest), np.float64)
    for board in range(first.size - 1):
        start, hands = first[board], first[board + 1] - first[board]
        for pair in range(steps.pairs.shape[0]):
            before, source, slot = steps.pairs[pair]
            factor = steps.factors[pair]
            for hand in range(hands):
                number = min(order[start + hand], nobody)
                if before < 0:
                    reach[pair, hand] = above[parents[board], -1 - before, number]
                else:
                    reach[pair, hand] = reach[before, hand] * factor
            if slot >= 0:
                row = begins[source, board] + slot * hands
                for hand in range(hands):
                    reach[pair, hand] *= shares[row + hand]
        begin = real_first[board]
        for part in range(steps.parts.shape[0]):
            goes_to, pair, source, slot = steps.parts[part]
            to = begin + goes_to * hands
            if slot < 0:
                for hand in range(hands):
                    real[to + hand] += reach[pair, hand]
            else:
                row = begins[source, board] + slot * hands
                for hand in range(hands):
                    real[to + hand] += reach[pair, hand] * shares[row + hand]
        for node in range(steps.nodes.shape[0]):
            slot, actions = steps.nodes[node]
            to = begin + slot * hands
            for hand in range(hands):
                total = 0.0
                for action in range(actions):
                    total += real[to + action * hands + hand]
                for action in range(actions):
                    place = to + action * hands + hand
                    real[place] = real[place] / total if total > 0 else 1.0 / actions
        for end in range(steps.ends.shape[0]):
            pair, source, slot = steps.ends[end]
            row = begins[source, board] + slot * hands
            for hand in range(hands):
                number = min(order[start + hand], nobody)
                if number < nobody:
                    share = shares[row + hand] if slot >= 0 else np.float32(1)
                    below[board, end, number] = reach[pair, hand] * steps.end_factors[end] * share
