"""Boards up to suits: none is missing, and each stands for as many as it says."""

from itertools import combinations

import numpy as np
import pytest
from tests.holdem.limit.best_response.games import by_suits, grouped, remembered, short_holdem

from pokerlab.cards import evaluate
from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.run_outs import deal_run_outs
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, canonical, card_classes
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.best_response.boards import ResponseBoards
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame


@pytest.fixture(scope="module")
def holdem():
    return ResponseBoards(BucketedGame.of(load_betting_game("holdem.limit.2p"), "none"))


def test_flops_of_holdem(holdem):
    assert (len(holdem.cards), holdem.weight.sum()) == (1755, 22100)
    assert int(holdem.classes.max()) + 1 == 169
    assert (holdem.ways, holdem.pairs) == (17296, 1225)


@pytest.mark.parametrize("number", [3, 1000])
def test_turns_and_rivers_are_counted_right(holdem, number):
    """By the standard form of every deal."""
    boards = holdem.follow(number).boards
    assert boards.chances == (1.0, 1 / 45, 1 / 44)
    flop = holdem.cards[number].tolist()
    dealt = [0, 49, 49 * 48]
    for level in (1, 2):
        members = boards.tables[level].member_first
        turns = np.array([each.multiplicity for each in boards.classes[1]])
        weights = np.diff(members)
        if level == 2:
            weights = weights * np.repeat(turns, np.diff(boards.tables[1].child_first))
        assert weights.sum() == dealt[level]
    left = [card for card in range(52) if card not in flop]
    deals = {
        canonical(flop, [turn], [river]).cards for turn in left for river in left if turn != river
    }
    assert len(boards.cards[2]) == len(deals)


@pytest.mark.slow
def test_all_sequences_of_holdem():
    _, flops, turns = deal_run_outs((), SUIT_PERMUTATIONS, sizes=(3, 4))
    assert [len(flops.cards), len(turns.cards)] == [1755, HandIndexer((3, 1)).size]
    rivers = sum(
        len(card_classes(cards, turn.group))
        for cards, turn in zip(turns.cards.tolist(), turns.classes, strict=True)
    )
    assert rivers == HandIndexer((3, 1, 1)).size


def test_cards_that_come_together():
    """Sets of two cards behind one, in a deck of twelve: each is the image of one that is dealt."""
    dead = tuple(card for card in range(52) if card >> 2 not in (3, 7, 9))
    kept = np.array([each for each in SUIT_PERMUTATIONS if each[0] == 0])
    first, second = deal_run_outs((12,), kept, sizes=(3,), dead=dead)
    assert first.child_first == (0, len(second.cards))
    found = []
    for cards, of in zip(second.cards.tolist(), second.classes, strict=True):
        images = [
            frozenset(card & ~3 | suits[card & 3] for card in cards[1:])
            for suits in of.permutations.tolist()
        ]
        assert len(images) == of.multiplicity
        assert of.members == tuple(max(image) for image in images)
        found += images
        for suits in of.group.tolist():
            assert {card & ~3 | suits[card & 3] for card in cards[1:]} == set(cards[1:])
    left = [card for card in range(52) if card not in dead and card != 12]
    assert len(found) == len(set(found)) == len(list(combinations(left, 2)))


def test_hands_of_a_board(holdem):
    boards = holdem.follow(700).boards
    river, hands = boards.cards[2][35].tolist(), boards.tables[2].hands[0]
    entries = slice(hands.first[35], hands.first[36])
    order = hands.order[entries]
    order = order[order < len(boards.combos[0])]
    held = hands.cards.reshape(-1, 2)[entries][: len(order)] // CPU_SHAPE.leaves
    expected = {pair[::-1] for pair in combinations(sorted(set(range(52)) - set(river)), 2)}
    assert {tuple(hand) for hand in held.tolist()} == expected
    strength = [-evaluate([*hand, *river]) for hand in held.tolist()]
    assert strength == sorted(strength)


def test_buckets_are_those_of_the_look_up():
    game = short_holdem([3, 1], ranks="TJQK")
    game = grouped(game, by_suits(game, 0, 4), by_suits(game, 1, 9), remembered(9))
    first = ResponseBoards(game).follow(4)
    assert first.groups.shared
    for level, cards in enumerate(first.boards.cards):
        hands, columns = first.boards.tables[level].hands[0], first.groups.at(level, 0)
        assert set(columns.counts.tolist()) == {9}
        for board, on in enumerate(cards.tolist()):
            for entry in range(hands.first[board], hands.first[board + 1]):
                if hands.order[entry] < len(first.hands):
                    hand = ResponseBoards(game).hands[first.hands[hands.order[entry]]]
                    buckets = np.zeros(level + 2, np.int64)
                    buckets_of_cards(np.array([*hand, *on], np.uint8), game.look_up, buckets)
                    assert columns.column[entry] == buckets[-1]
            if board == 3:
                break
