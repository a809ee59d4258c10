"""Corrections with the cards of all players as they were dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.arena.variance.call_down import CallDown
from pokerlab.games import TERMINAL, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats

Payoffs = tuple[float, ...]

LOOKAHEAD = 4
"""How many actions to look ahead where bots tell what they do."""


def all_in_payoffs(hand: PlayedHand) -> Payoffs:
    """The payoffs, with cards dealt after the last decision replaced by their average.

    A hand of which some cards are not known stays as it is.

    Examples
    --------
    Aces against kings, all-in on the flop; a king was dealt, but that was luck:

    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> deal = game.make_deal(["AsAd", "KsKd"], "2c7d9hKc3s")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "cc/r20000c//", (-20000.0, 20000.0))
    >>> [round(chips) for chips in all_in_payoffs(hand)]
    [16646, -16646]
    """
    played = list(steps(hand))
    if not played or not all_known(hand):
        return hand.payoffs
    before, after = played[-1].before, played[-1].after
    if len(after.node.live) == 1 or after.board == before.board:
        return hand.payoffs
    return tuple(CallDown(hand.game, 1.0).at(after.node, after.holes, before.board).tolist())


def as_dealt_payoffs(
    hand: PlayedHand, bots: Sequence[Bot | None], values: CallDown, *, random_deal: bool = True
) -> Payoffs:
    """The payoffs corrected for all luck that the cards of this deal tell of.

    Parameters
    ----------
    hand
        What was played; all cards that were dealt are known.
    bots
        For each position, a bot that tells its strategy, or None.
    values
        The value function.
    random_deal
        Whether the deal counts as luck; that of a spot does not.
    """
    total = np.array(hand.payoffs)
    first = hand.game.start(hand.deal)
    if random_deal and not isinstance(hand.game, SpotGame):
        # All seats are dealt at random: on average nobody is ahead.
        total += values.even(first.node) - values.at(first.node, first.holes, first.board)
    choices = _Choices(bots, values)
    for step in steps(hand):
        total += choices.correction(step.before, step.action)
        old, new = step.before.board, step.after.board
        if old != new:
            node, holes = step.after.node, step.after.holes
            total += values.at(node, holes, old) - values.at(node, holes, new)
    return tuple(total.tolist())


def all_known(hand: PlayedHand) -> bool:
    """Whether every card that was dealt is known, and all private ones from the beginning."""
    holes = hand.game.hole_cards
    return holes[0] == holes[-1] and all(hand.deal.holes) and board_known(hand)


def board_known(hand: PlayedHand) -> bool:
    """Whether the public cards are known as far as the hand went."""
    known, cards = len(hand.deal.board), hand.game.board_cards
    return known == cards[-1] or known >= cards[hand.final.street]


class _Choices:
    """What bots that tell their strategy might have done: the luck of a decision."""

    def __init__(self, bots: Sequence[Bot | None], values: CallDown) -> None:
        self.bots = bots
        self.values = values

    def correction(self, before: DealtState, taken: str) -> Floats:
        """The mean value of the actions that a bot could take, less the value of the one taken."""
        probabilities = self._probabilities(before)
        if probabilities is None:
            return np.zeros(len(before.holes))
        each = {
            action: self._ahead(before.apply(action), before, LOOKAHEAD)
            for action, chance in probabilities.items()
            if chance > 0.0 or action == taken
        }
        mean = sum((probabilities[action] * value for action, value in each.items()), np.zeros(1))
        return np.asarray(mean / sum(probabilities.values()) - each[taken])

    def _ahead(self, state: DealtState, before: DealtState, depth: int) -> Floats:
        """The value of a state: the mean over what bots do next, to the end of the street."""
        probabilities = None
        if depth and state.street == before.street:
            probabilities = self._probabilities(state)
        if probabilities is None:
            return self.values.at(state.node, before.holes, before.board)
        total = np.zeros(len(before.holes))
        for action, chance in probabilities.items():
            if chance > 0.0:
                total += chance * self._ahead(state.apply(action), before, depth - 1)
        return total / sum(probabilities.values())

    def _probabilities(self, state: DealtState) -> Mapping[str, float] | None:
        """The strategy of the player; None if it does not tell it, and at a draw."""
        if state.player == TERMINAL or state.node.drawing:
            return None
        bot = self.bots[state.player]
        return None if bot is None else bot.probabilities(state.view(state.player))
