"""`pokerlab show` for charts: play before the flop that was saved."""

from __future__ import annotations

from pathlib import Path

from pokerlab.cli.tables.preflop_output import print_solution, solution_json
from pokerlab.cli.terminal.output import emit


def is_chart(file: Path) -> bool:
    """Whether a file holds play before the flop, of any version of the format."""
    from pokerlab.holdem.charts.chart_file import CHART_FORMAT
    from pokerlab.runtime.files.tensor_map import file_kind, kind_of

    return file_kind(file) == kind_of(CHART_FORMAT)


def show_chart(file: Path, line: str, *, as_json: bool) -> None:
    """Show all decisions of a chart, and the hands of the one after a line."""
    from pokerlab.holdem.preflop import facts_of, load_preflop

    solution = load_preflop(file)
    facts = None if solution.chart is None else facts_of(solution.chart)
    solution.at(line)
    emit(
        solution_json(solution, facts),
        lambda console: print_solution(console, solution, facts, [line]),
        as_json=as_json,
    )
