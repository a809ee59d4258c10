"""`solve_spot`: from a spot to a certified solution in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.locks import LocksLike
from pokerlab.holdem.spots.answer.below import with_kept_values
from pokerlab.holdem.spots.answer.kept_values import check_keeps_values
from pokerlab.holdem.spots.answer.solution import PostflopSolution, make_solution
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, SPACING, PostflopSolver
from pokerlab.solvers.checkpoints import checkpoint_identity
from pokerlab.solvers.history import History, Point
from pokerlab.solvers.loop import Progress, StopSignal, run
from pokerlab.solvers.rules import Rule, parse_rule


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
    result = run(
        solver,
        iterations=iterations,
        target=chips,
        seconds=seconds,
        report=report,
        checkpoint=checkpoint,
        spacing=SPACING,
        stop=stop,
        stall=stall,
        certified=True,
    )
    spent, history, before = result.seconds + result.measuring, result.history, 0.0
    if start is not None:
        before = start.history[-1].seconds if start.history else start.seconds
        later = (point._replace(seconds=point.seconds + before) for point in history)
        spent, history = spent + start.seconds, History((*start.history, *later))

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
