"""`pokerlab reproduce bets`: what fewer bet sizes and boards cost, and how equilibria play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, reproduce, shared_cores
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from pokerlab.studies.bets.plan import BetsTask


def reproduce_bets(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parts to do: appendix, findings, menus, boards, hands, starts; by default all."
        ),
    ] = None,
    streets: Annotated[
        str | None, "Only games that begin on these streets, such as river,turn; else all."
    ] = None,
    quick: Annotated[options.Quick, "A minute or two instead of hours."] = False,
    output: options.OutputFolder = Path("figures/bets"),
    jobs: Annotated[
        options.Jobs,
        "With 0, each task takes up to four of them.",
    ] = 0,
    device: options.Device = "auto",
    as_json: options.Json = False,
) -> None:
    """Price fewer bet sizes, fewer boards and better starts, and measure how equilibria play.

    Finished tasks are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.engine.device import check_device
    from pokerlab.games.betting_trees.menus import STREETS
    from pokerlab.studies.bets.plan import PARTS, BetsPlan
    from pokerlab.studies.bets.report import bets_study

    chosen = [each.strip() for each in streets.split(",")] if streets else STREETS
    for what, names, known in (("part", parts or (), PARTS), ("street", chosen, STREETS)):
        for name in names:
            if name not in known:
                raise ValueError(f"{shorten(name)!r} is not a {what} (one of {', '.join(known)})")
    check_output_folder(output)
    check_device(device)
    workers, threads = shared_cores(jobs)
    plan = BetsPlan(quick=quick)
    tasks = plan.tasks(parts or PARTS, chosen)
    study = bets_study(plan, output / "tasks", tasks, device, threads)

    def work_text(waiting: Sequence[BetsTask], known: str) -> str:
        return f"{len(waiting)} tasks{known}, {workers} at a time"

    reproduce(study, output, (0, 1, 2), workers, as_json=as_json, work_text=work_text)
