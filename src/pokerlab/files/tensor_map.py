"""Safetensors files without reading them: the header, and tensors mapped into memory.

The format is eight bytes with the length of a JSON header, the header, and the data; each tensor
is a contiguous part of the data. So an array can be a window on the file, and a file of any size
opens at once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["file_format", "map_tensors"]

_LONGEST_HEADER = 100_000_000
_KINDS = {
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "I64": np.int64,
    "U8": np.uint8,
    "U16": np.uint16,
}


def file_format(path: str | Path) -> str:
    """What the metadata of a file calls its format; empty if it has none."""
    header, _ = _read_header(Path(path))
    return str(header.get("__metadata__", {}).get("format", ""))


def map_tensors(path: str | Path, kind: str) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """Map the tensors of a file whose metadata has ``format`` = `kind`.

    Writing to them changes the memory, never the file. (Kernels are compiled for arrays that can
    be written to, and would be compiled again for others.)
    """
    path = Path(path)
    header, start = _read_header(path)
    metadata = {key: str(text) for key, text in header.pop("__metadata__", {}).items()}
    if metadata.get("format") != kind:
        found = metadata.get("format", "another safetensors file")
        raise ValueError(f"{str(path)!r} is not a {kind} but {found}")
    size = path.stat().st_size
    tensors = {}
    try:
        for name, entry in header.items():
            first, last = entry["data_offsets"]
            shape, element = tuple(entry["shape"]), np.dtype(_KINDS[entry["dtype"]])
            if start + last > size or last - first != element.itemsize * int(np.prod(shape)):
                raise ValueError(f"{str(path)!r} is damaged: tensor {name!r} is not complete")
            tensors[name] = _window(path, start + first, shape, element)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{str(path)!r} is damaged: its header lacks {error}") from None
    return tensors, metadata


def _window(
    path: Path, offset: int, shape: tuple[int, ...], element: np.dtype[Any]
) -> npt.NDArray[Any]:
    if 0 in shape:
        return np.zeros(shape, element)
    return np.memmap(path, element, "c", offset, shape)


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        text = file.read(length) if length <= _LONGEST_HEADER else b""
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("__metadata__", {}), dict):
        raise ValueError(f"{str(path)!r} is damaged or no safetensors file")
    return header, 8 + length
