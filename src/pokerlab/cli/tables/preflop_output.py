"""Play before the flop in words: the game, the parts of the exploitability, the charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pokerlab.cli.options.limits import advice
from pokerlab.cli.terminal.output import bold
from pokerlab.games.betting_trees.menus import BLINDS
from pokerlab.views import Table
from pokerlab.views.texts import gap_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.preflop import PreflopSolution, PushFoldChart, SolveFacts

_PLAYERS = ("small blind", "big blind")


def solution_json(solution: PreflopSolution, facts: SolveFacts | None) -> dict[str, Any]:
    """The form of ``--json``."""
    lines = {}
    for line in solution.decisions:
        view = solution.at(line)
        lines[line] = {
            "player": BLINDS[view.player],
            "actions": list(view.actions),
            "frequencies": [None if each != each else float(each) for each in view.frequencies],
            "hands": {
                row.pop("hand"): {name: row[name] for name in ("reach", "strategy", "ev")}
                for row in solution.rows(line)
            },
        }
    rules = solution.rules
    parts = None if facts is None else facts.parts
    inside = None if parts is None else parts.inside_groups
    return {
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "sizes": rules.raises,
        "limp": rules.limp,
        "limp_sizes": rules.limp_raises,
        "method": solution.method,
        "value": solution.value,
        "button_wins": 1000 * solution.value,
        "exploitability": {
            "bb": solution.exploitability,
            "mbb": 1000 * solution.exploitability,
            "preflop": _mbb(solution.exploitability if parts is None else parts.before_flop),
            "flops": None if parts is None else _mbb(parts.flop_solves),
            "subset": None if parts is None else _mbb(parts.subset),
            "parts": None if parts is None else parts._asdict(),
        },
        "exploitability_abstract": None if inside is None else {"bb": inside, "mbb": 1000 * inside},
        "flops": None if facts is None else facts.flops,
        "runouts": None if facts is None else facts.bets.runouts,
        "bets": None if facts is None else asdict(facts.bets),
        "groups": None if facts is None else facts.groups,
        "device": None if facts is None else facts.device,
        "iterations": None if facts is None else facts.iterations,
        "seconds": None if facts is None else facts.seconds,
        "stopped": None if facts is None else facts.stopped,
        "advice": None if facts is None else _advice(solution, facts),
        "lines": lines,
    }


def print_solution(
    console: Console,
    solution: PreflopSolution,
    facts: SolveFacts | None,
    shown: Sequence[str],
) -> None:
    """Print the solution, and the decisions after some lines."""
    rules = solution.rules
    pushes = rules.raises == "a" and not rules.limp
    what = "push or fold" if pushes else "nobody bets after the flop"
    if facts is not None:
        lines = len(solution.game.flop_stakes)
        what = f"{_count(facts.flops, 'flop')} after {_count(lines, 'line')}"
        if facts.bets.runouts is not None:
            what += f", on {facts.bets.runouts} run-outs, not on all"
    console.print(bold(f"{rules.stack:g} big blinds, {what}"))
    if facts is not None:
        limped = "" if rules.limp_raises is None else f", after a limp {rules.limp_raises}"
        console.print(f"raises before the flop {rules.raises}{limped}")
        console.print(f"bets after it {facts.bets.bet or 'none'}")
        console.print(f"raises after it {facts.bets.raise_ or 'none'}")
    console.print(
        f"the small blind wins {signed_text(solution.value, 4)} bb a hand; exploitability "
        f"{gap_text(1000 * solution.exploitability)} mbb"
    )
    if facts is None:
        console.print(f"by {solution.method}")
    else:
        parts = facts.parts
        console.print(
            f"{gap_text(1000 * parts.before_flop)} mbb of it before the flop, "
            f"{gap_text(1000 * parts.flop_solves)} mbb from the flop solves"
        )
        if parts.groups and parts.inside_groups is not None:
            console.print(
                f"price of the groups {facts.groups}: {gap_text(1000 * parts.groups)} mbb of it; "
                f"inside them {gap_text(1000 * parts.inside_groups)} mbb"
            )
        if parts.subset is not None:
            console.print(
                f"and at least about {gap_text(1000 * parts.subset)} mbb from the subset of flops"
            )
        console.print(
            f"{facts.iterations:,} iterations of {solution.method} in {facts.seconds:.1f} s "
            f"({facts.stopped})"
        )
        if (tried := _advice(solution, facts)) is not None:
            console.out(tried)
    rows = []
    for line in solution.decisions:
        view = solution.at(line)
        actions = "  ".join(
            f"{action} {'–' if share != share else f'{share:.1%}'}"
            for action, share in zip(view.actions, view.frequencies, strict=True)
        )
        rows.append((line or "first", _PLAYERS[view.player], actions))
    console.print(Table({"line": "text bold", "player": "text", "actions": "text"}, rows))
    for each in shown:
        _print_decision(console, solution, each)


def _advice(solution: PreflopSolution, facts: SolveFacts) -> str | None:
    return advice(
        facts.stopped,
        solution.method,
        precision=facts.precision,
        groups=facts.groups,
        most_bits=32,
    )


def _mbb(bb: float | None) -> float | None:
    return None if bb is None else 1000 * bb


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}"


def _print_decision(console: Console, solution: PreflopSolution, line: str) -> None:
    from pokerlab.cli.tables.matrix import StrategyMatrix

    view = solution.at(line)
    console.print()
    console.print(bold(f"{_PLAYERS[view.player]}{f' after {line}' if line else ''}"))
    console.print(StrategyMatrix(view.actions, view.strategy, view.reach))


def chart_json(chart: PushFoldChart) -> dict[str, Any]:
    """The form of ``--chart --json``."""
    from pokerlab.cards.hand_classes import CLASS_NAMES

    def deepest(player: int) -> dict[str, float | None]:
        depths = chart.thresholds(player).tolist()
        return {
            name: None if depth != depth else depth
            for name, depth in zip(CLASS_NAMES, depths, strict=True)
        }

    return {"stacks": chart.stacks.tolist(), "push": deepest(0), "call": deepest(1)}


def print_chart(console: Console, chart: PushFoldChart) -> None:
    """Up to which depth each hand is pushed and called."""
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
