"""What a strategy loses that was solved with fewer boards than there are."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from pokerlab.cards.isomorphism.merged_run_outs import deal_merged_run_outs
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.device import choose_device
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import Probabilities, make_learner
from pokerlab.holdem.spots.answer.carried import carry_strategies
from pokerlab.holdem.spots.coarse.menu_loss import check_no_rake
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.real_game import RealGame
from pokerlab.holdem.spots.solver import DEFAULT_RULE, exploitability_of, predicts, solve_needs
from pokerlab.runtime.machine import check_threads
from pokerlab.solvers.rules import parse_rule


@dataclass(frozen=True)
class MergedSolve:
    """A solve in which suits that can make no flush are one.

    Attributes
    ----------
    boards, entries
        How many boards of the last street, and how many numbers a table has.
    iterations, seconds
        How it was solved; seconds are those of iterations.
    exploitability
        In the real game, in chips.
    """

    boards: int
    entries: int
    iterations: int
    seconds: float
    exploitability: float


def solve_merged(
    spot: Spot,
    *,
    iterations: int,
    threads: int | None = None,
    device: str = "auto",
    merge: bool = True,
) -> MergedSolve:
    """Solve a spot with merged boards, and judge it in the real game by exact best responses.

    There is no exploitability with merged boards: what a hand is worth on a board is taken from
    the board that stands for it, where other hands are possible, so the values of the two players
    do not sum to the pot.

    Parameters
    ----------
    spot
        What to solve, without rake.
    iterations
        How many.
    threads, device
        See `PostflopSolver`.
    merge
        If not, boards are merged by suits alone, as in every other solve: what to compare with.

    Examples
    --------
    >>> spot = Spot("QhJs5cQd", "AJ, KTs", "QTs, 55, A9s", pot=10, stack=10, bet="a", raise_="")
    >>> exact, merged = (solve_merged(spot, iterations=200, merge=each) for each in (False, True))
    >>> exact.boards, merged.boards, merged.exploitability > 2 * exact.exploitability
    (36, 13, True)
    """
    check_no_rake(spot)
    prepared = PreparedSpot.of(spot)
    weights = (spot.ranges[0].weights, spot.ranges[1].weights)
    boards = prepared.boards
    if merge:
        boards = Boards.of(spot.board, weights, CPU_SHAPE, deal=deal_merged_run_outs)
    layout = StrategyLayout.of(spot.tree, boards)
    rule = parse_rule(DEFAULT_RULE)
    needs = solve_needs(spot.tree, prepared.size, rule, 32, grouped=False)
    device = choose_device(device, needs)
    walker = make_learner(spot, boards, np.float32, check_threads(threads), device=device)
    storage = walker.make_storage(layout, np.float32, regrets=predicts(rule), sums=True)

    walker.iterate(storage, rule, 1, 1)  # compiles what is not compiled yet
    began = perf_counter()
    walker.iterate(storage, rule, 2, iterations - 1)
    seconds = perf_counter() - began
    strategies: Probabilities = tuple(
        (walker.read(first).view(np.float16), walker.read(second).view(np.float16))
        for first, second in walker.shares(storage, layout, average=True)
    )
    carried = carry_strategies(boards, layout, strategies, prepared)
    game = RealGame(prepared, threads, device)
    first, second = (
        game.best_value(player, [np.asarray(pair[1 - player]) for pair in carried])
        for player in range(2)
    )
    entries = sum(each.size for both in layout.streets for each in both)
    real = exploitability_of((spot.pot / 2, spot.pot / 2), (first, second))
    return MergedSolve(len(boards.cards[-1]), entries, iterations, seconds, real)
