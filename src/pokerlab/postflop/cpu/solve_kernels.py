"""Walks over the boards of a spot: one player's values, with or without learning.

A walk for the *hero* starts from the opponent's reach at the root. On each board: gather the
reach rows of the roots from the board above, split them at the opponent's nodes, do the boards
below, evaluate the leaves and the all-ins, and go up; at last add the values, times the chance of
a card, to the board above, once for each card that the board stands for. (Reach is free of chance,
so it has the same scale on all streets, and so have the sums of strategies: that matters to 16-bit
storage.)

What a walk does at the hero's nodes is its *task*. Cost: that of a board (`street_kernels`) for
each board, and nothing else.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.learning_kernels import Update
from pokerlab.postflop.cpu.street_kernels import (
    StreetArrays,
    Walk,
    Workspace,
    clear_next_values,
    enter_board,
    evaluate_leaves,
    fill_next_values,
    inlined,
    leave_board,
    walk_down,
    walk_up,
)
from pokerlab.postflop.cpu.tasks import RECORD
from pokerlab.postflop.cpu.vector_kernels import flush_denormals
from pokerlab.postflop.tables.arrays import Program

Rows: TypeAlias = npt.NDArray[np.floating[Any]]


@inlined
def walk_river(
    street: StreetArrays,
    walk: Walk,
    board: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    above_values: Rows,
    work: Workspace,
) -> None:
    """Walk over a whole river board below another board."""
    for batch in range(street.program.batches.shape[0]):
        enter_board(street, walk, board, batch, above, above_reach, work.reach)
        walk_down(street, walk, board, batch, work)
        if walk.task != RECORD:
            evaluate_leaves(street, walk, board, batch, work)
            walk_up(street, walk, board, batch, work)
            leave_board(street, walk, board, batch, chance, above, work.values, above_values)


@inlined
def walk_turn(
    street: StreetArrays,
    river: StreetArrays,
    walk: Walk,
    board: int,
    chance: Any,
    river_chance: Any,
    above: Program,
    above_reach: Rows,
    above_values: Rows,
    work: Workspace,
    river_work: Workspace,
) -> None:
    """Walk over a whole turn board below a flop, with all its rivers."""
    program = street.program
    enter_board(street, walk, board, 0, above, above_reach, work.reach)
    walk_down(street, walk, board, 0, work)
    clear_next_values(program, walk.widths[walk.hero], work.values)
    for below in range(street.tables.child_first[board], street.tables.child_first[board + 1]):
        walk_river(river, walk, below, river_chance, program, work.reach, work.values, river_work)
    if walk.task != RECORD:
        evaluate_leaves(street, walk, board, 0, work)
        walk_up(street, walk, board, 0, work)
        leave_board(street, walk, board, 0, chance, above, work.values, above_values)


@kernel(makes_arrays=False)
def walk_rivers(
    street: StreetArrays,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    work: Workspace,
) -> None:
    """Walk over some river boards below a turn; each leaves its values in a part of its own."""
    flush_denormals(True)
    for board in range(first, last):
        part = parts[board].reshape(parts.shape[1] * parts.shape[2])
        part[:] = 0
        walk_river(street, walk, board, chance, above, above_reach, part, work)
    flush_denormals(False)


@kernel(makes_arrays=False)
def walk_turns(
    street: StreetArrays,
    river: StreetArrays,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    river_chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    work: Workspace,
    river_work: Workspace,
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
            work,
            river_work,
        )
    flush_denormals(False)


@kernel(makes_arrays=False)
def walk_turns_from_river_values(
    street: StreetArrays,
    walk: Walk,
    first: int,
    last: int,
    chance: Any,
    above: Program,
    above_reach: Rows,
    parts: Rows,
    river_values: Rows,
    work: Workspace,
) -> None:
    """Walk over some turn boards whose river values are known (board, root, hand)."""
    flush_denormals(True)
    program = street.program
    for board in range(first, last):
        enter_board(street, walk, board, 0, above, above_reach, work.reach)
        walk_down(street, walk, board, 0, work)
        fill_next_values(program, river_values[board], work.values)
        evaluate_leaves(street, walk, board, 0, work)
        walk_up(street, walk, board, 0, work)
        part = parts[board].reshape(parts.shape[1] * parts.shape[2])
        part[:] = 0
        leave_board(street, walk, board, 0, chance, above, work.values, part)
    flush_denormals(False)


@kernel(makes_arrays=False)
def start_walk(
    street: StreetArrays, walk: Walk, top: Program, ranges: Rows, work: Workspace
) -> None:
    """Begin with the opponent's range (`ranges`) and go down the first street."""
    flush_denormals(True)
    enter_board(street, walk, 0, 0, top, ranges, work.reach)
    walk_down(street, walk, 0, 0, work)
    clear_next_values(street.program, walk.widths[walk.hero], work.values)
    flush_denormals(False)


@kernel(makes_arrays=False)
def finish_walk(
    street: StreetArrays, walk: Walk, top: Program, parts: Rows, work: Workspace, result: Rows
) -> None:
    """Add up what the boards below gave (`parts`: board, root, hand), and go up to `result`."""
    flush_denormals(True)
    program, values = street.program, work.values
    for part in range(parts.shape[0]):
        for root in range(program.next_value.size):
            start = program.next_value[root]
            for hand in range(parts.shape[2]):
                values[start + hand] += parts[part, root, hand]
    evaluate_leaves(street, walk, 0, 0, work)
    walk_up(street, walk, 0, 0, work)
    result[:] = 0
    leave_board(street, walk, 0, 0, result.dtype.type(1), top, values, result)
    flush_denormals(False)


@kernel(makes_arrays=False)
def descend(
    street: StreetArrays,
    walk: Walk,
    board: int,
    batch: int,
    above: Program,
    above_reach: Rows,
    work: Workspace,
) -> None:
    """Bring the reach of a batch down a board, and no further."""
    enter_board(street, walk, board, batch, above, above_reach, work.reach)
    walk_down(street, walk, board, batch, work)


@kernel(makes_arrays=False)
def ascend(street: StreetArrays, walk: Walk, board: int, batch: int, work: Workspace) -> None:
    """Evaluate a batch of a board that has none below, after `descend`."""
    evaluate_leaves(street, walk, board, batch, work)
    walk_up(street, walk, board, batch, work)


@kernel(makes_arrays=False)
def iterate_river(
    streets: tuple[StreetArrays, StreetArrays],
    walks: tuple[Walk, Walk],
    steps: Rows,
    top: Program,
    ranges: tuple[Rows, Rows],
    works: tuple[Workspace, Workspace],
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
            work = works[hero]
            enter_board(streets[hero], walk, 0, 0, top, ranges[1 - hero], work.reach)
            walk_down(streets[hero], walk, 0, 0, work)
            evaluate_leaves(streets[hero], walk, 0, 0, work)
            walk_up(streets[hero], walk, 0, 0, work)
    flush_denormals(False)
