"""Which cards a subset of run-outs has, and their weights."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards import Range, hand_strength, parse_cards
from pokerlab.cards.equities.showdowns import select_hands
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, symmetries
from pokerlab.engine.subsets import run_subsets
from pokerlab.engine.subsets.run_out_counts import RIVERS, TURNS, RunOutCounts
from pokerlab.engine.subsets.run_subsets import deal_subset
from pokerlab.engine.subsets.subset_kernels import (
    add_carried_margins,
    add_showdowns_of_pairs,
    find_strengths,
)

EVERY_HAND = Range("any").weights
FEW = Range("99+, AQs+, KQs, 76s:0.3").weights
IDENTITY = SUIT_PERMUTATIONS[:1]


@settings(max_examples=30)
@given(st.integers(0, 60), st.integers(0, 60))
def test_counts_are_read_back_or_refused(turns, rivers):
    text = f"{turns}x{rivers}"
    if 1 <= turns <= TURNS and 1 <= rivers <= RIVERS:
        assert str(RunOutCounts.parse(text)) == text
        assert RunOutCounts.parse(text).all == ((turns, rivers) == (TURNS, RIVERS))
    else:
        with pytest.raises(ValueError, match=f"runouts: '{text}' is not a number of turns"):
            RunOutCounts.parse(text)


@settings(max_examples=30)
@given(st.text("0123456789xX× -.a", max_size=8))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        counts = RunOutCounts.parse(text)
    except ValueError as error:
        assert str(error).startswith("runouts: ")
        assert "\n" not in str(error)
    else:
        assert RunOutCounts.parse(str(counts)) == counts


@settings(max_examples=4)
@given(
    st.permutations(range(52)).map(lambda cards: tuple(cards[:3])),
    st.integers(1, TURNS),
    st.integers(1, 5),
)
def test_weights_of_a_subset_sum_to_the_cards_that_may_come(flop, turns, rivers):
    group = symmetries(flop, np.stack([FEW, FEW]))
    first, on_turn, on_river = deal_subset(flop, group, (FEW, FEW), RunOutCounts(turns, rivers))
    assert first.child_first == (0, len(on_turn.cards))
    assert len(on_turn.cards) <= turns
    for street, above, cards in ((on_turn, first, TURNS), (on_river, on_turn, RIVERS)):
        weights = np.ones(len(street.cards)) if street.weights is None else street.weights
        assert (weights > 0).all()
        totals = weights * [each.multiplicity for each in street.classes]
        for begin, end in pairwise(above.child_first):
            assert totals[begin:end].sum() == pytest.approx(cards)
    assert all(end - begin <= rivers for begin, end in pairwise(on_turn.child_first))


def test_flush_cards_are_chosen_in_proportion():
    flop = parse_cards("8s5s4c")
    _, turns, rivers = deal_subset(flop, IDENTITY, (EVERY_HAND, EVERY_HAND), RunOutCounts(12, 10))
    suits = turns.cards[:, 3] & 3
    flush = flop[0] & 3
    assert (suits == flush).sum() == 3  # 11 of 49 cards, of 12
    assert turns.weights[suits == flush].sum() == pytest.approx(11, abs=0.2)
    assert len(set(turns.cards[:, 3] >> 2)) >= 11  # nearly one of each rank
    assert len(rivers.cards) == 120


def test_the_choice_is_the_same_again():
    flop = parse_cards("Td9d6h")
    group = symmetries(flop, np.stack([FEW, FEW]))
    found = []
    for _ in range(2):
        run_subsets._deal.cache_clear()
        found.append(deal_subset(flop, group, (FEW, FEW), RunOutCounts(6, 6)))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one.cards, other.cards)
        np.testing.assert_array_equal(one.weights, other.weights)


def test_all_cards_are_no_subset():
    flop = parse_cards("Td9d6h")
    *_, turns, rivers = deal_subset(flop, IDENTITY, (FEW, FEW), RunOutCounts(TURNS, RIVERS))
    assert turns.weights is None
    assert rivers.weights is None
    assert len(rivers.cards) == TURNS * RIVERS


def test_strengths_are_those_of_the_equity_code():
    board = np.array([parse_cards("Td9d6hQc2s")], np.uint8)
    combos = np.flatnonzero(FEW)
    whole = np.ones(1326)
    found = np.empty((1, len(combos)), np.int16)
    find_strengths(board, select_hands(combos, whole), 1024, evaluator_tables.load(), found)
    expected = hand_strength("Td9d6hQc2s", Range((FEW > 0).astype(float)))[combos]
    known = ~np.isnan(expected)
    np.testing.assert_allclose(found[0, known], 1024 * expected[known], atol=0.51)
    assert (found[0, ~known] == -1).all()


def test_showdowns_of_pairs_and_their_carrying_by_plain_numpy():
    rng = np.random.default_rng(0)
    own, other = (rng.integers(0, 5, (7, hands)).astype(np.int16) for hands in (16, 32))
    weights = rng.random(7).astype(np.float32)
    margins = np.zeros((32, 16), np.float32)
    add_showdowns_of_pairs(own, other, weights, margins)
    both = (own[:, None] > 0) & (other[:, :, None] > 0)
    signs = np.sign(other[:, :, None] - own[:, None]) * both
    np.testing.assert_allclose(margins, (weights[:, None, None] * signs).sum(axis=0), atol=1e-5)
    places = [rng.permutation(hands).astype(np.int32) for hands in (16, 32)]
    places[0][3] = places[1][5] = 99  # impossible there
    total = np.ones((32, 16), np.float32)
    add_carried_margins(margins, *places, np.float32(2), total)
    carried = margins[np.minimum(places[1], 31)][:, np.minimum(places[0], 15)]
    carried[5] = carried[:, 3] = 0
    np.testing.assert_allclose(total, 1 + 2 * carried, rtol=1e-6)
