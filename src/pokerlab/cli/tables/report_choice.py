"""The choice of rows of a report, over cards or boards: order, groups, files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.options.files import save_bytes, save_columns
from pokerlab.cli.tables.hand_tables import part_columns
from pokerlab.cli.terminal.output import emit

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots.reports.export import HandRow
    from pokerlab.holdem.spots.reports.line_report import LineReport, ReportRow


@dataclass(frozen=True, kw_only=True)
class ReportChoice:
    """The choice of rows of a report; the options of the command say more."""

    hands: str | None = None
    by: str | None = None
    flops: str | None = None
    where: str | None = None
    group: str | None = None
    sort: str | None = None
    show: str = "ev"
    explain: bool = False
    against: Path | None = None
    against_line: str | None = None
    limit: int | None = 20
    csv: Path | None = None
    parquet: Path | None = None
    figure: Path | None = None

    @property
    def named_by(self) -> str | None:
        """What ``--by`` names: parts of the range, or the textures of cards and boards."""
        return "texture" if self.group == "texture" else self.by

    def named(self, name: Callable[[str], str]) -> ReportChoice:
        """The same with the names of columns, as users write them, made whole."""
        sort, where = (None if text is None else name(text) for text in (self.sort, self.where))
        return replace(self, show=name(self.show), sort=sort, where=where)

    def ordered(self, report: LineReport) -> tuple[LineReport, list[ReportRow]]:
        """The report in its order, and its groups in theirs; a report with groups keeps its own."""
        if self.group is None:
            return report if self.sort is None else report.sorted_by(self.sort), []
        groups = report.groups(self.group)
        return report, groups if self.sort is None else report.sort_groups(groups, self.sort)

    def write(
        self,
        report: LineReport,
        groups: Sequence[ReportRow],
        parts: Sequence[HandRow],
        draw: Callable[[str], bytes],
    ) -> list[str]:
        """Write the files that are asked for; `draw` makes the figure of a kind, png or svg."""
        columns = report.columns(groups or None)
        if self.by is not None:
            columns = part_columns(report.actions, self.by, parts)
        files = save_columns(columns, self.csv, self.parquet)
        if self.figure is not None:
            save_bytes(self.figure, draw(self.figure.suffix.lower().lstrip(".")), "--figure")
            files.append(str(self.figure))
        return files

    def print_rows(
        self,
        console: Console,
        report: LineReport,
        rows: Sequence[ReportRow],
        heading: str,
        mean: str = "all",
    ) -> None:
        """The first rows, and how many more there are."""
        from pokerlab.views.report_tables import terminal_tables

        listed = rows[: self.limit]
        for number, table in enumerate(terminal_tables(report, listed, heading, mean)):
            if number:
                console.print()
            console.print(table)
        if len(rows) > len(listed):
            console.print(f"{len(rows) - len(listed):,} more; --all lists them", style="dim")


def emit_unless_written(
    data: Mapping[str, Any],
    render: Callable[[Console], None],
    files: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Print JSON; else the files that were written; else the rows."""

    def tell(console: Console) -> None:
        for name in files:
            console.out(f"wrote {name}")
        if not files:
            render(console)

    emit(data, tell, as_json=as_json)
