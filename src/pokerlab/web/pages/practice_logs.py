"""Results of practice, read once: of a file that is known only what was added is read again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokerlab.drills.log import DrillLog

_MOST_OPEN = 300


class PracticeLogs:
    """Files of results by path; those used last are kept.

    Examples
    --------
    >>> import tempfile
    >>> logs, path = PracticeLogs(), Path(tempfile.mkdtemp(), "turn.training.jsonl")
    >>> logs.get(path).entries(), logs.get(path) is logs.get(path)
    ([], True)
    """

    def __init__(self) -> None:
        self._open: OrderedDict[Path, tuple[int | None, DrillLog]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, path: Path, source: str = "") -> DrillLog:
        """The results in a file; `DamagedFileError` if a line of it is not a result.

        With `source` all of them are of that source, as in `DrillLog`.
        """
        from pokerlab.drills.log import open_log

        try:
            identity: int | None = path.stat().st_ino
        except OSError:
            identity = None
        with self._lock:
            known = self._open.get(path)
        if known is not None and known[0] in (identity, None):
            found = known[1]
            found.entries()
        else:
            found = open_log(path, source)
        with self._lock:
            self._open[path] = identity, found
            self._open.move_to_end(path)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
        return found
