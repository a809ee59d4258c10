"""Tensor files: arrays and texts in one safetensors file, written whole or not at all.

The format is so simple (see `tensor_map`) that it is written here: the library writes under a
name of its own first, which a kill leaves behind, and copies every array.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.files.atomic import atomic_file
from pokerlab.runtime.files.hashes import bytes_of, content_hash
from pokerlab.runtime.files.tensor_map import ELEMENTS

_NAMES = {element: name for name, element in ELEMENTS.items()}
_ALIGNMENT = 8
_UNKNOWN = "?" * 64
"""In the place of a hash until it is known."""


def write_tensors(
    path: str | Path, tensors: Mapping[str, AnyArray], metadata: Mapping[str, str]
) -> None:
    """Write arrays and texts.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from pokerlab.runtime.files.tensor_map import read_tensors
    >>> path = Path(tempfile.mkdtemp()) / "a.safetensors"
    >>> write_tensors(path, {"x": np.arange(3)}, {"format": "example 1", "note": "three"})
    >>> tensors, metadata = read_tensors(path, "example 1")
    >>> tensors["x"].tolist(), metadata["note"]
    ([0, 1, 2], 'three')
    """
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        _write(file, tensors, metadata)


def write_hashed(
    path: str | Path, tensors: Mapping[str, AnyArray], metadata: Mapping[str, str]
) -> None:
    """The same with the entry ``hash`` by which damage is noticed (`hashes.check_hash`)."""
    # Hashing takes longer than writing, so the arrays are written meanwhile.
    with (
        ThreadPoolExecutor(1) as pool,
        atomic_file(path) as temporary,
        temporary.open("wb") as file,
    ):
        hashed = pool.submit(content_hash, tensors, metadata)
        text = _write(file, tensors, {**metadata, "hash": _UNKNOWN})
        file.seek(8 + text.rindex(_UNKNOWN.encode()))
        file.write(hashed.result().encode())


def _write(file: BinaryIO, tensors: Mapping[str, AnyArray], metadata: Mapping[str, str]) -> bytes:
    """Write everything, and give the header."""
    # Large elements first, so that every tensor begins at a multiple of its element's size.
    names = sorted(tensors, key=lambda name: (-tensors[name].dtype.itemsize, name))
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name in names:
        tensor = tensors[name]
        if tensor.dtype not in _NAMES:
            raise ValueError(f"tensor {name!r} is {tensor.dtype}, which the format lacks")
        header[name] = {
            "dtype": _NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [end, end + tensor.nbytes],
        }
        end += tensor.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for name in names:
        file.write(bytes_of(tensors[name]))
    return text
