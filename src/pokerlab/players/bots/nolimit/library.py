"""`FlopLibrary`: flops that were solved ahead, so that a hand costs its turn and river alone.

A folder has for each root of a flop (board up to suits, chips, ranges, seat) the strategies of the
flop, what every hand is worth on the turns, and a JSON file that says how it was solved. A root is
found by a digest of all that it is. `fill_library` solves the flops of the likeliest lines of a
chart; killed at any time, the same call goes on, and several at once share the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.engine.locks import LocksLike
from pokerlab.games import BettingGame
from pokerlab.holdem.charts import PreflopChart
from pokerlab.holdem.spots.answer.solution import load_postflop
from pokerlab.players.bots.nolimit.menus import LADDERS, SolveMenu
from pokerlab.players.bots.nolimit.preflop import PreflopPlay
from pokerlab.players.bots.nolimit.street import StreetRoot, StreetSolve, StreetSolver
from pokerlab.players.bots.nolimit.tracking import flop_root
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs


class FlopLibrary:
    """A folder of solved flops.

    Parameters
    ----------
    folder
        Where they are.
    solver
        Solves flops that are not there, and those with a bet that no tree has.
    keep
        Whether flops that were solved are added.
    """

    def __init__(self, folder: str | Path, solver: StreetSolver, *, keep: bool = False) -> None:
        self.folder = Path(folder)
        if not keep and not self.folder.is_dir():
            raise ValueError(f"library: there is no folder {str(folder)!r}")
        self._solver, self.keep = solver, keep
        self.unwritten = ""
        """Why a flop could not be added; empty where all were."""
        self._store: FolderStore[dict[str, Any]] = _store(self.folder)

    def solve(
        self,
        root: StreetRoot,
        added: Sequence[str] = (),
        locks: LocksLike = (),
        menu_name: str = "",
    ) -> StreetSolve:
        """The solve of a flop: from the folder if it is there."""
        if added:
            return self._solver.solve(root, added, locks, menu_name)
        found = self.find(root)
        if found is None:
            found = self._solver.solve(root, savable=self.keep)
            if self.keep:
                try:
                    self.add(root, found)
                except OSError as error:  # a full disk: the hand goes on
                    self.unwritten = f"{self.folder}: cannot be written: {error.strerror}"
        return found

    def choose(self, root: StreetRoot) -> SolveMenu:
        """The menu of a flop: that of the folder if it is there."""
        row = self._store.get(root.identity)
        known = {menu.name: menu for menu in LADDERS[0]}
        name = "" if row is None else str(row["menu"])
        return known[name] if name in known else self._solver.choose(root)

    def holds(self, root: StreetRoot) -> bool:
        """Whether the folder lists a flop."""
        return self._store.get(root.identity) is not None

    def find(self, root: StreetRoot) -> StreetSolve | None:
        """The solve of a flop that is there; None for others, and where a file is damaged."""
        row = self._store.get(root.identity)
        if row is None:
            return None
        try:
            solution = load_postflop(_file(self.folder, root.identity))
        except (OSError, DamagedFileError):
            return None
        spot = solution.spot
        if (spot.board, spot.pot, spot.effective_stack) != (root.board, root.pot, root.stack):
            return None
        return StreetSolve(solution, str(row["menu"]), "", "library")

    def add(self, root: StreetRoot, solve: StreetSolve) -> dict[str, Any]:
        """Write a solve, and then the row that says it is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        solve.solution.save(_file(self.folder, root.identity))
        row = _row(root, solve)
        self._store.add(root.identity, row)
        return row


def likely_lines(chart: PreflopChart, most: int) -> list[str]:
    """The lines of a chart that lead to a flop, the likeliest first.

    Examples
    --------
    >>> from pokerlab.holdem.charts import shipped_chart
    >>> likely_lines(shipped_chart(200), 3)
    ['r2.5/c', 'c/x', 'c/r3/c']
    """
    masses = (chart.flop_reach.astype(float) * CLASS_SIZES).sum(axis=2)
    chances = dict(zip(chart.flop_lines, masses[0] * masses[1], strict=True))
    return sorted(chances, key=lambda line: -chances[line])[:most]


def fill_library(
    folder: str | Path,
    game: BettingGame,
    flops: Sequence[tuple[int, ...]],
    solver: StreetSolver,
    *,
    lines: int = 5,
    file: str = "",
    workers: int = 1,
    ray: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
    stop: Event | None = None,
) -> Iterator[dict[str, Any]]:
    """Solve flops after the likeliest lines of the chart, for both seats; give what was done.

    Parameters
    ----------
    folder
        Where solves are kept; those that are there are not done again.
    game
        The blinds and stacks.
    flops
        In their standard form (`pokerlab.cards.flops`).
    solver
        How they are solved.
    lines
        How many lines of the chart.
    file
        A chart in place of those of the package.
    workers, ray, report, stop
        As of `pokerlab.runtime.files.jobs.run_jobs`.
    """
    here = Path(folder).resolve()
    here.mkdir(parents=True, exist_ok=True)
    roots = _roots(game, flops, lines, file)
    jobs = {root.identity: _FlopJob(str(here), root, solver) for root in roots}
    results = run_jobs(
        jobs, _solve_job, _store(here), workers=workers, ray=ray, report=report, stop=stop
    )
    return (row for _, row in results)


def _roots(
    game: BettingGame, flops: Sequence[tuple[int, ...]], lines: int, file: str
) -> Iterator[StreetRoot]:
    play = PreflopPlay(game, file)
    for line in likely_lines(play.chart, lines):
        node = play.betting(line)
        if node.street != 1 or node.player < 0:
            continue  # with these stacks the line ends all-in
        for seat in range(2):
            ranges = play.ranges(node, seat)
            for flop in flops:
                yield flop_root(game, node, seat, tuple(flop), ranges)


@dataclass(frozen=True)
class _FlopJob:
    """One flop for a worker, wherever it is."""

    folder: str
    root: StreetRoot
    solver: StreetSolver


def _solve_job(job: _FlopJob) -> dict[str, Any]:
    """Solve a flop and write it; the row is written by whoever gave the job."""
    solve = job.solver.solve(job.root, savable=True)
    solve.solution.save(_file(Path(job.folder), job.root.identity))
    return _row(job.root, solve)


def _row(root: StreetRoot, solve: StreetSolve) -> dict[str, Any]:
    solution = solve.solution
    return {
        "key": root.identity,
        "board": format_cards(root.board),
        "pot": root.pot,
        "stack": root.stack,
        "own": root.own,
        "menu": solve.menu,
        "iterations": solution.iterations,
        "percent": round(solution.exploitability.percent, 4),
        "seconds": round(solution.seconds, 3),
    }


def _file(folder: Path, key: str) -> Path:
    return folder / f"{key}.safetensors"


def _store(folder: Path) -> FolderStore[dict[str, Any]]:
    def read(data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or not isinstance(data.get("menu"), str):
            raise ValueError("not a row of a library")
        if not _file(folder, str(data.get("key"))).is_file():
            raise ValueError("its solution is gone")
        return data

    return FolderStore(folder, from_json=read)
