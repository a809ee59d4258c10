"""`pokerlab reproduce adam`: the bot of the seminar on fictitious play, judged by matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_adam(
    quick: Annotated[options.Quick, "Minutes: few buckets and hands."] = False,
    output: options.OutputFolder = Path("figures/adam"),
    hands: Annotated[
        int | None, "Hands of each match; 100,000 by default.", bounded(2, 10**9)
    ] = None,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Play Adam with 169 and 265 buckets against bots and tables, and judge it.

    What is missing is trained first: two tables of 8,000,000 deals. Finished parts of matches are
    kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.adam.report import AdamPlan, adam_study

    check_output_folder(output)
    study = adam_study(AdamPlan.of(output, hands, quick=quick))
    reproduce(study, output, (0, 2, 3), jobs, as_json=as_json, what="parts of matches")
