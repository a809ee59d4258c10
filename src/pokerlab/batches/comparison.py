"""Two batches side by side: what other menus, ranges or locks change at a line, board by board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.postflop.answer.line_report import LineReport


@dataclass(frozen=True, eq=False)
class BatchComparison:
    """The boards that two reports have both, in the same order in `first` and `second`.

    Attributes
    ----------
    first, second
        The reports of these boards.
    only_first, only_second
        How many boards only one of the two has.
    """

    first: LineReport
    second: LineReport
    only_first: int
    only_second: int

    def change(self, column: str) -> Floats:
        """The difference of a column between the second and the first report, by board.

        An action that only one of the batches has is never taken in the other.
        """
        values = []
        for report in (self.first, self.second):
            other = self.second if report is self.first else self.first
            if column not in report.actions and column in other.actions:
                values.append(np.zeros(len(report.names)))
            else:
                values.append(report.column(column))
        return np.asarray(values[1] - values[0])


def compare_reports(first: LineReport, second: LineReport) -> BatchComparison:
    """Put two reports of one line side by side; `ValueError` if they have no board in common.

    Lines may differ, as where a bet has another size; the player who acts must be the same.
    """
    if first.player != second.player:
        raise ValueError("in one of the batches the other player acts there")
    place_of = {board: place for place, board in enumerate(second.names)}
    both = [board for board in first.names if board in place_of]
    if not both:
        raise ValueError("the two batches have no board in common")
    kept = set(both)
    own = [place for place, board in enumerate(first.names) if board in kept]
    return BatchComparison(
        first.take(own),
        second.take([place_of[board] for board in both]),
        len(first.names) - len(both),
        len(second.names) - len(both),
    )
