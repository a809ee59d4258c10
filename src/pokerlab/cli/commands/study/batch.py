"""`pokerlab batch`: solve a spot on many flops, or on any boards, into one folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.limits import advice
from pokerlab.cli.options.spots import tell_doubts
from pokerlab.cli.progress.batch_progress import batch_progress
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.holdem.batches.question_file import is_batch
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.batches import Batch, BatchPlan, BatchQuestion, BatchRun, BoardRow

_SPOTS = options.OnlyFor("spots")
_MAX_NAMED = 5


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("batch")(_batch)


def _batch(
    context: typer.Context,
    subject: Annotated[
        str,
        typer.Argument(
            metavar="SPOT",
            help="A .toml file of a spot, whose board does not count; or the folder of a batch to "
            "continue, with more boards if some are named.",
        ),
    ],
    flops: Annotated[
        str | None,
        typer.Option(
            help="Flops up to suits: all (1,755), 25, 49, 85 or 184 of them with weights, a list "
            "such as 'AK7r, 987tt, monotone', or a file with one.",
            metavar="all|SIZE|LIST|FILE",
        ),
    ] = None,
    boards: Annotated[
        str | None,
        typer.Option(
            help="Any boards of 3 to 5 cards, each for itself: 'QhJh2c, Td9d6hQc:2', or a file "
            "with them.",
            metavar="LIST|FILE",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The folder of the batch; the same command continues one that was begun, and one "
            "with more boards adds them.",
            metavar="FOLDER",
        ),
        _SPOTS,
    ] = None,
    partial: Annotated[options.Partial, _SPOTS, options.NotWith("--root-only")] = False,
    root_only: Annotated[
        bool,
        "Keep the strategies of the first street alone: 1,755 flops take some hundred MB.",
        _SPOTS,
    ] = False,
    target: Annotated[
        options.Target, "By default 0.3%, or the target of a folder that is there."
    ] = None,
    iterations: Annotated[options.Iterations, _SPOTS] = None,
    seconds: Annotated[options.Seconds, _SPOTS] = None,
    go_on: options.NoStall = False,
    rule: Annotated[options.Rule, "As for solve.", _SPOTS] = None,
    precision: Annotated[options.Precision, "32 by default.", _SPOTS] = None,
    groups: Annotated[options.Groups, _SPOTS] = None,
    no_isomorphism: Annotated[options.NoIsomorphism, _SPOTS] = False,
    runouts: Annotated[
        str | None,
        typer.Option(
            help="Solve some turns of each flop and rivers after each instead of all, for example "
            "12x10.",
            metavar="NxM",
        ),
        _SPOTS,
    ] = None,
    device: options.Device = "auto",
    workers: Annotated[
        int | None,
        "Boards at a time, each in a process of its own; by default as many as memory "
        "and processors allow.",
        bounded(1, 1024),
    ] = None,
    threads: Annotated[options.Threads, "Several boards at a time share the cores."] = None,
    ray: options.Ray = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
) -> None:
    """Solve one spot on many boards.

    The folder holds what was asked (batch.toml), a solution for each board, and
    table.csv, which grows as boards finish. Killed at any time, the same
    command goes on; several at once share the work. A folder of 25 flops grows
    to 49, 85, 184 or all of them, or by any that are named: what is solved is
    kept. A lower --target goes on from the solutions of the folder. A file that
    is damaged is solved again; a folder that was begun with another spot, or
    other settings, is refused. A board that stands still above the target
    counts as solved, with what it has reached (--no-stall goes on).

    The table [textures."monotone"] of the spot's file may hold menus for some
    flops (bet, raise, donk, ...).
    """
    from pokerlab.holdem.batches import check_question, load_batch, plan_batch, run_batch
    from pokerlab.views.batch_texts import plan_text

    settings = {
        "target": target,
        "iterations": iterations,
        "seconds": seconds,
        "rule": rule,
        "precision": precision,
        "groups": groups,
        "runouts": runouts,
    }
    settings = {name: value for name, value in settings.items() if value is not None}
    if no_isomorphism:
        settings["isomorphism"] = False
    options.check_options(context, "folders of batches" if is_batch(subject) else "spots")
    if partial or root_only:
        settings["keep"] = "partial" if partial else "root"
    folder: Path | None
    if is_batch(subject):
        question, folder = _old_question(subject, flops, boards, target), Path(subject)
    else:
        question, folder = _new_question(subject, flops, boards, output, settings, dry_run=dry_run)
    before, wanted = None, question
    if folder is not None and is_batch(str(folder)):
        check_question(folder, question)
        before = load_batch(folder).question
        wanted, question = question, replace(question, target=before.joined(question).target)
    plan = plan_batch(
        question, workers=workers, threads=threads, device=device, cluster=ray is not None
    )
    if dry_run:
        emit(_plan_json(plan), lambda console: _print_plan(console, plan), as_json=as_json)
        return
    assert folder is not None
    if not as_json:
        for change in () if before is None else _changes(before, wanted):
            tell(f"{folder}: {change}")
        tell(plan_text(plan))
        if plan.impossible:
            tell(f"left out, for they leave a player no hand: {_named(plan.impossible)}")
    began = perf_counter()
    try:
        with (
            announce_compiling(quiet=as_json),
            batch_progress(len(plan.boards), quiet=as_json) as report,
        ):
            done = run_batch(question, folder, plan, ray=ray, report=report, stall=not go_on)
    except KeyboardInterrupt:
        raise CutShortError(_kept_text(folder, plan)) from None
    except OSError as error:  # a full disk, say
        kept = f"; {_kept_text(folder, plan)}" if is_batch(str(folder)) else f" ({folder})"
        raise ValueError(f"{error.strerror}{kept}") from None
    data = {
        "flops": len(plan.boards),
        "solved": done.solved,
        "failed": len(done.failed),
        "seconds": perf_counter() - began,
        "folder": str(folder),
        "failures": dict(done.failed),
        "impossible": list(plan.impossible),
        "folder_boards": len(done.batch.question.boards),
        "stalled": {row.board: row.percent for row in _stalled(done.batch)},
        **_plan_json(plan),
    }
    emit(data, lambda console: _print_run(console, done), as_json=as_json)
    if done.failed:
        raise typer.Exit(2)


def _old_question(
    subject: str, flops: str | None, boards: str | None, target: str | None
) -> BatchQuestion:
    """The batch of a folder, which holds all of its settings itself.

    More boards may be named, or another target.
    """
    from pokerlab.holdem.batches import load_batch

    question = load_batch(subject).question
    if target is not None:
        question = replace(question, target=target)
    if flops is None and boards is None:
        return question
    weights, up_to_suits = _named_boards(flops, boards)
    return replace(question, boards=weights, up_to_suits=up_to_suits)


def _new_question(
    subject: str,
    flops: str | None,
    boards: str | None,
    output: Path | None,
    settings: dict[str, Any],
    *,
    dry_run: bool,
) -> tuple[BatchQuestion, Path | None]:
    from pokerlab.holdem.batches import load_batch, read_question
    from pokerlab.holdem.batches.question import any_spot

    weights, up_to_suits = _named_boards(flops, boards)
    if output is None and not dry_run:
        raise ValueError("--output: missing, the folder of the batch")
    limits = {"target", "iterations", "seconds"}
    if output is not None and is_batch(output) and not limits & settings.keys():
        settings = {**settings, "target": load_batch(output).question.target}
    question = read_question(subject, weights, up_to_suits=up_to_suits, **settings)
    tell_doubts(any_spot(question.fields, question.boards))
    return question, output


def _named_boards(flops: str | None, boards: str | None) -> tuple[dict[str, float], bool]:
    """What boards weigh, and whether each stands for those of other suits."""
    from pokerlab.holdem.batches.question import flop_boards

    if (flops is None) == (boards is None):
        raise ValueError("--flops, --boards: give one of them, the boards to solve")
    weights = flop_boards(flops) if flops is not None else _board_weights(str(boards))
    return weights, flops is not None


def _board_weights(text: str) -> dict[str, float]:
    from pokerlab.holdem.batches import parse_boards
    from pokerlab.runtime.errors import source_named

    path = Path(text.removeprefix("@"))
    if len(text) < 256 and path.is_file():
        with source_named(path):
            return parse_boards(path.read_text(encoding="utf-8", errors="replace"))
    return parse_boards(text)


def _kept_text(folder: Path, plan: BatchPlan) -> str:
    from pokerlab.holdem.batches import load_batch

    there = load_batch(folder).final_boards()
    kept = f"{len(there.intersection(plan.boards)):,} of {len(plan.boards):,} boards"
    return f"{kept} are kept in {folder}: the same command goes on"


def _changes(before: BatchQuestion, wanted: BatchQuestion) -> Iterator[str]:
    """The changes of a folder when a command has other settings."""
    if change := _boards_text(before, wanted):
        yield change
    if wanted.target == before.target:
        return
    if before.target is None:
        yield "it has no target: its iterations or seconds end each board, as before"
    elif before.joined(wanted).target == before.target:
        yield f"its target stays {before.target}, which is not above {wanted.target}"
    else:
        yield f"its target becomes {wanted.target}, from {before.target}: boards above it go on"


def _boards_text(before: BatchQuestion, named: BatchQuestion) -> str:
    """The change of a folder's boards when a command names others; empty if none."""
    there, after = before.boards, before.joined(named).boards
    added = len(after) - len(there)
    weighed = sum(after[board] != weight for board, weight in there.items())
    if added or weighed:
        weights = "" if not weighed else f"; the weights of {weighed:,} change"
        boards = "1 board is" if added == 1 else f"{added:,} boards are"
        return f"{boards} added to {len(there):,}{weights}"
    if len(named.boards) == len(there):
        return ""
    return (
        f"solves {len(named.boards):,} of its {len(there):,} boards; the others stay, and a report "
        "of a part is `pokerlab report --flops`"
    )


def _plan_json(plan: BatchPlan) -> dict[str, Any]:
    return {
        "boards": len(plan.boards),
        "device": plan.device,
        "workers": plan.workers,
        "threads": plan.threads,
        "at_once": plan.at_once,
        "peak_bytes": plan.peak_bytes,
        "file_bytes": plan.file_bytes,
    }


def _print_plan(console: Console, plan: BatchPlan) -> None:
    from pokerlab.views.batch_texts import plan_text

    console.print(plan_text(plan))
    if plan.impossible:
        console.print(f"left out, for they leave a player no hand: {_named(plan.impossible)}")


def _print_run(console: Console, done: BatchRun) -> None:

    from pokerlab.games.betting_trees.menus import SEATS

    batch: Batch = done.batch
    rows = batch.rows(strict=False)
    console.print(bold(str(batch.folder)), f", {len(rows):,} boards", sep="")
    if rows:
        weights = [row.weight * row.deals for row in rows]
        total = sum(weights)

        def mean(numbers: list[float]) -> float:
            return sum(w * n for w, n in zip(weights, numbers, strict=True)) / total

        means = [
            (name, mean([row.equity[seat] for row in rows]), mean([row.ev[seat] for row in rows]))
            for seat, name in enumerate(SEATS)
        ]
        console.print(Table({"player": "text", "equity": "share.2", "takes": "chips.3"}, means))
        worst = max(row.percent for row in rows)
        console.print(f"exploitability at most {worst:.3g}% of the pot")
        console.out(f"a row for each board: {batch.table_path}")
    if stalled := _stalled(batch):
        question = batch.question
        named = _named(tuple(f"{row.board} at {row.percent:.3g}%" for row in stalled))
        tried = advice(
            "stalled", question.rule, precision=question.precision, groups=question.groups
        )
        console.out(f"stood still above the target: {named}")
        console.out(tried)
    for board, reason in done.failed.items():
        console.print(f"{board} failed: {reason}")
    if done.failed:
        console.print("the same command tries again what failed")


def _stalled(batch: Batch) -> list[BoardRow]:
    """The boards that stood still above the target."""
    final = batch.final_boards(stall=False)
    rows = batch.rows(strict=False)
    return [row for row in rows if row.stopped == "stalled" and row.board not in final]


def _named(boards: tuple[str, ...]) -> str:
    more = len(boards) - _MAX_NAMED
    return ", ".join(boards[:_MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
