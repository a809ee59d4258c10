"""Buckets by k-means: hands whose strengths on the river are distributed in a similar way.

A hand is described by the histogram of its strength on all complete boards to come. The distance of
two hands is the earth mover's distance of their histograms; a centre is the mean histogram of
its hands, and centres are numbered by their mean strength, the weakest first. On the river a
hand is one strength, and the distance is the difference.

Centres are found on a sample of hands (`pokerlab.engine.groups.clustering`); then every hand goes
to the nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.engine.groups.clustering import BINS, cluster_rows, cumulated
from pokerlab.holdem.limit.buckets.clustering_kernels import (
    add_start_histograms,
    assign_histograms,
    write_histograms,
)
from pokerlab.holdem.limit.strength.tables import BOARD_CARDS, all_combos, hand_indexers
from pokerlab.runtime.arrays import Uint16s
from pokerlab.runtime.files.builds import Tick
from pokerlab.runtime.machine import core_count

_SAMPLE = 100_000
_HISTOGRAMS = 0.9
"""The share of the time that the histograms take."""


def cluster_street(
    street: int, count: int, rng: np.random.Generator, tick: Tick | None = None
) -> Uint16s:
    """Part the hands of a street before the river into buckets; by number of hand and board.

    Parameters
    ----------
    street, count
        0 to 2; how many buckets.
    rng
        For the sample of hands and the first centres.
    tick
        Called with each share of the work that is done.
    """
    tick = tick or (lambda share: None)
    indexer = hand_indexers()[street]

    def histograms_tick(share: float) -> None:
        tick(_HISTOGRAMS * share)

    histograms = (
        _start_histograms(histograms_tick) if street == 0 else _histograms(street, histograms_tick)
    )
    numbers = np.arange(indexer.size)
    if len(numbers) > _SAMPLE:
        numbers = np.sort(rng.choice(indexer.size, _SAMPLE, replace=False))
    _, deals = indexer.unindex_batch(numbers)
    centres = cluster_rows(cumulated(histograms[numbers]), deals.astype(np.float64), count, rng)
    values = np.empty(indexer.size, np.uint16)
    _in_threads(
        lambda first, last: assign_histograms(histograms[first:last], centres, values[first:last]),
        indexer.size,
        lambda share: tick((1 - _HISTOGRAMS) * share),
    )
    return values


def _histograms(street: int, tick: Tick) -> Uint16s:
    boards, _ = board_orbits(size=BOARD_CARDS[street])
    indexer = hand_indexers()[street]
    histograms = np.zeros((indexer.size, BINS), np.uint16)
    _in_threads(
        lambda first, last: write_histograms(
            boards[first:last], all_combos(), indexer.tables, histograms
        ),
        len(boards),
        tick,
    )
    return histograms


def _start_histograms(tick: Tick) -> Uint16s:
    """Histograms of the 169 classes; scaled, because counts of boards do not fit 16 bits."""
    boards, multiplicities = board_orbits()
    by_combo = np.zeros((N_COMBOS, BINS), np.int64)
    ends = np.linspace(0, len(boards), 65).astype(int)
    for here in map(slice, ends[:-1], ends[1:]):
        add_start_histograms(boards[here], multiplicities[here], all_combos(), by_combo)
        tick(1 / 64)
    numbers = hand_indexers()[0].index_batch(COMBO_CARDS)
    classes = np.zeros((hand_indexers()[0].size, BINS))
    np.add.at(classes, numbers, by_combo)
    shares = classes / classes.sum(axis=1, keepdims=True)
    return np.asarray(np.rint(shares * np.iinfo(np.uint16).max), np.uint16)


def _in_threads(work: Callable[[int, int], None], size: int, tick: Tick) -> None:
    def part(first: int, last: int) -> None:
        work(first, last)
        tick((last - first) / size)

    ends = np.linspace(0, size, 65).astype(int)
    with ThreadPoolExecutor(core_count()) as pool:
        list(pool.map(part, ends[:-1], ends[1:]))
