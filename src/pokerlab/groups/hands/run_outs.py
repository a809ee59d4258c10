"""The complete boards that a board can lead to, and which of them lie below a board between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Bytes, Indices
from pokerlab.cards.codes import card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS


class RunOuts:
    """All complete boards of a board of three to five cards, each once as a set of cards.

    Attributes
    ----------
    root
        The board that they begin with.
    rivers : (n, 5)
        1,176 for a flop, 48 for a turn, 1 for a river.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> run_outs = RunOuts(parse_cards("QhJh2c"))
    >>> run_outs.rivers.shape, len(run_outs.below(parse_cards("QhJh2c7d")))
    ((1176, 5), 48)
    """

    def __init__(self, root: Sequence[int]) -> None:
        self.root = tuple(root)
        left = [card for card in range(52) if card not in self.root]
        boards = [self.root + new for new in combinations(left, 5 - len(self.root))]
        masks = np.array([card_mask(board) for board in boards], np.uint64)
        order = np.argsort(masks)
        self.rivers: Bytes = np.array(boards, np.uint8)[order]
        self._masks = masks[order]

    def below(self, board: Sequence[int]) -> Indices:
        """The numbers of the complete boards that a board of three to five cards can lead to."""
        mask = np.uint64(card_mask(board))
        return np.flatnonzero(self._masks & mask == mask)

    def numbers(self, boards: Bytes) -> Indices:
        """The numbers of complete boards."""
        masks = np.array([card_mask(board) for board in boards.tolist()], np.uint64)
        return np.searchsorted(self._masks, masks)


def possible_combos(board: Sequence[int]) -> Bools:
    """Which of the 1,326 combos share no card with a board."""
    return np.asarray(COMBO_MASKS & np.uint64(card_mask(board)) == 0)


def in_threads(work: Callable[[slice], Any], size: int, threads: int) -> list[Any]:
    """The results of `work` for the parts of 0 … size − 1, in their order."""
    ends = np.linspace(0, size, min(size, 8 * threads) + 1).astype(int).tolist()
    parts = [slice(first, last) for first, last in pairwise(ends)]
    if threads == 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))
