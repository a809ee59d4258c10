"""A number for each (board up to suits, hand): a little bigger than `HandIndexer`, much faster."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.cards.board_index_kernels import (
    BoardTables,
    board_hand_index,
    fill_boards,
    spread_values,
)
from pokerlab.cards.codes import N_COMBOS, Cards, format_cards, to_cards
from pokerlab.cards.hand_index import HandIndexer
from pokerlab.cards.isomorphism import SUIT_PERMUTATIONS, permute_combos

__all__ = ["BoardIndexer"]

_PARTS = 64


class BoardIndexer:
    """Numbers for a hand and a board of given size that differ by more than names of suits.

    The number is 1,326 · the class of the board + the combo that the hand becomes when the board
    is brought to its standard form. Hands that the board blocks have numbers too, and where a
    board has symmetries several numbers stand for hands that are alike: an array by number has
    about 1.5 times the entries of one by `HandIndexer`. A look-up takes about 20 nanoseconds in
    a kernel: pass `tables` to `pokerlab.cards.board_index_kernels.board_hand_index`.

    Parameters
    ----------
    cards
        The number of cards of the board, 1 to 5. (5 takes a second and 10 MB, once.)

    Attributes
    ----------
    classes : int
        The number of boards up to suits.
    size : int
        The number of numbers.
    boards
        The standard form of each class (classes, cards).
    tables : BoardTables
        The arrays that the kernels need.

    Examples
    --------
    >>> indexer = BoardIndexer(3)
    >>> indexer.classes, indexer.size
    (1755, 2327130)
    >>> indexer.index("KhAh", "QcJs5h") == indexer.index("AdKd", "JhQs5d")
    True
    """

    def __init__(self, cards: int) -> None:
        if not 1 <= cards <= 5:
            raise ValueError(f"a board has 1 to 5 cards, not {cards}")
        self.cards = cards
        self.boards, self.tables = _boards_and_tables(cards)
        self.classes = len(self.boards)
        self.size = self.classes * N_COMBOS

    def __repr__(self) -> str:
        return f"BoardIndexer({self.cards})"

    def index(self, hand: Cards, board: Cards) -> int:
        """Number a hand on a board."""
        codes = to_cards((*to_cards(hand), *to_cards(board)))
        if len(codes) != 2 + self.cards:
            raise ValueError(
                f"{format_cards(codes)!r} has {len(codes)} cards; a hand and a board of"
                f" {self.cards} have {2 + self.cards}"
            )
        return int(board_hand_index(self.tables, np.array(codes, np.uint8), self.cards))

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Carry an array by ``HandIndexer((2, cards))`` over to the numbers used here.

        Hands that the board blocks get 0. All cores at once; rivers take some ten seconds.

        Examples
        --------
        >>> from pokerlab.cards.hand_index import HandIndexer
        >>> own, other = BoardIndexer(3), HandIndexer((2, 3))
        >>> spread = own.spread(np.arange(other.size))
        >>> int(spread[own.index("KhAh", "QcJs5h")]) == other.index("KhAh QcJs5h")
        True
        """
        indexer = HandIndexer((2, self.cards))
        if values.shape != (indexer.size,):
            raise ValueError(f"values of shape {values.shape}: expected ({indexer.size},)")
        spread = np.zeros(self.size, values.dtype)
        ends = np.linspace(0, self.classes, _PARTS + 1).astype(np.int64).tolist()

        def fill(part: int) -> None:
            scratch = np.zeros(2 + self.cards, np.uint8)
            spread_values(
                self.boards,
                ends[part],
                ends[part + 1],
                indexer.tables,
                np.ascontiguousarray(values),
                spread,
                scratch,
            )

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(fill, range(_PARTS)))
        return spread


@cache
def _boards_and_tables(cards: int) -> tuple[npt.NDArray[np.uint8], BoardTables]:
    indexer = HandIndexer((cards,))
    boards, _ = indexer.unindex_batch(np.arange(indexer.size))
    numbers = np.zeros(256, np.uint8)
    for number, suits in enumerate(SUIT_PERMUTATIONS.tolist()):
        numbers[int(np.dot(suits, [64, 16, 4, 1]))] = number
    table = np.empty(comb(52, cards), np.uint32)
    fill_boards(cards, indexer.tables, numbers, table)
    images = np.array([permute_combos(suits) for suits in SUIT_PERMUTATIONS], np.uint16)
    for array in (boards, table, images):
        array.flags.writeable = False
    return boards, BoardTables(table, images)
