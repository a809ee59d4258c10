"""All-ins before the river, on the GPU: win margins once, then a product of matrices a walk."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.engine.gpu.level import Level
from pokerlab.engine.tables.boards import Boards
from pokerlab.runtime.arrays import Bytes, Int32s
from pokerlab.runtime.gpu.machine import Machine

_TILE = 48
"""All-ins that a block takes at a time; see `kernels/all_ins.cu`."""

_BUSY = 64 * 264
"""Own hands on all boards that keep a GPU busy with two parts of the opposing hands."""


class GpuAllIns:
    """The all-ins of a level before the river.

    `margins` are those of another level over the same boards, where they are known. `ties` says
    what a tie counts for each player, where a win counts 1: see `WinMargins`.
    """

    def __init__(
        self,
        machine: Machine,
        level: Level,
        parts: Sequence[Boards],
        margins: list[Any] | None = None,
        ties: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self._level = level
        self._ties = ties
        known = level.on.cards.shape[1]
        self._chance = 1.0
        for dealt in range(known, 5):
            self._chance /= 52 - dealt - 4
        first, second = level.lengths
        self.margins: list[Any] = margins or [
            machine.zeros((level.boards, second, first), np.uint16),
            machine.zeros((level.boards, first, second), np.uint16),
        ]
        for spot, boards in enumerate(parts if margins is None else ()):
            self._count_margins(machine, spot, boards)
        options = {"REAL_BITS": 8 * level.real.itemsize}
        self._plain = machine.kernel("evaluate_all_ins", options, 128)
        if level.halved_all_ins:
            self._tiles = {
                cut: machine.kernel(f"evaluate_all_ins_{cut}", options, 128) for cut in (2, 4)
            }

    def _count_margins(self, machine: Machine, spot: int, boards: Boards) -> None:
        """The win margins of a spot, on its boards."""
        level = self._level
        here, lengths = level.on.of_spot(spot), level.lengths
        cards = level.on.cards[here]
        missing = 5 - cards.shape[1]
        complete, following = _run_outs(cards, missing)
        d_complete, d_following = machine.array(complete), machine.array(following)
        rank = machine.kernel("rank_hands", {}, 128)
        count = machine.kernel("count_margins", {"TIES": 1} if any(self._ties) else {}, 128)
        hands = [np.int32(len(each)) for each in boards.combos]
        combos = [each[spot] for each in level.d_combos]
        ranks = []
        for player in range(2):
            found = machine.zeros((len(complete), lengths[player]), np.int32)
            rank(
                (len(complete),),
                (
                    d_complete,
                    combos[player],
                    hands[player],
                    level.d_combo_cards,
                    np.int32(lengths[player]),
                    found,
                ),
            )
            ranks.append(found)
        for player in range(2):
            other = 1 - player
            count(
                (-(-lengths[player] // 128), lengths[other], len(cards)),
                (
                    ranks[player],
                    ranks[other],
                    np.int32(lengths[player]),
                    np.int32(lengths[other]),
                    d_following,
                    np.int32(following.shape[1]),
                    level.d_combo_cards,
                    combos[player],
                    combos[other],
                    hands[player],
                    hands[other],
                    np.int32(missing),  # from the flop, turn and river come in both orders
                    self.margins[player][here],
                    *self._tie_shares(player),
                ),
            )

    def _tie_shares(self, player: int) -> tuple[Any, ...]:
        """What a tie counts in a player's margins; nothing where none does."""
        if not any(self._ties):
            return ()
        if self._level.halved_all_ins:  # the opponent asks for them, with the sign changed
            return (np.float32(-self._ties[1 - player]),)
        return (np.float32(self._ties[player]),)

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
        cut = 4 if level.boards * own_length < _BUSY else 2
        grid = (-(-own_length // (32 * 4 // cut)), level.boards, -(-level.all_ins // _TILE))
        # The opponent's margins: neighbours in memory are then opposing hands.
        margins, chance = self.margins[other], np.float64(-self._chance)
        self._tiles[cut](grid, (level.all_in_reach, margins, level.all_in_values, *numbers, chance))


def _run_outs(cards: Bytes, missing: int) -> tuple[Bytes, Int32s]:
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
