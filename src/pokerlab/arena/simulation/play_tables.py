"""The betting tree and the tables of all players, packed for the loop that plays them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pokerlab.arena.simulation.action_kernels import (
    FIELD,
    LIMIT_SHIFT,
    PLAYER_SHIFT,
    SAME_STREET,
    Choices,
)
from pokerlab.arena.simulation.simulation_kernels import Endings
from pokerlab.cards.isomorphism.index_rows_kernels import RowIndex
from pokerlab.cards.isomorphism.row_index import row_index
from pokerlab.games import BettingGame
from pokerlab.holdem.limit.buckets.look_up_kernels import LOOK_UP_STREETS
from pokerlab.holdem.limit.buckets.street_buckets import hand_indexer
from pokerlab.players.strategies.table_strategy import TableStrategy
from pokerlab.runtime.arrays import Int8s, Int64s, Singles, Uint64s
from pokerlab.trees.limit.betting import ACTIONS, FlatBetting
from pokerlab.trees.limit.betting_kernels import CALL, FOLD, POSITION, RAISE, STREET

DRAWS = 1 << 24
"""The size of the set of numbers from which a decision draws one."""


def pack_choices(betting: FlatBetting, tables: Sequence[TableStrategy]) -> Choices:
    """The tables for `action_kernels`; a table that several players share is there once."""
    different = list({id(table): table for table in tables}.values())
    starts = np.cumsum([0, *(len(table.probabilities) for table in different)])
    start_of = {id(table): start for table, start in zip(different, starts, strict=False)}
    limits = [pack_limits(table.probabilities) for table in different]
    nodes, players = len(betting.nodes), len(tables)
    node_bits, turn_bits = max(nodes - 1, 1).bit_length(), max(players - 1, 1).bit_length()
    moves = np.zeros((players, 1 << node_bits), np.uint64)
    first_row = np.zeros((players, 1 << node_bits), np.int64)
    follows = _pack_moves(betting)
    for turn in range(players):
        player = (betting.tree.nodes[:, POSITION] - turn) % players
        moves[turn, :nodes] = follows | player.astype(np.uint64) << np.uint64(PLAYER_SHIFT)
        for number, table in enumerate(tables):
            row = table.first_row + start_of[id(table)]
            first_row[turn, :nodes][player == number] = row[player == number]
    return Choices(
        nodes,
        np.uint64(node_bits),
        np.uint64(turn_bits),
        moves.ravel(),
        first_row.ravel(),
        betting.streets if _leads_past_a_street(betting) else np.empty(0, np.int64),
        limits[0] if len(limits) == 1 else np.concatenate(limits),
    )


def _pack_moves(betting: FlatBetting) -> Uint64s:
    nodes = betting.tree.nodes.astype(np.int64)
    if len(betting.nodes) + len(betting.leaves) > SAME_STREET:
        raise ValueError(f"the betting of {betting.game.name} has too many nodes for tables")
    street = np.concatenate([nodes[:, STREET], np.full(len(betting.leaves), -1)])
    packed = np.zeros(len(nodes), np.uint64)
    for action in (FOLD, CALL, RAISE):
        # A call takes the place of what is not legal, as at a table of the arena.
        target = np.where(nodes[:, action] < 0, nodes[:, CALL], nodes[:, action])
        move = target + SAME_STREET * (street[target] == nodes[:, STREET])
        packed |= move.astype(np.uint64) << np.uint64(FIELD * action)
    return packed


def _leads_past_a_street(betting: FlatBetting) -> bool:
    """Whether somebody may act on a street when nobody has acted on the one before."""
    nodes = betting.tree.nodes
    if not len(nodes) or nodes[0, STREET] != 0:
        return True
    parents, columns = np.nonzero(nodes[:, : len(ACTIONS)] >= 0)
    children = nodes[parents, columns]
    decides = children < len(nodes)
    steps = nodes[children[decides], STREET] - nodes[parents[decides], STREET]
    return bool((steps > 1).any())


def pack_limits(probabilities: Singles) -> Uint64s:
    """Which of 2**24 equally likely numbers fold, and which raise; the others call.

    Number k folds if k / 2**24 is below the probability to fold, and raises if in float32 it and
    the probability to raise are 1 or more together. A row of NaN calls.

    Examples
    --------
    >>> packed = pack_limits(np.array([[0.25, 0.5, 0.25], [np.nan] * 3], np.float32)).tolist()
    >>> [(limits % 2**32 / DRAWS, (limits >> 32) / DRAWS) for limits in packed]
    [(0.25, 0.75), (0.0, 1.0)]
    """
    fold = np.nan_to_num(probabilities[:, FOLD].astype(np.float64), nan=0.0)
    raised = np.nan_to_num(probabilities[:, RAISE].astype(np.float64), nan=0.0)
    fold_below = np.clip(np.ceil(fold * DRAWS), 0, DRAWS).astype(np.uint64)
    # The largest float32 below 1 is 1 - 2**-24, and what is half way is rounded to 1.
    raise_from = np.clip(np.ceil((1.0 - raised) * DRAWS - 0.5), 0, DRAWS).astype(np.uint64)
    packed: Uint64s = fold_below | raise_from << np.uint64(LIMIT_SHIFT)
    return packed


def pay_endings(betting: FlatBetting) -> Endings:
    """The payoffs of the leaves; players who are still in have all spent the same."""
    spent = betting.tree.spent
    pot = spent.sum(axis=1, keepdims=True)
    payoffs = [-spent.astype(np.float64)]
    for winners in range(1, betting.game.players + 1):
        odd = pot % winners if betting.game.odd_chips == "first" else np.zeros_like(pot)
        share = (pot - odd) / winners
        payoffs += [odd + share - spent, share - spent]
    return Endings(betting.tree.live, np.stack(payoffs, axis=2) / float(betting.game.unit))


def row_indices(game: BettingGame) -> tuple[RowIndex, ...]:
    """The indexers of private cards and boards, many at a time, street by street."""
    streets = range(min(len(game.streets), LOOK_UP_STREETS))
    found = [row_index(hand_indexer(game, street).cards_per_round) for street in streets]
    return tuple(found + found[:1] * (LOOK_UP_STREETS - len(found)))


@lru_cache(maxsize=8)
def actions_by_leaf(betting: FlatBetting) -> Int8s:
    """The actions to each leaf, shape (leaves, most actions): columns of a table, then −1.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> actions_by_leaf(flatten_betting(load_betting_game("kuhn"))).tolist()
    [[1, 1, -1], [1, 2, 0], [1, 2, 1], [2, 0, -1], [2, 1, -1]]
    """
    nodes = betting.tree.nodes
    paths = np.full((len(nodes) + len(betting.leaves), betting.longest), -1, np.int8)
    level = np.arange(min(len(nodes), 1))
    for step in range(betting.longest):
        deeper = []
        for action in (FOLD, CALL, RAISE):
            legal = level[nodes[level, action] >= 0]
            children = nodes[legal, action]
            paths[children] = paths[legal]
            paths[children, step] = action
            deeper.append(children[children < len(nodes)])
        level = np.concatenate(deeper)
    return paths[len(nodes) :]


def count_actions(betting: FlatBetting, endings: Int64s) -> Int64s:
    """How often each player folded, called and raised on each street, shape (players, streets, 3).

    Parameters
    ----------
    betting
        The betting tree.
    endings
        (players, leaves): how often each leaf was reached while the players were moved by 0, 1, …
        positions.
    """
    game = betting.game
    counts = np.zeros((game.players, len(game.streets), len(ACTIONS)), np.int64)
    nodes = betting.tree.nodes
    leaves = np.flatnonzero(endings.any(axis=0))
    node = np.zeros(len(leaves), np.int64)
    for actions in actions_by_leaf(betting)[leaves].T:
        acts = np.flatnonzero(actions >= 0)
        action, row = actions[acts], nodes[node[acts]]
        for turn in range(game.players):
            player = (row[:, POSITION] - turn) % game.players
            np.add.at(counts, (player, row[:, STREET], action), endings[turn, leaves[acts]])
        node[acts] = nodes[node[acts], action]
    return counts
