"""Files of solutions that were changed: one line that names the file, and no kernel."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.holdem.spots import PostflopSolution, load_postflop
from pokerlab.holdem.spots.answer.solution_file import _SUMMARY, POSTFLOP_FORMAT, _summary
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.play.simulation import simulate_solution
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files import tensor_map
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.runtime.files.stored_tensor import StoredTensor
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_tensors

Content = tuple[dict[str, npt.NDArray[Any]], dict[str, str]]


def rewrite(path: Path, change: Callable[..., None], *, sign: bool = True) -> None:
    """Change the content of a file; with `sign`, so that its hashes fit again."""
    tensors, metadata = read_tensors(path, POSTFLOP_FORMAT)
    change(tensors, metadata)
    if sign:
        metadata.pop("hash", None)
        metadata[_SUMMARY] = _summary(tensors, metadata)
        metadata["hash"] = content_hash(tensors, metadata)
    write_tensors(path, tensors, metadata)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    solved("turn").save(tmp_path / "turn.safetensors")
    return tmp_path / "turn.safetensors"


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    solved("turn").without_river().save(tmp_path / "partial.safetensors")
    return tmp_path / "partial.safetensors"


def refused(path: Path) -> str:
    with pytest.raises(DamagedFileError) as caught:
        load_postflop(path)
    message = str(caught.value)
    assert message.startswith(f"{str(path)!r} is damaged: ")
    assert "\n" not in message
    assert len(message) < 500
    return message


def test_everything_comes_back(path: Path) -> None:
    again, solution = load_postflop(path, check=True), solved("turn")
    assert again.history == solution.history
    assert len(again.history) > 2
    for name in ("spot", "values", "best_values", "equities", "rule", "iterations", "stopped"):
        assert getattr(again, name) == getattr(solution, name)
    assert again.locks == solution.locks


TENSORS: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    "shorter": lambda array: array[:-16],
    "longer": lambda array: np.concatenate([array, array[:16]]),
    "empty": lambda array: array[:0],
    "two rows": lambda array: array.reshape(2, -1),
    "another type": lambda array: array.astype(np.float32),
    "the bits of another type": lambda array: array.view(np.uint16),
}


@pytest.mark.parametrize("sign", [True, False])
@pytest.mark.parametrize("name", ["strategy.0.0", "strategy.0.1", "strategy.1.0", "strategy.1.1"])
@pytest.mark.parametrize("change", TENSORS)
def test_tensors_of_another_shape(path: Path, name: str, change: str, sign: bool) -> None:
    def edit(tensors: Any, metadata: Any) -> None:
        tensors[name] = TENSORS[change](tensors[name])

    rewrite(path, edit, sign=sign)
    assert f"tensor '{name}' is " in refused(path)


def test_files_without_the_values_of_the_first_street(path: Path) -> None:
    names = [f"first_{kind}.{player}" for kind in ("nodes", "actions") for player in range(2)]
    expected = load_postflop(path).at("x")

    def leave_out(some: list[str]) -> Callable[..., None]:
        return lambda tensors, _: [tensors.pop(name) for name in some]

    before = path.read_bytes()
    rewrite(path, leave_out(names))
    older = load_postflop(path, check=True)
    assert older.first_values == ()
    np.testing.assert_allclose(older.at("x").action_ev, expected.action_ev, atol=1e-5)
    path.write_bytes(before)
    rewrite(path, leave_out(names[:1]))
    assert "of the values of the first street it has" in refused(path)
    path.write_bytes(before)
    rewrite(path, lambda tensors, _: tensors.update({names[2]: tensors[names[2]][:1]}))
    assert f"tensor '{names[2]}' is " in refused(path)


def test_tensors_that_are_missing_or_foreign(path: Path, partial: Path) -> None:
    for file, name in ((path, "strategy.1.0"), (path, "history"), (partial, "river_values.0")):
        before = file.read_bytes()
        rewrite(file, lambda tensors, _, name=name: tensors.pop(name))
        assert f"there is no tensor '{name}'" in refused(file)
        file.write_bytes(before)
    rewrite(path, lambda tensors, _: tensors.update(more=np.zeros(2)))
    assert "tensor 'more' does not belong there" in refused(path)
    rewrite(partial, lambda tensors, _: tensors.update({"river_values.1": np.zeros((1, 1, 1))}))
    assert "tensor 'river_values.1' is float64" in refused(partial)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("values", "[1.0]"),
        ("values", "[1.0, NaN]"),
        ("values", '{"oop": 1}'),
        ("best_values", "[1.0, Infinity]"),
        ("best_values", "7"),
        ("equities", "[0.5, 1.5]"),
        ("equities", "[[[["),
        ("iterations", "-1"),
        ("iterations", "many"),
        ("seconds", '"long"'),
        ("seconds", "-1.0"),
        ("streets", "0"),
        ("streets", "7"),
        ("isomorphism", "maybe"),
        ("rule", ""),
        ("rule", "dcfr\n(1.5)"),
        ("rule", "dcfr" * 1000),
        ("locks", "[]"),
        ("locks", '{"x": []}'),
        ("locks", '{"x": {"x": 1}}'),
        ("locks", '{"x/x/x/x": {"x": "AA"}}'),
        ("locks", "[" * 100_000),
        ("spot", "[" * 100_000),
        ("spot", "pot = 100"),
        ("spot", SPOTS["river"].to_toml()),
        ("spot", SPOTS["flop, one suit, rake"].to_toml()),
    ],
)
def test_metadata_of_another_kind(path: Path, name: str, text: str) -> None:
    rewrite(path, lambda _, metadata: metadata.update({name: text}))
    refused(path)


@pytest.mark.parametrize("name", ["values", "best_values", "equities", "iterations", "seconds"])
def test_what_is_shown_first_cannot_be_changed_alone(path: Path, name: str) -> None:
    """Numbers that `show` prints are compared with a hash whenever a file is opened."""

    def edit(tensors: Any, metadata: Any) -> None:
        old = json.loads(metadata[name])
        metadata[name] = json.dumps([old[0] / 2, old[1] / 2] if isinstance(old, list) else 1)

    rewrite(path, edit, sign=False)
    assert "its metadata do not fit their hash" in refused(path)


def test_a_file_without_its_hashes(path: Path) -> None:
    before = path.read_bytes()
    rewrite(path, lambda _, metadata: metadata.pop(_SUMMARY), sign=False)
    assert f"there is no '{_SUMMARY}' in the metadata" in refused(path)
    path.write_bytes(before)
    rewrite(path, lambda _, metadata: metadata.pop("hash"), sign=False)
    with pytest.raises(DamagedFileError, match="there is no 'hash'"):
        verify(path)


@pytest.mark.parametrize("number", [np.nan, np.inf, -0.5, 1.5, 0.0])
def test_strategies_are_checked_before_they_are_shown(path: Path, number: float) -> None:
    def edit(tensors: Any, metadata: Any) -> None:
        tensors["strategy.0.0"][:] = number

    rewrite(path, edit)
    with pytest.raises(ValueError, match=r"holds .*, which is not|is not a distribution"):
        load_postflop(path).at("")
    with pytest.raises(ValueError):
        verify(path)


def test_damage_is_noticed_without_being_asked_for(path: Path) -> None:
    def edit(tensors: Any, metadata: Any) -> None:
        tensors["strategy.0.0"][:] = np.flip(tensors["strategy.0.0"])

    rewrite(path, edit, sign=False)
    assert "its content does not fit its hash" in refused(path)


def test_bit_flips_never_reach_a_kernel(path: Path, partial: Path) -> None:
    """A changed byte is noticed, or lies in a strategy and makes a number of it."""
    rng = np.random.default_rng(0)
    for file in (path, partial):
        good = file.read_bytes()
        header = 8 + int.from_bytes(good[:8], "little")
        whole = good.index(b'"hash":"') + 8  # that of everything is looked at by `check` alone
        places = [*rng.integers(0, header, 150).tolist(), *rng.integers(0, len(good), 30).tolist()]
        for place in places:
            changed = bytearray(good)
            changed[place] ^= 1 << int(rng.integers(8))
            file.write_bytes(changed)
            try:
                solution = load_postflop(file)
            except ValueError as error:
                assert "\n" not in str(error)
            else:
                assert isinstance(solution, PostflopSolution)
                assert place >= header or whole <= place < whole + 64
            with pytest.raises(ValueError):
                load_postflop(file, check=True)
        for size in [0, 3, 8, header - 1, header, *rng.integers(0, len(good), 20).tolist()]:
            file.write_bytes(good[:size])
            with pytest.raises(ValueError):
                load_postflop(file)


LINES = {
    "turn": ["", "x", "b50", "b50/c/Kd", "x/x/5h/x"],
    "flop, one suit, rake": ["", "x", "x/x/2c/x/x/2d/x"],
}


@pytest.mark.parametrize("name", LINES)
def test_strategies_that_stay_in_their_file_are_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = solved(name)
    whole.save(tmp_path / "file")
    monkeypatch.setattr(tensor_map, "LARGE", 0)
    stored = load_postflop(tmp_path / "file", check=True)
    assert all(isinstance(each, StoredTensor) for pair in stored.strategies for each in pair)
    for line in LINES[name]:
        found, expected = stored.at(line), whole.at(line)
        np.testing.assert_array_equal(found.strategy, expected.strategy)
        np.testing.assert_allclose(found.action_ev, expected.action_ev, atol=1e-4)
    assert verify(stored).ok
    played, expected_play = (simulate_solution(each, 500, 5) for each in (stored, whole))
    assert played.mean == expected_play.mean
    stored.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "file").read_bytes()
    os.truncate(tmp_path / "file", 4096)
    with pytest.raises(DamagedFileError, match="has been changed since it was opened"):
        stored.decision(LINES[name][-1])


def test_a_small_file_may_change_while_it_is_open(path: Path) -> None:
    solution = load_postflop(path)
    os.truncate(path, 4096)
    assert verify(solution).ok
