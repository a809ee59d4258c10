"""What a walk does at one node: split reach, or write its value and learn.

Where hands are stored in groups, `group_kernels` does it. Numba leaves a branch out, before it
compiles it, where an argument that the branch asks for is None: so there are two, `groups`, which
is None where each hand is stored by itself, and `alone`, which is None where hands are in groups.
"""

from __future__ import annotations

from typing import Any

from pokerlab.engine.cpu.kernels.group_kernels import mix_groups, split_groups, value_groups
from pokerlab.engine.cpu.kernels.learning_kernels import (
    Update,
    hedge,
    match_predicted,
    match_regrets,
    seed_regrets,
)
from pokerlab.engine.cpu.kernels.lock_kernels import impose_locked_values, mix_reach
from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, split_reach
from pokerlab.engine.cpu.kernels.value_kernels import best_values, mean_values
from pokerlab.engine.cpu.nodes import Node, Stored
from pokerlab.engine.cpu.tasks import BEST, BEST_BY_GROUP, MEAN, NEW_VALUE, SEED
from pokerlab.engine.tables.arrays import GroupTables
from pokerlab.runtime.arrays import AnyArray, Reals
from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False, inner=True)
def split_at_node(
    groups: GroupTables | None,
    alone: int | None,
    player: int,
    board: int,
    reach: Reals,
    source: int,
    target: int,
    reach_width: int,
    hands: int,
    weights: AnyArray,
    sums: AnyArray,
    place: int,
    length: int,
    actions: int,
    average: Averaging,
    learn: bool,
    group_rows: Reals,
) -> None:
    """Split the reach of a player at one of the player's nodes (see `split_reach`)."""
    if groups is None:
        if alone is not None:
            split_reach(
                reach,
                source,
                target,
                reach_width,
                weights,
                sums,
                place,
                hands,
                actions,
                average,
                learn,
            )
    else:
        split_groups(
            groups,
            player,
            board,
            reach,
            source,
            target,
            reach_width,
            hands,
            weights,
            sums,
            place,
            length,
            actions,
            average,
            learn,
            group_rows,
        )


@kernel(makes_arrays=False, inner=True)
def mix_at_node(
    groups: GroupTables | None,
    alone: int | None,
    player: int,
    board: int,
    reach: Reals,
    source: int,
    target: int,
    reach_width: int,
    hands: int,
    sums: AnyArray,
    place: int,
    length: int,
    actions: int,
    average: Averaging,
    learn: bool,
    group_rows: Reals,
    locked: Reals,
    lock: int,
    free: Any,
) -> None:
    """Mix reach that was split by the free part of a soft lock with the lock (see `mix_reach`)."""
    if groups is None:
        if alone is not None:
            mix_reach(
                reach,
                source,
                target,
                reach_width,
                sums,
                place,
                locked,
                lock,
                free,
                hands,
                actions,
                average,
                learn,
            )
    else:
        mix_groups(
            groups,
            player,
            board,
            reach,
            source,
            target,
            reach_width,
            hands,
            sums,
            place,
            length,
            actions,
            average,
            learn,
            group_rows,
            locked,
            lock,
            free,
        )


@kernel(makes_arrays=False, inner=True)
def value_at_node(
    groups: GroupTables | None,
    alone: int | None,
    regret: AnyArray | None,
    hero: int,
    values: Reals,
    node: Node,
    stored: Stored,
    task: int,
    update: Update,
    group_rows: Reals,
    locked: Reals,
    lock: int,
    free: Any,
) -> None:
    """Write the value of a node of the hero, and learn if that is the task.

    Nobody learns where `regret` is None. `lock` is where its probabilities begin in `locked`; −1 if
    it is free. `free` is what a lock leaves free, in the precision of the values.
    """
    if groups is None:
        if alone is not None:
            if regret is None:
                _read_by_hand(values, node, stored, task)
            else:
                _value_by_hand(values, node, stored, regret, task, update)
            if lock >= 0:
                # Not even a best response leaves a locked strategy.
                impose_locked_values(
                    values,
                    node.target,
                    node.starts,
                    node.factors,
                    node.edge,
                    locked,
                    lock,
                    free,
                    node.hands,
                    node.actions,
                )
    else:
        value_groups(
            groups, regret, hero, values, node, stored, task, update, group_rows, locked, lock, free
        )


@kernel(inline="always", makes_arrays=False)
def _read_by_hand(values: Reals, node: Node, stored: Stored, task: int) -> None:
    target, starts, factors, edge = node.target, node.starts, node.factors, node.edge
    hands, actions, place = node.hands, node.actions, stored.place
    if task == MEAN:
        mean_values(values, target, starts, factors, edge, stored.strategy, place, hands, actions)
    else:  # without groups each hand is one
        best_values(values, target, starts, factors, edge, hands, actions)


@kernel(inline="always", makes_arrays=False)
def _value_by_hand(
    values: Reals, node: Node, stored: Stored, regret: AnyArray, task: int, update: Update
) -> None:
    target, starts, factors, edge = node.target, node.starts, node.factors, node.edge
    hands, actions, place = node.hands, node.actions, stored.place
    strategy, weights = stored.strategy, stored.weights
    if task in (MEAN, BEST, BEST_BY_GROUP):
        _read_by_hand(values, node, stored, task)
    elif task == SEED:
        seed_regrets(
            values,
            target,
            starts,
            factors,
            edge,
            strategy,
            weights,
            place,
            hands,
            actions,
            update,
        )
    else:
        if update.is_greedy:
            hedge(values, target, starts, factors, edge, weights, place, hands, actions, update)
        elif regret.size > 0:
            match_predicted(
                values,
                target,
                starts,
                factors,
                edge,
                weights,
                regret,
                place,
                hands,
                actions,
                update,
            )
        else:
            match_regrets(
                values, target, starts, factors, edge, weights, place, hands, actions, update
            )
        if update.returned == NEW_VALUE:
            mean_values(values, target, starts, factors, edge, weights, place, hands, actions)
