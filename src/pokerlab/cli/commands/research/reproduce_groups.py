"""`pokerlab reproduce groups`: CFR and CGH on groups by the thesis's own formulas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce
from pokerlab.runtime.errors import shorten


def reproduce_groups(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parts to do: turn, readings, sample, figure-17, figure-18, figure-19, figure-20;"
            " all if none are named. The report is of these."
        ),
    ] = None,
    quick: Annotated[options.Quick, "Minutes instead of hours."] = False,
    output: options.OutputFolder = Path("figures/groups"),
    jobs: options.Jobs = 0,
    as_json: options.Json = False,
) -> None:
    """Solve on groups of hands as the post-flop thesis does, in all ways that it can be read.

    Finished solves, and the state of those that are not, are kept in the folder: after Ctrl-C or a
    kill the same command goes on.
    """
    from pokerlab.studies.grouped.reading_report import grouped_study
    from pokerlab.studies.grouped.reading_tasks import PARTS, GroupedPlan

    for part in parts or ():
        if part not in PARTS:
            raise ValueError(f"{shorten(part)!r} is not a part (one of {', '.join(sorted(PARTS))})")
    check_output_folder(output)
    study = grouped_study(GroupedPlan(quick=quick), output / "tasks", parts or PARTS)
    reproduce(study, output, (0, 1, 2), jobs, as_json=as_json, what="solves")
