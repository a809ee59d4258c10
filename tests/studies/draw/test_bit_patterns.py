import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import evaluate_batch
from pokerlab.studies.draw.bit_patterns import evaluate_patterns, make_tables, pattern

HANDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


@given(st.lists(HANDS, min_size=1, max_size=200))
def test_classes_are_those_of_our_evaluator(hands):
    cards = np.array(hands)
    ours = evaluate_batch(cards.astype(np.uint8))
    assert (evaluate_patterns(cards).classes == ours).all()


def test_every_card_has_the_bits_of_the_document():
    for card in range(52):
        bits = pattern(card)
        assert bits >> 8 & 15 == card // 4 == (bits >> 16).bit_length() - 1
        assert (bits >> 12 & 15).bit_count() == (bits >> 16).bit_count() == 1
        assert bits < 1 << 29 and bits & 0xC0 == 0


def test_tables_have_the_classes_of_the_document():
    tables = make_tables()
    settled = [(table > 0).sum() for table in (tables.flush, tables.plain)]
    assert settled == [1287, 1287]
    classes = np.concatenate([tables.flush, tables.plain, tables.by_product])
    assert (np.unique(classes[classes > 0]) == np.arange(1, 7463)).all()
    assert tables.products[-1] == 41**4 * 37 < 2**31
