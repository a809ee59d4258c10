"""`pokerlab reproduce nolimit`: how strong the no-limit player is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_nolimit(
    quick: Annotated[options.Quick, "One flop, two iterations."] = False,
    output: options.OutputFolder = Path("figures/nolimit"),
    jobs: options.Jobs = 1,
    seconds: Annotated[
        float | None,
        "No task is begun after this time; the report is of what was done until then.",
        bounded(1),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure the no-limit player: local best responses, exact ones on rivers, matches, ablations.

    Flops are solved ahead, then all parts are done in turn. Finished tasks are kept in the folder:
    after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.nolimit.study import nolimit_study

    check_output_folder(output)
    study = nolimit_study(output, quick=quick)
    reproduce(study, output, (0, 2), jobs, as_json=as_json, seconds=seconds)
