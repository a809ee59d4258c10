"""From board to board: reach comes down from the board above, and values go up to it.

Each board has its hands in an order of its own, so a row that crosses is rearranged. Sixteen
numbers from sixteen places take some forty cycles, row by row. But all roots of a street are
rearranged alike: with the numbers of sixteen roots side by side, in one vector for each hand, a
hand crosses by a load and a store. So the rows of the board above are *turned* once for all boards
below it, and each board turns what it takes back to rows; on the way up, the other way round. Per
sixteen hands and sixteen roots: a transpose, sixteen loads and sixteen stores on each board.

Roots are taken in *blocks* of sixteen, batch by batch. A block that is not full repeats its first
root: the same numbers are then written to the same places again. Batches of very few roots go row
by row.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.tables.arrays import BoardTables, Program
from pokerlab.vector_kernels import (
    LANES,
    gather,
    load,
    load_in_line,
    load_sixteen,
    place_at,
    splat,
    store,
    store_sixteen,
    transpose_from_rows,
    transpose_to_rows,
)

__all__ = [
    "FEW_ROOTS",
    "Crossing",
    "clear_turned_values",
    "count_blocks",
    "enter_board",
    "leave_board",
    "turn_reach",
    "turn_values_back",
]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Starts: TypeAlias = npt.NDArray[np.int64]
Range: TypeAlias = tuple[int, int]

FEW_ROOTS = 2
"""So many roots of a batch go row by row."""


class Crossing(NamedTuple):
    """What one thread needs to go from the board above to boards of a street, for one hero."""

    reach: Rows
    """The opponent's reach on the board above: (blocks, hands, 16 roots)."""
    values: Rows
    """The hero's values there, added up: (blocks, hands, 16 roots)."""
    board_values: Rows
    """The hero's values on a board, of one block: (hands, 16 roots)."""
    starts: Starts
    """Where the rows of a block begin."""


@kernel(inline="always", makes_arrays=False)
def count_blocks(roots: int) -> int:
    """How many blocks the roots of a batch have."""
    return 0 if roots <= FEW_ROOTS else (roots + LANES - 1) // LANES


@kernel(makes_arrays=False, inner=True)
def _find_starts(starts: Starts, first: int, last: int, found: Starts) -> None:
    """Where the rows of a block begin, of which `first` is the first root and `last` the end."""
    for lane in range(LANES):
        root = first + lane
        found[lane] = starts[root if root < last else first]


@kernel(makes_arrays=False, inner=True)
def turn_reach(
    program: Program,
    batches: Range,
    width: int,
    above_starts: Starts,
    above_reach: Rows,
    crossing: Crossing,
) -> None:
    """Turn the reach rows of the board above, `width` long, for the roots of some batches."""
    place = 0
    for batch in range(batches[0], batches[1]):
        first, last = program.batches[batch, 2], program.batches[batch, 3]
        for block in range(count_blocks(last - first)):
            _find_starts(above_starts, first + block * LANES, last, crossing.starts)
            for hand in range(0, width, 16):
                lanes = transpose_from_rows(above_reach, crossing.starts, 0, hand)
                store_sixteen(crossing.reach, place + hand * LANES, lanes)
            place += width * LANES


@kernel(makes_arrays=False, inner=True)
def enter_board(
    program: Program,
    tables: BoardTables,
    player: int,
    board: int,
    batch: int,
    place: int,
    width: int,
    above_starts: Starts,
    above_reach: Rows,
    reach: Rows,
    crossing: Crossing,
) -> None:
    """Write the player's reach rows of a batch's roots, from those of the board above.

    Turned rows are `width` hands long, those of the batch begin at `place`.
    """
    hands = tables.hands[player]
    entry, end = hands.first[board], hands.first[board + 1]
    first, last = program.batches[batch, 2], program.batches[batch, 3]
    blocks = count_blocks(last - first)
    for block in range(blocks):
        _find_starts(program.root_reach, first + block * LANES, last, crossing.starts)
        source = place + block * width * LANES
        for here in range(entry, end, 16):
            lanes = load_sixteen(crossing.reach, source, hands.order, here)
            transpose_to_rows(lanes, reach, crossing.starts, 0, here - entry)
    if blocks == 0:
        for root in range(first, last):
            source, target = above_starts[root], program.root_reach[root] - entry
            for here in range(entry, end, 16):
                store(reach, target + here, gather(above_reach, source, hands.order, here))


@kernel(makes_arrays=False, inner=True)
def clear_turned_values(program: Program, batches: Range, width: int, crossing: Crossing) -> None:
    """Empty what the values of some batches are added up in, in rows `width` hands long."""
    blocks = 0
    for batch in range(batches[0], batches[1]):
        blocks += count_blocks(program.batches[batch, 3] - program.batches[batch, 2])
    zero = splat(crossing.values.dtype.type(0))
    for place in range(0, blocks * width * LANES, 16):
        store(crossing.values, place, zero)


@kernel(makes_arrays=False, inner=True)
def leave_board(
    program: Program,
    tables: BoardTables,
    hero: int,
    board: int,
    batch: int,
    place: int,
    width: int,
    padded: int,
    chance: Any,
    values: Rows,
    above_starts: Starts,
    shift: int,
    above_values: Rows,
    crossing: Crossing,
) -> None:
    """Add the values of a batch's roots to those of the board above, for every card it stands for.

    Turned rows are `width` hands long, those of the batch begin at `place`; of few roots, rows
    begin at `above_starts`, plus `shift`.
    """
    own = tables.hands[hero]
    positions = own.positions
    hands = own.first[board + 1] - own.first[board]
    first, last = program.batches[batch, 2], program.batches[batch, 3]
    blocks = count_blocks(last - first)
    factor = splat(chance)
    for block in range(blocks):
        _find_starts(program.root_value, first + block * LANES, last, crossing.starts)
        for hand in range(0, hands, 16):
            lanes = transpose_from_rows(values, crossing.starts, 0, hand)
            store_sixteen(crossing.board_values, hand * LANES, lanes)
        # The value of an impossible hand is found there.
        store(crossing.board_values, (width - 1) * LANES, splat(values.dtype.type(0)))
        target = place + block * width * LANES
        for member in range(tables.member_first[board], tables.member_first[board + 1]):
            for hand in range(padded):
                found = place_at(positions, member * padded + hand) * LANES
                carried = load(crossing.board_values, found) * factor
                here = target + hand * LANES
                store(crossing.values, here, load(crossing.values, here) + carried)
    if blocks == 0:
        for root in range(first, last):
            source, to = program.root_value[root], above_starts[root] + shift
            for member in range(tables.member_first[board], tables.member_first[board + 1]):
                here = member * padded
                for hand in range(0, padded, 16):
                    carried = gather(values, source, positions, here + hand) * factor
                    store(above_values, to + hand, load(above_values, to + hand) + carried)


@kernel(makes_arrays=False, inner=True)
def turn_values_back(
    program: Program,
    batches: Range,
    width: int,
    padded: int,
    above_starts: Starts,
    shift: int,
    above_values: Rows,
    crossing: Crossing,
) -> None:
    """Write the values that were added up to the rows of the board above."""
    place = 0
    for batch in range(batches[0], batches[1]):
        first, last = program.batches[batch, 2], program.batches[batch, 3]
        for block in range(count_blocks(last - first)):
            _find_starts(above_starts, first + block * LANES, last, crossing.starts)
            for hand in range(0, padded, 16):
                lanes = load_in_line(crossing.values, place + hand * LANES)
                transpose_to_rows(lanes, above_values, crossing.starts, 0, shift + hand)
            place += width * LANES
