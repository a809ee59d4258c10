"""The groups of hands, against their definitions in plain Python, checked counts and suits."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.groups.plain import plain_values, possible, relation

from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, permute_cards, permute_combos
from pokerlab.cards.ranges.range import Range
from pokerlab.engine.groups import HandGrouping, count_hand_groups, find_groups, measures, numbering
from pokerlab.engine.groups.hand_grouping import IDENTITIES, MEASURES

EVERYTHING = np.ones(1326)
BOTH = (EVERYTHING, EVERYTHING)
LOOSE = Range("22+, A2+, K9+, QTs+:0.4, T9s:0.25, 7d5d").weights
TIGHT = Range("A9o+, KTo+, QTo+, JTo, A4s+, K8s+:0.333, Q9s+, J9s+, T9s, 55+").weights


def streets(board, turns=None):
    """All boards of a spot; only some of the turns with their rivers, if so many are given."""
    found = [np.array([board], np.uint8)]
    if len(board) < 5:
        left = [card for card in range(52) if card not in board][:turns]
        for new in range(1, 6 - len(board)):
            rows = [(*board, *cards) for cards in combinations(left, new)]
            found.append(np.array(rows, np.uint8))
    return found


def labels_of(text, board, ranges=BOTH, player=0):
    boards = [np.array([parse_cards(board)], np.uint8)]
    return find_groups(HandGrouping.parse(text), boards, ranges)[0][player][0]


def hand(text):
    return combo_index(*parse_cards(text))


def same_partition(one, other):
    pairs = {*zip(one.tolist(), other.tolist(), strict=True)}
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist())) and all(
        (left < 0) == (right < 0) for left, right in pairs
    )


@pytest.mark.parametrize(
    ("board", "counts"), [("AhAsAcAd2h", (12, 23, 78)), ("9c7c9h4d6c", (114, 228, 266))]
)
def test_known_counts(board, counts):
    for measure, count in zip(("rank", "strength", "view"), counts, strict=True):
        for identity in IDENTITIES:
            assert labels_of(f"{measure}/{identity}", board).max() + 1 == count


def test_the_counts_that_the_thesis_has_of_its_own_flops():
    assert labels_of("rank", "QhJh2c").max() + 1 == 355
    assert labels_of("strength", "QhJh2c").max() + 1 == 642
    assert labels_of("view", "QhJh2c").max() + 1 == 643
    assert labels_of("rank", "Th6s3c").max() + 1 == 289
    assert labels_of("strength", "Th6s3c").max() + 1 == 1176


def test_the_suit_of_the_ace_counts_for_the_view_only():
    board, ace, king = "QhJh2c4d7h", hand("AhKs"), hand("KhAs")
    assert labels_of("strength", board)[ace] == labels_of("strength", board)[king]
    assert labels_of("view", board)[ace] != labels_of("view", board)[king]


def some_hands(board, count, seed):
    """Some hands, and all that have the ranks of two of them, so that some go together."""
    rng = np.random.default_rng(seed)
    free = np.flatnonzero(possible(board))
    drawn = rng.choice(free, count, replace=False)
    ranks = np.sort(COMBO_CARDS >> 2, axis=1)
    near = [hand for hand in free if (ranks[hand] == ranks[drawn[:2]]).all(axis=1).any()]
    return sorted({*drawn.tolist(), *map(int, near)})


def check_pairs(board, count):
    """Compare whether two hands share a group with the definitions, for some hands of a board."""
    cards = parse_cards(board)
    hands = some_hands(cards, count, 1)
    values = plain_values(cards, hands, MEASURES, LOOSE)
    for measure in MEASURES:
        for identity in IDENTITIES[: 1 if len(cards) == 5 else 3]:
            labels = labels_of(f"{measure}/{identity}", board, (EVERYTHING, LOOSE))[hands]
            expected = relation(identity, cards, values[measure])
            assert np.array_equal(labels[:, None] == labels[None, :], expected)
            assert measure != "rank" or expected.sum() > len(hands)  # some go together


@pytest.mark.parametrize(
    "board", ["QhJh2c4d7h", "AhAsAcAd2h", pytest.param("KsKd7c7s", marks=pytest.mark.slow)]
)
def test_pairs_of_hands_from_the_definitions(board):
    check_pairs(board, 6)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["KsKd7c", "9h8h7h", "Th6s3c2d"])
def test_pairs_of_many_hands_from_the_definitions(board):
    check_pairs(board, 20)


BOARDS = st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True)
KINDS = [f"{measure}/{identity}" for measure in MEASURES for identity in IDENTITIES[::2]]


@settings(max_examples=20)
@given(
    BOARDS,
    st.sampled_from(SUIT_PERMUTATIONS.tolist()),
    st.sampled_from([*KINDS, "kmeans:30,20", "percentile:20,20"]),
)
def test_the_names_of_the_suits_do_not_matter(board, permutation, text):
    image = permute_combos(permutation)

    def carried(weights):
        moved = np.empty_like(weights)
        moved[image] = weights
        return moved

    grouping = HandGrouping.parse(text)
    ranges = (TIGHT, LOOSE)
    before = find_groups(grouping, [np.array([board], np.uint8)], ranges)[0]
    turned = np.array([permute_cards(tuple(board), permutation)], np.uint8)
    after = find_groups(grouping, [turned], tuple(map(carried, ranges)))[0]
    for player in range(2):
        assert same_partition(before[player][0], after[player][0][image])


def test_every_board_stands_on_its_own():
    flop = parse_cards("QhJh2c")
    boards = streets(flop, turns=3)
    for text in ("view/hierarchical", "strength-range", "kmeans:50,40,30"):
        grouping = HandGrouping.parse(text)
        labelled = find_groups(grouping, boards, (TIGHT, LOOSE))
        assert [each[0].shape for each in labelled] == [(1, 1326), (3, 1326), (3, 1326)]
        for street, both in zip(boards[1:], labelled[1:], strict=True):
            for place in (0, len(street) - 1):
                ((first, second),) = find_groups(
                    grouping, [street[place : place + 1]], (TIGHT, LOOSE)
                )
                assert np.array_equal(both[0][place], first[0])
                assert np.array_equal(both[1][place], second[0])


def test_labels_are_dense_and_only_for_hands_of_the_range():
    board = parse_cards("QhJh2c4d")
    for text in ("view", "strength-range/global", "kmeans:30,20", "percentile:1326,1326"):
        for labels, weights in zip(
            find_groups(HandGrouping.parse(text), streets(board)[:1], (TIGHT, LOOSE))[0],
            (TIGHT, LOOSE),
            strict=True,
        ):
            wanted = possible(board) & (weights > 0)
            assert np.array_equal(labels[0] >= 0, wanted)
            _, first = np.unique(labels[0][wanted], return_index=True)
            assert len(first) == labels.max() + 1
            assert (np.diff(first) > 0).all()
            if text == "percentile:1326,1326":
                assert len(first) == wanted.sum()


def test_threads_do_not_change_labels():
    boards = streets(parse_cards("Td9d5s7h"))
    for text in ("view", "strength/river", "kmeans:20,20"):
        one, three = (find_groups(HandGrouping.parse(text), boards, BOTH, n) for n in (1, 3))
        for left, right in zip(one, three, strict=True):
            assert np.array_equal(left, right)


def test_finer_groups():
    board = "Kd9d5s7h"
    for coarse, fine in [
        ("strength/river", "view/river"),
        ("strength/global", "view/global"),
        ("strength/global", "strength/river"),
        ("rank/global", "rank/river"),
    ]:
        pairs = {
            *zip(labels_of(fine, board).tolist(), labels_of(coarse, board).tolist(), strict=True)
        }
        assert len(pairs) == labels_of(fine, board).max() + 2


def test_strength_against_a_whole_range_is_strength():
    for board in ("KsKd7c7s", "9c7c9h4d6c"):
        assert np.array_equal(labels_of("strength-range", board), labels_of("strength", board))


def test_a_hand_that_meets_no_opposing_hand_has_a_group_too():
    only = Range("AsAd").weights
    labels = labels_of("strength-range", "2c3c4d9hJh", (EVERYTHING, only))
    assert labels[hand("AsKd")] == labels[hand("AdQs")]
    assert labels[hand("AsKd")] != labels[hand("KcQs")]


def test_fingerprints_that_collide_are_noticed(monkeypatch):
    board = "QhJh2c4d"
    expected = {text: labels_of(text, board) for text in ("view", "strength/global")}
    random = numbering.random_numbers
    seeds = []

    def poor_at_first(seed, count):
        seeds.append(seed)
        return random(seed, count) & np.uint64(3 if seed == 0 else -1 % 2**64)

    monkeypatch.setattr(measures, "random_numbers", poor_at_first)
    monkeypatch.setattr(numbering, "random_numbers", poor_at_first)
    for text, labels in expected.items():
        assert np.array_equal(labels_of(text, board), labels)
    assert seeds.count(1) >= 3


def test_counts_are_those_of_the_labels():
    boards = streets(parse_cards("KsKd7c"), turns=2)
    for text in ("strength", "rank/hierarchical"):
        grouping = HandGrouping.parse(text)
        labelled = find_groups(grouping, boards, (TIGHT, LOOSE))
        counted = count_hand_groups(grouping, boards, (TIGHT, LOOSE))
        for labels, counts in zip(labelled, counted, strict=True):
            for player in range(2):
                assert np.array_equal(counts[player], labels[player].max(axis=1) + 1)
    at_most = count_hand_groups(HandGrouping.parse("kmeans:9999,20,9999"), boards, (TIGHT, LOOSE))
    assert at_most[0][0] == [(possible(boards[0][0]) & (TIGHT > 0)).sum()]
    assert np.array_equal(at_most[1][1], [20, 20])


def test_an_empty_range_has_no_groups():
    labels = labels_of("view", "QhJh2c4d", (np.zeros(1326), EVERYTHING))
    assert (labels == -1).all()
    assert (labels_of("kmeans:5,5", "QhJh2c4d", (np.zeros(1326), EVERYTHING)) == -1).all()
