"""`solve_together`: many spots, as many at once as a GPU has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pokerlab.engine.device import GpuMemory, choose_device, open_gpu
from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.prepared import PreparedSpot, SpotSize
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import (
    DEFAULT_RULE,
    SPACING,
    check_precision,
    solve_needs,
)
from pokerlab.holdem.spots.solving import parse_target, solve_spot
from pokerlab.solvers.history import stalls
from pokerlab.solvers.loop import Progress, StopSignal, run
from pokerlab.solvers.rules import Rule, parse_rule

if TYPE_CHECKING:
    from pokerlab.runtime.gpu.machine import Machine

_ENOUGH = 500_000_000
"""Entries that keep a GPU busy. Of more spots at once, those that are done early wait longer."""

_MOST_BOARDS = 65_535
"""Boards of a street before the river that a launch can have."""


def solve_together(
    spots: Sequence[Spot],
    rule: str | Rule = DEFAULT_RULE,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    precision: int = 32,
    isomorphism: bool = True,
    groups: str | HandGrouping | None = None,
    device: str = "auto",
    report: Callable[[Progress], None] | None = None,
    stall: bool = True,
    streets: int | None = None,
) -> list[PostflopSolution]:
    """Solve many spots; on a GPU, those that have the same betting tree at once.

    Spots have the same betting tree where pot, stacks, menus, rake, prizes and the first street are
    the same; boards, ranges and locks may differ. As many as the GPU has room for go through the
    same launches, until each of them has reached the target: one that is done earlier gets better
    meanwhile. Spots of another tree follow. On the processor they are solved one after the other.

    Parameters
    ----------
    spots
        What to solve.
    target, iterations, seconds, stall, streets
        See `solve_spot`. `seconds` are those of all spots together.
    rule, threads, precision, isomorphism, groups
        See `PostflopSolver`.
    device
        Likewise; ``"auto"`` takes the GPU where there is one and the spots are large together.
    report
        Called with the progress of the spots that are solved at once; its exploitability is that
        of the spot which is farthest from equilibrium.

    Returns
    -------
    list of PostflopSolution
        In the order of the spots. The seconds of a solution are its share of those that the spots
        solved with it took.

    Examples
    --------
    >>> spots = [Spot(board, "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    ...          for board in ("QhJh2c4d7h", "QhJh2c4d8s")]
    >>> solutions = solve_together(spots, target="0.1%")
    >>> [solution.exploitability.percent <= 0.1 for solution in solutions]
    [True, True]
    """
    found = dict(
        solve_each(
            spots,
            rule,
            target=target,
            iterations=iterations,
            seconds=seconds,
            threads=threads,
            precision=precision,
            isomorphism=isomorphism,
            groups=groups,
            device=device,
            report=report,
            stall=stall,
            streets=streets,
        )
    )
    if len(found) < len(spots):
        raise KeyboardInterrupt
    return [found[number] for number in range(len(spots))]


def solve_each(
    spots: Sequence[Spot],
    rule: str | Rule = DEFAULT_RULE,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    precision: int = 32,
    isomorphism: bool = True,
    groups: str | HandGrouping | None = None,
    device: str = "auto",
    report: Callable[[Progress], None] | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    streets: int | None = None,
) -> Iterator[tuple[int, PostflopSolution]]:
    """Solve many spots as `solve_together` does, and give each solution when it is there.

    Solutions come with the number of their spot, not always in order: spots of the same tree
    are solved together. After Ctrl-C, or when `stop` is set, those that are being solved are the
    last.

    Examples
    --------
    >>> spots = [Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)] * 2
    >>> [(number, solution.stopped) for number, solution in solve_each(spots, iterations=10)]
    [(0, 'iterations'), (1, 'iterations')]
    """
    check_precision(precision)
    if target is None and iterations is None and seconds is None:
        target = "0.3%"
    options = _Options(
        parse_rule(rule), target, iterations, seconds, threads, precision, isomorphism, groups,
        report, stop, stall, streets, perf_counter(),
    )  # fmt: skip
    machine = open_gpu(device)
    if machine is None:
        yield from _one_by_one(list(enumerate(spots)), options)
        return
    launches = _launches(spots, options, machine.free_bytes())
    # The next spots are prepared while the GPU is busy with these.
    with ThreadPoolExecutor(1) as helper:
        ahead = helper.submit(next, launches, None)
        while (launch := ahead.result()) is not None:
            ahead = helper.submit(next, launches, None)
            yield from _solve(launch, options, machine, device)
            if options.ends():
                return


@dataclass
class _Options:
    """What is the same for all spots, and whether Ctrl-C was pressed."""

    rule: Rule
    target: float | str | None
    iterations: int | None
    seconds: float | None
    threads: int | None
    precision: int
    isomorphism: bool
    groups: str | HandGrouping | None
    report: Callable[[Progress], None] | None
    stop: StopSignal | None
    stall: bool
    streets: int | None
    began: float
    interrupted: bool = False

    def ends(self) -> bool:
        """Whether no more spots are begun."""
        return self.interrupted or (self.stop is not None and self.stop.is_set())

    @property
    def seconds_left(self) -> float | None:
        if self.seconds is None:
            return None
        return max(self.seconds - (perf_counter() - self.began), 0.0)

    def prepare(self, spot: Spot) -> PreparedSpot:
        return PreparedSpot.of(
            spot, isomorphism=self.isomorphism, groups=self.groups, threads=self.threads
        )

    def needs(self, spot: PreparedSpot, size: SpotSize) -> GpuMemory:
        grouped = self.groups is not None
        return solve_needs(spot.spot.tree, size, self.rule, self.precision, grouped=grouped)


@dataclass(frozen=True)
class _Launch:
    """Spots that are solved at once."""

    numbers: list[int]
    spots: list[PreparedSpot]
    size: SpotSize


def _launches(spots: Sequence[Spot], options: _Options, room: int) -> Iterator[_Launch]:
    """Cut the spots of each betting tree into as many launches as they need."""
    by_tree: dict[Any, list[int]] = {}
    for number, spot in enumerate(spots):
        pays = spot.prizes if spot.pays_prizes else (spot.rake, spot.rake_cap)
        by_tree.setdefault((spot.tree_rules, pays), []).append(number)
    for numbers in by_tree.values():
        launch: _Launch | None = None
        for number in numbers:
            prepared = options.prepare(spots[number])
            if launch is not None:
                size = launch.size.with_other(prepared.size)
                if _fits(size, options.needs(prepared, size), room):
                    launch = _Launch([*launch.numbers, number], [*launch.spots, prepared], size)
                    continue
                yield launch
            launch = _Launch([number], [prepared], prepared.size)
        if launch is not None:
            yield launch


def _fits(size: SpotSize, needs: GpuMemory, room: int) -> bool:
    """Whether a launch may have that size."""
    before_river = int(size.boards[:-1].sum())
    return needs.nbytes <= room and needs.entries <= _ENOUGH and before_river <= _MOST_BOARDS


def _solve(
    launch: _Launch, options: _Options, machine: Machine, device: str
) -> Iterator[tuple[int, PostflopSolution]]:
    needs = options.needs(launch.spots[0], launch.size)
    if choose_device(device, needs, grouped=options.groups is not None, reserve=True) == "cpu":
        spots = [each.spot for each in launch.spots]
        yield from _one_by_one(list(zip(launch.numbers, spots, strict=True)), options)
        return
    from pokerlab.holdem.spots.joined import JoinedSolver

    solver = JoinedSolver(machine, launch.spots, options.rule, precision=options.precision)
    target = parse_target(options.target, launch.spots[0].spot.pot)
    result = run(
        solver,
        iterations=options.iterations,
        target=target,
        seconds=options.seconds_left,
        report=options.report,
        spacing=SPACING,
        stop=options.stop,
        stall=options.stall,
    )
    options.interrupted = result.stopped == "interrupted"
    solutions = solver.solutions(result, target, options.streets)
    if result.stopped != "stalled":
        yield from zip(launch.numbers, solutions, strict=True)
        return
    falling = []  # the worst spot stands still, but these do not
    for number, spot, solution in zip(launch.numbers, launch.spots, solutions, strict=True):
        if solution.stopped == "stalled" and not stalls(solution.history):
            falling.append((number, spot.spot))
        else:
            yield number, solution
    yield from _one_by_one(falling, options)


def _one_by_one(
    spots: Sequence[tuple[int, Spot]], options: _Options
) -> Iterator[tuple[int, PostflopSolution]]:
    """On the processor."""
    for number, spot in spots:
        solution = solve_spot(
            spot,
            options.rule,
            target=options.target,
            iterations=options.iterations,
            seconds=options.seconds_left,
            threads=options.threads,
            precision=options.precision,
            isomorphism=options.isomorphism,
            groups=options.groups,
            device="cpu",
            report=options.report,
            stop=options.stop,
            stall=options.stall,
            streets=options.streets,
        )
        options.interrupted = solution.stopped == "interrupted"
        yield number, solution
        if options.ends():
            return
