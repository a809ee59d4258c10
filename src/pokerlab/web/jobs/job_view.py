"""A solve, or a batch, in the words of the pages: how far it is, how fast, and how long yet."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.runtime.machine import duration_text, size_text
from pokerlab.views.stop_texts import stop_text
from pokerlab.views.texts import number_text
from pokerlab.web.jobs.job_folder import ENDED, FINAL, is_alive

if TYPE_CHECKING:
    from pokerlab.web.jobs.job_folder import JobFolder


_PHASES = {
    "beginning": "starting",
    "preparing": "preparing the tree",
    "compiling": "compiling the engine (first time, half a minute)",
    "iterating": "solving",
    "measuring": "measuring",
    "saving checkpoint": "saving a checkpoint",
    "stopping": "stopping",
}
_ENDS = {
    "queued": "waiting in the queue",
    "paused": "paused",
    "done": "done: the target is reached",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "the process was killed",
}

SHORT = ("cancelled", "stalled")
"""Solves that ended above their target for reasons that need not hold any more."""

_STOPPED = {
    "cancelled": "stopped, and kept",
    "iterations": "done: all iterations are made",
    "seconds": "done: the time is over",
    "groups": "done: what is missing is the price of the groups",
}
_CAN_BATCH = {
    "queued": ["pause", "cancel"],
    "running": ["pause", "cancel"],
    "paused": ["go-on", "forget"],
    "interrupted": ["go-on", "forget"],
    "failed": ["go-on", "forget"],
    "done": ["open", "forget"],
    "cancelled": ["forget"],
}
"""What the user may do with a batch: its boards are kept whatever happens."""


def job_view(job: JobFolder, waiting: str | None) -> dict[str, Any]:
    """The data of a solve for the pages."""
    state, question, lines = job.state(), job.question(), job.lines()
    pot = float(question.get("pot") or 1.0)
    points = [point for line in lines for point in line.get("points", ())]
    last: dict[str, Any] = next((line for line in reversed(lines) if "iteration" in line), {})
    newest = newest_line(state, lines)
    target = question.get("target")
    reached = points[-1][2] if points else None
    running = state["status"] == "running"
    left = newest.get("left") if running else None
    exists, checkpoint = Path(question.get("output", "x")).is_file(), job.checkpoint.exists()
    return common_view(job, state, question) | {
        "kind": "solve",
        "phase": _advice(state, question) or phase_text(state, newest, job.control(), waiting),
        "warnings": newest.get("warnings") or last.get("warnings") or [],
        "iteration": last.get("iteration"),
        "iterations": question.get("iterations"),
        "target": None if target is None else {"chips": target, "percent": 100 * target / pot},
        "target_text": None if target is None else f"{number_text(100 * target / pot)}%",
        "reached": None if reached is None else {"chips": reached, "percent": 100 * reached / pot},
        "reached_text": None if reached is None else f"{number_text(100 * reached / pot)}%",
        "left": left,
        "left_text": _left(running, newest, left),
        "points": [[count, seconds, 100 * chips / pot] for count, seconds, chips in points],
        "checkpoint": checkpoint,
        "look": _look(job, state, lines, exists=exists),
        "trend": _trend(points),
        "can": _can(state, exists=exists, checkpoint=checkpoint),
        "solution": question.get("solution_id") if exists and state["status"] == "done" else None,
        "spot": question.get("spot_id"),
    }


def newest_line(state: dict[str, Any], lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The last progress line of a process; empty while a new process starts."""
    newest = lines[-1] if lines else {}
    if state["status"] == "running" and newest.get("time", 0.0) < (state.get("began") or 0.0):
        return {}
    return newest


def common_view(job: JobFolder, state: dict[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    """The data of every job for the pages."""
    elapsed = seconds_spent(job)
    return {
        "id": job.id,
        "name": question.get("name", ""),
        "created": question.get("created", 0.0),
        "status": state["status"],
        "error": state.get("error"),
        "elapsed": elapsed,
        "elapsed_text": None if elapsed is None else duration_text(elapsed),
        "bytes_text": size_text(question.get("bytes", 0)),
        "output": Path(question.get("output", "x")).name,
        "summary": question.get("summary", {}),
        "ended": state["status"] in FINAL,
    }


def seconds_spent(job: JobFolder) -> float | None:
    """The time that a job has run, earlier parts included; None before it began."""
    state, before = job.state(), float(job.question().get("spent") or 0.0)
    began, ended = state.get("began"), state.get("ended")
    if state["status"] == "running":
        ended = time.time()
    elif ended is None and job.lines():  # its process was killed
        ended = job.lines()[-1].get("time")
    if began is None or ended is None:
        return before or None
    return before + max(0.0, float(ended) - float(began))


def phase_text(
    state: dict[str, Any], newest: dict[str, Any], wishes: dict[str, Any], waiting: str | None
) -> str:
    """The current phase, in words."""
    status = str(state["status"])
    if status == "queued" and waiting:
        return waiting
    if status != "running":
        return _end_text(status, state.get("stopped"))
    phase = str(newest.get("phase", "beginning"))
    if wishes.get("action") == "pause":
        return "pausing: saving a checkpoint"
    return _PHASES.get(phase, phase)


def _end_text(status: str, stopped: str | None) -> str:
    """How it ended; a reason that has no words here is its own."""
    if status != "done" or stopped in (None, "target"):
        return _ENDS[status]
    return _STOPPED.get(str(stopped), f"done: {stopped}")


def _advice(state: dict[str, Any], question: dict[str, Any]) -> str:
    """Advice after a solve that stalled."""
    if state["status"] != "done" or state.get("stopped") != "stalled":
        return ""
    precision, groups = question.get("precision") or 32, question.get("groups")
    return stop_text("stalled", state.get("rule") or "", precision=precision, groups=groups)


def _left(running: bool, newest: dict[str, Any], left: float | None) -> str | None:
    """How long it takes; nothing is claimed before there is something to go by."""
    if not running or newest.get("phase") not in ("iterating", "measuring", "saving checkpoint"):
        return None
    return "estimating…" if left is None else about_text(left)


def about_text(seconds: float) -> str:
    """A time that is left, rounded as estimates are.

    Examples
    --------
    >>> about_text(0.2), about_text(75)
    ('under a second', 'about 75 s')
    """
    return "under a second" if seconds < 1 else f"about {duration_text(seconds)}"


def _look(
    job: JobFolder, state: dict[str, Any], lines: list[dict[str, Any]], *, exists: bool
) -> dict[str, Any]:
    """What there is to study before the solve has ended.

    ``iteration`` is that of the state that was written last, ``newer`` whether a later one is to
    be had, ``busy`` whether it is being written, ``error`` why it was not.
    """
    if state["status"] in ENDED and (exists or state["status"] != "failed"):
        return {"open": False, "iteration": None, "newer": False, "busy": False, "error": None}
    asked, written, running = job.look(), job.newest_state(), state["status"] == "running"
    iteration = None if written is None else written[0]
    if running:
        reached = next((line["iteration"] for line in reversed(lines) if "iteration" in line), 0)
        newer = reached > 0 and reached != iteration
    else:
        newer = checkpoint_is_newer(job)
    return {
        "open": newer or written is not None,
        "iteration": iteration,
        "newer": newer,
        "busy": bool(asked.get("wanted")) and (running or is_alive(asked.get("process"))),
        "error": asked.get("error"),
    }


def checkpoint_is_newer(job: JobFolder) -> bool:
    """Whether a solve that does not run has a checkpoint from after its last state to look at."""
    try:
        at = job.checkpoint.stat().st_mtime
    except OSError:
        return False
    written = job.newest_state()
    return written is None or at > written[1]


def _trend(points: list[list[float]]) -> str:
    """Whether the exploitability still falls, by its last measurements."""
    from pokerlab.solvers.history import Point, stalls

    if len(points) < 2:
        return ""
    if stalls([Point(int(count), seconds, chips) for count, seconds, chips in points]):
        return "standing still"
    return "still falling" if points[-1][2] < points[-2][2] else "not falling just now"


def _can(state: dict[str, Any], *, exists: bool, checkpoint: bool) -> list[str]:
    """The actions that the user has now."""
    short = exists and state.get("stopped") in SHORT
    return {
        "queued": ["pause", "cancel"],
        "running": ["stop", "pause", "target", "cancel"],
        "paused": ["go-on", *(["stop"] if checkpoint else []), "cancel"],
        "interrupted": ["go-on", *(["stop"] if checkpoint else []), "cancel"],
        "failed": ["go-on", "forget"],
        "done": [*(["go-on"] if short else []), *(["target"] if exists else []), "forget"],
        "cancelled": ["forget"],
    }[state["status"]]


def batch_job_view(job: JobFolder, waiting: str | None) -> dict[str, Any]:
    """The data of a batch for the pages."""
    state, question, lines = job.state(), job.question(), job.lines()
    running = state["status"] == "running"
    newest = newest_line(state, lines)
    last: dict[str, Any] = next((line for line in reversed(lines) if "done" in line), {})
    left, rate = (last.get(name) if running else None for name in ("left", "rate"))
    phase = phase_text(state, newest, {}, waiting)
    if running and job.control().get("action"):
        phase = "stopping when the boards that have begun are solved"
    return common_view(job, state, question) | {
        "kind": "batch",
        "phase": phase,
        "warnings": newest.get("warnings") or [],
        "done": last.get("done"),
        "total": max(question.get("boards") or 0, last.get("total") or 0) or None,
        "left": left,
        "left_text": None if left is None else about_text(left),
        "rate_text": f"{number_text(3600 * rate)} boards an hour" if rate else None,
        "points": [],
        "can": _CAN_BATCH[state["status"]],
        "batch": question.get("batch_id"),
        "solution": None,
        "spot": None,
    }
