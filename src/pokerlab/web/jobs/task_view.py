"""A task in the words of the pages: how much of it is done, and how long yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.web.jobs.job_view import about_text, common_view, newest_line, phase_text

if TYPE_CHECKING:
    from pokerlab.web.jobs.job_folder import JobFolder

TASKS = ("pushfold", "simplify", "rules", "losses", "sizes", "against", "hands", "model")
"""Jobs whose answer is for one page: push or fold, simple strategies, sizes, hands, models."""

_CAN = {
    "queued": ["cancel"],
    "running": ["cancel"],
    "paused": ["go-on", "forget"],
    "interrupted": ["go-on", "forget"],
    "failed": ["go-on", "forget"],
    "done": ["open", "forget"],
    "cancelled": ["go-on", "forget"],
}
_LEAST_DONE = 0.02
"""No time is guessed before this part of a stage is done."""


def task_view(job: JobFolder, waiting: str | None) -> dict[str, Any]:
    """The data of a task for the pages."""
    state, question, lines = job.state(), job.question(), job.lines()
    running = state["status"] == "running"
    newest = newest_line(state, lines)
    stage = [line for line in lines if line.get("what") == newest.get("what") and "done" in line]
    done, total = newest.get("done"), newest.get("total")
    left = _seconds_left(stage) if running else None
    phase = phase_text(state, newest, {}, waiting)
    if state["status"] == "done":
        phase = "done"
    elif running and newest.get("what"):
        phase = f"{newest['what']}: {done:,} of {total:,}" if total else newest["what"]
    return common_view(job, state, question) | {
        "kind": question["kind"],
        "output": None,
        "phase": phase,
        "warnings": [],
        "share": done / total if running and total else None,
        "left": left,
        "left_text": None if left is None else about_text(left),
        "points": [],
        "can": _CAN[state["status"]],
        "address": str(question.get("address", "/")).replace("JOB", job.id),
        "solution": None,
        "spot": None,
    }


def _seconds_left(stage: list[dict[str, Any]]) -> float | None:
    """How long the stage still takes at the pace so far."""
    if len(stage) < 2:
        return None
    first, last = stage[0], stage[-1]
    done, total = last["done"] - first["done"], last["total"]
    if done <= 0 or last["done"] < _LEAST_DONE * total:
        return None
    return float((last["time"] - first["time"]) / done * (total - last["done"]))
