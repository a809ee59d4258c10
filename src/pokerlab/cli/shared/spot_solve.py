"""What `pokerlab solve` does with a post-flop spot: count it, solve it, show the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import check_output, saving, size_text
from pokerlab.cli.shared.limits import Limits
from pokerlab.cli.shared.output import bold, emit
from pokerlab.cli.shared.progress import number_text, solve_progress
from pokerlab.cli.shared.solve_history import draw_history, history_json

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import PostflopSolution, Spot
    from pokerlab.postflop.cost import SolveCost

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
    start: PostflopSolution | None = None
    """What to go on from."""


def count_spot(spot: Spot, limits: Limits, engine: Engine) -> None:
    """Tell what a solve takes, and solve nothing."""
    from pokerlab.cli.shared.cost import cost_json, print_cost

    cost = _cost(spot, limits, engine)
    data = cost_json(cost)
    emit(
        data,
        lambda console: print_cost(console, spot, cost, data, isomorphism=engine.isomorphism),
        as_json=limits.as_json,
    )


def _rule(limits: Limits) -> str:
    from pokerlab.postflop.engine import DEFAULT_RULE

    return limits.rule or DEFAULT_RULE


def _cost(spot: Spot, limits: Limits, engine: Engine) -> SolveCost:
    from pokerlab.postflop.cost import estimate_cost

    return estimate_cost(
        spot,
        _rule(limits),
        precision=engine.precision,
        isomorphism=engine.isomorphism,
        threads=engine.threads,
    )


def solve_spot(spot: Spot, limits: Limits, engine: Engine) -> None:
    """Solve a spot, save it and show the result."""
    from pokerlab.cards.codes import format_cards
    from pokerlab.postflop.question.locks import read_locks
    from pokerlab.postflop.solving import solve_spot as solve

    if engine.partial and limits.output is None:
        raise ValueError("--partial: it goes with --output, the file to write")
    _check_cost(spot, limits, engine)
    output = limits.output

    def show(chips: float) -> str:
        return f"{number_text(100 * chips / spot.pot)}% of the pot"

    with (
        _enough_memory(),
        solve_progress(show, quiet=limits.as_json) as status,
        announce_compiling(status.enter, quiet=limits.as_json),
    ):
        solution = solve(
            spot,
            _rule(limits),
            target=limits.target,
            iterations=limits.iterations,
            seconds=limits.seconds,
            threads=engine.threads,
            precision=engine.precision,
            isomorphism=engine.isomorphism,
            locks=read_locks(engine.locks),
            start=engine.start,
            report=status,
            checkpoint=limits.resume,
        )
        if output is not None:
            saved = solution.without_river() if engine.partial else solution
            status.enter(f"saving {size_text(_bytes(saved))}")
            with saving(output, "--output"):
                saved.save(output)
    reached = solution.exploitability
    data = {
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": {
            "chips": reached.chips,
            "percent": reached.percent,
            "mbb": reached.mbb,
        },
        "values": list(solution.values),
        "equities": list(solution.equities),
        "bounds": list(solution.best_values),
        "rule": solution.rule,
        "stopped": solution.stopped,
        "history": history_json(solution.history),
        "file": None if output is None else str(output),
    }
    if limits.plot is not None:
        board = format_cards(spot.board, separator=" ")
        draw_history(limits.plot, solution.history, solution.rule, board, "chips")

    def render(console: Console) -> None:
        _print_spot(console, solution)
        if output is not None:
            console.out(f"saved to {output}; pokerlab show {output}")

    emit(data, render, as_json=limits.as_json)
    limits.check_finished(solution.stopped, solution.iterations)


@contextmanager
def _enough_memory() -> Iterator[None]:
    """One line where memory runs out after all: others may have taken what was free."""
    from pokerlab.cli.shared.cost import WHAT_TO_CUT

    try:
        yield
    except MemoryError:
        raise ValueError(f"memory: there is not enough for this solve; {WHAT_TO_CUT}") from None


def _check_cost(spot: Spot, limits: Limits, engine: Engine) -> None:
    """Refuse what fits neither into memory nor on the disk, before anything is allocated."""
    from pokerlab.cli.shared.cost import check_memory

    cost = _cost(spot, limits, engine)
    check_memory(spot, cost, isomorphism=engine.isomorphism)
    check_output(limits.output, "--output", size=cost.answer_bytes)
    check_output(limits.resume, "--resume", size=cost.table_bytes)


def _bytes(solution: PostflopSolution) -> int:
    strategies = sum(array.nbytes for pair in solution.strategies for array in pair)
    return strategies + sum(array.nbytes for array in solution.river_values)


def _print_spot(console: Console, solution: PostflopSolution) -> None:
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
    reached = solution.exploitability
    console.print(
        f"exploitability {reached.chips:.3g} chips, {reached.percent:.3g}% of the pot, "
        f"{reached.mbb:.4g} mbb"
    )
    console.print(
        f"{solution.iterations:,} iterations of {solution.rule} in {solution.seconds:.2f} s "
        f"({solution.stopped})"
    )
    console.print("\nfirst decision, out of position:")
    print_following(console, following_lines(spot, solution.at("")))
