"""Rhode Island hold'em as arrays: against explicit trees, HiGHS, and the published sizes."""

import os
from dataclasses import replace

import numpy as np
import pytest
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.games import merge_suits
from pokerlab.runtime.gpu.machine import CudaMachine
from pokerlab.solvers import Strategy, best_response, parse_rule, solve_lp
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.rhode_island import study
from pokerlab.studies.rhode_island.boards import RhodeIslandBoards, rhode_island
from pokerlab.studies.rhode_island.gpu_regrets import GpuRegretSolver
from pokerlab.studies.rhode_island.interior import InteriorSolver, _basis
from pokerlab.studies.rhode_island.regrets import RegretSolver
from pokerlab.studies.rhode_island.shrinking import Deck, MergedGame
from pokerlab.studies.rhode_island.study import (
    COUNTS,
    EVERY,
    RhodeIslandPlan,
    SizesTask,
    ValueTask,
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
        worst, best = boards.bounds(mine, theirs)
        lost[name] = (best - worst) - (high - low)
    assert lost["suits"] == pytest.approx(0.0, abs=1e-12)
    assert lost["counts"] > 0.5


def test_regrets_close_in_on_the_value(tree):
    solver = RegretSolver(RhodeIslandBoards.of(*SMALL))
    solver.iterate(120)
    low, high = solver.bounds()
    assert low <= solve_lp(tree).values[0] <= high
    assert high - low < 0.1


def test_the_gpu_does_what_the_processor_does():
    """On a GPU that is emulated; with ``POKERLAB_GPU=1`` on a real one."""
    if os.environ.get("POKERLAB_GPU") == "1":
        machine = CudaMachine()
    elif find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    else:
        machine = EmulatedMachine()
    boards, rule = RhodeIslandBoards.of(2, 4, 2), parse_rule("pdcfr+")
    usual, card = RegretSolver(boards, rule), GpuRegretSolver(machine, boards, rule)
    usual.iterate(4)
    card.iterate(2)
    again = GpuRegretSolver(machine, boards, rule)
    again.restore(card.state())  # goes on from a checkpoint
    again.iterate(2)
    for name, table in usual.state().items():
        np.testing.assert_allclose(again.state()[name], table, atol=1e-11, err_msg=name)
    assert again.bounds() == pytest.approx(usual.bounds(), abs=1e-11)


def test_the_value_goes_on_from_its_state(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "_FIRST", 20)
    monkeypatch.setattr(
        ValueTask, "_solver", lambda task: RegretSolver(RhodeIslandBoards.of(*SMALL))
    )
    task = ValueTask(1e-9, 50, "dcfr", gpu=False, threads=1, folder=str(tmp_path))
    for points in (task.points(), task.points()):  # cut off, then to the end
        first = next(points)
        assert first[0] == 20
    second = next(points)
    assert second[0] == 40
    assert second[2] - second[1] < first[2] - first[1]
    curve = task.run()["curve"]
    assert [each[:3] for each in curve[:2]] == [first[:3], second[:3]]
    assert len(curve) == 3 and curve[-1][0] == 50  # not 80: no more than asked for
    other = replace(task, rule="cfr+")
    assert other.key != task.key
    assert next(other.points())[0] == 20  # a state of its own


def test_slots_of_the_whole_game():
    assert RhodeIslandBoards.of().slots == 2 * 10 * (13 + 7 * 13 * 26 + 49 * 325 * 26)


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
        plan.value: {"rule": "pdcfr+", "curve": [[1000, -0.1, 0.0, 9.0], [2000, -0.1, -0.1, 9.0]]},
        **dict.fromkeys(plan.decks, deck),
        plan.merged: {"inside": [0, 1], "in_game": [0, 1]},
    }
    answers = [each.answer for each in make_rhode_island_report(plan, done).verdicts]
    no, yes = "does not hold", "holds"
    assert answers == [yes, no, yes, yes, no, yes, yes]  # 3.5% is 2.3%; merging loses
    done[plan.value] = {"rule": "pdcfr+", "curve": [[1000, -0.1, 0.0, 9.0]]}
    assert make_rhode_island_report(plan, done).verdicts[-1].answer == no
    quick = RhodeIslandPlan(quick=True, threads=1)
    assert rhode_island_study(quick, tmp_path).waiting() == quick.tasks
