"""Walks over the boards of a spot: one player's values, with or without learning.

A walk for the *hero* starts from the opponent's reach at the root. On each board: gather the
reach rows of the roots from the board above, split them at the opponent's nodes, do the boards
below, evaluate the leaves and the all-ins, and go up; at last add the values, times the chance of
a card, to the board above, once for each card that the board stands for. (Reach is free of chance,
so it has the same scale on all streets, and so have the sums of strategies: that matters to 16-bit
storage.)

What a walk does at the hero's nodes is its *task*. Cost: that of a board (`street_kernels`) for
each board, and nothing else.

All of it is in one kernel, `walk_boards`: whatever is called from two kernels is compiled twice.
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
    leave_board,
    walk_down,
    walk_up,
)
from pokerlab.vector_kernels import flush_denormals, load, splat, store

__all__ = ["DOWN", "UP", "add_parts", "iterate_river", "walk_boards", "walk_turns"]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Starts: TypeAlias = npt.NDArray[np.int64]
Range: TypeAlias = tuple[int, int]

DOWN = 1
"""Reach is brought down a board, and the values of the next street are set to zero."""
UP = 2
"""Values are brought up, once those of the next street are there."""


@kernel(makes_arrays=False)
def walk_boards(
    street: StreetArrays,
    walk: Walk,
    boards: Range,
    batches: Range,
    steps: int,
    chance: Any,
    reach_starts: Starts,
    above_reach: Rows,
    value_starts: Starts,
    above_values: Rows,
    part: int,
    work: Workspace,
) -> None:
    """Take `steps`, `DOWN` or `UP` or both, on some boards, batch by batch.

    The rows of the roots in the board above begin at `reach_starts` and `value_starts`. A board
    leaves its values in a part of `above_values` of its own, `part` numbers long; where that is 0,
    the values of all boards are added up.
    """
    flush_denormals(True)
    for board in range(boards[0], boards[1]):
        if steps & UP:
            zero = splat(above_values.dtype.type(0))
            for place in range(board * part, (board + 1) * part, 16):
                store(above_values, place, zero)
        for batch in range(batches[0], batches[1]):
            if steps & DOWN:
                enter_board(street, walk, board, batch, reach_starts, above_reach, work.reach)
                walk_down(street, walk, board, batch, work)
                clear_next_values(street.program, walk.widths[walk.hero], work.values)
            if steps & UP:
                evaluate_leaves(street, walk, board, batch, work)
                walk_up(street, walk, board, batch, work)
                leave_board(
                    street,
                    walk,
                    board,
                    batch,
                    chance,
                    work.values,
                    value_starts,
                    board * part,
                    above_values,
                )
    flush_denormals(False)


@kernel(makes_arrays=False)
def walk_turns(
    street: StreetArrays,
    river: StreetArrays,
    walk: Walk,
    boards: Range,
    steps: int,
    chance: Any,
    river_chance: Any,
    reach_starts: Starts,
    above_reach: Rows,
    value_starts: Starts,
    above_values: Rows,
    part: int,
    work: Workspace,
    river_work: Workspace,
) -> None:
    """Take `steps` on some turn boards below a flop and on all their rivers."""
    program, children = street.program, street.tables.child_first
    all_batches = (0, river.program.batches.shape[0])
    for board in range(boards[0], boards[1]):
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, 1),
            steps & DOWN,
            chance,
            reach_starts,
            above_reach,
            value_starts,
            above_values,
            part,
            work,
        )
        walk_boards(
            river,
            walk,
            (children[board], children[board + 1]),
            all_batches,
            steps,
            river_chance,
            program.next_reach,
            work.reach,
            program.next_value,
            work.values,
            0,
            river_work,
        )
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, 1),
            steps & UP,
            chance,
            reach_starts,
            above_reach,
            value_starts,
            above_values,
            part,
            work,
        )


@kernel(makes_arrays=False)
def iterate_river(
    streets: tuple[StreetArrays, StreetArrays],
    walk: Walk,
    steps: Rows,
    starts: Starts,
    ranges: tuple[Rows, Rows],
    works: tuple[Workspace, Workspace],
    results: tuple[Rows, Rows],
) -> None:
    """Run iterations on a spot that begins on the river, one for each row of `steps`.

    The first is the one of `walk.update`.

    An iteration there takes microseconds, as long as a call from Python.
    """
    for step in range(steps.shape[0]):
        update = Update(
            steps[step, 0],
            steps[step, 1],
            steps[step, 2],
            steps[step, 3],
            steps[step, 4],
            steps[step, 5],
            steps[step, 6],
            walk.update.is_greedy,
            walk.update.returned,
            walk.update.iteration + step,
        )
        for hero in range(2):
            walk_boards(
                streets[hero],
                Walk(hero, walk.task, walk.average, update, walk.widths, walk.padded),
                (0, 1),
                (0, 1),
                DOWN | UP,
                ranges[0].dtype.type(1),
                starts,
                ranges[1 - hero],
                starts,
                results[hero],
                results[hero].size,
                works[hero],
            )


@kernel(makes_arrays=False)
def add_parts(parts: Rows, starts: Starts, values: Rows) -> None:
    """Add up what boards left (`parts`: board, root, hand), in rows that begin at `starts`."""
    flush_denormals(True)
    for part in range(parts.shape[0]):
        for root in range(starts.size):
            for hand in range(0, parts.shape[2], 16):
                source = (part * starts.size + root) * parts.shape[2] + hand
                place = starts[root] + hand
                store(values, place, load(values, place) + load(parts, source))
    flush_denormals(False)
