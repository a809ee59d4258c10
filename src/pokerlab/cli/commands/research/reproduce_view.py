"""`pokerlab reproduce view`: the opponent's view as buckets of Leduc and Rhode Island."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, do_study, print_verdicts, show_report


def reproduce_view(
    quick: Annotated[options.Quick, "Seconds: four ranks, few buckets and iterations."] = False,
    output: options.OutputFolder = Path("figures/view"),
    jobs: Annotated[options.Jobs, "Games, one thread each; all processors by default."] = 0,
    as_json: options.Json = False,
) -> None:
    """Merge hands that look the same to the opponent, or are equally strong; exactly judged.

    Finished games are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.view.study import ViewPlan, view_study

    check_output_folder(output)
    study = view_study(ViewPlan(quick), output / "tasks")
    done = do_study(study, jobs, quiet=as_json)
    print_columns = partial(print_verdicts, columns=(0, 2))
    show_report(study.make_report(done), output, print_columns, as_json=as_json)
