"""The study of Rhode Island hold'em: sizes, what merging loses, and the value of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from pokerlab.games import merge_suits
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.solvers import solve_lp
from pokerlab.solvers.checkpoints import load_checkpoint, save_checkpoint
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
from pokerlab.studies.rhode_island.regrets import RegretSolver, regret_rule
from pokerlab.studies.rhode_island.shrinking import Deck, MergedGame, ProgramSize, count_program
from pokerlab.trees import GameTree

Done: TypeAlias = Mapping[Any, Kept]
EVERY, LIVE, COUNTS = "every card", "up to live suits", "by counts"
RULE = "dcfr(1.5,-10,4)"
"""It forgets negative regrets almost at once."""
_GAP = 1e-6
"""The width to which the value of the whole game is wanted, in chips."""
_MOST = {True: 4_000_000, False: 300}
"""Iterations on the whole game at most, with a GPU and without."""
_FIRST, _BETWEEN = 1_000, 64_000
"""Iterations to the first measurement, then twice as many, up to these from one to the next."""


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
class ValueTask:
    """The whole game by CFR, until exact best responses leave no more than a gap.

    The plans of both players are feasible points of the linear program and of its dual: the bounds
    that they leave are bounds of its value.

    Attributes
    ----------
    gap
        In chips.
    most
        Iterations at most.
    rule
        A regret rule.
    gpu
        Whether a GPU iterates; best responses are worked out by the processor.
    threads
        Of the processor.
    folder
        Where the state is kept: after a kill the same task goes on.
    """

    gap: float
    most: int
    rule: str
    gpu: bool
    threads: int
    folder: str

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"value {self.gap:g} {self.most} {self.rule}"

    def run(self) -> Kept:
        """The rule, and the bounds of the value after some numbers of iterations, in chips."""
        return {"rule": self.rule, "curve": list(self.points())}

    def points(self) -> Iterator[list[float]]:
        """Iterations, bounds and seconds from one measurement to the next, kept ones included."""
        solver, path = self._solver(), Path(self.folder) / f"value {self.rule}.safetensors"
        identity = {"game": "rhodeisland", "rule": self.rule}
        curve: list[list[float]] = []
        if path.is_file():
            state = dict(load_checkpoint(path, identity))
            curve = state.pop("curve").tolist()
            solver.restore(state)
        yield from curve
        while not curve or (curve[-1][2] - curve[-1][1] > self.gap and curve[-1][0] < self.most):
            began = perf_counter()
            left = self.most - solver.iterations
            solver.iterate(min(max(solver.iterations, _FIRST), _BETWEEN, left))
            low, high = solver.bounds()
            curve.append([solver.iterations, low, high, perf_counter() - began])
            path.parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(path, identity, {**solver.state(), "curve": np.array(curve)})
            yield curve[-1]

    def _solver(self) -> RegretSolver:
        boards, rule = RhodeIslandBoards.of(threads=self.threads), regret_rule(self.rule)
        if not self.gpu:
            return RegretSolver(boards, rule)
        # Only those who use a GPU load what drives it.
        from pokerlab.runtime.gpu.machine import CudaMachine
        from pokerlab.studies.rhode_island.gpu_regrets import GpuRegretSolver

        return GpuRegretSolver(CudaMachine(), boards, rule)


@dataclass(frozen=True)
class MergedTask:
    """CFR on the whole game merged by counts, judged in the whole game."""

    iterations: int
    threads: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"regrets counts {self.iterations}"

    def run(self) -> Kept:
        """The bounds of the value, in the game that was solved and in the whole game."""
        boards = RhodeIslandBoards.of(threads=self.threads)
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
    return list(solver.bounds()), list(boards.bounds(mine, theirs))


@dataclass(frozen=True)
class RhodeIslandPlan:
    """Which tasks there are; a quick run has small decks alone."""

    quick: bool
    threads: int
    gpu: bool = False
    folder: str = ""
    rule: str = RULE

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
    def value(self) -> ValueTask | None:
        """The value of the whole game."""
        if self.quick:
            return None
        rule = str(regret_rule(self.rule))
        return ValueTask(_GAP, _MOST[self.gpu], rule, self.gpu, self.threads, self.folder)

    @property
    def merged(self) -> MergedTask | None:
        """CFR on the merged game."""
        return None if self.quick else MergedTask(300, self.threads)

    @property
    def tasks(self) -> list[Any]:
        """All of them."""
        large = [task for task in (self.value, self.merged) if task is not None]
        return [self.sizes, *self.decks, *large]


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
    if plan.value is None or plan.merged is None:
        return []
    kept, merged = done[plan.value], done[plan.merged]
    seconds = np.cumsum([each[3] for each in kept["curve"]])
    curve: list[Record] = [
        {"iterations": int(count), "low": low, "high": high, "width": high - low, "seconds": spent}
        for (count, low, high, _), spent in zip(kept["curve"], seconds, strict=True)
    ]
    name = f"DCFR, {plan.merged.iterations} iterations"
    records: list[Record] = [
        {
            "how": f"{kept['rule']}, {curve[-1]['iterations']:,} iterations",
            "low": curve[-1]["low"],
            "high": curve[-1]["high"],
        },
        *(
            {"how": f"{COUNTS}, {where}: {name}", "low": low, "high": high}
            for where, (low, high) in (
                ("inside", merged["inside"]),
                ("in the game", merged["in_game"]),
            )
        ),
    ]
    return [
        ReportTable.of(
            "value",
            "The value of Rhode Island hold'em to player 0, chips a hand",
            records,
            {"how": "{how}", "at least": "{low:.7f}", "at most": "{high:.7f}"},
        ),
        ReportTable.of(
            "curve",
            f"The whole game by {kept['rule']}: bounds by exact best responses",
            curve,
            {
                "iterations": "{iterations:,}",
                "at least": "{low:.9f}",
                "at most": "{high:.9f}",
                "width": "{width:.1e}",
                "seconds": "{seconds:.0f}",
            },
        ),
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
    if plan.merged is not None:
        (low, high), inside = done[plan.merged]["in_game"], done[plan.merged]["inside"]
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
    if plan.value is not None:
        _, low, high, _ = done[plan.value]["curve"][-1]
        found.append(
            Verdict.above_zero(
                "The value of the whole game is known to 1e-6",
                "ours",
                {f"{_GAP:g} less the width of its bounds": _GAP - (high - low)},
                "chips",
            )
        )
    return found
