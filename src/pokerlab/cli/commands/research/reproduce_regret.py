"""`pokerlab reproduce regret`: the seminar on fictitious play and regret, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_regret(
    quick: Annotated[options.Quick, "Seconds instead of a minute."] = False,
    output: options.OutputFolder = Path("figures/regret"),
    jobs: options.Jobs = 1,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Solve the games of the seminar on fictitious play and regret, and check its bounds.

    Its bot Adam has a command of its own. Finished tasks are kept in the folder: after Ctrl-C or a
    kill the same command goes on.
    """
    from pokerlab.studies.regret.report import RegretPlan, regret_study

    check_output_folder(output)
    study = regret_study(RegretPlan(quick=quick, seed=seed), output / "tasks")
    reproduce(study, output, (0, 2, 3), jobs, as_json=as_json)
