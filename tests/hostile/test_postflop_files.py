"""Solutions of spots that somebody damaged: every number that kernels index by is checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.hostile.mutations import check_all, damaged_bytes, damaged_tensors, resealed

from pokerlab.holdem.spots import Gadget, Spot, load_postflop, solve_spot
from pokerlab.runtime.files.hashes import checksum, content_hash

SEED = 7

SPOT = Spot(
    "QhJh2c4d",
    "AsAd:0.83, KhQd:0.61, 9h8h",
    "JsJd:0.37, 5c5s, AhKh:0.72",
    pot=100,
    stack=300,
    bet="turn: 50%; river: a",
    raise_="",
)


@pytest.fixture(
    scope="module",
    params=["whole", "partial", "groups", pytest.param("gadget", marks=pytest.mark.slow)],
)
def solved(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("hostile")
    groups = "rank" if request.param == "groups" else None
    locks = {"": {"b50": "AsAd", "x": "KhQd"}}
    options = {}
    if request.param == "gadget":
        options = {"gadget": Gadget("ip", np.full(1326, 60.0)), "keep_values": True}
    solution = solve_spot(SPOT, iterations=3, locks=locks, groups=groups, **options)
    (solution.without_river() if request.param == "partial" else solution).save(folder / "good")
    return folder, (folder / "good").read_bytes()


def look(file: Path) -> None:
    """Load a solution, checked as `show` does, and look at its first decision."""
    solution = load_postflop(file)
    assert np.isfinite([*solution.values, *solution.best_values, *solution.equities]).all()
    view = solution.at("")
    known = ~np.isnan(view.strategy[0])
    np.testing.assert_allclose(view.strategy[:, known].sum(axis=0), 1)


def test_damaged_bytes(solved: tuple[Path, bytes]) -> None:
    folder, good = solved
    refused, _ = check_all(folder / "file", damaged_bytes(good, SEED, 300), look)
    assert refused > 1 / 2


def test_damaged_headers(solved: tuple[Path, bytes]) -> None:
    folder, good = solved
    refused, _ = check_all(folder / "file", damaged_tensors(good, SEED, 300), look)
    assert refused > 2 / 3


def test_damage_that_was_sealed_again(solved: tuple[Path, bytes]) -> None:
    folder, good = solved
    seal = resealed(folder, "hash", content_hash)
    refused, _ = check_all(folder / "file", damaged_tensors(good, SEED, 300, seal), look)
    assert refused > 1 / 3


def test_checkpoints(tmp_path: Path) -> None:
    solve_spot(SPOT, iterations=3, checkpoint=tmp_path / "good")
    good = (tmp_path / "good").read_bytes()

    def resume(file: Path) -> None:
        solution = solve_spot(SPOT, iterations=0, checkpoint=file)
        assert np.isfinite([*solution.values, *solution.best_values]).all()

    seal = resealed(tmp_path, "checksum", checksum)
    for contents in (damaged_bytes(good, SEED, 80), damaged_tensors(good, SEED, 80, seal)):
        refused, _ = check_all(tmp_path / "file", contents, resume)
        assert refused > 1 / 2
