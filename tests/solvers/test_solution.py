from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

import pokerlab
from pokerlab.games import load_game
from pokerlab.solvers import (
    SamplingSolver,
    as_tree,
    exploitability,
    load_solution,
    make_solver,
    nash_conv,
    solve,
    values,
)
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def test_a_name_a_game_or_a_tree() -> None:
    game = load_game("kuhn")
    tree = GameTree.build(game)
    found = [solve(one, "cfr+", iterations=50) for one in ("kuhn", game, tree)]
    assert len({one.strategy.array.tobytes() for one in found}) == 1
    assert as_tree(tree) is tree


def test_what_a_solution_says(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn.3p")
    solution = solve(tree, "dcfr", iterations=200)
    assert solution.game == "kuhn.3p"
    assert solution.digest == tree.digest
    assert solution.rule == "dcfr(1.5,0,2)"
    assert (solution.iterations, solution.stopped) == (200, "iterations")
    assert solution.values == pytest.approx(values(tree, solution.strategy).tolist())
    assert solution.nash_conv == nash_conv(tree, solution.strategy)
    assert solution.exploitability == pytest.approx(exploitability(tree, solution.strategy))
    assert solution.history[-1].exploitability == solution.exploitability
    assert solution.strategy["As:rf"]["c"] > 0.99
    assert solution.seconds > 0


def test_limits_and_reports() -> None:
    told = []
    solution = solve("kuhn", "pcfr+", target=1e-4, report=told.append)
    assert solution.stopped == "target"
    assert solution.exploitability <= 1e-4
    assert told
    assert solve("kuhn").iterations == 1000


def test_linear_program() -> None:
    solution = solve("onecard", "lp")
    assert solution.values == pytest.approx((-5 / 78, 5 / 78), abs=1e-9)
    assert solution.exploitability < 1e-9
    assert (solution.rule, solution.stopped) == ("lp", "optimal")


def test_sampling_by_seed() -> None:
    options = {"iterations": 500, "sampling": "external"}
    one, same = (solve("kuhn", "cfr", seed=7, **options) for _ in range(2))
    other = solve("kuhn", "cfr", seed=8, **options)
    assert (one.strategy.array == same.strategy.array).all()
    assert (one.strategy.array != other.strategy.array).any()
    assert one.rule == "cfr external"


def test_simultaneous_updates_differ(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    both = [solve(tree, "cfr", iterations=10, alternating=flag).exploitability for flag in (0, 1)]
    assert both[0] != both[1]
    assert isinstance(make_solver(tree, "cfr", sampling="outcome"), SamplingSolver)


@pytest.mark.parametrize("name", ["kuhn", "kuhn.3p", "rps", "leduc"])
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    solution = solve(name, "cfr+", iterations=20)
    file = tmp_path / "solution.safetensors"
    solution.save(file)
    for found in (load_solution(file), load_solution(file, name)):
        assert dict(found.strategy) == dict(solution.strategy)
        assert found.strategy.infosets.names == solution.strategy.infosets.names
        for field in ("game", "digest", "rule", "values", "nash_conv", "iterations", "stopped"):
            assert getattr(found, field) == getattr(solution, field)
        # A loaded strategy can be judged on a tree built anew.
        tree = GameTree.of(load_game(name))
        assert exploitability(tree, found.strategy) == solution.exploitability
    assert [path.name for path in tmp_path.iterdir()] == ["solution.safetensors"]


def test_the_file_speaks_for_itself(tmp_path: Path) -> None:
    solution = solve("kuhn", "cfr+", iterations=20)
    solution.save(tmp_path / "kuhn.safetensors")
    with safe_open(tmp_path / "kuhn.safetensors", framework="numpy") as file:
        metadata = file.metadata()
        names = bytes(file.get_tensor("names")).decode().split("\n")
        strategy, offset = file.get_tensor("strategy"), file.get_tensor("offset")
    assert metadata["format"] == "pokerlab tree solution 2"
    assert metadata["game"] == "kuhn"
    assert json.loads(metadata["exploitability"]) == solution.exploitability
    assert names[0] == "Js\tc\tr"
    assert strategy[offset[0] : offset[1]].tolist() == list(solution.strategy["Js"].values())


def test_a_solution_of_another_game(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.safetensors"
    solve("kuhn", iterations=1).save(file)
    with pytest.raises(ValueError) as raised:
        load_solution(file, "leduc")
    assert str(raised.value) == f"{str(file)!r} is a solution of kuhn, not of leduc"
    with pytest.raises(ValueError, match="there is no file"):
        load_solution(tmp_path / "none")
    with pytest.raises(ValueError, match="belongs to another game"):
        values(as_tree("leduc"), load_solution(file).strategy)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rule": "best"}, "unknown rule 'best'; known rules are cfr"),
        ({"sampling": "some"}, "unknown sampling 'some'"),
        ({"game": "khun"}, "khun"),
        ({"iterations": -5}, "iterations is -5"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(**({"game": "kuhn"} | arguments))


def test_the_flat_array_is_read_only() -> None:
    solution = solve("kuhn", iterations=1)
    with pytest.raises(ValueError, match="read-only"):
        solution.strategy.array[0] = np.nan


def test_a_solve_is_cancelled_from_elsewhere() -> None:
    stop = threading.Event()
    stop.set()
    for cancelled in (
        solve("kuhn", iterations=10**9, stop=stop),
        pokerlab.solve("kuhn", iterations=10**9, stop=stop),
    ):
        assert (cancelled.stopped, cancelled.iterations) == ("cancelled", 0)
