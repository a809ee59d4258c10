"""Tables of scores: ours beside those of the thesis.

Numbers of the thesis and ours stand in columns of their own, and in a cell for people as
``ours ± error (thesis)``. Totals are chips in just as many hands as were played; what can be
compared is mbb per hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pokerlab.arena.tournaments import Score
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.mapping.thesis import thesis_mbb
from pokerlab.studies.reporting.report_table import Cell, ReportTable, number_text

SCORE_HEADS = (
    "row",
    "column",
    "thesis_hands",
    "thesis_chips",
    "thesis_mbb",
    "hands",
    "chips",
    "mbb",
    "stderr",
)
"""Columns of every table of scores; chips are those of the thesis, 10 are a big blind."""


@dataclass(frozen=True)
class ScoreCell:
    """What a bot won, ours and the thesis's.

    Attributes
    ----------
    row, column
        Where it stands.
    score
        Ours.
    hands
        In how many hands.
    thesis_chips, thesis_hands
        What the thesis has there; None where it has nothing.
    """

    row: str
    column: str
    score: Score
    hands: int
    thesis_chips: float | None = None
    thesis_hands: int = 0

    @classmethod
    def of_match(
        cls,
        row: str,
        column: str,
        record: Record,
        thesis_chips: float | None = None,
        thesis_hands: int = 0,
    ) -> ScoreCell:
        """What the first bot of a match won."""
        result = record.result
        score = Score(result.chips[0], result.mbb_per_hand[0], result.stderr[0])
        return cls(row, column, score, result.hands, thesis_chips, thesis_hands)

    def cells(self) -> tuple[Cell, ...]:
        """The row of this cell, by `SCORE_HEADS`."""
        score = self.score
        thesis: tuple[Cell, ...] = ("", "", "")
        if self.thesis_chips is not None:
            mbb = thesis_mbb(self.thesis_chips, self.thesis_hands)
            thesis = (self.thesis_hands, self.thesis_chips, mbb)
        ours = (self.hands, score.chips, score.mbb_per_hand, score.stderr)
        return (self.row, self.column, *thesis, *ours)

    def text(self) -> str:
        """For people: ours in mbb per hand, and the thesis's behind it."""
        ours = number_text(self.score.mbb_per_hand, self.score.stderr)
        if self.thesis_chips is None:
            return ours
        mbb = thesis_mbb(self.thesis_chips, self.thesis_hands)
        return f"{ours} ({number_text(mbb)})"


def score_table(
    name: str,
    title: str,
    cells: Sequence[ScoreCell],
    corner: str = "",
    columns: Sequence[str] | None = None,
) -> ReportTable:
    """A table of scores; the order of rows and columns is that of the cells, if none is given."""
    rows = list(dict.fromkeys(cell.row for cell in cells))
    if columns is None:
        columns = list(dict.fromkeys(cell.column for cell in cells))
    texts = {(cell.row, cell.column): cell.text() for cell in cells}
    return ReportTable(
        name,
        title,
        SCORE_HEADS,
        tuple(cell.cells() for cell in cells),
        (corner, *columns),
        tuple((row, *(texts.get((row, column), "") for column in columns)) for row in rows),
    )
