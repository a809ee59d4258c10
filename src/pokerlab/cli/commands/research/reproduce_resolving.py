"""`pokerlab reproduce resolving` and `rivers`: what solving subgames again does, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_resolving(
    quick: Annotated[options.Quick, "One strategy of Leduc."] = False,
    output: options.OutputFolder = Path("figures/resolving"),
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Solve the subgames of small games again with every gadget, and judge what was claimed.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.resolving.study import resolving_study

    check_output_folder(output)
    study = resolving_study(output / "tasks", quick=quick)
    reproduce(study, output, (0, 2), jobs, as_json=as_json)


def reproduce_rivers(
    quick: Annotated[options.Quick, "One turn without a gadget."] = False,
    output: options.OutputFolder = Path("figures/rivers"),
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Solve every river of four turns again with every kind of gadget, and judge the kinds.

    It takes half an hour of processor time.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.resolving.rivers_study import rivers_study

    check_output_folder(output)
    study = rivers_study(output / "tasks", quick=quick)
    reproduce(study, output, (0, 2), jobs, as_json=as_json)
