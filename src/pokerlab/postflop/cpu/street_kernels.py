"""One board of a street: reach down, leaves, values up.

A walk for the *hero* starts from the opponent's reach, carries it down to the leaves, and brings
the hero's values up. Here are the steps of a walk on one board; `solve_kernels` puts them together.

Cost: what `reach_kernels`, `leaf_kernels`, `learning_kernels` and `value_kernels` say; entering
and leaving a board gather a row for each root.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.all_in_kernels import evaluate_all_ins
from pokerlab.postflop.cpu.leaf_kernels import (
    LEAVES,
    BoardHands,
    LeafWorkspace,
    Prefetch,
    evaluate_block,
)
from pokerlab.postflop.cpu.learning_kernels import (
    Update,
    hedge,
    match_predicted,
    match_regrets,
    seed_regrets,
)
from pokerlab.postflop.cpu.lock_kernels import impose_lock, impose_locked_values
from pokerlab.postflop.cpu.reach_kernels import split_reach
from pokerlab.postflop.cpu.value_kernels import add_values, best_values, mean_values
from pokerlab.postflop.cpu.vector_kernels import gather, load, splat, store
from pokerlab.postflop.tables.arrays import BoardTables, Locks, Program, StreetStorage

Rows: TypeAlias = npt.NDArray[np.floating[Any]]

inlined = kernel(makes_arrays=False, inline="always")
"""For a step of a walk. A function that takes a street takes some five hundred numbers, and
compiling all that goes from one function to the next took longer than compiling what they do."""

LEARN = 0
"""The hero's strategies are updated, and what the opponent plays is added to the sums."""
BEST = 1
"""The value of the hero's best response."""
MEAN = 2
"""The value of the hero's strategy."""
RECORD = 3
"""Nothing comes up: what the opponent plays is added to the sums, and that is all. (With averages
as strategies, probabilities in the sums are multiplied by the reach that arrives.)"""
SEED = 4
"""Regrets are written that a solve may have which arrived at the average strategies."""

NEW_VALUE = 1
"""The code of the rules' choice to pass up the value of the new strategy."""


class Walk(NamedTuple):
    """Who walks, and what for."""

    hero: int
    task: int
    average: bool
    """Whether strategies are the averages rather than the current ones."""
    update: Update
    widths: tuple[int, int]
    """The length of a row of each player's hands."""
    padded: tuple[int, int]
    """The hands of each player, padding included."""


class StreetArrays(NamedTuple):
    """All of a street that a walk needs."""

    program: Program
    tables: BoardTables
    storage: StreetStorage
    locks: Locks
    win_margins: tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]
    """Those of each player's hands (see `all_in_kernels`); empty where no all-in needs them."""
    run_out: Any
    """The chance of a run-out from this street, given both hands."""


class Workspace(NamedTuple):
    """What one thread needs on one street, for one hero."""

    reach: Rows
    values: Rows
    leaves: LeafWorkspace


@inlined
def walk_down(street: StreetArrays, walk: Walk, board: int, batch: int, reach: Rows) -> None:
    """Split the reach at the opponent's nodes of a batch on a board."""
    program, storage = street.program, street.storage
    other = 1 - walk.hero
    first = street.tables.hands[other].first
    hands = first[board + 1] - first[board]
    sums = storage.sums[other]
    weights = sums if walk.average else storage.strategy_weights[other]
    base = storage.first[other][board]
    learn = walk.task == RECORD or (walk.task == LEARN and not walk.average)
    learn = learn and sums.size > 0
    for node in range(program.batches[batch, 0], program.batches[batch, 1]):
        if not program.mine[node]:
            place = base + program.slot[node] * hands
            actions = program.first_edge[node + 1] - program.first_edge[node]
            lock = _find_lock(street, board, node)
            if lock >= 0 and not walk.average:
                impose_lock(weights, place, street.locks.shares, lock, hands, actions)
            split_reach(
                reach,
                program.reach_start[node],
                program.split_start[node],
                walk.widths[other],
                weights,
                sums,
                place,
                hands,
                actions,
                walk.update.average,
                learn,
            )


@inlined
def _find_lock(street: StreetArrays, board: int, node: int) -> int:
    """Where the locked probabilities of a node begin; −1 if it is free."""
    if street.locks.start.size == 0:
        return -1
    return int(street.locks.start[board * street.program.mine.size + node])


@inlined
def walk_up(street: StreetArrays, walk: Walk, board: int, batch: int, values: Rows) -> None:
    """Bring the values of a batch up on a board."""
    program, storage = street.program, street.storage
    first = street.tables.hands[walk.hero].first
    hands = first[board + 1] - first[board]
    weights, regret = storage.strategy_weights[walk.hero], storage.regret[walk.hero]
    strategy = storage.sums[walk.hero] if walk.average else weights
    base = storage.first[walk.hero][board]
    starts, factors = program.edge_start, program.edge_factor
    for node in range(program.batches[batch, 1] - 1, program.batches[batch, 0] - 1, -1):
        edge = program.first_edge[node]
        actions = program.first_edge[node + 1] - edge
        target = program.value_start[node]
        place = base + program.slot[node] * hands
        if not program.mine[node]:
            add_values(values, target, starts, factors, edge, hands, actions)
            continue
        lock = _find_lock(street, board, node)
        if lock >= 0 and walk.task == LEARN:
            impose_lock(weights, place, street.locks.shares, lock, hands, actions)
        if walk.task == BEST:
            best_values(values, target, starts, factors, edge, hands, actions)
        elif walk.task == MEAN:
            mean_values(values, target, starts, factors, edge, strategy, place, hands, actions)
        elif walk.task == SEED:
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
                walk.update,
            )
        elif walk.update.is_greedy:
            hedge(
                values, target, starts, factors, edge, weights, place, hands, actions, walk.update
            )
            if walk.update.returned == NEW_VALUE:
                mean_values(values, target, starts, factors, edge, weights, place, hands, actions)
        else:
            if regret.size > 0:
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
                    walk.update,
                )
            else:
                match_regrets(
                    values,
                    target,
                    starts,
                    factors,
                    edge,
                    weights,
                    place,
                    hands,
                    actions,
                    walk.update,
                )
            if walk.update.returned == NEW_VALUE:
                mean_values(values, target, starts, factors, edge, weights, place, hands, actions)
        if lock >= 0:
            # Not even a best response leaves a locked strategy.
            impose_locked_values(
                values, target, starts, factors, edge, street.locks.shares, lock, hands, actions
            )


@inlined
def evaluate_leaves(
    street: StreetArrays, walk: Walk, board: int, batch: int, work: Workspace
) -> None:
    """Evaluate the leaves of a batch on a board."""
    program = street.program
    own, other = street.tables.hands[walk.hero], street.tables.hands[1 - walk.hero]
    groups = street.tables.group_first
    complete = groups.size > 0
    hands = BoardHands(
        own.first[board + 1] - own.first[board],
        other.first[board + 1] - other.first[board],
        own.cards,
        other.cards,
        own.same_hand,
        own.groups,
        groups[board] if complete else 0,
        groups[board + 1] if complete else 0,
        2 * own.first[board],
        2 * other.first[board],
    )
    storage, other_player = street.storage, 1 - walk.hero
    own_weights = storage.sums[walk.hero] if walk.average else storage.strategy_weights[walk.hero]
    other_weights = (
        storage.sums[other_player] if walk.average else storage.strategy_weights[other_player]
    )
    slots = program.batch_slots[batch]
    own_first = storage.first[walk.hero][board] + slots[0] * hands.own
    own_last = storage.first[walk.hero][board] + slots[1] * hands.own - 1
    other_first = storage.first[other_player][board] + slots[2] * hands.opposing
    first_block = program.batches[batch, 4]
    for block in range(first_block, program.batches[batch, 5]):
        done = block - first_block
        own_next = own_first + done * hands.own * (128 // own_weights.itemsize)
        other_next = other_first + done * hands.opposing * (64 // other_weights.itemsize)
        evaluate_block(
            work.reach,
            work.values,
            block * LEAVES,
            program.block_showdowns[block],
            program.block_folds[block],
            program.leaves,
            hands,
            work.leaves,
            Prefetch(own_weights, min(own_next, own_last), own_last, other_weights, other_next),
        )
    values = work.values
    if program.all_ins.reach_starts.size > 0:
        first = board * hands.own * hands.opposing
        win_margins = street.win_margins[walk.hero]
        evaluate_all_ins(
            work.reach,
            values,
            program.all_ins,
            win_margins,
            first,
            hands.own,
            hands.opposing,
            street.run_out,
        )
    for raked in range(program.batches[batch, 6], program.batches[batch, 7]):
        showdown = splat(program.raked_factors[raked, 0])
        unblocked = splat(program.raked_factors[raked, 1])
        for hand in range(0, hands.own, 16):
            beaten = load(values, program.raked_starts[raked, 1] + hand)
            total = load(values, program.raked_starts[raked, 2] + hand)
            mixed = beaten * showdown + total * unblocked
            store(values, program.raked_starts[raked, 0] + hand, mixed)


@inlined
def enter_board(
    street: StreetArrays,
    walk: Walk,
    board: int,
    batch: int,
    above: Program,
    above_reach: Rows,
    reach: Rows,
) -> None:
    """Gather the reach of a batch's roots from the board above."""
    program = street.program
    other = street.tables.hands[1 - walk.hero]
    first, last = other.first[board], other.first[board + 1]
    for root in range(program.batches[batch, 2], program.batches[batch, 3]):
        source, target = above.next_reach[root], program.root_reach[root] - first
        for entry in range(first, last, 16):
            store(reach, target + entry, gather(above_reach, source, other.order, entry))


@inlined
def leave_board(
    street: StreetArrays,
    walk: Walk,
    board: int,
    batch: int,
    chance: Any,
    above: Program,
    values: Rows,
    above_values: Rows,
) -> None:
    """Add the values of a batch's roots to the board above, for every card it stands for."""
    program, tables = street.program, street.tables
    positions = tables.hands[walk.hero].positions
    padded = walk.padded[walk.hero]
    for root in range(program.batches[batch, 2], program.batches[batch, 3]):
        source, target = program.root_value[root], above.next_value[root]
        factor = splat(chance)
        for member in range(tables.member_first[board], tables.member_first[board + 1]):
            here = member * padded
            for hand in range(0, padded, 16):
                carried = gather(values, source, positions, here + hand) * factor
                store(above_values, target + hand, load(above_values, target + hand) + carried)


@inlined
def clear_next_values(program: Program, width: int, values: Rows) -> None:
    """Empty the rows in which the values of the next street are added up."""
    for root in range(program.next_value.size):
        start = program.next_value[root]
        for hand in range(width):
            values[start + hand] = 0


@inlined
def fill_next_values(program: Program, known: Rows, values: Rows) -> None:
    """Write known values of the next street's roots (root, hand) to their rows."""
    for root in range(program.next_value.size):
        start = program.next_value[root]
        for hand in range(known.shape[1]):
            values[start + hand] = known[root, hand]
