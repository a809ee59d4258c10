"""Tables of complete boards: which hands are possible, in the order of their strength."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.equities.showdown_kernels import sort_by_class
from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import AnyArray, Bytes, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel

_ONE = np.uint64(1)


@kernel
def classify_hands(
    board: Bytes,
    cards: Bytes,
    tables: EvaluatorTables,
    classes: AnyArray,
) -> None:
    """Class of each hand (n, 2 cards) on a board of five cards; 0 if the board has its cards."""
    key = START
    bits = np.uint64(0)
    known = np.uint64(0)
    for card in board:
        key += tables.card_key[card]
        bits |= tables.card_bit[card]
        known |= _ONE << np.uint64(card)
    for hand in range(cards.shape[0]):
        high, low = cards[hand, 0], cards[hand, 1]
        classes[hand] = 0
        if known & ((_ONE << np.uint64(high)) | (_ONE << np.uint64(low))) == 0:
            hand_key = key + tables.card_key[high] + tables.card_key[low]
            hand_bits = bits | tables.card_bit[high] | tables.card_bit[low]
            classes[hand] = classify(hand_key, hand_bits, tables)


@kernel
def classify_boards(boards: Bytes, cards: Bytes, tables: EvaluatorTables, classes: Uint16s) -> None:
    """Class of each hand on each board: (boards, hands)."""
    for board in range(boards.shape[0]):
        classify_hands(boards[board], cards, tables, classes[board])


@kernel
def order_hands(
    class_of: Uint16s,
    cards: Bytes,
    first: Int64s,
    nothing: int,
    block: int,
    order: Int32s,
    classes: Uint16s,
    card_offsets: Int32s,
    counts: Int64s,
) -> None:
    """Sort the hands of a player (n, 2 cards) that are possible on each board, weakest first.

    `class_of` (boards, hands) has the larger number for the weaker hand, and 0 for hands that are
    impossible.

    For board b, entries from ``first[b]`` to ``first[b + 1]`` are written: `order` (numbers of
    hands; `nothing` for padding), `classes`, and `card_offsets` (two an entry: card × `block`, 52
    for padding). ``counts[b]`` is the number of hands without padding.
    """
    hands = cards.shape[0]
    numbers = np.empty(hands, np.uint16)
    spare = np.empty(hands, np.uint16)
    for board in range(class_of.shape[0]):
        count = 0
        for hand in range(hands):
            if class_of[board, hand] != 0:
                numbers[count] = hand
                count += 1
        sort_by_class(numbers, spare, class_of[board], count)
        counts[board] = count
        start = first[board]
        for place in range(first[board + 1] - start):
            entry = start + place
            if place < count:
                hand = numbers[place]
                order[entry] = hand
                classes[entry] = class_of[board, hand]
                card_offsets[2 * entry] = cards[hand, 0] * block
                card_offsets[2 * entry + 1] = cards[hand, 1] * block
            else:
                order[entry] = nothing
                classes[entry] = 0
                card_offsets[2 * entry] = 52 * block
                card_offsets[2 * entry + 1] = 52 * block


@kernel
def match_hands(
    own_first: Int64s,
    own_order: Int32s,
    own_counts: Int64s,
    other_first: Int64s,
    other_order: Int32s,
    other_counts: Int64s,
    twin: Int32s,
    block: int,
    same: Int32s,
) -> None:
    """Find each own hand in the opponent's order on the same board.

    `twin` gives the opponent's number of the same combo, −1 if there is none; `same` is the
    place in the opponent's order times `block`, that of one past the padding for none.
    """
    hands = 0  # by a loop: compiling ``twin.max()`` takes a second
    for number in twin:
        if number >= hands:
            hands = number + 1
    place_of = np.empty(hands, np.int64)
    for board in range(own_counts.size):
        nobody = other_first[board + 1] - other_first[board]
        place_of[:] = nobody
        for place in range(other_counts[board]):
            hand = other_order[other_first[board] + place]
            if hand < place_of.size:
                place_of[hand] = place
        for place in range(own_first[board + 1] - own_first[board]):
            entry = own_first[board] + place
            other = twin[own_order[entry]] if place < own_counts[board] else -1
            same[entry] = (place_of[other] if other >= 0 else nobody) * block


@kernel
def group_hands(
    first: Any,
    classes: Any,
    counts: Any,
    group_first: Int64s,
    groups: tuple[Int32s, Int32s],
) -> None:
    """Find the groups of equal hands of both players on each board, weakest first.

    ``groups[p]`` has four numbers a group: own from, to, opposing from, to. A group may be empty
    on one side. The groups of board b begin at ``group_first[b]``; the last entry is their
    number.
    """
    total = 0
    for board in range(counts[0].size):
        group_first[board] = total
        left, right = 0, 0
        while left < counts[0][board] or right < counts[1][board]:
            worst = 0
            if left < counts[0][board]:
                worst = int(classes[0][first[0][board] + left])
            if right < counts[1][board]:
                worst = max(worst, int(classes[1][first[1][board] + right]))
            left_to, right_to = left, right
            while left_to < counts[0][board] and classes[0][first[0][board] + left_to] == worst:
                left_to += 1
            while right_to < counts[1][board] and classes[1][first[1][board] + right_to] == worst:
                right_to += 1
            here = 4 * total
            groups[0][here], groups[0][here + 1] = left, left_to
            groups[0][here + 2], groups[0][here + 3] = right, right_to
            groups[1][here], groups[1][here + 1] = right, right_to
            groups[1][here + 2], groups[1][here + 3] = left, left_to
            total += 1
            left, right = left_to, right_to
    group_first[counts[0].size] = total


@kernel
def place_hands(
    first: Int64s,
    order: Int32s,
    counts: Int64s,
    member_first: Int64s,
    sources: Int32s,
    source_of_member: Int64s,
    nothing: int,
    hands: int,
    padded: int,
    positions: Int32s,
) -> None:
    """For each board and each card that it stands for: where every hand's value is found.

    `sources` (maps, hands) give for a suit permutation the hand that is carried to each hand;
    member m of all boards uses map ``source_of_member[m]``. `positions` (members × padded): the
    place in the order of the board, `nothing` for a hand that is impossible.
    """
    place_of = np.empty(hands, np.int64)
    for board in range(counts.size):
        place_of[:] = nothing
        for place in range(counts[board]):
            place_of[order[first[board] + place]] = place
        for member in range(member_first[board], member_first[board + 1]):
            source = source_of_member[member] * hands
            for hand in range(padded):
                found = place_of[sources[source + hand]] if hand < hands else nothing
                positions[member * padded + hand] = found
