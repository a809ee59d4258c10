"""`pokerlab solve` of a post-flop spot: count it, solve it, show the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pokerlab.cli.options.files import check_output, saving
from pokerlab.cli.options.limits import Limits, advice
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.solve_status import SolveStatus, solve_progress
from pokerlab.cli.tables.cost import enough_memory
from pokerlab.cli.tables.solve_history import draw_history, history_json
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.runtime.machine import size_text
from pokerlab.views import Table
from pokerlab.views.payloads.simple_payload import exploitability_payload
from pokerlab.views.texts import gap_text, number_text, signed_text, subset_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import Gadget, MemoryChoice, PostflopSolution, Spot
    from pokerlab.holdem.spots.answer.margins import Margin
    from pokerlab.holdem.spots.cost import SolveCost

COUNTING = "counting groups"


@dataclass(frozen=True)
class Engine:
    """How the post-flop engine runs, and whether its answer is saved without the rivers."""

    threads: int | None
    precision: int
    partial: bool
    device: str
    """Where to compute: auto, cpu or gpu."""
    isomorphism: bool = True
    locks: tuple[str, ...] = ()
    """Decisions that are fixed, as they were typed."""
    start: PostflopSolution | None = None
    """What to go on from."""
    groups: str | None = None
    """Hands that are stored together, as `pokerlab.engine.groups.HandGrouping` reads them."""
    memory: int | None = None
    """Bytes to stay within, by a choice of bits and groups."""
    gadget: Gadget | None = None
    """What the hands of a player may stop for."""
    keep_values: bool = False
    """Whether to save what hands are worth where the second street begins."""


def count_spot(spot: Spot, limits: Limits, engine: Engine) -> None:
    """Print the cost of a solve, and solve nothing."""
    from pokerlab.cli.tables.cost import print_cost
    from pokerlab.engine.device import check_device
    from pokerlab.holdem.spots.cost import gpu_memory
    from pokerlab.holdem.spots.question.outline import preview_sizes
    from pokerlab.holdem.spots.solving import parse_target

    check_device(engine.device)
    spot, engine = _as_walked(_with_locks(spot, engine), engine)
    with solve_progress(number_text, quiet=limits.as_json) as status:
        engine, choice = _fit(spot, limits, engine, status)
        cost = _cost(spot, limits, engine, status)
    needs = gpu_memory(spot, cost, isomorphism=engine.isomorphism)
    on_gpu = {str(bits): replace(needs, bits=bits).nbytes for bits in (32, 16)}
    chips = parse_target(limits.target, spot.pot)
    percent = 100 * chips / spot.pot if chips else 0.5
    data = cost.to_json(percent) | {
        "memory": _choice_json(choice),
        "card_bytes": on_gpu,
        "sizes": preview_sizes(spot),
    }

    def render(console: Console) -> None:
        print_cost(console, spot, cost, data, percent, isomorphism=engine.isomorphism)
        if choice is not None:
            console.print(choice.reason)
        if engine.device == "gpu":
            sizes = ", ".join(f"{bits} bits {size_text(size)}" for bits, size in on_gpu.items())
            console.print(f"memory of the GPU: {sizes}")

    emit(data, render, as_json=limits.as_json)


def _with_locks(spot: Spot, engine: Engine) -> Spot:
    from pokerlab.engine.locks import read_locks

    return spot.with_locks(read_locks(engine.locks)) if engine.locks else spot


def _as_walked(spot: Spot, engine: Engine) -> tuple[Spot, Engine]:
    """What a solve costs as much as: a gadget brings in all hands, and may tell suits apart."""
    if engine.gadget is None:
        return spot, engine
    merged = engine.isomorphism and engine.gadget.keeps_suits(spot.board)
    return engine.gadget.widen(spot), replace(engine, isomorphism=merged)


def _rule(limits: Limits) -> str:
    from pokerlab.holdem.spots.solving import default_rule

    return limits.rule or default_rule(limits.resume)


def _fit(
    spot: Spot, limits: Limits, engine: Engine, status: SolveStatus
) -> tuple[Engine, MemoryChoice | None]:
    """The engine with bits and groups that fit into the memory which was given."""
    if engine.memory is None:
        return engine, None
    from pokerlab.holdem.spots.budget import fit_memory

    walked, seen = _as_walked(spot, engine)
    choice = fit_memory(
        walked,
        engine.memory,
        _rule(limits),
        isomorphism=seen.isomorphism,
        threads=engine.threads,
        groups=engine.gadget is None and not engine.keep_values,
        counting=lambda: status.enter(COUNTING),
    )
    return replace(engine, precision=choice.precision, groups=choice.groups), choice


def _choice_json(choice: MemoryChoice | None) -> dict[str, Any] | None:
    return None if choice is None else choice._asdict()


def _cost(spot: Spot, limits: Limits, engine: Engine, status: SolveStatus) -> SolveCost:
    from pokerlab.holdem.spots.cost import estimate_cost

    if engine.groups is not None:
        status.enter(COUNTING)
    return estimate_cost(
        spot,
        _rule(limits),
        precision=engine.precision,
        isomorphism=engine.isomorphism,
        threads=engine.threads,
        groups=engine.groups,
    )


def solve_spot(spot: Spot, limits: Limits, engine: Engine) -> None:
    """Solve a spot, save it and show the result."""
    from pokerlab.cards.codes import format_cards
    from pokerlab.holdem.spots.solving import solve_spot as solve

    spot = _with_locks(spot, engine)
    output = limits.output

    def percent(chips: float) -> str:
        return f"{number_text(100 * chips / spot.pot)}%"

    def show(chips: float) -> str:
        return f"{percent(chips)} of the pot"

    if engine.start is not None and engine.start.stopped == "stalled" and not limits.as_json:
        tell(
            f"this solution had stalled after {engine.start.iterations:,} iterations; it goes on "
            "from there" + (", until they have grown fivefold" if limits.stall else "")
        )
    with (
        enough_memory(),
        solve_progress(show, percent, quiet=limits.as_json) as status,
        announce_compiling(status.enter, quiet=limits.as_json),
    ):
        engine, choice = _fit(spot, limits, engine, status)
        if choice is not None and not limits.as_json:
            tell(choice.reason)
        device = _check_cost(spot, limits, engine, status)
        status.enter("preparing")
        solution = solve(
            spot,
            _rule(limits),
            target=limits.target,
            iterations=limits.iterations,
            seconds=limits.seconds,
            threads=engine.threads,
            precision=engine.precision,
            isomorphism=engine.isomorphism,
            groups=engine.groups,
            device=device,
            start=engine.start,
            report=status,
            checkpoint=limits.resume,
            stall=limits.stall,
            # Here and not afterwards: the values of what is left out are those of the device.
            streets=max(len(spot.tree.streets) - 1, 1) if engine.partial else None,
            gadget=engine.gadget,
            keep_values=engine.keep_values,
        )
        if output is not None:
            status.enter(f"saving {size_text(_bytes(solution))}")
            with saving(output, "--output"):
                solution.save(output)
    inside = solution.exploitability_abstract
    counts = solution.group_counts
    tried = advice(
        solution.stopped, solution.rule, precision=engine.precision, groups=engine.groups
    )
    data = {
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": exploitability_payload(solution.exploitability),
        "exploitability_abstract": None if inside is None else exploitability_payload(inside),
        "big_blind": spot.big_blind if spot.has_big_blind else None,
        "groups": None if counts is None else counts.to_json(),
        "runouts": spot.runouts,
        "memory": _choice_json(choice),
        "device": device,
        "values": list(solution.values),
        "equities": list(solution.equities),
        "bounds": list(solution.best_values),
        "gains": list(solution.gains),
        "prizes": None if solution.prize_shares is None else list(solution.prize_shares),
        "rule": solution.rule,
        "stopped": solution.stopped,
        "advice": tried,
        "history": history_json(solution.history),
        "gadget": None if solution.gadget is None else gadget_json(solution),
        "file": None if output is None else str(output),
    }
    if limits.plot is not None:
        board = format_cards(spot.board, separator=" ")
        draw_history(limits.plot, solution.history, solution.rule, board, "chips")

    def render(console: Console) -> None:
        _print_spot(console, solution, tried)
        if output is not None:
            console.out(f"saved to {output}; pokerlab show {output}")

    emit(data, render, as_json=limits.as_json)
    limits.check_finished(solution.stopped, solution.iterations)


def gadget_json(solution: PostflopSolution) -> dict[str, Any]:
    """The gadget of a solution and its certificate, with the gap of the game that has it."""
    assert solution.gadget is not None and solution.margin is not None
    gap = solution.history[-1].exploitability if solution.history else None
    return {
        "kind": solution.gadget.kind,
        "player": PLAYERS[solution.gadget.player],
        "margin": margin_json(solution.margin),
        "gap": gap,
    }


def margin_json(margin: Margin) -> dict[str, Any]:
    """The least margin of a hand, and the mean over the range, in chips."""
    return {
        "chips": margin.chips,
        "percent": margin.percent,
        "hand": margin.hand,
        "mean": margin.mean,
    }


def margin_text(margin: Margin) -> str:
    """The same for people."""
    chips, percent, mean = (
        signed_text(each, 3) for each in (margin.chips, margin.percent, margin.mean)
    )
    least = f"{chips} chips, {percent}% of the pot ({margin.hand})"
    return f"least margin {least}; mean of the range {mean}"


def _check_cost(spot: Spot, limits: Limits, engine: Engine, status: SolveStatus) -> str:
    """Refuse what fits neither into memory nor on the disk, before anything is allocated.

    Returns the device that is chosen.
    """
    from pokerlab.cli.tables.cost import check_memory
    from pokerlab.engine.device import choose_device
    from pokerlab.holdem.spots.cost import gpu_memory

    spot, engine = _as_walked(spot, engine)
    cost = _cost(spot, limits, engine, status)
    needs = gpu_memory(spot, cost, isomorphism=engine.isomorphism)
    device = choose_device(engine.device, needs, grouped=engine.groups is not None)
    # A checkpoint goes through the memory of the process.
    cost = replace(cost, on_gpu=device == "gpu" and limits.resume is None)
    check_memory(spot, cost, isomorphism=engine.isomorphism)
    check_output(limits.output, "--output", size=cost.answer_bytes)
    check_output(limits.resume, "--resume", size=cost.table_bytes)
    return device


def _bytes(solution: PostflopSolution) -> int:
    strategies = sum(array.nbytes for pair in solution.strategies for array in pair)
    below = solution.values_below if solution.partial else ()
    return strategies + sum(array.nbytes for array in below)


def _print_spot(console: Console, solution: PostflopSolution, tried: str | None) -> None:

    from pokerlab.cards.codes import format_cards
    from pokerlab.cli.commands.study.show import print_following
    from pokerlab.cli.tables.cost import groups_text
    from pokerlab.games.betting_trees.menus import SEATS
    from pokerlab.holdem.spots.reports.export import following_lines

    spot = solution.spot
    board = format_cards(spot.board, separator=" ", symbols=True)
    console.print(bold(board), f", pot {spot.pot:,}, stacks {spot.effective_stack:,}", sep="")
    combos = [each.combos for each in spot.ranges]
    heads = {"combos": "chips.1", "equity": "share.2", "takes": "chips.3", "bound": "chips.3"}
    columns = [SEATS, combos, solution.equities, solution.values, solution.best_values]
    if solution.prize_shares is not None:
        heads |= {"gains": "chips.3", "of the prizes": "share.3"}
        columns += [solution.gains, solution.prize_shares]
    console.print(Table({"player": "text", **heads}, zip(*columns, strict=True)))
    reached, inside = solution.exploitability, solution.exploitability_abstract
    in_blinds = f", {gap_text(reached.mbb, 4)} mbb" if spot.has_big_blind else ""
    console.print(
        f"exploitability {gap_text(reached.chips)} chips, {gap_text(reached.percent)}% of the pot"
        f"{in_blinds}{subset_text(spot.runouts)}"
    )
    if solution.gadget is not None and solution.margin is not None:
        gap = (
            f", gap {gap_text(solution.history[-1].exploitability)} chips"
            if solution.history
            else ""
        )
        console.print(
            f"gadget {solution.gadget.kind} for the hands {SEATS[solution.gadget.player]}{gap}"
        )
        console.print(margin_text(solution.margin))
    if inside is not None and solution.group_counts is not None:
        console.print(
            f"price of the groups: {gap_text(reached.percent)}% of the pot in the real game, "
            f"{gap_text(inside.percent)}% inside them"
        )
        console.print(groups_text(solution.group_counts))
    console.print(
        f"{solution.iterations:,} iterations of {solution.rule} in {solution.seconds:.2f} s "
        f"({solution.stopped})"
    )
    if tried is not None:
        console.out(tried)
    console.print("\nfirst decision, out of position:")
    print_following(console, following_lines(spot, solution.at("")))
