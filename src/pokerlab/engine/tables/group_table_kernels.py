"""The records of `GroupTables`: which hands belong to which group, board by board.

Cost: each hand is looked at a few times, and its group with it; tens of nanoseconds a hand.
"""

from __future__ import annotations

import numpy as np

from pokerlab.engine.tables.arrays import GROUP_HEAD, GROUP_VECTOR
from pokerlab.runtime.arrays import Floats, Int32s, Int64s
from pokerlab.runtime.jit import kernel

_LANES = 16

LONGEST_PIECE = 8
"""Members of a piece: a group that is larger is cut, so that no block has to wait for it."""


_START, _LENGTH, _COLUMN, _NUMBER = 0, 1, 2, 3
"""What is known of a piece: its first member, its length, its group, and which of its pieces."""


@kernel
def write_group_records(
    first: Int64s,
    order: Int32s,
    columns: Int32s,
    counts: Int64s,
    weights: Floats,
    empty: int,
    longest: int,
    cursor: Int64s,
    record_starts: Int64s,
    numbers: Int32s,
    shares: Floats,
) -> int:
    """Write the records of a player on all boards of a street; see `GroupTables`.

    Parameters
    ----------
    first
        The entries of board b are ``first[b]`` to ``first[b + 1]``, multiples of sixteen.
    order, columns
        The hand of each entry, and its group.
    counts
        How many groups each board has.
    weights
        Of hands; an entry with another number is nobody's.
    empty
        The empty place of a row.
    longest
        No board has more entries or groups.
    cursor
        Where the next record begins in `numbers`, and where its shares do: moved on.
    record_starts, numbers, shares
        What is written: where the record of each board begins, the records, and their shares.

    Returns
    -------
    The longest row of groups or of pieces.
    """
    totals = np.empty(longest, np.float64)
    sizes = np.empty(longest, np.int64)
    ends = np.empty(longest, np.int64)
    members = np.empty(longest, np.int64)
    pieces = np.empty((longest + _LANES, 4), np.int64)  # each has a member, but for the last block
    most = 0
    for board in range(counts.size):
        begin, entries, groups = first[board], first[board + 1] - first[board], counts[board]
        record, share = cursor[0], cursor[1]
        record_starts[board] = record
        place = record + GROUP_HEAD
        for entry in range(begin, begin + entries, _LANES):
            _write_vector(order, columns, entry, weights.size, numbers, place)
            place += GROUP_VECTOR
        _sort_members(order, columns, begin, entries, weights, groups, totals, sizes, ends, members)
        cut = _cut_groups(sizes, ends, groups, pieces)
        blocks = (cut + _LANES - 1) // _LANES
        depths = 0
        for block in range(blocks):
            depth = pieces[block * _LANES, _LENGTH]
            numbers[place] = depth
            depths += depth
            place += 1

        # Further pieces, and behind them the places of columns: past the last piece stands a zero.
        row = max((groups + _LANES - 1) // _LANES, 1) * _LANES
        further = 0
        for piece in range(cut):
            further += pieces[piece, _NUMBER] > 0
        places = place + 2 * further
        for column in range(row):
            numbers[places + column] = blocks * _LANES
        for piece in range(cut):
            if pieces[piece, _NUMBER] == 0:
                numbers[places + pieces[piece, _COLUMN]] = piece
        for piece in range(cut):
            if pieces[piece, _NUMBER] > 0:
                numbers[place] = piece
                numbers[place + 1] = numbers[places + pieces[piece, _COLUMN]]
                place += 2
        place = places + row

        # The members of blocks with their shares, and behind all of those their means.
        number = 0
        for block in range(0, blocks * _LANES, _LANES):
            for depth in range(pieces[block, _LENGTH]):
                for piece in range(block, block + _LANES):
                    member, part, mean = empty, 0.0, 0.0
                    if depth < pieces[piece, _LENGTH]:
                        group = pieces[piece, _COLUMN]
                        member = members[pieces[piece, _START] + depth]
                        part = weights[order[begin + member]] / totals[group]
                        mean = 1 / sizes[group]
                    numbers[place + number] = member
                    shares[share + number] = part
                    shares[share + depths * _LANES + number] = mean
                    number += 1
        numbers[record] = entries // _LANES
        numbers[record + 1] = blocks
        numbers[record + 2] = further
        numbers[record + 3] = share
        numbers[record + 4] = number
        cursor[0], cursor[1] = place + number, share + 2 * number
        most = max(most, row, _LANES * (blocks + 1))
    return most


@kernel(inner=True, makes_arrays=False)
def _write_vector(
    order: Int32s, columns: Int32s, first: int, hands: int, numbers: Int32s, place: int
) -> None:
    """The columns of sixteen entries; those without a hand take the least of the others."""
    least, greatest = -1, 0
    for entry in range(first, first + _LANES):
        if order[entry] < hands:
            column = columns[entry]
            greatest = max(greatest, column)
            if least < 0 or column < least:
                least = column
    least = max(least, 0)
    near = greatest - least < _LANES
    numbers[place] = least if near else -1
    for lane in range(_LANES):
        column = columns[first + lane] if order[first + lane] < hands else least
        numbers[place + 1 + lane] = column - least if near else column


@kernel(inner=True, makes_arrays=False)
def _sort_members(
    order: Int32s,
    columns: Int32s,
    begin: int,
    entries: int,
    weights: Floats,
    groups: int,
    totals: Floats,
    sizes: Int64s,
    ends: Int64s,
    members: Int64s,
) -> None:
    """The weight and the size of each group, and the entries of a board group by group."""
    for group in range(groups):
        totals[group], sizes[group] = 0.0, 0
    for entry in range(begin, begin + entries):
        if order[entry] < weights.size:
            totals[columns[entry]] += weights[order[entry]]
            sizes[columns[entry]] += 1
    total = 0
    for group in range(groups):
        ends[group] = total
        total += sizes[group]
    for entry in range(entries):
        if order[begin + entry] < weights.size:
            group = columns[begin + entry]
            members[ends[group]] = entry
            ends[group] += 1


@kernel(inner=True, makes_arrays=False)
def _cut_groups(sizes: Int64s, ends: Int64s, groups: int, pieces: Int64s) -> int:
    """Cut groups into pieces, long ones first, and fill up the last block with empty ones."""
    cut = 0
    for length in range(LONGEST_PIECE, 0, -1):
        for group in range(groups):
            whole, rest = sizes[group] // LONGEST_PIECE, sizes[group] % LONGEST_PIECE
            since, until = whole, whole + (rest == length)
            if length == LONGEST_PIECE:
                since, until = 0, whole
            for number in range(since, until):
                pieces[cut, _START] = ends[group] - sizes[group] + LONGEST_PIECE * number
                pieces[cut, _LENGTH] = length
                pieces[cut, _COLUMN], pieces[cut, _NUMBER] = group, number
                cut += 1
    for piece in range(cut, cut + _LANES):
        pieces[piece, _LENGTH] = 0
    return cut
