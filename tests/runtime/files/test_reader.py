"""The validating reader: types, shapes, numbers, metadata and the hash."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pokerlab.runtime.errors import DamagedFileError, damage_named
from pokerlab.runtime.files import tensor_map
from pokerlab.runtime.files.hashes import check_hash
from pokerlab.runtime.files.reader import (
    Expected,
    Metadata,
    check_tensors,
    open_checked,
    read_checked,
)
from pokerlab.runtime.files.tensor_files import write_hashed, write_tensors
from pokerlab.runtime.files.tensor_map import OpenTensors


def schema(metadata: Metadata) -> dict[str, Expected]:
    return {
        "row": Expected(np.float16, (metadata.count("size"),), 0, 1),
        "more": Expected(np.int32, (None, 2), optional=True),
    }


GOOD: dict[str, Any] = {"row": np.array([0.25, 0.75], np.float16)}


def open_and_check(path: Path) -> tuple[OpenTensors, Metadata]:
    """What those do who open a file of any size, and check all of it."""
    tensors, metadata = open_checked(path, "x", schema)
    with damage_named(path):
        check_tensors(tensors, schema(metadata))
        check_hash(tensors, metadata.entries)
    return tensors, metadata


@pytest.fixture(params=["read", "opened", "left in the file"])
def read(request: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Any]:
    if request.param == "read":
        return lambda path: read_checked(path, "x", schema, verify=True)
    if request.param == "left in the file":
        monkeypatch.setattr(tensor_map, "LARGE", 0)
    return open_and_check


def test_a_good_file(read: Callable[[Path], Any], tmp_path: Path) -> None:
    tensors = {**GOOD, "more": np.zeros((3, 2), np.int32)}
    write_hashed(tmp_path / "file", tensors, {"format": "x", "size": "2"})
    found, metadata = read(tmp_path / "file")
    assert found.keys() == tensors.keys()
    assert metadata.count("size") == 2


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"row": None}, "there is no tensor 'row'"),
    ({"row": np.zeros(2)}, "tensor 'row' is float64 of shape (2,), not float16 of shape (2,)"),
    (
        {"row": np.zeros(3, np.float16)},
        "tensor 'row' is float16 of shape (3,), not float16 of shape (2,)",
    ),
    (
        {"more": np.zeros((2, 3), np.int32)},
        "tensor 'more' is int32 of shape (2, 3), not int32 of shape (any, 2)",
    ),
    ({"strange": np.zeros(1)}, "tensor 'strange' does not belong there"),
    ({"row": np.array([0, 1.5], np.float16)}, "tensor 'row' holds 1.5, which is not in 0 … 1"),
    ({"row": np.array([-1, 0], np.float16)}, "tensor 'row' holds -1, which is not in 0 … 1"),
    ({"row": np.array([np.nan, 0], np.float16)}, "tensor 'row' holds nan, which is not finite"),
    ({"row": np.array([np.inf, 0], np.float16)}, "tensor 'row' holds inf, which is not finite"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS)
def test_faulty_tensors(
    change: dict[str, Any], message: str, read: Callable[[Path], Any], tmp_path: Path
) -> None:
    tensors = {name: tensor for name, tensor in {**GOOD, **change}.items() if tensor is not None}
    write_hashed(tmp_path / "file", tensors, {"format": "x", "size": "2"})
    with pytest.raises(DamagedFileError) as raised:
        read(tmp_path / "file")
    assert str(raised.value) == f"{str(tmp_path / 'file')!r} is damaged: {message}"


def test_what_a_schema_finds_in_the_metadata_is_damage_too(tmp_path: Path) -> None:
    write_tensors(tmp_path / "file", GOOD, {"format": "x", "size": "many"})
    with pytest.raises(DamagedFileError, match="is damaged: size is many, not a whole number"):
        read_checked(tmp_path / "file", "x", schema)


def test_the_hash_is_compared_when_asked_for(tmp_path: Path) -> None:
    write_tensors(tmp_path / "file", GOOD, {"format": "x", "size": "2", "hash": "0" * 64})
    read_checked(tmp_path / "file", "x", schema)
    with pytest.raises(DamagedFileError, match="its content does not fit its hash"):
        read_checked(tmp_path / "file", "x", schema, verify=True)
    write_tensors(tmp_path / "file", GOOD, {"format": "x", "size": "2"})
    with pytest.raises(DamagedFileError, match="there is no 'hash' in the metadata"):
        read_checked(tmp_path / "file", "x", schema, verify=True)


def test_numbers_are_left_alone_when_only_shapes_are_asked_for() -> None:
    tensors = {"row": np.array([np.nan])}
    wanted = {"row": Expected(np.float64, (1,), 0, 1)}
    check_tensors(tensors, wanted, values=False)
    with pytest.raises(ValueError, match="not finite"):
        check_tensors(tensors, wanted)


@given(
    array=arrays.arrays(np.float16, 3),
    low=st.sampled_from([None, 0, -1, 0.25, -1e100]),
    high=st.sampled_from([None, 1, 0.5, 2, 1e100]),
)
def test_half_precision_is_checked_as_any_other(array, low, high):
    expected = np.isfinite(array).all()
    if low is not None:
        expected &= (array >= low).all()
    if high is not None:
        expected &= (array <= high).all()
    assert (Expected(np.float16, (3,), low, high).fault(array) == "") == expected


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int8, np.uint64, np.bool_])
def test_bounds_that_a_type_cannot_hold(kind: type) -> None:
    array = np.array([0, 1], kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Expected(kind, (2,), -1e100, 1e100).fault(array) == ""
        assert Expected(kind, (2,), 2, 1e100).fault(array).startswith("holds 0, which")


METADATA: list[tuple[str, str, tuple[Any, ...], str]] = [
    ("1.5", "count", (), "x is 1.5, not a whole number"),
    ("٣", "count", (), "x is ٣, not a whole number"),
    ("9" * 30, "count", (), f"x is {'9' * 30}, not a whole number"),
    ("true", "number", (), "x is true, not a number"),
    ("1e999", "number", (), "x: inf is not a finite number"),
    ("9" * 5000, "number", (), "x: inf is not a finite number"),
    ("-1", "number", (0,), "x: -1 is not at least 0"),
    ("2", "number", (0, 1), "x: 2 is not in 0 … 1"),
    ("[" * 10**5, "numbers", (), f"x is {'[' * 57}..., not a list of numbers"),
    ("{}", "numbers", (), "x is {}, not a list of numbers"),
    ("[1]", "numbers", (2,), "x has 1 numbers, not 2"),
    ("[1, NaN]", "numbers", (2,), "x: nan is not a finite number"),
    ("[1, 2]", "numbers", (2, 0, 1), "x: 2 is not in 0 … 1"),
    ("1", "flag", (), "x is 1, not true or false"),
    ("[" * 10**5, "json", (), f"x is {'[' * 57}..., not JSON"),
]


@pytest.mark.parametrize(("text", "method", "arguments", "message"), METADATA)
def test_faulty_metadata(text: str, method: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        getattr(Metadata({"x": text}), method)("x", *arguments)
    assert str(raised.value) == message


def test_good_metadata() -> None:
    entries = Metadata({"a": "[1, 2.5]", "b": "true", "c": '{"x": [null]}', "d": "7"})
    assert entries.numbers("a", 2, 0, 3) == (1, 2.5)
    assert entries.flag("b")
    assert entries.json("c") == {"x": [None]}
    assert entries.count("d") == 7
    with pytest.raises(ValueError, match="there is no 'e' in the metadata"):
        entries.text("e")
