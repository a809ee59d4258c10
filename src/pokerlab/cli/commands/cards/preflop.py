"""`pokerlab preflop`: heads-up play before the flop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, save_bytes
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.progress.solve_status import solve_progress
from pokerlab.cli.shared.spot_solve import COUNTING
from pokerlab.cli.tables.cost import enough_memory, parse_memory
from pokerlab.cli.tables.preflop_output import (
    chart_json,
    print_chart,
    print_solution,
    solution_json,
)
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.errors import shorten, source_named
from pokerlab.views.texts import number_text

if TYPE_CHECKING:
    from pokerlab.holdem.preflop import (
        FlopBets,
        PreflopRules,
        PreflopSolution,
        SolvedWithFlops,
        SolveFacts,
    )
    from pokerlab.holdem.preflop.flop_bets import WeightedBoards

_LEAST = 20
"""The stack in big blinds from which on the charts of the package are shown."""
_FLOPS = options.OnlyFor("bets after the flop (--flops)")
_STEP = 0.1
"""Charts have a depth for each tenth of a big blind."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("preflop")(_preflop)


def _preflop(
    context: typer.Context,
    stack: Annotated[
        str,
        typer.Option(
            "--stack",
            help="What each player has before the blinds, in big blinds: 12 or 12bb.",
            metavar="BLINDS",
        ),
    ],
    flops: Annotated[
        str | None,
        typer.Option(
            help="Bet after these flops, too: a subset of 25, 49, 85 or 184, a list such as 'AK7r, "
            "987tt', a file, or none (the hands are shown down after the flop).",
            metavar="25|49|85|184|LIST|FILE|none",
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        "Menus of the first raise before the flop, the second, … with ; between them; by default "
        f"'2x, a; a', and from {_LEAST} big blinds on, with bets after the flop, those of the "
        "nearest chart.",
        options.Needs("--flops"),
    ] = None,
    limp_sizes: Annotated[
        str | None,
        "Menus of raises after a limp, likewise; those of --sizes by default.",
        options.Needs("--flops"),
    ] = None,
    no_limp: Annotated[
        bool, "The small blind may not just call.", options.Needs("--flops")
    ] = False,
    push_fold: Annotated[
        bool,
        "All-in or fold, and call or fold: the default below 20 big blinds.",
        options.NotWith("--flops", "--chart"),
    ] = False,
    bet: Annotated[
        str | None,
        "Bet sizes after the flop, by default 'flop: 50%; turn: a; river: a'. From "
        f"{_LEAST} big blinds on what is not said of bets after the flop is as in the nearest "
        "chart.",
        _FLOPS,
    ] = None,
    raise_: Annotated[str | None, "Raise sizes after the flop, by default 'a'.", _FLOPS] = None,
    donk: Annotated[
        str | None,
        "Sizes of bets into the player who bet or raised last; '' for none.",
        _FLOPS,
    ] = None,
    add_allin: Annotated[
        float | None,
        typer.Option(
            callback=bounded(0, 10**9),
            help="Offer all-in after the flop up to this many times the pot; 0 is off.",
        ),
        _FLOPS,
    ] = None,
    force_allin: Annotated[
        float | None,
        typer.Option(
            callback=bounded(0, 10**9),
            help="All-in after the flop if at most this part of the pot is left; 0 is off.",
        ),
        _FLOPS,
    ] = None,
    max_bets: Annotated[
        int | None,
        typer.Option(
            callback=bounded(0, 100), help="After this many bets on a street only all-in is left."
        ),
        _FLOPS,
    ] = None,
    runouts: Annotated[
        str | None, "A weighted subset of turns and rivers, for example 12x10.", _FLOPS
    ] = None,
    precision: Annotated[options.Precision, "16 by default; 64 is not for this.", _FLOPS] = None,
    groups: Annotated[
        options.Groups,
        "By default view; none: each hand for itself, for several times the memory.",
        _FLOPS,
    ] = None,
    memory: Annotated[options.Memory, _FLOPS] = None,
    resume: Annotated[options.Resume, "It is as large as the tables.", _FLOPS] = None,
    small_blind: Annotated[str, typer.Option(help="In big blinds.", metavar="BLINDS")] = "0.5",
    ante: Annotated[
        str, typer.Option(help="What each player posts, in big blinds.", metavar="BLINDS")
    ] = "0",
    line: Annotated[
        str | None,
        "Draw the decision after this line, for example a or c/r2; by default the first.",
    ] = None,
    chart: Annotated[
        bool,
        "Push or fold at all depths up to --stack: up to which depth each hand is pushed "
        "and called, to a tenth of a big blind.",
        options.NotWith("--flops", "--line", "--rule", "--output"),
    ] = False,
    rule: Annotated[
        options.Rule,
        "By default lp, the exact linear program, or with flops 'dcfr(1.3,0.5,3,0.1)'.",
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            callback=bounded(0, 1),
            help="With an update rule: stop at this exploitability in big blinds; by default "
            "0.0001, or 0.01 with flops.",
            rich_help_panel=options.STOP,
        ),
    ] = None,
    iterations: Annotated[options.Iterations, _FLOPS] = None,
    seconds: Annotated[options.Seconds, _FLOPS] = None,
    go_on: Annotated[options.NoStall, _FLOPS] = False,
    threads: Annotated[options.Threads, _FLOPS] = None,
    device: Annotated[options.Device, _FLOPS] = "auto",
    output: Annotated[
        options.Output,
        "A .safetensors file of all that is known, or the ranges after each line as a .toml file "
        "for solve --ranges.",
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show or solve heads-up play before the flop, with the card removal of all hands.

    From 20 big blinds on, --stack alone shows the chart of the package that is
    nearest: limps, raises, 3-bets and 4-bets, solved with bets on 49 flops. Below,
    and with --push-fold, the small blind pushes or folds, and the big blind calls
    or folds: exact. With --flops both may also limp, raise and call, and bet on the
    flops of a subset; the exploitability is shown in its parts.
    """
    from pokerlab.holdem.preflop import FlopBets, PreflopRules, solve_without_flop, usual_menus

    depth = _big_blinds("--stack", stack, 1, 1000)
    posted = {
        "small_blind": _big_blinds("--small-blind", small_blind, 0, 1),
        "ante": _big_blinds("--ante", ante, 0, 1000),
    }
    check_output(output, "--output")
    if output is not None and output.suffix.lower() not in (".toml", ".safetensors"):
        raise ValueError(
            f"--output {output}: must be a .toml file, of the ranges for solve --ranges, or a "
            ".safetensors file"
        )
    check_output(resume, "--resume")
    check_distinct({"--output": output, "--resume": resume}, [flops])
    betting = flops is not None and flops.strip().lower() != "none"
    kind = "--flops none" if flops is not None else "push or fold"
    options.check_options(context, _FLOPS.text if betting else kind)
    if chart:
        _show_chart(depth, **posted, as_json=as_json)
        return
    usual = posted == {"small_blind": 0.5, "ante": 0.0}
    if flops is None and not push_fold and usual and depth >= _LEAST:
        for option, value in (("--rule", rule), ("--target", target)):
            if value is not None:
                raise ValueError(
                    f"{option}: from {_LEAST} big blinds on a chart of the package is shown; add "
                    "--push-fold, or --flops, to solve"
                )
        _show_shipped(depth, line, output, as_json=as_json)
        return
    menus, bets = usual_menus(depth) if betting else (PreflopRules(depth), FlopBets())
    if flops is None:
        rules = PreflopRules.push_fold(depth, **posted)
    else:
        if sizes is None and limp_sizes is None and not no_limp:
            limp_sizes = menus.limp_raises
        raises = menus.raises if sizes is None else sizes
        rules = PreflopRules(depth, raises, not no_limp, **posted, limp_raises=limp_sizes)
    if line is not None:
        _check_line(rules, line)
    solved: SolvedWithFlops | None = None
    if flops is None or not betting:
        solution = solve_without_flop(rules, rule or "lp", target=target or 1e-4)
    else:
        given: dict[str, Any] = {
            "bet": bet,
            "raise_": raise_,
            "donk": donk,
            "add_allin": add_allin,
            "force_allin": force_allin,
            "max_bets": max_bets,
            "runouts": runouts,
        }
        solved = _solve_with_flops(
            rules,
            _weighted(flops),
            replace(bets, **{name: value for name, value in given.items() if value is not None}),
            _Storage(precision, groups, None if memory is None else parse_memory(memory)),
            quiet=as_json,
            rule=rule,
            target=target,
            iterations=iterations,
            seconds=seconds,
            stall=not go_on,
            threads=threads,
            device=device,
            checkpoint=resume,
        )
        solution = solved.solution
    facts = None if solved is None else solved.facts
    _save(output, solution, facts)
    shown = [line] if line is not None else [""] if flops is not None else ["", "a"]
    data = solution_json(solution, facts) | {"file": None if output is None else str(output)}
    emit(data, lambda console: print_solution(console, solution, facts, shown), as_json=as_json)
    if solved is not None and solved.run.interrupted:
        kept = ""
        if resume is not None and resume.exists():
            kept = f", kept in {resume}, from which the same command goes on"
            if solved.run.warnings:
                kept = f"; {resume} has fewer, from which the same command goes on"
        raise CutShortError(f"{solved.run.iterations:,} iterations are shown{kept}")


def _show_shipped(depth: float, line: str | None, output: Path | None, *, as_json: bool) -> None:
    """Show the chart of the package that is nearest to a depth."""
    from pokerlab.holdem.charts import shipped_chart, shipped_depth
    from pokerlab.holdem.preflop import facts_of, solution_of

    with source_named("--stack"):
        nearest = shipped_depth(depth)
    chart = shipped_chart(nearest)
    solution, facts = solution_of(chart), facts_of(chart)
    if line is not None:
        _check_line(solution.rules, line)
    if nearest != depth:
        tell(
            f"{depth:g} big blinds: this is the chart of {nearest}, the nearest of the package; "
            "--flops solves other depths"
        )
    _save(output, solution, facts)
    data = solution_json(solution, facts) | {
        "file": None if output is None else str(output),
        "chart": nearest,
    }
    shown = ["" if line is None else line]
    emit(data, lambda console: print_solution(console, solution, facts, shown), as_json=as_json)


def _save(output: Path | None, solution: PreflopSolution, facts: SolveFacts | None) -> None:
    """Write what ``--output`` asks for."""
    from pokerlab.holdem.preflop import ranges_toml, save_preflop

    if output is None:
        return
    if output.suffix.lower() == ".toml":
        save_bytes(output, ranges_toml(solution).encode(), "--output")
    else:
        save_preflop(output, solution, facts)


def _big_blinds(option: str, text: str, low: int, high: int) -> float:
    """A number of big blinds as people write it.

    Examples
    --------
    >>> _big_blinds("--stack", "12bb", 1, 1000), _big_blinds("--ante", "0.125", 0, 1)
    (12.0, 0.125)
    >>> _big_blinds("--stack", "12 chips", 1, 1000)
    Traceback (most recent call last):
    ValueError: --stack: '12 chips' is not a number of big blinds from 1 to 1,000, for example 12bb
    """
    from pokerlab.games.betting_trees.chips import read_big_blinds

    number = read_big_blinds(text)
    if number is None or not low <= number <= high:
        raise ValueError(
            f"{option}: {shorten(text)!r} is not a number of big blinds from {low:,} to {high:,},"
            f" for example {'12bb' if high > 1 else '0.5'}"
        )
    return number


class _Storage(NamedTuple):
    """How numbers after the flop are stored, as the options say."""

    precision: int | None
    groups: str | None
    memory: int | None


def _solve_with_flops(
    rules: PreflopRules,
    boards: WeightedBoards,
    bets: FlopBets,
    storage: _Storage,
    *,
    quiet: bool,
    rule: str | None,
    threads: int | None,
    device: str,
    checkpoint: Path | None,
    **limits: Any,
) -> SolvedWithFlops:
    from pokerlab.engine.groups import HandGrouping
    from pokerlab.holdem.preflop import fit_subtrees, solve_preflop
    from pokerlab.holdem.preflop.solving import DEFAULT_GROUPS
    from pokerlab.holdem.preflop.subtree_memory import SubtreeMemory
    from pokerlab.holdem.spots.solver import DEFAULT_RULE

    rule = rule or DEFAULT_RULE

    def mbb(bb: float) -> str:
        return number_text(1000 * bb)

    with (
        enough_memory("take fewer flops, or --memory"),
        solve_progress(lambda bb: f"{mbb(bb)} mbb", mbb, quiet=quiet) as status,
        announce_compiling(status.enter, quiet=quiet),
    ):
        if storage.memory is not None and device == "gpu":
            raise ValueError("--memory: this option is for --device cpu; a GPU is filled by itself")
        precision, groups = storage.precision or 16, (storage.groups or DEFAULT_GROUPS).strip()
        if storage.memory is not None:
            device = "cpu"
            choice = fit_subtrees(
                rules,
                boards,
                bets,
                storage.memory,
                rule,
                threads=threads,
                counting=lambda: status.enter(COUNTING),
            )
            precision, groups = choice.precision, choice.groups or "none"
            if not quiet:
                tell(choice.reason)
        else:
            status.enter(COUNTING)
        grouping = None if groups.lower() == "none" else HandGrouping.parse(groups)
        if checkpoint is not None:
            tables = SubtreeMemory(rules, boards, bets, rule, threads)
            size = tables.table_bytes(precision, grouping)
            check_output(checkpoint, "--resume", size=size)
        try:
            return solve_preflop(
                rules,
                boards,
                bets,
                rule=rule,
                precision=precision,
                threads=threads,
                groups=grouping,
                device=device,
                report=status,
                checkpoint=checkpoint,
                preparing=lambda done: status.enter(f"preparing, {done} of {len(boards)} flops"),
                **limits,
            )
        except KeyboardInterrupt:  # before anything was measured that could be shown
            if checkpoint is None or not checkpoint.exists():
                raise
            kept = f"kept in {checkpoint}, from which the same command goes on"
            raise CutShortError(f"what was reached is {kept}") from None


def _check_line(rules: PreflopRules, line: str) -> None:
    """Refuse a line that is not there before anything is solved."""
    from pokerlab.games.betting_trees import EdgeKind

    if rules.tree.find(line).kind != EdgeKind.NODE:
        raise ValueError(f"line {line!r}: nobody acts there, the betting has ended")


def _weighted(flops: str) -> list[tuple[tuple[int, int, int], float]]:
    from pokerlab.cards.flops import parse_flops

    return [(flop.cards, flop.weight) for flop in parse_flops(flops)]


def _show_chart(stack: float, small_blind: float, ante: float, *, as_json: bool) -> None:
    from pokerlab.holdem.preflop import push_fold_chart

    stacks = _depths(stack)
    with counting_progress(len(stacks), "depths", quiet=as_json) as report:
        found = push_fold_chart(stacks, small_blind=small_blind, ante=ante, report=report)
    emit(chart_json(found), lambda console: print_chart(console, found), as_json=as_json)


def _depths(stack: float) -> list[float]:
    depths = [step / 10 for step in range(11, int(stack / _STEP + 1e-9) + 1)]
    if not depths:
        raise ValueError(f"--stack: {stack:g} is too little for a chart, which begins at 1.1")
    return depths
