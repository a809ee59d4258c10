from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from pokerlab.files.tensor_files import (
    load_checkpoint,
    read_tensors,
    save_checkpoint,
    write_tensors,
)

IDENTITY = {"tree": "a" * 64, "rule": "cfr"}


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
        ({"tree": "b" * 64}, "its tree is aaaaaaaaaaaa…, not bbbbbbbbbbbb…"),
        ({"seed": "1"}, "its seed is nothing, not 1"),
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


def test_files_that_are_none(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(ValueError, match="there is no file"):
        read_tensors(missing, "x")
    broken = tmp_path / "broken"
    broken.write_bytes(b"not a file of tensors")
    with pytest.raises(ValueError, match="broken' is damaged or no safetensors file"):
        read_tensors(broken, "x")
    save_checkpoint(tmp_path / "cut", IDENTITY, {"regret": np.zeros(1000)})
    whole = (tmp_path / "cut").read_bytes()
    (tmp_path / "cut").write_bytes(whole[:-100])
    with pytest.raises(ValueError, match="cut' is damaged or no safetensors file"):
        load_checkpoint(tmp_path / "cut", IDENTITY)
    save_file({"x": np.zeros(1)}, tmp_path / "other")
    with pytest.raises(ValueError, match="is not a pokerlab checkpoint 1 but another safetensors"):
        load_checkpoint(tmp_path / "other", IDENTITY)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "state.safetensors"
    write_tensors(file, {"x": np.ones(2)}, {"format": "x"})
    before = file.read_bytes()
    with pytest.raises(Exception):  # noqa: B017 - whatever the writer raises for such an array
        write_tensors(file, {"x": np.array(["text"], object)}, {"format": "x"})
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["state.safetensors"]
