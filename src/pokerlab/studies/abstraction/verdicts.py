"""Which conclusions of chapter 7 hold: numbers that each says are above zero, as in `mapping`.

ε has no error of chance: a difference counts if it is more than `CLEAR` of what it is compared
with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pokerlab.studies.abstraction.costs import cost_cells
from pokerlab.studies.abstraction.plan import (
    CGH,
    CONSTANTS,
    FIGURE_18_GAMES,
    FIGURE_19_GAMES,
    OLD_CGH,
    OURS,
    RISE_RULES,
    VIEW,
)
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.settled import comparisons
from pokerlab.studies.abstraction.size_tables import possible_means, small_trees
from pokerlab.studies.abstraction.sizes import (
    PLAIN,
    flop_sample,
    group_sizes,
    implied_groups,
    reference_nodes,
    thesis_information_sets,
    tree_sizes,
)
from pokerlab.studies.abstraction.solves import EpsilonPoint
from pokerlab.studies.abstraction.thesis import (
    FIGURE_18,
    FIGURE_18_RATES,
    GROUP_COUNTS,
    MEASURES,
    PLAIN_BOARDS,
    SIZES,
    STAGNATION,
    TABLE_8,
)
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.verdict import Answer, Verdict

CLEAR = 0.02
"""Numbers that differ by less than this part are the same."""
_FLOPS_OF_TABLE_3 = 8
_EXACT = 1e-6


def abstraction_verdicts(results: AbstractionResults) -> list[Verdict]:
    """All conclusions, in the order of the chapter; of a quick run those that need no solve."""
    if results.plan.quick:
        return [*_sizes(), *_rates(results)]
    return [
        *_sizes(),
        *_groups(results),
        *_quality(results),
        *_convergence(results),
        *_match(results),
        *_appendix(results),
        *_cost(results),
    ]


def _verdict(
    conclusion: str,
    source: str,
    values: Mapping[str, float],
    unit: str = "part more",
    margin: float = CLEAR,
) -> Verdict:
    return Verdict.above_zero(conclusion, source, values, unit, margin)


def _equal(conclusion: str, source: str, off: Mapping[str, float], margin: float) -> Verdict:
    """That some numbers are the thesis's: how far each is off, less than a margin."""
    left = {name: margin - abs(value) for name, value in off.items()}
    answer: Answer = "holds" if all(each >= 0 for each in left.values()) else "does not hold"
    evidence = {f"off by, {name}": Measure(value, 0.0) for name, value in off.items()}
    return Verdict(conclusion, source, answer, evidence, f"of it, at most {margin:g}")


def _more(first: float, second: float) -> float:
    """By what part the first is more than the second."""
    return (first - second) / max(abs(second), 1e-12)


def _sizes() -> Iterator[Verdict]:
    nodes, printed = reference_nodes(), PLAIN_BOARDS
    ours = tree_sizes(nodes, PLAIN)
    off = {field: _more(getattr(ours, field), getattr(printed, field)) for field in printed._fields}
    yield _equal("Table 2 is the tree of 50% and all-in", "table 2", off, _EXACT)
    samples = {sample.flops for sample in flop_sample()}
    has = {f"samples of {_FLOPS_OF_TABLE_3}": 1.0 if _FLOPS_OF_TABLE_3 in samples else -1.0}
    has[f"of {min(samples)}"] = 1.0
    yield _verdict("Table 3 is a mean over eight flops", "section 7.2", has, "can give it: 1")
    again = {
        name: _more(
            thesis_information_sets(
                (GROUP_COUNTS[name][0].mean, implied_groups(name).turn, implied_groups(name).river)
            ),
            SIZES[name].information_sets,
        )
        for name in MEASURES
        if implied_groups(name).rounds_to_table_4
    }
    yield _equal("Table 5 follows from tables 3 and 4", "table 5", again, _EXACT)
    boards = flop_sample()[0].boards
    right = {}
    for name in MEASURES:
        found = implied_groups(name)
        groups = (GROUP_COUNTS[name][0].mean, found.turn, found.river)
        right[name] = _more(SIZES[name].information_sets, group_sizes(nodes, boards, groups)[0])
    yield _equal("Table 5 counts information sets", "table 5", right, 0.001)


def _groups(results: AbstractionResults) -> Iterator[Verdict]:
    sample = flop_sample()[0]
    inside: dict[str, float] = {}
    for name in MEASURES:
        for street, printed in enumerate(GROUP_COUNTS[name]):
            can = possible_means(results.counts, name, street, sample.rainbow, sample.two_tone)
            room = min(printed.mean + 0.5 - can.least, can.most - printed.mean + 0.5)
            inside[f"{name}, {('flop', 'turn', 'river')[street]}"] = room
    yield _verdict(
        "The means of table 4 are what such flops can give",
        "table 4",
        inside,
        "groups of room",
        0.0,
    )
    nearest = small_trees(results)[0]
    yield _equal(
        f"There is a tree with as many game states (nearest: {nearest.flop}, {nearest.groups},"
        f" {nearest.menu})",
        "footnote 20",
        {"game states": nearest.off},
        _EXACT,
    )


def _quality(results: AbstractionResults) -> Iterator[Verdict]:
    plan = results.plan
    view = results.solve(plan.table_6(VIEW))
    others = [name for name in MEASURES if name != VIEW]
    for number in (200, 400):
        real = view.at(number).real
        worse = {
            name: _more(results.solve(plan.table_6(name)).at(number).real, real) for name in others
        }
        yield _verdict(
            f"After {number} iterations the view is best in the real game", "tables 6, 7", worse
        )
    gaps = {}
    for name in (*others, VIEW):
        point = results.solve(plan.table_6(name)).at(400)
        gaps[name] = point.real - point.abstract
    yield _verdict(
        "The view's ε is nearest to that of the real game",
        "table 7",
        {name: gaps[name] - gaps[VIEW] for name in others},
        "mbb/g",
        0.0,
    )
    for name, thesis in STAGNATION.items():
        record = results.solve(plan.table_6(name))
        middle, end = record.at(1000), record.own[-1]
        falls = {
            "abstraction falls more than real game": _more(middle.abstract, end.abstract)
            - _more(middle.real, end.real),
        }
        yield _verdict(
            f"{name}: ε of the real game stops falling near {thesis}, that of the abstraction"
            " does not",
            "figure 17",
            falls,
        )
        yield _equal(
            f"{name}: it stops at {thesis}",
            "figure 17",
            {"real game": _more(end.real, thesis)},
            0.5,
        )


def _convergence(results: AbstractionResults) -> Iterator[Verdict]:
    plan = results.plan
    every = comparisons(results)
    fits = next(iter(FIGURE_18_GAMES))
    for rule, answer in (("cfr", "plain mean"), (CGH, "last")):
        found = results.solve(plan.figure_18(fits, rule, VIEW)).curve(answer)[-1].abstract
        printed = FIGURE_18["cfr" if rule == "cfr" else OLD_CGH]
        yield _equal(
            f"{rule}, {answer}: ε is {printed} after 400 iterations ({fits})",
            "figure 18",
            {"abstraction": _more(found, printed)},
            0.25,
        )
    thesis = FIGURE_18["cfr"] / FIGURE_18[OLD_CGH]
    for game in FIGURE_18_GAMES:
        for handed_up in ("old", "new"):
            ratios = {
                f"{each.groups}, {each.measured}, {each.cfr_answer}": each.ratio - 1
                for each in every
                if (each.game, each.cgh_hands_up) == (game, handed_up)
            }
            yield _verdict(
                f"CGH that hands up the {handed_up} value is ahead of CFR after 400 iterations"
                f" ({game})",
                "figure 18",
                ratios,
                "times more",
            )
        yield _verdict(
            f"CGH is ahead by a factor of {thesis:.1f}, however both are run ({game})",
            "figure 18",
            {
                f"{each.cfr_answer}, {each.cgh_hands_up} value": each.ratio / thesis - 1
                for each in every
                if each.game == game and each.measured == "abstraction"
            },
        )
        last = {
            rule: results.solve(plan.figure_18(game, rule, VIEW)).own[-1].abstract
            for rule in ("cfr-return", CGH, OURS)
        }
        yield _verdict(
            f"CGH is ahead of CFR where both hand up the new value ({game})",
            "ours",
            {"own reach": _more(last["cfr-return"], last[CGH])},
        )
        yield _verdict(
            f"CGH is ahead of DCFR ({game})", "ours", {"own reach": _more(last[OURS], last[CGH])}
        )
        yield from _shape(results, game)
    yield from _rises(results)
    yield from _rates(results)
    for game in FIGURE_19_GAMES:
        yield from _constants(results, game)


def _rates(results: AbstractionResults) -> Iterator[Verdict]:
    """What the thesis calls the mean speed: it follows from its own numbers alone."""
    fits = next(iter(FIGURE_18_GAMES))
    for rule, rate in FIGURE_18_RATES.items():
        most = 1000 * 2 * (results.plan.figure_18(fits, rule, VIEW).game.stack + 1)
        needed = FIGURE_18[rule] / (1 - rate) ** 400
        yield _verdict(
            f"{rule}: {rate:.2%} an iteration is a geometric mean",
            "figure 18",
            {"the most that ε can be, less where it must have begun": most - needed},
            "mbb/g",
            0.0,
        )


def _shape(results: AbstractionResults, game: str) -> Iterator[Verdict]:
    plan = results.plan
    plain, returned = (
        results.solve(plan.figure_18(game, rule, VIEW)) for rule in ("cfr", "cfr-return")
    )
    end = plain.own[-1].iteration
    early = 30
    for answer in ("own reach", "plain mean"):
        yield _verdict(
            f"CFR that hands up the new value is faster first and slower later ({game}, {answer})",
            "figure 18",
            {
                "early": _more(
                    plain.at(early, answer).abstract, returned.at(early, answer).abstract
                ),
                "at the end": _more(
                    returned.at(end, answer).abstract, plain.at(end, answer).abstract
                ),
            },
        )


def _rises(results: AbstractionResults) -> Iterator[Verdict]:
    plan, unit = results.plan, "of the measurements rise"
    shares = {
        rule: _share_of_rises(results.solve(plan.every_iteration(rule)).own) for rule in RISE_RULES
    }
    yield _some(
        "CGH's ε rises at times",
        "figure 18",
        unit,
        {rule: share for rule, share in shares.items() if rule != "cfr"},
    )
    yield Verdict(
        "CFR's ε falls in every iteration",
        "section 7.4",
        "holds" if shares["cfr"] == 0 else "does not hold",
        {"cfr": Measure(-shares["cfr"], 0.0)},
        "of the measurements, less those that rise",
        at_least=True,
    )
    found = {name: _share_of_rises(results.solve(plan.table_6(name)).own) for name in STAGNATION}
    yield _some("ε rises at times with either abstraction", "figure 17", unit, found)


def _some(conclusion: str, source: str, unit: str, shares: Mapping[str, float]) -> Verdict:
    """That something happens in each of some curves."""
    answer: Answer = "holds" if all(shares.values()) else "does not hold"
    evidence = {name: Measure(share, 0.0) for name, share in shares.items()}
    return Verdict(conclusion, source, answer, evidence, unit)


def _constants(results: AbstractionResults, game: str) -> Iterator[Verdict]:
    plan = results.plan
    records = {each: results.solve(plan.figure_19(game, each)) for each in CONSTANTS}
    end = records[0.2].own[-1].iteration
    best = records[0.2].at(end).abstract
    yield _verdict(
        f"The best constant is 0.2 ({game})",
        "figure 19",
        {
            f"c = {each:g}": _more(record.at(end).abstract, best)
            for each, record in records.items()
            if each != 0.2
        },
    )
    here = 150
    worst = records[0.0].at(here).abstract
    yield _verdict(
        f"After 150 iterations c = 0 is the worst ({game})",
        "figure 19",
        {
            f"than {each:g}": _more(worst, record.at(here).abstract)
            for each, record in records.items()
            if each > 0
        },
    )


def _share_of_rises(points: Sequence[EpsilonPoint]) -> float:
    """The part of the measurements in the abstraction that are above the one before."""
    pairs = list(pairwise(point.abstract for point in points))
    return sum(after > before for before, after in pairs) / max(len(pairs), 1)


def _match(results: AbstractionResults) -> Iterator[Verdict]:
    plan = results.plan
    cgh = results.solve(plan.figure_20(CGH)).own[-1]
    cfr = results.solve(plan.figure_20("cfr"))
    yield _verdict(
        "After 1,000 iterations CGH is ahead of CFR",
        "figure 20",
        {
            answer: _more(cfr.curve(answer)[-1].abstract, cgh.abstract)
            for answer in ("own reach", "plain mean")
        },
    )
    low, high = TABLE_8["cgh oop"].guaranteed, -TABLE_8["cgh ip"].guaranteed
    solved = results.solve(plan.figure_20(OURS))
    error = solved.own[-1].real / 2
    yield _verdict(
        "The game's value lies where table 8 says",
        "table 8",
        {"above": solved.value + error - low, "below": high - solved.value + error},
        "mbb/g",
        0.0,
    )
    for answer in ("own reach", "plain mean"):
        record = results.duel(plan.duel(answer))
        won = record.seats["first"]["sum"]
        evidence = {"both seats": Measure(won.won, won.error)}
        yield Verdict.above_zero(f"CGH wins against CFR ({answer})", "table 8", evidence)


def _appendix(results: AbstractionResults) -> Iterator[Verdict]:
    record = results.extract
    bluffs = record.mean_bluffs()
    yield _verdict(
        "KhJh bluffs the river with 10% to 70%",
        "appendix",
        {"above 10%": bluffs - 0.1, "below 70%": 0.7 - bluffs},
        "probability",
        0.0,
    )
    yield _verdict(
        "With the ace of spades a pair of aces folds less",
        "appendix",
        {
            name: record.mean_folds(1, all_in=all_in) - record.mean_folds(0, all_in=all_in)
            for name, all_in in (("to bets", False), ("to all-in", True))
        },
        "probability",
        0.01,
    )


def _cost(results: AbstractionResults) -> Iterator[Verdict]:
    cells = {(each.ranges, each.flop, each.option): each for each in cost_cells(results)}
    # The clock begins after the first iteration.
    speed = {place: (cell.iterations - 1) / cell.seconds for place, cell in cells.items()}
    yield _verdict(
        "Groups save time as they save game states (73.5 to 347 times fewer)",
        "section 7.2",
        {
            f"{option}, {flop}, {ranges}": _more(value, speed[ranges, flop, "32 bits"])
            for (ranges, flop, option), value in speed.items()
            if option in ("view", "strength", "rank")
        },
        "part more iterations a second",
    )
    for option in ("view", "strength", "rank", "16 bits", "kmeans 100"):
        worse = {}
        for (ranges, flop, name), cell in cells.items():
            if name == option:
                plain = cells[ranges, flop, "32 bits"]
                worse[f"{flop}, {ranges}"] = _more(plain.real, cell.real)
        yield _verdict(
            f"{option}: ε in the real game is lower than without, at equal time", "ours", worse
        )
