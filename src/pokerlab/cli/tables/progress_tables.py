"""Progress of practice at the terminal: by day, street, kind of decision and source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.drills import DrillScore, PracticeProgress

_DAYS = 14


def show_progress(console: Console, progress: PracticeProgress, due: Mapping[str, int]) -> None:
    """Show tables, the newest day last; `due` is how many decisions of each source wait today."""
    total, waiting = progress.total, sum(due.values())
    if not total.decisions and not total.slow:
        console.print("nothing has been played yet")
        return
    streak = f"{progress.streak} day{'' if progress.streak == 1 else 's'} in a row"
    console.print(
        f"{total.decisions:,} decisions, mean loss {total.loss_percent:.2f}% of the pot,"
        f" {total.well:.0%} best or good"
    )
    console.print(f"{streak}; {waiting:,} due today")
    days = {day.isoformat(): each for day, each in list(progress.days.items())[-_DAYS:]}
    if progress.undated.decisions:
        days = {"without a date": progress.undated, **days}
    _show(console, "day", days)
    _show(console, "street", progress.streets)
    _show(console, "decision", progress.kinds)
    _show(console, "source", progress.sources, due)


def _show(
    console: Console,
    name: str,
    rows: Mapping[str, DrillScore],
    due: Mapping[str, int] | None = None,
) -> None:
    columns = {
        name: "fold.30",
        "decisions": "count",
        "% of pot": "chips",
        "well": "share.0",
        "seconds": "chips.1",
        "too slow": "count",
    }
    if due is not None:
        columns["due"] = "count"
    cells = [
        (
            key,
            each.decisions,
            each.loss_percent if each.decisions else None,
            each.well if each.decisions else None,
            each.seconds,
            each.slow,
            *(() if due is None else (due.get(key, 0),)),
        )
        for key, each in rows.items()
    ]
    if cells:
        console.print()
        console.print(Table(columns, cells, options={"header_style": "dim"}))
