"""A table of the reproduction: rows for other programs, and a matrix for people.

Numbers of the thesis and ours stand in columns of their own, and in a cell for people as
``ours ± error (thesis)``. Totals are chips in just as many hands as were played; what can be
compared is mbb per hand.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pokerlab.arena.tournaments import Score
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.mapping.thesis import thesis_mbb

__all__ = ["Cell", "ReportTable", "ScoreCell", "number_text", "read_rows", "score_table"]

Cell = str | int | float

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
class ReportTable:
    """A table.

    Attributes
    ----------
    name
        Of its file.
    title
        What it shows.
    heads, rows
        For other programs; NaN is written as nothing.
    shown_heads, shown
        For people.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shown_heads: tuple[str, ...]
    shown: tuple[tuple[str, ...], ...]

    def csv(self) -> str:
        """The rows as CSV.

        Examples
        --------
        >>> table = ReportTable("t", "T", ("bot", "mbb"), (("a", 1 / 3), ("b", math.nan)), (), ())
        >>> print(table.csv(), end="")
        bot,mbb
        a,0.333333
        b,
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.heads)
        for row in self.rows:
            writer.writerow([_written(cell) for cell in row])
        return text.getvalue()

    def markdown(self) -> str:
        """The matrix with its title, in Markdown."""
        lines = [f"### {self.title}", ""]
        lines.append(_line(self.shown_heads))
        lines.append(_line(["---"] * len(self.shown_heads)))
        lines += [_line(row) for row in self.shown]
        return "\n".join(lines) + "\n"


def read_rows(text: str) -> list[dict[str, str]]:
    """The rows of a table that `ReportTable.csv` wrote, all cells as text."""
    return list(csv.DictReader(io.StringIO(text)))


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


def number_text(value: float, error: float | None = None, digits: int = 0) -> str:
    """A signed number, with its error where there is one.

    Examples
    --------
    >>> number_text(-56.6, 12.34), number_text(1234.5), number_text(0.1234, 0.01, 3)
    ('−57 ± 12', '+1,234', '+0.123 ± 0.010')
    >>> number_text(math.nan), number_text(2.0, math.nan)
    ('', '+2')
    """
    if math.isnan(value):
        return ""
    text = f"{value:+,.{digits}f}".replace("-", "−")
    if error is None or math.isnan(error):
        return text
    return f"{text} ± {error:,.{digits}f}"


def _written(cell: Cell) -> str:
    if isinstance(cell, float):
        return "" if math.isnan(cell) else f"{cell:.6g}"
    return str(cell)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
