"""All equilibria in pure strategies of a small game, for any number of players.

The game is turned into its normal form: a strategy says what a player does at each of their
information sets, also at those that their own play never reaches. The number of strategies grows
quickly, so this is for games to learn from.
"""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from pokerlab.trees.game_tree import GameTree

_MAX_PROFILES = 100_000
_TOLERANCE = 1e-9


def pure_equilibria(tree: GameTree) -> list[dict[str, str]]:
    """Every profile of pure strategies in which nobody gains by changing theirs alone.

    Returns
    -------
    list of dict
        For each equilibrium, the action at each information set by name.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> for equilibrium in pure_equilibria(GameTree.build(load_game("seminar1"))):
    ...     print(*equilibrium.values())
    X w y
    X w z
    Y x y
    """
    infosets = tree.infosets
    owned = [np.flatnonzero(infosets.player == player) for player in range(tree.players)]
    sizes = [prod(int(infosets.n_actions[one]) for one in sets) for sets in owned]
    if prod(sizes) > _MAX_PROFILES:
        raise ValueError(
            f"{tree.game.name} has {prod(sizes):,} profiles of pure strategies; "
            f"at most {_MAX_PROFILES:,} can be listed"
        )
    strategies = [
        list(
            product(
                *[range(infosets.offset[one], infosets.offset[one + 1]) for one in sets.tolist()]
            )
        )
        for sets in owned
    ]
    # plays[p][s, z]: whether strategy s of player p plays towards terminal node z.
    plays = []
    for player, choices in enumerate(strategies):
        chosen = np.zeros((len(choices), infosets.slots + 1), bool)
        chosen[:, -1] = True  # the slot -1: no move yet
        for number, slots in enumerate(choices):
            chosen[number, list(slots)] = True
        for infoset in owned[player].tolist():
            here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            chosen[:, here] &= chosen[:, [infosets.parent[infoset]]]
        plays.append(chosen[:, tree.terminal_slots[:, player]].astype(float))
    letters = "abcdefghijklmnop"[: tree.players]
    spec = ",".join(f"{letter}z" for letter in letters)
    stable = np.ones(sizes, bool)
    for player in range(tree.players):
        worth = tree.terminal_chance * tree.payoffs[:, player]
        payoff = np.einsum(f"{spec},z->{letters}", *plays, worth, optimize=True)
        stable &= payoff >= payoff.max(axis=player, keepdims=True) - _TOLERANCE
    return [
        {
            infosets.names[infosets.slot_infoset[slot]]: infosets.action(slot)
            for player, number in enumerate(profile)
            for slot in strategies[player][number]
        }
        for profile in np.argwhere(stable).tolist()
    ]
