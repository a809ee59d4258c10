"""`Verdict`: whether a conclusion of a document holds, and the numbers behind the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Cell, ReportTable, number_text

Answer = Literal["holds", "does not hold", "cannot be told"]


@dataclass(frozen=True)
class Verdict:
    """A conclusion, and what was measured.

    Attributes
    ----------
    conclusion
        What it says.
    source
        Where the thesis says it; ``ours`` for questions that it leaves open.
    answer
        Whether it holds.
    evidence
        The numbers that it says are above zero (or, for things alike, zero), by what they are of.
    unit
        Of the numbers.
    at_least
        Whether it says only that they are not below zero.
    """

    conclusion: str
    source: str
    answer: Answer
    evidence: Mapping[str, Measure]
    unit: str = "mbb/g"
    at_least: bool = False

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON; a number that is not known is None."""

        def number(value: float) -> float | None:
            return value if math.isfinite(value) else None

        return {
            "conclusion": self.conclusion,
            "source": self.source,
            "answer": self.answer,
            "unit": self.unit,
            "at_least": self.at_least,
            "evidence": {
                name: {"value": number(measure.value), "stderr": number(measure.error)}
                for name, measure in self.evidence.items()
            },
        }


def verdict_table(found: Sequence[Verdict], clear: str) -> ReportTable:
    """The verdicts as a table; a row for other programs is a number, a row for people a verdict.

    `clear` says what counts as a clear difference.
    """
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for each in found:
        digits = 0 if each.unit == "mbb/g" else 3
        texts = []
        for name, (value, known) in each.evidence.items():
            error = known or math.nan  # that of a strategy's probabilities is not known
            rows.append((each.conclusion, each.source, each.answer, name, value, error, each.unit))
            texts.append(f"{name} {number_text(value, error, digits)}")
        least = "not below zero: " if each.at_least else ""
        evidence = f"{least}{'; '.join(texts)} {each.unit}"
        shown.append((each.conclusion, each.source, each.answer, evidence))
    return ReportTable(
        "verdicts",
        f"Conclusions (clear: {clear})",
        ("conclusion", "source", "answer", "evidence", "value", "stderr", "unit"),
        tuple(rows),
        ("conclusion", "source", "answer", "what should be above zero, or as said"),
        tuple(shown),
    )
