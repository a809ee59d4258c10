"""Which conclusions of chapters 5.4 and 7 hold when the thesis's own formulas are run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pokerlab.studies.abstraction.thesis import FIGURE_18, QUALITY, STAGNATION
from pokerlab.studies.grouped.group_solver import Reading
from pokerlab.studies.grouped.reading_results import ReadingResults
from pokerlab.studies.grouped.reading_tasks import (
    CONSTANTS,
    ENGINE,
    FLOP,
    MEASURED,
    PASSED_UP,
    READINGS,
    RULE_READINGS,
    SEVEN,
    THESIS,
    TURN,
)
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.verdict import Answer, Verdict

CLOSE = 0.25
"""A number counts as the printed one if it is off by less than this part."""
_CLEAR = 0.02
_TIME_SAVED, _MEMORY_SHARE = 0.30, 1 / 3
"""Of an iteration of CGH against one of CFR (7.4, 8.1)."""


def reading_verdicts(results: ReadingResults, parts: Sequence[str]) -> list[Verdict]:
    """All conclusions about some parts."""
    makers: dict[str, Callable[[ReadingResults], Iterator[Verdict]]] = {
        "turn": _turn,
        "readings": _readings,
        "sample": _sample,
        "figure-18": _rules,
        "figure-19": _constants,
        "figure-17": _long,
        "figure-20": _thousand,
    }
    return [verdict for part in parts for verdict in makers[part](results)]


def _more(first: float, second: float) -> float:
    """By what part the first is more than the second."""
    return first / second - 1


def _close(conclusion: str, source: str, off: Mapping[str, float], some: bool = False) -> Verdict:
    """That all of some numbers (or some one of them) are off by less than `CLOSE`."""
    near = [abs(value) <= CLOSE for value in off.values()]
    answer: Answer = "holds" if (any(near) if some else all(near)) else "does not hold"
    evidence = {f"off by, {name}": Measure(value, 0.0) for name, value in off.items()}
    return Verdict(conclusion, source, answer, evidence, f"of it, at most {CLOSE:g}")


def _above(conclusion: str, source: str, evidence: Mapping[str, float]) -> Verdict:
    return Verdict.above_zero(conclusion, source, evidence, "part more", _CLEAR)


def _effects(results: ReadingResults, board: str) -> Iterator[Verdict]:
    """What each thing that a reading changes does to ε inside after 200 iterations."""

    def inside(groups: str, reading: Reading) -> float:
        return results.at(results.plan.table(board, groups, reading), 200).inside

    for by_hand, by_mean in PASSED_UP:
        rank, view = (
            inside(groups, by_mean) / inside(groups, by_hand)
            for groups in ("rank/river", "view/river")
        )
        yield _above(
            f"{board}: the mean passed up makes rank slower, and the view less"
            f" ({by_hand.first} first, from {by_hand.start})",
            "section 7.3",
            {"rank": _more(rank, 1), "rank, more than the view": _more(rank, view)},
        )
    for start in ("uniform", "call"):
        yield _above(
            f"{board}: updating the player in position first is faster (from {start})",
            "algorithm 3",
            {
                groups: _more(
                    inside(groups, Reading("oop", start)), inside(groups, Reading("ip", start))
                )
                for groups in MEASURED
            },
        )


def _turn(results: ReadingResults) -> Iterator[Verdict]:
    yield from _effects(results, TURN)


def _readings(results: ReadingResults) -> Iterator[Verdict]:
    plan = results.plan
    yield from _effects(results, FLOP)
    for whole in (200, 400):
        worst: dict[str, float] = {}
        for reading in READINGS:
            off = [
                _more(
                    results.at(plan.table(FLOP, groups, reading), whole).inside,
                    QUALITY[whole][groups].abstract,
                )
                for groups in MEASURED
            ]
            worst[reading.text] = max(off, key=abs)
        yield _close(
            f"One reading gives all ε inside the abstraction after {whole} iterations on {FLOP}",
            "tables 6, 7",
            worst,
            some=True,
        )
        printed = QUALITY[whole]["rank/river"].abstract / QUALITY[whole]["view/river"].abstract
        yield _close(
            f"One reading has rank {printed:.1f} times behind the view after {whole} iterations",
            "tables 6, 7",
            {
                reading.text: _more(
                    results.at(plan.table(FLOP, "rank/river", reading), whole).inside
                    / results.at(plan.table(FLOP, "view/river", reading), whole).inside,
                    printed,
                )
                for reading in READINGS
            },
            some=True,
        )


def _sample(results: ReadingResults) -> Iterator[Verdict]:
    plan = results.plan
    for reading in (ENGINE, THESIS):
        for whole in (200, 400):
            inside, gap = {}, {}
            for groups in MEASURED:
                points = [results.at(plan.table(flop, groups, reading), whole) for flop in SEVEN]
                printed = QUALITY[whole][groups]
                mean = sum(point.inside for point in points) / len(points)
                real = sum(point.real for point in points) / len(points)
                inside[groups] = _more(mean, printed.abstract)
                gap[groups] = _more(real - mean, printed.real - printed.abstract)
            yield _close(
                f"The means over the sample are the ε inside after {whole} ({reading.text})",
                "tables 6, 7",
                inside,
            )
            yield _close(
                f"The means over the sample are the price of the groups after {whole}"
                f" ({reading.text})",
                "tables 6, 7",
                gap,
            )
        yield _above(
            f"The view is best in the real game on every flop after 400 ({reading.text})",
            "tables 6, 7",
            {
                f"{flop}, {groups}": _more(
                    results.at(plan.table(flop, groups, reading), 400).real,
                    results.at(plan.table(flop, "view/river", reading), 400).real,
                )
                for flop in plan.flops
                for groups in MEASURED
                if groups != "view/river"
            },
        )


def _rules(results: ReadingResults) -> Iterator[Verdict]:
    plan = results.plan
    off, saved, memory = {}, {}, {}
    for reading in RULE_READINGS:
        for rule, printed in (("cfr", "cfr"), ("cgh-return(0.2)", "cgh(0.2)")):
            found = results.at(plan.rule(rule, reading), 400).inside
            off[f"{rule}, {reading.text}"] = _more(found, FIGURE_18[printed])
        cfr, cgh = (
            results.done[plan.rule(rule, reading)] for rule in ("cfr-return", "cgh-return(0.2)")
        )
        saved[reading.text] = 1 - cgh["seconds"] / cfr["seconds"] - _TIME_SAVED
        memory[reading.text] = _more(cgh["bytes"] / cfr["bytes"], _MEMORY_SHARE)
    yield _close("ε is 21.8 for CFR and 1.7 for CGH, whatever the reading", "figure 18", off)
    yield Verdict.above_zero(
        "An iteration of CGH takes 30% less time than one of CFR",
        "sections 7.4, 8.1",
        saved,
        "of the time, more than 30%",
        at_least=True,
    )
    yield _close("CGH takes a third of the memory of CFR", "sections 7.4, 8.1", memory)
    for rule in ("cfr", "cfr-return"):
        rises = results.rises(plan.rule(rule, THESIS))
        yield Verdict(
            f"The ε of {rule} falls in every iteration (by the thesis's reading)",
            "section 7.4",
            "holds" if rises == 0 else "does not hold",
            {rule: Measure(-rises, 0.0)},
            "of the measurements, less those that rise",
            at_least=True,
        )
    shares = {
        rule: results.rises(plan.rule(rule, THESIS)) for rule in ("cgh(0.2)", "cgh-return(0.2)")
    }
    yield Verdict(
        "The ε of CGH rises at times (by the thesis's reading)",
        "figure 18",
        "holds" if all(shares.values()) else "does not hold",
        {rule: Measure(share, 0.0) for rule, share in shares.items()},
        "of the measurements rise",
    )


def _constants(results: ReadingResults) -> Iterator[Verdict]:
    plan = results.plan
    found = {
        whole: {each: results.at(plan.constant(each), whole).inside for each in CONSTANTS}
        for whole in (150, 400)
    }
    yield _above(
        "The best constant is 0.2 (by the thesis's reading)",
        "figure 19",
        {
            f"c = {each:g}": _more(value, found[400][0.2])
            for each, value in found[400].items()
            if each != 0.2
        },
    )
    yield _above(
        "After 150 iterations c = 0 is the worst (by the thesis's reading)",
        "figure 19",
        {
            f"than {each:g}": _more(found[150][0.0], value)
            for each, value in found[150].items()
            if each > 0
        },
    )


def _long(results: ReadingResults) -> Iterator[Verdict]:
    plan = results.plan
    yield _close(
        "ε of the real game stops where figure 17 says (by the thesis's reading)",
        "figure 17",
        {
            groups: _more(results.at(plan.long(groups), 2000).real, printed)
            for groups, printed in STAGNATION.items()
        },
    )
    shares = {groups: results.rises(plan.long(groups)) for groups in STAGNATION}
    yield Verdict(
        "ε rises at times with either abstraction (by the thesis's reading)",
        "figure 17",
        "holds" if all(shares.values()) else "does not hold",
        {groups: Measure(share, 0.0) for groups, share in shares.items()},
        "of the measurements rise",
    )


def _thousand(results: ReadingResults) -> Iterator[Verdict]:
    cfr, cgh = (
        results.at(results.plan.thousand(rule), 1000).inside for rule in ("cfr", "cgh-return(0.2)")
    )
    yield _above(
        "After 1,000 iterations CGH is ahead of CFR (by the thesis's reading)",
        "figure 20",
        {"plain mean": _more(cfr, cgh)},
    )
