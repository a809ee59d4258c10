from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cards.evaluator.bit_patterns import CARD_PATTERNS, evaluate_five

from pokerlab.cards.codes import COMBO_CARDS, parse_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos, count_classes
from pokerlab.cards.evaluator.evaluation import evaluate, evaluate_batch, evaluate_cards
from pokerlab.cards.evaluator.evaluator_kernels import evaluate_hand
from pokerlab.cards.evaluator.hand_names import (
    CATEGORIES,
    N_CLASSES,
    category,
    hand_name,
    hand_ranks,
)

TABLES = evaluator_tables.load()

FIVE = [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]
SEVEN = [41584, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460]


def random_hands(count, size, seed):
    keys = np.random.default_rng(seed).random((count, 52))
    return np.argpartition(keys, size, axis=1)[:, :size].astype(np.uint8)


@pytest.mark.parametrize(("size", "by_category", "classes"), [(5, FIVE, 7462), (7, SEVEN, 4824)])
def test_every_hand_of_the_deck_is_counted(size, by_category, classes):
    counts = np.zeros(N_CLASSES + 1, dtype=np.int64)
    count_classes(size, counts, TABLES)
    bounds = [*evaluator_tables.FIRST_CLASS, N_CLASSES + 1]
    found = [int(counts[first:last].sum()) for first, last in pairwise(bounds)]
    assert found == by_category
    assert np.count_nonzero(counts) == classes
    assert counts[0] == 0


def test_all_five_card_hands_agree_with_the_bit_patterns():
    hands = np.fromiter(
        (card for hand in combinations(range(52), 5) for card in hand), dtype=np.uint8
    ).reshape(-1, 5)
    assert len(hands) == 2_598_960
    ours = evaluate_batch(hands)
    for part in np.array_split(np.arange(len(hands)), 8):
        np.testing.assert_array_equal(ours[part], evaluate_five(hands[part]))


@pytest.mark.parametrize("size", [6, 7])
def test_the_best_five_cards_count(size):
    hands = random_hands(2_000, size, seed=size)
    best = np.min(
        [evaluate_five(hands[:, list(five)]) for five in combinations(range(size), 5)], axis=0
    )
    np.testing.assert_array_equal(evaluate_batch(hands), best)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
def test_single_kernel_and_batch_agree(size, dtype):
    hands = random_hands(3_000, size, seed=size).astype(dtype)
    batch = evaluate_batch(hands)
    assert batch.tolist() == [evaluate_cards(hand) for hand in hands.tolist()]
    np.testing.assert_array_equal(evaluate_batch(hands, check=False), batch)
    assert batch.tolist() == [evaluate_hand(hand, TABLES) for hand in hands.astype(np.uint8)]


def test_flushes_are_as_frequent_in_the_batch_as_they_should_be():
    hands = np.array([parse_cards("2s4s6s8sTsAdKd"), parse_cards("2s4s6s8sTdAdKd")] * 2000)
    flush, no_flush = evaluate("2s4s6s8sTsAdKd"), evaluate("2s4s6s8sTdAdKd")
    assert evaluate_batch(hands).tolist() == [flush, no_flush] * 2000


@pytest.mark.parametrize("board", ["2c7dTh", "As2s9s", "AsKsQsJs", "4h5h6h7d2c", "2c2d2h2s3c"])
def test_all_combos_of_a_board(board):
    cards = parse_cards(board)
    classes = np.empty(1326, dtype=np.uint16)
    classify_combos(np.array(cards, dtype=np.uint8), classes, TABLES)
    for combo in range(1326):
        hand = tuple(COMBO_CARDS[combo].tolist())
        expected = 0 if set(hand) & set(cards) else evaluate_cards((*cards, *hand))
        assert classes[combo] == expected


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True), st.randoms())
def test_order_and_suit_names_do_not_matter(cards, random):
    expected = evaluate(cards)
    shuffled = cards.copy()
    random.shuffle(shuffled)
    assert evaluate(shuffled) == expected
    suits = [0, 1, 2, 3]
    random.shuffle(suits)
    assert evaluate([card & ~3 | suits[card & 3] for card in cards]) == expected


@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
def test_another_card_never_hurts(cards):
    assert evaluate(cards) <= evaluate(cards[:6]) <= evaluate(cards[:5])


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AsKsQsJsTs", "royal flush"),
        ("5s4s3s2sAs", "straight flush, five high"),
        ("AsAdAhAcKd", "four aces, K kicker"),
        ("6s6d6hQcQd", "full house, sixes full of queens"),
        ("Ks9s7s4s2s", "flush, K 9 7 4 2"),
        ("Ts9d8h7c6d", "straight, ten high"),
        ("5d4s3s2sAs", "straight, five high"),
        ("TsTdThKc5d", "three tens, K 5 kickers"),
        ("AsAd2h2cKd", "two pair, aces and twos, K kicker"),
        ("TsTdKh5c4c3d2s", "pair of tens, K 5 4 kickers"),
        ("AsJd9h5c3d", "ace high, J 9 5 3 kickers"),
    ],
)
def test_names(cards, name):
    assert hand_name(evaluate(cards)) == name


def test_names_and_ranks_tell_all_classes_apart():
    assert len({hand_name(number) for number in range(1, N_CLASSES + 1)}) == N_CLASSES
    kinds = [category(number) for number in range(1, N_CLASSES + 1)]
    assert [kinds.index(kind) + 1 for kind in CATEGORIES] == list(evaluator_tables.FIRST_CLASS)
    assert hand_ranks(3326) == (12, 11, 10, 9)
    for number in (0, 7463):
        with pytest.raises(ValueError, match="is not a hand class"):
            hand_name(number)


@pytest.mark.slow
def test_shipped_tables_are_the_built_ones():
    built = evaluator_tables.build()
    for name, table in built._asdict().items():
        np.testing.assert_array_equal(table, getattr(TABLES, name))
        assert table.dtype == getattr(TABLES, name).dtype
    assert sum(table.nbytes for table in TABLES) < 400_000


def test_bit_patterns_are_those_of_the_document():
    king_of_diamonds = CARD_PATTERNS[parse_cards("Kd")[0]]
    assert f"{king_of_diamonds:032b}" == "00001000000000000100101100100101"


@pytest.mark.parametrize("cards", ["AsKsQsJs", "AsKsQsJsTs9s8s7s", ""])
def test_wrong_number_of_cards(cards):
    with pytest.raises(ValueError, match=f"a hand has 5, 6 or 7 cards, '{cards}' has"):
        evaluate(cards)


@pytest.mark.parametrize(
    "cards",
    [
        np.zeros((3, 4), dtype=int),
        np.zeros((3, 8), dtype=int),
        np.zeros(7, dtype=int),
        np.zeros((3, 7)),
    ],
)
def test_wrong_shapes(cards):
    with pytest.raises(ValueError, match="hands are integer card codes of shape"):
        evaluate_batch(cards)


@pytest.mark.parametrize("bad", [52, 64, 255, 300, -1, 2**40])
@pytest.mark.parametrize("row", [0, 1023, 1024, 2999])
def test_batch_names_the_first_bad_row(bad, row):
    hands = random_hands(3_000, 7, seed=0).astype(np.int64)
    hands[row, 3] = bad
    hands[2999, 0] = hands[2999, 1]
    with pytest.raises(ValueError, match=f"row {row} is not a hand"):
        evaluate_batch(hands)


def test_an_empty_batch():
    assert evaluate_batch(np.empty((0, 7), dtype=np.uint8)).shape == (0,)
