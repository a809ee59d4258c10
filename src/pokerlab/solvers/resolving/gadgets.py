"""Gadgets: what the opponent may do before a subgame, so that solving it again does no harm.

The kinds are those of `pokerlab.solvers.resolving.kinds`. All four are one linear program. The
hero's variables are x, the probability of each of the hero's sequences from the roots on. The
opponent wins u with each hand, and a part v of that behind each information set of the subgame::

    v(set) ≥ Σ gain·x over the ends after an action + Σ v over the next sets, for each action
    u(hand) ≥ Σ gain·x over the ends without an action + Σ v over the first sets
    t(hand) ≥ u(hand), t(hand) ≥ worth(hand)              the opponent may stop
    m ≤ worth(hand) − u(hand)                             the opponent chooses

and the hero makes Σ weight·prior·u + Σ weight·free·t as small, or m as large as can be. A gain is
the payoff times the probability of the hero's hand and of the cards, given the opponent's hand: no
number of the program is small only because the subgame is seldom reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.solvers.evaluation.tree_values import arrival
from pokerlab.solvers.exact.highs import minimise
from pokerlab.solvers.exact.sparse_rows import plan_rows, sparse_rows
from pokerlab.solvers.resolving.kinds import entry_weights
from pokerlab.trees.game_tree import GameTree

_LEAST_WEIGHT: Final = 1e-6
"""What a hand weighs at least: HiGHS takes smaller numbers for nothing."""


@dataclass(frozen=True, eq=False)
class Entrance:
    """How a subgame is entered.

    Attributes
    ----------
    tree
        The whole game.
    hero
        Whose strategy is found.
    roots
        The nodes at which the subgame begins.
    weights
        How likely the hero's play and the cards make each root.
    hands
        The number of the opponent's hand at each root: roots with the same number are one to them.
    worth
        What each of these hands was worth to the opponent.
    prior
        How likely the opponent's own play makes each hand.
    """

    tree: GameTree
    hero: int
    roots: Indices
    weights: Floats
    hands: Indices
    worth: Floats
    prior: Floats


def solve_gadget(entrance: Entrance, kind: str) -> tuple[Indices, Floats]:
    """The hero's slots in a subgame, and how likely the hero's play from the roots makes each."""
    program = _Program(entrance)
    result = minimise(
        program.objective(kind),
        upper=program.upper,
        limits=program.limits,
        equal=program.equal,
        right=program.right,
        lowest=program.lowest,
        name=f"a subgame of {entrance.tree.game.name}",
    )
    return program.own_slots, np.maximum(result.x[: len(program.own_slots)], 0.0)


class _Program:
    """The linear program of an entrance; the kinds differ in its objective alone."""

    def __init__(self, entrance: Entrance) -> None:
        tree, hero = entrance.tree, entrance.hero
        infosets, hands = tree.infosets, len(entrance.worth)
        root_of = np.full(len(tree), -1)
        for number, root in enumerate(entrance.roots.tolist()):
            root_of[root : tree.end[root]] = number
        deciding = np.flatnonzero((root_of >= 0) & (tree.infoset >= 0))
        inside, first = np.unique(tree.infoset[deciding], return_index=True)
        hand_of_set = entrance.hands[root_of[deciding[first]]]
        own = infosets.player[inside] == hero
        own_sets, foe_sets = inside[own], inside[~own]
        self.own_slots, foe_slots = (
            np.flatnonzero(np.isin(infosets.slot_infoset, sets)) for sets in (own_sets, foe_sets)
        )
        self.entrance = entrance
        mass = np.bincount(entrance.hands, entrance.weights, hands)
        self.weights = np.maximum(mass / mass.sum(), _LEAST_WEIGHT) * (mass > 0)

        # Columns: the hero's slots, what comes before the roots (always 1), v, u, t, m.
        before = len(self.own_slots)
        column = np.full(infosets.slots + 1, before)
        column[self.own_slots] = np.arange(before)
        v = before + 1 + np.arange(len(foe_sets))
        self.u = before + 1 + len(foe_sets) + np.arange(hands)
        self.t = self.u + hands
        self.columns = int(self.t[-1]) + 2
        # Rows: the opponent's slots; for each hand what it wins, stopping and choosing.
        wins = len(foe_slots) + np.arange(hands)
        stops, chooses = wins + hands, wins + 2 * hands
        row = np.full(infosets.slots + 1, -1)
        row[foe_slots] = np.arange(len(foe_slots))

        ends = np.flatnonzero(root_of[tree.terminals] >= 0)
        root = root_of[tree.terminals[ends]]
        cards = arrival(tree, np.ones(infosets.slots))
        below = tree.terminal_chance[ends] / cards[entrance.roots[root]]
        given = entrance.weights / np.where(mass > 0, mass, 1.0)[entrance.hands]
        gain = given[root] * below * tree.payoffs[ends, 1 - hero]
        last, earlier = row[tree.terminal_slots[ends, 1 - hero]], row[infosets.parent[foe_sets]]
        self.upper = sparse_rows(
            (
                np.where(last >= 0, last, wins[entrance.hands[root]]),
                column[tree.terminal_slots[ends, hero]],
                gain,
            ),
            (np.where(earlier >= 0, earlier, wins[hand_of_set[~own]]), v, 1.0),
            (row[foe_slots], np.repeat(v, infosets.n_actions[foe_sets]), -1.0),
            (wins, self.u, -1.0),
            (stops, self.u, 1.0),
            (stops, self.t, -1.0),
            (chooses, self.u, 1.0),
            (chooses, np.full(hands, self.columns - 1), (mass > 0).astype(float)),
            shape=(len(foe_slots) + 3 * hands, self.columns),
        )
        self.limits = np.zeros(len(foe_slots) + 3 * hands)
        self.limits[chooses] = entrance.worth
        self.lowest = np.zeros(self.columns)
        self.lowest[before + 1 :] = -np.inf
        self.lowest[self.t] = entrance.worth
        self.equal, self.right = plan_rows(infosets, own_sets, column, self.columns)

    def objective(self, kind: str) -> Floats:
        """What the hero makes as small as can be."""
        found = np.zeros(self.columns)
        if kind == "maxmargin":
            found[-1] = -1.0
            return found
        must, free = entry_weights(kind, self.entrance.prior, self.weights)
        found[self.u], found[self.t] = self.weights * must, self.weights * free
        return found
