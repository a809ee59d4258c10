"""`Verdict`: whether a conclusion of a document holds, and the numbers behind the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable, number_text

Answer = Literal["holds", "does not hold", "cannot be told"]

SIGMAS = 2.0
"""The number of standard errors from zero beyond which it is not chance."""


def all_above_zero(
    measures: Iterable[Measure], margin: float = 0.0, *, at_least: bool = False
) -> Answer:
    """Whether all of some numbers are above zero, by `SIGMAS` standard errors.

    Parameters
    ----------
    measures
        The numbers.
    margin
        By how much more than their errors.
    at_least
        Whether it is enough that none of them is below zero.

    Examples
    --------
    >>> all_above_zero([Measure(5.0, 1.0), Measure(3.0, 1.0)])
    'holds'
    >>> all_above_zero([Measure(5.0, 1.0), Measure(1.0, 1.0)])
    'cannot be told'
    >>> all_above_zero([Measure(5.0, 1.0), Measure(1.0, 1.0)], at_least=True)
    'holds'
    >>> all_above_zero([Measure(5.0, 1.0), Measure(1.0, 1.0), Measure(-3.0, 1.0)])
    'does not hold'
    >>> all_above_zero([Measure(5.0, math.nan)]), all_above_zero([], at_least=True)
    ('cannot be told', 'cannot be told')
    """
    found = list(measures)
    if any(each.value < -(SIGMAS * each.error + margin) for each in found):
        return "does not hold"
    if at_least:
        holds = [each.value >= -(SIGMAS * each.error + margin) for each in found]
    else:
        holds = [each.value > SIGMAS * each.error + margin for each in found]
    if holds and all(holds):
        return "holds"
    return "cannot be told"


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

    @classmethod
    def above_zero(
        cls,
        conclusion: str,
        source: str,
        evidence: Mapping[str, Measure | float],
        unit: str = "mbb/g",
        margin: float = 0.0,
        *,
        at_least: bool = False,
    ) -> Verdict:
        """The verdict that `all_above_zero` gives; a plain number has no error.

        Examples
        --------
        >>> Verdict.above_zero("a folds more", "ours", {"than b": 0.1}, margin=0.05).answer
        'holds'
        """
        found = {
            name: each if isinstance(each, Measure) else Measure(each, 0.0)
            for name, each in evidence.items()
        }
        answer = all_above_zero(found.values(), margin, at_least=at_least)
        return cls(conclusion, source, answer, found, unit, at_least)

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
    records: list[Record] = []
    shown = []
    for each in found:
        digits = 0 if each.unit == "mbb/g" else 3
        where = {"conclusion": each.conclusion, "source": each.source, "answer": each.answer}
        texts = []
        for name, (value, known) in each.evidence.items():
            error = known or math.nan  # that of a strategy's probabilities is not known
            measure = {"value": value, "stderr": error}
            records.append({**where, "evidence": name, **measure, "unit": each.unit})
            texts.append(f"{name} {number_text(value, error, digits)}")
        least = "not below zero: " if each.at_least else ""
        evidence = f"{least}{'; '.join(texts)} {each.unit}"
        shown.append({**where, "what should be above zero, or as said": evidence})
    return ReportTable.of_both("verdicts", f"Conclusions (clear: {clear})", records, shown)
