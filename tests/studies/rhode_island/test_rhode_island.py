"""Rhode Island hold'em as arrays: against explicit trees, HiGHS, and the published sizes."""

import numpy as np
import pytest

from pokerlab.games import merge_suits
from pokerlab.solvers import Strategy, best_response, solve_lp
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.rhode_island.boards import RhodeIslandBoards, rhode_island
from pokerlab.studies.rhode_island.interior import InteriorSolver, _basis
from pokerlab.studies.rhode_island.regrets import RegretSolver
from pokerlab.studies.rhode_island.shrinking import Deck, MergedGame
from pokerlab.studies.rhode_island.study import (
    COUNTS,
    EVERY,
    RhodeIslandPlan,
    SizesTask,
    make_rhode_island_report,
    rhode_island_study,
)
from pokerlab.trees import GameTree

SMALL = (2, 4, 1)


@pytest.fixture(scope="module")
def tree():
    return GameTree.build(merge_suits(rhode_island(*SMALL)))


def test_best_responses_are_those_of_the_explicit_tree(tree):
    boards = RhodeIslandBoards.of(*SMALL)
    even = Strategy.uniform(tree.infosets)
    for player in (0, 1):
        found = boards.best_response(player, boards.uniform(1 - player))
        assert found == pytest.approx(best_response(tree, even, player).value, abs=1e-12)


@pytest.mark.slow
def test_the_program_has_the_value_that_highs_finds(tree):
    solver = InteriorSolver(RhodeIslandBoards.of(*SMALL, threads=2))
    solver.solve(1e-9)
    low, high = solver.bounds()
    value = solve_lp(tree).values[0]
    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "value"), [((3, 4, 3), -0.376552), ((5, 4, 1), -0.485578)], ids=str
)
def test_larger_decks_have_the_values_that_highs_found(size, value):
    solver = InteriorSolver(RhodeIslandBoards.of(*size))
    solver.solve(1e-8)
    low, high = solver.bounds()
    # Where rounding stops the steps depends on the order in which threads add: 6e-8 to 2e-6.
    assert high - low < 1e-5
    assert low == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("player", [0, 1])
def test_the_basis_of_a_street_is_orthogonal_in_the_slacks(player):
    rng = np.random.default_rng(player)
    boards = RhodeIslandBoards.of(3, 4, 3)
    loose = np.exp(rng.normal(0.0, 4.0, (2, 3, boards.betting.slots[player], 5)))
    base, precision = _basis(boards, player, loose)
    free = base.shape[2] - 1
    gram = np.einsum("blmht,blth,blnht->blhmn", base, 1.0 / loose, base)
    expected = np.zeros_like(gram)
    expected[..., range(free), range(free)] = 1.0
    expected[..., free, free] = precision
    assert gram == pytest.approx(expected, rel=1e-6, abs=1e-6 * float(precision.max()))
    sums = np.einsum("st,blmht->blhsm", boards.betting.constraints(player), base)
    assert np.abs(sums[..., :free]).max() < 1e-9 * np.abs(base).max()
    roots = np.broadcast_to(boards.betting.roots(player), sums.shape[:-1])
    assert sums[..., free] == pytest.approx(roots)


def test_suits_that_count_lose_nothing_and_counts_lose():
    deck, boards = Deck(3, 2), RhodeIslandBoards.of(3, 2, 1)
    lost = {}
    for name, view in (("suits", deck.by_suits()), ("counts", deck.by_counts())):
        game = MergedGame.of(deck, view, 1)
        solver = RegretSolver(game)
        solver.iterate(60)
        low, high = solver.bounds()
        mine, theirs = (game.spread(boards, view, plan) for plan in solver.plans())
        worst, best = -boards.best_response(1, mine), boards.best_response(0, theirs)
        lost[name] = (best - worst) - (high - low)
    assert lost["suits"] == pytest.approx(0.0, abs=1e-12)
    assert lost["counts"] > 0.5


def test_regrets_close_in_on_the_value(tree):
    solver = RegretSolver(RhodeIslandBoards.of(*SMALL))
    solver.iterate(120)
    low, high = solver.bounds()
    assert low <= solve_lp(tree).values[0] <= high
    assert high - low < 0.1


@pytest.mark.slow
def test_all_published_sizes():
    published, found = read_data("rhode_island", "published.toml"), SizesTask().run()
    for name, view in (("whole", EVERY), ("shrunken", COUNTS)):
        said = published[name]
        assert found[view]["whole"][0] == said["variables"]
        assert found[view]["eliminated"][0] == said["eliminated_variables"]
        assert found[view]["eliminated"][1] == said["eliminated_rows"]
    assert found[COUNTS]["whole"][2] == published["shrunken"]["nonzeros"]
    assert found[COUNTS]["classes"] == [13, 205, 1774]


def test_verdicts_follow_the_numbers(tmp_path):
    plan = RhodeIslandPlan(quick=False, threads=1)
    deck = {
        "highs": -0.1,
        "interior": [-0.1, -0.1],
        "steps": 9,
        "merged": [-0.2, -0.1],
        "merged_in_game": [-0.5, 0.5],
    }
    said = read_data("rhode_island", "published.toml")
    sizes = {
        view: {
            "classes": [1, 2, 3],
            "whole": [each["variables"], 0, each.get("nonzeros", 0)],
            "eliminated": [each["eliminated_variables"], each["eliminated_rows"], 0],
        }
        for view, each in ((EVERY, said["whole"]), (COUNTS, said["shrunken"]))
    }
    done = {
        plan.sizes: sizes,
        plan.whole: {"low": -0.1, "high": -0.1 + 1e-7},
        **dict.fromkeys(plan.decks, deck),
        **{task: {"inside": [0, 1], "in_game": [0, 1]} for task in plan.regrets},
    }
    answers = [each.answer for each in make_rhode_island_report(plan, done).verdicts]
    no, yes = "does not hold", "holds"
    assert answers == [yes, no, yes, yes, no, yes, yes]  # 3.5% is 2.3%; merging loses
    done[plan.whole] = {"low": -0.1, "high": 0.0}
    assert make_rhode_island_report(plan, done).verdicts[-1].answer == no
    quick = RhodeIslandPlan(quick=True, threads=1)
    assert rhode_island_study(quick, tmp_path).waiting() == quick.tasks
