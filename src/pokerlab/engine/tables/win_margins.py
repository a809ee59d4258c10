"""`WinMargins`: for the all-ins of a street, how many more run-outs one hand wins than another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.engine.tables.margin_kernels import (
    classify_run_outs,
    count_ties,
    count_win_margins,
)
from pokerlab.runtime.arrays import Bytes, Indices, Uint16s
from pokerlab.runtime.vector_kernels import LANES

_NOBODY = np.uint64((1 << N_CARDS) - 1)
"""The cards of an empty place: it shares one with every hand."""


class WinMargins:
    """The win margins of a street before the river, counted when they are first asked for.

    Parameters
    ----------
    boards : (boards, 3 or 4 cards)
        Those of the street.
    combos
        The hands of each player.
    padded
        How many they are, padding included.
    ties
        What a tie counts for each player, where a win counts 1 and a loss −1: 0 but for prize
        money. Margins are then rounded to halves, 2⁻¹² of themselves off.

    Attributes
    ----------
    first, second : (boards, opposing hands, own hands)
        Of each player, as IEEE halves; one array where both hold the same hands. Zeros for hands
        that share a card, for padding, and on boards that are not counted yet.

    Examples
    --------
    >>> from pokerlab.cards import Range, parse_cards
    >>> kings, aces = (np.flatnonzero(Range(text).weights) for text in ("KsKh", "AsAh"))
    >>> margins = WinMargins(np.array([parse_cards("Kd7c2s9h")], np.uint8), (kings, aces), (16, 16))
    >>> margins.count([0])
    >>> [int(each.view(np.float16)[0, 0, 0]) for each in (margins.first, margins.second)]
    [40, -40]
    """

    def __init__(
        self,
        boards: Bytes,
        combos: tuple[Indices, Indices],
        padded: tuple[int, int],
        ties: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self._boards = boards
        self._ties = ties
        self._padded = padded
        self._cards = [COMBO_CARDS[each] for each in combos]
        self._masks = [np.full(length, _NOBODY) for length in padded]
        for masks, each in zip(self._masks, combos, strict=True):
            masks[: len(each)] = COMBO_MASKS[each]
        # Where both players hold the same hands, the margins of one are those of the other.
        self._same = np.array_equal(*combos) and not any(ties)
        self.first: Uint16s = np.zeros((len(boards), padded[1], padded[0]), np.uint16)
        self.second = self.first if self._same else np.zeros((len(boards), *padded), np.uint16)
        self._counted = np.zeros(len(boards), np.bool_)

    def count(self, boards: Iterable[int], threads: int = 1) -> None:
        """Count those of some boards; callers that do so at once write the same."""
        waiting = [number for number in boards if not self._counted[number]]
        if not waiting:
            return
        if threads == 1 or (len(waiting) == 1 and self._boards.shape[1] == 4):
            for number in waiting:
                self._count_board(number, 1, map)
            return
        with ThreadPoolExecutor(threads) as pool:
            if self._boards.shape[1] == 4:
                _finish(pool.map(partial(self._count_board, pieces=1, run=map), waiting))
            else:
                for number in waiting:
                    self._count_board(number, threads, pool.map)

    def _count_board(self, number: int, pieces: int, run: Callable[..., Iterable[Any]]) -> None:
        """Count those of a board, piece by piece."""
        run_outs, tables = _run_outs(self._boards[number]), evaluator_tables.load()
        classes = []
        for cards, length in zip(self._cards, self._padded, strict=True):
            found = np.zeros((len(run_outs), length), np.int16)

            def classify(piece: slice, cards: Bytes = cards, found: Any = found) -> None:
                classify_run_outs(run_outs[piece], cards, tables, found[piece])

            _finish(run(classify, _cut(len(run_outs), pieces, 1)))
            classes.append(found)
            if self._same:
                break
        own, opposing = classes[0], classes[-1]
        orders = 2 if self._boards.shape[1] == 3 else 1
        # A hand with a card of the board is nobody's hand there.
        known = np.uint64(card_mask(self._boards[number].tolist()))
        masks = [np.where(each & known == 0, each, _NOBODY) for each in self._masks]
        margins, reverse = self.first[number].reshape(-1), self.second[number].reshape(-1)

        def compare(others: slice) -> None:
            count_win_margins(
                own,
                opposing,
                masks[0],
                masks[1],
                orders,
                (others.start, others.stop),
                margins,
                reverse,
                self._same,
            )

        # With the same hands, the last pieces take longest.
        _finish(run(compare, _cut(self._padded[1], 4 * pieces, LANES)[::-1]))
        if any(self._ties):
            ties = np.zeros((self._padded[1], self._padded[0]), np.int16)

            def tie(others: slice) -> None:
                span = others.start, others.stop
                count_ties(own, opposing, masks[0], masks[1], orders, span, ties)

            _finish(run(tie, _cut(self._padded[1], pieces, LANES)))
            for found, each, share in (
                (self.first[number], ties, self._ties[0]),
                (self.second[number], ties.T, self._ties[1]),
            ):
                whole = found.view(np.float16).astype(np.float32)
                found[:] = (whole + np.float32(share) * each).astype(np.float16).view(np.uint16)
        self._counted[number] = True


def _run_outs(board: Bytes) -> Bytes:
    """All boards of five cards that may follow, the order of the cards left aside."""
    deck = np.setdiff1d(np.arange(N_CARDS, dtype=np.uint8), board)
    coming = deck[:, None]
    if len(board) == 3:
        coming = deck[np.stack(np.triu_indices(len(deck), 1), axis=1)]
    known = np.broadcast_to(board, (len(coming), len(board)))
    return np.ascontiguousarray(np.concatenate([known, coming], axis=1))


def _cut(length: int, pieces: int, step: int) -> list[slice]:
    """Cut `length` numbers into pieces, each a multiple of a step."""
    ends = np.linspace(0, length // step, min(pieces, length // step) + 1).astype(int) * step
    return [slice(int(first), int(last)) for first, last in pairwise(ends)]


def _finish(jobs: Iterable[Any]) -> None:
    for _ in jobs:
        pass
