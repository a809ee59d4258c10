"""Boards up to suits: none is missing, and each stands for as many as it says."""

from itertools import combinations

import numpy as np
import pytest
from tests.holdem.limit.best_response.games import grouped, short_holdem

from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.suits import board_orbits, canonical
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.best_response.boards import FlopBoards
from pokerlab.holdem.limit.buckets.street_buckets import one_bucket
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame


@pytest.fixture(scope="module")
def holdem():
    return FlopBoards(BucketedGame.of(load_betting_game("holdem.limit.2p"), "none"))


@pytest.fixture(scope="module")
def flops(holdem):
    return holdem.following(holdem.empty, 1)


def test_flops_of_holdem(holdem, flops):
    assert (len(flops), flops.weight.sum()) == (1755, 22100)
    assert int(holdem.classes.max()) + 1 == 169
    assert [holdem.ways(street) for street in range(4)] == [1, 17296, 45, 44]
    assert holdem.pairs == 1225


def test_turns_and_rivers_are_counted_right(holdem, flops):
    """By the standard form of every deal."""
    for number in np.random.default_rng(1).choice(1755, size=2, replace=False).tolist():
        flop = holdem.chosen(holdem.empty, flops, number)
        turns = holdem.following(flop, 2)
        assert turns.weight.sum() == 49
        rivers = 0
        for each in range(len(turns)):
            turn = holdem.chosen(flop, turns, each)
            cards, weight = board_orbits(turn.cards, turn.symmetries)
            assert weight.sum() == 48
            rivers += len(cards)
        left = [card for card in range(52) if card not in flop.cards]
        deals = {
            canonical(flop.cards, [turn], [river]).cards
            for turn in left
            for river in left
            if turn != river
        }
        assert rivers == len(deals)


@pytest.mark.slow
def test_all_sequences_of_holdem(holdem, flops):
    turns = rivers = 0
    for number in range(len(flops)):
        flop = holdem.chosen(holdem.empty, flops, number)
        cards, _ = board_orbits(flop.cards, flop.symmetries, size=4)
        turns += len(cards)
        for card in cards[:, 3].tolist():
            kept = np.array([each for each in flop.symmetries if each[card & 3] == card & 3])
            rivers += len(board_orbits((*flop.cards, card), kept)[0])
    assert turns == HandIndexer((3, 1)).size
    assert rivers == HandIndexer((3, 1, 1)).size


def test_hands_of_a_board(holdem, flops):
    flop = holdem.chosen(holdem.empty, flops, 700)
    turn = holdem.chosen(flop, holdem.following(flop, 2), 3)
    rivers = holdem.following(turn, 3)
    order, ends = rivers.order[5], rivers.tie_end[5]
    river = (*turn.cards, *rivers.cards[5].tolist())
    hands = holdem.hands[turn.hands[order]]
    expected = {pair[::-1] for pair in combinations(sorted(set(range(52)) - set(river)), 2)}
    assert {tuple(hand) for hand in hands.tolist()} == expected
    from pokerlab.cards import evaluate

    strength = [-evaluate([*hand, *river]) for hand in hands.tolist()]
    assert strength == sorted(strength)
    ends_of = {each: place + 1 for place, each in enumerate(strength)}
    assert ends.tolist() == [ends_of[each] for each in strength]


def test_what_is_the_mean_over_images():
    """The sum over classes of cards, made symmetric, is the sum over all cards."""
    boards = FlopBoards(grouped(short_holdem([3, 1]), *(one_bucket() for _ in range(3))))
    plain = FlopBoards(boards.game, symmetric=False)
    flops, all_flops = (each.following(each.empty, 1) for each in (boards, plain))
    assert len(flops) < len(all_flops) == all_flops.weight.sum() == flops.weight.sum()

    def worth(hand, board):  # of ranks and of what suits have in common
        suits = sum(card & 3 == other & 3 for card in hand for other in board)
        return sum(card >> 2 for card in hand) * (1 + suits) + (board[0] >> 2) * suits

    found = []
    for each, following in ((boards, flops), (plain, all_flops)):
        total = np.zeros(len(each.hands))
        for number in range(len(following)):
            board = sorted(following.cards[number].tolist())
            for place in following.order[number]:
                total[place] += following.weight[number] * worth(each.hands[place].tolist(), board)
        found.append(each.symmetrised(each.empty, total))
    assert found[0] == pytest.approx(found[1])
