"""A batch that is solved, in the words of the pages: how far it is, how fast, and how long yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.views.texts import number_text
from pokerlab.web.jobs.job_view import about_text, common_view, newest_line, phase_text

if TYPE_CHECKING:
    from pokerlab.web.jobs.job_folder import JobFolder

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


def batch_job_view(job: JobFolder, waiting: str | None) -> dict[str, Any]:
    """What the pages show of it."""
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
        "total": question.get("boards"),
        "left": left,
        "left_text": None if left is None else about_text(left),
        "rate_text": f"{number_text(3600 * rate)} boards an hour" if rate else None,
        "points": [],
        "can": _CAN_BATCH[state["status"]],
        "batch": question.get("batch_id"),
        "solution": None,
        "spot": None,
    }
