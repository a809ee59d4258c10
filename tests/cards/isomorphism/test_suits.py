"""Suit isomorphism against its definition: try all 24 renamings of the suits."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import (
    COMBO_CARDS,
    N_CARDS,
    N_COMBOS,
    card_mask,
    combo_cards,
    combo_index,
    format_cards,
    parse_card,
    parse_cards,
)
from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.hand_index_kernels import deal_index, deal_of_index
from pokerlab.cards.isomorphism.isomorphism_kernels import count_below
from pokerlab.cards.isomorphism.suits import (
    SUIT_PERMUTATIONS,
    board_orbits,
    canonical,
    card_classes,
    permute_cards,
    permute_combos,
    symmetries,
)

PERMUTATIONS = [tuple(suits) for suits in SUIT_PERMUTATIONS.tolist()]
ROUNDS = [(2,), (3,), (5,), (2, 3), (2, 4), (2, 5), (2, 3, 1), (2, 3, 1, 1), (1, 1, 1, 4), (7,)]


def split(cards, sizes):
    ends = np.cumsum(sizes)
    return [tuple(cards[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def masks(rounds, suits=(0, 1, 2, 3)):
    """The deal after a renaming of suits, as one comparable thing."""
    return tuple(card_mask(4 * (card >> 2) + suits[card & 3] for card in cards) for cards in rounds)


def orbit(rounds, group=PERMUTATIONS):
    return {masks(rounds, suits) for suits in group}


def count_by_burnside(sizes):
    """The mean number of deals that a renaming of suits leaves as they are.

    A renaming with cycles of lengths l1, l2, … moves the cards in thirteen cycles of each of
    these lengths; a deal stays as it is when each cycle lies wholly in one round, or in none.
    """
    total = 0
    for suits in PERMUTATIONS:
        lengths, waiting = [], {0, 1, 2, 3}
        while waiting:
            suit, length = min(waiting), 0
            while suit in waiting:
                waiting.remove(suit)
                suit, length = suits[suit], length + 1
            lengths.append(length)
        ways = Counter({(0,) * len(sizes): 1})
        for length in lengths * 13:
            longer = Counter(ways)
            for filled, number in ways.items():
                for which, size in enumerate(sizes):
                    if filled[which] + length <= size:
                        added = list(filled)
                        added[which] += length
                        longer[tuple(added)] += number
            ways = longer
        total += ways[tuple(sizes)]
    assert total % 24 == 0
    return total // 24


def symmetric_weights(rng):
    """A random range that gives all combos of AKs the same weight, all of AKo, and so on."""
    by_class = rng.random((13, 13, 2))
    high, low = COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]
    return by_class[high >> 2, low >> 2, ((high ^ low) & 3 == 0).astype(int)]


@st.composite
def deals(draw, sizes=None):
    sizes = draw(st.sampled_from(ROUNDS)) if sizes is None else sizes
    # A few ranks, so that suits often look alike.
    ranks = draw(st.sampled_from([13, 4, 3]))
    deck = st.integers(0, 4 * ranks - 1)
    cards = draw(st.lists(deck, min_size=sum(sizes), max_size=sum(sizes), unique=True))
    return split(cards, sizes)


# ---------------------------------------------------------------- the canonical form


@given(deals(), st.sampled_from(PERMUTATIONS))
def test_canonical_is_the_largest_image(rounds, suits):
    form = canonical(*rounds)
    assert masks(form.rounds) == max(orbit(rounds))
    assert masks(form.rounds) == masks(rounds, form.permutation)
    assert all(list(cards) == sorted(cards, reverse=True) for cards in form.rounds)
    again = canonical(*form.rounds)
    assert again.rounds == form.rounds and again.permutation == (0, 1, 2, 3)
    renamed = [permute_cards(cards, suits) for cards in rounds]
    assert canonical(*renamed).rounds == form.rounds
    assert canonical(*(cards[::-1] for cards in rounds)) == form


def test_canonical_of_hands_and_flops_by_exhaustion():
    assert len({canonical(hand).cards for hand in combinations(range(52), 2)}) == 169
    assert len({canonical(flop).cards for flop in combinations(range(52), 3)}) == 1755


def test_a_board_as_a_set_and_by_street():
    first, second = ("QhJh5c", "Qd"), ("QdJh5c", "Qh")
    assert canonical("".join(first)).cards == canonical("".join(second)).cards
    assert canonical(*first).cards != canonical(*second).cards


def test_canonical_rejects_a_card_in_two_rounds():
    with pytest.raises(ValueError, match="card Ah stands twice in 'AhKdAhJs5c'"):
        canonical("AhKd", "AhJs5c")


# ---------------------------------------------------------------- renaming


def test_combos_follow_their_cards():
    for suits in PERMUTATIONS:
        image = permute_combos(suits).tolist()
        renamed = (permute_cards(combo_cards(combo), suits) for combo in range(N_COMBOS))
        assert image == [combo_index(*cards) for cards in renamed]
        assert len(set(image)) == N_COMBOS


@pytest.mark.parametrize("wrong", [[0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], []])
def test_permutations_are_checked(wrong):
    with pytest.raises(ValueError, match="is not a suit permutation"):
        permute_combos(wrong)


# ---------------------------------------------------------------- symmetries of a spot


@given(st.lists(st.integers(0, 51), max_size=5, unique=True), st.integers(0, 5))
def test_symmetries_of_cards(cards, split_at):
    board, dead = cards[:split_at], cards[split_at:]
    expected = [
        suits
        for suits in PERMUTATIONS
        if set(permute_cards(board, suits)) == set(board)
        and set(permute_cards(dead, suits)) == set(dead)
    ]
    assert symmetries(board, dead=dead).tolist() == [list(suits) for suits in expected]


def test_suit_symmetric_ranges_keep_the_symmetries_of_the_board():
    rng = np.random.default_rng(1)
    weights = np.stack([symmetric_weights(rng), symmetric_weights(rng)])
    for board in ("", "QhJh2c", "QhJs5c", "QhQs5c", "5c5d5h5s", "AhKhQh2h"):
        assert np.array_equal(symmetries(board, weights), symmetries(board))


def test_ranges_shrink_the_group():
    weights = np.stack([symmetric_weights(np.random.default_rng(2))] * 2)
    weights[1, combo_index(*parse_cards("AdKd"))] = 0.25
    assert len(symmetries("", weights)) == 6  # the suits other than diamonds
    assert len(symmetries("QhJh2c", weights)) == 1
    assert len(symmetries("QdJd2c", weights)) == 2
    assert len(symmetries("", weights[0])) == 24
    # The combo that tells diamonds apart is dead: it does not matter.
    assert len(symmetries("AdKh2h", weights)) == len(symmetries("AdKh2h"))
    assert len(symmetries("QhJh2c", weights, dead="AdAs")) == 2


def test_symmetries_reject_bad_weights():
    with pytest.raises(ValueError, match=r"weights of shape \(2, 169\): expected \(1326,\) or"):
        symmetries("", np.ones((2, 169)))
    with pytest.raises(ValueError, match="not a finite number"):
        symmetries("", np.full(N_COMBOS, np.nan))
    with pytest.raises(ValueError, match="Ah is both on the board and dead"):
        symmetries("AhKh2c", dead="Ah")


# ---------------------------------------------------------------- the next card


@pytest.mark.parametrize("board", ["QhJh2c", "QhJs5c", "AhAdAs", "Td9d6d", "5c5d5h5s", "QhJs5cQd"])
def test_card_classes_are_the_orbits_of_the_group(board):
    group = symmetries(board)
    known = set(parse_cards(board))
    classes = card_classes(board, group)
    members = [card for each in classes for card in each.members]
    assert sorted(members) == sorted(set(range(52)) - known)
    for each in classes:
        images = {permute_cards([each.card], suits)[0] for suits in group}
        assert set(each.members) == images
        assert each.card == each.members[0] == max(images)
        assert each.multiplicity == len(images)
        for member, suits in zip(each.members, each.permutations, strict=True):
            assert permute_cards([each.card], suits) == (member,)
            assert suits.tolist() in group.tolist()
        assert [suits for suits in group.tolist() if suits[each.card & 3] == each.card & 3] == (
            each.group.tolist()
        )


def test_values_are_carried_from_the_representative_to_the_members():
    rng = np.random.default_rng(3)
    weights = symmetric_weights(rng)
    flop = "Td9d6h"
    group = symmetries(flop, weights)

    def value(card):
        """Something that depends on cards as a game does: flushes, ranks, removal, ranges."""
        board = [*parse_cards(flop), card]
        counts = np.bincount([each & 3 for each in board], minlength=4)
        suited = counts[COMBO_CARDS & 3].sum(axis=1)
        dead = np.isin(COMBO_CARDS, board).any(axis=1)
        return np.where(dead, 0, weights * (suited + (COMBO_CARDS >> 2).sum(axis=1) * (card >> 2)))

    for each in card_classes(flop, group):
        for member, suits in zip(each.members, each.permutations, strict=True):
            carried = np.empty(N_COMBOS)
            carried[permute_combos(suits)] = value(each.card)
            np.testing.assert_array_equal(carried, value(member))


def test_turn_and_river_classes_cover_all_run_outs():
    for flop, turns in (("QhJh2c", 36), ("QhJs5c", 49), ("AsKsQs", 23), ("AhAdAs", 25)):
        classes = card_classes(flop, symmetries(flop))
        assert len(classes) == turns
        run_outs = sum(
            turn.multiplicity * river.multiplicity
            for turn in classes
            for river in card_classes([*parse_cards(flop), turn.card], turn.group)
        )
        assert run_outs == 49 * 48


def test_river_cards_of_a_rainbow_turn():
    board = "QhJs5cQd"
    assert len(card_classes(board, symmetries(board))) == 36
    assert len(card_classes(board, [[0, 1, 2, 3]])) == 48
    # Begun on the flop, hearts and diamonds are not alike: the turn is Qd, not Qh.
    turn = next(
        each
        for each in card_classes("QhJs5c", symmetries("QhJs5c"))
        if each.card == parse_card("Qd")
    )
    assert len(card_classes(board, turn.group)) == 48
    # Merging by rank (13 classes) would change how many combos of AJs are live.
    live = {
        river: sum(
            not set(combo) & {*parse_cards(board), parse_card(river)}
            for combo in map(parse_cards, ["AcJc", "AdJd", "AhJh", "AsJs"])
        )
        for river in ("As", "Ac")
    }
    assert live == {"As": 3, "Ac": 2}


# ---------------------------------------------------------------- boards up to symmetry


@pytest.mark.parametrize(
    ("size", "classes"), [(0, 1), (1, 13), (2, 169), (3, 1755), (4, 16432), (5, 134459)]
)
def test_boards_up_to_all_renamings(size, classes):
    boards, multiplicities = board_orbits(size=size)
    assert boards.shape == (classes, size) and boards.dtype == np.uint8
    assert multiplicities.sum() == comb(52, size)
    assert classes == (count_by_burnside((size,)) if size else 1)
    for number in np.random.default_rng(size).integers(0, classes, 50):
        board = tuple(boards[number].tolist())
        assert canonical(board).cards == board
        assert len(orbit([board])) == multiplicities[number]


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("QhJh2c", ""),
        ("QhJh2c", "AdAs"),
        ("5c5d5h5s", ""),
        ("", "AhKh"),
        ("QsJsTs9s8s", ""),
        ("", ""),
    ],
)
def test_boards_against_a_plain_enumeration(board, dead):
    group = symmetries(board, dead=dead)
    # Three ranks are enough to see every kind of symmetry; the others are dead.
    low_cards = set(range(12)) if not board else set(range(52))
    known = {*parse_cards(board), *parse_cards(dead)}
    gone = [*parse_cards(dead), *(set(range(52)) - low_cards - known)]
    deck = sorted(set(range(52)) - known - set(gone))
    missing = 5 - len(parse_cards(board))
    expected = {}
    for cards in combinations(deck, missing):
        images = orbit([cards], [tuple(suits) for suits in group.tolist()])
        expected[max(images)] = len(images)
    boards, multiplicities = board_orbits(board, group, gone)
    assert len(boards) == len(expected)
    for row, multiplicity in zip(boards.tolist(), multiplicities, strict=True):
        assert tuple(row[: 5 - missing]) == parse_cards(board)
        assert expected[masks([row[5 - missing :]])] == multiplicity


def test_the_trivial_group_merges_nothing():
    boards, multiplicities = board_orbits("AhKd", [[0, 1, 2, 3]], dead="2c")
    assert len(boards) == comb(49, 3) and set(multiplicities) == {1}
    assert len({tuple(row) for row in boards.tolist()}) == len(boards)


def test_room_for_the_extended_sets():
    sets = np.array([[51, 3], [7, 2], [9, 0]], dtype=np.uint8)
    deck = np.array([40, 4, 2, 1, 0], dtype=np.uint8)
    assert count_below(sets, deck) == 3 + 2 + 0
    assert count_below(np.empty((2, 0), dtype=np.uint8), deck) == 10


@pytest.mark.parametrize(
    ("size", "classes"),
    [(3, 1286792), (4, 13960050), pytest.param(5, 123156254, marks=pytest.mark.slow)],
)
def test_hand_and_board_classes_by_exhaustion(size, classes):
    """For each of the 169 hands, the boards up to the renamings that keep the hand."""
    assert count_by_burnside((2, size)) == classes
    found = deals = 0
    for hand, hands in zip(*board_orbits(size=2), strict=True):
        boards, multiplicities = board_orbits((), symmetries(hand), dead=hand, size=size)
        found += len(boards)
        deals += int(hands) * int(multiplicities.sum())
    assert found == classes
    assert deals == comb(52, 2) * comb(50, size)


def test_board_orbits_reject_bad_groups():
    swap = [[0, 1, 2, 3], [0, 2, 1, 3]]
    with pytest.raises(ValueError, match=r"permutation \[0, 2, 1, 3\] changes the board Qh"):
        board_orbits("Qh", swap)
    with pytest.raises(ValueError, match=r"permutation \[0, 2, 1, 3\] changes the dead cards 2d"):
        card_classes("Qs", swap, dead="2d")
    with pytest.raises(ValueError, match="not a group"):
        board_orbits("", [[0, 1, 2, 3], [1, 2, 3, 0]])
    with pytest.raises(ValueError, match="not a group"):
        board_orbits("", [[0, 1, 2, 3], [0, 1, 2, 3]])
    with pytest.raises(ValueError, match=r"has the shape \(g, 4\), not \(4,\)"):
        board_orbits("", [0, 1, 2, 3])
    with pytest.raises(ValueError, match="no board of 2 cards is possible: 3 cards are on"):
        board_orbits("QhJh2c", symmetries("QhJh2c"), size=2)


# ---------------------------------------------------------------- numbers of classes


@pytest.mark.parametrize("sizes", ROUNDS)
def test_the_number_of_classes(sizes):
    assert HandIndexer(sizes).size == count_by_burnside(sizes)


@settings(max_examples=150)
@given(deals(), st.sampled_from(PERMUTATIONS), st.randoms(use_true_random=False))
def test_number_and_canonical_form_agree(rounds, suits, random):
    indexer = HandIndexer([len(cards) for cards in rounds])
    number = indexer.index([card for cards in rounds for card in cards])
    assert 0 <= number < indexer.size
    assert indexer.unindex(number) == canonical(*rounds).cards
    shuffled = [random.sample(permute_cards(cards, suits), len(cards)) for cards in rounds]
    assert indexer.index([card for cards in shuffled for card in cards]) == number
    _, sizes = indexer.unindex_batch([number])
    assert sizes[0] == len(orbit(rounds))


@pytest.mark.parametrize("sizes", [(2, 4), (2, 5), (2, 3, 1, 1)])
def test_equal_numbers_mean_equal_classes(sizes):
    """On few ranks many random deals coincide: numbers and canonical forms pair up."""
    rng = np.random.default_rng(5)
    rows = np.array([rng.permutation(12)[: sum(sizes)] for _ in range(3000)])
    numbers = HandIndexer(sizes).index_batch(rows).tolist()
    forms = [canonical(*split(row, sizes)).cards for row in rows.tolist()]
    pairs = set(zip(numbers, forms, strict=True))
    assert len(set(numbers)) < 3000
    assert len(pairs) == len(set(numbers)) == len(set(forms))


def test_hands_are_numbered_by_exhaustion():
    indexer = HandIndexer((2,))
    numbers = indexer.index_batch(COMBO_CARDS)
    deals, sizes = indexer.unindex_batch(np.arange(169))
    np.testing.assert_array_equal(np.bincount(numbers), sizes)
    assert Counter(sizes.tolist()) == {6: 13, 4: 78, 12: 78}
    assert {format_cards(hand) for hand in deals} >= {"AsAh", "AsKs", "AsKh", "3s2h"}


@pytest.mark.slow
def test_hands_and_flops_are_numbered_by_exhaustion():
    """Every one of the 25,989,600 deals has a number, each as often as its class has deals."""
    indexer = HandIndexer((2, 3))
    found = np.zeros(indexer.size, dtype=np.int64)
    flops = np.array(list(combinations(range(N_CARDS), 3)), dtype=np.uint8)
    for hand in COMBO_CARDS:
        rows = np.empty((len(flops), 5), dtype=np.uint8)
        rows[:, :2] = hand
        rows[:, 2:] = flops
        free = ~((flops == hand[0]) | (flops == hand[1])).any(axis=1)
        np.add.at(found, indexer.index_batch(rows[free]), 1)
    _, sizes = indexer.unindex_batch(np.arange(indexer.size))
    np.testing.assert_array_equal(found, sizes)


def check_round_trip(sizes):
    """All classes there and back; their deals are all deals.

    The number of a deal is that of its class, so the classes that the numbers lead to differ;
    if their deals add up to all deals, there is no other class.
    """
    indexer = HandIndexer(sizes)
    deals = 0
    for start in range(0, indexer.size, 1 << 20):
        numbers = np.arange(start, min(start + (1 << 20), indexer.size))
        rows, class_sizes = indexer.unindex_batch(numbers)
        np.testing.assert_array_equal(indexer.index_batch(rows), numbers)
        deals += int(class_sizes.sum())
    assert deals == comb(52, sizes[0]) * comb(52 - sizes[0], sizes[1])


@pytest.mark.parametrize("sizes", [(2, 3), pytest.param((2, 4), marks=pytest.mark.slow)])
def test_round_trip_of_all_classes(sizes):
    check_round_trip(sizes)


@pytest.mark.slow
def test_round_trip_of_all_hands_and_complete_boards():
    check_round_trip((2, 5))


def test_kernels_take_one_deal():
    indexer = HandIndexer((2, 5))
    deal = np.array(parse_cards("AhKh QhJhTh 2c2d"), dtype=np.uint8)
    back = np.empty(7, dtype=np.uint8)
    number = deal_index(indexer.tables, deal)
    assert number == indexer.index(deal)
    assert deal_of_index(indexer.tables, number, back) == 12
    assert format_cards(back) == "AsKsQsJsTs2h2d"


def test_tables_are_small():
    for sizes in ROUNDS:
        assert sum(table.nbytes for table in HandIndexer(sizes).tables) < 200_000


def test_indexer_rejects_bad_input():
    indexer = HandIndexer((2, 3))
    assert repr(indexer) == "HandIndexer((2, 3))"
    with pytest.raises(ValueError, match=r"'AhKd' has 2 cards; rounds of \(2, 3\) cards need 5"):
        indexer.index("AhKd")
    with pytest.raises(ValueError, match="card Ah stands twice"):
        indexer.index("AhAhQc2c3c")
    with pytest.raises(ValueError, match="row 1 of the deals, 3h3d2h3d2c, has a card twice"):
        indexer.index_batch([[1, 2, 3, 4, 5], [6, 5, 2, 5, 0]])
    with pytest.raises(ValueError, match=r"deals of shape \(1, 2\): expected \(n, 5\)"):
        indexer.index_batch([[1, 2]])
    for wrong in ([[0, 1, 2, 3, 52]], [[0, 1, 2, 3, -1]], [[0, 1, 2, 3, 4.5]]):
        with pytest.raises(ValueError, match="not a card code"):
            indexer.index_batch(wrong)
    for number in (-1, indexer.size):
        with pytest.raises(ValueError, match=f"{number} is not the number of a class"):
            indexer.unindex(number)
    with pytest.raises(ValueError, match="expected one row"):
        indexer.unindex_batch([[1, 2]])
    for sizes in ((), (0, 2), (2, 3, 3), (1, 1, 1, 1, 1)):
        with pytest.raises(ValueError, match="one to four rounds"):
            HandIndexer(sizes)
