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
    device: Annotated[
        options.Device,
        "For the whole game: a GPU finds its value to 1e-6 in minutes, a processor does 300 "
        "iterations.",
    ] = "auto",
    rule: Annotated[
        options.Rule, "A regret rule for the whole game; dcfr(1.5,-10,4) by default."
    ] = None,
    threads: Annotated[options.Threads, "For the whole game."] = None,
    as_json: options.Json = False,
) -> None:
    """Find the value of Rhode Island hold'em, and count how small its linear program becomes.

    Finished tasks and the state of the largest are kept in the folder: after Ctrl-C or a kill the
    same command goes on.
    """
    from pokerlab.engine.device import GpuMemory, choose_device
    from pokerlab.studies.rhode_island.boards import RhodeIslandBoards
    from pokerlab.studies.rhode_island.study import RULE, RhodeIslandPlan, rhode_island_study

    check_output_folder(output)
    room = GpuMemory(RhodeIslandBoards.of().slots, 3, 64, (0, 0))
    gpu = not quick and choose_device(device, room) == "gpu"
    state = str(output / "state")
    plan = RhodeIslandPlan(quick, threads or core_count(), gpu, state, rule or RULE)
    study = rhode_island_study(plan, output / "tasks")
    reproduce(study, output, (0, 2), 1, as_json=as_json)
