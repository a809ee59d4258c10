"""Walks over the boards of a spot: one player's values, with or without learning.

A walk for the *hero* starts from the opponent's reach at the root, carries it down to the leaves,
and brings the hero's values up. On each board: gather the reach rows of the roots from the board
above, split them at the opponent's nodes, evaluate the leaves and the all-ins, do the boards
below, and go up; at last add the values, times the chance of a card, to the board above, once for
each card that the board stands for. (Reach is free of chance, so it has the same scale on all
streets, and so have the sums of strategies: that matters to 16-bit storage.)

What a walk does at the hero's nodes is its *task*.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.all_in_kernels import evaluate_all_ins
from pokerlab.postflop.cpu.leaf_kernels import BLOCK, Ahead, BoardHands, LeafSpace, evaluate_block
from pokerlab.postflop.cpu.row_kernels import (
    Update,
    add_values,
    best_values,
    hedge,
    impose_lock,
    impose_locked_values,
    match_predicted,
    match_regrets,
    mean_values,
    split_reach,
)
from pokerlab.postflop.cpu.vector_kernels import flush_denormals, gather, load, splat, store
from pokerlab.postflop.tables.boards import BoardTables
from pokerlab.postflop.tables.program import Program

Rows: TypeAlias = npt.NDArray[np.floating[Any]]

_part = kernel(makes_arrays=False, inline="always")
"""Of a walk. A function that takes a street takes some five hundred numbers, and compiling all
that goes from one function to the next took longer than compiling what they do."""

LEARN = 0
"""The hero's strategies are updated, and what the opponent plays is added to the sums."""
BEST = 1
"""The value of the hero's best response."""
MEAN = 2
"""The value of the hero's strategy."""
RECORD = 3
"""Nothing comes up: what the opponent plays is added to the sums, and that is all."""

NEW_VALUE = 1
"""The code of `pokerlab.solvers.rules.Returned.NEW`."""


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


class StreetStorage(NamedTuple):
    """What is kept of a street, a pair of arrays for the two players: ``[board][action][hand]``."""

    kept: Any
    """What strategies are proportional to (see `row_kernels`)."""
    regret: Any
    """Regrets, for rules that predict and so keep something else; empty for others."""
    sums: Any
    """Sums of strategies; empty for rules that have no average."""
    first: Any
    """Where each board begins."""


class Locks(NamedTuple):
    """Strategies of a street that are fixed from outside."""

    start: npt.NDArray[np.int64]
    """(boards × nodes): where the probabilities of a node begin; −1: free. Empty: no locks."""
    shares: npt.NDArray[np.float32]
    """``[action][hand]`` for each locked node of a board; −1 for hands that are free."""


class Street(NamedTuple):
    """All of a street that a walk needs."""

    program: Program
    tables: BoardTables
    storage: StreetStorage
    locks: Locks
    margins: tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]
    """Of each player's hands (see `all_in_kernels`); empty where no all-in needs them."""
    run_out: Any
    """The chance of a run-out from this street, given both hands."""


class Space(NamedTuple):
    """Scratch of one thread on one street, for one hero."""

    reach: Rows
    values: Rows
    leaves: LeafSpace


@_part
def walk_down(street: Street, walk: Walk, board: int, batch: int, reach: Rows) -> None:
    """Split the reach at the opponent's nodes of a batch on a board."""
    program, storage = street.program, street.storage
    other = 1 - walk.hero
    first = street.tables.hands[other].first
    hands = first[board + 1] - first[board]
    sums = storage.sums[other]
    kept = sums if walk.average else storage.kept[other]
    base = storage.first[other][board]
    learn = walk.task in (LEARN, RECORD) and sums.size > 0 and not walk.average
    for node in range(program.batches[batch, 0], program.batches[batch, 1]):
        if not program.mine[node]:
            place = base + program.slot[node] * hands
            actions = program.first_edge[node + 1] - program.first_edge[node]
            lock = _find_lock(street, board, node)
            if lock >= 0 and not walk.average:
                impose_lock(kept, place, street.locks.shares, lock, hands, actions)
            split_reach(
                reach,
                program.reach_start[node],
                program.split_start[node],
                walk.widths[other],
                kept,
                sums,
                place,
                hands,
                actions,
                walk.update.average,
                learn,
            )


@_part
def _find_lock(street: Street, board: int, node: int) -> int:
    """Where the locked probabilities of a node begin; −1 if it is free."""
    if street.locks.start.size == 0:
        return -1
    return int(street.locks.start[board * street.program.mine.size + node])


@_part
def walk_up(street: Street, walk: Walk, board: int, batch: int, values: Rows) -> None:
    """Bring the values of a batch up on a board."""
    program, storage = street.program, street.storage
    first = street.tables.hands[walk.hero].first
    hands = first[board + 1] - first[board]
    kept, regret = storage.kept[walk.hero], storage.regret[walk.hero]
    strategy = storage.sums[walk.hero] if walk.average else kept
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
            impose_lock(kept, place, street.locks.shares, lock, hands, actions)
        if walk.task == BEST:
            best_values(values, target, starts, factors, edge, hands, actions)
        elif walk.task == MEAN:
            mean_values(values, target, starts, factors, edge, strategy, place, hands, actions)
        elif walk.update.is_greedy:
            hedge(values, target, starts, factors, edge, kept, place, hands, actions, walk.update)
            if walk.update.returned == NEW_VALUE:
                mean_values(values, target, starts, factors, edge, kept, place, hands, actions)
        else:
            if regret.size > 0:
                match_predicted(
                    values,
                    target,
                    starts,
                    factors,
                    edge,
                    kept,
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
                    kept,
                    place,
                    hands,
                    actions,
                    walk.update,
                )
            if walk.update.returned == NEW_VALUE:
                mean_values(values, target, starts, factors, edge, kept, place, hands, actions)
        if lock >= 0:
            # Not even a best response leaves a locked strategy.
            impose_locked_values(
                values, target, starts, factors, edge, street.locks.shares, lock, hands, actions
            )


@_part
def evaluate_leaves(street: Street, walk: Walk, board: int, batch: int, space: Space) -> None:
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
        own.same,
        own.groups,
        groups[board] if complete else 0,
        groups[board + 1] if complete else 0,
        2 * own.first[board],
        2 * other.first[board],
    )
    storage, other_player = street.storage, 1 - walk.hero
    own_kept = storage.sums[walk.hero] if walk.average else storage.kept[walk.hero]
    other_kept = storage.sums[other_player] if walk.average else storage.kept[other_player]
    slots = program.batch_slots[batch]
    own_first = storage.first[walk.hero][board] + slots[0] * hands.own
    own_last = storage.first[walk.hero][board] + slots[1] * hands.own - 1
    other_first = storage.first[other_player][board] + slots[2] * hands.opposing
    first_block = program.batches[batch, 4]
    for block in range(first_block, program.batches[batch, 5]):
        done = block - first_block
        own_next = own_first + done * hands.own * (128 // own_kept.itemsize)
        other_next = other_first + done * hands.opposing * (64 // other_kept.itemsize)
        evaluate_block(
            space.reach,
            space.values,
            block * BLOCK,
            program.block_showdowns[block],
            program.block_folds[block],
            program.leaves,
            hands,
            space.leaves,
            Ahead(own_kept, min(own_next, own_last), own_last, other_kept, other_next),
        )
    values = space.values
    if program.all_ins.reach_starts.size > 0:
        first = board * hands.own * hands.opposing
        margins = street.margins[walk.hero]
        evaluate_all_ins(
            space.reach,
            values,
            program.all_ins,
            margins,
            first,
            hands.own,
            hands.opposing,
            street.run_out,
        )
    for mix in range(program.batches[batch, 6], program.batches[batch, 7]):
        showdown, met = splat(program.mix_factors[mix, 0]), splat(program.mix_factors[mix, 1])
        for hand in range(0, hands.own, 16):
            beaten = load(values, program.mix_starts[mix, 1] + hand)
            total = load(values, program.mix_starts[mix, 2] + hand)
            store(values, program.mix_starts[mix, 0] + hand, beaten * showdown + total * met)


@_part
def enter_board(
    street: Street,
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


@_part
def leave_board(
    street: Street,
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


@_part
def clear_links(program: Program, width: int, values: Rows) -> None:
    """Empty the rows in which the values of the next street are added up."""
    for link in range(program.next_value.size):
        start = program.next_value[link]
        for hand in range(width):
            values[start + hand] = 0


@_part
def walk_river(
    street: Street,
    walk: Walk,
    board: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    above_values: Rows,
    space: Space,
) -> None:
    """Walk over a whole river board below another board."""
    for batch in range(street.program.batches.shape[0]):
        enter_board(street, walk, board, batch, above, above_reach, space.reach)
        walk_down(street, walk, board, batch, space.reach)
        if walk.task != RECORD:
            evaluate_leaves(street, walk, board, batch, space)
            walk_up(street, walk, board, batch, space.values)
            leave_board(street, walk, board, batch, chance, above, space.values, above_values)


@_part
def walk_turn(
    street: Street,
    river: Street,
    walk: Walk,
    board: int,
    chance: Any,
    river_chance: Any,
    above: Program,
    above_reach: Rows,
    above_values: Rows,
    space: Space,
    river_space: Space,
) -> None:
    """Walk over a whole turn board below a flop, with all its rivers."""
    program = street.program
    enter_board(street, walk, board, 0, above, above_reach, space.reach)
    walk_down(street, walk, board, 0, space.reach)
    clear_links(program, walk.widths[walk.hero], space.values)
    for below in range(street.tables.child_first[board], street.tables.child_first[board + 1]):
        walk_river(
            river, walk, below, river_chance, program, space.reach, space.values, river_space
        )
    if walk.task != RECORD:
        evaluate_leaves(street, walk, board, 0, space)
        walk_up(street, walk, board, 0, space.values)
        leave_board(street, walk, board, 0, chance, above, space.values, above_values)


@kernel(makes_arrays=False)
def walk_rivers(
    street: Street,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    space: Space,
) -> None:
    """Walk over some river boards below a turn; each leaves its values in a part of its own."""
    flush_denormals(True)
    for board in range(first, last):
        part = parts[board].reshape(parts.shape[1] * parts.shape[2])
        part[:] = 0
        walk_river(street, walk, board, chance, above, above_reach, part, space)
    flush_denormals(False)


@kernel(makes_arrays=False)
def walk_turns(
    street: Street,
    river: Street,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    river_chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    space: Space,
    river_space: Space,
) -> None:
    """Walk over some turn boards below a flop; each leaves its values in a part of its own."""
    flush_denormals(True)
    for board in range(first, last):
        part = parts[board].reshape(parts.shape[1] * parts.shape[2])
        part[:] = 0
        walk_turn(
            street,
            river,
            walk,
            board,
            chance,
            river_chance,
            above,
            above_reach,
            part,
            space,
            river_space,
        )
    flush_denormals(False)


@kernel(makes_arrays=False)
def walk_turns_from_links(
    street: Street,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    links: Rows,
    space: Space,
) -> None:
    """Walk over some turn boards whose river values are known (`links`: board, link, hand)."""
    flush_denormals(True)
    program = street.program
    for board in range(first, last):
        enter_board(street, walk, board, 0, above, above_reach, space.reach)
        walk_down(street, walk, board, 0, space.reach)
        fill_links(program, links[board], space.values)
        evaluate_leaves(street, walk, board, 0, space)
        walk_up(street, walk, board, 0, space.values)
        part = parts[board].reshape(parts.shape[1] * parts.shape[2])
        part[:] = 0
        leave_board(street, walk, board, 0, chance, above, space.values, part)
    flush_denormals(False)


@_part
def fill_links(program: Program, links: Rows, values: Rows) -> None:
    """Write known values of the next street's roots (link, hand) to their rows."""
    for link in range(program.next_value.size):
        start = program.next_value[link]
        for hand in range(links.shape[1]):
            values[start + hand] = links[link, hand]


@kernel(makes_arrays=False)
def start_walk(street: Street, walk: Walk, top: Program, ranges: Rows, space: Space) -> None:
    """Begin with the opponent's range (`ranges`) and go down the first street."""
    flush_denormals(True)
    enter_board(street, walk, 0, 0, top, ranges, space.reach)
    walk_down(street, walk, 0, 0, space.reach)
    clear_links(street.program, walk.widths[walk.hero], space.values)
    flush_denormals(False)


@kernel(makes_arrays=False)
def finish_walk(
    street: Street, walk: Walk, top: Program, parts: Rows, space: Space, result: Rows
) -> None:
    """Add up what the boards below gave (`parts`: board, link, hand), and go up to `result`."""
    flush_denormals(True)
    program, values = street.program, space.values
    for part in range(parts.shape[0]):
        for link in range(program.next_value.size):
            start = program.next_value[link]
            for hand in range(parts.shape[2]):
                values[start + hand] += parts[part, link, hand]
    evaluate_leaves(street, walk, 0, 0, space)
    walk_up(street, walk, 0, 0, values)
    result[:] = 0
    leave_board(street, walk, 0, 0, result.dtype.type(1), top, values, result)
    flush_denormals(False)


@kernel(makes_arrays=False)
def descend(
    street: Street,
    walk: Walk,
    board: int,
    batch: int,
    above: Program,
    above_reach: Rows,
    space: Space,
) -> None:
    """Bring the reach of a batch down a board, and no further."""
    enter_board(street, walk, board, batch, above, above_reach, space.reach)
    walk_down(street, walk, board, batch, space.reach)


@kernel(makes_arrays=False)
def ascend(street: Street, walk: Walk, board: int, batch: int, space: Space) -> None:
    """Evaluate a batch of a board that has none below, after `descend`."""
    evaluate_leaves(street, walk, board, batch, space)
    walk_up(street, walk, board, batch, space.values)


@kernel(makes_arrays=False)
def iterate_river(
    streets: tuple[Street, Street],
    walks: tuple[Walk, Walk],
    steps: Rows,
    top: Program,
    ranges: tuple[Rows, Rows],
    spaces: tuple[Space, Space],
    results: tuple[Rows, Rows],
) -> None:
    """Run iterations on a spot that begins on the river, one for each row of `steps`.

    An iteration there takes microseconds, as long as a call from Python.
    """
    flush_denormals(True)
    for step in range(steps.shape[0]):
        for hero in range(2):
            old = walks[hero]
            update = Update(
                steps[step, 0],
                steps[step, 1],
                steps[step, 2],
                steps[step, 3],
                steps[step, 4],
                steps[step, 5],
                old.update.is_greedy,
                old.update.returned,
            )
            walk = Walk(old.hero, old.task, old.average, update, old.widths, old.padded)
            space = spaces[hero]
            enter_board(streets[hero], walk, 0, 0, top, ranges[1 - hero], space.reach)
            walk_down(streets[hero], walk, 0, 0, space.reach)
            evaluate_leaves(streets[hero], walk, 0, 0, space)
            walk_up(streets[hero], walk, 0, 0, space.values)
    flush_denormals(False)
