"""The measures and identities once more, straight from their definitions: slow, and simple."""

from collections import Counter
from fractions import Fraction

import numpy as np

from pokerlab.cards import COMBO_CARDS, evaluate_batch

CARDS = COMBO_CARDS.astype(int)
COLLIDES = (CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))


def possible(board):
    return ~np.isin(CARDS, list(board)).any(axis=1)


def rivers_below(board):
    left = [card for card in range(52) if card not in board]
    if len(board) == 5:
        return [tuple(board)]
    return [
        river
        for place, card in enumerate(left)
        for river in rivers_below_from((*board, card), left[place + 1 :])
    ]


def rivers_below_from(board, left):
    if len(board) == 5:
        return [board]
    return [(*board, card) for card in left]


def plain_values(board, hands, measures, opposing=None):
    """What hands are worth on complete boards: {measure: {hand: {board as a set: value}}}."""
    found = {measure: {hand: {} for hand in hands} for measure in measures}
    views = {}
    for river in rivers_below(board):
        free = np.flatnonzero(possible(river))
        cards = np.concatenate([CARDS[free], np.tile(river, (len(free), 1))], axis=1)
        ranks = evaluate_batch(cards.astype(np.uint8)).astype(np.int16)
        meets = ~COLLIDES[np.ix_(free, free)]
        scores = 1 + np.sign(ranks[None, :] - ranks[:, None])  # 2 for a win, 1 for a tie
        strengths = (scores * meets).sum(axis=1)
        for place, hand in enumerate(free):
            if hand not in found[measures[0]]:
                continue
            view = (int(strengths[place]), *np.sort(strengths[meets[place]]).tolist())
            values = {
                "rank": int(ranks[place]),
                "strength": int(strengths[place]),
                "view": views.setdefault(view, len(views)),
            }
            if opposing is not None:
                weights = np.rint(opposing[free] * 1_000_000).astype(int) * meets[place]
                total = int(weights.sum())
                won = int((scores[place] * weights).sum())
                values["strength-range"] = Fraction(won, 2 * total) if total else None
            for measure in measures:
                found[measure][hand][frozenset(river)] = values[measure]
    return found


def same(identity, board, one, other):
    """Whether two hands, given by their values, are identical on a board."""
    if identity == "river":
        both = one.keys() & other.keys()
        only_one = Counter(one[river] for river in one.keys() - both)
        only_other = Counter(other[river] for river in other.keys() - both)
        return all(one[river] == other[river] for river in both) and only_one == only_other
    if identity == "hierarchical" and len(board) == 3:
        return by_turn(board, one) == by_turn(board, other)
    return Counter(one.values()) == Counter(other.values())


def by_turn(board, values):
    """The histograms of all turn cards, counted."""
    histograms = []
    for turn in set(range(52)) - set(board):
        rivers = [value for river, value in values.items() if turn in river]
        if rivers:
            histograms.append(frozenset(Counter(rivers).items()))
    return Counter(histograms)


def relation(identity, board, values):
    """Which hands are identical, as a matrix in the order of their values."""
    return np.array(
        [
            [same(identity, board, one, other) for other in values.values()]
            for one in values.values()
        ]
    )
