"""Tables of the states of chapter 6 and of the analyses of variance and of distance."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.studies.mapping.neighbours import Moments
from pokerlab.studies.mapping.plan import SURVEYED_NEAREST, MappingResults
from pokerlab.studies.mapping.states import StateAnswer
from pokerlab.studies.mapping.thesis import DISTANCE_COUNTS, NEAREST_PLAIN, WITHOUT_HISTORY
from pokerlab.studies.reporting.measure import share
from pokerlab.studies.reporting.report_table import Cell, Record, ReportTable

TRIPLE = ("raise", "call", "fold")


def state_table(answers: Sequence[StateAnswer]) -> ReportTable:
    """Tables 13 and 14."""
    records: list[Record] = [
        {
            "state": each.state,
            "who": each.who,
            "mapped_to": " and ".join(dict.fromkeys(each.histories)),
            "pot": each.pot,
            "to_call": each.to_call,
            **dict(zip(TRIPLE, each.probabilities, strict=True)),
            **{f"{name}_spread": spread for name, spread in zip(TRIPLE, each.spread, strict=True)},
            "thesis": each.thesis,
        }
        for each in answers
    ]

    def ours(row: Record) -> str:
        text = " / ".join(f"{100 * float(row[action]):.0f}" for action in TRIPLE)
        return text + (f" (± {100 * spread:.0f})" if (spread := float(row["fold_spread"])) else "")

    return ReportTable.of(
        "tables-13-14",
        "Tables 13 and 14: raise / call / fold in percent in the states S1 and S2"
        " (± the spread of folds over turn cards)",
        records,
        {
            "state": "{state}",
            "who": "{who}",
            "mapped to": "{mapped_to}",
            "odds": "{pot:.0f}:{to_call:.0f}",
            "ours": ours,
            "thesis": "{thesis}",
        },
    )


def analysis_tables(results: MappingResults) -> list[ReportTable]:
    """Variance by number of histories, deviation by distance, histories that are not known."""
    return [_variance_table(results), _distance_table(results), _unknown_table(results)]


def _variance_table(results: MappingResults) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for bot in NEAREST_PLAIN:
        for most in SURVEYED_NEAREST:
            survey = results.survey(bot, most)
            for histories, moments in sorted(survey.variances.items()):
                rows.append((bot, most, histories, moments.count, *_means(moments)))
            whole = survey.variance
            texts = [_text(whole, action) for action in range(3)]
            shown.append((bot, str(most), f"{whole.count:,}", *texts))
    return ReportTable(
        "variance",
        "Analysis of variance: among the nearest histories of a mapping, where there are two or"
        " more",
        ("bot", "nearest", "histories", "mappings", *_mean_heads("variance")),
        tuple(rows),
        ("bot", "nearest", "mappings", *TRIPLE),
        tuple(shown),
    )


def _distance_table(results: MappingResults) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for bot in NEAREST_PLAIN:
        for most in SURVEYED_NEAREST:
            survey = results.survey(bot, most)
            for which, table in (
                ("all", survey.deviations),
                ("raising", survey.raising_deviations),
            ):
                for distance, moments in sorted(table.items()):
                    thesis: Cell = ""
                    if (bot, which) == ("HBB3", "raising") and distance < len(DISTANCE_COUNTS):
                        thesis = DISTANCE_COUNTS[distance]
                    rows.append(
                        (bot, most, which, distance, moments.count, thesis, *_means(moments))
                    )
                    if (bot, which, most) == ("HBB3", "raising", SURVEYED_NEAREST[0]):
                        text = _text(moments, 0)
                        shown.append((str(distance), f"{moments.count:,}", str(thesis), text))
    return ReportTable(
        "table-06",
        "Table 6 and analysis of distance: HBB3, 10 nearest, mean probability to raise within 0.1"
        " of 0.7",
        (
            "bot",
            "nearest",
            "mappings",
            "distance",
            "histories",
            "thesis_histories",
            *_mean_heads("deviation"),
        ),
        tuple(rows),
        ("distance", "histories", "thesis", "mean deviation of raise"),
        tuple(shown),
    )


def _unknown_table(results: MappingResults) -> ReportTable:
    records: list[Record] = []
    for bot in NEAREST_PLAIN:
        for most in SURVEYED_NEAREST:
            survey = results.survey(bot, most)
            unknown = share(survey.unknown, survey.asked)
            thesis: tuple[Cell, Cell] = WITHOUT_HISTORY[bot] if most == 15 else ("", "")
            records.append(
                {
                    "bot": bot,
                    "nearest": most,
                    "mappings": survey.mappings,
                    "without_history": survey.without_history,
                    "thesis_without_history": thesis[0],
                    "thesis_mappings": thesis[1],
                    "asked": survey.asked,
                    "unknown": survey.unknown,
                    "share": unknown.value,
                    "stderr": unknown.error,
                }
            )
    theirs = "{thesis_without_history:,} of {thesis_mappings:,}"
    return ReportTable.of(
        "unknown",
        "Histories that the strategy does not know (thesis: a quarter to a third)",
        records,
        {
            "bot": "{bot}",
            "nearest": "{nearest}",
            "mappings without any": "{without_history:,} of {mappings:,}",
            "thesis": lambda row: theirs.format(**row) if row["thesis_mappings"] else "",
            "not known, of those asked": lambda row: f"{100 * float(row['share']):.1f}%",
        },
    )


def _mean_heads(what: str) -> list[str]:
    return [name for action in TRIPLE for name in (f"{action}_{what}", f"{action}_stderr")]


def _means(moments: Moments) -> tuple[float, ...]:
    return tuple(number for action in range(3) for number in moments.mean(action))


def _text(moments: Moments, action: int) -> str:
    value, error = moments.mean(action)
    return f"{value:.3f} ± {error:.3f}" if error == error else f"{value:.3f}"
