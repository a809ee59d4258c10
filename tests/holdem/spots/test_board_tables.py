"""Tables of boards, against brute force over cards, hands and suit permutations."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from pokerlab.cards import Range, evaluate, parse_cards
from pokerlab.cards.codes import COMBO_CARDS, combo_cards, combo_index
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.boards import Boards

SPOTS = {
    "river": ("QhJh2c4d7h", "AA, KQs, JTs, 98s, 55", "QQ, AJs, T9o, A2s, KQs"),
    "turn of one suit": ("AhKh7h2h", "JJ, 98s, QTo:0.5", "66, QJs, T9s, JJ"),
    "turn of two suits": ("QhJs5cQd", "KK, AQs, 55", "AK, TT, 54s"),
    "flop of one suit": ("AhKh7h", "JJ, 98s", "66, QJs"),
    "flop of two suits": ("QhJh2c", "AA, T9s", "QQ, AKs, 3d3s"),
    "flop, one hand that breaks it": ("AhKh7h", "JcJd:0.5, 98s", "66, QJs"),
}
CARD_OFFSETS = COMBO_CARDS.astype(int) * CPU_SHAPE.leaves
EVERY = [(name, isomorphism) for name in SPOTS for isomorphism in (True, False)]


@cache
def make(name: str, isomorphism: bool) -> Boards:
    board, oop, ip = SPOTS[name]
    ranges = (Range(oop).weights, Range(ip).weights)
    return Boards.of(parse_cards(board), ranges, CPU_SHAPE, isomorphism=isomorphism)


@cache
def symmetries(name: str) -> list[tuple[int, ...]]:
    """Images of all cards under the suit permutations that keep the board and both ranges."""
    board, oop, ip = SPOTS[name]
    known = set(parse_cards(board))
    free = [not known & set(cards) for cards in COMBO_CARDS.tolist()]
    found = []
    for suits in permutations(range(4)):
        image = tuple(4 * (card // 4) + suits[card % 4] for card in range(52))
        combos = [combo_index(image[high], image[low]) for high, low in COMBO_CARDS.tolist()]
        if {image[card] for card in known} == known and all(
            np.array_equal(np.where(free, weights, 0), np.where(free, weights, 0)[combos])
            for weights in (Range(oop).weights, Range(ip).weights)
        ):
            found.append(image)
    return found


def possible(boards: Boards, player: int, cards: list[int]) -> list[int]:
    """The numbers of a player's hands that share no card with a board."""
    return [
        number
        for number, combo in enumerate(boards.combos[player].tolist())
        if not set(combo_cards(combo)) & set(cards)
    ]


@pytest.mark.parametrize("name", SPOTS)
def test_hands_and_weights(name):
    boards = make(name, True)
    board, *texts = SPOTS[name]
    for player, text in enumerate(texts):
        weights = Range(text).weights
        expected = [
            combo
            for combo in np.flatnonzero(weights).tolist()
            if not set(combo_cards(combo)) & set(parse_cards(board))
        ]
        assert boards.combos[player].tolist() == expected
        np.testing.assert_array_equal(boards.weights[player], weights[expected])
        assert boards.padded[player] % 16 == 0
        assert 0 <= boards.padded[player] - len(expected) < 16
        assert boards.widths[player] == boards.padded[player] + 16


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_each_run_out_has_one_standing_board(name, isomorphism):
    boards = make(name, isomorphism)
    known = len(boards.cards[0][0])
    maps = symmetries(name) if isomorphism else [tuple(range(52))]
    for level, cards in enumerate(boards.cards):
        rows = [tuple(row) for row in cards.tolist()]
        assert len(set(rows)) == len(rows)
        assert all(len(row) == known + level == len(set(row)) for row in rows)
        counted = sum(
            len({tuple(image[card] for card in row[known:]) for image in maps}) for row in rows
        )
        assert counted == np.prod([52 - known - each for each in range(level)])


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_boards_of_the_next_street(name, isomorphism):
    boards = make(name, isomorphism)
    for level, tables in enumerate(boards.tables):
        assert len(tables.child_first) == len(boards.cards[level]) + 1
        if level + 1 == len(boards.tables):
            assert tables.child_first.max() == 0
            continue
        below = boards.cards[level + 1]
        assert tables.child_first[0] == 0 and tables.child_first[-1] == len(below)
        members = np.diff(boards.tables[level + 1].member_first)
        for number, cards in enumerate(boards.cards[level].tolist()):
            children = slice(tables.child_first[number], tables.child_first[number + 1])
            assert (below[children, :-1] == cards).all()
            assert members[children].sum() == 52 - len(cards)


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_hands_before_the_river(name, isomorphism):
    boards = make(name, isomorphism)
    for cards, tables in zip(boards.cards[:-1], boards.tables[:-1], strict=True):
        assert len(tables.group_first) == 0
        for player, hands in enumerate(tables.hands):
            count, nothing = len(boards.combos[player]), boards.widths[player] - 1
            for number, board in enumerate(cards.tolist()):
                first, last = hands.first[number], hands.first[number + 1]
                assert last - first == boards.padded[player]
                order = hands.order[first:last]
                free = possible(boards, player, board)
                assert order[free].tolist() == free
                assert (np.delete(order, free) == nothing).all()
                offsets = hands.cards[2 * first : 2 * last].reshape(-1, 2)
                assert (offsets[:count] == CARD_OFFSETS[boards.combos[player]]).all()
                assert (offsets[count:] == CPU_SHAPE.leaves * 52).all()


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_hands_on_the_river_are_in_the_order_of_their_strength(name, isomorphism):
    boards, rng = make(name, isomorphism), np.random.default_rng(0)
    tables = boards.tables[-1]
    for player, hands in enumerate(tables.hands):
        nothing = boards.widths[player] - 1
        for number in rng.permutation(len(boards.cards[-1]))[:60]:
            board = boards.cards[-1][number].tolist()
            first, last = hands.first[number], hands.first[number + 1]
            free = possible(boards, player, board)
            assert (last - first) % 16 == 0 and 0 <= last - first - len(free) < 16
            order = hands.order[first:last].tolist()
            assert sorted(order[: len(free)]) == free
            assert set(order[len(free) :]) <= {nothing}
            combos = boards.combos[player][order[: len(free)]]
            classes = [evaluate([*board, *combo_cards(combo)]) for combo in combos.tolist()]
            assert classes == sorted(classes, reverse=True)
            offsets = hands.cards[2 * first : 2 * last].reshape(-1, 2)
            assert (offsets[: len(free)] == CARD_OFFSETS[combos]).all()
            assert (offsets[len(free) :] == CPU_SHAPE.leaves * 52).all()


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_groups_of_equal_hands(name, isomorphism):
    boards, rng = make(name, isomorphism), np.random.default_rng(1)
    tables = boards.tables[-1]
    assert tables.group_first[0] == 0 and len(tables.group_first) == len(boards.cards[-1]) + 1
    for number in rng.permutation(len(boards.cards[-1]))[:60]:
        board = boards.cards[-1][number].tolist()
        groups = slice(tables.group_first[number], tables.group_first[number + 1])
        sides = [hands.groups.reshape(-1, 4)[groups] for hands in tables.hands]
        np.testing.assert_array_equal(sides[0], sides[1][:, [2, 3, 0, 1]])
        group_classes: list[set[int]] = [set() for _ in sides[0]]
        for player, hands in enumerate(tables.hands):
            order = hands.order[hands.first[number] :]
            place = 0
            for group, (start, stop) in enumerate(sides[player][:, :2].tolist()):
                assert start == place <= stop
                place = stop
                for hand in order[start:stop].tolist():
                    cards = combo_cards(int(boards.combos[player][hand]))
                    group_classes[group].add(evaluate([*board, *cards]))
            assert place == len(possible(boards, player, board))
        classes = [one for (one,) in group_classes]  # one class in each group, and none is empty
        assert classes == sorted(set(classes), reverse=True)


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_the_same_hand_of_the_opponent(name, isomorphism):
    boards, rng = make(name, isomorphism), np.random.default_rng(2)
    for tables in boards.tables:
        for player, own in enumerate(tables.hands):
            other = tables.hands[1 - player]
            for number in rng.permutation(len(own.first) - 1)[:40]:
                theirs = other.order[other.first[number] : other.first[number + 1]].tolist()
                place_of = {
                    int(boards.combos[1 - player][hand]): place
                    for place, hand in enumerate(theirs)
                    if hand < len(boards.combos[1 - player])
                }
                for entry in range(own.first[number], own.first[number + 1]):
                    hand = own.order[entry]
                    if hand < len(boards.combos[player]):
                        combo = int(boards.combos[player][hand])
                        assert own.same_hand[entry] == CPU_SHAPE.leaves * place_of.get(
                            combo, len(theirs)
                        )


@pytest.mark.parametrize(("name", "isomorphism"), EVERY)
def test_positions_carry_values_to_every_card_that_a_board_stands_for(name, isomorphism):
    """For each standing board and each of its cards there is one suit permutation that explains
    where all hands of both players are found."""
    boards, rng = make(name, isomorphism), np.random.default_rng(3)
    maps = symmetries(name) if isomorphism else [tuple(range(52))]
    known = len(boards.cards[0][0])
    for level, tables in enumerate(boards.tables):
        for number in rng.permutation(len(boards.cards[level]))[:40]:
            dealt = boards.cards[level][number][known:].tolist()
            keeping = [image for image in maps if all(image[card] == card for card in dealt[:-1])]
            reached = set()
            members = range(tables.member_first[number], tables.member_first[number + 1])
            for member in members:
                explaining = [
                    image
                    for image in keeping
                    if all(
                        explains(boards, level, number, member, seat, image) for seat in range(2)
                    )
                ]
                assert explaining
                reached |= {image[card] for image in explaining for card in dealt[-1:]}
            # All cards of the class are reached, each by a member of its own.
            assert level == 0 or reached == {image[dealt[-1]] for image in keeping}
            assert level == 0 or len(reached) == len(members)


def explains(
    boards: Boards, level: int, number: int, member: int, player: int, image: tuple[int, ...]
) -> bool:
    """Whether the positions of a member are those that a permutation of cards gives."""
    hands, width, padded = (
        boards.tables[level].hands[player],
        boards.widths[player],
        boards.padded[player],
    )
    order = hands.order[hands.first[number] : hands.first[number + 1]].tolist()
    combos = boards.combos[player].tolist()
    numbers = {combo: hand for hand, combo in enumerate(combos)}
    expected = np.full(padded, width - 1)
    for place, hand in enumerate(order):
        if hand < len(combos):
            high, low = combo_cards(combos[hand])
            expected[numbers[combo_index(image[high], image[low])]] = place
    found = hands.positions[member * padded : (member + 1) * padded]
    return np.array_equal(found, expected)


def test_isomorphism_merges_what_it_should():
    assert [len(cards) for cards in make("flop of one suit", True).cards] == [
        1,
        10 + 13,
        10 * (9 + 13) + 13 * (10 + 12 + 13),
    ]
    assert [len(cards) for cards in make("flop of one suit", False).cards] == [1, 49, 49 * 48]
    # One hand with a weight of its own leaves clubs and diamonds alike, and no more.
    assert len(make("flop, one hand that breaks it", True).cards[1]) == 49 - 13
