"""Errors of play, dominated and not.

A strategy errs when it guarantees less than the value of the game, or takes a *dominated* action:
one that is never better than another, whatever the opponent does, and sometimes worse. Other
errors, for example always rock, lose only against an opponent who takes advantage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.analysis.dominance import Elimination, obvious_moves
from pokerlab.solvers.evaluation.restricted_player import check_zero_sum
from pokerlab.solvers.evaluation.tree_values import best_response, counterfactual_values
from pokerlab.solvers.exact.sequence_form import solve_lp
from pokerlab.solvers.strategy import StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class PlayError:
    """An action that a strategy should play less.

    Attributes
    ----------
    infoset, action, probability
        What it plays, and how often.
    loss
        How much it loses by that against the best response to it: compared with its best
        action there, weighted with how often it is reached.
    dominance
        Why the action is dominated; None if it is not.
    """

    infoset: str
    action: str
    probability: float
    loss: float
    dominance: Elimination | None

    @property
    def dominated(self) -> bool:
        """Whether another action is never worse, and sometimes better."""
        return self.dominance is not None


def find_errors(tree: GameTree, strategy: StrategyLike, player: int) -> list[PlayError]:
    """The errors of one player's part of a strategy, in a two-player zero-sum game.

    All dominated actions that the player takes, and, if they guarantee less than the value of the
    game, all actions that the best response takes advantage of. The latter need not be wrong by
    themselves: the player takes them, or others, too often.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("rps"))
    >>> always = Strategy.of(tree.infosets, {"0:": {"rock": 1}})
    >>> [(error.action, error.loss, error.dominated) for error in find_errors(tree, always, 0)]
    [('rock', 2.0, False)]
    """
    check_zero_sum(tree, "errors are found in")
    chosen = probabilities(tree, strategy)
    infosets = tree.infosets
    value = solve_lp(tree).values[player]
    answer = best_response(tree, chosen, 1 - player)
    errs = -answer.value < value - _TOLERANCE
    dominated = {
        (step.infoset, step.action): step for step in obvious_moves(tree, rounds=1).eliminations
    }
    edge = tree.slot >= 0
    node_worth = counterfactual_values(tree, answer.strategy, player)[:, player]
    worth = np.bincount(tree.slot[edge], node_worth[edge], minlength=infosets.slots)
    found = []
    own_reach = {-1: 1.0}
    for infoset in np.flatnonzero(infosets.player == player).tolist():
        slots = range(infosets.offset[infoset], infosets.offset[infoset + 1])
        before = own_reach[int(infosets.parent[infoset])]
        best = max(worth[slot] for slot in slots)
        for slot in slots:
            own_reach[slot] = before * chosen[slot]
            step = dominated.get((infosets.names[infoset], infosets.action(slot)))
            loss = float(own_reach[slot] * (best - worth[slot]))
            if own_reach[slot] > 0 and (step or (errs and loss > _TOLERANCE)):
                found.append(
                    PlayError(
                        infosets.names[infoset],
                        infosets.action(slot),
                        float(chosen[slot]),
                        loss,
                        step,
                    )
                )
    return found
