"""The exact equilibrium of a game before the flop by one linear program (HiGHS).

The sequence form of `pokerlab.solvers.exact.sequence_form`, written for all 169 classes of a node
at once. The small blind's variables are how often each class plays each of its sequences of
actions; the big blind's decisions have a value for each class. The dual variables are the
big blind's plan, so one program gives both strategies, and best responses in `PreflopGame` prove
them.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array

from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.preflop.game import PreflopGame
from pokerlab.runtime.arrays import Floats, Integers
from pokerlab.solvers.exact.highs import minimise

_SCALE = 1000.0
"""Chances of pairs are tiny; the tolerances of HiGHS are absolute."""


def solve_exactly(game: PreflopGame) -> list[Floats]:
    """An equilibrium of a game in which nobody bets after the flop.

    At decisions that a class never comes to by its own play, all actions have the same probability.

    Examples
    --------
    >>> from pokerlab.holdem.preflop.betting import PreflopRules
    >>> game = PreflopGame(PreflopRules.push_fold(10))
    >>> strategy = solve_exactly(game)
    >>> round(float(game.values(strategy, SMALL_BLIND).sum()), 6)
    -0.045371
    >>> game.exploitability(strategy) < 1e-9
    True
    """
    if game.flops is not None:
        raise ValueError("a linear program solves games that nobody bets in after the flop")
    program = _Program(game)
    result = minimise(
        -program.objective,
        upper=program.upper.matrix(N_CLASSES * len(program.foe), program.columns),
        limits=np.zeros(N_CLASSES * len(program.foe)),
        equal=program.equal.matrix(len(program.right), program.columns),
        right=program.right,
        lowest=program.lowest,
        name="the game before the flop",
    )
    strategy = game.uniform()
    plan = result.x[: N_CLASSES * len(program.own)]
    for slots, numbers in ((program.own, plan), (program.foe, -result.ineqlin.marginals)):
        _write_strategy(strategy[0], slots, np.maximum(numbers.reshape(-1, N_CLASSES), 0.0))
    return strategy


class _Program:
    """The numbers of the program.

    Columns: the plan of each class for each of the small blind's actions (`own`), then the value
    of each decision of the big blind for each class. Rows of `upper`: the big blind's
    actions (`foe`), by class; rows of `equal`: the small blind's decisions, by class.
    """

    def __init__(self, game: PreflopGame) -> None:
        (self._betting,) = game.streets
        actor, legal = self._betting.actor, self._betting.child >= 0
        self.own, self.foe = (
            np.argwhere(legal & (actor == player)[:, None]) for player in (SMALL_BLIND, BIG_BLIND)
        )
        self._last = self._last_slots()
        first = N_CLASSES * len(self.own)
        nodes = np.unique(self.foe[:, 0]).tolist()
        self._value_at = {node: first + N_CLASSES * place for place, node in enumerate(nodes)}
        self.columns = first + N_CLASSES * len(nodes)
        self.objective = np.zeros(self.columns)
        self.lowest = np.zeros(self.columns)
        self.lowest[first:] = -np.inf
        self.upper, self.equal = _Entries(), _Entries()
        self._add_values()
        self._add_ends(game)
        self.right = self._add_plans()

    def _last_slots(self) -> Integers:
        """(players, places): the number of a player's last action before a place; −1: none."""
        child = self._betting.child
        last = np.full((2, self._betting.places), -1)
        numbers = np.full(child.shape, -1)
        for slots in (self.own, self.foe):
            numbers[tuple(slots.T)] = np.arange(len(slots))
        for node, player in enumerate(self._betting.actor):  # in preorder
            for action in np.flatnonzero(child[node] >= 0):
                last[:, child[node, action]] = last[:, node]
                last[player, child[node, action]] = numbers[node, action]
        return last

    def _add_values(self) -> None:
        """v(decision) ≤ what the action wins at its ends + Σ v of the next decisions."""
        for row, (node, _) in enumerate(self.foe.tolist()):
            self.upper.add_diagonal(N_CLASSES * row, self._value_at[node], 1.0)
        for node, column in self._value_at.items():
            before = self._last[BIG_BLIND, node]
            if before < 0:
                self.objective[column : column + N_CLASSES] += 1.0
            else:
                self.upper.add_diagonal(N_CLASSES * before, column, -1.0)

    def _add_ends(self, game: PreflopGame) -> None:
        """The small blind's payoffs at the ends of the betting."""
        betting = self._betting
        worth = {
            **{
                place: gain * game.pairs
                for place, gain in zip(
                    betting.folds.tolist(), betting.fold_gains[:, SMALL_BLIND], strict=True
                )
            },
            **{
                place: stake * game.margin
                for place, stake in zip(
                    [*betting.showdowns.tolist(), *betting.ways.tolist()],
                    [*betting.stakes, *game.flop_stakes],
                    strict=True,
                )
            },
        }
        for place in betting.child[betting.child >= 0].tolist():
            if place not in worth:
                continue
            payoff = _SCALE * worth[place]
            mine, other = self._last[:, place]
            column = N_CLASSES * mine  # the small blind acts first
            if other < 0:
                self.objective[column : column + N_CLASSES] += payoff.sum(axis=1)
            else:
                self.upper.add_block(N_CLASSES * other, column, -payoff.T)

    def _add_plans(self) -> Floats:
        """The plans of a decision's actions sum to the plan that leads there; the right side."""
        nodes = np.unique(self.own[:, 0])
        right = np.zeros((len(nodes), N_CLASSES))
        for place, node in enumerate(nodes):
            for number in np.flatnonzero(self.own[:, 0] == node).tolist():
                self.equal.add_diagonal(N_CLASSES * place, N_CLASSES * number, 1.0)
            before = self._last[SMALL_BLIND, node]
            if before < 0:
                right[place] = 1.0
            else:
                self.equal.add_diagonal(N_CLASSES * place, N_CLASSES * before, -1.0)
        return right.ravel()


class _Entries:
    """The entries of a sparse matrix, block by block."""

    def __init__(self) -> None:
        self.rows: list[Integers] = []
        self.columns: list[Integers] = []
        self.numbers: list[Floats] = []

    def add_block(self, row: int, column: int, block: Floats) -> None:
        rows, columns = np.indices(block.shape)
        self.rows.append(row + rows.ravel())
        self.columns.append(column + columns.ravel())
        self.numbers.append(block.ravel())

    def add_diagonal(self, row: int, column: int, number: float) -> None:
        places = np.arange(N_CLASSES)
        self.rows.append(row + places)
        self.columns.append(column + places)
        self.numbers.append(np.full(N_CLASSES, number))

    def matrix(self, rows: int, columns: int) -> coo_array:
        places = (np.concatenate(self.rows), np.concatenate(self.columns))
        return coo_array((np.concatenate(self.numbers), places), shape=(rows, columns)).tocsr()


def _write_strategy(strategy: Floats, slots: Integers, plan: Floats) -> None:
    """Turn plans into probabilities, where a class gets to the decision."""
    for node in np.unique(slots[:, 0]):
        own = slots[:, 0] == node
        total = plan[own].sum(axis=0)
        there = total > 1e-9
        rows = strategy[node, slots[own, 1]]
        rows[:, there] = plan[own][:, there] / total[there]
        strategy[node, slots[own, 1]] = rows
