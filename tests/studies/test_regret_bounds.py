import csv
import math

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.solvers import CfrSolver
from pokerlab.solvers.evaluation.tree_values import best_response, values
from pokerlab.studies.regret_bounds import (
    METHODS,
    UNBOUNDED,
    GameSize,
    bound,
    immediate_regret,
    measure_bounds,
    measured_rate,
    write_bounds,
)
from pokerlab.trees import GameTree


@pytest.fixture(scope="module")
def points():
    return measure_bounds(iterations=256)


def test_nothing_measured_is_above_its_bound(points):
    assert {point.method for point in points} == set(METHODS)
    assert {point.game for point in points} == {"kuhn", "leduc"}
    for point in points:
        assert 0 < point.exploitability <= point.bound
        if point.method == "cfr":
            assert point.exploitability <= point.immediate + 1e-12
            assert point.immediate <= point.bound
        else:
            assert math.isnan(point.immediate)


def test_bounds_fall_as_they_say_and_so_does_what_is_measured(points):
    for method in METHODS:
        own = [point for point in points if (point.game, point.method) == ("leduc", method)]
        assert [point.iterations for point in own] == [2**k for k in range(len(own))]
        assert len(own) == (13 if method in ("external", "outcome") else 9)
        ratio = own[0].bound / own[-1].bound
        assert ratio == pytest.approx(1.0 if method in UNBOUNDED else math.sqrt(own[-1].iterations))
        assert own[-1].exploitability < own[0].exploitability


def test_rates_are_the_exponents_of_what_is_measured(points):
    for method in METHODS:
        own = [point for point in points if (point.game, point.method) == ("leduc", method)]
        assert -2 < measured_rate(own) < (0.1 if method == "outcome" else -0.2)
    assert math.isnan(measured_rate(own[:1]))


def test_sizes_are_those_of_the_games():
    kuhn = GameSize.of(GameTree.of(load_game("kuhn")))
    assert kuhn[:3] == ((6, 6), (2, 2), (4.0, 4.0))
    assert kuhn.sampled == pytest.approx((0.3**2, 0.3))  # he acts twice, or once
    tree = GameTree.of(load_game("leduc"))
    leduc = GameSize.of(tree)
    assert sum(leduc.infosets) == len(tree.infosets)
    assert leduc.actions == (3, 3)
    assert leduc.spread == (26.0, 26.0)


def test_average_regret_by_its_definition_is_between():
    """R(T) = max over strategies of the mean gain; its mean over players is exploitability."""
    tree = GameTree.of(load_game("kuhn"))
    solver = CfrSolver(tree, "cfr", alternating=False)
    won = np.zeros(2)
    for _ in range(50):
        won += values(tree, solver.current())
        solver.iterate(1)
    average = solver.strategy()
    regrets = [best_response(tree, average, player).value - won[player] / 50 for player in (0, 1)]
    assert sum(regrets) / 2 == pytest.approx(solver.exploitability())
    assert sum(regrets) / 2 <= immediate_regret(solver)
    assert immediate_regret(solver) <= bound(GameSize.of(tree), "cfr", 50)


def test_files(points, tmp_path):
    files = write_bounds(points, tmp_path / "new")
    assert [file.name for file in files] == ["bounds.csv", "bounds.svg"]
    rows = list(csv.DictReader(files[0].open()))
    assert len(rows) == len(points)
    assert float(rows[-1]["bound"]) == pytest.approx(points[-1].bound, rel=1e-5)
    assert rows[-1]["immediate"] == ""
    picture = files[1].read_text()
    assert "external" in picture and "leduc" in picture


def test_other_games_are_refused():
    with pytest.raises(ValueError, match=r"kuhn.3p has 3 players: these bounds are for 2"):
        measure_bounds(["kuhn.3p"])
