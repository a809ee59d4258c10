"""When two hands of a board are the same, given what they are worth on its complete boards.

- **global**: the histograms of the values over all complete boards are equal.
- **hierarchical**: on the flop each turn card gives a histogram, and the histograms of one hand can
  be paired with equal ones of the other. On later streets it is the same as global.
- **river**: the values are equal on each complete board on which both hands are possible, and where
  only one of them is possible, the histograms of these values are equal. Given the first part, the
  second says no more than that the global histograms are equal.

River identity need not be transitive. With values 1, 2 on three boards and a dash where a hand is
impossible, A = (1, 2, -), B = (-, 2, 1), C = (2, -, 1) have the same histogram, A agrees with B and
B with C, but A and C differ on the first board. Hands share a group here if they agree with the
same hands: all hands of a group agree with one another, no order of the hands plays a part, and a
permutation of suits that keeps the board keeps the groups. For rank, strength and view it has never
been needed: on all 1,755 flops and their turns, hands that agree always agree with the same hands.
"""

from __future__ import annotations

import numpy as np

from pokerlab.engine.groups.identity_kernels import split_classes
from pokerlab.engine.groups.numbering import number_rows
from pokerlab.engine.groups.run_outs import RunOuts, in_threads, possible_combos
from pokerlab.runtime.arrays import Bools, Bytes, Int32s


def identical_hands(
    identity: str, values: Int32s, bound: int, run_outs: RunOuts, boards: Bytes, threads: int
) -> tuple[Int32s, int]:
    """Number the groups of identical hands of some boards of one street, each on its own.

    Parameters
    ----------
    identity
        ``river``, ``hierarchical`` or ``global``.
    values, bound
        What `pokerlab.engine.groups.measures.river_values` gives for all run-outs.
    boards : (n, 3 to 5)
        Boards that the run-outs lead through.

    Returns
    -------
    Numbers (n, 1326), −1 where a combo is impossible, and a bound that all are below.
    """
    if boards.shape[1] == 5:
        return values[run_outs.numbers(boards)], bound
    numbers = np.empty((len(boards), values.shape[1]), np.int32)

    def number(part: slice) -> None:
        for place in range(part.start, part.stop):
            numbers[place] = _groups_of(identity, values, run_outs, boards[place], threads)

    in_threads(number, len(boards), threads)
    return numbers, values.shape[1]


def _groups_of(
    identity: str,
    values: Int32s,
    run_outs: RunOuts,
    board: Bytes,
    threads: int,
) -> Int32s:
    possible = possible_combos(board.tolist())
    below = np.ascontiguousarray(values[run_outs.below(board.tolist())].T)
    if identity == "hierarchical" and len(board) == 3:
        below = _turn_histograms(values, run_outs, board, threads)
    classes, _ = number_rows(np.sort(below, axis=1))
    if identity == "river":
        return split_by_boards(below, classes, possible)
    classes[~possible] = -1
    return classes


def split_by_boards(values: Int32s, classes: Int32s, wanted: Bools) -> Int32s:
    """Split classes of hands of equal histograms into groups by river identity.

    Parameters
    ----------
    values : (1326, boards)
        What each hand is worth on each board, −1 where it is impossible.
    classes : (1326,)
        Hands of one class have the same histogram of values.
    wanted : (1326,)
        Other hands have no group: −1.
    """
    groups = np.empty_like(classes)
    split_classes(values, np.where(wanted, classes, -1), int(classes.max()) + 1, groups)
    return groups


def _turn_histograms(values: Int32s, run_outs: RunOuts, board: Bytes, threads: int) -> Int32s:
    """The number of each combo's histogram on each turn card: (1326, 49), −1 if impossible."""
    cards = board.tolist()
    turns = [[*cards, card] for card in range(52) if card not in cards]
    rows = np.empty((len(turns), values.shape[1], 48), np.int32)

    def fill(part: slice) -> None:
        for place in range(part.start, part.stop):
            rows[place] = np.sort(values[run_outs.below(turns[place])].T, axis=1)

    in_threads(fill, len(turns), threads)
    numbers, _ = number_rows(rows.reshape(-1, 48))
    by_turn = numbers.reshape(len(turns), -1)
    for place, turn in enumerate(turns):
        by_turn[place, ~possible_combos(turn)] = -1
    return np.ascontiguousarray(by_turn.T)
