"""A spot of hold'em as a game that can be played at a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.games import BettingGame, Deal, DealtState
from pokerlab.games.betting_trees.chips import write_number
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.play.dealing import deal_cards, deal_hands
from pokerlab.holdem.spots.play.spot_rules import rules_of, settle

_BATCH = 500


@dataclass(frozen=True, kw_only=True, repr=False)
class SpotGame(BettingGame):
    """The rules of a spot: hands come from its ranges, its board lies there from the beginning.

    Seat 0 is out of position. The pot is the ante of both, so a payoff is what a player takes
    from the pot less half of it, in chips; mbb are thousandths of the spot's big blind. Any size
    may be bet, on the menu of the spot or not. Payoffs are chips before the rake, so that they add
    up to 0; `taken` counts as the EVs of a solution do.

    Attributes
    ----------
    spot
        The board, the ranges and the chips.

    Examples
    --------
    >>> game = SpotGame.of(Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80))
    >>> deal = game.deal(np.random.default_rng(1))
    >>> print(deal)
    AhAc|AdJd/QhJh2c4dQd
    >>> game.replay("r200f", deal).payoffs()
    (50.0, -50.0)
    """

    spot: Spot = field(hash=False)

    @classmethod
    def of(cls, spot: Spot) -> SpotGame:
        """The game of a spot."""
        rules = rules_of(spot)
        values = {entry.name: getattr(rules, entry.name) for entry in fields(rules)}
        chips = f"pot {write_number(spot.pot)}, stacks {write_number(spot.effective_stack)}"
        values["description"] = f"{format_cards(spot.board)}, {chips}"
        return cls(**values, spot=spot)

    @property
    def mbb(self) -> float:
        """A chip in thousandths of the spot's big blind."""
        return 1000.0 / self.spot.big_blind

    def taken(self, final: DealtState) -> tuple[float, ...]:
        """The chips that each player takes from the pot less those they put in.

        After the rake, or in prize money: then in chips that are worth the same.

        Examples
        --------
        >>> game = SpotGame.of(Spot("QhJh2c4d", "AA", "QQ", pot=100, stack=80, rake=0.05))
        >>> game.taken(game.replay("r200f", game.deal(np.random.default_rng(1))))
        (95.0, 0.0)
        """
        spent = np.array(final.spent) / self.unit
        won = settle(self.spot, np.array(final.payoffs()), spent)
        return tuple((won + self.spot.pot / 2).tolist())

    def deals(self, rng: np.random.Generator, count: int) -> Iterator[Deal]:
        """Deal `count` hands from the ranges; the first are the same however many are dealt."""
        weights = (self.spot.ranges[0].weights, self.spot.ranges[1].weights)
        while count > 0:
            combos = deal_hands(weights, _BATCH, rng)
            boards = deal_cards(combos, self.spot.board, rng).tolist()
            holes = COMBO_CARDS[combos].tolist()
            for (first, second), board in zip(holes[:count], boards[:count], strict=True):
                yield Deal((tuple(first), tuple(second)), tuple(board))
            count -= _BATCH

    def deal(self, rng: np.random.Generator) -> Deal:
        """Deal one hand from the ranges."""
        return next(self.deals(rng, 1))
