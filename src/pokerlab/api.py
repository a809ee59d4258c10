"""The functions that take anything: a game or a spot, a solution of either."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from pokerlab.games.protocol import Game
    from pokerlab.groups import HandGrouping
    from pokerlab.postflop import PostflopSolution, Spot
    from pokerlab.postflop.question.locks import LocksLike
    from pokerlab.solvers import Solution
    from pokerlab.solvers.loop import Progress, StopSignal
    from pokerlab.solvers.rules import Rule
    from pokerlab.trees import GameTree


@overload
def solve(
    game: Spot,
    rule: str | Rule | None = None,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    device: str = "auto",
    threads: int | None = None,
    precision: int | None = None,
    isomorphism: bool | None = None,
    locks: LocksLike | None = None,
    groups: str | HandGrouping | None = None,
) -> PostflopSolution: ...
@overload
def solve(
    game: str | Game | GameTree,
    rule: str | Rule | None = None,
    *,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    device: str = "auto",
    seed: int | None = None,
    alternating: bool | None = None,
    sampling: str | None = None,
) -> Solution: ...
def solve(
    game: str | Game | GameTree | Spot,
    rule: str | Rule | None = None,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    device: str = "auto",
    threads: int | None = None,
    precision: int | None = None,
    isomorphism: bool | None = None,
    locks: LocksLike | None = None,
    groups: str | HandGrouping | None = None,
    seed: int | None = None,
    alternating: bool | None = None,
    sampling: str | None = None,
) -> Solution | PostflopSolution:
    """Solve a game or a post-flop spot to equilibrium.

    Parameters
    ----------
    game
        A game (its name, its file, an object, a tree), or a `Spot`.
    rule
        An update rule (see `pokerlab.solvers.parse_rule`), which means the same numbers for games
        and spots. By default ``"dcfr"`` for games and ``"dcfr(1.3,0.5,3,0.1)"`` for spots (those
        that go on from a checkpoint keep the rule they were begun with); ``"lp"`` solves games
        exactly.
    target
        Stop when the exploitability is at most this: chips, or for spots text such as ``"0.3%"``
        of the pot.
    iterations, seconds
        Stop after so many. Without any limit, 1,000 iterations of a game are run, and a spot is
        solved to 0.3% of the pot.
    report, checkpoint, stop, stall
        See `pokerlab.solvers.run`; `stop` is an event that cancels the solve from elsewhere. With
        ``stall=False`` a solve that stands still above its target goes on.
    device
        ``"auto"``, ``"cpu"``, or for spots ``"gpu"``: see `pokerlab.postflop.PostflopSolver`.
    threads, precision, isomorphism, locks, groups
        For spots: see `pokerlab.postflop.solve_spot`.
    seed, alternating, sampling
        For games: see `pokerlab.solvers.solve`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> round(pl.solve("kuhn", "lp").values[0], 6)
    -0.055556
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> pl.solve(river, target="0.5%").exploitability.percent < 0.5
    True
    >>> pl.solve("kuhn", threads=2)
    Traceback (most recent call last):
    ValueError: threads: this option is for spots only
    """
    from pokerlab.postflop.question.spot import Spot

    for_spots = {
        "threads": threads,
        "precision": precision,
        "isomorphism": isomorphism,
        "locks": locks,
        "groups": groups,
    }
    for_games = {"seed": seed, "alternating": alternating, "sampling": sampling}
    given: dict[str, Any] = {
        "rule": rule,
        "target": target,
        "iterations": iterations,
        "seconds": seconds,
        "report": report,
        "checkpoint": checkpoint,
        "stop": stop,
        "stall": stall,
    }
    if isinstance(game, Spot):
        from pokerlab.postflop.solving import solve_spot

        _refuse(for_games, "this option is for games only")
        return solve_spot(game, device=device, **_without_none(given | for_spots))
    from pokerlab.solvers.solution import solve as solve_game

    _refuse(for_spots, "this option is for spots only")
    if device not in ("auto", "cpu"):
        raise ValueError(f"device: {device!r} is not one for games (auto or cpu)")
    if isinstance(target, str):
        raise ValueError(
            f"target: {target!r} is not a number; percent works for spots only, give a number, for"
            " example 0.001"
        )
    return solve_game(game, **_without_none(given | for_games))


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name}: {why}")


def _without_none(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def load(path: str | Path) -> Solution | PostflopSolution:
    """Read a solution of a game or of a spot, whichever the file holds.

    Where the kind is known, `pokerlab.solvers.load_solution` and
    `pokerlab.postflop.load_postflop` have one type of result each.

    Examples
    --------
    >>> load("nothing.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nothing.safetensors'
    """
    from pokerlab.files.tensor_map import file_format
    from pokerlab.postflop.answer.solution import load_postflop
    from pokerlab.postflop.answer.solution_file import POSTFLOP_FORMAT
    from pokerlab.solvers.solution import load_solution

    return load_postflop(path) if file_format(path) == POSTFLOP_FORMAT else load_solution(path)
