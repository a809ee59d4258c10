"""Headers: whatever is wrong with one is a line that names the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.tensor_map import (
    file_format,
    is_tensor_file,
    open_tensors,
    read_tensors,
)

GOOD = {
    "__metadata__": {"format": "x"},
    "a": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]},
    "b": {"dtype": "U8", "shape": [2, 2], "data_offsets": [16, 20]},
}


def file_of(folder: Path, header: Any, data: bytes = bytes(20), length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    file = folder / "file"
    size = len(text) if length is None else length
    file.write_bytes(size.to_bytes(8, "little") + text + data)
    return file


def refusal(file: Path) -> str:
    """What all readers say, in the same words."""
    messages = set()
    for read in (open_tensors, read_tensors):
        with pytest.raises(DamagedFileError) as raised:
            read(file, "x")
        messages.add(str(raised.value))
    (message,) = messages
    assert message.startswith(f"{str(file)!r} is damaged")
    assert len(message.splitlines()) == 1
    assert len(message) < 500
    return message


def changed(tensor: str, **fields: Any) -> dict[str, Any]:
    return {**GOOD, tensor: {**GOOD[tensor], **fields}}


def test_a_good_header(tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD)
    assert file_format(file) == "x"
    tensors, metadata = open_tensors(file, "x")
    assert {name: tensor.shape for name, tensor in tensors.items()} == {"a": (2,), "b": (2, 2)}
    assert metadata == {"format": "x"}


NO_FILE = [
    b"",
    b"not JSON",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"[]",
    b"1" * 5000,
    b'{"a": 1, "a": 1}',
    {"__metadata__": []},
    {"__metadata__": {"format": 1}},
    {"__metadata__": {"format": "x", "spot": ["x"]}},
]


@pytest.mark.parametrize("header", NO_FILE)
def test_headers_that_are_none(header: Any, tmp_path: Path) -> None:
    file = file_of(tmp_path, header)
    assert "is damaged or no safetensors file: " in refusal(file)
    with pytest.raises(DamagedFileError):
        file_format(file)


@pytest.mark.parametrize("length", [0, 7, 10**4, 10**9, 2**63, 2**64 - 1])
def test_lengths_of_headers(length: int, tmp_path: Path) -> None:
    assert "is damaged or no safetensors file: " in refusal(file_of(tmp_path, GOOD, length=length))


@pytest.mark.parametrize("size", range(9))
def test_files_of_a_few_bytes(size: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(size))
    assert "is damaged or no safetensors file: " in refusal(tmp_path / "file")


FAULTS: list[tuple[dict[str, Any], str]] = [
    (changed("a", dtype="F32"), "tensor 'a' is not complete"),
    (changed("a", dtype="BF16"), "its header does not say what tensor 'a' is"),
    (changed("a", dtype=[]), "its header does not say what tensor 'a' is"),
    (changed("a", dtype=None), "its header does not say what tensor 'a' is"),
    (changed("a", shape=[3]), "tensor 'a' is not complete"),
    (changed("a", shape=[-2]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape=[2.0]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape=[True, 2]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape=2), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape="22"), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape=[10**30]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", shape=[2**40, 2**40]), "tensor 'a' is not complete"),
    (changed("a", shape=[1] * 40 + [2]), "tensor 'a' has 41 dimensions"),
    (changed("a", data_offsets=[0]), "its header does not say what tensor 'a' is"),
    (changed("a", data_offsets=[16, 0]), "tensor 'a' is not complete"),
    (changed("a", data_offsets=[-16, 0]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", data_offsets=["0", "16"]), "shape or place of tensor 'a' are no whole numbers"),
    (changed("a", data_offsets={}), "its header does not say what tensor 'a' is"),
    (changed("a", data_offsets=[4, 20]), "its tensors overlap, or leave a gap"),
    (changed("a", data_offsets=[10**9, 10**9 + 16]), "tensor 'a' is not complete"),
    ({**GOOD, "a": []}, "its header does not say what tensor 'a' is"),
    ({**GOOD, "a": None}, "its header does not say what tensor 'a' is"),
    ({**GOOD, "c" * 500: None}, f"its header does not say what tensor '{'c' * 57}...' is"),
    ({**GOOD, "two\nlines": None}, r"its header does not say what tensor 'two\\nlines' is"),
    ({"__metadata__": {"format": "x"}}, "it has 20 bytes that belong to no tensor"),
]


@pytest.mark.parametrize(("header", "message"), FAULTS)
def test_faulty_entries(header: dict[str, Any], message: str, tmp_path: Path) -> None:
    assert refusal(file_of(tmp_path, header)).endswith(f"is damaged: {message}")


def test_a_long_format_is_cut(tmp_path: Path) -> None:
    file = file_of(tmp_path, {"__metadata__": {"format": "y\n" * 5000}}, b"")
    with pytest.raises(ValueError) as raised:
        open_tensors(file, "x")
    assert len(str(raised.value).splitlines()) == 1
    assert len(str(raised.value)) < 500


def test_files_are_known_by_what_they_hold(tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD)
    assert is_tensor_file(file)
    for content in (b"", b"x" * 8, b"x" * 20, b"{" * 20, (5).to_bytes(8, "little") + b"["):
        file.write_bytes(content)
        assert not is_tensor_file(file)
    assert is_tensor_file(tmp_path / "missing.SafeTensors")  # its reader says that it is not there
    for name in ("missing", tmp_path, "a\0b", "x" * 5000):
        assert not is_tensor_file(name)
