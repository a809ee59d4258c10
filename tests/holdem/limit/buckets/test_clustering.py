import numpy as np
import pytest

from pokerlab.cards import COMBO_CARDS, parse_cards, river_distribution
from pokerlab.engine.groups.clustering import BINS, cumulated
from pokerlab.holdem.limit.buckets import clustering
from pokerlab.holdem.limit.buckets.clustering import cluster_street
from pokerlab.holdem.limit.buckets.clustering_kernels import (
    add_start_histograms,
    assign_histograms,
    write_histograms,
)
from pokerlab.holdem.limit.strength.tables import all_combos, hand_indexers


def test_histograms_are_cumulated_before_they_are_compared():
    rng = np.random.default_rng(2)
    histograms = rng.integers(1, 50, (30, 6)).astype(np.uint16)
    centres = np.ascontiguousarray(np.sort(rng.random((6, 4)).astype(np.float32), axis=0))
    values = np.empty(30, np.uint16)
    assign_histograms(histograms, centres, values)
    rows = cumulated(histograms)
    assert np.array_equal(
        values, np.abs(rows[:, :, None] - centres[None]).sum(axis=1).argmin(axis=1)
    )


@pytest.mark.parametrize("text", ["QhJh2c", "QhJh2c7s"])
def test_histograms_of_a_board_are_those_of_the_river_distribution(text):
    cards = parse_cards(text)
    indexer = hand_indexers()[len(cards) - 2]
    histograms = np.zeros((indexer.size, BINS), np.uint16)
    write_histograms(np.array([cards], np.uint8), all_combos(), indexer.tables, histograms)
    possible = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    numbers = indexer.index_batch([[*combo, *cards] for combo in COMBO_CARDS[possible]])
    found = histograms[numbers]
    assert (found.sum(axis=1) == {3: 1081, 4: 46}[len(cards)]).all()
    # The bins of the two differ a little at their ends: compare the means they imply.
    expected = river_distribution(text, bins=BINS).histogram[possible]
    middle = (np.arange(BINS) + 0.5) / BINS
    assert np.allclose(found / found.sum(axis=1)[:, None] @ middle, expected @ middle, atol=0.02)


def test_start_histograms_count_every_board_as_often_as_it_comes():
    boards = np.array([parse_cards("2c7dJhQsAd"), parse_cards("4h5h6h7h8h")], np.uint8)
    histograms = np.zeros((1326, BINS), np.int64)
    add_start_histograms(boards, np.array([2, 5]), all_combos(), histograms)
    totals = histograms.sum(axis=1)
    for board, times in zip(boards, (2, 5), strict=True):
        totals -= times * ~np.isin(COMBO_CARDS, board).any(axis=1)
    assert not totals.any()


def test_buckets_of_starting_hands_and_how_the_work_goes_on(monkeypatch):
    boards, multiplicities = clustering.board_orbits()
    some = boards[::40], multiplicities[::40]
    monkeypatch.setattr(clustering, "board_orbits", lambda: some)
    told = []
    values = cluster_street(0, 4, np.random.default_rng(5), told.append)
    assert sum(told) == pytest.approx(1)
    assert len(told) > 100
    # From the weakest to the strongest.
    aces, worst = hand_indexers()[0].index_batch([parse_cards("AsAd"), parse_cards("7c2d")])
    assert (values[worst], values[aces]) == (0, 3)
