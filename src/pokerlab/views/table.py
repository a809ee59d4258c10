"""`Table`: columns that know what their numbers are, and one way to show them everywhere.

A cell is a number, or None where it is not known; the kind of its column says how it is written. A
cell that is a text already stays as it is. The same table is drawn on a terminal, in a notebook and
in Markdown, and written as CSV.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pokerlab.views.pictures.tables import number_text, percent_text, table_html

if TYPE_CHECKING:
    import rich.table

_DIGITS = {"chips": 2, "share": 1, "signed": 2}
_KINDS = ("text", "name", "fold", "count", *_DIGITS)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name
        Its heading.
    kind
        What it holds: ``text``, ``name`` (a text that a terminal never breaks), ``fold`` (one that
        it breaks anywhere), ``chips`` (or another number), ``share`` (a part of 1, shown in
        percent), ``count`` (whole numbers) or ``signed`` (a change).
    digits
        After the point: 2, or 1 of shares in percent, if None. Of ``fold``, the greatest width.
    style
        On a terminal, a style of Rich for its cells.

    Examples
    --------
    >>> Column("EV", "chips").text(1234.5), Column("often", "share").text(1 / 3)
    ('1,234.50', '33.3%')
    >>> Column("change", "signed").text(-0.5), Column("boards", "count").text(1755)
    ('-0.50', '1,755')
    >>> Column("EV", "chips").text(None), Column("EV", "chips").text("unknown")
    ('–', 'unknown')
    >>> Column.read("equity", "share.2 bold")
    Column(name='equity', kind='share', digits=2, style='bold')
    """

    name: str
    kind: str = "text"
    digits: int | None = None
    style: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise ValueError(f"{self.kind!r} is not a kind of column: {', '.join(_KINDS)}")

    @classmethod
    def read(cls, name: str, text: str) -> Column:
        """A column by its kind, with digits after a point and a style after a space."""
        form, _, style = text.partition(" ")
        kind, _, digits = form.partition(".")
        return cls(name, kind, int(digits) if digits else None, style or None)

    @property
    def holds_texts(self) -> bool:
        """Whether cells stand to the left."""
        return self.kind in ("text", "name", "fold")

    def text(self, value: Any) -> Any:
        """A cell as people read it; texts, also those of Rich, stay as they are."""
        if value is not None and not isinstance(value, int | float):
            return value
        digits = self.digits if self.digits is not None else _DIGITS.get(self.kind, 0)
        if self.kind == "share":
            return percent_text(value, digits)
        if value is None or value != value or self.kind == "chips":
            return number_text(value, digits)
        if self.kind == "signed":
            return f"{round(value, digits) + 0.0:+,.{digits}f}"
        return f"{value:,}" if self.kind == "count" else str(value)


@dataclass(frozen=True)
class Table:
    """A table of numbers and texts.

    Attributes
    ----------
    columns
        The columns; or their headings with kinds, digits and styles, as `Column.read` takes them.
    rows
        The cells of each row.
    last
        A row that stands below the others, such as their mean.
    options
        Further options of `rich.table.Table` for a terminal.

    Examples
    --------
    >>> table = Table({"hand": "text", "EV": "chips.2"}, [["AA", 12.5], ["72o", None]])
    >>> print(table.markdown(), end="")
    | hand | EV |
    | --- | --- |
    | AA | 12.50 |
    | 72o | – |
    """

    columns: Sequence[Column] | Mapping[str, str]
    rows: Iterable[Sequence[Any]]
    last: Sequence[Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __rich__(self) -> rich.table.Table:
        """The table as a terminal shows it: numbers to the right, no lines."""
        from rich.table import Table as Drawn

        drawn = Drawn(box=None, pad_edge=False, **self.options)
        for column in self._columns:
            fold = column.kind == "fold"
            drawn.add_column(
                column.name,
                style=column.style,
                justify="left" if column.holds_texts else "right",
                no_wrap=column.kind not in ("text", "fold"),
                overflow="fold" if fold else "ellipsis",
                max_width=column.digits if fold else None,
            )
        for row in self.rows:
            drawn.add_row(*self._texts(row))
        if self.last is not None:
            drawn.add_section()
            drawn.add_row(*self._texts(self.last), style="bold")
        return drawn

    def html(self, most: int | None = None, more: str = "") -> str:
        """The table for a notebook; `most` rows of it, and `more` says where the others are."""
        rows = list(self.rows)
        shown = [self._texts(row) for row in rows[:most]]
        last = None if self.last is None else self._texts(self.last)
        heads = [column.name for column in self._columns]
        return table_html(heads, shown, last=last, left=len(rows) - len(shown), more=more)

    def markdown(self) -> str:
        """The table in Markdown."""
        heads = [column.name for column in self._columns]
        lines = [heads, ["---"] * len(heads), *map(self._texts, self.rows)]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

    def csv(self, digits: int | None = None, unknown: str = "") -> str:
        """The rows for other programs: numbers as they are, or with some significant digits.

        Examples
        --------
        >>> table = Table({"hand": "text", "EV": "chips"}, [["AA", 1 / 3], ["72o", None]])
        >>> print(table.csv(digits=4), end="")
        hand,EV
        AA,0.3333
        72o,
        """
        heads = [column.name for column in self._columns]
        from pokerlab.runtime.files.columns import csv_rows  # a table needs no NumPy

        return csv_rows(heads, self.rows, digits, unknown)

    @cached_property
    def _columns(self) -> list[Column]:
        if isinstance(self.columns, Mapping):
            return [Column.read(name, text) for name, text in self.columns.items()]
        return list(self.columns)

    def _texts(self, row: Sequence[Any]) -> list[Any]:
        return [column.text(cell) for column, cell in zip(self._columns, row, strict=True)]
