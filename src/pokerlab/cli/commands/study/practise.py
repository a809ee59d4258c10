"""`pokerlab practise`: play a solution's hands against the solution, and see what you lose."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.shared.drill_play import DrillPlay, count_text, show_score
from pokerlab.cli.shared.practice import Practice, find_practice, find_results, open_practice
from pokerlab.cli.terminal.asking import asker
from pokerlab.cli.terminal.output import new_console, print_json
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pokerlab.drills import Programme, Setup


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("practise")(_practise)
    app.command("train-hands", hidden=True)(_practise)  # its name in earlier versions


def _practise(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Solutions, folders of batches, folders with both, or a programme."
            " Hands of several come in turn."
        ),
    ] = None,
    against: Annotated[
        str | None,
        "Whole hands against nolimit, judged by what it solves, alone or in turn with files;"
        " nolimit:seconds=2 is quicker.",
    ] = None,
    stack: options.GameStack = None,
    seat: Annotated[str | None, "oop or ip; by default both in turn."] = None,
    street: Annotated[str | None, "Begin where play comes to flop, turn or river."] = None,
    line: Annotated[str, "Begin after this line, for example x/b50/c; cards may be left out."] = "",
    hands: Annotated[options.Hands, "Until q by default."] = None,
    close: Annotated[
        str | None,
        "Only decisions whose second-best action loses at most this part of the pot, for example"
        " 1%; the solution plays your seat elsewhere.",
    ] = None,
    clear: Annotated[str | None, "Only those where it loses at least this part; 0 with --close"] = (
        None
    ),
    seconds: Annotated[
        float | None, "Time for each decision: a later answer is too slow.", bounded(1, 600)
    ] = None,
    mistakes: Annotated[bool, "Only decisions that went wrong, until they go well."] = False,
    due: Annotated[
        bool, "Only decisions that are due today: mistakes come back over days."
    ] = False,
    due_first: Annotated[bool, "Decisions that are due today come before new hands."] = False,
    weights: Annotated[
        str | None, "How many hands of each source come, for example 2,1,1; nolimit last."
    ] = None,
    save: Annotated[
        Path | None, "Save what is practised, and how, as a programme: NAME.programme.json."
    ] = None,
    progress: Annotated[bool, "Show results by day, street, decision and source instead."] = False,
    log: Annotated[
        Path | None, "Where results are kept; by default FILE.training.jsonl beside each file."
    ] = None,
    seed: Annotated[
        int | None,
        "Seed of the random numbers: the same seed, the same hands; new ones by default.",
        bounded(0, 2**63 - 1),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Practise against solutions: they play the other seat, and judge each of your actions.

    Hands are dealt as often as they arrive. After each action you see what every action is worth
    with your hand, how often the solution takes it, and what yours lost. Hands against nolimit are
    judged when they are over, street by street.
    """
    from pokerlab.drills import Setup

    if progress:
        _show_progress(files or [], log, as_json=as_json)
        return
    chosen = secrets.randbits(62) if seed is None else seed
    if due and due_first:
        raise ValueError("--due-first: --due already deals nothing else")
    how = "only" if due else "first" if due_first else ""
    bounds = _percent("--close", close), _percent("--clear", clear)
    setup = Setup(seat, street, line, mistakes, chosen, *bounds, seconds, how)
    if not files:
        _check_whole(
            against,
            {
                "--seat": seat,
                "--street": street,
                "--line": line,
                "--mistakes": mistakes,
                "--close": close,
                "--clear": clear,
                "--seconds": seconds,
                "--due": due,
                "--due-first": due_first,
                "--weights": weights,
                "--save": save,
            },
        )
    if stack is not None and against is None:
        raise ValueError(f"--stack {stack}: it is for hands --against nolimit")
    practice = find_practice(files or [], against, stack, weights)
    if practice.setup is not None:
        setup = _merged(setup, practice.setup)
    if setup.line and practice.mixed:
        raise ValueError(f"--line {setup.line}: it is for one solution or batch")
    if setup.repeats and against is not None:
        raise ValueError("--against: whole hands do not come back; leave it away")
    _practise_sources(practice, setup, hands, log, save, as_json=as_json)


def _practise_sources(
    practice: Practice,
    setup: Setup,
    hands: int | None,
    log: Path | None,
    save: Path | None,
    *,
    as_json: bool,
) -> None:
    from pokerlab.drills import MixedSession

    programme = None if save is None else _programme(practice, save, setup)
    sources = open_practice(practice, log)
    session = MixedSession(sources, setup)
    console = new_console(stderr=as_json)
    for text in practice.left_out:
        console.print(text, soft_wrap=True)
    for each in sources:
        if each.source is not None and each.source.note:
            name = f"{each.source.name}: " if practice.mixed else ""
            console.print(f"{name}{each.source.note}")
    if setup.due and session.left:
        console.print(f"{count_text(session.left, 'decision')} due today")
    whole = None
    if practice.against is not None and not setup.repeats:
        from pokerlab.cli.commands.play.whole_hands import WholeHands

        whole = WholeHands(console, practice.against, practice.stack, setup.seed, session)
    try:
        if programme is not None and save is not None:
            programme.save(save)
        play_one = None if whole is None else whole.play_one
        DrillPlay(session, console, asker(console), play_one).play(hands)
    finally:
        if whole is not None:
            whole.close()
    score = session.score
    paths = list(dict.fromkeys(each.log.path for each in sources if each.log.path is not None))
    if as_json:
        one = None if len(paths) != 1 else str(paths[0])
        kept = {"log": one, "logs": [str(path) for path in paths]}
        print_json({**score.to_json(), "seed": setup.seed, **kept})
    else:
        show_score(console, score, *paths)


def _show_progress(files: list[Path], log: Path | None, *, as_json: bool) -> None:
    from pokerlab.drills import PracticeProgress
    from pokerlab.drills.log import local_time
    from pokerlab.drills.mixed import NOLIMIT
    from pokerlab.drills.schedule import due_positions

    if not files and log is None:
        raise ValueError("--progress: name files, a folder, or --log FILE")
    results, today = find_results(files, log), local_time().date()
    due = {
        name: 0 if name == NOLIMIT else len(due_positions(entries, name, today))
        for name, entries in results.items()
    }
    found = PracticeProgress.of(results, today)
    if as_json:
        print_json({**found.to_json(), "due": due})
        return
    from pokerlab.cli.tables.progress_tables import show_progress

    show_progress(new_console(), found, due)


def _percent(option: str, text: str | None) -> float | None:
    """Percent of the pot, with or without the sign."""
    if text is None:
        return None
    try:
        return float(text.strip().removesuffix("%"))
    except ValueError:
        raise ValueError(f"{option} {shorten(text)!r}: it is not a percentage of the pot") from None


def _merged(given: Setup, saved: Setup) -> Setup:
    """What a programme says, but for what the options say."""
    return replace(
        given,
        seat=given.seat or saved.seat,
        street=given.street or saved.street,
        close=saved.close if given.close is None else given.close,
        clear=saved.clear if given.clear is None else given.clear,
        seconds=saved.seconds if given.seconds is None else given.seconds,
        due=given.due or ("" if given.mistakes else saved.due),
    )


def _programme(practice: Practice, path: Path, setup: Setup) -> Programme:
    from pokerlab.drills.programme import SUFFIX

    if not path.name.endswith(SUFFIX):
        raise ValueError(f"--save {path}: the name must end in {SUFFIX}")
    if not path.parent.is_dir():
        raise ValueError(f"--save {path}: there is no folder {str(path.parent)!r}")
    return practice.programme(path.parent, setup)


def _check_whole(against: str | None, spot_only: Mapping[str, object]) -> None:
    """Whole hands alone take no option that is for solutions."""
    if against is None:
        raise ValueError("name a solution or a batch to practise on, or play --against nolimit")
    given = [name for name, value in spot_only.items() if value]
    if given:
        raise ValueError(f"{given[0]}: it is for solutions; hands --against {against} are whole")
