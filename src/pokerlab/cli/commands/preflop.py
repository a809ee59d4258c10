"""`pokerlab preflop`: heads-up play before the flop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.files import check_distinct, check_output, save_bytes
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.cli.shared.output import Json, Threads, bold, emit
from pokerlab.cli.shared.progress import solve_progress
from pokerlab.reports.texts import number_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.preflop import PreflopRules, PreflopSolution, PushFoldChart, SolvedWithFlops

__all__ = ["register"]

_PLAYERS = ("small blind", "big blind")
_SIZES = "2x, a; a"
_WITH_FLOPS = "With --flops"
_STEP = 0.1
"""Charts have a depth for each tenth of a big blind."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("preflop")(_preflop)


def _preflop(
    stack: Annotated[
        float,
        typer.Option(
            "--stack",
            callback=bounded(1, 1000),
            help="What each player has before the blinds, in big blinds.",
        ),
    ],
    flops: Annotated[
        str | None,
        typer.Option(
            help="Bet after these flops, too: a subset of 25, 49, 85 or 184, a list such as 'AK7r, "
            "987tt', a file, or none (the hands are shown down after the flop).",
            metavar="25|49|85|184|LIST|FILE|none",
            show_default=False,
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            help="Menus of the first raise before the flop, the second, … with ; between them; "
            f"'{_SIZES}' by default.",
            rich_help_panel=_WITH_FLOPS,
            show_default=False,
        ),
    ] = None,
    no_limp: Annotated[
        bool,
        typer.Option(
            "--no-limp",
            help="The small blind may not just call.",
            rich_help_panel=_WITH_FLOPS,
        ),
    ] = False,
    bet: Annotated[
        str | None,
        typer.Option(
            help="Bet sizes after the flop, 'flop: 50%; turn: a; river: a' by default.",
            rich_help_panel=_WITH_FLOPS,
            show_default=False,
        ),
    ] = None,
    raise_: Annotated[
        str | None,
        typer.Option(
            "--raise",
            help="Raise sizes after the flop, 'a' by default.",
            rich_help_panel=_WITH_FLOPS,
            show_default=False,
        ),
    ] = None,
    precision: Annotated[
        int,
        typer.Option(
            callback=bounded(16, 32),
            help="Bits of the numbers stored after the flop.",
            metavar="16|32",
            rich_help_panel=_WITH_FLOPS,
        ),
    ] = 16,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="A checkpoint, as large as the tables: the same command goes on from it.",
            rich_help_panel=_WITH_FLOPS,
        ),
    ] = None,
    small_blind: Annotated[
        float, typer.Option(callback=bounded(0, 1), help="In big blinds.")
    ] = 0.5,
    ante: Annotated[
        float,
        typer.Option(callback=bounded(0, 1000), help="What each player posts, in big blinds."),
    ] = 0.0,
    line: Annotated[
        str | None,
        typer.Option(
            help="Draw the decision after this line, as a or c/r2; by default the first one.",
            show_default=False,
        ),
    ] = None,
    chart: Annotated[
        bool,
        typer.Option(
            "--chart",
            help="Push or fold at all depths up to --stack: up to which depth each hand is pushed "
            "and called, to a tenth of a big blind.",
        ),
    ] = False,
    rule: Annotated[
        str | None,
        typer.Option(
            help="An update rule, as dcfr or cfr+; by default lp, the exact linear program, or "
            "with flops 'dcfr(1.5,0.25,3)'.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            callback=bounded(0, 1),
            help="With an update rule: stop at this exploitability in big blinds; by default "
            "0.0001, or 0.01 with flops.",
            show_default=False,
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(callback=bounded(1), help="With flops: stop after this many iterations."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(callback=bounded(0), help="With flops: stop after this many seconds."),
    ] = None,
    threads: Threads = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the ranges after each line: a file for solve --ranges."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve heads-up play before the flop, with the card removal of all hands.

    Without --flops the small blind pushes or folds, and the big blind calls or
    folds: exact. With --flops both may also limp, raise and call, and bet on the
    flops of a subset; the exploitability is shown in its parts.
    """
    from pokerlab.postflop.engine import DEFAULT_RULE
    from pokerlab.preflop import PreflopRules, ranges_toml, solve_preflop, solve_without_flop
    from pokerlab.preflop.flop_subtrees import DEFAULT_BETS, FlopBets

    check_output(output, "--output")
    check_output(resume, "--resume")
    check_distinct({"--output": output, "--resume": resume}, [flops])
    after_flop = {
        "--bet": bet,
        "--raise": raise_,
        "--resume": resume,
        "--iterations": iterations,
        "--seconds": seconds,
        "--threads": threads,
    }
    if flops is None:
        _refuse("it goes with --flops", {"--sizes": sizes, "--no-limp": no_limp, **after_flop})
    elif flops.strip().lower() == "none":
        _refuse("nobody bets after the flop with --flops none", after_flop)
    if chart:
        chosen = {"--flops": flops, "--line": line, "--rule": rule, "--output": output}
        _refuse("--chart is of push or fold", chosen)
        _show_chart(stack, small_blind, ante, as_json=as_json)
        return
    if flops is None:
        rules = PreflopRules.push_fold(stack, small_blind=small_blind, ante=ante)
    else:
        limp = not no_limp
        rules = PreflopRules(stack, sizes or _SIZES, limp, small_blind=small_blind, ante=ante)
    if line is not None:
        _check_line(rules, line)
    solved: SolvedWithFlops | None = None
    if flops is None or flops.strip().lower() == "none":
        solution = solve_without_flop(rules, rule or "lp", target=target or 1e-4)
    else:
        boards = _weighted(flops)
        bets = FlopBets(
            DEFAULT_BETS.bet if bet is None else bet,
            DEFAULT_BETS.raise_ if raise_ is None else raise_,
        )
        with solve_progress(number_text, quiet=as_json) as report:
            solved = solve_preflop(
                rules,
                boards,
                bets,
                rule=rule or DEFAULT_RULE,
                target=target,
                iterations=iterations,
                seconds=seconds,
                precision=precision,
                threads=threads,
                report=report,
                checkpoint=resume,
            )
        solution = solved.solution
    if output is not None:
        save_bytes(output, ranges_toml(solution).encode(), "--output")
    shown = [line] if line is not None else [""] if flops is not None else ["", "a"]
    data = _json(solution, solved) | {"file": None if output is None else str(output)}
    emit(data, lambda console: _print_solution(console, solution, solved, shown), as_json=as_json)
    if solved is not None and solved.run.interrupted:
        kept = f", kept in {resume}, from which the same command goes on" if resume else ""
        raise CutShortError(f"{solved.run.iterations:,} iterations are shown{kept}")


def _refuse(why: str, options: dict[str, Any]) -> None:
    """Refuse options that would be ignored."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise ValueError(f"{option}: {why}")


def _check_line(rules: PreflopRules, line: str) -> None:
    """Refuse a line that is not there before anything is solved."""
    from pokerlab.preflop import PreflopTree

    tree = PreflopTree(rules)
    if tree.nodes[tree.find(line)].player is None:
        raise ValueError(f"line {line!r}: nobody acts there, the betting has ended")


def _weighted(flops: str) -> list[tuple[tuple[int, int, int], float]]:
    from pokerlab.cards.flops import parse_flops

    return [(flop.cards, flop.weight) for flop in parse_flops(flops)]


def _show_chart(stack: float, small_blind: float, ante: float, *, as_json: bool) -> None:
    from pokerlab.preflop import push_fold_chart

    stacks = _depths(stack)
    with counting_progress(len(stacks), "depths", quiet=as_json) as report:
        found = push_fold_chart(stacks, small_blind=small_blind, ante=ante, report=report)
    emit(_chart_json(found), lambda console: _print_chart(console, found), as_json=as_json)


def _depths(stack: float) -> list[float]:
    depths = [step / 10 for step in range(11, int(stack / _STEP + 1e-9) + 1)]
    if not depths:
        raise ValueError(f"--stack: {stack:g} is too little for a chart, which begins at 1.1")
    return depths


def _json(solution: PreflopSolution, solved: SolvedWithFlops | None) -> dict[str, Any]:
    nodes = solution.game.tree.nodes
    lines = {}
    for number in solution.game.tree.decisions:
        node = nodes[number]
        assert node.player is not None
        frequencies = solution.at(node.line).frequencies
        lines[node.line] = {
            "player": ("sb", "bb")[node.player],
            "actions": list(node.actions),
            "frequencies": [None if each != each else float(each) for each in frequencies],
            "hands": {
                row.pop("hand"): {name: row[name] for name in ("reach", "strategy", "ev")}
                for row in solution.rows(node.line)
            },
        }
    rules = solution.rules
    return {
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "sizes": rules.raises,
        "limp": rules.limp,
        "method": solution.method,
        "value": solution.value,
        "exploitability": {
            "bb": solution.exploitability,
            "mbb": 1000 * solution.exploitability,
            "parts": None if solved is None else solved.parts._asdict(),
        },
        "iterations": None if solved is None else solved.run.iterations,
        "seconds": None if solved is None else solved.run.seconds + solved.run.measuring,
        "stopped": None if solved is None else solved.run.stopped,
        "lines": lines,
    }


def _print_solution(
    console: Console,
    solution: PreflopSolution,
    solved: SolvedWithFlops | None,
    shown: Sequence[str],
) -> None:
    from rich.table import Table

    rules = solution.rules
    pushes = rules.raises == "a" and not rules.limp
    what = "push or fold" if pushes else "nobody bets after the flop"
    if solved is not None:
        lines = len(solution.game.tree.flops)
        what = f"{solved.flops} flops after {lines} line{'s' if lines > 1 else ''}"
    console.print(bold(f"{rules.stack:g} big blinds, {what}"))
    console.print(
        f"the small blind wins {solution.value:+.4f} bb a hand; exploitability "
        f"{1000 * solution.exploitability:.3g} mbb"
    )
    if solved is None:
        console.print(f"by {solution.method}")
    else:
        parts, done = solved.parts, solved.run
        console.print(
            f"{1000 * parts.before_flop:.3g} mbb of it before the flop, "
            f"{1000 * parts.flop_solves:.3g} mbb from the flop solves"
        )
        if parts.subset is not None:
            console.print(f"and about {1000 * parts.subset:.3g} mbb from the subset of flops")
        seconds = done.seconds + done.measuring
        console.print(
            f"{done.iterations:,} iterations of {solution.method} in {seconds:.1f} s "
            f"({done.stopped})"
        )
    table = Table(box=None, pad_edge=False)
    table.add_column("line", style="bold")
    table.add_column("player")
    table.add_column("actions")
    tree = solution.game.tree
    for number in tree.decisions:
        node = tree.nodes[number]
        assert node.player is not None
        frequencies = solution.at(node.line).frequencies
        actions = "  ".join(
            f"{action} {'–' if share != share else f'{share:.1%}'}"
            for action, share in zip(node.actions, frequencies, strict=True)
        )
        table.add_row(node.line or "first", _PLAYERS[node.player], actions)
    console.print(table)
    for each in shown:
        _print_decision(console, solution, each)


def _print_decision(console: Console, solution: PreflopSolution, line: str) -> None:
    from pokerlab.cli.shared.matrix import StrategyMatrix

    view = solution.at(line)
    assert view.node.player is not None
    console.print()
    console.print(bold(f"{_PLAYERS[view.node.player]}{f' after {line}' if line else ''}"))
    console.print(StrategyMatrix(view.node.actions, view.strategy, view.reach))


def _chart_json(chart: PushFoldChart) -> dict[str, Any]:
    from pokerlab.cards.hand_classes import CLASS_NAMES

    def deepest(player: int) -> dict[str, float | None]:
        depths = chart.thresholds(player).tolist()
        return {
            name: None if depth != depth else depth
            for name, depth in zip(CLASS_NAMES, depths, strict=True)
        }

    return {"stacks": chart.stacks.tolist(), "push": deepest(0), "call": deepest(1)}


def _print_chart(console: Console, chart: PushFoldChart) -> None:
    from rich.text import Text

    from pokerlab.cards.codes import RANKS
    from pokerlab.cards.hand_classes import GRID

    most = chart.stacks[-1]
    for player, title in enumerate(("small blind pushes up to", "big blind calls up to")):
        if player:
            console.print()
        console.print(bold(f"{title} (big blinds; suited above the diagonal)"))
        console.print(Text("  " + "".join(f"{rank:>6}" for rank in RANKS[::-1]), style="bold"))
        depths = chart.thresholds(player).reshape(GRID, GRID)
        for rank, row in zip(RANKS[::-1], depths, strict=True):
            cells = (
                "–" if depth != depth else f"{depth:.1f}{'+' if depth == most else ''}"
                for depth in row
            )
            console.print(Text(f"{rank} " + "".join(f"{cell:>6}" for cell in cells)), no_wrap=True)
