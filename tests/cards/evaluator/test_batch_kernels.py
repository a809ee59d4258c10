import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import (
    complete_hands_in_registers,
    complete_hands_plainly,
    evaluate_rows,
    evaluate_rows_in_registers,
    evaluate_rows_in_short_registers,
    evaluate_rows_plainly,
    find_bad_row,
    narrow_codes,
)
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.evaluator_kernels import START
from pokerlab.cards.evaluator.layout import hand_layout
from pokerlab.runtime.register_kernels import has_byte_permutations
from pokerlab.runtime.vector_kernels import IS_ARM64

TABLES = evaluator_tables.load()
in_registers = pytest.mark.skipif(
    not has_byte_permutations(), reason="this processor has no byte permutations"
)
on_arm = pytest.mark.skipif(not IS_ARM64, reason="this is no ARM64 processor")
KERNELS = [
    evaluate_rows_plainly,
    pytest.param(evaluate_rows_in_registers, marks=in_registers),
    pytest.param(evaluate_rows_in_short_registers, marks=on_arm),
]


def is_hand(row):
    return len(set(row)) == len(row) and max(row) < 52


@st.composite
def rows_of_codes(draw):
    """Hands of one size, some flushes among them, and now and then something that is no hand."""
    size = draw(st.integers(5, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    hands = draw(st.integers(0, 80))
    cards = np.argpartition(rng.random((hands, 52)), size, axis=1)[:, :size]
    one_suit = np.argpartition(rng.random((hands, 13)), size, axis=1)[:, :size] * 4 + 2
    cards = np.where(rng.random((hands, 1)) < 0.2, one_suit, cards).astype(np.uint8)
    places = st.tuples(st.integers(0, max(hands - 1, 0)), st.integers(0, size - 1))
    for (row, place), code in draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=2)):
        if hands:
            cards[row, place] = code
    return cards


@pytest.mark.parametrize("evaluate_rows", KERNELS)
@given(cards=rows_of_codes())
def test_rows_are_evaluated_and_checked(evaluate_rows, cards):
    good = [is_hand(row) for row in cards.tolist()]
    layout = hand_layout(cards.shape[1])
    classes = np.zeros(len(cards) + 1, np.uint16)  # and one that nobody may touch
    assert evaluate_rows(cards, classes[:-1], True, layout, TABLES) == all(good)
    assert find_bad_row(cards) == (-1 if all(good) else good.index(False))
    for row, found, is_good in zip(cards.tolist(), classes, good, strict=False):
        assert not is_good or found == evaluate_cards(row)
    assert classes[-1] == 0
    unchecked = np.zeros(len(cards), np.uint16)
    assert evaluate_rows(cards, unchecked, False, layout, TABLES)
    np.testing.assert_array_equal(unchecked[good], classes[:-1][good])


@pytest.mark.parametrize("evaluate_rows", KERNELS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_pair_of_places_is_compared(evaluate_rows, size):
    layout = hand_layout(size)
    cards = np.tile(np.arange(size, dtype=np.uint8) * 7, (20, 1))
    classes = np.zeros(20, np.uint16)
    assert evaluate_rows(cards, classes, True, layout, TABLES)
    for first in range(size):
        for second in range(first):
            for row in (13, 19):
                twice = cards.copy()
                twice[row, first] = twice[row, second]
                assert not evaluate_rows(twice, classes, True, layout, TABLES)
    for place in range(size):
        for code in (52, 63, 64, 116, 255):
            for row in (13, 19):
                strange = cards.copy()
                strange[row, place] = code
                assert not evaluate_rows(strange, classes, True, layout, TABLES)


@on_arm
def test_arm_has_a_kernel_of_its_own():
    assert evaluate_rows is evaluate_rows_in_short_registers


@pytest.mark.parametrize("evaluate_rows", KERNELS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_card_in_every_place_of_a_group(evaluate_rows, size):
    """Each card stands in each column of each of the 16 or 8 rows that are evaluated together."""
    start, step = np.divmod(np.arange(52 * 16), 16)
    cards = (start[:, None] + np.arange(size) * (step[:, None] % 7 + 1)) % 52
    cards = np.concatenate([cards, cards[:1]]).astype(np.uint8)
    classes = np.zeros(len(cards), np.uint16)
    assert evaluate_rows(cards, classes, True, hand_layout(size), TABLES)
    assert classes.tolist() == [evaluate_cards(row) for row in cards.tolist()]


@in_registers
@given(
    st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True),
    st.sampled_from([3, 5]),
    st.integers(0, 1310),
    st.integers(0, 60),
)
def test_completed_hands_are_the_same_in_registers(cards, size, first, combos):
    key, bits = START, np.uint64(0)
    for card in cards[:size]:
        key += TABLES.card_key[card]
        bits |= TABLES.card_bit[card]
    last = min(first + combos, 1320)
    plain, fast = np.zeros((2, 1326), np.uint16)
    complete_hands_plainly(key, bits, first, last, plain, TABLES)
    complete_hands_in_registers(key, bits, first, last, fast, TABLES)
    np.testing.assert_array_equal(fast[:last], plain[:last])


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-1, 60), max_size=40))
def test_codes_become_bytes(codes):
    wide = np.array(codes, np.int64)
    narrow = np.zeros(len(codes), np.uint8)
    narrow_codes(wide, narrow)
    assert narrow.tolist() == [code if 0 <= code < 52 else 255 for code in codes]
