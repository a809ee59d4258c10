"""Every river of a solved turn solved again, put together, and what that is worth.

What `pokerlab.solvers.resolving` does on explicit trees, on a spot: each line that ends the turn
and each river card is a spot of its own, solved once for each player behind a gadget that holds
the other player's values; the new strategies take the place of the old ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.engine.tables.runouts import board_combos, find_run_out, places
from pokerlab.engine.walker import as_storage
from pokerlab.holdem.spots.answer.below import find_below, weights_at
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.gadget import DEFAULT_KIND, VALUES
from pokerlab.holdem.spots.solver import SPACING, PostflopSolver
from pokerlab.holdem.spots.solving import parse_target
from pokerlab.runtime.arrays import AnyArray, Halves
from pokerlab.solvers.loop import run
from pokerlab.solvers.resolving.kinds import check_kind


@dataclass(frozen=True, eq=False)
class RiversAgain:
    """A turn whose rivers were solved again.

    Attributes
    ----------
    solution
        The turn as before, and the rivers as solved again.
    solved, left
        How many times a river was solved for a player, or left because no two hands get there.
    iterations
        Of all these solves together.
    """

    solution: PostflopSolution
    solved: int
    left: int
    iterations: int


def solve_rivers_again(
    solution: PostflopSolution,
    kind: str = DEFAULT_KIND,
    *,
    values: str = VALUES[0],
    target: float | str = "0.1%",
    threads: int | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> RiversAgain:
    """Solve every river of a turn again for both players, and certify the whole.

    Parameters
    ----------
    solution
        Of a spot that begins on the turn: with its rivers, without gadget, groups and rake.
    kind, values
        As of `Gadget.from_solution`.
    target
        How exactly each river is solved: chips, or percent of its pot.
    threads
        How many to use; all cores if None. The result does not depend on it.
    report
        Called with the number of solves that are done.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d", "AA, 55", "QQ, 88", pot=100, stack=80, bet="a", raise_="")
    >>> rough = solve_spot(spot, iterations=5)
    >>> again = solve_rivers_again(rough, "maxmargin", target="0.5%")
    >>> again.solution.exploitability.chips < rough.exploitability.chips
    True
    """
    check_kind(kind)
    for fits, must in (
        (solution.spot.street == 1, "begin on the turn"),
        (not solution.partial, "have its rivers"),
        (solution.gadget is None, "have no gadget"),
        (solution.groups is None, "have no groups"),
        (solution.spot.rake == 0, "have no rake"),
        (not solution.spot.pays_prizes, "have no payouts"),
    ):
        if not fits:
            raise ValueError(f"rivers: the solution must {must}")
    spot, street = solution.spot, solution.spot.tree.streets[1]
    rivers = [np.array(each) for each in solution.strategies[1]]
    solved = left = iterations = 0
    for number, cards in enumerate(solution.boards.cards[1]):
        run_outs = find_run_out(solution.boards, [int(cards[-1])])
        for root in range(street.roots):
            own, other = weights_at(solution, run_outs, root)
            if not own @ met_weights(other):
                left += 2
                continue
            line = spot.tree.line(1, int(street.root_first_node[root]), [int(cards[-1])])
            below = find_below(solution, line)
            for hero in range(2):
                gadget = below.gadget(1 - hero, values=values, kind=kind)
                solver = PostflopSolver(below.spot, threads=threads, gadget=gadget)
                found = run(solver, target=parse_target(target, below.spot.pot), spacing=SPACING)
                strategy = np.asarray(solver.probabilities()[0][hero])
                _put_in(rivers[hero], solution, number, root, solver, strategy, hero)
                iterations += found.iterations
                solved += 1
                report(solved)
    first, second = rivers
    strategies = (solution.strategies[0], (first, second))
    judge = PostflopSolver(spot, threads=threads, isomorphism=solution.isomorphism)
    certified = judge.certify(as_storage(judge.layout, strategies))
    whole = replace(
        solution,
        strategies=strategies,
        values=certified.values,
        best_values=certified.best_values,
        first_values=(),
        kept_values=None,
        rule=f"{solution.rule}, rivers again by {kind}",
        known=(solution.boards, solution.layout),
    )
    return RiversAgain(whole, solved, left, iterations)


def _put_in(
    rivers: Halves,
    solution: PostflopSolution,
    board: int,
    root: int,
    solver: PostflopSolver,
    strategy: AnyArray,
    hero: int,
) -> None:
    """Write a player's strategy of a river over the one of the turn's solution."""
    street, old = solution.spot.tree.streets[1], solution.layout.at(1, hero)
    new = solver.layout.at(0, hero)
    nodes = range(int(street.root_first_node[root]), int(street.root_first_node[root + 1]))
    own = [node for node in nodes if street.player[node] == hero]
    if not own:
        return
    if old.actions[own].tolist() != new.own_actions.tolist():
        raise ValueError(
            f"river {solution.spot.tree.line(1, own[0])!r}: its betting is another one"
        )
    here = old.board(rivers, board)[old.slot[own[0]] : old.slot[own[0]] + new.slots]
    there = places(board_combos(solver.boards, hero, 0, 0))
    found = there[board_combos(solution.boards, hero, 1, board)]
    here[:, found >= 0] = new.board(strategy, 0)[:, found[found >= 0]]
