"""`solve`: from a game to a strategy with its ε, in one call; and solutions on disk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import pokerlab
from pokerlab.games.protocol import Game
from pokerlab.solvers.cfr import CfrSolver
from pokerlab.solvers.checkpoint import read_tensors, write_tensors
from pokerlab.solvers.evaluation import nash_conv, values
from pokerlab.solvers.loop import Point, Progress, run
from pokerlab.solvers.rules import Rule, parse_rule
from pokerlab.solvers.sampling import SamplingSolver
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.infosets import Infosets

__all__ = ["SOLUTION_FORMAT", "Solution", "as_tree", "load_solution", "make_solver", "solve"]

SOLUTION_FORMAT = "pokerlab tree solution 1"
"""What the metadata of a saved solution call it."""
_ITERATIONS = 1000


@dataclass(frozen=True, eq=False)
class Solution:
    """A strategy, and how good it is.

    Attributes
    ----------
    game, digest
        The name of the game, and the fingerprint of its tree.
    rule
        How it was solved: the text of a rule, with the kind of sampling, or ``"lp"``.
    strategy
        ``strategy[infoset][action]`` is a probability; ``strategy.array`` is the flat array.
    values
        What each player wins on average.
    nash_conv, exploitability
        The sum of what the players could gain by best responses; and that sum divided by
        their number.
    iterations, seconds, stopped
        How the solve went: see `Run`. A linear program has simplex steps for iterations and
        stops when ``"optimal"``.
    history
        Measurements on the way. Not saved.
    """

    game: str
    digest: str
    rule: str
    strategy: Strategy
    values: tuple[float, ...]
    nash_conv: float
    iterations: int
    seconds: float
    stopped: str
    history: tuple[Point, ...] = field(default=(), repr=False)

    @property
    def exploitability(self) -> float:
        """`nash_conv` divided by the number of players."""
        return self.nash_conv / len(self.values)

    def save(self, path: str | Path) -> None:
        """Write one safetensors file that `load_solution` reads.

        Tensors: ``strategy``, a probability for each slot; ``offset``, where the slots of each
        information set begin; ``player`` and ``parent`` of each information set (see `Infosets`);
        ``names``, UTF-8 text with a line ``name <tab> action <tab> …`` for each.
        """
        infosets = self.strategy.infosets
        lines = [
            "\t".join((name, *actions))
            for name, actions in zip(infosets.names, infosets.actions, strict=True)
        ]
        write_tensors(
            path,
            {
                "strategy": self.strategy.array,
                "offset": infosets.offset,
                "player": infosets.player,
                "parent": infosets.parent,
                "names": np.frombuffer("\n".join(lines).encode(), np.uint8),
            },
            {
                "format": SOLUTION_FORMAT,
                "version": pokerlab.__version__,
                "game": self.game,
                "digest": self.digest,
                "rule": self.rule,
                "values": json.dumps(self.values),
                "nash_conv": json.dumps(self.nash_conv),
                "exploitability": json.dumps(self.exploitability),
                "iterations": str(self.iterations),
                "seconds": json.dumps(self.seconds),
                "stopped": self.stopped,
            },
        )


def solve(
    game: str | Game | GameTree,
    rule: str | Rule = "dcfr",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
    alternating: bool = True,
    sampling: str | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Solve a game to equilibrium.

    Parameters
    ----------
    game
        The name of a game in the catalogue or of a game file, a game, or its tree.
    rule
        An update rule (see `parse_rule`), or ``"lp"`` for the exact equilibrium of a
        two-player zero-sum game by linear programming.
    iterations, target, seconds, report, checkpoint
        See `run`. Without any limit, 1,000 iterations are run.
    seed
        Of the random numbers, where there is `sampling`.
    alternating
        Whether players are updated one after the other rather than all at once.
    sampling
        ``"external"``, ``"outcome"`` or ``"public"`` for Monte Carlo CFR.

    Examples
    --------
    >>> solution = solve("kuhn", "cfr+", target=1e-3)
    >>> abs(solution.values[0] + 1 / 18) < 2e-3
    True
    """
    tree = as_tree(game)
    if rule == "lp":
        return _solve_lp(tree)
    solver = make_solver(tree, rule, seed=seed, alternating=alternating, sampling=sampling)
    if iterations is None and target is None and seconds is None:
        iterations = _ITERATIONS
    result = run(
        solver,
        iterations=iterations,
        target=target,
        seconds=seconds,
        report=report,
        checkpoint=checkpoint,
    )
    strategy = solver.strategy()
    return Solution(
        game=tree.game.name,
        digest=tree.digest,
        rule=str(parse_rule(rule)) + (f" {sampling}" if sampling else ""),
        strategy=strategy,
        values=tuple(values(tree, strategy).tolist()),
        nash_conv=nash_conv(tree, strategy),
        iterations=result.iterations,
        seconds=result.seconds,
        stopped=result.stopped,
        history=result.history,
    )


def make_solver(
    tree: GameTree,
    rule: str | Rule = "dcfr",
    *,
    seed: int = 0,
    alternating: bool = True,
    sampling: str | None = None,
) -> CfrSolver | SamplingSolver:
    """The engine that `solve` would run, to be run by hand or by `run`."""
    if sampling is None:
        return CfrSolver(tree, rule, alternating=alternating)
    return SamplingSolver(tree, sampling, rule, rng=np.random.default_rng(seed))


def load_solution(path: str | Path, game: str | Game | GameTree | None = None) -> Solution:
    """Read a solution; with `game`, `ValueError` if it belongs to another one."""
    tensors, metadata = read_tensors(path, SOLUTION_FORMAT)
    if game is not None:
        tree = as_tree(game)
        if tree.digest != metadata["digest"]:
            raise ValueError(
                f"{str(path)!r} is a solution of {metadata['game']}, "
                + (
                    f"not of {tree.game.name}"
                    if metadata["game"] != tree.game.name
                    else "but of other rules than this game has now"
                )
            )
    lines = [line.split("\t") for line in bytes(tensors["names"]).decode().split("\n")]
    infosets = Infosets(
        player=tensors["player"].astype(np.int8),
        offset=tensors["offset"].astype(np.int32),
        parent=tensors["parent"].astype(np.int32),
        names=tuple(line[0] for line in lines),
        actions=tuple(tuple(line[1:]) for line in lines),
    )
    return Solution(
        game=metadata["game"],
        digest=metadata["digest"],
        rule=metadata["rule"],
        strategy=Strategy(infosets, tensors["strategy"].astype(np.float64)),
        values=tuple(json.loads(metadata["values"])),
        nash_conv=json.loads(metadata["nash_conv"]),
        iterations=int(metadata["iterations"]),
        seconds=json.loads(metadata["seconds"]),
        stopped=metadata["stopped"],
    )


def as_tree(game: str | Game | GameTree) -> GameTree:
    """The tree of a game, of a game in the catalogue, or of a game file."""
    if isinstance(game, GameTree):
        return game
    if isinstance(game, str):
        from pokerlab.games import load_game

        game = load_game(game)
    return GameTree.build(game)


def _solve_lp(tree: GameTree) -> Solution:
    from pokerlab.solvers.sequence_form import solve_lp  # SciPy's solver is slow to import

    start = time.perf_counter()
    found = solve_lp(tree)
    seconds = time.perf_counter() - start
    return Solution(
        game=tree.game.name,
        digest=tree.digest,
        rule="lp",
        strategy=found.strategy,
        values=found.values,
        nash_conv=nash_conv(tree, found.strategy),
        iterations=found.iterations,
        seconds=seconds,
        stopped="optimal",
    )
