import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.board_game import board_matrices, groups_on_board, run_outs
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame


@pytest.fixture(scope="module")
def toy(toy_buckets):
    return BucketedGame(load_betting_game("holdem.limit.2p"), toy_buckets.groups, "toy")


def test_each_card_comes_once_on_the_turn_and_once_on_the_river():
    boards = run_outs("QhJh2c")
    assert boards[:, :3].tolist() == [list(parse_cards("QhJh2c"))] * 49
    for column in (3, 4):
        assert len(set(boards[:, column])) == 49
    assert (boards[:, 3] != boards[:, 4]).all()
    assert np.array_equal(boards, run_outs("QhJh2c"))
    assert set(run_outs("QhJh2c4d")[:, 4]) == set(range(52)) - set(parse_cards("QhJh2c4d"))


@pytest.mark.slow
def test_groups_are_those_of_single_hands(toy, toy_buckets):
    groups = groups_on_board(toy, "QhJh2c4d")
    assert (groups < 0).sum() == 1326 - 48 * 47 // 2
    for hand in ("AsKd", "7c7d", "3h2s"):
        assert groups[combo_index(*parse_cards(hand))] == toy_buckets.sequence(hand, "QhJh2c4d")[-1]


def test_showdowns_of_a_river_are_those_of_all_pairs_of_hands(toy):
    board = parse_cards("QhJh2c4d7h")
    found = board_matrices(toy, board)
    assert found.transitions == ()
    hands = np.flatnonzero(found.groups >= 0)
    cards = COMBO_CARDS[hands].astype(int)
    deals = np.concatenate([cards, np.tile(board, (len(hands), 1))], axis=1)
    classes = evaluate_batch(deals).astype(int)
    shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    better = np.sign(classes[None, :] - classes[:, None]) * ~shares  # class 1 is best
    count = toy.counts[-1]
    wins, meetings = np.zeros((2, count, count))
    pairs = found.groups[hands][:, None], found.groups[hands][None, :]
    np.add.at(wins, np.broadcast_arrays(*pairs), better)
    np.add.at(meetings, np.broadcast_arrays(*pairs), ~shares)
    assert found.showdown == pytest.approx(wins / np.maximum(meetings, 1))


def test_transitions_are_those_of_all_hands_on_the_boards_that_follow(toy):
    for board in ("QhJh2c", "QhJh2c4d"):
        found = board_matrices(toy, board)
        first = len(board) // 2 - 2
        for street, matrix in enumerate(found.transitions, first + 1):
            expected = np.zeros_like(matrix)
            for cards in run_outs(board).tolist():
                before = groups_on_board(toy, cards[: street + 1])
                after = groups_on_board(toy, cards[: street + 2])
                both = after >= 0
                np.add.at(expected, (before[both], after[both]), 1)
            totals = np.maximum(expected.sum(axis=1, keepdims=True), 1)
            assert matrix == pytest.approx(expected / totals)


def test_the_game_on_a_board_begins_with_the_ranges(toy):
    found = board_matrices(toy, "QhJh2c4d")
    rng = np.random.default_rng(3)
    ranges = rng.random((2, 1326))
    game = found.subgame("rc/cc/", ranges)
    assert [len(street.nodes) for street in game.streets] == [10, 90]
    for player in (0, 1):
        weights = ranges[player][found.groups >= 0]
        share = weights[found.groups[found.groups >= 0] == 5].sum() / weights.sum()
        assert game.begin(player)[5] == pytest.approx(share)
