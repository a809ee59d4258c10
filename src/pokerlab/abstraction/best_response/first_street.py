"""The first street of a game, before any board: the choice that all boards have in common.

Behind each first board the best response is exact, whatever happens on others. Before it the hero
chooses once for all of them: from the sum over all boards that is exact again. From a sample he
fits his choice to it, and what he seems to win is too high on average. So two halves of the sample
are asked: the one chooses, the other says what that is worth, which is too low on average.
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.best_response.public_walk import Pair, PublicWalk
from pokerlab.abstraction.best_response.street_shapes import FIRST_FOLDS, GOES_ON, SECOND_FOLDS
from pokerlab.arrays import Floats, Int16s


def first_street_value(walk: PublicWalk, hero: int, chooses: Floats, counts: Floats) -> float:
    """What the hero wins in a hand who plays the first street by `chooses`.

    Parameters
    ----------
    walk
        Of a game whose first street has no board, and is not the last.
    hero
        His position.
    chooses, counts
        (hands, lines of the second street): what hands are worth there. The hero takes the best
        actions by the first, and wins what the second says.
    """
    (block,) = walk.lines[hero][0].blocks
    boards, shape = walk.boards, block.shape
    edge_of = {edge: number for number, edge in enumerate(shape.edges[1 - hero])}
    chances = block.plan[walk.first_board.groups, :, 0].astype(np.float64)  # (hands, edges)

    def visit(code: int, reach: Floats) -> tuple[Floats, Floats]:
        if code < 0:
            return leaf(~code, reach)
        position, children = shape.nodes[code]
        found = []
        for action, child in enumerate(children):
            if child is not None:
                edge = edge_of.get((code, action))
                found.append(visit(child, reach if edge is None else reach * chances[:, edge]))
        choices, worths = (np.array(each) for each in zip(*found, strict=True))
        if position != hero:
            return choices.sum(axis=0), worths.sum(axis=0)
        best = choices.argmax(axis=0)[None]
        return (
            np.take_along_axis(choices, best, axis=0)[0],
            np.take_along_axis(worths, best, axis=0)[0],
        )

    def leaf(number: int, reach: Floats) -> tuple[Floats, Floats]:
        kind = shape.leaves[number]
        if kind == GOES_ON:
            line = int(block.into[number, 0])
            if line < 0:
                return np.zeros(len(reach)), np.zeros(len(reach))
            return chooses[:, line], counts[:, line]
        assert kind in (FIRST_FOLDS, SECOND_FOLDS)
        chips = float(block.amount[number, 0]) * (-1.0 if kind == hero else 1.0)
        worth = chips * _unblocked(boards.slots, reach)
        return worth, worth

    worth = visit(shape.root, np.ones(len(boards.hands)))[1]
    return float(worth.sum() / (len(boards.hands) * boards.pairs))


def _unblocked(slots: Int16s, reach: Floats) -> Floats:
    """For each hand the sum of the reach of those that share no card with it."""
    by_card = np.bincount(slots.ravel(), np.repeat(reach, 2))
    found: Floats = reach.sum() - by_card[slots].sum(axis=1) + reach
    return found


def whole_values(walk: PublicWalk, values: Pair) -> tuple[float, float]:
    """What each hero wins in a hand, from what his hands are worth before the first street."""
    pairs = len(walk.boards.hands) * walk.boards.pairs
    first, second = (float(each[:, 0].sum()) / pairs for each in values)
    return first, second
