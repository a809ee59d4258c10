import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, combo_index, format_cards, parse_cards
from pokerlab.cards.equities.showdown_kernels import add_showdowns
from pokerlab.cards.equities.showdowns import select_hands
from pokerlab.cards.equities.strength import hand_strength, river_distribution
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, best_first
from pokerlab.cards.isomorphism.suits import permute_combos
from pokerlab.cards.ranges.range import Range


def number(text):
    return combo_index(*parse_cards(text))


def plain_river_strength(board, weights):
    """The same by a table of all pairs of combos."""
    cards = np.array(board)
    possible = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    hands = np.concatenate([np.tile(cards, (1326, 1)), COMBO_CARDS], axis=1)
    classes = np.full(1326, 9999)
    classes[possible] = evaluate_batch(hands[possible].astype(np.uint8))
    shared = (COMBO_CARDS[:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))
    weight = np.where(shared, 0, weights * possible)
    better = classes[:, None] < classes
    equal = classes[:, None] == classes
    with np.errstate(invalid="ignore"):
        strength = (weight * (better + equal / 2)).sum(axis=1) / weight.sum(axis=1)
    strength[~possible] = np.nan
    return strength


@pytest.mark.parametrize("board", ["QhJh2c4d7h", "2c2d2h2s3c", "AsKsQsJsTs", "9c7c9h4d6c"])
@pytest.mark.parametrize("opponent", ["random", "AA,KQs:0.5,72o,54s:0.1", "AhKd"])
def test_river_strength_equals_the_plain_version(board, opponent):
    plain = plain_river_strength(parse_cards(board), Range(opponent).weights)
    np.testing.assert_allclose(hand_strength(board, opponent), plain, atol=1e-9)


def test_values_of_the_thesis():
    assert hand_strength("4h5h6h")[number("AsAd")] == pytest.approx(0.60105, abs=5e-6)
    strength = hand_strength("QhJh2c")
    assert strength[number("7s7c")] == pytest.approx(0.58100, abs=5e-6)
    assert strength[number("7s7d")] == pytest.approx(0.58027, abs=5e-6)
    river = hand_strength("QhJh2c4d7h")
    assert river[number("AhKs")] == river[number("KhAs")] == pytest.approx(0.37121, abs=5e-6)


def test_a_turn_is_the_mean_of_its_rivers():
    board = parse_cards("QhJh2c4d")
    rivers = [hand_strength((*board, card)) for card in range(52) if card not in board]
    possible = ~np.isin(COMBO_CARDS, board).any(axis=1)
    mean = np.full(1326, np.nan)
    mean[possible] = np.nanmean(np.array(rivers)[:, possible], axis=0)
    np.testing.assert_allclose(hand_strength(board)[possible], mean[possible], atol=1e-12)
    distribution = river_distribution(board, bins=20)
    np.testing.assert_allclose(distribution.mean[possible], mean[possible], atol=1e-12)
    squares = np.nanmean(np.square(rivers)[:, possible], axis=0)
    np.testing.assert_allclose(distribution.mean_square[possible], squares, atol=1e-12)
    np.testing.assert_allclose(distribution.histogram[possible].sum(axis=1), 1)
    some = number("AsKd")
    expected, _ = np.histogram([river[some] for river in rivers], bins=20, range=(0, 1))
    known = np.count_nonzero(~np.isnan([river[some] for river in rivers]))
    np.testing.assert_allclose(distribution.histogram[some], expected / known)


def test_symmetry_of_suits_changes_nothing():
    """The sums over boards up to symmetry are those over all boards."""
    board = parse_cards("QhJh2c")
    possible = ~np.isin(COMBO_CARDS, board).any(axis=1)
    combos = np.flatnonzero(possible)
    hands = select_hands(combos, possible.astype(float))
    rest = [card for card in range(52) if card not in board]
    boards = np.array(
        [(*board, turn, river) for turn in rest for river in rest if river < turn], dtype=np.uint8
    )
    sums = np.zeros((3, len(combos)))
    once = np.ones(len(boards), dtype=np.int64)
    add_showdowns(boards, once, hands, sums, evaluator_tables.load())
    all_boards = (sums[0] + sums[1] / 2) / sums[2]
    np.testing.assert_allclose(hand_strength(board)[combos], all_boards, atol=1e-12)


def test_strength_is_the_same_for_alike_hands():
    strength = hand_strength("QhJh2c")
    swapped = permute_combos([0, 3, 2, 1])
    np.testing.assert_allclose(strength, strength[swapped], atol=1e-12, equal_nan=True)


@pytest.mark.slow
def test_before_the_flop():
    strength = hand_strength()
    by_class = np.bincount(CLASS_OF_COMBO, strength) / np.bincount(CLASS_OF_COMBO)
    assert list(best_first()) == np.argsort(-by_class, kind="stable").tolist()
    assert strength[number("AsAd")] == pytest.approx(0.85204, abs=5e-6)
    worst = format_cards(COMBO_CARDS[np.argmin(strength)])
    assert worst[0] + worst[2] == "32"
    assert strength.min() == pytest.approx(0.32303, abs=5e-6)
    assert strength.mean() == pytest.approx(0.5)


def test_blocked_combos_are_nan():
    strength = hand_strength("4h5h6h", dead="AsAd")
    holds_known = np.isin(COMBO_CARDS, parse_cards("4h5h6hAsAd")).any(axis=1)
    np.testing.assert_array_equal(np.isnan(strength), holds_known)
    only = hand_strength("4h5h6h", "AhKh")
    assert np.isnan(only[number("AhQs")])
    assert only[number("8h7h")] == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hand_strength("4h5h6h7h8h9h"), "a board has 0, 3, 4 or 5 cards"),
        (lambda: hand_strength("4h5h6h", "4h4s"), "is empty once the known cards are removed"),
        (lambda: hand_strength("4h5h6h", dead="4h"), "card 4h stands twice"),
        (lambda: river_distribution("4h5h6h", bins=-1), "bins must be 0 to 10000, got -1"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
