"""Which statements of the thesis on bets, boards and equilibria hold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.studies.bets.appendix import AppendixTask
from pokerlab.studies.bets.boards import BoardTask
from pokerlab.studies.bets.finding_tables import (
    BLUFF_KINDS,
    PRINTED,
    appendix_numbers,
    finding_means,
    finding_numbers,
)
from pokerlab.studies.bets.findings import BLUFFS, THESIS, FindingTask
from pokerlab.studies.bets.menus import BEST
from pokerlab.studies.bets.results import BetsResults, weighted_mean
from pokerlab.studies.bets.starts import FEWER, TARGETS, UNIFORM
from pokerlab.studies.bets.tables import start_saves, start_table
from pokerlab.studies.reporting.measure import Measure, mean_of
from pokerlab.studies.reporting.verdict import Verdict

CLEAR = "two standard errors over boards, sizes and players; 5 points for numbers of the appendix"

_SMALL = 1.0
"""Percent of the pot: a loss below this is small."""
_POINTS = 0.05
"""How near a number of the appendix must be."""


def bets_verdicts(results: BetsResults) -> Iterator[Verdict]:
    """All verdicts on the parts that were done."""
    yield from _menus(results)
    yield from _boards(results)
    yield from _starts(results)
    if results.of(FindingTask):
        yield from _findings(results)
    if results.of(AppendixTask):
        yield from _appendix(results)


def _menus(results: BetsResults) -> Iterator[Verdict]:
    rows = list(results.losses())
    streets = list(dict.fromkeys(row.street for row in rows))

    def losses(street: str, answer: str) -> np.ndarray:
        return np.array(
            [row.percent for row in rows if (row.street, row.answer) == (street, answer)]
        )

    def compared(better: str, worse: str) -> dict[str, Measure]:
        return {
            street: mean_of(losses(street, worse) - losses(street, better)) for street in streets
        }

    if not rows:
        return
    unit = "% of the pot"
    for conclusion, source, better, worse in (
        (
            "Mixing both neighbours distorts less than the nearest size",
            "4.4.1.3",
            "linear",
            "nearest",
        ),
        (
            "Pseudo-harmonic mapping loses less than linear mixing",
            "ours",
            "pseudo-harmonic",
            "linear",
        ),
        (
            "Solving again loses less than pseudo-harmonic mapping",
            "ours",
            "solve again",
            "pseudo-harmonic",
        ),
    ):
        yield Verdict.above_zero(conclusion, source, compared(better, worse), unit)
    for conclusion, answer in (
        (
            "Few sizes are no great loss: the best strategy with them loses under 1% of the pot",
            BEST,
        ),
        ("Few sizes are no great loss if unknown sizes are solved again", "solve again"),
        ("Few sizes are no great loss if unknown sizes mix their neighbours", "linear"),
    ):
        evidence = {street: mean_of(_SMALL - losses(street, answer)) for street in streets}
        yield Verdict.above_zero(conclusion, "4.4.1.3", evidence, unit)


def _boards(results: BetsResults) -> Iterator[Verdict]:
    found = [(t, k) for t, k in results.of(BoardTask) if t.game.hands != "random"]
    if found:
        evidence = {
            task.game.board: 1000
            * (kept["exact"]["exploitability"] - kept["merged"]["exploitability"])
            for task, kept in found
        }
        yield Verdict.above_zero(
            "Merging suits that can make no flush is without loss",
            "5.5",
            evidence,
            "mbb/g",
            0.5,
            at_least=True,
        )


def _starts(results: BetsResults) -> Iterator[Verdict]:
    table = start_table(results)
    if table is None:
        return
    records = [dict(zip(table.heads, row, strict=True)) for row in table.rows]
    starts = dict.fromkeys(str(row["start"]) for row in records)
    weights = dict.fromkeys(row["counts_as"] for row in records if row["start"] != UNIFORM)

    def best(name: str, target: float, what: str) -> Measure:
        """What the start saves with the weight that suits it best."""
        chosen = (
            [row for row in records if (row["start"], row["counts_as"]) == (name, weight)]
            for weight in weights
        )
        found = [mean_of(start_saves(records, rows, target, what)) for rows in chosen if rows]
        return max(found, key=lambda each: each.value)

    for name in starts:
        if name != UNIFORM:
            yield Verdict.above_zero(
                f"A start from {name} saves iterations",
                "ours",
                {f"to {target:g}%": best(name, target, "iterations") for target in TARGETS},
                "part",
            )
    if FEWER in starts:  # the others may be there already
        yield Verdict.above_zero(
            f"A start from {FEWER} pays for the time that it takes to make it",
            "ours",
            {f"to {target:g}%": best(FEWER, target, "seconds") for target in TARGETS},
            "part",
        )


def _findings(results: BetsResults) -> Iterator[Verdict]:
    flops = results.of(FindingTask)
    numbers = [finding_numbers(kept) for _, kept in flops]
    weights = [task.weight for task, _ in flops]
    means = {name: each[0] for name, each in finding_means(results).items()}

    def difference(more: str, less: str) -> Measure:
        return weighted_mean([each[more] - each[less] for each in numbers], weights)[0]

    for third in ("strong", "weak"):
        yield Verdict.above_zero(
            f"Bets are polarised: {third} hands bet more often than middle ones",
            "findings, 1",
            {
                f"{street}, {seat}": difference(
                    f"{street}, {seat}: {third} hands bet", f"{street}, {seat}: middle hands bet"
                )
                for street in STREETS
                for seat in PLAYERS
            },
            "frequency",
        )
    least, most = BLUFFS
    evidence = {}
    for seat in PLAYERS:
        value, error = means[f"river, {seat}: weak hands bet"]
        evidence[f"{seat}, above {least:.0%}"] = Measure(value - least, error)
        evidence[f"{seat}, below {most:.0%}"] = Measure(most - value, error)
    yield Verdict.above_zero(
        f"Weak hands bluff the river with {BLUFF_KINDS[1]}, all of them together",
        "findings, 1",
        evidence,
        "frequency",
    )
    yield Verdict.above_zero(
        f"So does each weak hand: more than half of them bet with {BLUFF_KINDS[1]}",
        "findings, 1",
        {
            f"river, {seat}": Measure(value - 0.5, error)
            for seat in PLAYERS
            for value, error in [means[f"river, {seat}: weak hands that bet {BLUFF_KINDS[1]}"]]
        },
        "share",
    )
    yield Verdict.above_zero(
        "Weak hands bluff more on cards that weaken the opponent",
        "findings, 1",
        {"turn, oop": means["correlation of range equity and bluffs over turn cards"]},
        "correlation",
    )
    yield Verdict.above_zero(
        "A pure strategy (the most likely action of each hand) loses over 1% of the pot",
        "findings, 2",
        {
            seat: Measure(value - _SMALL, error)
            for seat in PLAYERS
            for value, error in [means[f"pure strategies lose, {seat} (% of the pot)"]]
        },
        "% of the pot",
    )
    value, error = means["hands that bet most on one turn card and check most on another"]
    yield Verdict.above_zero(
        "A new card changes what most hands do",
        "findings, 3",
        {"more than half of the hands": Measure(value - 0.5, error)},
        "share",
    )
    value, error = means["variance of equity on the turn that the flop does not tell"]
    yield Verdict.above_zero(
        "The board dominates: the turn card explains more of a hand's equity than the hand",
        "findings, 3",
        {"share above one half": Measure(value - 0.5, error)},
        "share",
    )
    yield Verdict.above_zero(
        "Position is worth something: the same range wins more in position",
        "findings, 4",
        {"above half": means["in position wins above half (% of the pot)"]},
        "% of the pot",
    )
    yield Verdict.above_zero(
        "Out of position checks when a card has come (more than three times in four)",
        "findings, 4",
        {
            street: Measure(value - 0.75, error)
            for street in STREETS
            for value, error in [means[f"{street}, oop: checks"]]
        },
        "frequency",
    )
    yield Verdict.above_zero(
        "One street solved alone bets more than flop to river",
        "findings, 5",
        {
            "oop bets": difference(
                "oop bets the flop, flop alone", "oop bets the flop, flop to river"
            ),
            "ip bets": difference(
                "ip bets the flop after a check, flop alone",
                "ip bets the flop after a check, flop to river",
            ),
        },
        "frequency",
    )
    yield Verdict.above_zero(
        "One street solved alone puts more chips in",
        "findings, 5",
        {
            "flop": difference(
                "put in on the flop, flop alone (% of the pot)",
                "put in on the flop, flop to river (% of the pot)",
            )
        },
        "% of the pot",
    )


def _appendix(results: BetsResults) -> Iterator[Verdict]:
    columns = [appendix_numbers(kept) for _, kept in results.of(AppendixTask)]
    means = {}
    for name in columns[0]:
        values = [column[name] for column in columns]
        # Rules that end at different equilibria show what is not settled.
        means[name] = Measure(float(np.mean(values)), (max(values) - min(values)) / 2)
    for name, key in PRINTED.items():
        printed, (value, error) = THESIS["appendix"][key], means[name]
        yield Verdict.above_zero(
            f"{name}: {printed:.1%} (up to 5 points)",
            "appendix",
            {f"ours {value:.1%}, room left": Measure(_POINTS - abs(value - printed), error)},
            "probability",
        )
    yield Verdict.above_zero(
        "With the ace of spades a pair of aces folds less",
        "appendix",
        {
            to: Measure(
                means[f"AcAd folds to {to}"].value - means[f"AcAs folds to {to}"].value,
                max(means[f"AcAd folds to {to}"].error, means[f"AcAs folds to {to}"].error),
            )
            for to in ("12", "all-in")
        },
        "probability",
    )
