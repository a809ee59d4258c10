"""All-ins before the river, on the card: win margins once, then a product of matrices a walk."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.gpu.level import Level
from pokerlab.postflop.gpu.machine import Machine
from pokerlab.postflop.tables.boards import Boards

__all__ = ["AllIns"]

_TILE = 48
"""All-ins that a block takes at a time; see `kernels/all_ins.cu`."""

_BUSY = 64 * 264
"""Own hands on all boards that keep a card busy with two parts of the opposing hands."""


class AllIns:
    """The all-ins of a level before the river."""

    def __init__(self, machine: Machine, level: Level, boards: Boards) -> None:
        self._level = level
        known = boards.cards[level.number].shape[1]
        missing = 5 - known
        self._chance = 1.0
        for dealt in range(known, 5):
            self._chance /= 52 - dealt - 4
        complete, following = _run_outs(boards.cards[level.number], missing)
        d_complete, d_following = machine.array(complete), machine.array(following)
        rank = machine.kernel("rank_hands", {}, 128)
        count = machine.kernel("count_margins", {}, 128)
        hands = [np.int32(len(each)) for each in boards.combos]
        lengths = level.lengths
        ranks = []
        for player in range(2):
            found = machine.zeros((len(complete), lengths[player]), np.int32)
            rank(
                (len(complete),),
                (
                    d_complete,
                    level.d_combos[player],
                    hands[player],
                    level.d_combo_cards,
                    np.int32(lengths[player]),
                    found,
                ),
            )
            ranks.append(found)
        self.margins: list[Any] = []
        for player in range(2):
            other = 1 - player
            shape = (level.boards, lengths[other], lengths[player])
            margins = machine.zeros(shape, np.uint16)
            count(
                (-(-lengths[player] // 128), lengths[other], level.boards),
                (
                    ranks[player],
                    ranks[other],
                    np.int32(lengths[player]),
                    np.int32(lengths[other]),
                    d_following,
                    np.int32(following.shape[1]),
                    level.d_combo_cards,
                    level.d_combos[player],
                    level.d_combos[other],
                    hands[player],
                    hands[other],
                    np.int32(missing),  # from the flop, turn and river come in both orders
                    margins,
                ),
            )
            self.margins.append(margins)
        options = {"REAL_BITS": 8 * level.real.itemsize}
        self._plain = machine.kernel("evaluate_all_ins", options, 128)
        if level.halved_all_ins:
            self._tiles = {
                parts: machine.kernel(f"evaluate_all_ins_{parts}", options, 128) for parts in (2, 4)
            }

    def evaluate(self, hero: int) -> None:
        """From the opponent's reach to the hero's values."""
        level, other = self._level, 1 - hero
        own_length, opposing_length = level.lengths[hero], level.lengths[other]
        numbers = (np.int32(level.all_ins), np.int32(opposing_length), np.int32(own_length))
        if not level.halved_all_ins:
            grid = (-(-own_length // 128), level.boards, level.all_ins)
            margins, chance = self.margins[hero], np.float64(self._chance)
            self._plain(grid, (level.all_in_reach, margins, level.all_in_values, *numbers, chance))
            return
        parts = 4 if level.boards * own_length < _BUSY else 2
        grid = (-(-own_length // (32 * 4 // parts)), level.boards, -(-level.all_ins // _TILE))
        # The opponent's margins: neighbours in memory are then opposing hands.
        margins, chance = self.margins[other], np.float64(-self._chance)
        self._tiles[parts](
            grid, (level.all_in_reach, margins, level.all_in_values, *numbers, chance)
        )


def _run_outs(
    cards: npt.NDArray[np.uint8], missing: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """All complete boards, and for each board the numbers of those that follow it."""
    numbers: dict[tuple[int, ...], int] = {}
    complete: list[tuple[int, ...]] = []
    following = []
    for board in cards.tolist():
        row = []
        for more in combinations([card for card in range(52) if card not in board], missing):
            key = tuple(sorted((*board, *more)))
            if key not in numbers:
                numbers[key] = len(complete)
                complete.append((*board, *more))
            row.append(numbers[key])
        following.append(row)
    return np.array(complete, np.uint8), np.array(following, np.int32)
