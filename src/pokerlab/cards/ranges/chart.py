"""Charts of starting hands as CSV: a row for each hand, or the 13×13 grid.

**Rows.** The first column names hands as range texts do (``AKs``, ``77``, ``AhKd``), the others
hold weights, one column for each action. The first row names the columns::

    hand,fold,call,raise
    AA,0,0.05,0.95
    AKs,0,7%,93%

**Grid.** 13 rows of 13 weights, aces first, suited hands above the diagonal; a row and a column
with the ranks may stand around it.

Columns are separated by commas, semicolons or tabs. A weight is a number from 0 to 1 or a
percentage with its sign; a column (or grid) with a number above 1 is in percent throughout. Hands
that are not named have the weight 0, and so have empty cells.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import numpy as np

from pokerlab.cards.codes import N_COMBOS, RANKS
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.cards.ranges.text import parse_range
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", re.ASCII)


def parse_chart(text: str, column: str | None = None, source: str = "chart.csv") -> Floats:
    r"""The weights of the 1,326 combos in one column of a chart.

    Parameters
    ----------
    text
        The chart.
    column
        The name of the column; it need not be given where there is only one.
    source
        The name of the file, for the example in an error.

    Examples
    --------
    >>> float(parse_chart("hand,call,raise\nAA,0.25,0.75\nAKs,100%,0", "call").sum())
    5.5
    >>> parse_chart("hand,call,raise\nAA,0.25,0.75")
    Traceback (most recent call last):
    ValueError: the chart has several columns (call, raise); name one, for example @chart.csv#raise
    """
    rows = _rows(text)
    if not rows:
        raise ValueError("the chart is empty")
    grid = _grid(rows)
    if grid is not None:
        if column is not None:
            raise ValueError(f"no column {shorten(column)!r}: the chart is a grid, without columns")
        return _weights([cell for row in grid for cell in row], "grid")[CLASS_OF_COMBO]
    header, *body = rows if not _is_hand(rows[0][0]) else [_unnamed(rows[0]), *rows]
    if not body:
        raise ValueError("the chart names no hands")
    names = [name.lower() for name in header[1:]]
    place = 1 + _column(names, column, source)
    weights = np.zeros(N_COMBOS)
    seen: set[str] = set()
    found = _weights([row[place] if place < len(row) else "" for row in body], names[place - 1])
    for row, weight in zip(body, found, strict=True):
        hand = row[0].lower()
        if hand in seen:
            raise ValueError(f"hand {shorten(row[0])!r} stands twice")
        seen.add(hand)
        named = parse_range(row[0]) > 0
        if not named.any():
            raise ValueError(f"{shorten(row[0])!r} names no hand, such as AKs or AhKd")
        weights[named] = weight
    return weights


def _rows(text: str) -> list[list[str]]:
    """The cells of all rows that are not empty."""
    lines = [line for line in text.splitlines() if line.strip(" ,;\t\r")]
    first = lines[0] if lines else ""
    separator = max(",;\t", key=first.count)
    try:
        cells = list(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise ValueError(f"not a CSV file: {error}") from None
    return [[cell.strip() for cell in row] for row in cells]


def _grid(rows: list[list[str]]) -> list[list[str]] | None:
    """The 13 rows of a grid without its ranks; None for another chart."""
    ranks = list(RANKS[::-1])
    if len(rows) == GRID + 1 and [cell.upper() for cell in rows[0]][-GRID:] == ranks:
        rows = rows[1:]
    if len(rows) != GRID:
        return None
    if [row[0].upper() for row in rows] == ranks and all(len(row) == GRID + 1 for row in rows):
        rows = [row[1:] for row in rows]
    return rows if all(len(row) == GRID for row in rows) else None


def _is_hand(text: str) -> bool:
    try:
        return bool(parse_range(text).any())
    except ValueError:
        return False


def _unnamed(row: Sequence[str]) -> list[str]:
    """The names of columns that have none: their numbers."""
    return [str(number) for number in range(len(row))]


def _column(names: Sequence[str], wanted: str | None, source: str) -> int:
    if not names:
        raise ValueError("the chart has no column of weights beside the hands")
    listed = shorten(", ".join(names))
    if wanted is None:
        if len(names) > 1:
            raise ValueError(
                f"the chart has several columns ({listed}); name one, for example"
                f" @{shorten(source)}#{shorten(names[-1])}"
            )
        return 0
    if names.count(wanted.strip().lower()) != 1:
        raise ValueError(f"the chart has no one column {shorten(wanted)!r}; it has {listed}")
    return names.index(wanted.strip().lower())


def _weights(cells: Sequence[str], name: str) -> Floats:
    percents = np.array([cell.endswith("%") for cell in cells])
    numbers = np.zeros(len(cells))
    for place, cell in enumerate(cells):
        digits = cell.removesuffix("%").strip()
        if digits and not _NUMBER.fullmatch(digits):
            raise ValueError(f"{shorten(cell)!r} in column {shorten(name)!r} is not a weight")
        numbers[place] = min(float(digits or 0), 1e6)
    if (numbers[~percents] > 1).any():
        percents[:] = True
    weights = np.where(percents, numbers / 100, numbers)
    if (weights > 1).any():
        worst = cells[int(np.argmax(weights))]
        raise ValueError(f"{shorten(worst)!r} in column {shorten(name)!r} is above 100%")
    return weights
