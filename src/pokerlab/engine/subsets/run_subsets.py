"""Subsets of run-outs: a few turns and rivers, with weights, in place of all of them.

A flop has 49 turns and 48 rivers after each. Turns that do much the same to all hands can stand for
one another. Cards are compared by the strength that they give to every hand against the opposing
range: on the board itself, and for turns also the mean and the mean square over the rivers. The
chosen cards are medoids, those with the least sum of squared distances from each card to the
nearest chosen one; so cards that complete a flush or pair the board are chosen in proportion. Each
gets the number of cards that are nearest to it as its weight, and then all weights are changed a
little, by non-negative least squares, so that the mean strength of every hand is nearly that of all
cards.

Everything is chosen in whole numbers: the choice is the same on every machine. Weights are rounded
to a grid for the same reason.

Cards that suits make equal are one class; a class is in a subset as a whole and counts as one
board.

References
----------
Kaufman, L. and Rousseeuw, P. J. (1990), "Finding Groups in Data", chapter 2 (medoids).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from typing import TypeAlias

import numpy as np

from pokerlab.cards.codes import N_CARDS, card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS, select_hands
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.run_outs import StreetBoards, deal_run_outs
from pokerlab.cards.isomorphism.suits import CardClass
from pokerlab.engine.subsets.run_out_counts import RunOutCounts
from pokerlab.engine.subsets.subset_kernels import find_strengths
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Indices, Int64s

Dealer: TypeAlias = Callable[[tuple[int, ...], Bytes], tuple[StreetBoards, ...]]
"""Takes a board and the suit permutations that keep it."""

_WHOLE = 1024
"""Strengths are in parts of this."""

_LARGEST_WEIGHT = 256
"""Weights of hands are whole numbers up to this where cards are chosen."""

_SHARED = 12
"""A multiple of the size of every class of cards."""

_GRID = 64
"""Weights of cards are in parts of this."""

_CLOSENESS = 0.1
"""How much it counts that a weight is near the number of cards that the card stands for."""

_STRICT = 100.0
"""How much it counts that each suit has the weight of its cards."""


def run_out_dealer(runouts: str | None, ranges: tuple[Floats, Floats]) -> Dealer:
    """What deals the streets after a board: all cards, or a subset such as ``12x10``."""
    if runouts is None:
        return deal_run_outs
    return partial(deal_subset, ranges=ranges, counts=RunOutCounts.parse(runouts))


def deal_subset(
    flop: tuple[int, ...], group: Bytes, ranges: tuple[Floats, Floats], counts: RunOutCounts
) -> tuple[StreetBoards, ...]:
    """Deal a subset of the turns and rivers of a flop, with weights.

    Parameters
    ----------
    flop
        Three cards.
    group
        Suit permutations that keep the flop and the ranges.
    ranges
        The weights of the 1,326 combos for both players.
    counts
        How many classes of turns, and of rivers after each.

    Examples
    --------
    >>> from pokerlab.cards import Range, format_cards, parse_cards
    >>> from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS
    >>> everything = Range("random").weights
    >>> flop, turns, rivers = deal_subset(
    ...     parse_cards("Ks7h2d"), SUIT_PERMUTATIONS[:1], (everything, everything),
    ...     RunOutCounts(3, 2))
    >>> len(turns.cards), len(rivers.cards), turns.child_first
    (3, 6, (0, 2, 4, 6))
    >>> round(float(turns.weights.sum()), 9)
    49.0
    """
    weights = np.stack(ranges)
    weights = np.where(COMBO_MASKS & np.uint64(card_mask(flop)) == 0, weights, 0.0)
    return _deal(flop, group.tobytes(), weights.tobytes(), counts)


@lru_cache(maxsize=4)
def _deal(
    flop: tuple[int, ...], group: bytes, ranges: bytes, counts: RunOutCounts
) -> tuple[StreetBoards, ...]:
    suits = np.frombuffer(group, np.uint8).reshape(-1, 4)
    first, turns, rivers = deal_run_outs(flop, suits)
    strengths = _strengths(flop, ranges)
    kept_turns, turn_weights = _choose(_classes(turns.classes), strengths.of_turns, counts.turns)
    kept_rivers: list[int] = []
    river_weights: list[float] = []
    starts = [0]
    for turn in kept_turns:
        begin, end = turns.child_first[turn : turn + 2]
        followed = _classes(rivers.classes[begin:end])
        card = int(turns.cards[turn, 3])
        kept, weights = _choose(followed, strengths.of_rivers(card), counts.rivers)
        kept_rivers += [begin + number for number in kept]
        river_weights += weights
        starts.append(len(kept_rivers))
    last = (0,) * (len(kept_rivers) + 1)
    return (
        first._replace(child_first=(0, len(kept_turns))),
        _keep(turns, kept_turns, tuple(starts), turn_weights),
        _keep(rivers, kept_rivers, last, river_weights),
    )


@lru_cache(maxsize=1)
def _strengths(flop: tuple[int, ...], ranges: bytes) -> _Strengths:
    """Those of the last flop: who looks for a small enough subset asks for several."""
    return _Strengths(flop, np.frombuffer(ranges).reshape(2, -1))


def _classes(found: Sequence[CardClass | None]) -> list[CardClass]:
    return [each for each in found if each is not None]


def _keep(
    street: StreetBoards, kept: list[int], starts: tuple[int, ...], weights: Sequence[float]
) -> StreetBoards:
    """Some boards of a street; weights of 1 are none."""
    by_board = np.array(weights)
    by_board.flags.writeable = False
    return StreetBoards(
        np.ascontiguousarray(street.cards[kept]),
        tuple(street.classes[number] for number in kept),
        starts,
        None if (by_board == 1).all() else by_board,
    )


class _Strengths:
    """What every turn and river does to the strength of every hand, in whole numbers."""

    def __init__(self, flop: tuple[int, ...], ranges: Floats) -> None:
        self._left = [card for card in range(N_CARDS) if card not in flop]
        first, second = np.triu_indices(len(self._left), 1)
        cards = np.array(self._left, np.uint8)
        boards = np.empty((len(first), 5), np.uint8)
        boards[:, :3], boards[:, 3], boards[:, 4] = flop, cards[first], cards[second]
        self._number = np.zeros((N_CARDS, N_CARDS), np.intp)
        self._number[cards[first], cards[second]] = np.arange(len(first))
        self._number[cards[second], cards[first]] = np.arange(len(first))
        scaled = np.rint(ranges / ranges.max(axis=1, keepdims=True) * _LARGEST_WEIGHT)
        whole = np.where(ranges > 0, np.maximum(scaled, 1), 0)
        combos = np.flatnonzero(whole.any(axis=0))
        found = []
        same = np.array_equal(*whole)
        for player in range(1 if same else 2):
            hands = select_hands(combos, whole[1 - player])
            strength = np.empty((len(boards), len(combos)), np.int16)
            find_strengths(boards, hands, _WHOLE, evaluator_tables.load(), strength)
            found.append(strength[:, whole[player, combos] > 0])
        self._strength = np.concatenate(found, axis=1).astype(np.float64)
        own = [row[row > 0] for row in whole]
        self._importance: Floats = np.concatenate(own[:1] if same else own)

    @cached_property
    def of_turns(self) -> Floats:
        """(cards, cards): products of what two turns do to all hands, weighted by the ranges.

        By the strength on the turn, its square, and the mean square over the rivers, each as the
        difference from the mean over all turns, 0 where a hand holds the card.
        """
        rows, known = [], []
        for turn in self._left:
            rivers = self._strength[self._number[turn, [c for c in self._left if c != turn]]]
            possible = rivers >= 0
            count = np.maximum(possible.sum(axis=0), 1)
            mean = np.rint(np.where(possible, rivers, 0).sum(axis=0) / count)
            square = np.rint(np.where(possible, _square(rivers), 0).sum(axis=0) / count)
            rows.append([mean, _square(mean), square])
            known.append(possible.any(axis=0))
        return self._compare(np.array(rows), np.array(known))

    def of_rivers(self, turn: int) -> Floats:
        """(cards, cards): the same of two rivers after a turn, by the strength and its square."""
        rivers = self._strength[self._number[turn, [c for c in self._left if c != turn]]]
        return self._compare(np.stack([rivers, _square(rivers)], axis=1), rivers >= 0)

    def _compare(self, rows: Floats, known: Bools) -> Floats:
        """(cards, cards): products of the differences from the mean."""
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.rint(np.where(known[:, None], rows, 0).sum(axis=0) / count)
        apart = np.where(known[:, None], rows - mean, 0)
        weighted = (apart * self._importance).reshape(len(rows), -1)
        # Not by BLAS: its threads would wait for each other longer than one takes.
        return np.asarray(np.einsum("ih,jh->ij", weighted, apart.reshape(len(rows), -1)))


def _square(strength: Floats) -> Floats:
    return np.asarray(np.rint(strength * strength / _WHOLE))


def _choose(
    classes: list[CardClass], products: Floats, count: int
) -> tuple[list[int], list[float]]:
    """Choose classes of cards: their numbers, and the weight of each of their cards.

    `products` are those of all cards that may come, in rising order.
    """
    sizes = np.array([found.multiplicity for found in classes])
    if count >= len(classes):
        return list(range(len(classes))), [1.0] * len(classes)
    cards = sorted(card for found in classes for card in found.members)
    mean_of = np.zeros((len(classes), len(cards)))
    for number, found in enumerate(classes):
        mean_of[number, np.searchsorted(cards, sorted(found.members))] = (
            _SHARED // found.multiplicity
        )
    products = mean_of @ products @ mean_of.T  # whole numbers still, _SHARED² times too large
    squares = np.diag(products)
    distance = squares[:, None] + squares - 2 * products
    suits = [frozenset(card & 3 for card in found.members) for found in classes]
    suit_of = np.array([sorted(map(sorted, set(suits))).index(sorted(each)) for each in suits])
    chosen = _find_medoids(distance, sizes, suit_of, _share_out(suit_of, sizes, count))
    nearest = distance[:, chosen].argmin(axis=1)
    nearest[chosen] = np.arange(count)  # where two cards do the same, too
    stands_for = np.bincount(nearest, sizes, minlength=count).astype(np.float64)
    of_suit = np.bincount(suit_of, sizes).astype(np.float64)
    share = _balance(products[np.ix_(chosen, chosen)], stands_for, suit_of[chosen], of_suit)
    weights = share / sizes[chosen]
    return chosen.tolist(), (weights * sizes.sum() / share.sum()).tolist()


def _share_out(suit_of: Int64s, sizes: Int64s, count: int) -> Int64s:
    """How many classes of each suit are chosen: in proportion to the cards, or all it has."""
    cards, classes = np.bincount(suit_of, sizes), np.bincount(suit_of)
    found = np.zeros(len(cards), np.int64)
    for _ in range(count):
        # The next one goes where most cards are left for each that is chosen.
        waiting = np.where(found < classes, cards / (2 * found + 1), -1)
        found[waiting.argmax()] += 1
    return found


def _find_medoids(distance: Floats, sizes: Int64s, suit_of: Int64s, counts: Int64s) -> Indices:
    """Find `counts` points of each suit such that all points are near to one of them.

    Greedy, then exchanges inside a suit.
    """
    chosen: list[int] = []
    near = np.full(len(distance), np.inf)
    left = counts.copy()
    while left.any():
        costs = sizes @ np.minimum(near[:, None], distance)
        costs[left[suit_of] == 0] = np.inf
        costs[chosen] = np.inf
        chosen.append(int(costs.argmin()))
        left[suit_of[chosen[-1]]] -= 1
        near = np.minimum(near, distance[:, chosen[-1]])
    best = float(sizes @ near)
    while True:
        found = None
        for place, old in enumerate(chosen):
            others = chosen[:place] + chosen[place + 1 :]
            without = distance[:, others].min(axis=1, initial=np.inf)
            costs = sizes @ np.minimum(without[:, None], distance)
            costs[others] = np.inf
            costs[suit_of != suit_of[old]] = np.inf
            if costs.min() < best:
                best, found = float(costs.min()), (place, int(costs.argmin()))
        if found is None:
            return np.array(sorted(chosen))
        chosen[found[0]] = found[1]


def _balance(products: Floats, stands_for: Floats, suit_of: Int64s, of_suit: Floats) -> Floats:
    """The total weights of classes: near what they stand for, and as strong as all cards.

    Minimise the squared difference of the mean strengths, plus the squared distance from
    `stands_for`, with as many cards of each suit as there are; `products` are of differences from
    the mean over all cards.
    """
    from scipy.optimize import nnls

    cards = stands_for.sum()
    scale = max(np.trace(products) / len(products), 1.0)
    values, vectors = np.linalg.eigh(products / scale)
    strengths = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    close = np.diag(np.sqrt(_CLOSENESS * cards / stands_for))
    suits = np.array([suit_of == suit for suit in range(len(of_suit))]) * _STRICT
    wanted = np.where(suits.any(axis=1), of_suit, 0)
    left = np.concatenate([strengths, close, suits])
    right = np.concatenate(
        [np.zeros(len(products)), close @ stands_for, wanted * cards / wanted.sum() * _STRICT]
    )
    return np.asarray(np.maximum(np.rint(nnls(left, right)[0] * _GRID), 1) / _GRID)
