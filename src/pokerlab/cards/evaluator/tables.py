"""The look-up tables behind the evaluator: how they are built, and how they are loaded.

Every card has a 64-bit *key*. Keys are added up, in any order, and the sum tells everything:

- bits 0 to 31: the sum, modulo 2**32, of a number for each rank. The numbers are chosen so that
  all 73,775 multisets of 5, 6 or 7 ranks have different sums. A displacement hash turns the sum
  into an index of `rank_class`: ``(sum + row_offset[sum >> 19]) & 0x1FFFF``.
- bits 48 to 63: a counter for each suit, four bits wide. A hand starts with every counter at 3,
  so that a fifth card of a suit sets the counter's top bit: one AND finds a flush.

A hand with a flush is looked up in `flush_class` by the 13 rank bits of that suit; with at most
seven cards no such hand has four of a kind or a full house, so nothing else need be looked at.

The tables take 315 kB, of which a seven-card hand touches three entries. They are shipped as
``data/evaluator.npz``; ``python -m pokerlab.cards.evaluator.tables`` builds the file again.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.runtime.arrays import Uint16s, Uint64s

START_KEY = 0x3333 << 48
"""The key of a hand without cards."""
FLUSH_BITS = 0x8888 << 48
"""The bits of a hand's key of which one is set when five cards share a suit."""

NO_FLUSH = 0xFFFF
"""What `flush_class` holds for fewer than five cards: worse than every class."""

ROW_SHIFT = 19
INDEX_MASK = 0x1FFFF

FIRST_CLASS = (1, 11, 167, 323, 1600, 1610, 2468, 3326, 6186)
"""The best class of each category, straight flush first; the worst class of all is 7462."""

_FILE = Path(__file__).parent / "data" / "evaluator.npz"

# The first seed for which the rank sums all differ and the displacement below succeeds.
_SEED = 1


class EvaluatorTables(NamedTuple):
    """The arrays that evaluator kernels take."""

    card_key: Uint64s
    """Key of each of the 52 cards (64: a kernel may look up any six bits)."""
    card_bit: Uint64s
    """Bit ``16 · suit + rank`` of each card, for the look-up of flushes (64)."""
    row_offset: Uint16s
    """Displacement of each row of the hash (8,192, and one more: kernels read four bytes)."""
    rank_class: Uint16s
    """Class by hashed rank sum, for hands without a flush (131,072, and one more)."""
    flush_class: Uint16s
    """Class by the rank bits of the flush suit (8,192, and one more)."""
    combo_key: Uint64s
    """Key of each combo: the sum of its cards' keys (1,326)."""
    combo_bit: Uint64s
    """Bits of each combo (1,326)."""


@cache
def load() -> EvaluatorTables:
    """Read the tables that come with the package (about a millisecond, once)."""
    with np.load(_FILE, allow_pickle=False) as arrays:
        tables = EvaluatorTables(**arrays)
    for table in tables:
        table.flags.writeable = False
    return tables


def build() -> EvaluatorTables:
    """Make the tables from the rules of poker (a few seconds)."""
    rank_number = np.random.default_rng(_SEED).integers(1 << 32, size=13, dtype=np.uint32)
    rank, suit = np.divmod(np.arange(52, dtype=np.uint64), np.uint64(4))
    card_key, card_bit = np.zeros((2, 64), dtype=np.uint64)
    card_key[:52] = rank_number[rank] + (np.uint64(1) << (48 + 4 * suit))
    card_bit[:52] = np.uint64(1) << (16 * suit + rank)

    class_of = {strength: number for number, strength in enumerate(_strengths_of_five(), 1)}
    counts = _rank_counts()
    sums = (counts @ rank_number.astype(np.uint64)).astype(np.uint32)
    row_offset = _displace(sums)
    index = (sums + row_offset[sums >> ROW_SHIFT]) & INDEX_MASK
    rank_class = np.zeros(INDEX_MASK + 2, dtype=np.uint16)
    rank_class[index] = [class_of[_strength(tuple(hand))] for hand in counts.tolist()]

    flush_class = np.full((1 << 13) + 1, NO_FLUSH, dtype=np.uint16)
    for bits in range(1 << 13):
        ranks = [rank for rank in range(12, -1, -1) if bits >> rank & 1]
        if len(ranks) >= 5:
            flush_class[bits] = class_of[_flush_strength(ranks)]
    combo_key = card_key[COMBO_CARDS].sum(axis=1, dtype=np.uint64)
    combo_bit = card_bit[COMBO_CARDS].sum(axis=1, dtype=np.uint64)
    return EvaluatorTables(
        card_key, card_bit, row_offset, rank_class, flush_class, combo_key, combo_bit
    )


# A strength is a tuple that compares as the hands do: (category, ranks that decide), with
# categories 8 = straight flush, 7 = four of a kind, … 0 = high card.
_Strength = tuple[int, tuple[int, ...]]


def _strength(counts: tuple[int, ...]) -> _Strength:
    """Best five cards of a hand without a flush, from how often it holds each rank."""
    by_count = sorted(
        (rank for rank in range(13) if counts[rank]), key=lambda rank: (-counts[rank], -rank)
    )
    ranks = sorted(by_count, reverse=True)
    first = by_count[0]
    others = [rank for rank in ranks if rank != first]
    if counts[first] == 4:
        return 7, (first, others[0])
    pairs = [rank for rank in others if counts[rank] >= 2]
    if counts[first] == 3 and pairs:
        return 6, (first, pairs[0])
    top = _straight_top(ranks)
    if top is not None:
        return 4, (top,)
    if counts[first] == 3:
        return 3, (first, *others[:2])
    if counts[first] == 2 and pairs:
        kicker = next(rank for rank in others if rank != pairs[0])
        return 2, (first, pairs[0], kicker)
    if counts[first] == 2:
        return 1, (first, *others[:3])
    return 0, tuple(ranks[:5])


def _flush_strength(ranks: list[int]) -> _Strength:
    top = _straight_top(ranks)
    return (8, (top,)) if top is not None else (5, tuple(ranks[:5]))


def _straight_top(ranks: list[int]) -> int | None:
    """Highest card of the best straight; the ace also stands below the deuce."""
    present = {*ranks, *([-1] if 12 in ranks else [])}
    for top in range(12, 2, -1):
        if all(top - step in present for step in range(5)):
            return top
    return None


def _strengths_of_five() -> list[_Strength]:
    """The 7,462 strengths of five cards, best first."""
    strengths = {_strength(tuple(hand)) for hand in _rank_counts(sizes=(5,)).tolist()}
    strengths |= {_flush_strength(list(ranks)) for ranks in combinations(range(12, -1, -1), 5)}
    return sorted(strengths, reverse=True)


def _rank_counts(sizes: tuple[int, ...] = (5, 6, 7)) -> Uint64s:
    """How often each rank occurs, for every multiset of ranks that a deck can give."""
    counts = np.zeros((1, 0), dtype=np.uint64)
    for _ in range(13):
        extended = [np.insert(counts, counts.shape[1], copies, axis=1) for copies in range(5)]
        counts = np.concatenate(extended)
        counts = counts[counts.sum(axis=1) <= max(sizes)]
    return counts[np.isin(counts.sum(axis=1), sizes)]


def _displace(sums: npt.NDArray[np.uint32]) -> Uint16s:
    """Find for each row of sums the smallest shift that puts all of it on free places.

    Full rows first: they are the hardest to place (Tarjan and Yao, "Storing a sparse table").
    """
    row = sums >> ROW_SHIFT
    rows = Counter(row.tolist())
    taken = np.zeros(INDEX_MASK + 1, dtype=bool)
    offset = np.zeros((1 << (32 - ROW_SHIFT)) + 1, dtype=np.uint16)
    members = {number: sums[row == number] & INDEX_MASK for number in rows}
    for number, _ in rows.most_common():
        candidates = np.arange(1 << 11, dtype=np.uint32)
        for place in members[number]:
            candidates = candidates[~taken[(candidates + place) & INDEX_MASK]]
        offset[number] = candidates[0]
        taken[(members[number] + candidates[0]) & INDEX_MASK] = True
    return offset


if __name__ == "__main__":
    np.savez(_FILE, **build()._asdict())
