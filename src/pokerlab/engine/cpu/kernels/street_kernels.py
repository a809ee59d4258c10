"""One board of a street: reach down, leaves, values up.

A walk for the *hero* starts from the opponent's reach, carries it down to the leaves, and brings
the hero's values up. Here are the steps of a walk on one board; `solve_kernels` puts them together.

Cost: what `reach_kernels`, `leaf_kernels`, `learning_kernels` and `value_kernels` say; entering
and leaving a board gather a row for each root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.engine.cpu.kernels.leaf_kernels import (
    LEAVES,
    BoardHands,
    LeafWorkspace,
    evaluate_block,
)
from pokerlab.engine.cpu.kernels.learning_kernels import Update
from pokerlab.engine.cpu.kernels.lock_kernels import impose_lock, take_out_lock
from pokerlab.engine.cpu.kernels.node_kernels import mix_at_node, split_at_node, value_at_node
from pokerlab.engine.cpu.kernels.product_kernels import (
    LISTS,
    evaluate_all_ins,
    multiply_rows,
)
from pokerlab.engine.cpu.kernels.reach_kernels import Averaging
from pokerlab.engine.cpu.kernels.sweep_kernels import Sweep
from pokerlab.engine.cpu.kernels.tie_kernels import evaluate_ties
from pokerlab.engine.cpu.kernels.value_kernels import add_values
from pokerlab.engine.cpu.nodes import Node, Stored
from pokerlab.engine.cpu.tasks import LEARN, MEAN, RECORD, SEED
from pokerlab.engine.tables.arrays import (
    BoardTables,
    GroupTables,
    Locks,
    Program,
    StreetStorage,
    Subset,
)
from pokerlab.runtime.arrays import Int64s, Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import gather, load, splat, store


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
    groups: GroupTables | None
    """Which hands share storage; None where each has its own."""
    alone: int | None
    """None where hands share storage (see `node_kernels`)."""
    locks: Locks
    win_margins: tuple[Uint16s, Uint16s]
    """Those of each player's hands (see `product_kernels`); empty where no all-in needs them."""
    run_out: Any
    """The chance of a run-out from this street, given both hands."""
    sweep: Sweep
    subset: Subset
    """Where cards are left out."""


class Workspace(NamedTuple):
    """What one thread needs on one street, for one hero."""

    reach: Reals
    values: Reals
    groups: Reals
    leaves: LeafWorkspace
    lists: Uint16s
    """Room for `LISTS` lists of opposing hands (`product_kernels`)."""
    tile: Reals
    """Room for a tile of a matrix, and for products (`product_kernels`)."""


@kernel(makes_arrays=False, inner=True)
def walk_down(street: StreetArrays, walk: Walk, board: int, batch: int, work: Workspace) -> None:
    """Split the reach at the opponent's nodes of a batch on a board."""
    program, storage, reach = street.program, street.storage, work.reach
    other = 1 - walk.hero
    first = street.tables.hands[other].first
    hands = first[board + 1] - first[board]
    row = storage.rows[other][board]
    sums = storage.sums[other]
    weights = sums if walk.average else storage.strategy_weights[other]
    base = storage.first[other][board]
    learn = walk.task == RECORD or (walk.task == LEARN and not walk.average)
    learn = learn and sums.size > 0
    average = Averaging(walk.update.average, walk.update.iteration)
    for node in range(program.batches[batch, 0], program.batches[batch, 1]):
        if not program.mine[node]:
            place = base + program.slot[node] * row
            actions = program.first_edge[node + 1] - program.first_edge[node]
            lock = -1 if walk.average else _find_lock(street, board, node)
            free = _free_part(street, board, node, lock)
            if lock >= 0 and free == 0:
                impose_lock(weights, place, street.locks.shares, lock, row, actions)
            split_at_node(
                street.groups,
                street.alone,
                other,
                board,
                reach,
                program.reach_start[node],
                program.split_start[node],
                walk.widths[other],
                hands,
                weights,
                sums,
                place,
                row,
                actions,
                average,
                learn and free == 0,
                work.groups,
            )
            if free > 0:
                mix_at_node(
                    street.groups,
                    street.alone,
                    other,
                    board,
                    reach,
                    program.reach_start[node],
                    program.split_start[node],
                    walk.widths[other],
                    hands,
                    sums,
                    place,
                    row,
                    actions,
                    average,
                    learn,
                    work.groups,
                    street.locks.shares,
                    lock,
                    reach.dtype.type(free),
                )


@kernel(inline="always", makes_arrays=False)
def _free_part(street: StreetArrays, board: int, node: int, lock: int) -> Any:
    """What a lock leaves free; 0 where the lock is all, and where there is none."""
    if lock < 0:
        return np.float32(0)
    return street.locks.free[board * street.program.mine.size + node]


@kernel(inline="always", makes_arrays=False)
def _find_lock(street: StreetArrays, board: int, node: int) -> int:
    """Where the locked probabilities of a node begin; −1 if it is free."""
    if street.locks.start.size == 0:
        return -1
    return int(street.locks.start[board * street.program.mine.size + node])


@kernel(makes_arrays=False, inner=True)
def walk_up(street: StreetArrays, walk: Walk, board: int, batch: int, work: Workspace) -> None:
    """Bring the values of a batch up on a board."""
    program, storage, values = street.program, street.storage, work.values
    first = street.tables.hands[walk.hero].first
    hands = first[board + 1] - first[board]
    row = storage.rows[walk.hero][board]
    weights, regret = storage.strategy_weights[walk.hero], storage.regret[walk.hero]
    strategy = storage.sums[walk.hero] if walk.average else weights
    base = storage.first[walk.hero][board]
    starts, factors = program.edge_start, program.edge_factor
    for node in range(program.batches[batch, 1] - 1, program.batches[batch, 0] - 1, -1):
        edge = program.first_edge[node]
        actions = program.first_edge[node + 1] - edge
        target = program.value_start[node]
        place = base + program.slot[node] * row
        if not program.mine[node]:
            add_values(values, target, starts, factors, edge, hands, actions)
            continue
        lock = _find_lock(street, board, node)
        free = _free_part(street, board, node, lock)
        played = strategy
        if free > 0:
            if walk.task == SEED:
                take_out_lock(strategy, weights, place, street.locks.shares, lock, row, actions)
                played = weights
            elif walk.task == MEAN and walk.average:
                lock = -1  # averages are those of the mixture
        elif lock >= 0 and walk.task == LEARN:
            impose_lock(weights, place, street.locks.shares, lock, row, actions)
        value_at_node(
            street.groups,
            street.alone,
            regret,
            walk.hero,
            values,
            Node(target, starts, factors, edge, actions, board, hands),
            Stored(weights, played, place, row),
            walk.task,
            walk.update,
            work.groups,
            street.locks.shares,
            lock,
            values.dtype.type(free),
        )


@kernel(makes_arrays=False, inner=True)
def evaluate_leaves(
    street: StreetArrays, walk: Walk, board: int, batch: int, work: Workspace
) -> None:
    """Evaluate the leaves of a batch on a board."""
    program = street.program
    own, other = street.tables.hands[walk.hero], street.tables.hands[1 - walk.hero]
    hands = BoardHands(
        own.first[board + 1] - own.first[board],
        other.first[board + 1] - other.first[board],
        street.sweep,
        own.first[board],
        other.first[board],
    )
    first_block = program.batches[batch, 4]
    for block in range(first_block, program.batches[batch, 5]):
        evaluate_block(
            work.reach,
            work.values,
            block * LEAVES,
            program.block_showdowns[block],
            program.block_folds[block],
            program.leaves,
            hands,
            work.leaves,
        )
        if program.leaves.tie_starts.size > 0 and program.block_showdowns[block]:
            evaluate_ties(
                work.values,
                block * LEAVES,
                program.leaves,
                own,
                other,
                board,
                street.tables.group_first,
                work.leaves,
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
            work.lists,
            work.tile,
        )
    for raked in range(program.batches[batch, 6], program.batches[batch, 7]):
        showdown = splat(program.raked_factors[raked, 0])
        unblocked = splat(program.raked_factors[raked, 1])
        tie = splat(program.raked_factors[raked, 2])
        for hand in range(0, hands.own, 16):
            beaten = load(values, program.raked_starts[raked, 1] + hand)
            total = load(values, program.raked_starts[raked, 2] + hand)
            mixed = beaten * showdown + total * unblocked
            if program.raked_factors[raked, 2] != 0:
                mixed = mixed + tie * load(values, program.raked_starts[raked, 3] + hand)
            store(values, program.raked_starts[raked, 0] + hand, mixed)


@kernel(makes_arrays=False, inner=True)
def enter_board(
    street: StreetArrays,
    walk: Walk,
    board: int,
    batch: int,
    above_starts: Int64s,
    above_reach: Reals,
    reach: Reals,
) -> None:
    """Gather the reach of a batch's roots from the rows of the board above."""
    program, arriving = street.program, street.subset.arriving
    other = street.tables.hands[1 - walk.hero]
    first, last = other.first[board], other.first[board + 1]
    for root in range(program.batches[batch, 2], program.batches[batch, 3]):
        source, target = above_starts[root], program.root_reach[root] - first
        for entry in range(first, last, 16):
            found = gather(above_reach, source, other.order, entry)
            if arriving.size > 0:
                found = found * load(arriving, entry)
            store(reach, target + entry, found)


@kernel(makes_arrays=False, inner=True)
def leave_board(
    street: StreetArrays,
    walk: Walk,
    board: int,
    batch: int,
    chance: Any,
    values: Reals,
    above_starts: Int64s,
    shift: int,
    above_values: Reals,
) -> None:
    """Add the values of a batch's roots to the board above, for every card it stands for.

    The rows of the roots there begin at `above_starts`, plus `shift`.
    """
    program, tables = street.program, street.tables
    positions = tables.hands[walk.hero].positions
    padded = walk.padded[walk.hero]
    factors = street.subset.board_factors
    if factors.size > 0:
        chance = chance * factors[board]
    for root in range(program.batches[batch, 2], program.batches[batch, 3]):
        source, target = program.root_value[root], above_starts[root] + shift
        factor = splat(chance)
        for member in range(tables.member_first[board], tables.member_first[board + 1]):
            here = member * padded
            for hand in range(0, padded, 16):
                carried = gather(values, source, positions, here + hand) * factor
                store(above_values, target + hand, load(above_values, target + hand) + carried)


@kernel(makes_arrays=False, inner=True)
def correct_next_values(
    street: StreetArrays,
    walk: Walk,
    board: int,
    roots: tuple[int, int],
    reach: Reals,
    values: Reals,
    work: Workspace,
) -> None:
    """Turn sums over the cards of a subset into values of some roots of the next street.

    Hands count more on the cards that they leave, and what is missed of a check-down is added: a
    product of a matrix and a vector (`product_kernels`), or one for each part of what a check-down
    pays. `work` is of the thread that does it.
    """
    program, subset = street.program, street.subset
    own, opposing = walk.padded[walk.hero], walk.padded[1 - walk.hero]
    parts = program.next_stake.size // max(program.next_value.size, 1)
    for begin in range(roots[0], roots[1], LISTS):
        end = min(begin + LISTS, roots[1])
        for part in range(parts):
            missed = multiply_rows(
                subset.corrections,
                (board * parts + part) * opposing * own,
                own,
                opposing,
                reach,
                program.next_reach,
                begin,
                end,
                work.lists,
                work.tile,
            )
            for root in range(begin, end):
                stake = splat(program.next_stake[root * parts + part])
                value = program.next_value[root]
                product, scale = missed + (root - begin) * own, board * own
                for hand in range(0, own, 16):
                    total = load(values, value + hand)
                    if part == 0:
                        total = total * load(subset.scales, scale + hand)
                    store(values, value + hand, total + load(work.tile, product + hand) * stake)


@kernel(inline="always", makes_arrays=False)
def clear_next_values(program: Program, width: int, values: Reals) -> None:
    """Empty the rows in which the values of the next street are added up."""
    zero = splat(values.dtype.type(0))
    for root in range(program.next_value.size):
        start = program.next_value[root]
        for hand in range(0, width, 16):
            store(values, start + hand, zero)
