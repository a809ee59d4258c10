"""A batch that is solved, in the words of the pages: how far it is, how fast, and how long yet."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.machine import duration_text, size_text
from pokerlab.reports.texts import number_text
from pokerlab.web.job_folder import FINAL
from pokerlab.web.job_view import phase_text

if TYPE_CHECKING:
    from pokerlab.web.job_folder import JobFolder

__all__ = ["batch_job_view"]

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
    status = state["status"]
    running = status == "running"
    newest = lines[-1] if lines else {}
    last: dict[str, Any] = next((line for line in reversed(lines) if "done" in line), {})
    began, ended = state.get("began"), state.get("ended")
    elapsed = None if began is None else max(0.0, (ended or time.time()) - began)
    left, rate = (last.get(name) if running else None for name in ("left", "rate"))
    phase = phase_text(state, newest, {}, waiting)
    if running and job.control().get("action"):
        phase = "stopping when the boards that have begun are solved"
    return {
        "id": job.id,
        "kind": "batch",
        "name": question.get("name", ""),
        "created": question.get("created", 0.0),
        "status": status,
        "phase": phase,
        "error": state.get("error"),
        "warnings": newest.get("warnings") or [],
        "done": last.get("done"),
        "total": question.get("boards"),
        "board": last.get("board"),
        "elapsed": elapsed,
        "elapsed_text": None if elapsed is None else duration_text(elapsed),
        "left": left,
        "left_text": None if left is None else f"about {duration_text(left)}",
        "rate_text": f"{number_text(3600 * rate)} boards an hour" if rate else None,
        "points": [],
        "bytes_text": size_text(question.get("bytes", 0)),
        "can": _CAN_BATCH[status],
        "output": Path(question.get("output", "x")).name,
        "batch": question.get("batch_id"),
        "solution": None,
        "spot": None,
        "summary": question.get("summary", {}),
        "ended": status in FINAL,
    }
