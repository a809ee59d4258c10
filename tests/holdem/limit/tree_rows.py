"""Rows of a bucketed game as a strategy on the tree of the same game."""

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.sampling.legal_rows import legal_actions
from pokerlab.solvers import Strategy


def random_rows(game, seed):
    weights = np.random.default_rng(seed).uniform(0.1, 1.0, (game.rows, 3)) * legal_actions(game)
    return weights / weights.sum(axis=1, keepdims=True)


def row_of_infosets(game, tree):
    """The row of each information set of a tree (that of the game itself, or up to suits)."""
    rows = np.full(len(tree.infosets), -1)
    for node, state in tree.states():
        number = int(tree.infoset[node])
        if number >= 0 and rows[number] < 0:
            groups = np.zeros(state.node.street + 1, np.int64)
            cards = np.array([*state.holes[state.player], *state.board], np.uint8)
            buckets_of_cards(cards, game.look_up, groups)
            rows[number] = game.first_row[game.betting.find(state.node)] + groups[-1]
    return rows


def on_tree(game, tree, probabilities):
    infosets = tree.infosets
    weights = np.zeros(infosets.slots)
    for number, row in enumerate(row_of_infosets(game, tree)):
        for place, action in enumerate(infosets.actions[number]):
            weights[infosets.offset[number] + place] = probabilities[row]["fcr".index(action)]
    return Strategy.from_weights(infosets, weights)
