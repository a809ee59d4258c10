"""The study of readings: its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from operator import methodcaller
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.grouped.reading_tasks import PARTS, GroupedPlan, ReadingTask
from pokerlab.studies.reporting.study import Kept, Study


def grouped_study(
    plan: GroupedPlan, folder: Path, parts: Sequence[str] = PARTS
) -> Study[ReadingTask]:
    """The solves of some parts, kept in a folder; the report needs all parts."""
    store = FolderStore(folder, from_json=_checked)
    work = methodcaller("run", folder / "states")
    return Study([plan.tasks(parts)], store, None, work=work)


def _checked(data: Any) -> Kept:
    if not isinstance(data, dict) or not data.get("points"):
        raise ValueError("this is not what is kept of a solve")
    return data
