import numpy as np
import pytest

from pokerlab.cards import COMBO_CARDS, evaluate_batch, parse_cards
from pokerlab.holdem.limit.bucket_games.transition_kernels import add_bucket_showdowns
from pokerlab.holdem.limit.bucket_games.transitions import (
    showdown_matrix,
    transition_matrix,
)
from pokerlab.holdem.limit.buckets.buckets import random_deals
from pokerlab.holdem.limit.buckets.making import make_buckets
from pokerlab.holdem.limit.strength.tables import all_combos, strength_tables


def hands_apart_from(board):
    return [hand for hand in COMBO_CARDS.tolist() if not set(hand) & set(board)]


def test_showdowns_on_a_board_compare_all_pairs_of_hands(toy_buckets):
    board = parse_cards("QhJh2c7s7d")
    hands = hands_apart_from(board)
    cards = np.array([[*hand, *board] for hand in hands], np.uint8)
    classes = evaluate_batch(cards).astype(int)
    buckets = toy_buckets.of_deals(cards)[:, 3]
    wins, met = np.zeros((2, 24, 24))
    for place, hand in enumerate(hands):
        apart = np.array([not set(hand) & set(other) for other in hands])
        np.add.at(met[buckets[place]], buckets[apart], 1)
        beaten = apart & (classes > classes[place])
        np.add.at(wins[buckets[place]], buckets[beaten], 1)
    found = np.zeros((2, 24, 24))
    boards, once, none = np.array([board], np.uint8), np.ones(1, np.int64), np.empty(0, np.uint16)
    add_bucket_showdowns(boards, once, all_combos(), toy_buckets.look_up, none, found[0], found[1])
    assert np.array_equal(found, [wins, met])


@pytest.mark.slow  # needs the strength tables
@pytest.mark.parametrize("text", ["ehs2:3,2,2,2", "169/kmeans:6,6,6"])
def test_matrices_agree_with_sampled_deals(text):
    tables = strength_tables()
    buckets = make_buckets(text)
    rng = np.random.default_rng(6)
    deals = random_deals(200_000, rng)
    found = buckets.of_deals(deals)
    for street in (1, 2, 3):
        matrix = transition_matrix(buckets, street, tables)
        assert np.allclose(matrix.sum(axis=1), 1)
        assert np.allclose(buckets.shares[street - 1] @ matrix, buckets.shares[street])
        counts = np.zeros(matrix.shape)
        np.add.at(counts, (found[:, street - 1], found[:, street]), 1)
        totals = counts.sum(axis=1, keepdims=True)
        error = np.sqrt(matrix * (1 - matrix) / np.maximum(totals, 1)) + 3 / np.maximum(totals, 1)
        assert (np.abs(counts / np.maximum(totals, 1) - matrix) < 5 * error).all()
    wins = showdown_matrix(buckets, tables, boards=300, rng=rng)
    assert np.allclose(wins, -wins.T)
    # Two hands on each board: the second takes its cards from what the first leaves.
    order = np.argsort(rng.random((100_000, 52)), axis=1)[:, :9].astype(np.uint8)
    pair = [np.ascontiguousarray(order[:, [*hole, 4, 5, 6, 7, 8]]) for hole in ((0, 1), (2, 3))]
    margin = np.sign(evaluate_batch(pair[1]).astype(int) - evaluate_batch(pair[0]).astype(int))
    ours, theirs = (buckets.of_deals(cards)[:, 3] for cards in pair)
    sums, met = np.zeros((2, *wins.shape))
    np.add.at(sums, (ours, theirs), margin)
    np.add.at(met, (ours, theirs), 1)
    often = met > 200
    exact = wins if buckets.recall else showdown_matrix(buckets, tables)
    slack = 0.15 if buckets.recall else 0.0
    distance = np.abs(sums[often] / met[often] - exact[often])
    assert (distance < 5 / np.sqrt(met[often]) + slack).all()
