"""Tensor files that somebody damaged: they load, as what they should be, or are one short line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.hostile.mutations import check_all, damaged_bytes, damaged_tensors, resealed

from pokerlab.cli.tables.preflop_output import solution_json
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.holdem.preflop import (
    EpsilonParts,
    FlopBets,
    PreflopRules,
    SolveFacts,
    facts_of,
    load_preflop,
    save_preflop,
    solve_without_flop,
)
from pokerlab.holdem.spots import Gadget
from pokerlab.players.opponents import estimate_model, load_model, model_tree, observe
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.files.hashes import checksum, content_hash
from pokerlab.solvers import CfrSolver, SamplingSolver, as_tree, load_solution, run, solve
from pokerlab.studies.cgh.race import PlainAverageSolver

SEED = 11


def save_solution(file: Path) -> None:
    solve("kuhn", "cfr+", iterations=20).save(file)


def load_kuhn(file: Path) -> None:
    found = load_solution(file)
    assert found.strategy.array.min() >= 0
    np.testing.assert_allclose(np.add.reduceat(found.strategy.array, np.arange(0, 24, 2)), 1)


@cache
def tree() -> Any:
    return as_tree("kuhn")


SOLVERS: dict[str, Callable[[], Any]] = {
    "cfr": lambda: CfrSolver(tree(), "dcfr"),
    "greedy": lambda: CfrSolver(tree(), "cgh"),
    "fp": lambda: CfrSolver(tree(), "fp"),
    "sampling": lambda: SamplingSolver(tree(), "external", rng=np.random.default_rng(1)),
    "sampled greedy": lambda: SamplingSolver(
        tree(), "external", "cgh", rng=np.random.default_rng(1)
    ),
    "plain": lambda: PlainAverageSolver(tree(), "cfr"),
}


def save_checkpoint(name: str, file: Path) -> None:
    run(SOLVERS[name](), iterations=30, checkpoint=file)


def resume(name: str, file: Path) -> None:
    """Read the checkpoint and go on; strategies stay strategies."""
    solver = SOLVERS[name]()
    content = file.read_bytes()
    result = run(solver, iterations=0, checkpoint=file)
    file.write_bytes(content)
    assert result.iterations >= 0
    array = solver.strategy().array
    assert (array >= 0).all()
    np.testing.assert_allclose(np.add.reduceat(array, tree().infosets.offset[:-1]), 1)


def save_model(file: Path) -> None:
    kuhn = load_betting_game("kuhn")
    hand = kuhn.replay("rf", kuhn.make_deal(["", "Js"]))
    estimate_model(model_tree(kuhn), {observe(hand, 0): 3}, "bob").save(file)


def load_kuhn_model(file: Path) -> None:
    found = load_model(file)
    assert found.strategy.array.min() >= 0
    assert np.isfinite(found.counts).all()
    assert found.observations.min() >= 0


def save_chart(file: Path) -> None:
    parts = EpsilonParts(0.01, 0.02, None)
    facts = SolveFacts(parts, FlopBets(), 2, None, 16, "cpu", 10, 1.5, "target")
    save_preflop(file, solve_without_flop(PreflopRules(3, "a"), "dcfr", target=0.1), facts)


def load_chart(file: Path) -> None:
    found = load_preflop(file)
    assert (found.strategy[0].sum(axis=1) == 1).all()
    assert found.rows("")
    json.dumps(solution_json(found, facts_of(found.chart)))


def save_gadget(file: Path) -> None:
    values, gifts = np.arange(1326.0), np.zeros(1326)
    Gadget("ip", values, "AA, KK", "reach-combined", gifts, board="QhJh2c4d7h", pot=100).save(file)


def load_gadget(file: Path) -> None:
    found = Gadget.load(file)
    assert found.values.shape == found.worth.shape == (1326,)
    assert found.player in (0, 1)


KINDS: dict[str, tuple[Callable[[Path], None], Callable[[Path], None], str, Any]] = {
    "solution": (save_solution, load_kuhn, "hash", content_hash),
    "model": (save_model, load_kuhn_model, "hash", content_hash),
    "chart": (save_chart, load_chart, "hash", content_hash),
    "gadget": (save_gadget, load_gadget, "hash", content_hash),
    **{
        f"checkpoint {name}": (
            lambda file, name=name: save_checkpoint(name, file),
            lambda file, name=name: resume(name, file),
            "checksum",
            checksum,
        )
        for name in SOLVERS
    },
}


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    save, load, entry, digest = KINDS[request.param]
    folder = tmp_path_factory.mktemp("hostile")
    file = folder / "good"
    save(file)
    load(file)
    return folder, file.read_bytes(), load, resealed(folder, entry, digest)


# What was not sealed again is refused by the reader that all checkpoints share.
one_of_a_format = pytest.mark.parametrize(
    "kind",
    [
        name
        if name in ("solution", "model", "chart", "checkpoint cfr")
        else pytest.param(name, marks=pytest.mark.slow)
        for name in KINDS
    ],
    indirect=True,
    scope="module",
)


@one_of_a_format
def test_damaged_bytes(kind: Any) -> None:
    folder, good, load, _ = kind
    refused, loaded = check_all(folder / "file", damaged_bytes(good, SEED, 400), load)
    assert refused > 3 / 4
    assert loaded < 1 / 4


@one_of_a_format
def test_damaged_headers(kind: Any) -> None:
    folder, good, load, _ = kind
    refused, _ = check_all(folder / "file", damaged_tensors(good, SEED, 300), load)
    assert refused > 4 / 5


def test_damage_that_was_sealed_again(kind: Any) -> None:
    folder, good, load, seal = kind
    refused, loaded = check_all(folder / "file", damaged_tensors(good, SEED, 300, seal), load)
    assert refused > 3 / 5
    assert loaded > 0


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("hostile")
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    LimitStrategy.of(train(game, iterations=200, threads=1)).save(folder / "good")
    return folder, (folder / "good").read_bytes()


def load_leduc(file: Path) -> None:
    found = LimitStrategy.load(file, verify=True)
    table = np.asarray(found.probabilities, np.float64)
    known = ~np.isnan(table[:, 0])
    assert ((table[known] >= 0) & (table[known] <= 1)).all()
    assert found.iterations >= 0
    assert np.isfinite([found.seconds, found.exploitability, found.error]).all()


def test_limit_strategies(leduc: tuple[Path, bytes]) -> None:
    folder, good = leduc
    seal = resealed(folder, "hash", content_hash)
    for contents in (
        damaged_bytes(good, SEED, 400),
        damaged_tensors(good, SEED, 300),
        damaged_tensors(good, SEED, 300, seal),
    ):
        refused, _ = check_all(folder / "file", contents, load_leduc)
        assert refused > 1 / 3
