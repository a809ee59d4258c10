"""The open questions of the articles: pockets, obvious moves, three players."""

import numpy as np
import pytest

from pokerlab.games import load_game, merge_suits
from pokerlab.solvers import TeamGame, best_response, obvious_moves, played_moves, solve_lp
from pokerlab.studies.rhode_island.boards import rhode_island
from pokerlab.studies.trees.plots import family
from pokerlab.studies.trees.questions import (
    make_trees_report,
    pocket_table,
    safe_play,
)
from pokerlab.trees import GameTree


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1 / 3])
def test_the_family_is_one_of_equilibria(alpha):
    tree = GameTree.of(load_game("kuhn"))
    strategy = solve_lp(tree).strategy.changed(family(alpha, alpha, alpha))
    assert best_response(tree, strategy, 1).value == pytest.approx(1 / 18)


def test_pockets_of_different_equilibria_lose():
    rows = pocket_table()
    assert len(rows) == 27
    for row in rows:
        alone = len({row.jack, row.queen, row.king}) == 1
        assert row.lost == pytest.approx(0.0, abs=1e-12) if alone else row.lost > 0.02


@pytest.mark.parametrize("name", ["kuhn", "kuhn2", "onecard"])
def test_what_an_equilibrium_plays_is_played(name):
    tree = GameTree.of(load_game(name))
    played, infosets = played_moves(tree), tree.infosets
    weights = solve_lp(tree).strategy.array
    # A slot is reached where all own slots before it are played too.
    reached = weights > 1e-9
    for slot in range(infosets.slots):
        before = infosets.parent[infosets.slot_infoset[slot]]
        reached[slot] &= before < 0 or bool(reached[before])
    assert np.all(played[reached])


def test_kuhn_has_no_other_moves_to_remove():
    tree = GameTree.of(load_game("kuhn"))
    assert np.array_equal(played_moves(tree), obvious_moves(tree).alive)


def test_obvious_moves_leave_an_equilibrium():
    # What elimination removes is not all played: else it would cost something.
    tree = GameTree.build(merge_suits(rhode_island(2, 2, 1)))
    played, alive = played_moves(tree), obvious_moves(tree).alive
    assert alive.sum() < len(alive)
    infosets = tree.infosets
    reached = np.add.reduceat(played, infosets.offset[:-1]) > 0
    left = np.add.reduceat(played & alive, infosets.offset[:-1]) > 0
    assert np.array_equal(reached, left)


def test_safe_play_against_all_is_no_equilibrium():
    found = safe_play()
    assert sum(found.won) == pytest.approx(0.0, abs=1e-12)
    assert sum(found.safe) < -0.1 and found.nash_conv > 0.1
    assert all(won >= safe - 1e-9 for won, safe in zip(found.won, found.safe, strict=True))


@pytest.mark.parametrize("hero", [0, 1, 2])
def test_a_team_wins_no_more_than_the_hero_is_sure_of(hero):
    others = tuple(seat for seat in range(3) if seat != hero)
    tree = GameTree.build(TeamGame(load_game("kuhn.3p"), others))
    found = solve_lp(tree)
    assert best_response(tree, found.strategy, 0).value == pytest.approx(-found.values[1])


def test_a_quick_report_judges_nothing():
    assert make_trees_report(quick=True).verdicts == ()
