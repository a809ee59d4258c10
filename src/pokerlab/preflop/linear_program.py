"""The exact equilibrium of a game before the flop by one linear program (HiGHS).

The sequence form of `pokerlab.solvers.exact.sequence_form`, written for all 169 classes of a node
at once. The small blind's variables are how often each class plays each of its sequences of
actions; the big blind's decisions have a value for each class. The dual variables are the
big blind's plan, so one program gives both strategies, and best responses in `PreflopGame` prove
them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from pokerlab.arrays import Floats, Integers
from pokerlab.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopTree
from pokerlab.preflop.class_matchups import N_CLASSES
from pokerlab.preflop.game import PreflopGame
from pokerlab.solvers.exact.highs import minimise

_SCALE = 1000.0
"""Chances of pairs are tiny; the tolerances of HiGHS are absolute."""


def solve_exactly(game: PreflopGame) -> list[Floats | None]:
    """An equilibrium of a game in which nobody bets after the flop.

    At decisions that a class never comes to by its own play, all actions have the same probability.

    Examples
    --------
    >>> from pokerlab.preflop.betting import PreflopRules
    >>> game = PreflopGame(PreflopTree(PreflopRules.push_fold(10)))
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
        _write_strategy(strategy, slots, np.maximum(numbers.reshape(-1, N_CLASSES), 0.0))
    return strategy


class _Program:
    """The numbers of the program.

    Columns: the plan of each class for each of the small blind's actions (`own`), then the value
    of each decision of the big blind for each class. Rows of `upper`: the big blind's
    actions (`foe`), by class; rows of `equal`: the small blind's decisions, by class.
    """

    def __init__(self, game: PreflopGame) -> None:
        tree = game.tree
        self.own, self.foe = (_slots(tree, player) for player in (SMALL_BLIND, BIG_BLIND))
        first = N_CLASSES * len(self.own)
        nodes = sorted({slot.node for slot in self.foe})
        self._value_at = {node: first + N_CLASSES * place for place, node in enumerate(nodes)}
        self.columns = first + N_CLASSES * len(nodes)
        self.objective = np.zeros(self.columns)
        self.lowest = np.zeros(self.columns)
        self.lowest[first:] = -np.inf
        self.upper, self.equal = _Entries(), _Entries()
        self._add_values(tree)
        self._add_ends(game)
        self.right = self._add_plans(tree)

    def _add_values(self, tree: PreflopTree) -> None:
        """v(decision) ≤ what the action wins at its ends + Σ v of the next decisions."""
        for row, slot in enumerate(self.foe):
            self.upper.add_diagonal(N_CLASSES * row, self._value_at[slot.node], 1.0)
        for node, column in self._value_at.items():
            before = _last_slot(tree, node, BIG_BLIND, self.foe)
            if before is None:
                self.objective[column : column + N_CLASSES] += 1.0
            else:
                self.upper.add_diagonal(N_CLASSES * before, column, -1.0)

    def _add_ends(self, game: PreflopGame) -> None:
        """The small blind's payoffs at the ends of the betting."""
        for number, end in enumerate(game.tree.nodes):
            if end.player is not None:
                continue
            payoff = _SCALE * game.payoffs(end, SMALL_BLIND)
            mine = _last_slot(game.tree, number, SMALL_BLIND, self.own)
            other = _last_slot(game.tree, number, BIG_BLIND, self.foe)
            assert mine is not None  # the small blind acts first
            column = N_CLASSES * mine
            if other is None:
                self.objective[column : column + N_CLASSES] += payoff.sum(axis=1)
            else:
                self.upper.add_block(N_CLASSES * other, column, -payoff.T)

    def _add_plans(self, tree: PreflopTree) -> Floats:
        """The plans of a decision's actions sum to the plan that leads there; the right side."""
        nodes = sorted({slot.node for slot in self.own})
        right = np.zeros((len(nodes), N_CLASSES))
        for place, node in enumerate(nodes):
            for number, slot in enumerate(self.own):
                if slot.node == node:
                    self.equal.add_diagonal(N_CLASSES * place, N_CLASSES * number, 1.0)
            before = _last_slot(tree, node, SMALL_BLIND, self.own)
            if before is None:
                right[place] = 1.0
            else:
                self.equal.add_diagonal(N_CLASSES * place, N_CLASSES * before, -1.0)
        return right.ravel()


class _Slot(NamedTuple):
    """One action of one decision of a player."""

    node: int
    action: int


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


def _slots(tree: PreflopTree, player: int) -> list[_Slot]:
    return [
        _Slot(number, action)
        for number in tree.decisions
        if tree.nodes[number].player == player
        for action in range(len(tree.nodes[number].actions))
    ]


def _last_slot(tree: PreflopTree, number: int, player: int, slots: list[_Slot]) -> int | None:
    """Index in `slots` of a player's last action before a node; None if there is none."""
    last = None
    here = 0
    for label in tree.nodes[number].line.split("/") if number else []:
        node = tree.nodes[here]
        action = node.actions.index(label)
        if node.player == player:
            last = slots.index(_Slot(here, action))
        here = node.children[action]
    return last


def _write_strategy(strategy: list[Floats | None], slots: list[_Slot], plan: Floats) -> None:
    """Turn plans into probabilities, where a class gets to the decision."""
    for node in {slot.node for slot in slots}:
        rows = plan[[place for place, slot in enumerate(slots) if slot.node == node]]
        total = rows.sum(axis=0)
        there = total > 1e-9
        probabilities = strategy[node]
        assert probabilities is not None
        probabilities[:, there] = rows[:, there] / total[there]
