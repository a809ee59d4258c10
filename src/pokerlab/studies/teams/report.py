"""Coalitions of two in three-player Kuhn and Leduc poker, and CFR beyond two players and zero sum.

Everything is exact: best responses on explicit trees, linear programs, and integer programs for
plans without shared cards (Kuhn only).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pokerlab.games import load_betting_game, load_game
from pokerlab.games.protocol import Game
from pokerlab.games.suit_isomorphic import merge_suits
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.solvers import nash_conv, solve, values
from pokerlab.solvers.analysis.cfr_br import cfr_br
from pokerlab.solvers.analysis.teams import coordinated_value, shared_cards_value, team_response
from pokerlab.solvers.strategy import Strategy
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable, number_text
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict
from pokerlab.studies.teams.kuhn_family import KuhnEquilibrium, corners
from pokerlab.trees.game_tree import GameTree

EXACT = 1e-9
"""What counts as nothing in exact computations."""
SAFE = KuhnEquilibrium()
"""The member of the family in which the second player never bluffs."""
BOLD = KuhnEquilibrium(c11=0.0, b11=0.25, b21=0.25)
"""The one in which the second player bluffs most."""
GENERAL = ("seminar1", "seminar2", "coins.3p", "kuhn.3p", "leduc.3p")
"""Games for which CFR promises no equilibrium."""
BEST_RESPONSE_SECONDS = 497.0
"""An exact best response of both seats in two-player limit hold'em on one H200
(docs/exploitability.md)."""
RULES = ("cfr", "cfr+")
_FULL, _QUICK = 20_000, 200
_LEDUC_SHARE = 10
"""Leduc gets a tenth of the iterations: it has a hundred times as many nodes."""


def three_player_game(name: str) -> Game:
    """A game by name; ``leduc.3p`` is Leduc hold'em with three seats, up to suits.

    Examples
    --------
    >>> GameTree.build(three_player_game("kuhn.3p"))
    <GameTree kuhn.3p: 617 nodes, 48 information sets>
    """
    if name == "leduc.3p":
        return merge_suits(replace(load_betting_game("leduc"), name=name, players=3))
    return load_game(name)


@dataclass(frozen=True)
class TeamTask:
    """A computation of the study.

    Attributes
    ----------
    kind
        ``solve`` a game by a rule, ``response`` of two to a strategy, ``certain`` value of a seat,
        the ``family`` of equilibria, or ``cfr-br``.
    game
        Its name.
    what
        The rule, or which strategy: ``cfr`` (by CFR+), ``safe``, ``bold``.
    seat
        Of the player who is alone.
    iterations
        Of a solve.
    """

    kind: str
    game: str
    what: str = ""
    seat: int = 0
    iterations: int = 0

    @property
    def key(self) -> str:
        """What its result is kept under."""
        return f"{self.kind} {self.game} {self.what} {self.seat} {self.iterations} 3"

    def run(self) -> Kept:
        """Compute it."""
        game = three_player_game(self.game)
        if self.kind == "solve":
            solution = solve(game, rule=self.what, iterations=self.iterations)
            return {"nash_conv": solution.nash_conv, "values": list(solution.values)}
        tree = GameTree.build(game)
        if self.kind == "cfr-br":
            steps = tuple(10**power for power in range(1, 4) if 10**power <= self.iterations)
            lost = [cfr_br(tree, player, steps) for player in range(2)]
            return {"mbb": {str(step): 500.0 * (lost[0][step] + lost[1][step]) for step in steps}}
        plans = self.game != "leduc.3p"  # an integer program of that size is out of reach
        if self.kind == "certain":
            plan = coordinated_value(tree, self.seat) if plans else None
            return {"plan": plan, "cards": shared_cards_value(tree, self.seat)}
        if self.kind == "family":
            found = list(corners(5))
            strategies = [each.strategy(tree) for each in found]
            return {
                "nash_conv": [nash_conv(tree, each) for each in strategies],
                "values": [values(tree, each).tolist() for each in strategies],
                "beta": [each.beta for each in found],
            }
        response = team_response(tree, self._strategy(tree, game), self.seat, plan=plans)
        plan = None if math.isnan(response.plan) else response.plan
        return {"value": response.value, "alone": response.alone, "plan": plan,
                "cards": response.cards}  # fmt: skip

    def _strategy(self, tree: GameTree, game: Game) -> Strategy:
        if self.what == "cfr":
            return solve(game, rule="cfr+", iterations=self.iterations).strategy
        return {"safe": SAFE, "bold": BOLD}[self.what].strategy(tree)


@dataclass(frozen=True)
class TeamPlan:
    """All computations.

    Examples
    --------
    >>> len(TeamPlan().tasks()), len(TeamPlan(quick=True).tasks())
    (30, 30)
    """

    quick: bool = False

    def iterations(self, game: str) -> int:
        """How many iterations a game is solved for."""
        whole = _QUICK if self.quick else _FULL
        return whole // _LEDUC_SHARE if game == "leduc.3p" else whole

    def solves(self) -> list[TeamTask]:
        """CFR where it promises nothing."""
        return [
            TeamTask("solve", game, rule, iterations=self.iterations(game))
            for game in GENERAL
            for rule in RULES
        ]

    def responses(self) -> list[TeamTask]:
        """Two against each seat that keeps to a strategy."""
        return [
            TeamTask("response", game, what, seat, self.iterations(game) if what == "cfr" else 0)
            for game, kinds in (("kuhn.3p", ("safe", "bold", "cfr")), ("leduc.3p", ("cfr",)))
            for what in kinds
            for seat in range(3)
        ]

    def certain(self) -> list[TeamTask]:
        """What each seat can be sure of."""
        return [
            TeamTask("certain", game, seat=seat)
            for game in ("kuhn.3p", "leduc.3p")
            for seat in range(3)
        ]

    def tasks(self) -> list[TeamTask]:
        """All of them."""
        family = TeamTask("family", "kuhn.3p")
        return [*self.certain(), *self.responses(), *self.solves(), family, self.best_responses()]

    def best_responses(self) -> TeamTask:
        """CFR against exact best responses in Leduc hold'em: how many it takes."""
        return TeamTask("cfr-br", "leduc", iterations=10 if self.quick else 1000)


def teams_study(plan: TeamPlan, folder: Path) -> Study[TeamTask]:
    """All computations, kept in a folder."""
    store: FolderStore[Kept] = FolderStore(folder)
    return Study([plan.tasks()], store, partial(make_team_report, plan))


def make_team_report(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> StudyReport:
    """Make the tables and verdicts."""
    tables = (
        _certain_table(plan, done),
        _response_table(plan, done),
        _family_table(done),
        _solve_table(plan, done),
        _cfr_br_table(plan, done),
    )
    few = f"{plan.iterations('kuhn.3p'):,} iterations (of {_FULL:,})"
    notes = (
        "Payoffs are chips: antes are 1, bets 1 in Kuhn, 2 and 4 in Leduc for three",
        "A plan fixes what both do before the deal, without shared cards; it may be drawn at"
        " random for both together",
        *([trial_note(few)] if plan.quick else []),
    )
    return StudyReport(
        "Two against the third",
        () if plan.quick else tuple(_verdicts(plan, done)),
        f"{EXACT:g}",
        tables,
        notes,
        facts={"quick": plan.quick, "tasks": len(done)},
    )


def _certain(done: Mapping[TeamTask, Kept], task: TeamTask) -> Kept:
    """What the seat of a task can be sure of."""
    return done[TeamTask("certain", task.game, seat=task.seat)]


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _certain_table(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> ReportTable:
    records: list[Record] = [
        {
            "game": task.game,
            "seat": task.seat,
            **{name: _number(done[task][name]) for name in ("plan", "cards")},
        }
        for task in plan.certain()
    ]
    return _chips_table(
        "certain",
        "What a seat can be sure of against two who work together",
        records,
        {"against a plan": "plan", "against shared cards": "cards"},
    )


def _response_table(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> ReportTable:
    names = {"safe": "β = 0", "bold": "β = 1/4", "cfr": "CFR+"}
    records: list[Record] = [
        {
            "game": task.game,
            "strategy": names[task.what],
            "seat": task.seat,
            **{name: _number(done[task][name]) for name in ("value", "alone", "plan", "cards")},
        }
        for task in plan.responses()
    ]
    return _chips_table(
        "responses",
        "What a seat wins that keeps to an equilibrium of ours",
        records,
        {
            "if all do": "value",
            "one plays against them": "alone",
            "two by a plan": "plan",
            "two with shared cards": "cards",
        },
    )


def _chips_table(
    name: str, title: str, records: Sequence[Record], columns: Mapping[str, str]
) -> ReportTable:
    texts = [
        {
            **{key: str(cell) for key, cell in record.items() if key not in columns.values()},
            **{head: number_text(float(record[key]), digits=4) for head, key in columns.items()},
        }
        for record in records
    ]
    return ReportTable.of_both(name, title, records, texts)


def _family_table(done: Mapping[TeamTask, Kept]) -> ReportTable:
    kept = done[TeamTask("family", "kuhn.3p")]
    rows = list(zip(kept["beta"], kept["values"], kept["nash_conv"], strict=True))
    records: list[Record] = []
    for beta in sorted(set(kept["beta"])):
        here = [(won, miss) for each, won, miss in rows if each == beta]
        record: dict[str, str | int | float] = {"beta": beta, "members": len(here)}
        for seat in range(3):
            record[f"seat_{seat}_least"] = 48 * min(won[seat] for won, _ in here)
            record[f"seat_{seat}_most"] = 48 * max(won[seat] for won, _ in here)
        records.append({**record, "nash_conv": max(miss for _, miss in here)})
    forms = {
        "β": "{beta:.4f}",
        "members": "{members}",
        "first player, 48ths": "{seat_0_least:+.4f} to {seat_0_most:+.4f}",
        "second": "{seat_1_least:+.4f} to {seat_1_most:+.4f}",
        "third": "{seat_2_least:+.4f} to {seat_2_most:+.4f}",
        "NashConv at most": "{nash_conv:.1e}",
    }
    title = "Equilibria of three-player Kuhn poker, by the second player's bluffs"
    return ReportTable.of("kuhn-family", title, records, forms)


def _solve_table(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> ReportTable:
    records: list[Record] = []
    for task in plan.solves():
        kept = done[task]
        won = " ".join(f"{each:+.4f}" for each in kept["values"])
        records.append(
            {
                "game": task.game,
                "rule": task.what,
                "iterations": task.iterations,
                "nash_conv": kept["nash_conv"],
                "values": won,
            }
        )
    forms = {
        "game": "{game}",
        "rule": "{rule}",
        "iterations": "{iterations:,}",
        "NashConv": "{nash_conv:.2e}",
        "values": "{values}",
    }
    title = "CFR beyond two players and zero sum"
    return ReportTable.of("general", title, records, forms)


def _cfr_br_table(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> ReportTable:
    """How far CFR-BR comes in Leduc, and the hours of as many exact best responses in hold'em."""
    records: list[Record] = [
        {
            "iterations": int(step),
            "thousandths": mbb,
            "hours": int(step) * BEST_RESPONSE_SECONDS / 3600,
        }
        for step, mbb in done[plan.best_responses()]["mbb"].items()
    ]
    forms = {
        "iterations": "{iterations:,}",
        "Leduc: exploitability, thousandths of a chip": "{thousandths:.1f}",
        "as many in limit hold'em, GPU hours": "{hours:,.1f}",
    }
    title = "CFR against exact best responses (CFR-BR)"
    return ReportTable.of("cfr-br", title, records, forms)


def _verdicts(plan: TeamPlan, done: Mapping[TeamTask, Kept]) -> Iterator[Verdict]:
    kept = done[TeamTask("family", "kuhn.3p")]
    worst = max(kept["nash_conv"])
    yield Verdict.above_zero(
        f"All {len(kept['beta'])} members of the family that were tried are equilibria",
        "Szafron et al. 2013",
        {"1 less the greatest NashConv": 1.0 - worst / EXACT},
        f"in {EXACT:g} chips",
    )
    formula = max(
        abs(48 * won[seat] - wanted)
        for beta, won in zip(kept["beta"], kept["values"], strict=True)
        for seat, wanted in enumerate((-1 - 2 * beta, -1.0, 2 + 2 * beta))
    )
    yield Verdict.above_zero(
        "The second player gives the third 2β/48 chips of the first, and pays nothing",
        "Szafron et al. 2013",
        {"1 less the greatest deviation": 1.0 - formula / EXACT},
        f"in {EXACT:g} of a 48th chip",
    )
    responses = {task: done[task] for task in plan.responses()}
    for game in ("kuhn.3p", "leduc.3p"):
        yield Verdict.above_zero(
            f"An equilibrium of {game} is not safe against two who work together",
            "section 3.2",
            {
                f"{task.what}, seat {task.seat}: loss to shared cards": each["value"]
                - each["cards"]
                for task, each in responses.items()
                if task.game == game
            },
            "chips",
            EXACT,
        )
    yield Verdict.above_zero(
        "A strategy made for it loses less to two with shared cards than the equilibrium",
        "ours",
        {
            f"{task.game}, {task.what}, seat {task.seat}": _certain(done, task)["cards"]
            - each["cards"]
            for task, each in responses.items()
        },
        "chips",
        EXACT,
    )
    yield Verdict.above_zero(
        "In Kuhn, shared cards take more than the best plan without them",
        "ours",
        {
            f"seat {task.seat}": Measure(done[task]["plan"] - done[task]["cards"], 0.0)
            for task in plan.certain()
            if task.game == "kuhn.3p"
        },
        "chips",
        EXACT,
    )
    reached = done[plan.best_responses()]["mbb"]
    hour = 3600 / BEST_RESPONSE_SECONDS
    yield Verdict.above_zero(
        "An hour of a GPU is enough for CFR-BR with exact best responses in limit hold'em (for as"
        " many as Leduc takes to 0.05 chips)",
        "section 3.3",
        {
            "iterations in an hour, less the fewest tried that get there": hour
            - min((int(step) for step, mbb in reached.items() if mbb < 50.0), default=math.inf)
        },
        "iterations",
    )
    solves = {task: done[task] for task in plan.solves()}
    yield Verdict.above_zero(
        "CFR+ comes to an equilibrium in all of these games (NashConv below 0.01)",
        "section 3.2",
        {
            task.game: 0.01 - each["nash_conv"]
            for task, each in solves.items()
            if task.what == "cfr+"
        },
        "0.01 less NashConv",
    )
