"""The study of the no-limit player: its tasks in their order, and the report of what was done."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.nolimit.report import make_nolimit_report
from pokerlab.studies.nolimit.tasks import FlopTask, MeasureTask, Setting, flop_tasks
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.study import Study, kept_with

Task = FlopTask | MeasureTask


def read_plan(*, quick: bool) -> dict[str, Any]:
    """The setting and the parts."""
    plan = read_data("nolimit", "plan.toml")
    return dict(plan["quick"]) if quick else plan


def nolimit_study(folder: Path, *, quick: bool = False) -> Study[Task]:
    """All flops that are needed, then the parts in turn.

    Parameters
    ----------
    folder
        Where results and flops are kept.
    quick
        A trial: one flop, two iterations.
    """
    plan = read_plan(quick=quick)
    library = str(Path(folder).resolve() / ("trial flops" if quick else "flops"))
    names = ("game", "flops", "seed", "lines", "iterations")
    setting = Setting(**{name: plan[name] for name in names}, folder=library)
    measures = [
        MeasureTask(setting, part, number, tuple(how.items()))
        for part, how in plan["parts"].items()
        for number in range(how["tasks"])
    ]
    measures.sort(key=lambda task: task.rank)
    store = FolderStore(
        Path(folder) / ("trial" if quick else "tasks"),
        from_json=kept_with({"percent"}, {"won", "plain"}, {"gains", "hands"}),
    )
    return Study([flop_tasks(setting), measures], store, partial(make_nolimit_report, quick=quick))
