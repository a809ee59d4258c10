"""Solver states on disk: one safetensors file, never half-written, never of another game."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

__all__ = [
    "Metadata",
    "content_hash",
    "load_checkpoint",
    "one_line",
    "read_tensors",
    "save_checkpoint",
    "write_hashed",
    "write_tensors",
]

Tensors: TypeAlias = dict[str, npt.NDArray[np.generic]]

_FORMAT = "pokerlab checkpoint 1"


def save_checkpoint(
    path: str | Path,
    identity: Mapping[str, str],
    tensors: Mapping[str, npt.NDArray[np.generic]],
) -> None:
    """Write a solver's state and what it belongs to."""
    write_tensors(path, tensors, {"format": _FORMAT, **identity})


def load_checkpoint(path: str | Path, identity: Mapping[str, str]) -> Tensors:
    """Read a state; `ValueError` says what is different when it belongs to something else."""
    tensors, metadata = read_tensors(path, _FORMAT)
    for key, expected in identity.items():
        found = metadata.get(key, "nothing")
        if found != expected:
            raise ValueError(
                f"checkpoint {str(path)!r} belongs to another solve: its {key} is "
                f"{_short(found)}, not {_short(expected)}"
            )
    return tensors


def write_tensors(
    path: str | Path, tensors: Mapping[str, npt.NDArray[np.generic]], metadata: Mapping[str, str]
) -> None:
    """Write a safetensors file under a temporary name, then rename it."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        save_file(
            {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()},
            temporary,
            metadata=dict(metadata),
        )
        temporary.chmod(0o666 & ~_umask())  # safetensors lets only the owner read
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_hashed(
    path: str | Path, tensors: Mapping[str, npt.NDArray[np.generic]], metadata: Mapping[str, str]
) -> None:
    """The same with the entry ``hash`` by which damage is noticed (`content_hash`)."""
    write_tensors(path, tensors, {**metadata, "hash": content_hash(tensors, metadata)})


def read_tensors(path: str | Path, kind: str) -> tuple[Tensors, dict[str, str]]:
    """Read a safetensors file whose metadata has ``format`` = `kind`."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = dict(file.metadata() or {})
            if metadata.get("format") != kind:
                found = one_line(metadata.get("format", "another safetensors file"))
                raise ValueError(f"{str(path)!r} is not a {kind} but {found}")
            return {name: file.get_tensor(name) for name in file.keys()}, metadata  # noqa: SIM118
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    # Element types that NumPy lacks are a TypeError or an AttributeError.
    except (SafetensorError, TypeError, AttributeError) as error:
        reason = one_line(str(error))
        raise ValueError(f"{str(path)!r} is damaged or no safetensors file: {reason}") from None


def content_hash(
    tensors: Mapping[str, npt.NDArray[np.generic]], metadata: Mapping[str, str]
) -> str:
    """A SHA-256 of all that a file holds, but for its entry ``hash``."""
    header = {
        "metadata": {key: text for key, text in metadata.items() if key != "hash"},
        "tensors": {name: (tensor.dtype.str, tensor.shape) for name, tensor in tensors.items()},
    }
    seen = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(tensors):
        seen.update(np.ascontiguousarray(tensors[name]).tobytes())
    return seen.hexdigest()


@dataclass(frozen=True)
class Metadata:
    """The metadata of a file; `ValueError` names what is missing or not what it should be.

    Examples
    --------
    >>> Metadata({"seconds": "1.5"}).number("seconds")
    1.5
    >>> Metadata({"seconds": "long"}).number("seconds")
    Traceback (most recent call last):
    ValueError: seconds is long, not a number
    """

    entries: Mapping[str, str]

    def text(self, name: str) -> str:
        """An entry as it stands."""
        if name not in self.entries:
            raise ValueError(f"there is no {name!r} in the metadata")
        return self.entries[name]

    def count(self, name: str) -> int:
        """A whole number that is not negative."""
        text = self.text(name)
        if not (text.isdecimal() and len(text) <= 18):
            raise ValueError(f"{name} is {one_line(text)}, not a whole number")
        return int(text)

    def number(self, name: str) -> float:
        """A number written as in JSON."""
        found = self._parsed(name)
        if not isinstance(found, float):
            raise ValueError(f"{name} is {one_line(self.text(name))}, not a number")
        return found

    def numbers(self, name: str) -> tuple[float, ...]:
        """A JSON list of numbers."""
        found = self._parsed(name)
        if not isinstance(found, list) or not all(isinstance(one, float) for one in found):
            raise ValueError(f"{name} is {one_line(self.text(name))}, not a list of numbers")
        return tuple(found)

    def _parsed(self, name: str) -> object:
        text = self.text(name)
        try:
            return json.loads(text, parse_int=float)
        except (json.JSONDecodeError, RecursionError):
            return None


def one_line(text: str) -> str:
    """A text from a file as part of a message: cut, and what ends a line written as an escape."""
    text = text if len(text) <= 200 else text[:199] + "…"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:12] + "…"


def _umask() -> int:
    """What new files may not have; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
