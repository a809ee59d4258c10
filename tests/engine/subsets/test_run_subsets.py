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
    turn_corrections,
    write_corrections,
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


def test_showdowns_of_pairs_by_plain_numpy():
    rng = np.random.default_rng(0)
    own, other = (rng.integers(0, 5, (7, hands)).astype(np.int16) for hands in (16, 32))
    weights = rng.random(7).astype(np.float32)
    margins = np.zeros((32, 16), np.float32)
    add_showdowns_of_pairs(own, other, weights, margins)
    both = (own[:, None] > 0) & (other[:, :, None] > 0)
    signs = np.sign(other[:, :, None] - own[:, None]) * both
    np.testing.assert_allclose(margins, (weights[:, None, None] * signs).sum(axis=0), atol=1e-5)


def test_margins_are_carried_by_plain_numpy():
    rng = np.random.default_rng(1)
    margins = rng.integers(-44, 45, (2, 32, 16)).astype(np.float16)
    places = [np.stack([rng.permutation(hands) for _ in range(3)]) for hands in (16, 32)]
    own, other = (each.astype(np.int32) for each in places)
    own[:, 3] = other[:, 5] = 99  # impossible there
    boards, weights = np.array([0, 0, 1]), np.array([2, 0.5, 3], np.float32)
    total = np.ones((32, 16), np.float32)
    flat = margins.view(np.uint16).reshape(-1)
    for others in ((0, 20), (20, 32)):
        add_carried_margins(flat, boards, weights, own, other, others, total)
    expected = np.ones((32, 16))
    for card, board in enumerate(boards):
        found = margins[board][np.minimum(other[card], 31)][:, np.minimum(own[card], 15)]
        found[5] = found[:, 3] = 0
        expected += weights[card] * found
    np.testing.assert_allclose(total, expected, rtol=1e-6)


def test_corrections_by_plain_numpy():
    rng = np.random.default_rng(2)
    counted = rng.integers(-44, 45, (32, 16)).astype(np.float16)
    subset = rng.normal(size=(32, 16)).astype(np.float32)
    scales = rng.random(16).astype(np.float32), rng.random(32).astype(np.float32)
    masks = (
        (1 << rng.integers(0, 6, 16)).astype(np.uint64),
        (1 << rng.integers(0, 6, 32)).astype(np.uint64),
    )
    found, turned = np.empty(512, np.uint16), np.empty(512, np.uint16)
    chances = np.float32(1 / 44), np.float32(1 / 48)
    write_corrections(
        counted.view(np.uint16).reshape(-1), chances[0], subset, chances[1], *scales, *masks, found
    )
    turn_corrections(found, 16, turned)
    expected = counted.astype(float) / 44 - subset * np.outer(scales[1], scales[0]) / 48
    expected[masks[1][:, None] == masks[0]] = 0
    written = found.view(np.float16).reshape(32, 16)
    np.testing.assert_allclose(written, expected, rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(turned.view(np.float16).reshape(16, 32), -written.T)
