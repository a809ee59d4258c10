"""What the theory promises and what is measured: bounds of average regret beside exploitability.

The seminar's chain for CFR, with T iterations, the information sets I of player i, the range Δ of
the player's payoffs and at most A actions::

    R(T) ≤ Σ R_imm(I) ≤ |I| · Δ · √A / √T

In a two-player zero-sum game the mean of both players' R(T) is the exploitability (NashConv / 2) of
the average strategies, if both are updated at once; so one axis shows all three. The others:

CFR+
    2 (|I₀| + |I₁|) Δ √A / √T for the average with weights t ("Solving heads-up limit Texas
    hold'em", 2015).
external sampling
    (1 + √(2/p)) · |I| Δ √A / √T with probability 1 − p ("Monte Carlo sampling for regret
    minimization in extensive games", 2009, whose M ≤ |I| makes it a little smaller).
outcome sampling
    The same divided by the smallest probability δ with which a player samples their own actions.
fictitious play
    T^(−1/(m + n − 2)) in a game of m × n pure strategies ("Note on a computation method in the
    theory of games", 1958), times a constant that leaves nothing of it here: all that can be drawn
    is Δ, which no strategy can miss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.games import load_game
from pokerlab.runtime.files.columns import csv_rows
from pokerlab.solvers import CfrSolver, SamplingSolver
from pokerlab.studies.reporting.study_report import write_files
from pokerlab.trees import GameTree
from pokerlab.views.bounds_figure import BoundCurve, draw_bounds

ITERATIONS = 1 << 14
"""Of each method, in full; 16 times as many with sampling."""
METHODS = ("cfr", "cfr+", "external", "outcome", "fp")
RISK = 0.05
"""The p of the bounds that hold with probability 1 − p."""
EXPLORATION = 0.6
_APART = 2


class GameSize(NamedTuple):
    """What bounds depend on, by player."""

    infosets: tuple[int, ...]
    actions: tuple[int, ...]
    """The most actions at an information set."""
    spread: tuple[float, ...]
    """Δ: the best minus the worst payoff."""
    sampled: tuple[float, ...]
    """δ: the smallest probability with which outcome sampling takes a player's own actions."""

    @classmethod
    def of(cls, tree: GameTree) -> GameSize:
        """Count and look them up.

        Examples
        --------
        >>> GameSize.of(GameTree.build(load_game("kuhn")))[:3]
        ((6, 6), (2, 2), (4.0, 4.0))
        """
        infosets = tree.infosets
        counts = np.diff(infosets.offset)
        players = range(tree.players)
        sampled = []
        for player in players:
            own = np.ones(len(tree))
            for node in range(1, len(tree)):
                before = tree.parent[node]
                mine = tree.player[before] == player
                tried = EXPLORATION / tree.n_children[before] if mine else 1.0
                own[node] = own[before] * tried
            sampled.append(float(own.min()))
        return cls(
            tuple(int((infosets.player == player).sum()) for player in players),
            tuple(int(counts[infosets.player == player].max()) for player in players),
            tuple(float(np.ptp(tree.payoffs[:, player])) for player in players),
            tuple(sampled),
        )


class BoundPoint(NamedTuple):
    """A measurement beside its bound, all in chips a game."""

    game: str
    method: str
    iterations: int
    exploitability: float
    immediate: float
    """The mean of both players' sums of immediate regrets; NaN where none are kept."""
    bound: float


def bound(size: GameSize, method: str, iterations: int) -> float:
    """A bound on the exploitability after `iterations` iterations (with sampling: rarely exceeded).

    Examples
    --------
    >>> size = GameSize((6, 6), (2, 2), (4.0, 4.0), (0.09, 0.09))
    >>> [round(bound(size, method, 10_000), 2) for method in METHODS]
    [0.34, 1.36, 2.49, 27.62, 4.0]
    """
    terms = [
        infosets * spread * sqrt(actions) / sqrt(iterations)
        for infosets, actions, spread in zip(size.infosets, size.actions, size.spread, strict=True)
    ]
    if method == "cfr":
        return sum(terms) / 2
    if method == "cfr+":
        return 2 * sum(terms)
    if method == "fp":
        return sum(size.spread) / 2
    chance = 1 + sqrt(2 / RISK)
    if method == "external":
        return chance * sum(terms) / 2
    return chance * sum(term / share for term, share in zip(terms, size.sampled, strict=True)) / 2


def immediate_regret(solver: CfrSolver) -> float:
    """The mean of both players' Σ R_imm(I) after plain CFR.

    Examples
    --------
    >>> solver = CfrSolver(GameTree.build(load_game("kuhn")), "cfr", alternating=False)
    >>> solver.iterate(100)
    >>> solver.exploitability() < immediate_regret(solver) < 0.5
    True
    """
    regret = np.asarray(solver.state()["regret"], np.float64)
    largest = np.maximum.reduceat(regret, solver.tree.infosets.offset[:-1].astype(np.intp))
    return float(np.maximum(largest, 0.0).sum()) / solver.iteration / 2


def measure_bounds(
    games: Sequence[str] = ("kuhn", "leduc"),
    *,
    iterations: int = ITERATIONS,
    seed: int = 0,
    methods: Sequence[str] = METHODS,
    report: Callable[[BoundPoint], None] | None = None,
) -> list[BoundPoint]:
    """Run all methods on two-player games, and measure after 1, 2, 4, … iterations.

    With sampling, iterations take next to no time: there are 16 times as many.
    """
    found = []
    for game in games:
        tree = GameTree.build(load_game(game))
        if tree.players != 2:
            raise ValueError(f"{game} has {tree.players} players: these bounds are for 2")
        size = GameSize.of(tree)
        for method in methods:
            solver = _solver(tree, method, seed)
            most = iterations * (16 if isinstance(solver, SamplingSolver) else 1)
            target = 1
            while target <= most:
                solver.iterate(target - solver.iteration)
                immediate = float("nan")
                if method == "cfr" and isinstance(solver, CfrSolver):
                    immediate = immediate_regret(solver)
                limit = bound(size, method, target)
                point = BoundPoint(game, method, target, solver.exploitability(), immediate, limit)
                found.append(point)
                if report is not None:
                    report(point)
                target *= _APART
    return found


def write_bounds(points: Sequence[BoundPoint], folder: str | Path) -> list[Path]:
    """Write ``bounds.csv`` and the figure, ``bounds.svg``."""
    panels: dict[str, list[BoundCurve]] = {}
    for game in dict.fromkeys(point.game for point in points):
        for method in dict.fromkeys(point.method for point in points):
            own = [point for point in points if (point.game, point.method) == (game, method)]
            curve = BoundCurve(
                method,
                [point.iterations for point in own],
                [point.exploitability for point in own],
                [point.immediate for point in own] if method == "cfr" else [],
                [point.bound for point in own],
            )
            panels.setdefault(game, []).append(curve)
    table = csv_rows(BoundPoint._fields, points, 6).encode()
    return write_files(folder, {"bounds.csv": table, "bounds.svg": draw_bounds(panels)})


def _solver(tree: GameTree, method: str, seed: int) -> CfrSolver | SamplingSolver:
    if method in ("external", "outcome"):
        rng = np.random.default_rng(seed)
        return SamplingSolver(tree, method, "cfr", rng=rng, exploration=EXPLORATION)
    return CfrSolver(tree, method, alternating=method != "cfr")
