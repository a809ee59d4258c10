"""Exact equilibrium of a two-player zero-sum game by linear programming.

The program is the sequence form ("Efficient computation of equilibria for extensive two-person
games", 1996). The hero's variables are h, the probability of each of the hero's sequences; the
opponent's tree has a value v at each of its information sets, as seen by the hero::

    maximise   the sum of v over the opponent's first information sets
    subject to h(empty) = 1,  h(before a set) = Σ h(actions of the set)
               v(set) ≤ Σ k·h over the terminal nodes + Σ v over the next sets, for each action

with k = chance probability × payoff. There are about as many variables and constraints as
slots and information sets, and one coefficient for each terminal node; HiGHS solves it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, coo_array, eye_array, hstack

from pokerlab.runtime.arrays import Bools, Floats
from pokerlab.solvers.evaluation.restricted_player import check_zero_sum
from pokerlab.solvers.exact.highs import minimise
from pokerlab.solvers.exact.sparse_rows import plan_rows, sparse_rows
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree

_SLACK = 1e-11
"""By how much less than the best a plan may guarantee and still count as optimal."""

_LARGEST = 1e5
"""The most that a plan is scaled by: slots that are played less often than this count as 0."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """An equilibrium found by linear programming.

    Attributes
    ----------
    values
        What each player wins; player 1's is found by a program of its own.
    strategy
        An equilibrium. At information sets that a player's own play never reaches, all
        actions have the same probability.
    iterations
        The simplex steps of both programs.
    """

    values: tuple[float, float]
    strategy: Strategy
    iterations: int


def solve_lp(tree: GameTree) -> Equilibrium:
    """An equilibrium of a two-player zero-sum game.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> equilibrium = solve_lp(GameTree.build(load_game("kuhn")))
    >>> abs(equilibrium.values[0] + 1 / 18) < 1e-9
    True
    """
    check_zero_sum(tree, "a linear program solves")
    weights = np.zeros(tree.infosets.slots)
    found, steps = [], 0
    for hero in (0, 1):
        value, plan, count = _Program(tree, hero).maximise()
        mine = tree.infosets.slot_player == hero
        weights[mine] = np.maximum(plan, 0.0)
        found.append(value)
        steps += count
    strategy = Strategy.from_weights(tree.infosets, weights)
    return Equilibrium((found[0], found[1]), strategy, steps)


def played_moves(tree: GameTree) -> Bools:
    """By slot: whether some equilibrium of a two-player zero-sum game plays it.

    All that any way to eliminate moves could remove without losing an equilibrium is the rest. One
    program for each player: plans that are optimal, times any number above 1, so that every slot
    that can be above 0 can be 1.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> played, infosets = played_moves(tree), tree.infosets
    >>> [infosets.names[infosets.slot_infoset[slot]] + " " + infosets.action(slot)
    ...  for slot in range(infosets.slots) if not played[slot]]
    ['Js:cr c', 'Qs r', 'Ks:cr f', 'Qs:c r', 'Ks:c c', 'Ks:r f', 'Js:r c']
    """
    check_zero_sum(tree, "a linear program solves")
    played = np.zeros(tree.infosets.slots, bool)
    for hero in (0, 1):
        played[tree.infosets.slot_player == hero] = _Program(tree, hero).played()
    return played


class _Program:
    """The program of one player: what the hero can be sure of, and the reach of their slots."""

    def __init__(self, tree: GameTree, hero: int) -> None:
        infosets = tree.infosets
        first = np.searchsorted(infosets.player, [0, 1, 2])
        # Columns: the empty sequence, the hero's slots, then the opponent's information sets.
        own_sets = np.arange(first[hero], first[hero + 1])
        own_slots = infosets.slots_of(hero)
        foe_sets = np.arange(first[1 - hero], first[2 - hero])
        foe_slots = infosets.slots_of(1 - hero)
        columns = 1 + len(own_slots) + len(foe_sets)
        # A slot of -1, "no move yet", is the empty sequence.
        own_column = np.zeros(infosets.slots + 1, int)
        own_column[own_slots] = 1 + np.arange(len(own_slots))
        set_column = 1 + len(own_slots) + np.arange(len(foe_sets))
        # The row of an opponent's slot; "no move yet" is the row of the objective.
        foe_row = np.full(infosets.slots + 1, len(foe_slots))
        foe_row[foe_slots] = np.arange(len(foe_slots))

        gain = tree.terminal_chance * tree.payoffs[:, hero]
        upper = sparse_rows(
            (
                foe_row[tree.terminal_slots[:, 1 - hero]],
                own_column[tree.terminal_slots[:, hero]],
                -gain,
            ),
            (foe_row[infosets.parent[foe_sets]], set_column, -1.0),
            (foe_row[foe_slots], np.repeat(set_column, infosets.n_actions[foe_sets]), 1.0),
            shape=(len(foe_slots) + 1, columns),
        )
        self.equal, self.right = plan_rows(infosets, own_sets, own_column, columns)
        self.name = tree.game.name
        self.own = own_column[own_slots]
        self.objective = upper[[-1]].toarray()[0]  # minus the value
        self.upper = upper[:-1]
        self.lowest = np.zeros(columns)
        self.lowest[set_column] = -np.inf

    def maximise(self) -> tuple[float, Floats, int]:
        """The hero's guaranteed value, the reach of each of the hero's slots, simplex steps."""
        result = minimise(
            self.objective,
            upper=self.upper,
            limits=np.zeros(self.upper.shape[0]),
            equal=self.equal,
            right=self.right,
            lowest=self.lowest,
            name=self.name,
        )
        return -float(result.fun), result.x[self.own], int(result.nit)

    def played(self) -> Bools:
        """By slot of the hero: whether a plan with the best guaranteed value plays it."""
        value, _, _ = self.maximise()
        count, columns = len(self.own), len(self.objective)
        # Columns: the program's, a mark up to 1 for each slot, and what all is scaled by.
        marks = coo_array((np.ones(count), (np.arange(count), self.own)), shape=(count, columns))
        optimal = coo_array(self.objective[None])
        scale = coo_array(([value - _SLACK], ([0], [0])), shape=(1, 1))
        upper = block_array(
            [
                [self.upper, None, None],
                [-marks, eye_array(count), None],
                [optimal, None, scale],
                [None, eye_array(count), None],
                [None, None, eye_array(1)],
            ]
        ).tocsr()
        limits = np.zeros(upper.shape[0])
        limits[-1 - count : -1] = 1.0
        limits[-1] = _LARGEST
        equal = hstack(
            [self.equal, coo_array((self.equal.shape[0], count)), -coo_array(self.right[:, None])]
        ).tocsr()
        result = minimise(
            np.concatenate([np.zeros(columns), -np.ones(count), [0.0]]),
            upper=upper,
            limits=limits,
            equal=equal,
            right=np.zeros(equal.shape[0]),
            lowest=np.concatenate([self.lowest, np.zeros(count), [1.0]]),
            name=self.name,
        )
        played: Bools = result.x[columns : columns + count] > 0.5
        return played
