"""`pokerlab solve`: find an equilibrium of a game or of a post-flop spot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared import spots
from pokerlab.cli.shared.cost import parse_memory
from pokerlab.cli.shared.files import is_postflop, saving
from pokerlab.cli.shared.limits import Limits, advice, no_stall
from pokerlab.cli.shared.output import Json, Seed, bold, emit
from pokerlab.cli.shared.progress import solve_progress
from pokerlab.cli.shared.solve_history import draw_history, history_json
from pokerlab.cli.shared.spot_solve import Engine, count_spot, solve_spot
from pokerlab.cli.shared.trees import whole_tree
from pokerlab.errors import source_named
from pokerlab.views.texts import gap_text, number_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import PostflopSolution
    from pokerlab.solvers import Solution

_STOP = "When to stop (the first that is reached)"
_SPOTS = "Solving spots"
_GAMES = "Solving games of the catalogue"

_MOST_IN_JSON = 10_000
"""Games with more information sets leave their strategy out of the JSON of `solve`."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("solve")(_solve)


def _solve(
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET",
            help="A game of the catalogue, a .game file, a .toml file of a game or a spot, or a "
            "solution of a spot to go on from.",
            show_default=False,
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            help="cfr, cfr-return, cfr+, linear, dcfr, pcfr+, cgh, fp, fp-naive; with numbers, "
            "for example 'cgh(0.2)'; or lp for games. By default dcfr for games, and for spots "
            "'dcfr(1.3,0.5,3,0.1)', which was measured best.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the solution to this file.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="A checkpoint: written every minute (less often where that would take more than "
            "5% of the time) and at the end. Where it is there already, the solve goes on from it."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw exploitability against seconds: a .svg or .png file."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Stop after this many iterations.", rich_help_panel=_STOP)
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="Stop when the exploitability is at most this: chips, or for spots 0.3% of the "
            "pot (which is the default there).",
            rich_help_panel=_STOP,
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Stop after this many seconds.", rich_help_panel=_STOP)
    ] = None,
    go_on: Annotated[bool, no_stall(_STOP)] = False,
    board: spots.Board = None,
    oop: spots.OopRange = None,
    ip: spots.IpRange = None,
    pot: spots.Pot = None,
    stack: spots.Stack = None,
    bet: spots.Bet = None,
    raise_: spots.Raise = None,
    donk: spots.Donk = None,
    aggressor: spots.Aggressor = None,
    add_allin: spots.AddAllin = None,
    force_allin: spots.ForceAllin = None,
    merge: spots.Merge = None,
    max_bets: spots.MaxBets = None,
    rake: spots.Rake = None,
    rake_cap: spots.RakeCap = None,
    big_blind: spots.BigBlind = None,
    preflop: spots.PreflopStory = None,
    ranges: spots.PreflopRangesFile = None,
    smallest_chip: spots.SmallestChip = None,
    added: spots.AddedLines = None,
    removed: spots.RemovedLines = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Only count: nodes, memory, and what is likely to fit.",
            rich_help_panel=_SPOTS,
        ),
    ] = False,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="With -o: leave out the rivers, which are solved again when they are shown.",
            rich_help_panel=_SPOTS,
        ),
    ] = False,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            help="Fix a decision, wholly or for some hands, and solve the rest: the line, a colon,"
            " and the hands of each action or how often it is taken: 'x: b50=AA, KK:0.5;"
            " x=KK:0.5' or 'x: b50=30%'. With a weight at the end, 'x: b50=30% @ 0.7', the rest of"
            " what they do stays free. May be repeated; the file's locks hold too.",
            rich_help_panel=_SPOTS,
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="All cores by default.", rich_help_panel=_SPOTS)
    ] = None,
    precision: Annotated[
        int | None,
        typer.Option(
            help="Bits of the stored numbers: 32 by default; 16 for half the tables in the same "
            "time, 64 for twice as much.",
            metavar="16|32|64",
            rich_help_panel=_SPOTS,
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="gpu: an NVIDIA GPU, through CuPy; cpu; auto, the default: the GPU where there "
            "is one and the spot is large.",
            metavar="auto|cpu|gpu",
            rich_help_panel=_SPOTS,
        ),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            help="Hands that are stored, and play, together: view, strength, rank (with /river, "
            "/hierarchical or /global), or a number for each street, kmeans:400,400,200. Less "
            "memory, for a price that the exploitability shows.",
            rich_help_panel=_SPOTS,
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Stay within this, for example 2GB or 800MB: chooses --precision and --groups by "
            "itself.",
            metavar="SIZE",
            rich_help_panel=_SPOTS,
        ),
    ] = None,
    no_isomorphism: Annotated[
        bool,
        typer.Option(
            "--no-isomorphism",
            help="Solve boards that differ by suits alone one by one.",
            rich_help_panel=_SPOTS,
        ),
    ] = False,
    sampling: Annotated[
        str | None,
        typer.Option(
            help="Monte Carlo CFR (or CGH): external, outcome or public.", rich_help_panel=_GAMES
        ),
    ] = None,
    simultaneous: Annotated[
        bool,
        typer.Option("--simultaneous", help="Update all players at once.", rich_help_panel=_GAMES),
    ] = False,
    seed: Seed = 0,
    as_json: Json = False,
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
    fields = spots.spot_fields_given(
        board=board,
        oop=oop,
        ip=ip,
        pot=pot,
        stack=stack,
        bet=bet,
        raise_=raise_,
        donk=donk,
        aggressor=aggressor,
        add_allin=add_allin,
        force_allin=force_allin,
        merge=merge,
        max_bets=max_bets,
        rake=rake,
        rake_cap=rake_cap,
        big_blind=big_blind,
        preflop=preflop,
        ranges=ranges,
        smallest_chip=smallest_chip,
        added=added,
        removed=removed,
    )
    start = _solution(subject)
    limits.check_files(subject, oop, ip, ranges, replaces=start is not None)
    if start is not None:
        _refuse(
            f"{subject} is a solution, which says this itself",
            {
                **{spots.option_of(name): value for name, value in fields.items()},
                "--lock": lock,
                "--groups": groups,
                "--memory": memory,
                "--no-isomorphism": no_isomorphism,
                "--sampling": sampling,
                "--simultaneous": simultaneous,
            },
        )
        engine = Engine(
            threads,
            32 if precision is None else precision,
            start.isomorphism,
            partial,
            groups=None if start.groups is None else start.groups.text,
            start=start,
            device=device or "auto",
        )
        limits = replace(limits, rule=rule or start.rule)
        if dry_run:
            count_spot(start.spot, limits, engine)
        else:
            solve_spot(start.spot, limits, engine)
        return
    if _is_spot(subject, fields):
        _refuse(
            "this option is for games of the catalogue only",
            {"--sampling": sampling, "--simultaneous": simultaneous},
        )
        if memory is not None:
            _refuse(
                "--memory chooses it; give one or the other",
                {"--precision": precision, "--groups": groups},
            )
        spot = spots.make_spot(subject, fields, quiet=as_json)
        engine = Engine(
            threads,
            32 if precision is None else precision,
            not no_isomorphism,
            partial,
            tuple(lock or ()),
            groups=groups,
            memory=None if memory is None else parse_memory(memory),
            device=device or "auto",
        )
        if dry_run:
            count_spot(spot, limits, engine)
        else:
            solve_spot(spot, limits, engine)
        return
    _refuse(
        f"this option is for spots only, and {subject!r} is a game",
        {
            **{spots.option_of(name): value for name, value in fields.items()},
            "--dry-run": dry_run,
            "--partial": partial,
            "--lock": lock,
            "--threads": threads,
            "--precision": precision,
            "--device": device,
            "--groups": groups,
            "--memory": memory,
            "--no-isomorphism": no_isomorphism,
        },
    )
    _solve_game(str(subject), limits, sampling, simultaneous, seed)


def _solution(subject: str | None) -> PostflopSolution | None:
    """The solution of a spot that a file holds; None for games and spots."""
    from pokerlab.files.tensor_map import is_tensor_file

    if subject is None or not is_tensor_file(subject):
        return None
    from pokerlab.postflop import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(Path(subject)):
        game = load_solution(subject).game
        raise ValueError(
            f"{subject} is a solution of {game}: solve goes on from solutions of spots; a game is"
            " solved again, or gone on with by --resume"
        )
    return load_postflop(subject)


def _is_spot(subject: str | None, fields: dict[str, Any]) -> bool:
    from pokerlab.postflop.question.spot_file import is_spot_file, read_spot_file

    if subject is not None:
        is_toml, is_file = subject.lower().endswith(".toml"), Path(subject).is_file()
        if is_toml and is_file:
            with source_named(subject):
                read_spot_file(subject)  # what is no TOML is neither a spot nor a game
        # A file that is not there is a spot if options go with it: its reader then says so.
        return is_spot_file(subject) or (bool(fields) and is_toml and not is_file)
    if not fields:
        raise ValueError(
            "nothing to solve: name a game (`pokerlab game list`) or a spot file, or give "
            "--board, --oop, --ip, --pot and --stack"
        )
    return True


def _refuse(why: str, options: dict[str, Any]) -> None:
    """Refuse options that would be ignored."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise ValueError(f"{option}: {why}")


def _solve_game(
    game: str, limits: Limits, sampling: str | None, simultaneous: bool, seed: int
) -> None:
    from pokerlab.cli.commands.show import strategy_json
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
    from pokerlab.cli.commands.show import print_strategy

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
