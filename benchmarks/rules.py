"""Which update rule should the post-flop solver use by default?

Iterations to 0.5%, 0.1% and 0.02% of the pot, and what an iteration costs. The spots: *first* seven
rivers and turns, on which candidates were compared before, and *new* ones, on which the numbers of
the default were then chosen: flops, turns and rivers, dry and wet, deep and shallow, with rake,
locks, groups, 16 bits, donk bets, raises and unequal stacks. *Held-out* spots, with other boards,
ranges, stacks and menus, were written down after the default had been chosen and before any rule
was run on them. Iterations do not depend on the machine. With groups, ε is the one inside the
abstraction: the other has a floor that no rule gets below.

A rule with *trials* (``dcfr`` with a fourth number) keeps no more than one without; the small
*prediction*, which came before it, needs a third table and is here for comparison.

Rows: the geometric mean over the spots, beside that of the default; a ratio above 1 means that the
rule needs more iterations. A note has the counts spot by spot, ``-`` where the rule did not arrive
within the limit, which counts as the limit. *Excursion* is the largest ε after iteration 50, as a
multiple of the smallest ε before it, measured at every twentieth more iterations; the rest of a
solve after the last goal does not count. *Cost* is processor time on one thread, the rules taking
turns in one process, beside the cost of the default.

By default two rules run on rivers and turns, which takes some minutes on one core. The variables
``POKERLAB_RULES`` (rules with ``;`` between them, or ``all``) and ``POKERLAB_RULE_SPOTS`` (the
beginnings of names with ``;`` between them, or ``all``) choose others; ``POKERLAB_RULE_RESULTS`` is
a file to which every course is added as a line of JSON, and from which those known are taken.

Measured 2026-11-17: see docs/measurements/postflop.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any, ClassVar

import numpy as np

from benchmarks.common import Row, best_seconds
from benchmarks.postflop import SPOTS as EXAMPLES
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.solvers.rules import Dcfr, Rule, Step, parse_rule

GOALS = (0.5, 0.1, 0.02)
"""Percents of the pot."""
LIMIT, FLOP_LIMIT = 3000, 600
"""Iterations after which a rule is taken not to arrive: nobody waits longer for a flop."""
EARLY = 50
"""From this iteration on, excursions count."""

WIDE = "22+, A2s+, K5s+, Q8s+, J8s+, T8s+, 97s+, 86s+, 75s+, 65s, 54s, A7o+, K9o+, QTo+, JTo"
TIGHT = "77+, ATs+, KTs+, QJs, JTs, T9s, 98s, AJo+, KQo"
CALLS = "22-JJ, A2s-AJs, K8s-KJs, Q9s+, J9s+, T8s+, 97s+, 87s, 76s, 65s, A9o-AJo, KTo+, QJo"
OPENS = "66+, A9s+, KTs+, QTs+, JTs, T9s, 98s, 87s, A5s, ATo+, KQo"
DEFENDS = "22-TT, A2s-AJs, KTs+, QTs+, J9s+, T9s, 98s, 76s, AJo, KQo"
FEW = "TT+, AQs+, KQs, JTs, T9s, A5s, AKo"
FEW_CALLS = "77-JJ, AJs-AQs, KQs, QJs, T9s, 98s, 87s, AQo"
BUTTON = "44+, A2s+, K8s+, Q9s+, J9s+, T8s+, 98s, 87s, 76s, A9o+, KTo+, QJo"
BLIND = "22-TT, A2s-AQs, K9s+, QTs+, JTs, T9s, 98s, 87s, 65s, 54s, ATo-AQo, KJo+"
REOPENS = "JJ+, AQs+, KQs, A4s, A5s, 76s, AKo"
CALLS_REOPEN = "88-QQ, AJs-AKs, KQs, JTs, 98s, AQo"


@dataclass(frozen=True)
class Case:
    """A spot, and how it is solved."""

    spot: Spot
    precision: int = 32
    groups: str | None = None

    @property
    def limit(self) -> int:
        """How many iterations a rule has."""
        return FLOP_LIMIT if len(self.spot.board) == 3 else LIMIT

    def solver(self, rule: Rule) -> PostflopSolver:
        """One that starts from nothing, on one thread."""
        return PostflopSolver(
            self.spot, rule, precision=self.precision, groups=self.groups, threads=1
        )


FIRST = {
    "river, dry, wide": Case(Spot("Ks7d2c4h9s", WIDE, CALLS, 100, 300, bet="33%, 75%, a")),
    "river, four to a flush": Case(Spot("Ah8h5h2c9h", WIDE, WIDE, 120, 200, bet="50%, a")),
    "river, deep": Case(Spot("QsJd6c6h3s", TIGHT, CALLS, 60, 900, bet="75%, 150%, a")),
    "river, polar against bluff catchers": Case(
        Spot(
            "Qs8h3dTc2s",
            "KK, QJs, AQo, A8s, T9s, 99",
            "AA, QQ, TT, AJs, KJs, J9s, 65s, 54s",
            pot=180,
            stack=240,
            bet="66%, a",
        )
    ),
    "turn, monotone": Case(Spot("Jh9h4hKd", TIGHT, CALLS, 100, 400, bet="50%, a")),
    "turn, paired": Case(Spot("Td8s8c3h", WIDE, TIGHT, 80, 300, bet="33%, 100%")),
    "turn, shallow": Case(Spot("AdQc7s5h", TIGHT, TIGHT, 200, 260, bet="40%, a")),
}
NEW = {
    "flop, dry, 100 big blinds": Case(
        Spot("Kh7h2s", FEW_CALLS, FEW, 55, 975, bet="75%", raise_="", donk="")
    ),
    "flop, wet, shallow": Case(Spot("Jh8h7c", FEW_CALLS, FEW, 100, 130, bet="50%, a", raise_="a")),
    "flop, one suit, reraised": Case(
        Spot("Ac9c4c", FEW_CALLS, FEW, 200, 900, bet="40%", raise_="a")
    ),
    "flop, rake": Case(
        Spot("9s8s3h", FEW_CALLS, FEW, 60, 240, bet="66%", raise_="", rake=0.05, rake_cap=9)
    ),
    "flop, groups": Case(
        Spot("Qc6c5d", FEW_CALLS, FEW, 60, 300, bet="75%", raise_=""),
        groups="view/river",
    ),
    "flop, 16 bits": Case(
        Spot("Ts5h5d", FEW_CALLS, FEW, 80, 250, bet="50%, a", raise_="a"), precision=16
    ),
    "flop, donk bets, unequal stacks": Case(
        Spot("7d6d4d", FEW_CALLS, FEW, 90, (300, 700), bet="60%", raise_="2.5x", donk="33%")
    ),
    "flop, 250 big blinds": Case(
        Spot("AhTh8h", FEW_CALLS, FEW, 50, 2475, bet="100%", raise_="flop: 100%; turn: ; river:")
    ),
    "turn, deep, overbets": Case(Spot("Qd9s3s2h", DEFENDS, OPENS, 60, 1500, bet="66%, 200%")),
    "turn, rake, donk bets": Case(
        Spot(
            "Kd8c6s9c",
            CALLS,
            OPENS,
            pot=110,
            stack=420,
            bet="75%, a",
            donk="33%",
            aggressor="ip",
            rake=0.05,
            rake_cap=15,
        )
    ),
    "turn, a locked bet": Case(
        Spot("Ah7s4d4c", DEFENDS, OPENS, 90, 400, bet="60%", raise_="3x", locks={"x": {"b54": 0.8}})
    ),
    "turn, groups": Case(
        Spot("Tc9h2hJs", WIDE, OPENS, 100, 500, bet="75%, a"), groups="strength/river"
    ),
    "turn, 16 bits": Case(Spot("8h6h5cKh", CALLS, TIGHT, 100, 350, bet="50%, a"), precision=16),
    "turn, unequal stacks, raises": Case(
        Spot("Qs7h2dQd", TIGHT, WIDE, 70, (600, 350), bet="40%, 80%", raise_="60%, a")
    ),
    "river, many sizes": Case(
        Spot(
            "JcTc4s8d2h", WIDE, WIDE, 100, 500, bet="25%, 50%, 100%, 200%, a", raise_="50%, 100%, a"
        )
    ),
    "river, one bet's stack": Case(Spot("As9d9c5sKh", CALLS, OPENS, 300, 120, bet="a", raise_="a")),
    "river, half locked": Case(
        Spot(
            "6s5s3dKcQs",
            CALLS,
            OPENS,
            pot=100,
            stack=350,
            bet="50%, 125%",
            locks={"x": {"x": 0.5, "b125": 0.3, "weight": 0.6}},
        )
    ),
    "river, rake without a cap": Case(
        Spot("Th7c7d2s3h", WIDE, TIGHT, 90, 300, bet="33%, 75%, a", rake=0.04)
    ),
    "river, 300 big blinds": Case(
        Spot("AsKd8h6c2c", DEFENDS, OPENS, 60, 3000, bet="66%, 150%", raise_="100%, a")
    ),
    "river, 16 bits": Case(Spot("9h8h4c3cAd", WIDE, CALLS, 80, 400, bet="50%, a"), precision=16),
}
HELD_OUT = {
    "held-out flop, broadway": Case(
        Spot("QdJs3h", CALLS_REOPEN, REOPENS, 75, 425, bet="60%", raise_="", donk="")
    ),
    "held-out flop, low, a second raise": Case(
        Spot("6h5h2d", CALLS_REOPEN, REOPENS, 220, 890, bet="33%", raise_="a")
    ),
    "held-out flop, paired, shallow": Case(
        Spot("AsAd8c", CALLS_REOPEN, REOPENS, 65, 160, bet="30%, a", raise_="a")
    ),
    "held-out flop, two suits, overbets": Case(
        Spot("Td9h4h", REOPENS, CALLS_REOPEN, 40, 600, bet="130%", raise_="")
    ),
    "held-out turn, flush and pair": Case(
        Spot("7c5c2d2c", BLIND, BUTTON, 85, 350, bet="33%, 80%", raise_="70%")
    ),
    "held-out turn, deep": Case(Spot("AcKsTh4s", BLIND, BUTTON, 140, 1900, bet="50%, 120%")),
    "held-out turn, shallow, straights": Case(
        Spot("9d8d6hJs", BLIND, REOPENS, 150, 200, bet="60%, a", raise_="a")
    ),
    "held-out turn, rake, unequal stacks": Case(
        Spot("5s5h4cQh", BUTTON, BLIND, 50, (475, 300), bet="66%", rake=0.05, rake_cap=6)
    ),
    "held-out river, flush and straights": Case(
        Spot("KdQdJc5d3s", BLIND, BUTTON, 250, 700, bet="40%, 90%, a", raise_="60%, a")
    ),
    "held-out river, two pairs on board": Case(
        Spot("9c9h4sAh4d", BUTTON, BUTTON, 45, 180, bet="50%, 150%")
    ),
    "held-out river, donk bets, rake": Case(
        Spot(
            "8s7s6d2hKc",
            BLIND,
            BUTTON,
            pot=160,
            stack=(500, 260),
            bet="75%, a",
            donk="25%",
            aggressor="ip",
            rake=0.05,
            rake_cap=10,
        )
    ),
    "held-out river, narrow ranges, deep": Case(
        Spot("QhTd5s5c2h", CALLS_REOPEN, REOPENS, 90, 2000, bet="66%, 200%", raise_="100%, a")
    ),
}
CASES = FIRST | NEW | HELD_OUT


@dataclass(frozen=True)
class SmallPrediction(Dcfr):
    """Discounted CFR that predicts a part of the next gain for all actions, in a third table."""

    name: ClassVar[str] = "predicted"
    prediction: float = 0.05

    def at(self, iteration: int) -> Step:
        """As without, and the prediction."""
        return super().at(iteration)._replace(prediction=self.prediction)


PREDICTED = SmallPrediction(1.2, 0.5, 3.0, None, 0.05)
STUDY = (
    "dcfr(1.5,0.25,3)",
    "dcfr(1.5,0,2)",
    "dcfr(1.25,0.25,4)",
    str(PREDICTED),
    "dcfr(1.4,0.5,3,0.1)",
    "dcfr(1.35,0.5,3,0.1)",
    "dcfr(1.35,0.5,3,0.05)",
    "dcfr(1.3,0.5,3,0.1)",
    "dcfr(1.3,0.5,3)",
    "dcfr(1.5,0.5,3,0.1)",
    "dcfr(1.4,0.25,3,0.1)",
    "dcfr(1.4,0.75,3,0.1)",
    "dcfr(1.4,0.5,3,0.15)",
    "dcfr(1.4,0.5,3,0.05)",
    "dcfr(1.4,0.5,4,0.1)",
    "dcfr(1.25,0.5,3,0.1)",
    "dcfr(1.3,0.5,3,0.05)",
    "dcfr(1.3,0.25,3,0.1)",
)
"""What was compared; the first is what was the default before."""


@dataclass(frozen=True)
class Course:
    """How a rule fares on a spot."""

    counts: tuple[int, ...]
    """Iterations to each goal; the limit where it did not arrive."""
    excursion: float
    """The largest ratio of ε to the smallest before it, from iteration `EARLY` on."""


def read_rule(text: str) -> Rule:
    """A rule of the package, or the small prediction."""
    return PREDICTED if text == str(PREDICTED) else parse_rule(text)


def follow(case: Case, rule: Rule) -> Course:
    """Solve until the last goal."""
    solver = case.solver(rule)
    goals = [percent / 100 * case.spot.pot for percent in GOALS]
    counts: list[int] = []
    best, excursion = float("inf"), 1.0
    while len(counts) < len(goals) and solver.iteration < case.limit:
        step = max(1, ceil(0.05 * solver.iteration))
        solver.iterate(min(step, case.limit - solver.iteration))
        inside = solver.exploitability_abstract()
        now = solver.exploitability() if inside is None else inside
        if solver.iteration > EARLY:
            excursion = max(excursion, now / best)
        best = min(best, now)
        while len(counts) < len(goals) and now <= goals[len(counts)]:
            counts.append(solver.iteration)
    return Course((*counts, *[case.limit] * (len(goals) - len(counts))), excursion)


def courses(cases: Mapping[str, Case], rules: tuple[str, ...]) -> dict[tuple[str, str], Course]:
    """All of them by rule and spot; those known are not run again."""
    path = os.environ.get("POKERLAB_RULE_RESULTS")
    known = dict(read_results(Path(path))) if path and Path(path).exists() else {}
    found = {}
    for name, case in cases.items():
        for rule in rules:
            course = known.get((rule, name)) or follow(case, read_rule(rule))
            found[rule, name] = course
            if path and (rule, name) not in known:
                line = {"rule": rule, "spot": name, **course.__dict__}
                with Path(path).open("a") as file:
                    file.write(json.dumps(line) + "\n")
    return found


def read_results(path: Path) -> Iterator[tuple[tuple[str, str], Course]]:
    """What was written by earlier runs."""
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        yield (entry["rule"], entry["spot"]), Course(tuple(entry["counts"]), entry["excursion"])


def mean_counts(found: Mapping[tuple[str, str], Course], rule: str, street: str = "") -> Any:
    """Geometric means over the spots of a street (or all), for each goal."""
    counts = [
        course.counts
        for (other, name), course in found.items()
        if other == rule and name.startswith(street)
    ]
    return np.exp(np.log(np.array(counts, float)).mean(axis=0))


def costs(rules: tuple[str, ...]) -> list[Row]:
    """What an iteration costs, and what is kept."""
    cases = {
        "S1 (flop)": (Case(Spot.from_file(EXAMPLES / "s1-flop.toml")), 1),
        "S2 (turn)": (Case(Spot.from_file(EXAMPLES / "s2-turn.toml")), 30),
        "S3 (river)": (Case(Spot.from_file(EXAMPLES / "s3-river.toml")), 3000),
        "flop, groups": (CASES["flop, groups"], 10),
        "flop, 16 bits": (CASES["flop, 16 bits"], 10),
    }
    rows = []
    for name, (case, iterations) in cases.items():
        solvers = {rule: case.solver(read_rule(rule)) for rule in rules}
        for solver in solvers.values():
            solver.iterate(20)
        jobs = {rule: partial(solver.iterate, iterations) for rule, solver in solvers.items()}
        seconds = best_seconds(jobs, turns=7, clock=process_time)
        for rule, solver in solvers.items():
            rows.append(
                Row(
                    f"cost of {rule}, {name}",
                    1e3 * seconds[rule] / iterations,
                    "ms an iteration",
                    rules[0],
                    seconds[rule] / seconds[rules[0]],
                    f"keeps {solver.nbytes / 1e6:.3g} MB",
                )
            )
    return rows


def chosen(variable: str, usual: tuple[str, ...], everything: tuple[str, ...]) -> tuple[str, ...]:
    """What a variable of the environment asks for."""
    text = os.environ.get(variable)
    if not text:
        return usual
    return everything if text == "all" else tuple(word.strip() for word in text.split(";"))


def run() -> list[Row]:
    rules = chosen("POKERLAB_RULES", tuple(dict.fromkeys((DEFAULT_RULE, STUDY[0]))), STUDY)
    starts = chosen("POKERLAB_RULE_SPOTS", ("turn", "river"), ("",))
    cases = {name: case for name, case in CASES.items() if name.startswith(starts)}
    found = courses(cases, rules)
    rows = []
    streets = ("flop", "turn", "river")
    for street in (*streets, *(f"held-out {street}" for street in streets)):
        names = [name for name in cases if name.startswith(street)]
        for rule in rules if names else ():
            means, base = mean_counts(found, rule, street), mean_counts(found, rules[0], street)
            worst = max(found[rule, name].excursion for name in names)
            for number, goal in enumerate(GOALS):
                each = [(found[rule, name].counts[number], cases[name].limit) for name in names]
                rows.append(
                    Row(
                        f"{street}s, {rule} to {goal}%",
                        float(means[number]),
                        "iterations",
                        rules[0],
                        float(means[number] / base[number]),
                        " ".join("-" if count >= limit else str(count) for count, limit in each)
                        + f"; excursion {worst:.2f}",
                    )
                )
    return rows + costs(rules)
