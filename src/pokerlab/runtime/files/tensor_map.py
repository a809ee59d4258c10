"""Safetensors files: the header, and tensors that are read when they are needed.

The format is eight bytes with the length of a JSON header, the header, and the data; each tensor
is a contiguous part of the data. So parts of a large tensor can be read alone, and a file of any
size opens at once (`open_tensors`). A header is checked before anything else looks at it: whatever
is wrong with it is a `DamagedFileError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import DamagedFileError, damage_named, one_line
from pokerlab.runtime.files.stored_tensor import (
    OpenFile,
    StoredPlace,
    StoredTensor,
    Tensor,
    read_place,
)

Tensors: TypeAlias = dict[str, AnyArray]
OpenTensors: TypeAlias = dict[str, Tensor]

LARGE = 32_000_000
"""Bytes from which a tensor stays in its file: all others are read in some hundredths of a second,
and a process that has many files open keeps little of each in memory."""

_LONGEST_HEADER = 100_000_000
_MAX_DIMENSIONS = 8
_TEXTS = {".toml": "TOML", ".libratus": "an endgame"}
"""Files of questions, by their ending."""
ELEMENTS: dict[str, np.dtype[Any]] = {
    name: np.dtype(kind).newbyteorder("<")
    for name, kind in {
        "BOOL": np.bool_,
        "I8": np.int8,
        "I16": np.int16,
        "I32": np.int32,
        "I64": np.int64,
        "U8": np.uint8,
        "U16": np.uint16,
        "U32": np.uint32,
        "U64": np.uint64,
        "F16": np.float16,
        "F32": np.float32,
        "F64": np.float64,
    }.items()
}
"""What the format calls the types of elements that NumPy has too."""


class Header(NamedTuple):
    """The header of a file."""

    metadata: dict[str, str]
    places: dict[str, StoredPlace]


def file_format(path: str | Path) -> str:
    """The format named in the metadata of a file; empty if there is none."""
    return read_header(path).metadata.get("format", "")


def file_kind(path: str | Path) -> str:
    """The kind of a file: its format without the version; empty if it has none."""
    return kind_of(file_format(path))


def kind_of(text: str) -> str:
    """A format without its version.

    Examples
    --------
    >>> kind_of("pokerlab limit strategy 3")
    'pokerlab limit strategy'
    """
    return text.rstrip("0123456789").rstrip()


def is_tensor_file(name: str | Path) -> bool:
    """Whether a file is a safetensors file: by its ending, or else by its content.

    Examples
    --------
    >>> is_tensor_file("turn.safetensors"), is_tensor_file("leduc")
    (True, False)
    """
    path = Path(name)
    if path.suffix.lower() == ".safetensors":
        return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            start = file.read(9)
            length = int.from_bytes(start[:8], "little")
            return start[8:] == b"{" and 8 + length <= path.stat().st_size
    except (OSError, ValueError):  # no name of a file, or one that nobody may read
        return False


def open_tensors(path: str | Path, kind: str) -> tuple[OpenTensors, dict[str, str]]:
    """Open a file whose metadata has ``format`` = `kind`; large tensors stay in it."""
    file = OpenFile(path)
    header = _read_header(file, kind)
    tensors: OpenTensors = {}
    for name, place in header.places.items():
        tensor = StoredTensor(file, place)
        tensors[name] = tensor if tensor.nbytes >= LARGE else read_place(file, place)
    return tensors, header.metadata


def read_tensors(path: str | Path, kind: str) -> tuple[Tensors, dict[str, str]]:
    """Read all of a file whose metadata has ``format`` = `kind`."""
    file = OpenFile(path)
    header = _read_header(file, kind)
    return {name: read_place(file, place) for name, place in header.places.items()}, header.metadata


def read_header(path: str | Path, kind: str | None = None) -> Header:
    """Read and check the header of a file; with `kind`, `ValueError` if its format is another."""
    return _read_header(OpenFile(path), kind)


def _read_header(file: OpenFile, kind: str | None) -> Header:
    path, start = file.path, bytearray(8)
    if fits := file.size >= len(start):
        file.read(0, memoryview(start))
    length = int.from_bytes(start, "little")
    fits = fits and len(start) + length <= file.size and length <= _LONGEST_HEADER
    text = bytearray(length if fits else 0)
    file.read(len(start), memoryview(text))
    try:
        if not fits:
            raise ValueError("its header is not complete")
        entries = json.loads(text, object_pairs_hook=_without_repetition)
        metadata = _metadata(entries)
    except (ValueError, RecursionError) as error:
        reason = "its header is nested too deeply" if isinstance(error, RecursionError) else error
        if text_kind := _TEXTS.get(path.suffix.lower()):
            raise ValueError(
                f"{str(path)!r} is a text file ({text_kind}), not a solution: solve it first,"
                f" `pokerlab solve {path} -o FILE.safetensors`"
            ) from None
        raise DamagedFileError(path, str(reason), "is damaged or no safetensors file") from None
    if kind is not None and metadata.get("format") != kind:
        found = one_line(metadata.get("format", "another safetensors file"), 60)
        raise ValueError(f"{str(path)!r} is not a {kind} but {found}")
    with damage_named(path):
        return Header(metadata, _places(entries, len(start) + length, file.size))


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is in its header twice")
    return found


def _metadata(entries: object) -> dict[str, str]:
    if not isinstance(entries, dict):
        raise ValueError("its header is no JSON object")
    metadata = entries.pop("__metadata__", {})
    if not isinstance(metadata, dict):
        raise ValueError("its metadata are no JSON object")
    for name, text in metadata.items():
        if not isinstance(text, str):
            raise ValueError(f"{one_line(name, 60)!r} in its metadata is no text")
    return metadata


def _places(entries: Mapping[str, Any], start: int, size: int) -> dict[str, StoredPlace]:
    """Where each tensor lies; together they fill the file without gap and overlap."""
    places = {}
    parts = []
    for name, entry in entries.items():
        shown = one_line(name, 60)
        try:
            first, last = entry["data_offsets"]
            shape, element = entry["shape"], ELEMENTS[entry["dtype"]]
        except (KeyError, TypeError, ValueError, IndexError):
            raise ValueError(f"its header does not say what tensor {shown!r} is") from None
        if not (isinstance(shape, list) and _are_counts([first, last, *shape])):
            raise ValueError(f"shape or place of tensor {shown!r} are no whole numbers")
        if len(shape) > _MAX_DIMENSIONS:
            raise ValueError(f"tensor {shown!r} has {len(shape)} dimensions")
        if last - first != element.itemsize * prod(shape) or start + last > size:
            raise ValueError(f"tensor {shown!r} is not complete")
        places[name] = StoredPlace(start + first, tuple(shape), element)
        parts.append((first, last))
    end = 0
    for first, last in sorted(parts):
        if first != end:
            raise ValueError("its tensors overlap, or leave a gap")
        end = last
    if start + end != size:
        raise ValueError(f"it has {size - start - end} bytes that belong to no tensor")
    return places


def _are_counts(numbers: list[Any]) -> bool:
    # `True` is an integer to Python; a dimension beyond what NumPy can index is none.
    return all(type(number) is int and 0 <= number < 2**62 for number in numbers)
