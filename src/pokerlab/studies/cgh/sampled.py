"""CGH with sampling, which the thesis asks about: exploitability against the nodes visited.

Every rule sees as much of the tree as every other: a point of a curve is a number of visited nodes.
A full iteration visits the tree once for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.games import load_game
from pokerlab.runtime.files.columns import csv_rows
from pokerlab.solvers import CfrSolver, SamplingSolver
from pokerlab.studies.reporting.study_report import write_files
from pokerlab.trees import GameTree
from pokerlab.views.training_figure import draw_trainings

ENTRANTS = (
    ("cfr", ""),
    ("cfr", "external"),
    ("cfr", "public"),
    ("cgh(0.2)", ""),
    ("cgh(0.2)", "external"),
    ("cgh(0.2)", "public"),
    ("cgh(0.2,1)", "external"),
    ("cgh(0.2,1)", "public"),
)
"""Rules and their sampling; the last two answer with the average, weighted by t."""
NODES = 10**8
"""Visited by each, in full."""
_FIRST = 1_000
_APART = 10**0.25


class SampledPoint(NamedTuple):
    """A measurement."""

    game: str
    rule: str
    sampling: str
    iterations: int
    nodes: int
    exploitability: float


def race_by_nodes(
    games: Sequence[str] = ("kuhn", "leduc"),
    *,
    nodes: int = NODES,
    seed: int = 0,
    entrants: Sequence[tuple[str, str]] = ENTRANTS,
    report: Callable[[SampledPoint], None] | None = None,
) -> list[SampledPoint]:
    """Run all entrants until each has visited the same number of nodes.

    Examples
    --------
    >>> points = race_by_nodes(["kuhn"], nodes=10_000, entrants=[("cgh", "external")])
    >>> points[-1].nodes >= 10_000, points[-1].rule
    (True, 'cgh(0.2)')
    """
    found = []
    for game in games:
        tree = GameTree.build(load_game(game))
        for rule, sampling in entrants:
            rng = np.random.default_rng(seed)
            solver: CfrSolver | SamplingSolver = (
                SamplingSolver(tree, sampling, rule, rng=rng) if sampling else CfrSolver(tree, rule)
            )
            target = float(_FIRST)
            while target <= nodes * 1.0001:
                while _visited(solver) < target:
                    each = _visited(solver) / solver.iteration if solver.iteration else target
                    solver.iterate(max(1, int((target - _visited(solver)) / each)))
                point = SampledPoint(
                    game,
                    str(solver.rule),
                    sampling,
                    solver.iteration,
                    _visited(solver),
                    solver.exploitability(),
                )
                found.append(point)
                if report is not None:
                    report(point)
                target *= _APART
    return found


def write_sampled(points: Sequence[SampledPoint], folder: Path) -> list[Path]:
    """Write all points as CSV, and a figure of each game."""
    files = {"cgh-sampling.csv": csv_rows(SampledPoint._fields, points).encode()}
    for game in dict.fromkeys(point.game for point in points):
        curves: dict[str, list[tuple[float, float]]] = {}
        for point in points:
            if point.game == game:
                name = f"{point.rule}, {point.sampling or 'all nodes'}"
                curves.setdefault(name, []).append((point.nodes, point.exploitability))
        files[f"cgh-sampling-{game}.svg"] = draw_trainings(
            curves,
            title=f"{game}: CFR and CGH with sampling",
            kind="svg",
            across="nodes visited",
            up="exploitability (chips a game)",
        )
    return write_files(folder, files)


def _visited(solver: CfrSolver | SamplingSolver) -> int:
    if isinstance(solver, SamplingSolver):
        return solver.touched
    return solver.iteration * solver.tree.players * len(solver.tree)
