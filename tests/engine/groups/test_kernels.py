"""Each kernel against a plain version."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.engine.groups.finding import _percentiles
from pokerlab.engine.groups.identity_kernels import split_classes
from pokerlab.engine.groups.line_kernels import part_line
from pokerlab.engine.groups.measure_kernels import (
    fingerprint_views,
    histograms_of_strength,
    same_views,
)
from pokerlab.engine.groups.measures import river_strengths, river_values
from pokerlab.engine.groups.numbering import number_rows
from pokerlab.engine.groups.numbering_kernels import dense_labels, number_keys, same_rows


@settings(max_examples=30)
@given(st.lists(st.integers(0, 5) | st.integers(0, 2**64 - 1), max_size=80))
def test_equal_keys_have_the_same_number(keys):
    firsts, numbers = np.empty(len(keys), np.int32), np.empty(len(keys), np.int32)
    count = number_keys(np.array(keys, np.uint64), firsts, numbers)
    different = list(dict.fromkeys(keys))
    assert count == len(different)
    assert numbers.tolist() == [different.index(key) for key in keys]
    assert firsts[:count].tolist() == [keys.index(key) for key in different]


def test_equal_rows_have_the_same_number():
    rng = np.random.default_rng(1)
    rows = rng.integers(-1, 2, (200, 4)).astype(np.int32)
    numbers, count = number_rows(rows)
    different = list(dict.fromkeys(map(tuple, rows.tolist())))
    assert count == len(different)
    assert numbers.tolist() == [different.index(tuple(row)) for row in rows.tolist()]
    firsts = np.array([numbers.tolist().index(number) for number in range(count)], np.int32)
    assert same_rows(rows, firsts, numbers)
    rows[rows.shape[0] - 1, 3] += 7
    assert not same_rows(rows, firsts, numbers)


def test_dense_labels():
    numbers = np.array([5, -1, 2, 5, 7, 2], np.int32)
    wanted = np.array([0, 1, 1, 1, 0, 1], np.bool_)
    labels = np.empty(6, np.int16)
    assert dense_labels(numbers, wanted, 8, labels) == 2
    assert labels.tolist() == [-1, -1, 0, 1, -1, 0]


@given(st.integers(0, 2**32))
def test_groups_of_hands_that_agree_with_the_same_hands(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(-1, 2, (9, 3)).astype(np.int32)
    classes = rng.integers(-1, 2, 9).astype(np.int32)
    labels = np.empty(9, np.int32)
    transitive = split_classes(values, classes, 2, labels)

    def agree(one, other):
        return classes[one] == classes[other] and all(
            left == right or left < 0 or right < 0
            for left, right in zip(values[one], values[other], strict=True)
        )

    kept = [hand for hand in range(9) if classes[hand] >= 0]
    friends = {one: {other for other in kept if agree(one, other)} for one in kept}
    for one in range(9):
        for other in range(9):
            if one in kept and other in kept:
                assert (labels[one] == labels[other]) == (friends[one] == friends[other])
    assert {*labels[kept].tolist()} == set(range(len({*labels[kept].tolist()})))
    assert transitive == all(
        friends[one] == friends[other] for one in kept for other in friends[one]
    )
    assert all(labels[hand] == -1 for hand in range(9) if hand not in kept)


@given(
    st.lists(
        st.tuples(st.integers(0, 1980), st.integers(1, 1000)),
        min_size=1,
        max_size=9,
        unique_by=lambda pair: pair[0],
    ),
    st.integers(1, 9),
)
def test_the_best_intervals_of_a_line(pairs, count):
    pairs.sort()
    count = min(count, len(pairs))
    points, weights = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    parts = np.empty(len(points), np.int32)
    cost = part_line(points, weights, count, parts)

    def spread(part):
        mean = np.average(points[part], weights=weights[part])
        return (weights[part] * (points[part] - mean) ** 2).sum()

    def total(ends):
        return sum(spread(slice(*ends_)) for ends_ in zip((0, *ends), (*ends, None), strict=True))

    best = min(total(ends) for ends in combinations(range(1, len(points)), count - 1))
    assert cost == pytest.approx(best, abs=1e-6)
    assert (np.diff(parts) >= 0).all()
    assert set(parts.tolist()) == set(range(count))
    assert sum(spread(parts == part) for part in range(count)) == pytest.approx(best, abs=1e-6)


def test_percentiles_have_equal_weight_and_keep_equal_hands_together():
    values, weights = np.arange(1000)[::-1] // 2, np.ones(1000, np.int64)
    parts = _percentiles(values, weights, 10)
    assert np.bincount(parts).tolist() == [100] * 10
    assert parts[0] == 9  # the strongest
    weights[:2] = 998  # half of all, in two equal hands
    assert np.bincount(_percentiles(values, weights, 2)).tolist() == [998, 2]


def test_views_are_compared_in_full_where_their_classes_differ():
    """Two boards, a view that returns on the second one, and numbers that are right or wrong."""
    rivers = np.array([parse_cards("QhJh2c4d7h"), parse_cards("QsJs2c4d7s")], np.uint8)
    strengths = river_strengths(rivers, 1)
    numbers, count = river_values("view", rivers, np.ones(1326), 1)
    firsts = np.zeros(count, np.int32)  # hands that are impossible have a number, too
    for place in reversed(np.flatnonzero(numbers >= 0)):
        firsts[numbers.flat[place]] = place
    histograms = np.stack([np.bincount(row[row >= 0], minlength=1981) for row in strengths])
    counted = np.empty(histograms.shape, np.int16)
    histograms_of_strength(strengths, counted)
    assert np.array_equal(counted, histograms)
    with_card = np.array(
        [np.flatnonzero((card == COMBO_CARDS).any(axis=1)) for card in range(52)], np.int16
    )

    def same(histogram_classes, card_classes, numbers):
        return same_views(
            strengths,
            counted,
            np.array(histogram_classes, np.int32),
            card_classes,
            COMBO_CARDS,
            with_card,
            firsts,
            numbers,
            0,
            2,
        )

    all_differ = np.arange(104, dtype=np.int32).reshape(2, 52)
    assert same([0, 1], all_differ, numbers)
    wrong = numbers.copy()
    ace, king = (combo_index(*parse_cards(hand)) for hand in ("AhKs", "KhAs"))
    assert strengths[0, ace] == strengths[0, king]
    wrong[0, ace] = wrong[0, king]
    assert not same([0, 1], all_differ, wrong)


def test_fingerprints_of_views_are_sums_over_the_hands_that_do_not_collide():
    board = parse_cards("QhJh2c4d7h")
    strengths = river_strengths(np.array([board], np.uint8), 1)
    random = np.random.default_rng(3).integers(0, 2**64, 1981, np.uint64)
    keys = np.empty((1, 1326), np.uint64)
    fingerprint_views(strengths, COMBO_CARDS, random, keys)
    for hand in (combo_index(*parse_cards("AhKs")), combo_index(*parse_cards("3c2d"))):
        others = (strengths[0] >= 0) & ~np.isin(COMBO_CARDS, COMBO_CARDS[hand]).any(axis=1)
        assert others.sum() == 990
        expected = int(random[strengths[0, others]].sum(dtype=np.uint64)) * 0x9E3779B97F4A7C15
        assert int(keys[0, hand]) == (expected + int(random[strengths[0, hand]])) % 2**64
    assert keys[0, combo_index(*parse_cards("Qh2d"))] == 0
