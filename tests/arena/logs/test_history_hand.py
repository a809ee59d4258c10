"""Hands as the table saw them: what is checked, and what is known of who won."""

import pytest

from pokerlab.arena.logs.following import follow
from pokerlab.arena.logs.history_hand import UNKNOWN_STACK, HistoryRecord, UnreadHandError


def record(actions, *, stacks=(10000, 10000), blinds=(50, 100), antes=None, **more):
    antes = (0,) * len(stacks) if antes is None else antes
    return HistoryRecord(False, 1, antes, blinds, stacks, 100, actions.split("; "), (), **more)


def test_a_blind_out_of_turn_is_money_of_its_player_and_moves_nobody():
    acts = "p3 f; p4 cc; p5 f; p1 f; p2 cc; d db 2c3d4h; p2 cc; p4 cbr 100; p2 f"
    hand = follow(record(acts, stacks=(UNKNOWN_STACK,) * 5, blinds=(50, 100, 0, -100, 0)))
    assert [(move.seat, move.owed) for move in hand.moves][:2] == [(2, 100), (3, 0)]
    assert hand.payoffs == (-50, -100, 0, 150, 0)


def test_a_dead_blind_above_the_big_blind_is_in_the_pot_and_in_no_bet():
    """A player who missed both blinds posts a big blind to play, and a small one that is dead."""
    acts = "p3 f; p4 cc; p5 f; p1 cc; p2 cc; d db 2c3d4h; p1 cc; p2 cc; p4 cbr 100; p1 f; p2 f"
    hand = follow(record(acts, stacks=(9000,) * 5, blinds=(50, 100, 0, -150, 0)))
    owed = [(move.seat, move.owed) for move in hand.moves if move.street == 0]
    assert owed == [(2, 100), (3, 0), (4, 100), (0, 50), (1, 0)]
    assert hand.payoffs == (-100, -100, 0, 200, 0) and hand.record.dead == [0, 0, 0, 50, 0]


def test_two_players_begin_after_the_bigger_blind():
    assert follow(record("p2 f", blinds=(50, 100))).payoffs == (50, -50)
    assert follow(record("p1 f", blinds=(100, 50))).payoffs == (-50, 50)


def test_antes_are_in_the_pot_and_in_no_bet():
    acts = "p3 cbr 300; p1 f; p2 cc; d db 2c3d4h; p2 cc; p3 cbr 400; p2 f"
    hand = follow(record(acts, stacks=(9000,) * 3, blinds=(50, 100, 0), antes=(10, 30, 0)))
    assert hand.moves[0].owed == 100 and hand.moves[2].owed == 200
    assert hand.moves[-2].share == 400 / (10 + 30 + 50 + 600)
    assert hand.payoffs == (-60, -330, 390)


def test_an_all_in_of_unknown_size_ends_the_decisions():
    """What follows the call as checks, and a river on which nobody acts, was only dealt."""
    acts = "p2 cbr 300; p1 cc; d db 2c3d4h; p1 cbr 900; p2 cc; d db 5h; p1 cc; p2 cc; d db 6h"
    hand = follow(record(acts, stacks=(UNKNOWN_STACK,) * 2))
    assert [move.street for move in hand.moves] == [0, 0, 1, 1]
    assert hand.payoffs is None and hand.live == [0, 1]
    with pytest.raises(UnreadHandError, match="the hand is cut"):
        follow(record(acts))


def test_who_won_is_known_from_stacks_or_from_what_was_taken():
    acts = "p2 cc; p1 cc; d db 2c3d4h; p1 cc; p2 cc; d db 5h; p1 cc; p2 cc; d db 6h; p1 cc; p2 cc"
    assert follow(record(acts)).payoffs is None
    assert follow(record(acts, finishing=(10095, 9900))).payoffs == (95, -100)
    assert follow(record(acts, winnings=(0, 190))).payoffs == (-100, 90)
    assert follow(record(acts, winnings=(0, 0))).payoffs is None
    for others in ((10500, 9500), (9000, 9000), (10000, 10095)):  # stacks of another hand
        assert follow(record(acts, finishing=others)).payoffs is None
        known = follow(record(acts, finishing=others, winnings=(0, 190)))
        assert known.payoffs == (-100, 90)
    assert follow(record(acts + "; p1 sm AsAd; p2 sm KsKd")).payoffs == (0, 0)  # a straight each


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ("p1 cc", "'p1 cc' is out of turn"),
        ("p2 cc; p1 cc", "cards of the board are missing"),
        ("p2 cbr 300", "it is not over after its last action"),
        ("p2 cc; d db 2c3d4h; p1 cc", "the street is not over"),
        ("p2 cbr 100; p1 f", "must be above 100 and within the stack"),
        ("p2 cbr 10001; p1 f", "within the stack"),
        ("p2 cc; p1 cc; d db 2c3d", "hold'em has 3, 4 or 5 cards"),
        (
            "p2 cc; p1 cc; d db 2c3d2c; p1 cbr 100; p2 f",
            "each must be one of a deck, and come once",
        ),
        ("p3 f", "there are players 1 to 2"),
        ("p2 x", "bad action 'p2 x'"),
        ("p2", "bad action 'p2'"),
        ("p2 cbr 1e9", "not an amount of chips"),
        ("d dh p1 AsKdQc; p2 f", "a hand of hold'em has two cards"),
        ("d xx", "bad action 'd xx'"),
        ("p2 f; p1 cc", "out of turn"),
    ],
)
def test_damaged_hands_are_one_line(acts, said):
    with pytest.raises(UnreadHandError) as error:
        follow(record(acts))
    assert said in str(error.value) and "\n" not in str(error.value)
