"""Does a solve arrive sooner if it begins otherwise?

The spots of `benchmarks.rules`, by the default rule, to 0.5% and 0.1% of the pot: plain; with the
sums of strategies begun anew at iteration 16, and at 16 and 64; and flops with regrets of the first
street that come from forty iterations on four turns with four rivers each. Work is in iterations of
the spot; those on the subset count by their part of the numbers that are learnt.

Floor: none. Rows are geometric means over the spots, beside the plain solves of the same spots;
a ratio above 1 means that more work is needed. A note has the work spot by spot, ``-`` where the
solve did not arrive within the limit of `benchmarks.rules`. A last row says which part of the nodes
of the last street the opponent does not reach when 0.5% is reached, on the board that is walked
last: leaving these lines out could save no more.

By default rivers, some minutes on one core; ``POKERLAB_RULE_SPOTS`` chooses, as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import NamedTuple

import numpy as np

from benchmarks.common import Row
from benchmarks.rules import CASES, HELD_OUT, Case, chosen
from pokerlab.holdem.spots import PostflopSolver
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.solvers.rules import parse_rule

GOALS = (0.5, 0.1)
"""Percents of the pot."""
STARTS: Mapping[str, tuple[int, ...]] = {
    "plain": (),
    "new sums at 16": (16,),
    "new sums at 16 and 64": (16, 64),
    "flop from 4x4": (),
}
"""When sums are begun anew."""
FIRST, SUBSET = 40, "4x4"
"""How many iterations come first, and on what."""


class Course(NamedTuple):
    """How a solve fares."""

    work: tuple[float, ...]
    """To each goal, in iterations; the limit where it did not arrive."""
    unreached: float
    """The part of the nodes of the last street that no opposing hand reaches at the first goal."""


def follow(case: Case, start: str) -> Course:
    """Solve until the last goal."""
    solver = case.solver(parse_rule(DEFAULT_RULE))
    before = learn_first(case, solver) if start == "flop from 4x4" else 0.0
    goals = [percent / 100 * case.spot.pot for percent in GOALS]
    work: list[float] = []
    unreached = 0.0
    while len(work) < len(goals) and solver.iteration < case.limit:
        step = min(max(1, ceil(0.05 * solver.iteration)), case.limit - solver.iteration)
        stops = [number for number in STARTS[start] if number > solver.iteration]
        solver.iterate(min([step, *(number - solver.iteration for number in stops)]))
        if solver.iteration in STARTS[start]:
            for stored in solver.storage:
                for sums in stored.sums:
                    sums[:] = 0
            continue
        inside = solver.exploitability_abstract()
        now = solver.exploitability() if inside is None else inside
        while len(work) < len(goals) and now <= goals[len(work)]:
            if not work:
                unreached = part_unreached(solver)
            work.append(before + solver.iteration)
    return Course((*work, *[case.limit] * (len(goals) - len(work))), unreached)


def learn_first(case: Case, solver: PostflopSolver) -> float:
    """Bring regrets of the first street from a subset; how many iterations that was worth."""
    small = replace(case, spot=replace(case.spot, runouts=SUBSET)).solver(parse_rule(DEFAULT_RULE))
    small.iterate(FIRST)
    for mine, theirs in zip(
        solver.storage[0].strategy_weights, small.storage[0].strategy_weights, strict=True
    ):
        mine[:] = theirs
    return FIRST * small.nbytes / solver.nbytes


def part_unreached(solver: PostflopSolver) -> float:
    """The part of the nodes of the last board of a street that no opposing hand reaches."""
    walker = solver._walker
    level = len(solver.storage) - 1
    solver.iterate(1)
    parts = []
    with walker._workspaces() as works:
        for hero in range(2):
            program = walker.streets[level].programs[hero]
            first = solver.boards.tables[level].hands[1 - hero].first
            reach, hands = works.of(0, level, hero).reach, int(first[-1] - first[-2])
            begin, end = program.batches[-1][:2]
            rows = [reach[start : start + hands] for start in program.reach_start[begin:end]]
            parts.append(np.mean([not row.any() for row in rows]))
    return float(np.mean(parts))


def run() -> list[Row]:
    """The starts, street by street."""
    wanted = chosen("POKERLAB_RULE_SPOTS", ("river",), ("",))
    cases = {
        name: case
        for name, case in CASES.items()
        if name.startswith(wanted) and name not in HELD_OUT
    }
    rows = []
    for street in ("river", "turn", "flop"):
        names = [name for name in cases if name.startswith(street)]
        plain = {name: follow(cases[name], "plain") for name in names}
        for start in STARTS if names else ():
            if start == "flop from 4x4":
                names = [name for name in names if street == "flop" and not cases[name].groups]
            found = {
                name: plain[name] if start == "plain" else follow(cases[name], start)
                for name in names
            }
            rows += compare(street, start, found, plain, cases) if found else []
        unreached = [course.unreached for course in plain.values()]
        if unreached:
            note = " ".join(f"{part:.1%}" for part in unreached)
            rows.append(Row(f"{street}s: nobody reaches", 100 * np.mean(unreached), "%", note=note))
    return rows


def compare(
    street: str,
    start: str,
    found: Mapping[str, Course],
    plain: Mapping[str, Course],
    cases: Mapping[str, Case],
) -> list[Row]:
    """The rows of a start."""
    rows = []
    for number, goal in enumerate(GOALS):
        work = np.array([course.work[number] for course in found.values()])
        base = np.array([plain[name].work[number] for name in found])
        note = " ".join(
            "-" if each >= cases[name].limit else f"{each:.0f}"
            for name, each in zip(found, work, strict=True)
        )
        mean = float(np.exp(np.log(work).mean()))
        ratio = float(np.exp(np.log(work / base).mean()))
        rows.append(
            Row(f"{street}s, {start}, to {goal}%", mean, "iterations", "plain", ratio, note)
        )
    return rows
