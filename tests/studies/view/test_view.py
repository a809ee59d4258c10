"""Buckets by the opponent's view: against views counted card by card, and plain CFR."""

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.studies.rhode_island.boards import RhodeIslandBoards, rhode_island
from pokerlab.studies.rhode_island.regrets import RegretSolver
from pokerlab.studies.rhode_island.shrinking import Deck, MergedGame
from pokerlab.studies.view.bucket_solver import BoardBucketSolver
from pokerlab.studies.view.buckets import BoardBuckets, make_board_buckets
from pokerlab.studies.view.card_views import card_views
from pokerlab.studies.view.study import (
    EVERY,
    LeducTask,
    ViewPlan,
    make_view_report,
    view_study,
)


@pytest.mark.parametrize("view", [False, True])
def test_identical_hands_are_those_counted_card_by_card(view):
    labels = card_views(rhode_island(4, 4, 1), view=view)
    found = make_board_buckets(RhodeIslandBoards.of(4, 4, 1), "view" if view else "strength")
    for street, count in enumerate(found.counts):
        assert len({label for (_, board), label in labels.items() if len(board) == street}) == count


def test_buckets_of_the_whole_deck():
    boards = RhodeIslandBoards.of(13, 4, 1)
    counts = {
        text: make_board_buckets(boards, text).counts
        for text in ("strength", "view", "strength-recall", "view-recall")
    }
    assert counts == {
        "strength": (13, 205, 43),
        "view": (13, 213, 124),
        "strength-recall": (13, 205, 1751),
        "view-recall": (13, 213, 2359),
    }


def test_parts_have_equal_shares_and_remember():
    boards = RhodeIslandBoards.of(6, 4, 1)
    nested = make_board_buckets(boards, "ehs2:3,2")
    weights = boards.weights[1].sum(axis=2)
    for rank in range(6):  # the buckets of the flop lie within a rank
        inside = (np.arange(12) // 2 == rank) & (weights > 0)
        outside = (np.arange(12) // 2 != rank) & (weights > 0)
        mine = set(nested.classes[1][inside].tolist())
        assert len(mine) <= 3
        assert mine.isdisjoint(nested.classes[1][outside].tolist())
    flat = make_board_buckets(boards, "ehs-flat:4,4")
    shares = np.bincount(flat.classes[1].ravel(), weights.ravel())
    assert shares == pytest.approx(np.full(4, 0.25), abs=0.1)


def test_every_hand_in_a_bucket_of_its_own_is_plain_cfr():
    boards = RhodeIslandBoards.of(3, 4, 2, threads=2)
    first, second, third = (
        np.arange(each.shape[0] * each.shape[1]).reshape(each.shape[:2]) for each in boards.weights
    )
    solver = BoardBucketSolver(boards, BoardBuckets((first, second, third)))
    plain = RegretSolver(boards)
    solver.iterate(12)
    plain.iterate(12)
    assert solver.bounds() == pytest.approx(plain.bounds(), abs=1e-9)


def test_merged_hands_are_those_of_the_merged_game():
    """With buckets that remember, against a solver that deals card by card."""
    deck, boards = Deck(3, 4), RhodeIslandBoards.of(3, 4, 1)
    view = deck.by_counts()
    game = MergedGame.of(deck, view, 1)
    usual = RegretSolver(game)
    usual.iterate(25)
    mine, theirs = (game.spread(boards, view, plan) for plan in usual.plans())
    labels = [np.arange(game.hands(street))[None, None, None] for street in range(3)]
    first, second, third = (each[:, 0, 0] for each in game.spread(boards, view, labels))
    solver = BoardBucketSolver(boards, BoardBuckets((first, second, third)))
    solver.iterate(25)
    assert solver.bounds() == pytest.approx(boards.bounds(mine, theirs), abs=1e-9)


def test_boards_of_leduc_are_alike():
    strength, view = (card_views(load_betting_game("leduc"), view=each) for each in (False, True))
    pairs = {(strength[seen], view[seen]) for seen in view}
    assert len(pairs) == len(set(strength.values())) == len(set(view.values()))


def test_every_hand_loses_nothing_in_leduc():
    found = LeducTask(EVERY, 30).run()
    assert found["sets"] == 288
    assert found["real"] == pytest.approx(found["inside"], abs=1e-12)


def test_verdicts_follow_the_numbers(tmp_path):
    plan = ViewPlan()
    leduc = {"sets": 228, "inside": 0.0, "real": 0.4}
    done = dict.fromkeys(plan.leduc, leduc)
    for size in plan.games:
        for task in plan.rows(size):
            good = "view" in task.buckets and size[2] == 3
            curve = [2.0, 2.0, 0.5 if good else 1.0, 2.0, 2.0]
            done[task] = {"counts": [13, 20, 20], "curve": curve}
    first, second, _ = plan.leduc
    nearly = done | {first: leduc, second: leduc | {"real": 0.395}}
    assert make_view_report(plan, nearly).verdicts[0].answer == "does not hold"
    clearly = done | {second: leduc | {"real": 0.38}}
    assert make_view_report(plan, clearly).verdicts[0].answer == "holds"
    report = make_view_report(plan, done)
    answers = [verdict.answer for verdict in report.verdicts]
    assert answers == ["does not hold", *["holds"] * 5, *["cannot be told"] * 5]
    quick = ViewPlan(quick=True)
    assert view_study(quick, tmp_path).waiting() == quick.tasks
    kept = {"counts": [4, 8, 8], "curve": [1.0, 1.0]}
    few = dict.fromkeys(quick.leduc, leduc) | dict.fromkeys(quick.rows((4, 4, 1)), kept)
    assert not make_view_report(quick, few).verdicts
