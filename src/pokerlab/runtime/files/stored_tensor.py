"""`StoredTensor`: a large tensor that stays in its file; parts of it are read when they are needed.

A file of any size opens at once, as if it were mapped into memory. But when somebody cuts or
overwrites a mapped file in place (``cp`` does), the system kills whoever looks at it next. Here
every part is read by a call that can fail, and a file that has changed since it was opened is an
error. A file that takes its place by a rename changes nothing: the old one stays open.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.machine import free_memory, size_text

_BLOCK = 1 << 24
"""Bytes that are read at a time where all of a tensor is looked at once."""


class StoredPlace(NamedTuple):
    """Where a tensor lies in its file."""

    offset: int
    shape: tuple[int, ...]
    element: np.dtype[Any]


class OpenFile:
    """A file that is read in parts, by several threads and after a fork too.

    One that is not there or cannot be read is a `ValueError`.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise ValueError(f"there is no file {str(path)!r}")
        with self._named_errors():
            self._file = self.path.open("rb", buffering=0)
            self._first = self._fingerprint()
        self._lock = Lock()
        weakref.finalize(self, self._file.close)

    @property
    def size(self) -> int:
        """Its bytes when it was opened."""
        return self._first[0]

    def read(self, offset: int, into: memoryview) -> None:
        """Fill a buffer; `DamagedFileError` if the file is not the one that was opened."""
        done = 0
        with self._named_errors():
            while done < len(into) and (found := self._read(offset + done, into[done:])):
                done += found
        # What was read is right if nobody has written before the end of reading.
        if done < len(into) or self._fingerprint() != self._first:
            raise DamagedFileError(
                self.path, "open it again", "has been changed since it was opened"
            )

    def _read(self, offset: int, into: memoryview) -> int:
        if hasattr(os, "preadv"):  # all but Windows
            return os.preadv(self._file.fileno(), [into], offset)
        with self._lock:
            self._file.seek(offset)
            return self._file.readinto(into) or 0

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise ValueError(f"{str(self.path)!r} cannot be read: {reason}") from None

    def _fingerprint(self) -> tuple[int, int]:
        found = os.fstat(self._file.fileno())
        return found.st_size, found.st_mtime_ns


class StoredTensor:
    """A tensor in a file: `tensor[first:last]` and `np.asarray(tensor)` read it.

    Parameters
    ----------
    file, place
        The file, and where in it the tensor lies.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "numbers"
    >>> _ = path.write_bytes(np.arange(10, dtype=np.int16).tobytes())
    >>> tensor = StoredTensor(OpenFile(path), StoredPlace(4, (4, 2), np.dtype(np.int16)))
    >>> tensor[1:3].tolist()
    [[4, 5], [6, 7]]
    """

    def __init__(self, file: OpenFile, place: StoredPlace) -> None:
        self._file = file
        self._place = place

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an array."""
        return self._place.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """As of an array."""
        return self._place.element

    @property
    def size(self) -> int:
        """How many elements it has."""
        return prod(self._place.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes its elements have."""
        return self.size * self._place.element.itemsize

    def __len__(self) -> int:
        return self._place.shape[0]

    def __getitem__(self, rows: slice) -> AnyArray:
        first, last, step = rows.indices(len(self))
        if step != 1:
            raise IndexError(f"{rows} of a tensor in a file: only rows side by side are read")
        offset, (_, *shape), element = self._place
        row = prod(shape) * element.itemsize
        place = StoredPlace(offset + first * row, (max(last - first, 0), *shape), element)
        return read_place(self._file, place)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> AnyArray:
        if self.nbytes > free_memory():
            raise ValueError(
                f"{str(self._file.path)!r} needs {size_text(self.nbytes)} of memory here,"
                f" and {size_text(free_memory())} are free"
            )
        found = read_place(self._file, self._place)
        return found if dtype is None else found.astype(dtype, copy=False)

    def blocks(self) -> Iterator[AnyArray]:
        """All elements in order, some at a time."""
        offset, _, element = self._place
        count = _BLOCK // element.itemsize
        for first in range(0, self.size, count):
            length = min(count, self.size - first)
            place = StoredPlace(offset + first * element.itemsize, (length,), element)
            yield read_place(self._file, place)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process, maybe on another machine, gets the numbers."""
        return np.asarray, (np.asarray(self),)


Tensor: TypeAlias = AnyArray | StoredTensor


def read_place(file: OpenFile, place: StoredPlace) -> AnyArray:
    """Read a tensor, or a part of one, into memory."""
    found = np.empty(place.shape, place.element)
    file.read(place.offset, found.reshape(-1).view(np.uint8).data)
    return found


def blocks(tensor: Tensor) -> Iterator[AnyArray]:
    """A tensor as it is, or one in a file part by part."""
    if isinstance(tensor, StoredTensor):
        yield from tensor.blocks()
    else:
        yield tensor
