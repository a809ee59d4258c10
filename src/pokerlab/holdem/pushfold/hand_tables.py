"""`HandTables`: chances of classes of hands, of pairs and triples of them, and who beats whom.

Pairs are exact. Triples share no card exactly; the orders in which three hands finish are sampled,
`DEALS` random deals for each triple of classes, once, and kept in the user's cache folder. A chance
of a triple is up to 1.6% off (one standard error). What a player wins is a mean over thousands of
triples, where these errors cancel: `error` says what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.holdem.preflop.class_matchups import N_CLASSES, class_tables
from pokerlab.holdem.pushfold.rules import ORDERS
from pokerlab.holdem.pushfold.three_way_kernels import (
    count_sorted,
    pay_sorted,
    sample_orders,
)
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Singles, Uint16s
from pokerlab.runtime.files.atomic import atomic_file
from pokerlab.runtime.jit import cache_folder
from pokerlab.runtime.machine import core_count

DEALS = 1000
"""Of each triple of classes."""
_SEED = 20261118
_CHUNK = 4096
"""Triples between two reports of progress."""
_BOARDS = 1_712_304
"""That may follow two hands."""


@dataclass(frozen=True, eq=False)
class HandTables:
    """What push or fold needs to know of hands.

    Attributes
    ----------
    chances : (classes,)
        Of each class to be dealt.
    pairs : (classes, classes)
        Of each pair, to two players.
    pair_orders : (3, classes, classes)
        Of a win, a tie and a loss of the first of a pair.
    triples : (classes, classes, classes)
        Of each triple, to three players; empty where nobody needs it.
    orders : (triples, 13)
        For the sorted triples the chances of the orders in which they finish.
    """

    chances: Floats
    pairs: Floats
    pair_orders: Floats
    triples: Singles
    orders: Singles

    @cached_property
    def given_one(self) -> Singles:
        """(classes, classes, classes): the chance of two other hands, given the first."""
        return np.asarray(self.triples / self.chances[:, None, None], np.float32)

    def pay_pairs(self, worths: Floats) -> Floats:
        """(classes, classes): the mean of what a win, a tie and a loss of the first are worth."""
        return np.asarray(np.tensordot(worths, self.pair_orders, 1))

    def pay_triples(self, worths: Floats, axes: Sequence[int] = (0, 1, 2)) -> Singles:
        """(classes, classes, classes): the mean of what the 13 orders are worth.

        `axes` says which of the three players an axis is for.
        """
        classes = len(self.chances)
        found = np.zeros((classes,) * 3, np.float32)
        by_sorting = np.stack([worths[_sorted_orders(each)] for each in _SORTINGS])
        place_of = np.argsort(axes)
        sortings = np.array([[place_of[player] for player in each] for each in _SORTINGS])
        pay_sorted(self.orders, sorted_triples(classes), by_sorting, sortings, found)
        return found

    def count_orders(self, weights: Sequence[Floats]) -> Floats:
        """(13,): how often three players finish in each order, by the weights of their classes."""
        rows = np.zeros((len(_SORTINGS), len(ORDERS[3])))
        triples = sorted_triples(len(self.chances))
        count_sorted(self.orders, triples, np.stack(weights), np.array(_SORTINGS), rows)
        found = np.zeros(len(ORDERS[3]))
        for kind, row in zip(_SORTINGS, rows, strict=True):
            np.add.at(found, _sorted_orders(kind), row)
        return found

    @property
    def error(self) -> float:
        """The largest standard error of the chance of an order of a triple."""
        return 0.0 if not len(self.orders) else 0.5 / DEALS**0.5

    @classmethod
    def load(cls, players: int, report: Callable[[int], None] | None = None) -> HandTables:
        """The tables of hold'em for a number of players.

        Examples
        --------
        >>> tables = HandTables.load(2)
        >>> bool(abs(tables.pair_orders.sum(axis=0) - 1).max() < 1e-12)
        True
        """
        chances, pairs, pair_orders = _pair_tables()
        none = np.zeros((0, 0, 0), np.float32), np.zeros((0, 13), np.float32)
        triples, orders = none if players < 3 else load_three_way(report)
        return cls(chances, pairs, pair_orders, triples, orders)


_SORTINGS = tuple(permutations(range(3)))
"""Which of three comes first, second and third when they are sorted."""


def _sorted_orders(sorting: tuple[int, ...]) -> list[int]:
    """For each order of a sorted triple, the number of that order before the sorting."""
    number = {ranks: place for place, ranks in enumerate(ORDERS[3])}
    found = []
    for ranks in ORDERS[3]:
        before = [0, 0, 0]
        for place, member in enumerate(sorting):
            before[member] = ranks[place]
        found.append(number[tuple(before)])
    return found


@cache
def sorted_triples(classes: int) -> Int64s:
    """All triples of classes, each once, in ascending order: (triples, 3)."""
    grid = np.indices((classes,) * 3).reshape(3, -1).T
    kept = (grid[:, 0] <= grid[:, 1]) & (grid[:, 1] <= grid[:, 2])
    return np.ascontiguousarray(grid[kept], dtype=np.int64)


@cache
def _pair_tables() -> tuple[Floats, Floats, Floats]:
    """Chances of classes and of pairs, and of wins, ties and losses."""
    tables = class_tables()
    upper, ties = np.triu_indices(N_CLASSES), np.zeros((N_CLASSES, N_CLASSES))
    path = Path(__file__).parent / "data" / "class_ties.npy"
    ties[upper] = ties.T[upper] = np.load(path, allow_pickle=False)
    ties /= tables.pairs * _BOARDS
    wins = tables.equities - ties / 2
    pairs = tables.pairs / tables.pairs.sum()
    return pairs.sum(axis=1), pairs, np.stack([wins, ties, wins.T])


def three_way_file() -> Path:
    """Where the sampled table is kept."""
    return cache_folder() / f"three_way_{DEALS}.npz"


def has_three_way() -> bool:
    """Whether all-ins of three have been sampled before."""
    return three_way_file().exists()


def load_three_way(report: Callable[[int], None] | None = None) -> tuple[Singles, Singles]:
    """The chances of triples and of their orders; sampled at the first use.

    `report` is called with the number of sorted triples that are done.
    """
    path, count = three_way_file(), len(sorted_triples(N_CLASSES))
    try:
        with np.load(path, allow_pickle=False) as kept:
            triples, orders = kept["triples"], kept["orders"]
        good = triples.shape == (N_CLASSES,) * 3 and orders.shape == (count, len(ORDERS[3]))
        sums = orders.sum(axis=1, dtype=np.int64) if good else np.zeros(1)
        good = good and bool(np.isin(sums, (0, DEALS)).all()) and int(triples.sum()) == _TRIPLES
    except Exception:  # whatever is wrong with a file in a cache, it is made again
        good = False
    if not good:
        triples = count_triples()
        orders = sample_three_way(triples, report)
        with suppress(OSError):  # a cache folder that cannot be written: it is made each time
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(path) as writing, writing.open("wb") as out:
                np.savez_compressed(out, triples=triples, orders=orders)
    return (triples / _TRIPLES).astype(np.float32), (orders / DEALS).astype(np.float32)


_TRIPLES = 1326 * 1225 * 1128
"""Of hands that share no card."""


def count_triples() -> Uint16s:
    """How many triples of combos share no card, by classes: (169, 169, 169)."""
    apart = (COMBO_MASKS[:, None] & COMBO_MASKS == 0).astype(np.float32)
    by_class = np.zeros((len(apart), N_CLASSES), np.float32)
    by_class[np.arange(len(apart)), CLASS_OF_COMBO] = 1
    found = np.zeros((N_CLASSES,) * 3, np.uint16)
    for number in range(N_CLASSES):
        # Suits do not matter: one combo stands for its class.
        own = int(np.flatnonzero(number == CLASS_OF_COMBO)[0])
        free = np.flatnonzero(apart[own])
        third = apart[np.ix_(free, free)] @ by_class[free]
        found[number] = CLASS_SIZES[number] * (by_class[free].T @ third)
    return found


def sample_three_way(
    triples: Uint16s, report: Callable[[int], None] | None = None, seed: int = _SEED
) -> Uint16s:
    """How often random deals of each sorted triple finish in each order: (triples, 13)."""
    number = sorted_triples(N_CLASSES)
    counts = np.zeros((len(number), len(ORDERS[3])), np.uint16)
    possible = triples[tuple(number.T)] > 0
    ordered = np.argsort(CLASS_OF_COMBO, kind="stable")
    cards = COMBO_CARDS[ordered].astype(np.uint8)
    first = np.concatenate([[0], np.cumsum(CLASS_SIZES)]).astype(np.int64)
    codes = order_codes()
    tables = evaluator_tables.load()
    some = np.flatnonzero(possible)
    chunks = [some[begin : begin + _CHUNK] for begin in range(0, len(some), _CHUNK)]

    def sample(place: int) -> int:
        here = chunks[place]
        found = np.zeros((len(here), counts.shape[1]), np.uint16)
        own = seed + 1_000_003 * place
        sample_orders(number[here], DEALS, own, first, cards, codes, found, tables)
        counts[here] = found
        return len(here)

    done = 0
    with ThreadPoolExecutor(core_count()) as pool:
        for count in pool.map(sample, range(len(chunks))):
            done += count
            if report is not None:
                report(done)
    return counts


def order_codes() -> Bytes:
    """For each code of three signs (see `sample_orders`) the number of the order."""
    found = np.zeros(27, np.uint8)
    for number, ranks in enumerate(ORDERS[3]):
        signs = [1 + int(np.sign(ranks[one] - ranks[two])) for one, two in ((0, 1), (0, 2), (1, 2))]
        found[9 * signs[0] + 3 * signs[1] + signs[2]] = number
    return found
