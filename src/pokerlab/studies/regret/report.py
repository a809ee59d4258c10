"""`reproduce regret`: its tasks, tables, figure and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.regret.tasks import (
    RULES,
    AveragesTask,
    BoundsTask,
    GamesTask,
    MatricesTask,
    checked_task,
)
from pokerlab.studies.regret_bounds import ITERATIONS, METHODS, BoundPoint, bounds_figure
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict

Task: TypeAlias = GamesTask | MatricesTask | AveragesTask | BoundsTask
Done: TypeAlias = Mapping[Any, Kept]

GAMES = ("kuhn", "leduc")
NEAR = 0.01
"""In chips: what counts as no longer exploitable."""
_DECADE = 1.0
"""A number of states is right if its order of magnitude is."""


@dataclass(frozen=True)
class RegretPlan:
    """What is computed, in full or as a trial."""

    quick: bool = False
    seed: int = 0

    @property
    def iterations(self) -> int:
        """Of each method."""
        return 256 if self.quick else ITERATIONS

    @property
    def games(self) -> GamesTask:
        """The small games."""
        return GamesTask(self.iterations)

    @property
    def averages(self) -> list[AveragesTask]:
        """Average and last strategies."""
        return [AveragesTask(game, self.iterations) for game in GAMES]

    @property
    def bounds(self) -> list[BoundsTask]:
        """Bounds and measurements."""
        return [
            BoundsTask(game, method, self.iterations, self.seed)
            for game in GAMES
            for method in METHODS
        ]

    @property
    def tasks(self) -> list[Task]:
        """All of them."""
        return [self.games, MatricesTask(), *self.averages, *self.bounds]


def regret_study(plan: RegretPlan, folder: Path) -> Study[Task]:
    """All tasks, kept in a folder."""
    store = FolderStore(folder, from_json=checked_task)
    return Study([plan.tasks], store, partial(make_regret_report, plan))


def make_regret_report(plan: RegretPlan, done: Done) -> StudyReport:
    """Make the tables, the figure and the verdicts."""
    points = [BoundPoint(*point) for task in plan.bounds for point in done[task]["points"]]
    trial = f"{plan.iterations:,} iterations (of {ITERATIONS:,})"
    notes = (
        "exploitability in chips a game, the mean of both seats",
        f"{plan.iterations:,} iterations, 16 times as many with sampling, seed {plan.seed}",
    )
    return StudyReport(
        "The seminar on fictitious play and regret minimisation",
        () if plan.quick else tuple(_verdicts(plan, done, points)),
        "numbers are exact but those of sampling",
        (
            _mixed_table(plan, done),
            _equilibrium_table(plan, done),
            _size_table(done),
            _average_table(plan, done),
            _bound_table(points),
        ),
        (*notes, *([trial_note(trial)] if plan.quick else [])),
        data=(ReportTable("bounds", "", BoundPoint._fields, tuple(points), (), ()),),
        pictures={"bounds.svg": lambda: bounds_figure(points)},
        facts={"quick": plan.quick, "tasks": len(done)},
    )


def _verdicts(plan: RegretPlan, done: Done, points: list[BoundPoint]) -> list[Verdict]:
    seminar = read_data("regret", "seminar.toml")
    games, matrices = done[plan.games], done[MatricesTask()]
    rps = games["mixed"]["linear program"]["probabilities"]
    same, holds = partial(_same, seminar), Verdict.above_zero
    last = {(point.game, point.method): point for point in points}
    cfr = [point for point in points if point.method == "cfr"]
    return [
        _zero(
            "the best strategy of rock, paper, scissors is a third each",
            "definitions",
            max(abs(one - other) for one, other in zip(rps, seminar["rps"], strict=True)),
        ),
        _yes(
            "always rock is an error that is not dominated",
            "definitions",
            not games["errors"]["rock"]["dominated"] and games["errors"]["rock"]["loss"] > 0,
        ),
        _yes(
            "a fourth move that wins once and loses twice is a dominated error",
            "definitions",
            games["errors"]["dynamite"]["dominated"],
        ),
        holds(
            "fictitious play comes to a stable solution",
            "rules of fictitious play",
            {game: NEAR - last[game, "fp"].exploitability for game in GAMES},
            "chips below 0.01",
        ),
        _yes(
            "example 1 has the pure equilibria (X,wy), (X,wz) and (Y,xy), and no others",
            "example 1",
            games["pure"]["seminar1"] == [list(each) for each in seminar["pure_equilibria"]],
        ),
        _yes(
            "in example 2 player 2 has the information sets {X, Y} and {Z}",
            "example 2",
            games["information_sets"] == seminar["information_sets"],
        ),
        _yes(
            "a game can have no equilibrium (in pure strategies)",
            "strategies and equilibrium",
            not games["pure"]["rps"],
        ),
        _yes(
            "a game can have no equilibrium (in mixed strategies; rock, paper, scissors)",
            "strategies and equilibrium",
            games["mixed"]["linear program"]["exploitability"] > 1e-9,
        ),
        _yes(
            "its two example hands are in one bucket",
            "abstraction (1)",
            len(set(matrices["classes"])) == 1,
        ),
        _zero(
            "a transition matrix takes the place of chance (Leduc: all pairs of cards as likely)",
            "abstraction (3)",
            max(matrices["columns"], matrices["uniform"]),
        ),
        same("limit hold'em has 10^18 states", "complexity", "log10_states", matrices["states"]),
        same(
            "169 and 265 buckets leave 10^7 (information sets)",
            "complexity",
            "log10_fictitious_play",
            matrices["adam_sets"],
        ),
        same(
            "169 and 265 buckets leave 10^7 (pairs of buckets and bettings)",
            "complexity",
            "log10_fictitious_play",
            matrices["adam_states"],
        ),
        same(
            "ten nested buckets a round leave 10^12 (pairs of buckets and bettings)",
            "complexity",
            "log10_regret",
            matrices["nested_states"],
        ),
        holds(
            "overall regret is at most the sum of immediate regrets",
            "counterfactual regret (2)",
            {
                game: min(
                    point.immediate - point.exploitability for point in cfr if point.game == game
                )
                for game in GAMES
            },
            "chips",
            margin=1e-9,
            at_least=True,
        ),
        holds(
            "and that sum is at most the bound",
            "counterfactual regret (4)",
            {
                game: min(point.bound - point.immediate for point in cfr if point.game == game)
                for game in GAMES
            },
            "chips",
        ),
        holds(
            "if regret goes to zero, the average strategies are an equilibrium",
            "regret minimisation",
            {task.game: NEAR - done[task]["average"] for task in plan.averages},
            "chips below 0.01",
        ),
        holds(
            "the strategies of the last round are one too",
            "regret minimisation",
            {task.game: NEAR - done[task]["last"] for task in plan.averages},
            "chips below 0.01",
        ),
        holds(
            "u(σᵗ) in the regret is what the player wins in an equilibrium",
            "regret minimisation",
            {
                f"{task.game}, first round": -abs(done[task]["first_round"] - done[task]["value"])
                for task in plan.averages
            },
            "chips from the value",
            margin=1e-9,
            at_least=True,
        ),
    ]


def _zero(conclusion: str, source: str, distance: float) -> Verdict:
    """A verdict on two numbers that must be equal."""
    found = {"distance": -distance}
    return Verdict.above_zero(conclusion, source, found, "", margin=1e-9, at_least=True)


def _yes(conclusion: str, source: str, answer: bool) -> Verdict:
    """A verdict on something that is so or not."""
    return Verdict.above_zero(conclusion, source, {"1 yes, −1 no": 1.0 if answer else -1.0}, "")


def _same(
    seminar: Mapping[str, Any], conclusion: str, source: str, key: str, found: float
) -> Verdict:
    """A verdict on a size, by its order of magnitude."""
    name = f"10^{found:.2f}; {_DECADE:g} less the distance"
    return Verdict.above_zero(
        conclusion, source, {name: _DECADE - abs(found - seminar[key])}, "powers of ten"
    )


def _mixed_table(plan: RegretPlan, done: Done) -> ReportTable:
    records: list[Record] = [
        {
            "way": way,
            **dict(zip(("rock", "paper", "scissors"), found["probabilities"], strict=True)),
            "exploitability": found["exploitability"],
        }
        for way, found in done[plan.games]["mixed"].items()
    ]
    moves = {move: f"{{{move}:.4f}}" for move in ("rock", "paper", "scissors")}
    return ReportTable.of(
        "rps",
        f"Rock, paper, scissors in {1 + len(RULES)} ways",
        records,
        {"by": "{way}", **moves, "exploitability": "{exploitability:.2g}"},
    )


def _equilibrium_table(plan: RegretPlan, done: Done) -> ReportTable:
    records: list[Record] = [
        {"game": game, "count": len(found), "equilibria": ", ".join(map(_profile, found)) or "none"}
        for game, found in done[plan.games]["pure"].items()
    ]
    return ReportTable.of(
        "pure-equilibria",
        "Equilibria in pure strategies",
        records,
        {"game": "{game}", "number": "{count}", "equilibria": "{equilibria}"},
    )


def _profile(moves: list[str]) -> str:
    return f"({moves[0]},{''.join(moves[1:])})"


def _size_table(done: Done) -> ReportTable:
    seminar, found = read_data("regret", "seminar.toml"), done[MatricesTask()]
    rows = (
        ("limit hold'em: bettings and deals", found["states"], "log10_states"),
        ("169 and 265 buckets: information sets", found["adam_sets"], "log10_fictitious_play"),
        ("169 and 265 buckets: pairs", found["adam_states"], "log10_fictitious_play"),
        ("10 nested buckets: pairs", found["nested_states"], "log10_regret"),
    )
    records: list[Record] = [
        {"what": what, "log10": value, "seminar": seminar[key]} for what, value, key in rows
    ]
    forms = {"what": "{what}", "here": "10^{log10:.2f}", "seminar": "10^{seminar}"}
    return ReportTable.of("sizes", "Decisions of both players, counted", records, forms)


def _average_table(plan: RegretPlan, done: Done) -> ReportTable:
    records: list[Record] = [
        {"game": task.game, "iterations": task.iterations, **done[task]} for task in plan.averages
    ]
    return ReportTable.of(
        "averages",
        "CFR: the average and the last strategies, exploitability in chips",
        records,
        {
            "game": "{game}",
            "iterations": "{iterations:,}",
            "average": "{average:.4f}",
            "last": "{last:.4f}",
            "value": "{value:+.4f}",
            "worth of the first round": "{first_round:+.4f}",
        },
    )


def _bound_table(points: list[BoundPoint]) -> ReportTable:
    last = {(point.game, point.method): point for point in points}
    records: list[Record] = [point._asdict() for point in last.values()]
    return ReportTable.of(
        "last-bounds",
        "Bounds and measurements at the end, in chips",
        records,
        {
            "game": "{game}",
            "method": "{method}",
            "iterations": "{iterations:,}",
            "measured": "{exploitability:.3g}",
            "bound": "{bound:.3g}",
        },
    )
