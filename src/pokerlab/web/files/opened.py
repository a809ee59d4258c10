"""`Opened`: solutions that are open, and answers that were made before.

Large strategies of a solution stay in its file: an open one costs the tables of its boards,
whatever its size. Both are kept by what the file is (its path, size and time of change), so that a
file that is written anew is opened anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from pokerlab.holdem.preflop import PreflopSolution
    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.players.strategies import LimitStrategy

Identity = tuple[str, int, int]
Value = TypeVar("Value")

_SOLUTIONS = 8
_STRATEGIES = 2
_CHARTS = 8
_ANSWER_BYTES = 64_000_000


def file_identity(path: Path) -> Identity:
    """The identity of a file, to notice that another was written in its place."""
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size


class Opened:
    """Solutions by path, and answers (bytes) by file and anything else.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a"
    >>> _ = path.write_bytes(b"abc")
    >>> opened = Opened()
    >>> opened.answer(path, "node x", lambda: b"made"), opened.answer(path, "node x", lambda: b"")
    (b'made', b'made')
    """

    def __init__(self) -> None:
        self._solutions: _Recent[PostflopSolution] = _Recent(_SOLUTIONS, lambda _: 1)
        self._strategies: _Recent[LimitStrategy] = _Recent(_STRATEGIES, lambda _: 1)
        self._charts: _Recent[PreflopSolution] = _Recent(_CHARTS, lambda _: 1)
        self._answers: _Recent[bytes] = _Recent(_ANSWER_BYTES, len)

    def solution(self, path: Path) -> PostflopSolution:
        """Open a solution, or give the one that is open."""
        from pokerlab.holdem.spots import load_postflop

        def load() -> PostflopSolution:
            # States of a solve come and go; one that is open keeps its room on the disk.
            self._solutions.drop(lambda key: not Path(cast(Identity, key)[0]).is_file())
            return load_postflop(path)

        return self._solutions.get(file_identity(path), load)

    def strategy(self, path: Path) -> LimitStrategy:
        """Open a trained strategy, or give the one that is open."""
        return self._strategies.get(file_identity(path), lambda: _open_trained(path))

    def chart(self, path: Path) -> PreflopSolution:
        """Open a chart of play before the flop, or give the one that is open."""
        from pokerlab.holdem.preflop import load_preflop

        return self._charts.get(file_identity(path), lambda: load_preflop(path))

    def answer(self, path: Path, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The result of `make` for this file and this key, cached."""
        return self._answers.get((file_identity(path), key), make)

    def known_answer(self, path: Path, key: Hashable) -> bytes | None:
        """The cached result for this file and this key; None if there is none."""
        return self._answers.known((file_identity(path), key))

    def forget(self, path: Path) -> None:
        """Close a file: some systems do not delete or replace one that is open."""
        for opened in (self._solutions, self._strategies, self._charts):
            opened.drop(lambda key: isinstance(key, tuple) and key[0] == str(path))
        self._answers.drop(lambda key: isinstance(key, tuple) and key[0][0] == str(path))


def _open_trained(path: Path) -> LimitStrategy:
    """Open a strategy, whose groups must have been made: that may take many minutes."""
    from pokerlab.holdem.limit.buckets.caching import buckets_path
    from pokerlab.holdem.limit.sampling.bucketed_game import SIMPLE_GROUPS
    from pokerlab.players.strategies import LimitStrategy
    from pokerlab.runtime.errors import shorten
    from pokerlab.runtime.files.tensor_map import read_header

    groups = read_header(path).metadata.get("groups", "")
    if groups not in SIMPLE_GROUPS and not buckets_path(groups).is_file():
        raise ValueError(
            f"the groups {shorten(groups)} are not on this machine yet: `pokerlab show {path.name}`"
            " makes them once"
        )
    return LimitStrategy.load(path)


class _Recent(Generic[Value]):
    """The values used last; each key is made by one thread, for which others wait."""

    def __init__(self, room: int, size: Callable[[Value], int]) -> None:
        self._room = room
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._held = 0
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            try:
                value = make()
                with self._lock:
                    self._values[key] = value
                    self._held += self._size(value)
                    while self._held > self._room and len(self._values) > 1:
                        _, oldest = self._values.popitem(last=False)
                        self._held -= self._size(oldest)
            finally:
                with self._lock:
                    self._making.pop(key, None)
            return value

    def known(self, key: Hashable) -> Value | None:
        with self._lock:
            return self._values.get(key)

    def drop(self, wanted: Callable[[Hashable], bool]) -> None:
        with self._lock:
            for key in [key for key in self._values if wanted(key)]:
                self._held -= self._size(self._values.pop(key))
