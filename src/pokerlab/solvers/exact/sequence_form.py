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
from scipy.sparse import coo_array

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.exact.highs import minimise
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree


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
    if tree.players != 2:
        raise ValueError(
            f"a linear program solves two-player games; {tree.game.name} has {tree.players} players"
        )
    if np.abs(tree.payoffs.sum(axis=1)).max() > 1e-9:
        raise ValueError(
            f"a linear program solves zero-sum games; payoffs of {tree.game.name} do not sum to 0"
        )
    weights = np.zeros(tree.infosets.slots)
    found, steps = [], 0
    for hero in (0, 1):
        value, plan, count = _maximise(tree, hero)
        mine = tree.infosets.slot_player == hero
        weights[mine] = np.maximum(plan, 0.0)
        found.append(value)
        steps += count
    strategy = Strategy.from_weights(tree.infosets, weights)
    return Equilibrium((found[0], found[1]), strategy, steps)


def _maximise(tree: GameTree, hero: int) -> tuple[float, Floats, int]:
    """The hero's guaranteed value, the reach of each of the hero's slots, and the simplex steps."""
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
    upper = coo_array(
        (
            np.concatenate([-gain, -np.ones(len(foe_sets)), np.ones(len(foe_slots))]),
            (
                np.concatenate(
                    [
                        foe_row[tree.terminal_slots[:, 1 - hero]],
                        foe_row[infosets.parent[foe_sets]],
                        foe_row[foe_slots],
                    ]
                ),
                np.concatenate(
                    [
                        own_column[tree.terminal_slots[:, hero]],
                        set_column,
                        np.repeat(set_column, infosets.n_actions[foe_sets]),
                    ]
                ),
            ),
        ),
        shape=(len(foe_slots) + 1, columns),
    ).tocsr()
    own_row = 1 + np.arange(len(own_sets))
    equal = coo_array(
        (
            np.concatenate([[1.0], np.ones(len(own_slots)), -np.ones(len(own_sets))]),
            (
                np.concatenate([[0], np.repeat(own_row, infosets.n_actions[own_sets]), own_row]),
                np.concatenate([[0], own_column[own_slots], own_column[infosets.parent[own_sets]]]),
            ),
        ),
        shape=(len(own_sets) + 1, columns),
    ).tocsr()
    one = np.zeros(len(own_sets) + 1)
    one[0] = 1.0
    lowest = np.zeros(columns)
    lowest[set_column] = -np.inf
    result = minimise(
        upper[[-1]].toarray()[0],  # minus the value
        upper=upper[:-1],
        limits=np.zeros(len(foe_slots)),
        equal=equal,
        right=one,
        lowest=lowest,
        name=tree.game.name,
    )
    return -float(result.fun), result.x[own_column[own_slots]], int(result.nit)
