"""The folder of one solve: everything about it is in files, so that nobody has to stay alive.

The server and the process that solves speak through the folder alone; either may be killed at any
time, and a new server finds the solve as it is::

    FOLDER/.pokerlab/jobs/ID/
      question.json            what is to be solved, how exactly, and where the solution goes
      state.json               queued, running (which process), paused, done, failed, cancelled
      control.json             what the user wants of the process: stop, pause, another target
      progress.jsonl           a line for each thing that the process has to say
      checkpoint.safetensors   from which it goes on
      state-340.safetensors    its strategies after 340 iterations, which somebody wanted to see
      look.json                there while such a state is wanted, or was not to be had
      result.json              what a task found; its solution is simple.safetensors
      log.txt                  what it printed, where something went wrong that nobody foresaw
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from pokerlab.runtime.file_locks import locked
from pokerlab.runtime.files.atomic import write_text

FINAL = ("done", "failed", "cancelled", "paused", "interrupted")
"""States in which no process works."""

ENDED = ("done", "cancelled", "failed")
"""Those from which nothing goes on by itself."""

_STATE = re.compile(r"state-(\d{1,16})\.safetensors")
_TRIES = 20
_SECONDS_BETWEEN_TRIES = 0.02


class JobFolder:
    """The files of one solve.

    Examples
    --------
    >>> import tempfile
    >>> job = JobFolder(Path(tempfile.mkdtemp()))
    >>> job.write_state(status="queued")
    >>> job.state()["status"]
    'queued'
    >>> job.tell(phase="preparing")
    >>> job.lines()
    [{'phase': 'preparing'}]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_until = 0
        self._lines: list[dict[str, Any]] = []

    @property
    def id(self) -> str:
        """The name of the folder."""
        return self.path.name

    @property
    def checkpoint(self) -> Path:
        """The file from which the solve goes on."""
        return self.path / "checkpoint.safetensors"

    @property
    def log(self) -> Path:
        """The output of the process."""
        return self.path / "log.txt"

    def question(self) -> dict[str, Any]:
        """The input of the solve."""
        return self._read("question.json")

    def write_question(self, question: Mapping[str, Any]) -> None:
        """Write the input of the solve."""
        self._write("question.json", question)

    def state(self) -> dict[str, Any]:
        """Where the solve stands; a process that has gone without a word is ``interrupted``."""
        found = self._read("state.json")
        if found.get("status") == "running" and not is_alive(found.get("process")):
            # It may have ended just now, and said so after we looked.
            found = self._read("state.json")
            if found.get("status") == "running" and not is_alive(found.get("process")):
                found = {**found, "status": "interrupted"}
        return found or {"status": "failed", "error": "its files are gone"}

    def write_state(self, **state: Any) -> None:
        """Say where the solve stands."""
        self._write("state.json", {**state, "at": time.time()})

    def ending(self) -> AbstractContextManager[None]:
        """A block in which a job that works does not end."""
        return locked(self.path / "ending")

    def control(self) -> dict[str, Any]:
        """The user's commands to the process."""
        return self._read("control.json")

    def write_control(self, **wishes: Any) -> None:
        """Write the user's commands to the process."""
        self._write("control.json", wishes)

    def state_path(self, iteration: int) -> Path:
        """The file of the state after some iterations, to be looked at."""
        return self.path / f"state-{iteration}.safetensors"

    def newest_state(self) -> tuple[int, float] | None:
        """The iteration of the state that was written last, and when; None if there is none."""
        found = []
        with suppress(OSError), os.scandir(self.path) as entries:
            for entry in entries:
                if name := _STATE.fullmatch(entry.name):
                    with suppress(OSError):
                        found.append((entry.stat().st_mtime, int(name[1])))
        if not found:
            return None
        at, iteration = max(found)
        return iteration, at

    def remove_states(self, but: int | None = None) -> None:
        """Remove all states, but one; what another program holds open stays."""
        with suppress(OSError):
            for path in self.path.glob("state-*.safetensors"):
                if _STATE.fullmatch(path.name) and (but is None or path != self.state_path(but)):
                    with suppress(OSError):
                        path.unlink()

    def wish_look(self, process: list[float] | None = None) -> None:
        """Ask for a state to look at; `process` writes it if the solver does not."""
        self._write("look.json", {"wanted": True, "process": process})

    def look(self) -> dict[str, Any]:
        """The request for a state (``wanted``, ``process``), or why there is none (``error``)."""
        return self._read("look.json")

    def end_look(self, problem: str = "") -> None:
        """The state that was asked for is there, or why it is not."""
        try:
            if problem:
                self._write("look.json", {"error": problem})
                return
        except OSError:  # not even room for the message
            pass
        with suppress(OSError):
            (self.path / "look.json").unlink(missing_ok=True)

    def tell(self, **line: Any) -> None:
        """Add a line to the progress; a disk that is full must not cost the solve."""
        try:
            with (self.path / "progress.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError:
            pass

    @property
    def found_solution(self) -> Path:
        """The solution that a task made, until it is kept in the Library."""
        return self.path / "simple.safetensors"

    @property
    def kept_values(self) -> Path:
        """What a task has measured: killed and begun again, it does not measure it again."""
        return self.path / "values.jsonl"

    def result(self) -> dict[str, Any]:
        """What a task found; empty before it has ended."""
        return self._read("result.json")

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Write what a task found."""
        self._write("result.json", result)

    def lines(self) -> list[dict[str, Any]]:
        """All lines of the progress since the process began; each is read once."""
        path = self.path / "progress.jsonl"
        try:
            size = path.stat().st_size
            if size < self._read_until:
                self._read_until, self._lines = 0, []
            if size > self._read_until:
                with path.open("rb") as file:
                    file.seek(self._read_until)
                    new = file.read(size - self._read_until)
                whole = new[: new.rfind(b"\n") + 1]  # the last line may be half written
                self._read_until += len(whole)
                for text in whole.splitlines():
                    self._add(text)
        except OSError:
            pass
        return self._lines

    def _add(self, text: bytes) -> None:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            return  # a process was killed while it wrote
        if isinstance(line, dict):
            if line.get("phase") == "beginning":
                self._lines = []
            self._lines.append(line)

    def _read(self, name: str) -> dict[str, Any]:
        for _ in range(_TRIES):
            try:
                found = json.loads((self.path / name).read_bytes())
                return found if isinstance(found, dict) else {}
            except FileNotFoundError:
                return {}
            except PermissionError:  # Windows, while the file is replaced
                time.sleep(_SECONDS_BETWEEN_TRIES)
            except (OSError, ValueError, RecursionError):
                return {}
        return {}

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        text = json.dumps(data)
        for trial in range(_TRIES):
            try:
                write_text(self.path / name, text)
                return
            except PermissionError:  # Windows, while the file is read
                if trial == _TRIES - 1:
                    raise
                time.sleep(_SECONDS_BETWEEN_TRIES)


def process_identity(process: int | None = None) -> list[float]:
    """The number of a process and when it began: numbers are given again, both together are not."""
    import psutil

    number = os.getpid() if process is None else process
    return [number, psutil.Process(number).create_time()]


def is_alive(identity: Any) -> bool:
    """Whether the process that had this identity still works."""
    import psutil

    try:
        number, began = identity
        process = psutil.Process(int(number))
        return bool(
            abs(process.create_time() - began) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
        )
    except (TypeError, ValueError, OverflowError, psutil.Error):
        return False
