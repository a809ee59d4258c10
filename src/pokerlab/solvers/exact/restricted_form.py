"""The response to a restricted player, exactly, by linear programming.

The program of `sequence_form` with one more variable for each information set of the restricted
player (see `RestrictedPlayer`): besides the value w of choosing best there, the value v of the
mixture that is played, by the model m with probability p(set)::

    maximise   whole · (what h wins from the model) + (1 - whole) · q(no move yet)
    subject to h is a plan of the hero
               w(set) ≤ q(action)                        for each action of the set
               v(set) = p · Σ m(action) · q(action) + (1 - p) · w(set)
    where      q(action) = Σ k·h over the terminal nodes + Σ v over the next sets

Nothing is shared with the iterations of `CfrSolver`, so each is a test of the other.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.solvers.evaluation.restricted_player import RestrictedPlayer
from pokerlab.solvers.exact.highs import minimise


def respond_exactly(
    restricted: RestrictedPlayer, at_least: float | None = None
) -> tuple[float, Floats, int]:
    """The value of the game against a restricted player, for the other, who responds.

    Parameters
    ----------
    restricted
        The opponent.
    at_least
        If given: win the most from the model instead, among all strategies that win at least
        this much from the restricted player, whatever they choose.

    Returns
    -------
    The value; the weights of the responder's slots (0 for the others'), which
    `Strategy.from_weights` makes a strategy; and the number of simplex steps.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> caller = {name: {"c": 1} for name, who in zip(tree.infosets.names, tree.infosets.player)
    ...           if who == 1}
    >>> value, _, _ = respond_exactly(RestrictedPlayer.of(tree, caller, 1, 1.0))
    >>> round(value, 6)
    0.333333
    """
    tree, infosets, foe = restricted.tree, restricted.tree.infosets, restricted.player
    hero = 1 - foe
    own_slots, foe_slots = infosets.slots_of(hero), infosets.slots_of(foe)
    own_sets, foe_sets = (np.flatnonzero(infosets.player == who) for who in (hero, foe))
    # Plans begin with the empty sequence, number 0; slot -1 is its name in the tree.
    number = np.zeros(infosets.slots + 1, np.int64)
    number[own_slots] = 1 + np.arange(len(own_slots))
    number[foe_slots] = 1 + np.arange(len(foe_slots))

    terminal_rows = number[tree.terminal_slots[:, foe]]
    terminal_columns = number[tree.terminal_slots[:, hero]]
    gains = sparse.coo_array(
        (tree.terminal_chance * tree.payoffs[:, hero], (terminal_rows, terminal_columns)),
        shape=(len(foe_slots) + 1, len(own_slots) + 1),
    ).tocsr()
    follows = _incidence(number[infosets.parent[foe_sets]], len(foe_slots) + 1)
    of_set = np.repeat(np.arange(len(foe_sets)), infosets.n_actions[foe_sets])
    actions = _incidence(of_set, len(foe_sets)).T  # a row for each slot
    held = actions.T @ sparse.diags_array(restricted.held[foe_slots])
    free = sparse.diags_array(restricted.free[foe_sets])

    model = np.concatenate([[1.0], restricted.model_plan(foe_slots)])
    whole = restricted.restriction.whole
    from_model = np.concatenate([model @ gains, np.zeros(2 * len(foe_sets))])
    at_worst = np.concatenate(
        [gains[[0]].toarray()[0], np.zeros(len(foe_sets)), follows[[0]].toarray()[0]]
    )
    objective = whole * from_model + (1.0 - whole) * at_worst
    own_set = np.repeat(np.arange(len(own_sets)), infosets.n_actions[own_sets])
    chosen = sparse.hstack(
        [sparse.coo_array((len(own_sets), 1)), _incidence(own_set, len(own_sets))]
    )
    flow = chosen - _incidence(number[infosets.parent[own_sets]], len(own_slots) + 1).T
    nothing = sparse.coo_array((len(own_sets), 2 * len(foe_sets)))
    first = sparse.coo_array(([1.0], ([0], [0])), shape=(1, len(objective)))
    worst = sparse.hstack([-gains[1:], actions, -follows[1:]])
    mixed = sparse.hstack(
        [-held @ gains[1:], -free, sparse.eye_array(len(foe_sets)) - held @ follows[1:]]
    )
    limits = np.zeros(len(foe_slots))
    if at_least is not None:
        worst = sparse.vstack([worst, sparse.coo_array(-objective[None])])
        limits = np.append(limits, -at_least)
        objective = from_model
    lowest = np.full(len(objective), -np.inf)
    lowest[: len(own_slots) + 1] = 0.0
    result = minimise(
        -objective,
        upper=worst.tocsr(),
        limits=limits,
        equal=sparse.vstack([first, sparse.hstack([flow, nothing]), mixed]).tocsr(),
        right=np.concatenate([[1.0], np.zeros(len(own_sets) + len(foe_sets))]),
        lowest=lowest,
        name=tree.game.name,
    )
    weights = np.zeros(infosets.slots)
    weights[own_slots] = np.maximum(result.x[1 : len(own_slots) + 1], 0.0)
    return -float(result.fun), weights, int(result.nit)


def _incidence(rows: Int64s, count: int) -> sparse.csr_array:
    """A column for each of `rows`, with a 1 in that row, of `count` rows."""
    return sparse.coo_array(
        (np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(count, len(rows))
    ).tocsr()
