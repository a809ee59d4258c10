"""`BatchReports`: lines on all boards of a batch, made or being made.

A report of the first decision is read from the rows of the folder. For any other line all solutions
are opened once, in a thread; until it is done the answer says how far it is. A report that nobody
asks for any more is stopped, and its results so far are in the folder (`pokerlab.batches`).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pokerlab.batches.question_file import QUESTION_FILE
from pokerlab.web.files.opened import file_identity

if TYPE_CHECKING:
    from pokerlab.batches import Batch
    from pokerlab.postflop.answer.line_report import LineReport

_KEPT = 12
_PATIENCE = 20.0
"""Seconds after which a report that nobody asks for is stopped."""
_QUICK = 0.25
"""So long an answer waits for a report before it says how far it is."""


class BatchReports:
    """Reports, finished and in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[object, _Making] = OrderedDict()

    def get(self, batch: Batch, line: str, hands: str) -> LineReport | tuple[int, int]:
        """The report of a line; or how many boards have been opened for it, of how many."""
        from pokerlab.postflop.question.lines import to_line

        key = (*_version(batch), str(to_line(line)), hands)
        with self._lock:
            making = self._made.get(key)
            if making is None:
                making = self._made[key] = _Making(batch, line, hands or None)
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
                making.start()
            self._made.move_to_end(key)
        making.asked = time.monotonic()
        if not making.ended.wait(_QUICK):
            return making.done, making.total
        if making.report is None:
            with self._lock:
                self._made.pop(key, None)
            raise making.error or ValueError("nobody waited for this report; ask again")
        return making.report


def _version(batch: Batch) -> tuple[object, ...]:
    """What changes when a board is added or solved."""
    return file_identity(batch.folder / QUESTION_FILE), file_identity(batch.folder / "solutions")


class _Abandoned(Exception):  # noqa: N818
    """Nobody asks for the report any more."""


@dataclass
class _Making:
    """A report that a thread makes."""

    batch: Batch
    line: str
    hands: str | None
    report: LineReport | None = None
    error: Exception | None = None
    done: int = 0
    total: int = 0
    asked: float = field(default_factory=time.monotonic)
    ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        threading.Thread(target=self._make, name="report", daemon=True).start()

    def _make(self) -> None:
        from pokerlab.batches import report_boards

        try:
            self.report = report_boards(self.batch, self.line, self.hands, self._tell)
        except _Abandoned:
            pass
        except Exception as error:
            self.error = error
        finally:
            self.ended.set()

    def _tell(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if time.monotonic() - self.asked > _PATIENCE:
            raise _Abandoned
