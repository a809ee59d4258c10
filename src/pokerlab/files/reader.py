"""The one validating reader: nothing that a tensor file holds is used before it was checked.

What a file must hold is said once, by a schema: for each tensor its type, shape and range.
Whatever is different is a `DamagedFileError` of one line that names the file. Types and shapes
are always checked, as kernels index by them; reading all values and the hash of a large file is
left to those who ask for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import AnyArray
from pokerlab.errors import damage_named, one_line
from pokerlab.files.hashes import check_hash
from pokerlab.files.stored_tensor import Tensor, blocks
from pokerlab.files.tensor_map import OpenTensors, Tensors, open_tensors, read_tensors


@dataclass(frozen=True)
class Expected:
    """The expected type, shape and range of a tensor.

    Attributes
    ----------
    dtype
        The type of its elements.
    shape
        Its shape; None for a dimension of any length.
    low, high
        Its smallest and largest value, both included; None for any. Numbers that are not finite
        are refused in any case.
    optional
        Whether it may be missing.

    Examples
    --------
    >>> Expected(np.float64, (2,), 0.0, 1.0).fault(np.array([0.5, 1.5]))
    'holds 1.5, which is not in 0 … 1'
    >>> Expected(np.float64, (None, 3)).fault(np.zeros(2))
    'is float64 of shape (2,), not float64 of shape (any, 3)'
    """

    dtype: npt.DTypeLike
    shape: tuple[int | None, ...] = (None,)
    low: float | None = None
    high: float | None = None
    optional: bool = False

    def fault(self, tensor: Tensor, *, values: bool = True) -> str:
        """The fault of a tensor; empty if there is none.

        `values` are its numbers, which take time to read; its type and shape do not.
        """
        fits = len(tensor.shape) == len(self.shape) and all(
            wanted in (None, length)
            for wanted, length in zip(self.shape, tensor.shape, strict=True)
        )
        if tensor.dtype != self.dtype or not fits:
            return (
                f"is {tensor.dtype} of shape {_shape_text(tensor.shape)}, "
                f"not {np.dtype(self.dtype)} of shape {_shape_text(self.shape)}"
            )
        parts = (part for part in blocks(tensor) if part.size) if values else ()
        return next(filter(None, map(self._fault_of_numbers, parts)), "")

    def _fault_of_numbers(self, tensor: AnyArray) -> str:
        if self._surely_fits(tensor):
            return ""
        smallest, largest = tensor.min().item(), tensor.max().item()
        for value in (smallest, largest):
            if not isfinite(value):
                return f"holds {value}, which is not finite"
        for value in (smallest, largest):
            if (self.low is not None and value < self.low) or (
                self.high is not None and value > self.high
            ):
                return f"holds {value:g}, which is not {self._range()}"
        return ""

    def _surely_fits(self, tensor: AnyArray) -> bool:
        """A quick test for numbers in half precision, which NumPy compares slowly.

        Read as whole numbers, the bits of those that are not negative are in the same order, and
        those of negative numbers and of what is not finite are larger.
        """
        if tensor.dtype != np.float16:
            return False
        bits = tensor.view(np.uint16)
        largest = float(np.finfo(np.float16).max)
        if self.low == 0 and self.high is not None:
            high = np.float16(min(self.high, largest))
            return bool(bits.max() <= high.view(np.uint16))
        any_finite = (self.low is None or self.low <= -largest) and (
            self.high is None or self.high >= largest
        )
        return any_finite and bool((bits & 0x7FFF).max() < np.float16(np.inf).view(np.uint16))

    def _range(self) -> str:
        if self.high is None:
            return f"at least {self.low:g}"
        if self.low is None:
            return f"at most {self.high:g}"
        return f"in {self.low:g} … {self.high:g}"


Schema: TypeAlias = Mapping[str, Expected]
"""What a file must hold: its tensors by name."""


def read_checked(
    path: str | Path,
    kind: str,
    schema: Schema | Callable[[Metadata], Schema],
    *,
    values: bool = True,
    verify: bool = False,
) -> tuple[Tensors, Metadata]:
    """Read a tensor file and check all of it.

    Parameters
    ----------
    path, kind
        The file, and what its metadata must call its format.
    schema
        What it must hold; a function makes it from the metadata, and says by a `ValueError` what
        is wrong with those.
    values
        Whether to check all numbers, and not only types and shapes.
    verify
        Whether to compare everything with the hash that was written with it.

    Examples
    --------
    >>> import tempfile
    >>> from pokerlab.files.tensor_files import write_hashed
    >>> path = Path(tempfile.mkdtemp()) / "a.safetensors"
    >>> write_hashed(path, {"row": np.array([0.25, 0.75])}, {"format": "example 1", "size": "2"})
    >>> def schema(metadata):
    ...     return {"row": Expected(np.float64, (metadata.count("size"),), 0.0, 1.0)}
    >>> tensors, metadata = read_checked(path, "example 1", schema, verify=True)
    >>> tensors["row"].tolist()
    [0.25, 0.75]
    """
    tensors, entries = read_tensors(path, kind)
    metadata = Metadata(entries)
    with damage_named(path):
        wanted = schema(metadata) if callable(schema) else schema
        check_tensors(tensors, wanted, values=values)
        if verify:
            check_hash(tensors, entries)
    return tensors, metadata


def open_checked(
    path: str | Path, kind: str, schema: Callable[[Metadata], Schema]
) -> tuple[OpenTensors, Metadata]:
    """Open a tensor file (`open_tensors`) and check the types and shapes of its tensors."""
    tensors, entries = open_tensors(path, kind)
    metadata = Metadata(entries)
    with damage_named(path):
        check_tensors(tensors, schema(metadata), values=False)
    return tensors, metadata


def check_tensors(tensors: Mapping[str, Tensor], schema: Schema, *, values: bool = True) -> None:
    """`ValueError` for the first tensor that is missing, foreign or wrong."""
    for name, expected in schema.items():
        if name not in tensors:
            if expected.optional:
                continue
            raise ValueError(f"there is no tensor {name!r}")
        if fault := expected.fault(tensors[name], values=values):
            raise ValueError(f"tensor {name!r} {fault}")
    for name in tensors:
        if name not in schema:
            raise ValueError(f"tensor {one_line(name, 60)!r} does not belong there")


@dataclass(frozen=True)
class Metadata:
    """The metadata of a file; `ValueError` names what is missing or wrong.

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
        if not (text.isascii() and text.isdecimal() and len(text) <= 18):
            raise ValueError(f"{name} is {_quoted(text)}, not a whole number")
        return int(text)

    def number(self, name: str, low: float | None = None, high: float | None = None) -> float:
        """A finite number written as in JSON, from `low` to `high`."""
        found = self._parsed(name)
        if not isinstance(found, float):
            raise ValueError(f"{name} is {_quoted(self.text(name))}, not a number")
        _check_number(name, found, low, high)
        return found

    def numbers(
        self,
        name: str,
        length: int | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> tuple[float, ...]:
        """A JSON list of finite numbers from `low` to `high`, of some length."""
        found = self._parsed(name)
        if not isinstance(found, list) or not all(isinstance(one, float) for one in found):
            raise ValueError(f"{name} is {_quoted(self.text(name))}, not a list of numbers")
        if length is not None and len(found) != length:
            raise ValueError(f"{name} has {len(found)} numbers, not {length}")
        for number in found:
            _check_number(name, number, low, high)
        return tuple(found)

    def flag(self, name: str) -> bool:
        """``true`` or ``false``."""
        text = self.text(name)
        if text not in ("true", "false"):
            raise ValueError(f"{name} is {_quoted(text)}, not true or false")
        return text == "true"

    def json(self, name: str) -> object:
        """The value of a text in JSON, all numbers as floats."""
        found = self._parsed(name)
        if found is _NO_JSON:
            raise ValueError(f"{name} is {_quoted(self.text(name))}, not JSON")
        return found

    def _parsed(self, name: str) -> object:
        try:
            return json.loads(self.text(name), parse_int=float)
        except (json.JSONDecodeError, RecursionError):
            return _NO_JSON


_NO_JSON = object()


def _check_number(name: str, number: float, low: float | None, high: float | None) -> None:
    if not isfinite(number):
        raise ValueError(f"{name}: {number} is not a finite number")
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name}: {number:g} is not {Expected(float, (), low, high)._range()}")


def _quoted(text: str) -> str:
    return one_line(text, 60)


def _shape_text(shape: tuple[int | None, ...]) -> str:
    words = ["any" if length is None else str(length) for length in shape]
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"
