"""`pokerlab reproduce rhode-island`: its linear program, what merging loses, and its value."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce
from pokerlab.runtime.machine import core_count


def reproduce_rhode_island(
    quick: Annotated[options.Quick, "Half a minute: small decks alone."] = False,
    output: options.OutputFolder = Path("figures/rhode-island"),
    threads: Annotated[options.Threads, "For the whole game, which takes 12 GB of memory."] = None,
    as_json: options.Json = False,
) -> None:
    """Solve Rhode Island hold'em by its linear program, and count how small that becomes.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.rhode_island.study import RhodeIslandPlan, rhode_island_study

    check_output_folder(output)
    plan = RhodeIslandPlan(quick, threads or core_count())
    study = rhode_island_study(plan, output / "tasks")
    reproduce(study, output, (0, 2), 1, as_json=as_json)
