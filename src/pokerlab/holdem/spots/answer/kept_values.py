"""`KeptValues`: what each hand is worth where the second street begins, kept in 16 bits.

For each card that may come and each line that ends the first street, of both players, to a best
response and to the average strategies: all that a gadget for the next street needs, also where
the strategies below are not kept. Numbers are fractions of the most that a player can win, in
steps of 1/32,767: at most 0.008% of the pot off with five pots at stake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.payoffs import largest_win
from pokerlab.holdem.spots.question.gadget import VALUES
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats, Int16s
from pokerlab.runtime.files.reader import Expected
from pokerlab.runtime.files.stored_tensor import Tensor

_LARGEST = 2**15 - 1


@dataclass(frozen=True, eq=False)
class KeptValues:
    """The values of a solution's second street.

    Attributes
    ----------
    tensors
        By name (`kept_name`): (boards, lines, 1326) of the representative boards.
    chips
        What the largest stored number stands for.
    """

    tensors: Mapping[str, Tensor]
    chips: float

    def read(self, player: int, values: str, board: int, root: int) -> Floats:
        """(1326,): the chips that hands on a board win against an even split of the pot."""
        rows = np.asarray(self.tensors[kept_name(player, values)][board : board + 1])
        return np.asarray(rows[0, root] * (self.chips / _LARGEST), np.float64)


def check_keeps_values(spot: Spot, groups: object = None) -> None:
    """Refuse to keep values where no street follows, or where hands share a strategy."""
    if len(spot.tree.streets) < 2:
        raise ValueError("keep values: the spot begins on the river, no street follows")
    if groups is not None:
        raise ValueError("keep values: a solve with groups does not know them, leave them out")


def kept_name(player: int, values: str) -> str:
    """What a file calls the values of a player."""
    return f"next_{values}.{player}"


def kept_schema(spot: Spot, boards: Boards) -> dict[str, Expected]:
    """The tensors of a file that keeps values; all of them may be missing."""
    if len(spot.tree.streets) < 2:
        return {}
    shape = kept_shape(spot, boards)
    return {
        kept_name(player, values): Expected(np.int16, shape, -_LARGEST, _LARGEST, optional=True)
        for player in range(2)
        for values in VALUES
    }


def kept_shape(spot: Spot, boards: Boards) -> tuple[int, int, int]:
    """Cards that may come, lines that end the first street, and combos."""
    return len(boards.cards[1]), spot.tree.streets[1].roots, N_COMBOS


def kept_of(spot: Spot, tensors: Mapping[str, Tensor]) -> KeptValues | None:
    """The kept values among the tensors of a file; `ValueError` where some are missing."""
    names = [kept_name(player, values) for player in range(2) for values in VALUES]
    found = {name: tensors[name] for name in names if name in tensors}
    if 0 < len(found) < len(names):
        raise ValueError(f"of the values of the next street it has {', '.join(found)} alone")
    return KeptValues(found, largest_win(spot)) if found else None


def in_16_bits(chips: Floats, largest: float) -> Int16s:
    """Chips as whole numbers, the largest possible ones 32,767."""
    return np.rint(np.clip(chips / largest, -1, 1) * _LARGEST).astype(np.int16)
