"""Checkpoints: back as they were written, or one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.games import load_betting_game, load_game
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_tensors
from pokerlab.solvers import CfrSolver, SamplingSolver, run, solve
from pokerlab.solvers.checkpoints import load_checkpoint, save_checkpoint
from pokerlab.studies.cgh.race import PlainAverageSolver
from pokerlab.trees import GameTree

IDENTITY = {"tree": "a" * 64, "rule": "cfr"}
FORMAT = "pokerlab checkpoint 2"


def test_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "state.safetensors"
    tensors = {"regret": np.arange(5.0), "empty": np.zeros(0), "seed": np.array([2**63], np.uint64)}
    save_checkpoint(file, IDENTITY, tensors)
    found = load_checkpoint(file, IDENTITY)
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert found[name].dtype == tensor.dtype
        assert (found[name] == tensor).all()
    assert [path.name for path in tmp_path.iterdir()] == ["state.safetensors"]


@pytest.mark.parametrize(
    ("identity", "message"),
    [
        ({"rule": "dcfr(1.5,0,2)"}, "its rule is cfr, not dcfr(1.5,0,2)"),
        ({"tree": "b" * 64}, f"its tree is {'a' * 24}..., not {'b' * 24}..."),
        ({"seed": "1"}, "its seed is nothing, not 1"),
        ({"tree": "a" * 64, "spot.pot": "200"}, "its pot is nothing, not 200"),
        (
            {"tree": "a" * 40 + "b" + "a" * 23},
            f"its tree is ...{'a' * 24}..., not ...{'a' * 8}b{'a' * 15}...",
        ),
        ({"tree": "a" * 64}, "its rule is cfr, not nothing"),
    ],
)
def test_checkpoint_of_something_else(
    identity: dict[str, str], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "state.safetensors"
    save_checkpoint(file, IDENTITY, {})
    with pytest.raises(ValueError) as raised:
        load_checkpoint(file, identity)
    assert str(raised.value) == f"checkpoint {str(file)!r} belongs to another solve: {message}"


def test_the_rule_of_the_game_that_differs_is_named(tmp_path: Path) -> None:
    file = tmp_path / "state"
    kuhn = load_betting_game("kuhn")
    run(CfrSolver(GameTree.build(kuhn), "cfr"), iterations=1, checkpoint=file)
    (street,) = kuhn.streets
    for other, message in [
        (replace(kuhn, ante=2), "its ante is 1, not 2"),
        (replace(kuhn, streets=(replace(street, bet=3),)), "its streets 0 bet is 1, not 3"),
    ]:
        with pytest.raises(ValueError, match=f"belongs to another solve: {message}$"):
            run(CfrSolver(GameTree.build(other), "cfr"), iterations=1, checkpoint=file)


@pytest.mark.parametrize("seed", [2, 3])
def test_another_seed_is_another_solve(seed: int, tmp_path: Path) -> None:
    solve("kuhn", sampling="external", seed=1, iterations=5, checkpoint=tmp_path / "state")
    with pytest.raises(ValueError, match=r"belongs to another solve: its seed is \d+, not \d+$"):
        solve("kuhn", sampling="external", seed=seed, iterations=9, checkpoint=tmp_path / "state")


def make(kind: str) -> Any:
    tree = GameTree.of(load_game("kuhn"))
    if kind == "external":
        return SamplingSolver(tree, "external", rng=np.random.default_rng(1))
    return CfrSolver(tree, "cfr") if kind == "cfr" else PlainAverageSolver(tree, "cfr")


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    (kind, change, message)
    for kind in ("cfr", "external", "plain")
    for change, message in [
        ({"seconds": None}, "there is no tensor 'seconds'"),
        ({"history": None}, "there is no tensor 'history'"),
        ({"history": np.zeros((2, 2))}, "tensor 'history' is float64 of shape (2, 2)"),
        ({"history": np.full((1, 3), np.inf)}, "tensor 'history' holds inf"),
        ({"history": np.full((1, 3), 1e300)}, "tensor 'history' holds 1e+300"),
        ({"seconds": np.array([np.nan, 0])}, "tensor 'seconds' holds nan"),
        ({"seconds": np.array([-1.0, 0])}, "tensor 'seconds' holds -1"),
        ({"strange": np.zeros(1)}, "tensor 'strange' does not belong there"),
        ({"state.iteration": None}, "there is no tensor 'iteration'"),
        ({"state.iteration": np.array([-1])}, "tensor 'iteration' holds -1"),
        ({"state.iteration": np.array([2**62])}, "tensor 'iteration' holds 4.61169e+18"),
        ({"state.iteration": np.array([1.0])}, "tensor 'iteration' is float64"),
        ({"state.iteration": np.zeros(0, np.int64)}, "tensor 'iteration' is int64 of shape (0,)"),
        ({"state.regret": None}, "there is no tensor 'regret'"),
        ({"state.regret": np.zeros(3)}, "tensor 'regret' is float64 of shape (3,)"),
        ({"state.regret": np.full(24, np.nan)}, "tensor 'regret' holds nan"),
        ({"state.added": np.zeros(3)}, "tensor 'added' does not belong there"),
    ]
]


@pytest.mark.parametrize(("kind", "change", "message"), FAULTS)
def test_faulty_states(kind: str, change: dict[str, Any], message: str, tmp_path: Path) -> None:
    file = tmp_path / "state"
    solver = make(kind)
    run(solver, iterations=5, checkpoint=file)
    tensors = read_tensors(file, FORMAT)[0] | change
    tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    save_checkpoint(file, solver.identity, tensors)
    before = file.read_bytes()
    with pytest.raises(DamagedFileError) as raised:
        run(make(kind), iterations=10, checkpoint=file)
    assert str(raised.value).startswith(f"{str(file)!r} is damaged: {message}")
    assert file.read_bytes() == before


def test_damage_is_found_by_the_checksum(tmp_path: Path) -> None:
    file = tmp_path / "state"
    run(make("cfr"), iterations=5, checkpoint=file)
    tensors, metadata = read_tensors(file, FORMAT)
    tensors["state.regret"][0] += 1
    write_tensors(file, tensors, metadata)
    with pytest.raises(DamagedFileError, match="its content does not fit its checksum"):
        run(make("cfr"), iterations=10, checkpoint=file)
