import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.index_rows_kernels import (
    index_rows_in_registers,
    index_rows_plainly,
)
from pokerlab.cards.isomorphism.row_index import row_index
from pokerlab.runtime.register_kernels import has_byte_permutations

in_registers = pytest.mark.skipif(
    not has_byte_permutations(), reason="this processor has no byte permutations"
)
KERNELS = [index_rows_plainly, pytest.param(index_rows_in_registers, marks=in_registers)]
ROUNDS = [(2, 3), (2, 4), (2, 5), (1, 3), (2, 1), (1, 1), (1, 6), (2,), (2, 3, 1), (3, 4)]


def random_deals(count, size, rng):
    """Of a whole deck, and of few ranks: suits that hold the same are rare otherwise."""
    ranks = rng.choice([3, 6, 13], size=(count, 1))
    order = np.where(np.arange(52) < 4 * ranks, rng.random((count, 52)), 2.0)
    return np.argsort(order, axis=1)[:, :size].astype(np.uint8)


@pytest.mark.parametrize("index_rows", KERNELS)
@given(rounds=st.sampled_from(ROUNDS), count=st.integers(0, 40), seed=st.integers(0, 2**32 - 1))
def test_rows_get_the_numbers_of_the_indexer(index_rows, rounds, count, seed):
    rng = np.random.default_rng(seed)
    indexer = HandIndexer(rounds)
    deals = random_deals(count, 7, rng)
    cards = np.append(deals, np.zeros(8, np.uint8))
    order = rng.permutation(count)
    # What lies behind the last place is no place, and may be anything afterwards.
    numbers = np.append(7 * order, np.full(8, 2**60))
    index_rows(cards, count, numbers, indexer.tables, row_index(rounds))
    expected = indexer.index_batch(deals[order, : sum(rounds)].reshape(count, sum(rounds)))
    np.testing.assert_array_equal(numbers[:count], expected)


@in_registers
def test_every_pattern_of_a_hand_and_a_board():
    """Canonical deals of numbers from all over the index, so that no pattern is missed."""
    for rounds in ((2, 3), (2, 4), (2, 5)):
        indexer = HandIndexer(rounds)
        starts = indexer.tables.patterns[:, 0]
        inside = np.linspace(0, indexer.size - 1, 3000).astype(np.int64)
        numbers = np.unique([*starts[:-1], *(starts[1:] - 1), *inside])
        deals, _ = indexer.unindex_batch(numbers)
        cards = np.append(deals, np.zeros(8, np.uint8))
        found = np.append(np.arange(len(deals)) * sum(rounds), np.zeros(8, np.int64))
        index_rows_in_registers(cards, len(deals), found, indexer.tables, row_index(rounds))
        np.testing.assert_array_equal(found[: len(deals)], numbers)
