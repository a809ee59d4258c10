"""`pokerlab reproduce draw`: the document on a five-card draw bot, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_draw(
    quick: Annotated[options.Quick, "A minute instead of half an hour of one core."] = False,
    output: options.OutputFolder = Path("figures/draw"),
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Count and play what the document on a five-card draw bot says, and judge its rule.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.draw.report import DrawPlan, draw_study

    check_output_folder(output)
    study = draw_study(DrawPlan(quick=quick), output / "tasks")
    reproduce(study, output, (0, 2, 3), jobs, as_json=as_json)
