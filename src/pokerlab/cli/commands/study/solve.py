"""`pokerlab solve`: find an equilibrium of a game or of a post-flop spot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import is_postflop, saving
from pokerlab.cli.options.limits import Limits, advice
from pokerlab.cli.options.spots import SPOT_FIELDS, make_spot, spot_fields_given
from pokerlab.cli.progress.solve_status import solve_progress
from pokerlab.cli.shared.spot_solve import Engine, count_spot, solve_spot
from pokerlab.cli.shared.trees import whole_tree
from pokerlab.cli.tables.cost import parse_memory
from pokerlab.cli.tables.solve_history import draw_history, history_json
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.runtime.errors import source_named
from pokerlab.views.texts import gap_text, number_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import Gadget, PostflopSolution
    from pokerlab.solvers import Solution

_SPOTS = options.OnlyFor("spots")
_SOLUTIONS = options.OnlyFor("spots", "solutions")
_GAMES = options.OnlyFor("games")

_MOST_IN_JSON = 10_000
"""Games with more information sets leave their strategy out of the JSON of `solve`."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("solve")(_solve)


def _solve(
    context: typer.Context,
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET",
            help="A game of the catalogue, a .game file, a .toml file of a game or a spot, an "
            "endgame (.libratus), or a solution of a spot to continue.",
            show_default=False,
        ),
    ] = None,
    rule: Annotated[
        options.Rule,
        "cfr, cfr-return, cfr+, linear, dcfr, pcfr+, pdcfr+, cgh, fp, fp-naive; with numbers, for "
        "example 'cgh(0.2)'; or lp for games. By default dcfr for games, and for spots "
        "'dcfr(1.3,0.5,3,0.1)', which was measured best.",
    ] = None,
    output: options.Output = None,
    resume: Annotated[
        options.Resume,
        "Written every minute (less often where that would take more than 5% of the time) and at "
        "the end.",
    ] = None,
    plot: Annotated[options.Plot, options.Rare()] = None,
    iterations: options.Iterations = None,
    target: Annotated[options.Target, "Percent is for spots; 0.3% is the default there."] = None,
    seconds: options.Seconds = None,
    go_on: options.NoStall = False,
    dry_run: Annotated[options.DryRun, _SOLUTIONS] = False,
    partial: Annotated[
        options.Partial, _SOLUTIONS, options.Needs("--output", "--dry-run"), options.Rare()
    ] = False,
    lock: Annotated[
        list[str] | None,
        "Fix a decision, wholly or for some hands, and solve the rest: the line, a colon,"
        " and the hands of each action or how often it is taken: 'x: b50=AA, KK:0.5;"
        " x=KK:0.5' or 'x: b50=30%'. With a weight at the end, 'x: b50=30% @ 0.7', the rest of"
        " what they do stays free. May be repeated; the file's locks hold too.",
        _SPOTS,
    ] = None,
    threads: Annotated[options.Threads, _SOLUTIONS] = None,
    precision: Annotated[options.Precision, "32 by default.", _SOLUTIONS] = None,
    device: Annotated[options.Device, _SOLUTIONS] = "auto",
    groups: Annotated[options.Groups, _SPOTS] = None,
    memory: Annotated[options.Memory, _SPOTS] = None,
    gadget: Annotated[
        Path | None,
        "What the hands of a player were worth before, and may stop for: a file of `pokerlab"
        " gadget`. With the kinds resolve and maxmargin no hand of that player then takes more than"
        " before; combined, the default, promises nothing.",
        _SPOTS,
    ] = None,
    gadget_kind: Annotated[
        str | None,
        "unsafe, resolve, maxmargin or combined, also with reach- before it; by default that of the"
        " file. Only resolve and maxmargin promise that no hand gains.",
        _SPOTS,
        options.Needs("--gadget"),
        options.Rare(),
    ] = None,
    keep_values: Annotated[
        bool,
        "Save what each hand is worth at the next card, for `pokerlab gadget`; with --partial too."
        " For flops and turns, without groups.",
        _SPOTS,
        options.Needs("--output"),
        options.Rare(),
    ] = False,
    no_isomorphism: Annotated[options.NoIsomorphism, _SPOTS, options.Rare()] = False,
    sampling: Annotated[
        str | None, "Monte Carlo CFR (or CGH): external, outcome or public.", _GAMES, options.Rare()
    ] = None,
    simultaneous: Annotated[bool, "Update all players at once.", _GAMES, options.Rare()] = False,
    seed: options.Seed = 0,
    help_all: options.HelpAll = False,
    as_json: options.Json = False,
    **fields: Annotated[Any, SPOT_FIELDS],
) -> None:
    """Solve a game, or a post-flop spot, to equilibrium.

    A spot is a TOML file or the options --board, --oop, --ip, --pot, --stack.

    A saved solution of a spot is made better, with its iterations and seconds
    counted on: solve turn.safetensors --target 0.1% -o better.safetensors
    (-o may name the same file).

    Ctrl-C ends a solve with what has been reached, saved and shown; the exit
    code is 130 then. A solve that stands still above its target ends, too, with
    what has been reached and a line that says what to try (--no-stall goes on).
    """
    limits = Limits(
        rule, iterations, target, seconds, resume, output, plot, as_json, stall=not go_on
    )
    given = spot_fields_given(fields)
    start = _solution(subject)
    read = [given.get(name) for name in ("oop", "ip", "ranges")]
    files = [*read, None if gadget is None else str(gadget)]
    limits.check_files(subject, *files, replaces=start is not None)
    if start is None and not _is_spot(subject, given):
        options.check_options(context, "games")
        _solve_game(str(subject), limits, sampling, simultaneous, seed)
        return
    engine = Engine(threads, 32 if precision is None else precision, partial, device)
    if start is not None:
        options.check_options(context, "solutions")
        spot, limits = start.spot, replace(limits, rule=rule or start.rule)
        engine = replace(
            engine,
            isomorphism=start.isomorphism,
            groups=None if start.groups is None else start.groups.text,
            start=start,
        )
    else:
        options.check_options(context, "spots")
        spot = make_spot(subject, given, quiet=as_json)
        engine = replace(
            engine,
            isomorphism=not no_isomorphism,
            locks=tuple(lock or ()),
            groups=groups,
            memory=None if memory is None else parse_memory(memory),
            gadget=_gadget(gadget, gadget_kind),
            keep_values=keep_values,
        )
    (count_spot if dry_run else solve_spot)(spot, limits, engine)


def _gadget(file: Path | None, kind: str | None) -> Gadget | None:
    if file is None:
        return None
    from pokerlab.holdem.spots import Gadget

    found = Gadget.load(file)
    return found if kind is None else found.with_kind(kind)


def _solution(subject: str | None) -> PostflopSolution | None:
    """The solution of a spot that a file holds; None for games and spots."""
    from pokerlab.runtime.files.tensor_map import is_tensor_file

    if subject is None or not is_tensor_file(subject):
        return None
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(Path(subject)):
        game = load_solution(subject).game
        raise ValueError(
            f"{subject} is a solution of {game}: solve continues solutions of spots; to continue"
            " the solve of a game, use --resume"
        )
    return load_postflop(subject)


def _is_spot(subject: str | None, fields: dict[str, Any]) -> bool:
    from pokerlab.holdem.spots.question.spot_file import is_spot_file, read_spot_file

    if subject is not None:
        is_toml, is_file = subject.lower().endswith(".toml"), Path(subject).is_file()
        if is_toml and is_file:
            with source_named(subject):
                read_spot_file(subject)  # what is no TOML is neither a spot nor a game
        # A missing file is a spot if there are options of spots: its reader then says so.
        return is_spot_file(subject) or (bool(fields) and is_toml and not is_file)
    if not fields:
        raise ValueError(
            "nothing to solve: name a game (`pokerlab game list`) or a spot file, or give "
            "--board, --oop, --ip, --pot and --stack"
        )
    return True


def _solve_game(
    game: str, limits: Limits, sampling: str | None, simultaneous: bool, seed: int
) -> None:
    from pokerlab.cli.commands.study.show import strategy_json
    from pokerlab.solvers import solve

    target = _game_target(limits.target)
    tree = whole_tree(game)
    with solve_progress(number_text, quiet=limits.as_json) as report:
        solution = solve(
            tree,
            limits.rule,
            iterations=limits.iterations,
            target=target,
            seconds=limits.seconds,
            seed=seed,
            alternating=not simultaneous,
            sampling=sampling,
            report=report,
            checkpoint=limits.resume,
            stall=limits.stall,
        )
    output = limits.output
    tried = advice(solution.stopped, solution.rule)
    if output is not None:
        with saving(output, "--output"):
            solution.save(output)
    data = {
        "game": solution.game,
        "rule": solution.rule,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": solution.exploitability,
        "nash_conv": solution.nash_conv,
        "values": list(solution.values),
        "strategy": strategy_json(solution, _MOST_IN_JSON) if limits.as_json else None,
        "stopped": solution.stopped,
        "advice": tried,
        "history": history_json(solution.history),
        "file": None if output is None else str(output),
    }
    if limits.plot is not None:
        draw_history(limits.plot, solution.history, solution.rule, solution.game, "chips a hand")

    def render(console: Console) -> None:
        _print_game(console, solution, tried)
        if output is not None:
            console.print(f"saved to {output}")

    emit(data, render, as_json=limits.as_json)
    limits.check_finished(solution.stopped, solution.iterations)


def _game_target(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"--target: {text!r} is not a number; percent works for spots only, give a number, for"
            " example 0.001"
        ) from None


def _print_game(console: Console, solution: Solution, tried: str | None) -> None:
    from pokerlab.cli.commands.study.show import print_strategy

    console.print(
        bold(solution.game),
        f"by {solution.rule}: {solution.iterations:,} iterations in "
        f"{solution.seconds:.2f} s ({solution.stopped})",
    )
    if tried is not None:
        console.out(tried)
    console.print(
        f"exploitability {gap_text(solution.exploitability, 6)} "
        f"(NashConv {gap_text(solution.nash_conv, 6)})"
    )
    console.print("values " + "  ".join(signed_text(value, 9) for value in solution.values))
    infosets = solution.strategy.infosets
    if len(infosets) > 40:
        console.print(f"{len(infosets):,} information sets")
        return
    print_strategy(console, solution)
