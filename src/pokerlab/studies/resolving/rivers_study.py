"""The study of rivers solved again: turns of two strengths, every gadget, exact best responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.rivers import solve_rivers_again
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study, kept_with
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict

STRENGTHS: Final = ("0.5%", "3%")
"""To which the turns are solved, of the pot."""
RIVER_TARGET: Final = "0.2%"
GADGETS: Final = (
    ("unsafe", "response"),
    ("combined", "response"),
    ("maxmargin", "response"),
    ("resolve", "response"),
    ("reach-combined", "response"),
    ("reach-maxmargin", "response"),
    ("combined", "average"),
    ("maxmargin", "average"),
    ("resolve", "average"),
)
"""The kinds, and what a hand was worth; ``unsafe`` does not ask."""
_GAP: Final = 0.3
"""Percent of the pot that rivers solved to 0.2% of theirs may cost a turn, whose pots grow."""


@dataclass(frozen=True)
class RiversTask:
    """A turn of some strength whose rivers are solved again with a gadget.

    Attributes
    ----------
    board
        The turn.
    strength
        To what part of the pot it is solved before.
    kind, values
        The gadget, and what a hand was worth.
    """

    board: str
    strength: str
    kind: str
    values: str

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return f"{self.board} {self.strength} {self.kind} {self.values}"

    def run(self) -> Kept:
        """The exploitability of the turn before and after, in percent of the pot."""
        fields = {**read_data("resolving", "turns.toml"), "board": self.board}
        del fields["boards"]
        spot = Spot.from_fields(fields)
        turn = solve_spot(spot, target=self.strength, threads=1, device="cpu")
        again = solve_rivers_again(
            turn, self.kind, values=self.values, target=RIVER_TARGET, threads=1
        )
        return {
            "before": turn.exploitability.percent,
            "after": again.solution.exploitability.percent,
            "solves": again.solved,
            "left": again.left,
            "iterations": again.iterations,
        }


def rivers_study(folder: Path, *, quick: bool = False) -> Study[RiversTask]:
    """All turns, strengths and gadgets; with `quick` one turn without a gadget."""
    turns = read_data("resolving", "turns.toml")
    tasks = [
        RiversTask(board, strength, kind, values)
        for kind, values in GADGETS
        for strength in STRENGTHS
        for board in turns["boards"]
    ]

    def make_report(done: Mapping[RiversTask, Kept]) -> StudyReport:
        return make_rivers_report(done, quick=quick)

    chosen = tasks[:1] if quick else tasks
    return Study(
        [chosen],
        FolderStore(folder, from_json=kept_with({"before", "after", "solves"})),
        make_report,
    )


def make_rivers_report(done: Mapping[RiversTask, Kept], *, quick: bool) -> StudyReport:
    """The table, and what it says of the kinds."""
    turns = list(dict.fromkeys((task.board, task.strength) for task in done))
    found = {
        (task.board, task.strength, task.kind, task.values): kept for task, kept in done.items()
    }
    gadgets = [each for each in GADGETS if all((*turn, *each) in found for turn in turns)]
    rows: list[Record] = [
        {
            "turn": board,
            "solved to": strength,
            "before": found[board, strength, *gadgets[0]]["before"],
            **{
                f"{kind} {values}": found[board, strength, kind, values]["after"]
                for kind, values in gadgets
            },
        }
        for board, strength in turns
    ]
    columns = ("before", *(f"{kind} {values}" for kind, values in gadgets))
    heads = {"turn": "{turn}", "solved to": "{solved to}"}
    table = ReportTable.of(
        "rivers",
        "Exploitability before and after the rivers were solved again",
        rows,
        {**heads, **{name: f"{{{name}:.3f}}" for name in columns}},
    )
    notes = (
        f"Every river of a turn is solved again to {RIVER_TARGET} of its pot, for both players, and"
        " put together; percent of the pot, by an exact best response to the whole turn.",
        "response, average: what a hand was worth, to a best response or to the solution itself.",
    )
    return StudyReport(
        "Rivers solved again",
        () if quick else _verdicts(rows),
        f"beyond {_GAP}% of the pot, the gap of the rivers",
        (table,),
        (*notes, *([trial_note("one turn without a gadget")] if quick else [])),
        facts={"quick": quick, "tasks": len(done)},
    )


def _verdicts(rows: list[Record]) -> tuple[Verdict, ...]:
    def against(one: str, other: str) -> dict[str, float]:
        return {
            f"{row['turn']} {row['solved to']}": float(row[other]) - float(row[one]) for row in rows
        }

    def judged(text: str, evidence: Mapping[str, float], margin: float = 0.0) -> Verdict:
        return Verdict.above_zero(
            text, "ours", evidence, "% of the pot", margin, at_least=margin > 0
        )

    safe = [
        judged(
            f"{kind} with values of best responses makes no turn easier to exploit",
            against(f"{kind} response", "before"),
            _GAP,
        )
        for kind in ("resolve", "maxmargin", "reach-maxmargin")
    ]
    return (
        *safe,
        judged(
            "Without a gadget no turn gets easier to exploit",
            against("unsafe response", "before"),
            _GAP,
        ),
        judged(
            "combined is harder to exploit than no gadget",
            against("combined response", "unsafe response"),
        ),
        judged(
            "combined is harder to exploit than maxmargin",
            against("combined response", "maxmargin response"),
        ),
        judged(
            "Values of best responses are better than averages for combined",
            against("combined response", "combined average"),
        ),
        judged(
            "Values of best responses are better than averages for maxmargin",
            against("maxmargin response", "maxmargin average"),
        ),
        judged(
            "Gifts make combined harder to exploit",
            against("reach-combined response", "combined response"),
        ),
    )
