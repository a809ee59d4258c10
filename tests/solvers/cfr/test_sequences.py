from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.solvers import Strategy, counterfactual_values
from pokerlab.solvers.cfr.sequences import Sequences
from pokerlab.trees import GameTree


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (4, 2), (5, 2), (7, 3), (0, 3)])
def test_values_over_sequences_are_those_over_nodes(
    seed: int, players: int, random_tree: Callable[..., GameTree]
) -> None:
    tree = random_tree(seed, players)
    infosets, game = tree.infosets, Sequences.of(tree)
    weights = np.random.default_rng(seed).random(infosets.slots)
    strategy = Strategy.from_weights(infosets, weights)

    reach = np.ones(infosets.slots + players)
    for infoset in range(len(infosets)):
        here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        reach[here] = reach[game.parent[infoset]] * strategy.array[here]
    others = game.others.reshape(-1, players - 1)
    terms = game.coefficient * reach[others].prod(axis=1)
    slot_of_term = np.repeat(np.arange(infosets.slots), np.diff(game.row.astype(int)))
    value = np.bincount(slot_of_term, terms, minlength=infosets.slots + players)
    for infoset in reversed(range(len(infosets))):
        here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        value[game.parent[infoset]] += strategy.array[here] @ value[here]

    for player in range(players):
        worth = counterfactual_values(tree, strategy, player)[:, player]
        for slot in infosets.slots_of(player):
            assert value[slot] == pytest.approx(worth[tree.slot == slot].sum(), abs=1e-12)


def test_leduc_has_few_terms(catalogue_tree: Callable[[str], GameTree]) -> None:
    game = Sequences.of(catalogue_tree("leduc"))
    assert len(game.coefficient) <= 2 * 5520
    assert (np.diff(game.row.astype(int)) >= 0).all()
    assert game.row[-1] == len(game.coefficient)
