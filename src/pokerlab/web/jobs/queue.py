"""`Jobs`: the queue of solves. One runs at a time, in a process that outlives the server.

What a solve is lies in its folder (`job_folder`), so that a server that starts finds those which
run, whoever started them, and two servers over one folder start none twice.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.file_locks import locked
from pokerlab.runtime.machine import free_memory, size_text
from pokerlab.web.answers import FieldError, UnknownIdError
from pokerlab.web.files.library import LIVE, Listed
from pokerlab.web.jobs.job_folder import ENDED, JobFolder, is_alive, process_identity
from pokerlab.web.jobs.job_view import (
    SHORT,
    batch_job_view,
    checkpoint_is_newer,
    job_view,
    seconds_spent,
)
from pokerlab.web.jobs.task_view import TASKS, task_view

_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_TO_END = 5.0
_STATE_ID = re.compile(rf"{LIVE}([0-9a-f]{{12}})-(\d{{1,16}})")
_PROGRAMS: dict[str | None, str] = {
    None: "pokerlab.web.jobs.solve_process",
    "batch": "pokerlab.web.jobs.batch_process",
    **dict.fromkeys(TASKS, "pokerlab.web.jobs.task_process"),
}
"""What does a job, by its kind."""
_MOST_TASKS = 30
"""Tasks that have ended and are kept: each is in the list of nothing else."""
_LONGEST_SLEEP = 5.0
"""Another server over the folder may have been killed with solves in its queue."""


class Jobs:
    """The solves of a folder.

    Parameters
    ----------
    folder
        The folder that is served; solves are in ``.pokerlab/jobs`` below it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = folder / ".pokerlab" / "jobs"
        self._jobs: dict[str, JobFolder] = {}
        self._lock = threading.Lock()
        self._children: list[subprocess.Popen[bytes]] = []
        self._wake = threading.Event()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._waiting: dict[str, str] = {}

    def start(self) -> None:
        """Begin to look after the queue, in a thread."""
        self._over.clear()
        self._wake.set()
        self._thread = threading.Thread(target=self._watch, name="jobs", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look after nothing any more; what runs goes on."""
        self._over.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_SECONDS_TO_END)

    def add(self, question: dict[str, Any]) -> str:
        """Put a solve into the queue; its id."""
        job = JobFolder(self.place / secrets.token_hex(6))
        job.path.mkdir(parents=True)
        try:
            job.write_question({**question, "created": time.time()})
            job.write_state(status="queued")
        except OSError:
            shutil.rmtree(job.path, ignore_errors=True)
            raise
        self._wake.set()
        return job.id

    def add_task(self, question: dict[str, Any]) -> str:
        """The same for a task; the oldest that have ended are forgotten."""
        ended = [
            job
            for job in self._all()
            if job.question().get("kind") in TASKS and job.state()["status"] in ENDED
        ]
        ended.sort(key=lambda job: -float(job.question().get("created") or 0.0))
        for job in ended[_MOST_TASKS - 1 :]:
            with contextlib.suppress(UnknownIdError):
                self.cancel(job.id)
        return self.add(question)

    def views(self) -> list[dict[str, Any]]:
        """All solves in the words of the pages, the newest first."""
        views = [self._view(job) for job in self._all()]
        return sorted(views, key=lambda view: -view["created"])

    def view(self, id_: str) -> dict[str, Any]:
        """One solve."""
        return self._view(self.find(id_))

    def outputs(self) -> set[Path]:
        """Files that are going to be written."""
        waiting = (job for job in self._all() if job.state()["status"] in ("queued", "running"))
        named = (job.question().get("output") for job in waiting)
        return {Path(output) for output in named if output}

    def find(self, id_: str) -> JobFolder:
        """The folder of a solve."""
        good = len(id_) == 12 and all(letter in "0123456789abcdef" for letter in id_)
        if not good or not (self.place / id_ / "question.json").is_file():
            raise UnknownIdError(f"there is no solve {one_line(id_, 20)!r} (any more)")
        with self._lock:
            return self._jobs.setdefault(id_, JobFolder(self.place / id_))

    def stop(self, id_: str) -> None:
        """End a solve, and keep its result so far."""
        job = self._solve(id_)
        status = job.state()["status"]
        if status == "queued":
            raise ValueError("it has not begun: cancel it")
        self._wish(job, action="stop")
        if status in ("paused", "interrupted"):  # a process makes an answer of the checkpoint
            if not job.checkpoint.exists():
                raise ValueError("nothing was saved of it: go on, or cancel it")
            self._queue(job)

    def pause(self, id_: str) -> None:
        """End the process; `go_on` begins where it was."""
        job = self._solve(id_)
        with self._queue_locked():
            if job.state()["status"] == "queued":
                job.write_state(status="paused")
                return
        if job.state()["status"] != "running":
            raise ValueError("it does not run")
        self._wish(job, action="pause")

    def go_on(self, id_: str, target: float | None = None) -> None:
        """Continue a solve that is paused, was killed or is done; `target` in chips, for any."""
        job = self.find(id_)
        state, question = job.state(), job.question()
        if target is not None:
            question = {**question, "target": target, "iterations": None, "seconds": None}
        if state["status"] in ("running", "queued"):
            if target is None:
                raise ValueError("it runs already")
            job.write_question(question)
            self._wish(job, target=target)
            return
        if state["status"] == "done":
            if question.get("kind") in TASKS:
                raise ValueError("it is done")
            if target is None and state.get("stopped") not in SHORT:
                raise FieldError("target", "it is done: give a lower target")
            if not Path(question["output"]).is_file():
                raise ValueError("its solution is gone: solve the spot again")
            question = {**question, "start": question["output"]}
        job.write_question(question)
        job.write_control()
        self._queue(job)

    def look(self, id_: str) -> None:
        """Ask for the state that a solve is in, to study it; the view says when it is there."""
        job = self.find(id_)
        if job.question().get("kind") is not None:
            raise ValueError("only the solve of one spot is studied while it runs")
        status, asked = job.state()["status"], job.look()
        if status == "running":
            job.wish_look()
            return
        if status in ("done", "cancelled"):
            raise ValueError("it has ended: nothing of it is under way")
        if asked.get("wanted") and is_alive(asked.get("process")):
            return
        if checkpoint_is_newer(job):
            needed, free = job.question().get("bytes", 0), free_memory()
            if needed > free:
                raise FieldError(
                    "memory",
                    f"to read its checkpoint takes {size_text(needed)}, {size_text(free)} are free",
                )
            self._read_checkpoint(job)
        elif job.newest_state() is None:
            raise ValueError("nothing was saved of it yet")

    def find_state(self, id_: str) -> Listed:
        """The file of a state to look at, by an id such as ``live-0123456789ab-340``."""
        found = _STATE_ID.fullmatch(id_)
        if found is None:
            raise UnknownIdError(f"{one_line(id_, 40)!r} is not the state of a solve")
        job, iteration = self.find(found[1]), int(found[2])
        path = job.state_path(iteration)
        if not path.is_file():
            raise UnknownIdError(
                f"the state of iteration {iteration:,} is gone: the solve has a newer one, or ended"
            )
        return Listed(id_, path, f"{job.question().get('name', 'solve')}.safetensors")

    def enlarge(self, id_: str, boards: int) -> None:
        """Say of a batch that it has this number of boards by now."""
        job = self.find(id_)
        job.write_question({**job.question(), "boards": boards})

    def cancel(self, id_: str) -> None:
        """End a solve and discard its result; remove one that has ended."""
        job = self.find(id_)
        with self._queue_locked():
            state = job.state()
            if state["status"] == "running":
                _kill(state.get("process"))
            _kill(job.look().get("process"))
            self._reap()
            if state["status"] in ENDED:
                with self._lock:
                    self._jobs.pop(id_, None)
                shutil.rmtree(job.path, ignore_errors=True)
            else:
                job.checkpoint.unlink(missing_ok=True)
                job.remove_states()
                job.write_state(status="cancelled", began=state.get("began"), ended=time.time())
        self._wake.set()

    def _queue_locked(self) -> AbstractContextManager[None]:
        """Nothing is started in this block, by no server over the folder."""
        return locked(self.place / "queue")

    def _queue(self, job: JobFolder) -> None:
        """Let a process take a job up again; its clock goes on if its work does."""
        question = job.question()
        kept = question.get("kind") == "batch" or question.get("start") or job.checkpoint.exists()
        job.write_question({**question, "spent": seconds_spent(job) if kept else None})
        job.end_look()
        job.write_state(status="queued")
        self._wake.set()

    def _solve(self, id_: str) -> JobFolder:
        """A job that stops and pauses; tasks do not."""
        job = self.find(id_)
        if job.question().get("kind") in TASKS:
            raise ValueError("it cannot stop half-way: cancel it")
        return job

    def _wish(self, job: JobFolder, **wishes: Any) -> None:
        job.write_control(**{**job.control(), **wishes})

    def _view(self, job: JobFolder) -> dict[str, Any]:
        waiting = self._waiting.get(job.id)
        if job.question().get("kind") in TASKS:
            return task_view(job, waiting)
        if job.question().get("kind") == "batch":
            return batch_job_view(job, waiting)
        return job_view(job, waiting)

    def _all(self) -> list[JobFolder]:
        try:
            names = sorted(path.name for path in self.place.iterdir())
        except OSError:
            return []
        found = []
        for name in names:
            with contextlib.suppress(UnknownIdError):
                found.append(self.find(name))
        return found

    def _watch(self) -> None:
        while not self._over.is_set():
            self._reap()
            try:
                busy = self._start_next()
            except OSError:  # a full disk, a folder that has gone: later
                busy = True
            self._wake.clear()
            if self._over.is_set():
                return
            self._wake.wait(_SECONDS_BETWEEN_LOOKS if busy else _LONGEST_SLEEP)

    def _start_next(self) -> bool:
        """Start the oldest solve that waits, if none runs; whether to look again soon."""
        if not self.place.is_dir():
            return False
        states = {job.id: job.state() for job in self._all()}
        if not any(state["status"] in ("queued", "running") for state in states.values()):
            return False
        with self._queue_locked():
            jobs = self._all()
            if any(_holds_memory(job.state()) for job in jobs):
                self._waiting = {}
                return True
            queued = [job for job in jobs if job.state()["status"] == "queued"]
            queued.sort(key=lambda job: job.state().get("at", 0.0))
            for job in queued:
                needed, free = job.question().get("bytes", 0), free_memory()
                if needed > free:
                    self._waiting[job.id] = (
                        f"waiting for memory: it needs {size_text(needed)}, {size_text(free)} are "
                        "free"
                    )
                    continue
                self._waiting.pop(job.id, None)
                self._start(job)
                break
        return True

    def _read_checkpoint(self, job: JobFolder) -> None:
        """Start the process that makes a state to look at of a checkpoint."""
        child = self._spawn("pokerlab.web.jobs.look_process", job)
        with contextlib.suppress(Exception):  # it has ended already, and has said how
            job.wish_look(process_identity(child.pid))

    def _spawn(self, program: str, job: JobFolder) -> subprocess.Popen[bytes]:
        """Start a process for a job, free of this one: signals and terminals are its own."""
        flags: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            detached = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
            flags = {"creationflags": detached}
        with job.log.open("ab") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", program, str(job.path)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **flags,
            )
        self._children.append(child)
        return child

    def _start(self, job: JobFolder) -> None:
        """Start the process of a job."""
        child = self._spawn(_PROGRAMS[job.question().get("kind")], job)
        # It says the same itself, once Python has started: until then nobody may start another.
        try:
            identity = process_identity(child.pid)
        except Exception:  # it has ended already, and has said how
            return
        if job.state()["status"] == "queued":
            job.write_state(status="running", process=identity, began=time.time())

    def _reap(self) -> None:
        """Let the system forget processes that have ended."""
        self._children = [child for child in self._children if child.poll() is None]


def _holds_memory(state: Mapping[str, Any]) -> bool:
    """Whether a process works, or has just said that it is done and is about to end."""
    return state["status"] == "running" or is_alive(state.get("process"))


def _kill(identity: Any) -> None:
    import psutil

    if not is_alive(identity):
        return
    process = psutil.Process(int(identity[0]))
    process.kill()
    with contextlib.suppress(psutil.Error):
        process.wait(_SECONDS_TO_END)
