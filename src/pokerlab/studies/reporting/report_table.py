"""A table of a study: rows for other programs, and a matrix for people."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pokerlab.runtime.files.columns import csv_rows
from pokerlab.views.table import Column, Table

_DIGITS = 6
"""Significant digits of the numbers in a file."""
Cell = str | int | float
Record = Mapping[str, Cell]
"""A row for other programs, by heading."""
Form = str | Callable[[Record], str]
"""How people read a cell: a format of the cells of a record, or a function of it."""


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

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        records: Sequence[Record],
        forms: Mapping[str, Form] | Sequence[tuple[str, Form]],
        *,
        most: int | None = None,
        below: Sequence[tuple[str, ...]] = (),
    ) -> ReportTable:
        """A table whose rows are the same for other programs and for people.

        Parameters
        ----------
        name, title
            As those of the table.
        records
            The rows, at least one.
        forms
            By heading, how people read a record; pairs, where a heading stands there twice.
        most
            How many rows people see; all, if None.
        below
            Further rows for people alone.

        Examples
        --------
        >>> records = [{"bot": "a", "mbb": 1 / 3, "stderr": 0.1}]
        >>> forms = {"bot": "{bot}", "mbb/hand": "{mbb:.2f} ± {stderr:.2f}"}
        >>> table = ReportTable.of("t", "T", records, forms)
        >>> table.heads, table.shown
        (('bot', 'mbb', 'stderr'), (('a', '0.33 ± 0.10'),))
        """
        pairs = forms.items() if isinstance(forms, Mapping) else forms
        heads, each = zip(*pairs, strict=True) if pairs else ((), ())
        shown = [
            tuple(form.format(**record) if isinstance(form, str) else form(record) for form in each)
            for record in records[:most]
        ]
        rows = tuple(tuple(record.values()) for record in records)
        return cls(name, title, tuple(records[0]), rows, heads, (*shown, *below))

    @classmethod
    def of_both(
        cls, name: str, title: str, records: Sequence[Record], shown: Sequence[Mapping[str, str]]
    ) -> ReportTable:
        """A table whose rows for people are others than those for other programs.

        Both are given by heading, and there is at least one of each.

        Examples
        --------
        >>> records = [{"bot": "a", "round": 1, "mbb": 5}, {"bot": "a", "round": 2, "mbb": 7}]
        >>> table = ReportTable.of_both("t", "T", records, [{"bot": "a", "mbb/hand": "5, 7"}])
        >>> table.heads, table.shown_heads, table.shown
        (('bot', 'round', 'mbb'), ('bot', 'mbb/hand'), (('a', '5, 7'),))
        """
        rows = tuple(tuple(record.values()) for record in records)
        texts = tuple(tuple(each.values()) for each in shown)
        return cls(name, title, tuple(records[0]), rows, tuple(shown[0]), texts)

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
        return csv_rows(self.heads, self.rows, _DIGITS)

    def markdown(self) -> str:
        """The matrix with its title, in Markdown."""
        table = Table([Column(head) for head in self.shown_heads], self.shown)
        return f"### {self.title}\n\n{table.markdown()}"


def read_rows(text: str) -> list[dict[str, str]]:
    """The rows of a table that `ReportTable.csv` wrote, all cells as text."""
    return list(csv.DictReader(io.StringIO(text)))


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
