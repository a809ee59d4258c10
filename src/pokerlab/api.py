"""The functions that take anything: a game or a spot, a solution of either."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pokerlab.games.protocol import Game
    from pokerlab.postflop import PostflopSolution, Spot
    from pokerlab.solvers import Solution
    from pokerlab.trees import GameTree

__all__ = ["load", "solve"]


def solve(
    question: str | Game | GameTree | Spot, rule: str | None = None, **options: Any
) -> Solution | PostflopSolution:
    """Solve a game or a post-flop spot to equilibrium.

    Parameters
    ----------
    question
        A game (its name, its file, an object, a tree), or a `Spot`.
    rule
        An update rule; the default depends on what is solved.
    options
        Those of `pokerlab.solvers.solve` or of `pokerlab.postflop.solve_spot`: `target`,
        `iterations`, `seconds` and more.

    Examples
    --------
    >>> import pokerlab as pl
    >>> round(pl.solve("kuhn", "lp").values[0], 6)
    -0.055556
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> pl.solve(river, target="0.5%").exploitability.percent < 0.5
    True
    """
    from pokerlab.postflop.question.spot import Spot

    device = options.pop("device", "auto")
    if device not in ("auto", "cpu"):
        raise ValueError(f"device: {device!r} is not available (auto or cpu)")
    chosen: dict[str, Any] = {} if rule is None else {"rule": rule}
    if isinstance(question, Spot):
        from pokerlab.postflop.solving import solve_spot

        if rule == "dcfr":
            chosen = {}  # the post-flop engine has its own choice of the three numbers
        return solve_spot(question, **chosen, **options)
    from pokerlab.solvers.solution import solve as solve_game

    return solve_game(question, **chosen, **options)


def load(path: str | Path) -> Solution | PostflopSolution:
    """Read a solution of a game or of a spot.

    Examples
    --------
    >>> load("nothing.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nothing.safetensors'
    """
    from pokerlab.files.tensor_map import file_format
    from pokerlab.postflop.answer.solution import POSTFLOP_FORMAT, load_postflop
    from pokerlab.solvers.solution import load_solution

    return load_postflop(path) if file_format(path) == POSTFLOP_FORMAT else load_solution(path)
