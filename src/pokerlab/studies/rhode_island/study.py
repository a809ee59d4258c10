"""The study of Rhode Island hold'em: sizes, what merging loses, and the value of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

from pokerlab.games import merge_suits
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.machine import free_memory, size_text
from pokerlab.solvers import solve_lp
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict
from pokerlab.studies.rhode_island.boards import (
    RhodeIslandBoards,
    RoundBetting,
    rhode_island,
    street_betting,
)
from pokerlab.studies.rhode_island.interior import InteriorSolver
from pokerlab.studies.rhode_island.regrets import RegretSolver
from pokerlab.studies.rhode_island.shrinking import Deck, MergedGame, ProgramSize, count_program
from pokerlab.trees import GameTree

Done: TypeAlias = Mapping[Any, Kept]
EVERY, LIVE, COUNTS = "every card", "up to live suits", "by counts"
_NEEDED = 12 * 10**9
"""Bytes that the program of the whole game takes."""


@dataclass(frozen=True)
class SizesTask:
    """Count the program of a player in each view of the cards."""

    ranks: int = 13

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"sizes {self.ranks}"

    def run(self) -> Kept:
        """The sizes by view."""
        deck, cards = Deck(self.ranks, 4), 4 * self.ranks
        betting = street_betting(rhode_island(self.ranks))
        safe = 4 * sum(losses == 0 for _, losses, _ in deck.counts.values())
        classes: tuple[int, ...] = (
            cards,
            cards * (cards - 1),
            cards * (cards - 1) * (cards - 2),
        )
        # All pairs of cards: as many as there are deals; ties are decided by nothing.
        pairs = tuple(count * (cards - 1 - street) for street, count in enumerate(classes))
        decided = 4 * sum(wins + losses for wins, losses, _ in deck.counts.values())
        found = {EVERY: (classes, _sizes(betting, classes, pairs, decided, safe))}
        for name, view in ((LIVE, deck.by_suits()), (COUNTS, deck.by_counts())):
            game = MergedGame.of(deck, view)
            pairs = tuple(each.nnz for each in game.weights)
            found[name] = (
                game.classes,
                _sizes(betting, game.classes, pairs, game.showdowns.nnz, game.safe),
            )
        return {
            name: {"classes": list(classes), "whole": list(whole), "eliminated": list(less)}
            for name, (classes, (whole, less)) in found.items()
        }


def _sizes(
    betting: RoundBetting, classes: tuple[int, ...], pairs: tuple[int, ...], decided: int, safe: int
) -> tuple[ProgramSize, ProgramSize]:
    return (
        count_program(betting, classes, pairs, decided),
        count_program(betting, classes, pairs, decided, safe),
    )


@dataclass(frozen=True)
class DeckTask:
    """A small deck: by HiGHS on the explicit tree, along the boards, and merged by counts."""

    ranks: int
    suits: int
    raises: int
    iterations: int = 2000

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"deck {self.ranks} {self.suits} {self.raises} {self.iterations}"

    def run(self) -> Kept:
        """Values and bounds, in chips."""
        size = self.ranks, self.suits, self.raises
        exact = solve_lp(GameTree.build(merge_suits(rhode_island(*size)))).values[0]
        boards = RhodeIslandBoards.of(*size)
        interior = InteriorSolver(boards)
        interior.solve(1e-9)
        deck = Deck(self.ranks, self.suits)
        merged, in_game = _solve_merged(boards, deck, self.raises, self.iterations)
        return {
            "highs": exact,
            "interior": list(interior.bounds()),
            "steps": interior.steps,
            "merged": merged,
            "merged_in_game": in_game,
        }


@dataclass(frozen=True)
class WholeTask:
    """The program of the whole game."""

    gap: float
    threads: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"whole {self.gap:g}"

    def run(self) -> Kept:
        """The bounds of the value, in chips."""
        if free_memory() < _NEEDED:
            raise ValueError(
                f"memory: Rhode Island's linear program needs about {size_text(_NEEDED)}, and"
                f" {size_text(free_memory())} are free (--quick takes small decks)"
            )
        began = perf_counter()
        solver = InteriorSolver(RhodeIslandBoards.of(threads=self.threads))
        solver.solve(self.gap)
        low, high = solver.bounds()
        return {
            "low": low,
            "high": high,
            "steps": solver.steps,
            "gap": solver.point.gap,
            "seconds": perf_counter() - began,
        }


@dataclass(frozen=True)
class RegretTask:
    """CFR on the whole game, or on the one merged by counts, judged in the whole game."""

    merged: bool
    iterations: int
    threads: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"regrets {'counts' if self.merged else 'boards'} {self.iterations}"

    def run(self) -> Kept:
        """The bounds of the value, in the game that was solved and in the whole game."""
        boards = RhodeIslandBoards.of(threads=self.threads)
        if not self.merged:
            solver = RegretSolver(boards)
            solver.iterate(self.iterations)
            bounds = list(solver.bounds())
            return {"inside": bounds, "in_game": bounds}
        inside, in_game = _solve_merged(boards, Deck(13, 4), 3, self.iterations)
        return {"inside": inside, "in_game": in_game}


def _solve_merged(
    boards: RhodeIslandBoards, deck: Deck, raises: int, iterations: int
) -> tuple[list[float], list[float]]:
    """CFR with hands merged by counts: the bounds inside that game, and in the game of `boards`."""
    view = deck.by_counts()
    game = MergedGame.of(deck, view, raises)
    solver = RegretSolver(game)
    solver.iterate(iterations)
    mine, theirs = (game.spread(boards, view, plan) for plan in solver.plans())
    in_game = [-boards.best_response(1, mine), boards.best_response(0, theirs)]
    return list(solver.bounds()), in_game


@dataclass(frozen=True)
class RhodeIslandPlan:
    """Which tasks there are; a quick run has small decks alone."""

    quick: bool
    threads: int

    @property
    def decks(self) -> list[DeckTask]:
        """Small decks."""
        if self.quick:
            return [DeckTask(2, 4, 1, 300), DeckTask(3, 2, 1, 300)]
        return [DeckTask(3, 4, 1), DeckTask(4, 4, 1), DeckTask(3, 4, 2)]

    @property
    def sizes(self) -> SizesTask:
        """The counts."""
        return SizesTask(4 if self.quick else 13)

    @property
    def whole(self) -> WholeTask | None:
        """The program of the whole game."""
        return None if self.quick else WholeTask(1e-8, self.threads)

    @property
    def regrets(self) -> list[RegretTask]:
        """CFR, on the whole game and on the merged one."""
        if self.quick:
            return []
        return [RegretTask(merged, 300, self.threads) for merged in (False, True)]

    @property
    def tasks(self) -> list[Any]:
        """All of them."""
        whole = [] if self.whole is None else [self.whole]
        return [self.sizes, *whole, *self.decks, *self.regrets]  # what needs memory says so soon


def rhode_island_study(plan: RhodeIslandPlan, folder: Path) -> Study[Any]:
    """The tasks of a plan, kept in a folder."""
    return Study([plan.tasks], FolderStore(folder), partial(make_rhode_island_report, plan))


def make_rhode_island_report(plan: RhodeIslandPlan, done: Done) -> StudyReport:
    """Make the tables and verdicts."""
    notes = [
        "Chips are those of the game: the ante is 5, bets are 10, 20 and 20.",
        "Bounds are what exact best responses in the whole game leave: the value lies between.",
    ]
    if plan.quick:
        notes.append(trial_note("small decks (of 13 ranks)"))
    return StudyReport(
        "Rhode Island hold'em by its linear program",
        () if plan.quick else tuple(_verdicts(plan, done)),
        "counts are exact, values within their bounds",
        (_size_table(done[plan.sizes]), _deck_table(plan, done), *_value_tables(plan, done)),
        tuple(notes),
        facts={"quick": plan.quick, "tasks": len(done)},
    )


def _size_table(kept: Kept) -> ReportTable:
    records: list[Record] = []
    for name, found in kept.items():
        before, flop, turn = found["classes"]
        columns, _, nonzeros = found["whole"]
        less, rows, _ = found["eliminated"]
        records.append(
            {
                "cards": name,
                "before": before,
                "flop": flop,
                "turn": turn,
                "variables": columns,
                "nonzeros": nonzeros,
                "variables_left": less,
                "rows_left": rows,
                "saved_percent": 100.0 * (columns - less) / columns,
            }
        )
    return ReportTable.of(
        "sizes",
        "Hands that a player tells apart, the program, and the program without obvious moves",
        records,
        {
            "cards": "{cards}",
            "before the flop": "{before:,}",
            "flop": "{flop:,}",
            "turn": "{turn:,}",
            "variables": "{variables:,}",
            "coefficients": "{nonzeros:,}",
            "variables left": "{variables_left:,}",
            "rows left": "{rows_left:,}",
            "saved": "{saved_percent:.1f}%",
        },
    )


def _deck_table(plan: RhodeIslandPlan, done: Done) -> ReportTable:
    records: list[Record] = []
    for task in plan.decks:
        kept = done[task]
        low, high = kept["interior"]
        worst, best = kept["merged_in_game"]
        records.append(
            {
                "ranks": task.ranks,
                "suits": task.suits,
                "raises": task.raises,
                "highs": kept["highs"],
                "low": low,
                "high": high,
                "steps": kept["steps"],
                "merged_low": kept["merged"][0],
                "merged_high": kept["merged"][1],
                "merged_in_game_low": worst,
                "merged_in_game_high": best,
            }
        )
    return ReportTable.of(
        "decks",
        "Small decks: the value to player 0",
        records,
        {
            "ranks × suits, raises": "{ranks} × {suits}, {raises}",
            "HiGHS": "{highs:.9f}",
            "along the boards": "{low:.9f} to {high:.9f}",
            "steps": "{steps}",
            "merged by counts": "{merged_low:.4f} to {merged_high:.4f}",
            "that strategy in the game": "{merged_in_game_low:.4f} to {merged_in_game_high:.4f}",
        },
    )


def _value_tables(plan: RhodeIslandPlan, done: Done) -> list[ReportTable]:
    if plan.whole is None:
        return []
    whole = done[plan.whole]
    low, high = whole["low"], whole["high"]
    records: list[Record] = [{"how": "linear program", "low": low, "high": high}]
    for task in plan.regrets:
        kept = done[task]
        name = f"DCFR, {task.iterations} iterations"
        if task.merged:
            inside = kept["inside"]
            records.append(
                {"how": f"{COUNTS}, inside: {name}", "low": inside[0], "high": inside[1]}
            )
            name = f"{COUNTS}, in the game: {name}"
        records.append({"how": name, "low": kept["in_game"][0], "high": kept["in_game"][1]})
    return [
        ReportTable.of(
            "value",
            "The value of Rhode Island hold'em to player 0, chips a hand",
            records,
            {"how": "{how}", "at least": "{low:.7f}", "at most": "{high:.7f}"},
        )
    ]


def _verdicts(plan: RhodeIslandPlan, done: Done) -> list[Verdict]:
    """Counts that must be equal; values that must be."""
    published, kept = read_data("rhode_island", "published.toml"), done[plan.sizes]
    found: list[Verdict] = []
    for name, view in (("whole", EVERY), ("shrunken", COUNTS)):
        said, ours = published[name], kept[view]
        counts = {
            "variables": ours["whole"][0] - said["variables"],
            "variables without obvious moves": (
                ours["eliminated"][0] - said["eliminated_variables"]
            ),
            "rows without obvious moves": ours["eliminated"][1] - said["eliminated_rows"],
        }
        if "nonzeros" in said:
            counts["coefficients"] = ours["whole"][2] - said["nonzeros"]
        equal = not any(counts.values())
        evidence = {f"{key}, ours less theirs": Measure(each, 0.0) for key, each in counts.items()}
        title = f"The program of the {name} game has the published sizes ({view})"
        found.append(Verdict(title, "4.4", "holds" if equal else "does not hold", evidence, ""))
        percent = 100.0 * (1.0 - ours["eliminated"][0] / ours["whole"][0])
        right = abs(percent - said["percent"]) < 0.05 + 1e-9
        title = f"Obvious moves save {said['percent']:g}% of the {name} game"
        evidence = {"saved": Measure(percent, 0.0)}
        found.append(Verdict(title, "4.4", "holds" if right else "does not hold", evidence, "%"))
    return [*found, *_value_verdicts(plan, done)]


def _value_verdicts(plan: RhodeIslandPlan, done: Done) -> list[Verdict]:
    lost = {}
    for task in plan.decks:
        low, high = done[task]["merged_in_game"]
        name = f"{task.ranks} ranks, {task.suits} suits, {task.raises} raises"
        # What the strategy leaves in the game beyond what it leaves inside, where it was solved.
        inside = done[task]["merged"]
        lost[name] = (high - low) - (inside[1] - inside[0])
    for solved in plan.regrets:
        if solved.merged:
            (low, high), inside = done[solved]["in_game"], done[solved]["inside"]
            lost["the whole game"] = (high - low) - (inside[1] - inside[0])
    evidence = {name: Measure(each, 0.0) for name, each in lost.items()}
    lossless = all(each < 1e-6 for each in lost.values())
    found = [
        Verdict(
            "Merging by counts loses nothing (what it leaves to both best responses beyond inside)",
            "4.4",
            "holds" if lossless else "does not hold",
            evidence,
            "chips",
        ),
        Verdict.above_zero(
            "Along the boards the program has the value that HiGHS finds, to 1e-6",
            "ours",
            {
                f"{task.ranks} ranks, {task.raises} raises": 1e-6
                - max(abs(each - done[task]["highs"]) for each in done[task]["interior"])
                for task in plan.decks
            },
            "chips",
        ),
    ]
    if plan.whole is not None:
        width = done[plan.whole]["high"] - done[plan.whole]["low"]
        found.append(
            Verdict.above_zero(
                "The value of the whole game is known to 1e-6",
                "ours",
                {"1e-6 less the width of its bounds": 1e-6 - width},
                "chips",
            )
        )
    return found
