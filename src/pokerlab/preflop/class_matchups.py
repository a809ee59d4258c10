"""Equities of the 169 classes of starting hands against each other, with exact card removal.

Two tables of 169 rows and columns (the order of `CLASS_NAMES`): how many pairs of combos, one of
each class, share no card, and what the first class wins against the second before the flop, over
all 1,712,304 boards of every such pair. The second is kept in the package as whole numbers (57
thousand bytes); `count_showdowns` makes it again in 16 seconds on two cores, and a slow test
compares the two.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.bucket_games.transition_kernels import add_group_showdowns
from pokerlab.abstraction.strength.tables import all_combos
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, to_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.cards.isomorphism.suits import board_orbits, symmetries
from pokerlab.machine import core_count

N_CLASSES = GRID * GRID

_BOARDS = comb(48, 5)
_PARTS = 16


class ClassTables(NamedTuple):
    """The tables of all pairs of classes, both (169, 169) and read-only."""

    pairs: Floats
    """Pairs of combos that share no card; 1,624,350 in all."""
    equities: Floats
    """The chance of the row's class to win, plus half of that to tie."""


@cache
def class_tables() -> ClassTables:
    """The tables, exact.

    Examples
    --------
    >>> from pokerlab.cards.hand_classes import CLASS_NAMES
    >>> tables = class_tables()
    >>> aces, kings = CLASS_NAMES.index("AA"), CLASS_NAMES.index("KK")
    >>> int(tables.pairs[aces, kings]), int(tables.pairs[aces, aces])
    (36, 6)
    >>> round(float(tables.equities[aces, kings]), 6)
    0.819461
    """
    pairs = count_pairs()
    halves = np.zeros((N_CLASSES, N_CLASSES))
    upper = np.triu_indices(N_CLASSES)
    halves[upper] = np.load(
        Path(__file__).parent / "data" / "class_showdowns.npy", allow_pickle=False
    )
    equities = halves / (2 * _BOARDS * pairs)
    equities.T[upper] = 1 - equities[upper]
    tables = ClassTables(pairs, equities)
    for table in tables:
        table.flags.writeable = False
    return tables


def count_pairs(board: Cards = "") -> Floats:
    """How many pairs of combos, one of each class, share no card with each other and a board.

    Examples
    --------
    >>> int(count_pairs("AsAhAd")[0].sum())  # three aces lie there: nobody has two
    0
    """
    holds = np.zeros((N_COMBOS, 52))
    holds[np.arange(N_COMBOS)[:, None], COMBO_CARDS] = 1
    possible = (holds[:, list(to_cards(board))].sum(axis=1) == 0).astype(np.float64)
    apart = ((holds @ holds.T == 0) * possible).T * possible
    by_class = np.zeros((N_CLASSES, N_COMBOS))
    by_class[CLASS_OF_COMBO, np.arange(N_COMBOS)] = 1
    return np.asarray(by_class @ apart @ by_class.T)


def count_showdowns(board: Cards = "", threads: int | None = None) -> Int64s:
    """How often each class beats each other class after a board, in halves: (169, 169).

    Each pair of combos that share no card meets on every complete board; a win of the row's combo
    counts two, a tie one.

    Parameters
    ----------
    board
        The cards that lie there already, none before the flop.
    threads
        All cores if None.

    Examples
    --------
    >>> halves = count_showdowns("QhJh2c4d7h")
    >>> bool((halves + halves.T == 2 * count_pairs("QhJh2c4d7h")).all())
    True
    """
    # Classes do not know suits, so the boards need no symmetry of a range.
    boards, multiplicities = board_orbits(board, symmetries(board))
    classes = CLASS_OF_COMBO.astype(np.int32)

    def count(part: int) -> Floats:
        sums = np.zeros((2, N_CLASSES, N_CLASSES))
        own = slice(part, None, _PARTS)
        add_group_showdowns(boards[own], multiplicities[own], all_combos(), classes, *sums)
        return sums

    with ThreadPoolExecutor(threads or core_count()) as executor:
        wins, meetings = np.sum(list(executor.map(count, range(_PARTS))), axis=0)
    # Two for a win and one for a tie: a meeting that is not lost, and one more if it is won.
    return np.asarray(meetings - wins.T + wins, np.int64)
