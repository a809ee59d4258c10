"""Transition matrices between buckets: what takes the place of chance nodes.

From one street to the next, a bucket leads to others with certain probabilities.
`transition_matrix` has them over all deals, and the showdown matrix says what a bucket wins
against another. Together they define a small game without any cards
(`pokerlab.holdem.limit.bucket_games.independent_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise

import numpy as np

from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.holdem.limit.bucket_games.transition_kernels import add_bucket_showdowns
from pokerlab.holdem.limit.buckets.bucket_kernels import map_strengths
from pokerlab.holdem.limit.buckets.buckets import Buckets, random_deals
from pokerlab.holdem.limit.buckets.making import count_deals
from pokerlab.holdem.limit.strength.strength_kernels import STRENGTHS
from pokerlab.holdem.limit.strength.tables import STREETS, StrengthTables, all_combos
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Uint16s
from pokerlab.runtime.files.builds import Tick
from pokerlab.runtime.machine import core_count

Boards = tuple[Bytes, Int64s]
"""Boards (n, 5) in the order of dealing, and how many each stands for."""

MAX_SHOWDOWN_BUCKETS = 3000
"""River buckets of the largest showdown matrix."""
_PARTS = 256
"""The number of parts in which boards are counted."""


def transition_matrix(
    buckets: Buckets, street: int, tables: StrengthTables, *, tick: Tick | None = None
) -> Floats:
    """P(bucket on a street | bucket on the street before), exact, over all deals.

    Parameters
    ----------
    buckets
        The buckets.
    street
        1 to 3: the later street.
    tables
        The strength tables, for the river.
    tick
        Called with each share of the work that is done.

    Returns
    -------
    Shape (buckets before, buckets). Rows sum to 1; those of a bucket without deals are zero.
    """
    if not 1 <= street < len(STREETS):
        raise ValueError(f"street {street}: transitions lead to street 1, 2 or 3")
    groups, before = buckets.groups[street], buckets.counts[street - 1]
    n_values = groups.groups if groups.next_bucket is None else groups.next_bucket.shape[1]
    value_of = value_of_strength(buckets, tables) if street == len(STREETS) - 1 else None
    counts = count_deals(street, buckets.look_up, before, n_values, value_of, tick)
    if groups.next_bucket is None:
        return rows_to_one(counts.astype(np.float64))
    moves = np.zeros((before, groups.groups))
    rows = np.broadcast_to(np.arange(before)[:, None], groups.next_bucket.shape)
    np.add.at(moves, (rows, groups.next_bucket), counts)
    return rows_to_one(moves)


def showdown_matrix(
    buckets: Buckets,
    tables: StrengthTables,
    *,
    boards: int | None = None,
    rng: np.random.Generator | None = None,
    tick: Tick | None = None,
) -> Floats:
    """P(win) − P(lose) of each river bucket against each other.

    Parameters
    ----------
    buckets
        The buckets.
    tables
        The strength tables.
    boards
        The number of random boards, in the order of dealing, with all pairs of hands on each; by
        default all boards, which is exact, and possible where buckets do not remember.
    rng
        For random boards.
    tick
        Called with each share of the work that is done.

    Returns
    -------
    Shape (buckets, buckets), antisymmetric; zero where two buckets never meet.
    """
    count = buckets.counts[-1]
    if count > MAX_SHOWDOWN_BUCKETS:
        raise ValueError(
            f"{buckets.name} has {count:,} buckets on the river: a showdown matrix has at most"
            f" {MAX_SHOWDOWN_BUCKETS:,}"
        )
    if boards is None:
        if buckets.groups[-1].next_bucket is not None:
            raise ValueError(
                f"{buckets.name} remembers earlier streets: say how many random boards to use"
            )
        value_of = value_of_strength(buckets, tables)
        if _in_order(buckets, tables):
            # Percentiles: on any board the stronger hand wins, and nothing need be counted.
            number = np.arange(count)
            return np.asarray(np.sign(number[:, None] - number), np.float64)
        cards, multiplicities = board_orbits()
    else:
        value_of = np.empty(0, np.uint16)
        dealt = random_deals(boards, rng or np.random.default_rng(0))
        cards, multiplicities = np.ascontiguousarray(dealt[:, 2:]), np.ones(boards, np.int64)
    ends = np.linspace(0, len(cards), _PARTS + 1).astype(int)
    parts = ((cards[first:last], multiplicities[first:last]) for first, last in pairwise(ends))

    def tell() -> None:
        if tick is not None:
            tick(1 / _PARTS)

    return margin_matrix(*count_showdowns(buckets, value_of, parts, tell))


def count_showdowns(
    buckets: Buckets, value_of: Uint16s, parts: Iterable[Boards], tell: Callable[[], None]
) -> tuple[Floats, Floats]:
    """How often the first of two river buckets wins, and how often they meet, on some boards.

    `value_of` is as for `add_bucket_showdowns`; `tell` is called after each part of the boards.
    """
    threads, count = core_count(), buckets.counts[-1]
    sums = [np.zeros((2, count, count)) for _ in range(threads)]
    free = list(range(threads))

    def add(boards: Boards) -> None:
        own = free.pop()
        add_bucket_showdowns(*boards, all_combos(), buckets.look_up, value_of, *sums[own])
        free.append(own)
        tell()

    with ThreadPoolExecutor(threads) as pool:
        for done in as_completed([pool.submit(add, boards) for boards in parts]):
            done.result()
    # All counts are whole numbers: the sum is the same in any order.
    wins, meetings = np.sum(sums, axis=0)
    return wins, meetings


def margin_matrix(wins: Floats, meetings: Floats) -> Floats:
    """P(win) − P(lose) by how often pairs meet, and how often the first wins."""
    return np.asarray((wins - wins.T) / np.maximum(meetings, 1.0))


def rows_to_one(counts: Floats) -> Floats:
    """Counts as probabilities, row by row; rows of zeros stay."""
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))


def value_of_strength(buckets: Buckets, tables: StrengthTables) -> Uint16s:
    """The value that each river strength has."""
    return np.maximum(_known_values(buckets, tables), 0).astype(np.uint16)


def _known_values(buckets: Buckets, tables: StrengthTables) -> Int64s:
    """The same; −1 for a strength that no hand has."""
    value_of = np.full(STRENGTHS, -1, np.int64)
    if not map_strengths(tables.river, buckets.look_up.values[-1], value_of):
        raise ValueError(
            f"{buckets.name} parts hands of the same strength on the river: no exact matrix is"
            " known for such buckets"
        )
    return value_of


def _in_order(buckets: Buckets, tables: StrengthTables) -> bool:
    """Whether a river bucket with a higher number has stronger hands throughout."""
    values = _known_values(buckets, tables)
    return bool((np.diff(values[values >= 0]) >= 0).all())
