"""What every hand that a player could hold is worth to a best response against a solution.

Also hands outside of the player's range: a best response looks at the strategies of the opponent
alone, so the boards of a solution with more hands of the responder are all that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.cards.ranges.blockers import mean_by_combo, met_weights
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.engine.walker import Probabilities
from pokerlab.holdem.spots.answer.node_values import NodeValues
from pokerlab.holdem.spots.prepared import deal_spot
from pokerlab.holdem.spots.question.gadget import Gadget, allowed_combos
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats


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
        self.player = player
        self._spot = spot
        if len(boards.combos[player]) < np.count_nonzero(allowed_combos(spot.board)):
            boards = deal_spot(spot, isomorphism=isomorphism, gadget=gadget, everyone=(player,))
        self.boards = boards
        layout = StrategyLayout.of(spot.tree, self.boards)
        self._values = NodeValues(spot, self.boards, layout, strategies, best=True)

    def at(self, numbers: Sequence[int]) -> BoardValues:
        """The values on a board: the numbers of the boards on the way to it."""
        return self._values.at(numbers, self.player)

    def at_root(self) -> Floats:
        """(1326,): what the player takes from the pot of the spot with each hand; NaN: none."""
        combos = find_run_out(self.boards, ())[0].combos(self.boards, self.player)
        met = met_weights(self._spot.ranges[1 - self.player].weights)
        return mean_by_combo(self.at(()).nodes[0], combos, met) + self._spot.pot / 2
