"""`pokerlab reproduce view`: the opponent's view as buckets of Leduc and Rhode Island."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_view(
    quick: Annotated[options.Quick, "Seconds: four ranks, few buckets and iterations."] = False,
    output: options.OutputFolder = Path("figures/view"),
    jobs: options.Jobs = 0,
    as_json: options.Json = False,
) -> None:
    """Put hands into one bucket by the opponent's view or by strength, and judge both exactly.

    Finished games are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.view.study import ViewPlan, view_study

    check_output_folder(output)
    study = view_study(ViewPlan(quick), output / "tasks")
    reproduce(study, output, (0, 2), jobs, as_json=as_json, what="games")
