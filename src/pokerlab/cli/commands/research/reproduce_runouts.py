"""`pokerlab reproduce runouts`: what it costs to solve a flop on a subset of its run-outs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce, shared_cores

if TYPE_CHECKING:
    from pokerlab.studies.runouts.study import RunOutTask


def reproduce_runouts(
    quick: Annotated[options.Quick, "One flop with few hands."] = False,
    output: options.OutputFolder = Path("figures/runouts"),
    jobs: Annotated[
        options.Jobs,
        "With 0, each task takes up to four of them.",
    ] = 0,
    device: options.Device = "auto",
    as_json: options.Json = False,
) -> None:
    """Solve twenty flops on subsets of their run-outs, and say what they lose over all run-outs.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.engine.device import check_device
    from pokerlab.studies.runouts.study import run_out_study

    check_output_folder(output)
    check_device(device)
    workers, threads = shared_cores(jobs)
    study = run_out_study(output / "tasks", quick=quick, device=device, threads=threads)

    def work_text(waiting: Sequence[RunOutTask], known: str) -> str:
        return f"{len(waiting)} tasks{known}, {workers} at a time"

    reproduce(study, output, (0, 2), workers, as_json=as_json, work_text=work_text)
