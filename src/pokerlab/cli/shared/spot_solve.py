"""What `pokerlab solve` does with a post-flop spot: count it, solve it, tell the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import check_output, saving
from pokerlab.cli.shared.limits import Limits
from pokerlab.cli.shared.output import bold, emit
from pokerlab.cli.shared.progress import solve_progress

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import PostflopSolution, Spot

__all__ = ["Engine", "count_spot", "solve_spot"]


@dataclass(frozen=True)
class Engine:
    """How the post-flop engine runs, and whether its answer is saved without the rivers."""

    threads: int | None
    precision: int
    isomorphism: bool
    partial: bool
    locks: tuple[str, ...] = ()
    """Decisions that are fixed, as they were typed."""


def count_spot(spot: Spot, *, isomorphism: bool, as_json: bool) -> None:
    """Tell how large a spot is, and solve nothing."""
    from pokerlab.cli.shared.cost import cost_json, print_cost
    from pokerlab.postflop import count_tree

    data = cost_json(count_tree(spot, isomorphism=isomorphism))
    emit(data, lambda console: print_cost(console, spot, data), as_json=as_json)


def solve_spot(spot: Spot, limits: Limits, engine: Engine, big_blind: float) -> None:
    """Solve a spot, save it and tell the result; `big_blind` is in chips."""
    with announce_compiling(quiet=limits.as_json):
        _solve(spot, limits, engine, big_blind)


def _solve(spot: Spot, limits: Limits, engine: Engine, big_blind: float) -> None:
    from pokerlab.postflop.engine import DEFAULT_RULE
    from pokerlab.postflop.question.locks import read_locks
    from pokerlab.postflop.solving import solve_spot as solve

    if not big_blind > 0:
        raise ValueError(f"--big-blind: {big_blind:g} is not a number of chips above 0")
    if engine.partial and limits.output is None:
        raise ValueError("--partial: it goes with --output, the file to write")
    named = (limits.rule or "dcfr").strip()
    rule = DEFAULT_RULE if named.lower() == "dcfr" else named
    _check_cost(spot, limits, engine, rule)

    def show(chips: float) -> str:  # short: the line of progress holds more
        return f"{chips:.3g} chips {100 * chips / spot.pot:.2g}% {1000 * chips / big_blind:.3g} mbb"

    with _enough_memory(), solve_progress(show, quiet=limits.as_json) as report:
        solution = solve(
            spot,
            rule,
            target=limits.target,
            iterations=limits.iterations,
            seconds=limits.seconds,
            threads=engine.threads,
            precision=engine.precision,
            isomorphism=engine.isomorphism,
            locks=read_locks(engine.locks),
            report=report,
            checkpoint=limits.resume,
        )
    output = limits.output
    if output is not None:
        with saving(output, "--output"):
            (solution.without_river() if engine.partial else solution).save(output)
    chips = solution.exploitability.chips
    data = {
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": {
            "chips": chips,
            "percent": solution.exploitability.percent,
            "mbb": 1000 * chips / big_blind,
        },
        "values": list(solution.values),
        "equities": list(solution.equities),
        "bounds": list(solution.best_values),
        "rule": solution.rule,
        "stopped": solution.stopped,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        _print_spot(console, solution, big_blind)
        if output is not None:
            console.out(f"saved to {output}; pokerlab show {output}")

    emit(data, render, as_json=limits.as_json)


@contextmanager
def _enough_memory() -> Iterator[None]:
    """Where the system does not tell how much is free, it is found out the hard way."""
    from pokerlab.cli.shared.cost import WHAT_TO_CUT

    try:
        yield
    except MemoryError:
        raise ValueError(f"memory: there is not enough for this solve; {WHAT_TO_CUT}") from None


def _check_cost(spot: Spot, limits: Limits, engine: Engine, rule: str) -> None:
    """Refuse what fits neither into memory nor on the disk, before anything is allocated."""
    from pokerlab.cli.shared.cost import check_memory, memory_needed
    from pokerlab.postflop import count_tree
    from pokerlab.solvers import parse_rule

    counts = count_tree(spot, isomorphism=engine.isomorphism)
    entries = counts.entries
    chosen = parse_rule(rule)
    arrays = 1 + chosen.averages + (chosen.at(1).prediction != 0)
    check_memory(memory_needed(entries, engine.precision, arrays, counts.margins))
    check_output(limits.output, "--output", size=2 * entries)
    check_output(limits.resume, "--resume", size=entries * arrays * engine.precision // 8)


def _exploitability_text(chips: float, pot: int, big_blind: float) -> str:
    mbb = 1000 * chips / big_blind
    return f"{chips:.3g} chips, {100 * chips / pot:.3g}% of the pot, {mbb:.4g} mbb"


def _print_spot(console: Console, solution: PostflopSolution, big_blind: float) -> None:
    from rich.table import Table

    from pokerlab.cards.codes import format_cards
    from pokerlab.cli.commands.show import print_following
    from pokerlab.postflop.answer.export import following_lines

    spot = solution.spot
    board = format_cards(spot.board, separator=" ", symbols=True)
    console.print(bold(board), f", pot {spot.pot:,}, stacks {spot.effective_stack:,}", sep="")
    table = Table(box=None, pad_edge=False)
    for name in ("player", "combos", "equity", "takes", "bound"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for seat, name in enumerate(("out of position", "in position")):
        table.add_row(
            name,
            f"{spot.ranges[seat].combos:,.1f}",
            f"{solution.equities[seat]:.2%}",
            f"{solution.values[seat]:,.3f}",
            f"{solution.best_values[seat]:,.3f}",
        )
    console.print(table)
    text = _exploitability_text(solution.exploitability.chips, spot.pot, big_blind)
    console.print(f"exploitability {text}")
    console.print(
        f"{solution.iterations:,} iterations of {solution.rule} in {solution.seconds:.2f} s "
        f"({solution.stopped})"
    )
    console.print("\nfirst decision, out of position:")
    print_following(console, following_lines(spot, solution.at("")))
