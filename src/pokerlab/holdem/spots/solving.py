"""`solve_spot`: from a spot to a certified solution in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.locks import LocksLike
from pokerlab.holdem.spots.answer.below import with_kept_values
from pokerlab.holdem.spots.answer.kept_values import check_keeps_values
from pokerlab.holdem.spots.answer.solution import (
    PostflopSolution,
    make_solution,
    solution_under_way,
)
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, SPACING, PostflopSolver
from pokerlab.runtime.errors import damage_named
from pokerlab.solvers.checkpoints import checkpoint_game, checkpoint_identity
from pokerlab.solvers.history import History, Point
from pokerlab.solvers.loop import Progress, StopSignal, restore, run
from pokerlab.solvers.rules import Rule, parse_rule

Look: TypeAlias = Callable[[Progress, Callable[[], PostflopSolution]], None]
"""Gets the progress of a solve, and what makes the solution of the state it is in."""


def solve_spot(
    spot: Spot,
    rule: str | Rule | None = None,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    precision: int = 32,
    isomorphism: bool = True,
    locks: LocksLike | None = None,
    groups: str | HandGrouping | None = None,
    device: str = "auto",
    start: PostflopSolution | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    streets: int | None = None,
    gadget: Gadget | None = None,
    keep_values: bool = False,
    look: Look | None = None,
) -> PostflopSolution:
    """Solve a spot.

    Parameters
    ----------
    spot
        What to solve.
    rule
        An update rule (see `pokerlab.solvers.parse_rule`); by default `default_rule`.
    target
        Stop when the exploitability is at most this: chips, or text such as ``"0.3%"`` of the
        pot. Without any limit, 0.3% of the pot.
    iterations, seconds, report, checkpoint, stop, stall
        See `pokerlab.solvers.run`. At the end `report` is also called while the answer is
        certified, with the phase ``"certifying 25%"``.
    threads, precision, isomorphism, locks, groups, device
        See `PostflopSolver`. With `groups`, the solve also ends when the exploitability inside
        the abstraction is an eighth of the target: the real one does not fall much more then.
    start
        A solution of the same spot to go on from (`PostflopSolver.start_from`). Its iterations,
        seconds and measurements count: `iterations` is the number of all, and the result has
        those of both. A start that meets the target is the result. One that stood still goes on
        until its iterations have grown fivefold.
    streets
        Keep the strategies of this number of streets, as `PostflopSolution.first_streets` does;
        all by default.
    gadget
        What the hands of a player may stop for (see `Gadget`). `target` is then for the game with
        the gadget, and the solution has a `margin`.
    keep_values
        Keep what each hand is worth where the second street begins (see `KeptValues`).
    look
        Called after each `report`, with the progress and a function that gives the solution so
        far: not certified, but measured in the precision of the solve, which waits meanwhile. It
        takes three or four iterations, and may be called before `look` returns.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> solution.exploitability.percent <= 0.1
    True
    >>> solution.at("x").actions
    ('x', 'b50', 'a')
    >>> better = solve_spot(spot, target="0.02%", start=solution)
    >>> better.exploitability.percent <= 0.02, better.iterations > solution.iterations
    (True, True)
    """
    if keep_values:
        spot.check_pays_chips("keeping values")
        check_keeps_values(spot, groups)
    chips = parse_target(target, spot.pot)
    if chips is None and iterations is None and seconds is None:
        chips = 0.003 * spot.pot
    plain = start if gadget is None and start is not None and start.gadget is None else None
    if plain is not None and chips is not None and plain.exploitability.chips <= chips:
        return _kept(plain, streets, keep_values=keep_values)
    solver = PostflopSolver(
        spot,
        default_rule(checkpoint) if rule is None else rule,
        precision=precision,
        threads=threads,
        isomorphism=isomorphism,
        locks=locks,
        groups=groups,
        device=device,
        gadget=gadget,
    )
    if start is not None:
        solver.start_from(start)

    def tell(progress: Progress) -> None:
        if report is not None:
            report(progress)
        if look is not None:
            look(progress, partial(_solution_so_far, solver, progress, start))

    result = run(
        solver,
        iterations=iterations,
        target=chips,
        seconds=seconds,
        report=None if report is None and look is None else tell,
        checkpoint=checkpoint,
        spacing=SPACING,
        stop=stop,
        stall=stall,
        certified=True,
    )
    spent, history = _after_start(start, result.seconds + result.measuring, result.history)
    before = _spent_before(start)

    def certifying(part: float) -> None:
        if report is not None:
            phase = f"certifying {part:.0%}"
            report(
                Progress(
                    result.iterations,
                    result.seconds,
                    result.history,
                    iterations,
                    chips,
                    seconds,
                    phase,
                    stalled=result.stopped == "stalled",
                )
            )

    first = None if keep_values else streets
    solution = make_solution(solver, spent, result.stopped, history, certifying, first)
    if keep_values:
        solution = _kept(solution, streets, keep_values=True)
    if result.history[-1].iteration == result.iterations:
        return solution
    if solution.margin is not None:
        return solution  # its certificate is not that of the game with the gadget
    # A solve that was told to stop is not measured once more: its curve ends with the certificate.
    inside = solution.exploitability_abstract
    certificate = Point(
        result.iterations,
        before + result.seconds,
        solution.exploitability.chips,
        None if inside is None else inside.chips,
    )
    known = solution.boards, solution.layout
    return replace(solution, history=History((*history, certificate)), known=known)


def solution_in_checkpoint(
    checkpoint: str | Path,
    spot: Spot | None = None,
    *,
    threads: int | None = None,
    gadget: Gadget | None = None,
) -> PostflopSolution:
    """The solution that a checkpoint of a solve holds: measured as by `look` of `solve_spot`.

    It takes as much memory as the solve, and changes nothing about the checkpoint, which names its
    spot if this version wrote it.

    Examples
    --------
    >>> import tempfile
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> file = Path(tempfile.mkdtemp()) / "river.checkpoint"
    >>> whole = solve_spot(spot, iterations=20, checkpoint=file)
    >>> found = solution_in_checkpoint(file)
    >>> found.iterations, found.certified, found.at("x").actions == whole.at("x").actions
    (20, False, True)
    """
    identity = checkpoint_identity(checkpoint)
    try:
        rule, groups = identity["rule"], identity["groups"]
        precision, isomorphism = int(identity["precision"]), identity["isomorphism"] == "on"
    except (KeyError, ValueError):
        raise ValueError(f"{str(checkpoint)!r} is not a checkpoint of a spot") from None
    if gadget is None and "gadget" in identity:
        raise ValueError(f"{str(checkpoint)!r} is of a solve with a gadget, which it does not hold")
    if spot is None:
        spot = _spot_in(checkpoint)
    solver = PostflopSolver(
        spot,
        rule,
        precision=precision,
        threads=threads,
        isomorphism=isomorphism,
        groups=None if groups == "none" else groups,
        gadget=gadget,
    )
    seconds, history = restore(solver, checkpoint)
    return solution_under_way(solver, seconds, history)


def _spot_in(checkpoint: str | Path) -> Spot:
    text = checkpoint_game(checkpoint)
    if not text:
        raise ValueError(
            f"{str(checkpoint)!r} was written by an older version and does not name its spot: "
            "go on from it once"
        )
    with damage_named(checkpoint):
        return Spot.from_toml(text, "its spot")


def _solution_so_far(
    solver: PostflopSolver, progress: Progress, start: PostflopSolution | None
) -> PostflopSolution:
    spent, history = _after_start(start, progress.seconds, History(progress.history))
    return solution_under_way(solver, spent, history)


def _after_start(
    start: PostflopSolution | None, seconds: float, history: History
) -> tuple[float, History]:
    """The time and the measurements of a solve, those of the solution it began with included."""
    if start is None:
        return seconds, history
    before = _spent_before(start)
    later = (point._replace(seconds=point.seconds + before) for point in history)
    return seconds + start.seconds, History((*start.history, *later))


def _spent_before(start: PostflopSolution | None) -> float:
    """When the measurements of a solve begin that goes on from a solution, in its seconds."""
    if start is None:
        return 0.0
    return start.history[-1].seconds if start.history else start.seconds


def _kept(
    solution: PostflopSolution, streets: int | None, *, keep_values: bool
) -> PostflopSolution:
    """The solution with the values and the streets that are to be kept."""
    if keep_values and solution.kept_values is None:
        solution = with_kept_values(solution)
    return solution if streets is None else solution.first_streets(streets)


def default_rule(checkpoint: str | Path | None = None) -> str:
    """The rule of a solve for which none was given.

    One that goes on from a checkpoint keeps the rule it was begun with, which may have been the
    default of another version.
    """
    if checkpoint is None or not Path(checkpoint).exists():
        return DEFAULT_RULE
    try:
        return str(parse_rule(checkpoint_identity(checkpoint)["rule"]))
    except (KeyError, ValueError):
        return DEFAULT_RULE  # whoever reads the whole file says what is wrong with it


def parse_target(target: float | str | None, pot: float) -> float | None:
    """A target in chips: a number, or text in percent of the pot.

    Examples
    --------
    >>> parse_target("0.3%", 200), parse_target(1.5, 200)
    (0.6, 1.5)
    """
    if target is None or not isinstance(target, str):
        return target
    text = target.strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise ValueError(f"target: {target!r} is not 0.3% (of the pot) or a number of chips")
    return number * pot / 100 if text.endswith("%") else number
