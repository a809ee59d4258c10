from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.solvers.evaluation.evaluation_kernels import best_reply, flow_down, flow_up
from pokerlab.trees import GameTree


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (4, 2), (7, 3), (2, 3)])
def test_kernels_against_plain_python(
    seed: int, players: int, random_tree: Callable[..., GameTree]
) -> None:
    tree = random_tree(seed, players)
    rng = np.random.default_rng(seed)
    chosen = rng.random(tree.infosets.slots)
    edge = np.where(tree.slot >= 0, chosen[tree.slot], tree.chance)

    down = np.empty(len(tree))
    flow_down(tree.parent, tree.slot, tree.chance, chosen, down)
    expected = np.ones(len(tree))
    for node in range(1, len(tree)):
        expected[node] = expected[tree.parent[node]] * edge[node]
    assert down == pytest.approx(expected)

    up = np.zeros((len(tree), players))
    up[tree.terminals] = tree.payoffs
    flow_up(tree.parent, tree.slot, tree.chance, chosen, up)
    for node in range(len(tree)):
        children = tree.children(node)
        if children:
            assert up[node] == pytest.approx(edge[children] @ up[children])

    infosets = tree.infosets
    for player in range(players):
        here, end = np.searchsorted(infosets.player, [player, player + 1])
        worth, choice = np.zeros(infosets.slots), np.zeros(len(infosets), np.int32)
        weight = rng.random(len(tree))
        total = best_reply(
            player,
            tree.parent,
            tree.player,
            tree.infoset,
            tree.slot,
            infosets.slot_player,
            tree.terminals,
            np.ascontiguousarray(tree.payoffs[:, player]),
            weight,
            here,
            end,
            infosets.offset,
            np.empty(len(tree), np.int32),
            np.empty(len(infosets), np.int32),
            worth,
            choice,
        )
        plain = np.zeros(infosets.slots + 1)  # the last is "no move yet", slot -1
        np.add.at(
            plain,
            tree.terminal_slots[:, player],
            weight[tree.terminals] * tree.payoffs[:, player],
        )
        for infoset in range(end - 1, here - 1, -1):
            slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            assert choice[infoset] == slots.start + np.argmax(plain[slots])
            plain[infosets.parent[infoset]] += plain[slots].max()
        assert total == pytest.approx(plain[-1])
        assert worth == pytest.approx(plain[:-1])
