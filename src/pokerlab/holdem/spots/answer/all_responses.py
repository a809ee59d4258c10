"""What every hand that a player could hold is worth to a best response against a solution.

Also hands outside of the player's range: a best response looks at the strategies of the opponent
alone, so the boards of a solution with more hands of the responder are all that it needs.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.engine.walker import Probabilities, board_storage, deal_boards, make_walker
from pokerlab.holdem.spots.question.gadget import Gadget, allowed_combos
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.forks import renew_after_fork
from pokerlab.runtime.machine import core_count

_MOST_KEPT = 16
"""Boards whose values are kept: the lines of a board are asked for one after the other."""


class HandResponses:
    """The best responses of a player with every hand that the board allows.

    Parameters
    ----------
    spot, isomorphism, gadget, strategies
        Those of a solution that leaves out no street and has no groups.
    player
        Who responds.
    boards
        Those of the solution. They are used as they are where they hold every hand of the player.
    """

    def __init__(
        self,
        spot: Spot,
        isomorphism: bool,
        gadget: Gadget | None,
        strategies: Probabilities,
        player: int,
        boards: Boards,
    ) -> None:
        everyone, alike = ((), None) if gadget is None else (gadget.everyone, gadget.alike)
        self.player = player
        self._pot = spot.pot
        if len(boards.combos[player]) < np.count_nonzero(allowed_combos(spot.board)):
            boards = deal_boards(
                spot, isomorphism=isomorphism, everyone=(player, *everyone), alike=alike
            )
        self.boards = boards
        self._strategies = strategies
        self._layout = StrategyLayout.of(spot.tree, self.boards)
        self._kept: dict[tuple[int, ...], BoardValues] = {}
        self.renew()
        renew_after_fork(self)
        self._walker = make_walker(spot, self.boards, np.float64, core_count())

    def renew(self) -> None:
        """Begin as if nobody asked."""
        self._lock = threading.Lock()

    def at(self, numbers: Sequence[int]) -> BoardValues:
        """The values on a board: the numbers of the boards on the way to it."""
        key = tuple(numbers)
        with self._lock:
            if key not in self._kept:
                storage = board_storage(
                    self._layout, self._strategies, self.boards, numbers, (1 - self.player,)
                )
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = self._walker.board_values(storage, self.player, key, best=True)
            return self._kept[key]

    def at_root(self) -> Floats:
        """(1326,): what the player takes from the pot of the spot with each hand; NaN: none."""
        weights = np.zeros(N_COMBOS)
        weights[self.boards.combos[1 - self.player]] = self.boards.weights[1 - self.player]
        combos = find_run_out(self.boards, ())[0].combos(self.boards, self.player)
        return chips_by_combo(self.at(()).nodes[0], combos, weights) + self._pot / 2


def chips_by_combo(rows: Floats, combos: Indices, opposing: Floats) -> Floats:
    """Values of a board (hands) in chips for each combo (1326); NaN: it meets nobody.

    Parameters
    ----------
    rows
        Sums over what hands meet, as those of a walker, in the order of the board.
    combos
        The combo of each place of the board; −1: none.
    opposing
        The weights of the opposing hands (1326).
    """
    met = met_weights(opposing)
    known = (combos >= 0) & (met[combos] > 0)
    found = np.full(N_COMBOS, np.nan)
    found[combos[known]] = rows[known] / met[combos[known]]
    return found
