"""One decision of a solution, and the sums over hands behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.shown import Shown, function_named


@dataclass(frozen=True)
class Exploitability:
    """The mean gain of best responses against the solution, over both players.

    Attributes
    ----------
    chips
        In chips; so is ``float(exploitability)``, as for solutions of games.
    pot, big_blind
        What `percent` and `mbb` refer to.
    """

    chips: float
    pot: float
    big_blind: float = 1

    def __float__(self) -> float:
        return self.chips

    @property
    def percent(self) -> float:
        """In percent of the pot."""
        return 100 * self.chips / self.pot

    @property
    def mbb(self) -> float:
        """In thousandths of a big blind."""
        return 1000 * self.chips / self.big_blind


@dataclass(frozen=True, eq=False)
class Decision(Shown):
    """Who acts, and what every hand does there. Arrays are by combo (1326).

    Attributes
    ----------
    line, board, player
        Where it is, the cards that lie there, and who acts (0: out of position).
    pot
        The chips in the middle.
    actions
        What may be done.
    weights
        How likely each player is to arrive with each combo: range weight times strategy.
    strategy
        (actions, 1326): what the player does; NaN for hands that cannot be there.
    """

    _picture = "pokerlab.views.pictures.node_picture:node_html"

    line: str
    board: tuple[int, ...]
    player: int
    pot: float
    actions: tuple[str, ...]
    weights: tuple[Floats, Floats]
    strategy: Floats

    @cached_property
    def equity(self) -> tuple[Floats, Floats]:
        """For each player, the chance of each combo to win at showdown against the other's weights.

        Computed when it is first asked for: on a flop it takes longer than all else together.
        """
        return equities_of(self.board, self.weights)

    @property
    def reached(self) -> bool:
        """Whether both players arrive with hands that can meet.

        Where nobody arrives nothing was learnt: the strategy there is what the solve began with,
        and must not be shown as play.
        """
        return bool(self._arriving(self.player).any())

    @property
    def frequencies(self) -> Floats:
        """How often each action is taken, over all hands that arrive; 0 if it is not `reached`."""
        arriving = self._arriving(self.player)
        played = np.nansum(self.strategy * arriving, axis=1)
        return np.asarray(played / max(arriving.sum(), 1e-300))

    def mean_equity(self, player: int) -> float:
        """The range's equity."""
        return self._mean(self.equity[player], player)

    def __repr__(self) -> str:
        name, seat = type(self).__name__, ("oop", "ip")[self.player]
        return f"<{name} {self.line!r}: {seat}, pot {self.pot:g}, {', '.join(self.actions)}>"

    def _mean(self, values: Floats, player: int) -> float:
        arriving = self._arriving(player)
        known = ~np.isnan(values) & (arriving > 0)
        return float(values[known] @ arriving[known] / arriving[known].sum())

    def _arriving(self, player: int) -> Floats:
        """The weight of each combo times that of the opposing hands it can meet."""
        return self.weights[player] * unblocked_weights(self.weights[1 - player])


@dataclass(frozen=True, eq=False, repr=False)
class NodeView(Decision):
    """A decision with its EVs and equities.

    Attributes
    ----------
    ev
        For each player, the chips that a combo takes from here on, chips put in before not
        counted; NaN where it cannot be there.
    action_ev
        (actions, 1326): the same for the player who acts, after each action; what the action
        costs is taken off, so the mean over the strategy is `ev`.
    known_equity
        `equity`, where somebody has computed it.
    """

    ev: tuple[Floats, Floats]
    action_ev: Floats
    known_equity: tuple[Floats, Floats] | None = None

    @cached_property
    def equity(self) -> tuple[Floats, Floats]:
        """As that of a `Decision`."""
        return self.known_equity or equities_of(self.board, self.weights)

    def mean_ev(self, player: int) -> float:
        """The range's EV."""
        return self._mean(self.ev[player], player)

    def to_frame(self, by: str = "hand") -> Any:
        """A row for each hand of the player who acts, as a ``pandas.DataFrame``.

        With `by`, a row for each part of the range: see `breakdown`.

        Examples
        --------
        >>> from pokerlab.holdem.spots import Spot, solve_spot
        >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> view = solve_spot(spot, target="0.01%").at()
        >>> view.to_frame("made")[["made", "weight"]].values.tolist()
        [['set', 3.0], ['nothing', 4.0]]
        """
        return function_named("pokerlab.views.pictures.node_picture:node_frame")(self, by)


def equities_of(board: tuple[int, ...], weights: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The equity of every combo against the other player's weights; NaN where it has none."""
    found = []
    for player in range(2):
        other = weights[1 - player]
        if other.max() <= 0:
            found.append(np.full(N_COMBOS, np.nan))
            continue
        equity = equity_against(board, other)
        equity[weights[player] <= 0] = np.nan
        found.append(equity)
    return found[0], found[1]


def equity_against(board: tuple[int, ...], weights: Floats) -> Floats:
    """The equity of every combo against a range, not all of whose weights are 0."""
    return hand_strength(board, Range(weights / weights.max()))
