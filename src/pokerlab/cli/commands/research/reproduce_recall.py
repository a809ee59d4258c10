"""`pokerlab reproduce recall`: buckets that remember against buckets that forget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce


def reproduce_recall(
    quick: Annotated[options.Quick, "Minutes: few buckets, deals and flops."] = False,
    output: options.OutputFolder = Path("figures/recall"),
    device: Annotated[options.Device, "For the best responses, which take hours on few cores."] = (
        "auto"
    ),
    threads: Annotated[options.Threads, "Of a training: with the seed they fix it."] = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Train with buckets that remember and that forget, at equal size, and judge them exactly.

    Finished trainings and flops are kept in the folder: after Ctrl-C or a kill the same command
    goes on.
    """
    from pokerlab.engine.device import check_device
    from pokerlab.studies.recall.study import recall_plan, recall_study

    check_output_folder(output)
    check_device(device)
    plan = recall_plan(
        output / "strategies", quick=quick, seed=seed, threads=threads, device=device
    )
    study = recall_study(plan, output / "tasks")
    reproduce(study, output, (0, 2), 1, as_json=as_json)
