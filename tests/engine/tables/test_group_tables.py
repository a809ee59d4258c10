"""Records of groups, against a plain version in Python."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.engine.tables.group_table_kernels import LONGEST_PIECE, write_group_records

LANES = 16
EMPTY = 999


def plain_record(order, columns, count, weights, share):
    """The numbers, the shares and the means of one board; see `GroupTables`."""
    alive = [entry for entry, hand in enumerate(order) if hand < len(weights)]
    vectors = []
    for first in range(0, len(order), LANES):
        here = [columns[each] for each in range(first, first + LANES) if each in alive]
        least = min(here, default=0)
        lanes = [columns[n] if n in alive else least for n in range(first, first + LANES)]
        near = max(lanes) - least < LANES
        vectors += [least, *(each - least for each in lanes)] if near else [-1, *lanes]
    groups = [[entry for entry in alive if columns[entry] == group] for group in range(count)]
    pieces = [
        (group, first, hands[first : first + LONGEST_PIECE])
        for group, hands in enumerate(groups)
        for first in range(0, len(hands), LONGEST_PIECE)
    ]
    pieces.sort(key=lambda piece: -len(piece[2]))
    room = -(-len(pieces) // LANES) * LANES
    places = [room] * (max(-(-count // LANES), 1) * LANES)
    for number, (group, first, _) in enumerate(pieces):
        if first == 0:
            places[group] = number
    further = [
        each
        for number, (group, first, _) in enumerate(pieces)
        if first > 0
        for each in (number, places[group])
    ]
    depths, members = [], []
    for first in range(0, len(pieces), LANES):
        block = [hands for _, _, hands in pieces[first : first + LANES]]
        block += [[]] * (LANES - len(block))
        depths.append(len(block[0]))
        for depth in range(len(block[0])):
            members += [hands[depth] if depth < len(hands) else None for hands in block]
    heads = [len(order) // LANES, len(depths), len(further) // 2, share, len(members)]
    shares, means = [], []
    for member in members:
        group = [] if member is None else groups[columns[member]]
        whole = sum(weights[order[each]] for each in group)
        shares.append(0 if member is None else weights[order[member]] / whole)
        means.append(0 if member is None else 1 / len(group))
    standing = [EMPTY if member is None else member for member in members]
    numbers = [*heads, *vectors, *depths, *further, *places, *standing]
    return numbers, shares + means, max(len(places), LANES * (len(depths) + 1))


@pytest.mark.parametrize("groups", [1, 3, 20, 60])
def test_records_are_those_of_plain_python(groups):
    rng = np.random.default_rng(groups)
    lengths = np.array([16, 64, 32])
    first = np.concatenate([[0], np.cumsum(lengths)])
    weights = rng.random(50) + 0.1
    # Some entries are nobody's, and some groups are empty.
    order = np.concatenate([rng.choice(64, length, replace=False) for length in lengths])
    counts = np.array([min(groups, 16), groups, min(groups, 32)])
    columns = np.concatenate(
        [rng.integers(0, count, n) for count, n in zip(counts, lengths, strict=True)]
    )
    columns[order >= len(weights)] = 0
    cursor, starts = np.array([6, 4]), np.zeros(3, np.int64)
    numbers, shares = np.zeros(4000, np.int32), np.zeros(4000)
    row = write_group_records(
        first,
        order.astype(np.int32),
        columns.astype(np.int32),
        counts,
        weights,
        EMPTY,
        64,
        cursor,
        starts,
        numbers,
        shares,
    )
    place, share, longest = 6, 4, 0
    for board, count in enumerate(counts.tolist()):
        here = slice(first[board], first[board + 1])
        record, parts, width = plain_record(
            order[here].tolist(), columns[here].tolist(), count, weights.tolist(), share
        )
        assert starts[board] == place
        assert numbers[place : place + len(record)].tolist() == record
        np.testing.assert_allclose(shares[share : share + len(parts)], parts, rtol=1e-15)
        place, share = place + len(record), share + len(parts)
        longest = max(longest, width)
    assert cursor.tolist() == [place, share]
    assert row == longest
    assert not numbers[place:].any() and not shares[share:].any()
