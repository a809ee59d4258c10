"""Solver states on disk: one safetensors file, never half-written, never of another game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

__all__ = ["load_checkpoint", "read_tensors", "save_checkpoint", "write_tensors"]

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
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_tensors(path: str | Path, kind: str) -> tuple[Tensors, dict[str, str]]:
    """Read a safetensors file whose metadata has ``format`` = `kind`."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = dict(file.metadata() or {})
            if metadata.get("format") != kind:
                found = metadata.get("format", "another safetensors file")
                raise ValueError(f"{str(path)!r} is not a {kind} but {found}")
            return {name: file.get_tensor(name) for name in file.keys()}, metadata  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{str(path)!r} is damaged or no safetensors file: {error}") from None


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:12] + "…"
