"""Expected counts of a limit player from hands of which some cards were never shown.

A hand has, for each position, all private cards that fit it: one entry where they are known, a
thousand where they are not. An entry holds the cards and their group on each street, 2 bytes a
street, so that groups are looked up once (0.2 microseconds each) and not in each round. A round
reads for each entry one row of 24 bytes for each decision of its position: about 5 ns.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, buckets_of_cards
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET

_LEAST = 1e-300


class Lines(NamedTuple):
    """How betting got to each leaf, and where rows are."""

    nodes: Int32s
    """(nodes, 5), as in `FlatTree`."""
    before: Int64s
    """(nodes + leaves,): the node before each node or leaf; −1 for the first."""
    action: Int64s
    """(nodes + leaves,): what was done there."""
    first_row: Int64s
    """(nodes,): the row of group 0, in a table that goes node by node."""


class HandColumns(NamedTuple):
    """Hands, one a row."""

    leaf: Int64s
    """(hands,): where the betting ended."""
    weight: Floats
    """(hands,): how often it was played."""
    seat: Int64s
    """(hands,): the position of the player whom it is about."""
    holes: Bytes
    """(hands, 2, private cards)."""
    known: Bools
    """(hands, 2): whether private cards are known."""
    board: Bytes
    """(hands, board cards): those dealt; the rest does not count."""
    dealt: Int64s
    """(hands,): how many are dealt."""


class Entries(NamedTuple):
    """The private cards that fit each hand and position."""

    begin: Int64s
    """(2 · hands + 1,): where those of a hand and position begin."""
    cards: Bytes
    """(entries, private cards)."""
    groups: Uint16s
    """(entries, streets): of the streets on which the position has acted."""


@kernel(makes_arrays=False)
def count_entries(hands: HandColumns, deck: int, share: float, begin: Int64s) -> None:
    """Write where the entries of each hand and position begin.

    Of cards that are not known, a share of those that fit is listed, at least one.
    """
    hole = hands.holes.shape[2]
    begin[0] = 0
    for hand in range(len(hands.leaf)):
        for position in range(2):
            count = 1
            if not hands.known[hand, position]:
                left = deck - hands.dealt[hand]
                if hands.known[hand, 1 - position]:
                    left -= hole
                count = left if hole == 1 else left * (left - 1) // 2
                count = max(1, int(share * count))
            begin[2 * hand + position + 1] = begin[2 * hand + position] + count


@kernel(makes_arrays=False)
def list_entries(
    first: int,
    last: int,
    hands: HandColumns,
    deck: Bytes,
    lines: Lines,
    look_up: BucketLookUp,
    seen: Bytes,
    groups: Int64s,
    left: Bytes,
    entries: Entries,
) -> None:
    """List the entries of some hands.

    `seen` (private + board cards,), `groups` (streets,) and `left` (deck,) are scratch space.
    """
    hole = hands.holes.shape[2]
    for hand in range(first, last):
        for place in range(hands.dealt[hand]):
            seen[hole + place] = hands.board[hand, place]
        for position in range(2):
            streets = _streets_acted(hands.leaf[hand], position, lines)
            begin = entries.begin[2 * hand + position]
            if hands.known[hand, position]:
                for place in range(hole):
                    seen[place] = hands.holes[hand, position, place]
                _list_one(begin, streets, look_up, seen, groups, entries)
                continue
            count = 0
            for card in deck:
                free = True
                for place in range(hands.dealt[hand]):
                    free = free and card != hands.board[hand, place]
                if hands.known[hand, 1 - position]:
                    for place in range(hole):
                        free = free and card != hands.holes[hand, 1 - position, place]
                if free:
                    left[count] = card
                    count += 1
            wanted = entries.begin[2 * hand + position + 1] - begin
            fitting = count if hole == 1 else count * (count - 1) // 2
            # Every n-th of those that fit; each hand begins somewhere else.
            number = (hand * 7919) % fitting
            found = 0
            for high in range(count):
                for low in range(high if hole == 2 else 1):
                    number += wanted
                    if number < fitting or found == wanted:
                        continue
                    number -= fitting
                    seen[0] = left[high]
                    if hole == 2:
                        seen[1] = left[low]
                    _list_one(begin + found, streets, look_up, seen, groups, entries)
                    found += 1


@kernel(makes_arrays=False)
def _streets_acted(leaf: int, position: int, lines: Lines) -> int:
    """Up to which street a position has acted: 0 for none."""
    at = lines.before[leaf]
    while at >= 0:
        if lines.nodes[at, POSITION] == position:
            return int(lines.nodes[at, STREET]) + 1
        at = lines.before[at]
    return 0


@kernel(makes_arrays=False)
def _list_one(
    entry: int,
    streets: int,
    look_up: BucketLookUp,
    seen: Bytes,
    groups: Int64s,
    entries: Entries,
) -> None:
    buckets_of_cards(seen, look_up, groups[:streets])
    for street in range(streets):
        entries.groups[entry, street] = groups[street]
    for place in range(entries.cards.shape[1]):
        entries.cards[entry, place] = seen[place]


@kernel(makes_arrays=False)
def add_expected(
    first: int,
    last: int,
    hands: HandColumns,
    entries: Entries,
    lines: Lines,
    probabilities: Floats,
    counts: Floats,
    weight: Floats,
    unblocked: Floats,
    of_card: Floats,
) -> None:
    """Add what the players of some hands are expected to have done.

    Parameters
    ----------
    probabilities
        (2, rows, 3): what the player does whom the hands are about, and what the others do.
    counts
        (2, rows, 3): the same, to be added to.
    weight
        (2, most entries of a hand): scratch space.
    unblocked
        (most entries of a hand,): scratch space.
    of_card
        (52,): scratch space, zeros.
    """
    for hand in range(first, last):
        leaf = hands.leaf[hand]
        for position in range(2):
            side = 0 if position == hands.seat[hand] else 1
            _weigh(leaf, hand, position, entries, lines, probabilities[side], weight[position])
        for position in range(2):
            side = 0 if position == hands.seat[hand] else 1
            begin = entries.begin[2 * hand + position]
            size = entries.begin[2 * hand + position + 1] - begin
            if size > 1:
                _unblock(hand, position, entries, weight[1 - position], unblocked, of_card)
                total = 0.0
                for place in range(size):
                    unblocked[place] = max(weight[position, place] * unblocked[place], _LEAST)
                    total += unblocked[place]
                for place in range(size):
                    unblocked[place] *= hands.weight[hand] / total
            else:
                unblocked[0] = hands.weight[hand]
            _count(leaf, hand, position, entries, lines, unblocked, counts[side])


@kernel(makes_arrays=False)
def _weigh(
    leaf: int,
    hand: int,
    position: int,
    entries: Entries,
    lines: Lines,
    probabilities: Floats,
    weight: Floats,
) -> None:
    """Write how likely a position acts as it did with each of its entries."""
    begin = entries.begin[2 * hand + position]
    size = entries.begin[2 * hand + position + 1] - begin
    for place in range(size):
        weight[place] = 1.0
    if size == 1:
        return
    node = leaf
    while lines.before[node] >= 0:
        action = lines.action[node]
        node = lines.before[node]
        if lines.nodes[node, POSITION] != position:
            continue
        row, street = lines.first_row[node], lines.nodes[node, STREET]
        for place in range(size):
            weight[place] *= probabilities[row + entries.groups[begin + place, street], action]


@kernel(makes_arrays=False)
def _unblock(
    hand: int,
    position: int,
    entries: Entries,
    others: Floats,
    unblocked: Floats,
    of_card: Floats,
) -> None:
    """Write the weight of the other's entries that share no card with each of a position's."""
    begin = entries.begin[2 * hand + position]
    size = entries.begin[2 * hand + position + 1] - begin
    other = entries.begin[2 * hand + 1 - position]
    other_size = entries.begin[2 * hand + 2 - position] - other
    if other_size == 1:
        for place in range(size):
            unblocked[place] = 1.0  # known cards were left out when entries were listed
        return
    hole = entries.cards.shape[1]
    total = 0.0
    for place in range(other_size):
        total += others[place]
        for card in range(hole):
            of_card[entries.cards[other + place, card]] += others[place]
    for place in range(size):
        found = total
        for card in range(hole):
            found -= of_card[entries.cards[begin + place, card]]
        if hole == 2:
            found += others[place]  # both list the same cards in the same order
        unblocked[place] = max(found, 0.0)
    for place in range(other_size):
        for card in range(hole):
            of_card[entries.cards[other + place, card]] = 0.0


@kernel(makes_arrays=False)
def _count(
    leaf: int,
    hand: int,
    position: int,
    entries: Entries,
    lines: Lines,
    share: Floats,
    counts: Floats,
) -> None:
    """Add the shares of a position's entries to what it did."""
    begin = entries.begin[2 * hand + position]
    size = entries.begin[2 * hand + position + 1] - begin
    node = leaf
    while lines.before[node] >= 0:
        action = lines.action[node]
        node = lines.before[node]
        if lines.nodes[node, POSITION] != position:
            continue
        row, street = lines.first_row[node], lines.nodes[node, STREET]
        for place in range(size):
            counts[row + entries.groups[begin + place, street], action] += share[place]
