"""Tensors that stay in their file: what is read of them, and files that change under them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files import stored_tensor, tensor_map
from pokerlab.runtime.files.stored_tensor import StoredTensor, blocks
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import open_tensors

NUMBERS = np.arange(3000, dtype=np.int32).reshape(1000, 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_tensors(tmp_path / "file", {"x": NUMBERS, "none": NUMBERS[:0]}, {"format": "x"})
    return tmp_path / "file"


@pytest.fixture
def stored(file: Path, monkeypatch: pytest.MonkeyPatch) -> StoredTensor:
    monkeypatch.setattr(tensor_map, "LARGE", 0)
    found = open_tensors(file, "x")[0]
    assert np.asarray(found["none"]).shape == (0, 3)
    assert isinstance(found["x"], StoredTensor)
    return found["x"]


def test_it_reads_as_an_array_does(stored: StoredTensor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_tensor, "_BLOCK", 1000)
    for name in ("shape", "dtype", "size", "nbytes"):
        assert getattr(stored, name) == getattr(NUMBERS, name)
    assert len(stored) == len(NUMBERS)
    for part in (
        slice(0, 1),
        slice(7, 900),
        slice(None),
        slice(-5, None),
        slice(5, 5),
        slice(9, 2),
    ):
        np.testing.assert_array_equal(stored[part], NUMBERS[part])
    with pytest.raises(IndexError, match="only rows side by side"):
        stored[::2]
    np.testing.assert_array_equal(np.asarray(stored), NUMBERS)
    assert np.asarray(stored, np.float32).dtype == np.float32
    np.testing.assert_array_equal(np.concatenate(list(blocks(stored))), NUMBERS.ravel())
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(stored)), NUMBERS)
    monkeypatch.setattr(stored_tensor, "free_memory", lambda: 11_000)
    with pytest.raises(ValueError, match="needs 12 kB of memory here, and 11 kB are free"):
        np.asarray(stored)


def rename(file: Path) -> None:
    write_tensors(file, {"x": NUMBERS + 1}, {"format": "x"})


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [rename, remove])
def test_a_file_that_is_replaced_or_removed_stays_open(
    change: Callable[[Path], None], stored: StoredTensor, file: Path
) -> None:
    if os.name == "nt":
        pytest.skip("this system keeps others from it")
    change(file)
    np.testing.assert_array_equal(np.asarray(stored), NUMBERS)


def truncate(file: Path) -> None:
    os.truncate(file, 100)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def overwrite(file: Path) -> None:
    """Another file of the same size, as ``cp`` writes it."""
    content = file.read_bytes()
    file.write_bytes(content[:-8] + bytes(8))


def grow(file: Path) -> None:
    with file.open("ab") as opened:
        opened.write(bytes(8))


READERS: list[Callable[[StoredTensor], npt.NDArray[Any]]] = [
    lambda tensor: tensor[3:5],
    np.asarray,
    lambda tensor: next(tensor.blocks()),
]


@pytest.mark.parametrize("change", [truncate, empty, overwrite, grow])
def test_a_file_that_is_changed_in_place_is_an_error(
    change: Callable[[Path], None], stored: StoredTensor, file: Path
) -> None:
    os.utime(file, ns=(0, 0))  # so that a quick change has another time
    stored = open_tensors(file, "x")[0]["x"]
    change(file)
    for read in READERS:
        with pytest.raises(DamagedFileError) as raised:
            read(stored)
        assert str(raised.value) == (
            f"{str(file)!r} has been changed since it was opened: open it again"
        )
