"""Tables of the states of chapter 6 and of the analyses of variance and of distance."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.studies.mapping.neighbours import Moments
from pokerlab.studies.mapping.plan import SURVEYED_NEAREST
from pokerlab.studies.mapping.results import MappingResults
from pokerlab.studies.mapping.states import StateAnswer
from pokerlab.studies.mapping.thesis import DISTANCE_COUNTS, NEAREST_PLAIN, WITHOUT_HISTORY
from pokerlab.studies.reporting.measure import share
from pokerlab.studies.reporting.report_table import Cell, ReportTable

TRIPLE = ("raise", "call", "fold")


def state_table(answers: Sequence[StateAnswer]) -> ReportTable:
    """Tables 13 and 14."""
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for each in answers:
        mapped = " and ".join(dict.fromkeys(each.histories))
        where: tuple[Cell, ...] = (each.state, each.who, mapped, each.pot, each.to_call)
        rows.append((*where, *each.probabilities, *each.spread, each.thesis))
        probabilities = " / ".join(f"{100 * chance:.0f}" for chance in each.probabilities)
        spread = f" (± {100 * each.spread[2]:.0f})" if each.spread[2] else ""
        odds = f"{each.pot:.0f}:{each.to_call:.0f}"
        shown.append((each.state, each.who, mapped, odds, probabilities + spread, each.thesis))
    spreads = [f"{action}_spread" for action in TRIPLE]
    return ReportTable(
        "tables-13-14",
        "Tables 13 and 14: raise / call / fold in percent in the states S1 and S2"
        " (± the spread of folds over turn cards)",
        ("state", "who", "mapped_to", "pot", "to_call", *TRIPLE, *spreads, "thesis"),
        tuple(rows),
        ("state", "who", "mapped to", "odds", "ours", "thesis"),
        tuple(shown),
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
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for bot in NEAREST_PLAIN:
        for most in SURVEYED_NEAREST:
            survey = results.survey(bot, most)
            unknown = share(survey.unknown, survey.asked)
            thesis: tuple[Cell, Cell] = WITHOUT_HISTORY[bot] if most == 15 else ("", "")
            without: tuple[Cell, ...] = (survey.mappings, survey.without_history, *thesis)
            rows.append((bot, most, *without, survey.asked, survey.unknown, *unknown))
            known = f"{survey.without_history:,} of {survey.mappings:,}"
            theirs = f"{thesis[0]:,} of {thesis[1]:,}" if most == 15 else ""
            shown.append((bot, str(most), known, theirs, f"{100 * unknown.value:.1f}%"))
    return ReportTable(
        "unknown",
        "Histories that the strategy does not know (thesis: a quarter to a third)",
        (
            "bot",
            "nearest",
            "mappings",
            "without_history",
            "thesis_without_history",
            "thesis_mappings",
            "asked",
            "unknown",
            "share",
            "stderr",
        ),
        tuple(rows),
        ("bot", "nearest", "mappings without any", "thesis", "not known, of those asked"),
        tuple(shown),
    )


def _mean_heads(what: str) -> list[str]:
    return [name for action in TRIPLE for name in (f"{action}_{what}", f"{action}_stderr")]


def _means(moments: Moments) -> tuple[float, ...]:
    return tuple(number for action in range(3) for number in moments.mean(action))


def _text(moments: Moments, action: int) -> str:
    value, error = moments.mean(action)
    return f"{value:.3f} ± {error:.3f}" if error == error else f"{value:.3f}"
