"""Corrections averaged over all hands with which a known strategy might have played as it did.

An observer sees the betting, the board, and the hands of players who do not tell their strategy.
What they know of the rest is a weight for each hand of each seat: that of the deal, times the
probabilities of what the seat did. The mean payoff of the pairs of hands that are left is the
result, and whatever chance or a known strategy decides is corrected for by its mean, given what
the observer knows. Each correction is zero on average by itself, for any value function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.arena.variance.as_dealt import LOOKAHEAD, Payoffs
from pokerlab.arena.variance.call_down import CallDown
from pokerlab.arena.variance.margins import ShowdownCards, board_margins, hands_holding
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import TERMINAL, Betting, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.hand_strategy import HandStrategy
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats

Cards = tuple[int, ...]
Weights = tuple[Floats, Floats]

_FLOP = 3
_LEAST_CHANCE = 0.02
"""An action less likely than this is not valued by what the others leave of the mean."""


class KnownPlayer(NamedTuple):
    """What is known of a player."""

    bot: Bot | None
    """Tells its strategy; None: the strategy is not known."""
    averaged: bool
    """Whether it tells the strategy of all hands."""
    held: int | None
    """The number of the hand that it held; None if it is not known."""
    ahead: Callable[[DealtState], bool] = lambda state: True
    """Whether it is asked what it would do at a state that may not have been reached."""

    @property
    def given(self) -> bool:
        """Whether the observer sees the hand."""
        return self.held is not None and not self.averaged


class _Branch(NamedTuple):
    """What may follow: an action or a card."""

    chance: float
    weights: Weights


def averaged_payoffs(
    hand: PlayedHand,
    seats: Sequence[KnownPlayer],
    rules: ShowdownCards,
    values: CallDown,
    *,
    flop_first: bool = False,
) -> Payoffs:
    """The payoffs of two players, corrected for all luck that an observer can tell.

    Where a hand is hidden that no known strategy played, the board is not corrected for: what was
    left to come depends on it.

    Parameters
    ----------
    hand
        What was played; the board is known as far as it went.
    seats
        What is known of each player.
    rules
        The cards of the game.
    values
        The value function where bots do not tell values.
    flop_first
        Hold'em: the observer sees the flop before anything else, as if it was dealt first. So
        flops may come from a list (`deal_on_flops`), and hands are valued on them from the start.
        All five cards must be known, whether they were dealt or not.
    """
    observer = _Observer(hand, list(seats), rules, values, flop_first=flop_first)
    state = hand.game.start(hand.deal)
    total = observer.deal_correction(state)
    for step in steps(hand):
        state = step.after
        total += observer.decision_correction(step.before, step.action)
        if state.board != step.before.board:
            total += observer.board_correction(state, step.before.board)
    total += observer.result(state, hand.payoffs[0])
    return total, 0.0 - total


class _Observer:
    """The weights of all hands at a point of the hand; values are those of seat 0."""

    def __init__(
        self,
        hand: PlayedHand,
        seats: list[KnownPlayer],
        rules: ShowdownCards,
        values: CallDown,
        *,
        flop_first: bool,
    ) -> None:
        self.seats = seats
        self.rules = rules
        self.values = values
        self.hidden = not all(seat.averaged or seat.given for seat in seats)
        self._strategies: dict[tuple[str, Cards], HandStrategy | None] = {}
        self._values_told: dict[tuple[str, Cards, bool], list[tuple[int, Floats]]] = {}
        self._first: Cards = hand.deal.board[:_FLOP] if flop_first and rules.is_holdem else ()
        board = self._seen(hand.game.start(hand.deal).board)
        if isinstance(hand.game, SpotGame):
            first, second = (each.weights.copy() for each in hand.game.spot.ranges)
        else:
            first, second = np.ones((2, len(rules.hands)))
        self.dealt = self._on_board((first, second), board)
        self.weights: Weights = self.dealt
        for seat, each in enumerate(seats):
            if each.given:
                self._reveal(seat)

    def deal_correction(self, first: DealtState) -> float:
        """For the hand that the observer sees; hands that are averaged over are no luck."""
        given = [seat for seat, each in enumerate(self.seats) if each.given]
        if len(given) != 1:
            return 0.0
        [seat] = given
        held, opposing = self.seats[seat].held, self.dealt[1 - seat]
        met = self.rules.met(opposing)
        chances = self.dealt[seat] * met
        chances /= chances.sum()
        possible = chances > 0
        told = [each[seat] for _, each in self._ask_values(first)]
        if told and not np.isnan(np.mean(told, axis=0)[possible]).any():
            found = np.mean(told, axis=0)[possible]
        else:
            margins = board_margins(self.rules, self._seen(first.board)).against(opposing)
            found = self._stake(first.node) * margins[possible] / met[possible]
        place = int(np.count_nonzero(possible[:held]))
        correction = float(chances[possible] @ found - found[place])
        return correction if seat == 0 else -correction

    def decision_correction(self, before: DealtState, taken: str) -> float:
        """The mean value of the actions that the player could take, less that of the one taken."""
        seat = before.player
        branches = self._branches(before, self.weights)
        if branches is None:
            if self.seats[seat].averaged:
                self._stop_averaging(seat, before)
            return 0.0
        if taken not in branches:
            raise ValueError(
                f"seat {seat} took {taken} after {before.betting!r}, which its bot says it never"
                " does: a bot must tell what it played by"
            )
        found, guessed = {}, []
        for action, branch in branches.items():
            after = before.apply(action)
            found[action] = self._ahead(after, before, branch.weights, LOOKAHEAD)
            if not self._is_known(after, before, branch.weights):
                guessed.append(action)
        whole = self._told_value(before, self.weights)
        if whole is not None and len(guessed) == 1:
            # One action ends the street, and nobody tells its value: the others leave it.
            [last] = guessed
            chance = branches[last].chance
            if chance >= _LEAST_CHANCE:
                rest = sum(branches[each].chance * found[each] for each in found if each != last)
                found[last] = (whole - rest) / chance
        self.weights = branches[taken].weights
        mean = sum(branch.chance * found[action] for action, branch in branches.items())
        return mean - found[taken]

    def board_correction(self, after: DealtState, old: Cards) -> float:
        """The mean value over what might come, less the value of the cards that came."""
        before, self.weights = self.weights, self._on_board(self.weights, after.board)
        if self.hidden or after.board == self._seen(old):
            return 0.0
        cards = self._cards(after, old, before)
        if cards is not None:
            chances, found = cards
            came = self.rules.deck.index(after.board[-1])
            return float(chances @ found - found[came])
        old = self._seen(old)
        if self.rules.is_holdem and not old and not any(map(_by_class, before)):
            return 0.0  # the mean over all flops is known by classes of hands alone
        return self._call_down(after.node, old, before) - self._call_down(
            after.node, after.board, self.weights
        )

    def result(self, final: DealtState, payoff: float) -> float:
        """The mean payoff of the hands that are left."""
        if len(final.node.live) == 1 or self.hidden:
            return payoff
        return self._call_down(final.node, final.board, self.weights)

    def _branches(self, state: DealtState, weights: Weights) -> dict[str, _Branch] | None:
        """The actions of a bot that tells, how likely each is to the observer, and what follows."""
        strategy = self._strategy(state)
        if strategy is None:
            return None
        seat = state.player
        own, opposing = weights[seat], weights[1 - seat]
        met = self.rules.met(opposing)
        rows = strategy.probabilities
        sums = rows.sum(axis=1, keepdims=True)
        played = own[:, None] * np.divide(rows, sums, out=np.zeros_like(rows), where=sums > 0)
        chances = met @ played
        chances /= chances.sum()
        found = {}
        for action, chance, mine in zip(strategy.actions, chances, played.T, strict=True):
            if chance > 0:
                after = (mine, opposing) if seat == 0 else (opposing, mine)
                found[action] = _Branch(float(chance), after)
        return found

    def _ahead(self, state: DealtState, before: DealtState, weights: Weights, depth: int) -> float:
        """The value of a state: by what bots say of it, or the mean over what they do next."""
        node = state.node
        if state.player != TERMINAL:
            if state.street != before.street and state.board != self._seen(before.board):
                cards = self._cards(state, before.board, weights)
                if cards is not None:
                    return float(cards[0] @ cards[1])
                return self._call_down(node, before.board, weights)
            told = self._told_value(state, weights)
            if told is not None:
                return told
            ends = depth == 0 or state.street != before.street
            asked = not ends and self.seats[state.player].ahead(state)
            branches = self._branches(state, weights) if asked else None
            if branches is not None:
                return sum(
                    branch.chance
                    * self._ahead(state.apply(action), before, branch.weights, depth - 1)
                    for action, branch in branches.items()
                )
        return self._call_down(node, before.board, weights)

    def _is_known(self, state: DealtState, before: DealtState, weights: Weights) -> bool:
        """Whether `_ahead` knows the value of a state from bots, or the hand is over there."""
        if state.player == TERMINAL:
            return True
        if state.street == before.street or state.board == self._seen(before.board):
            return self._told_value(state, weights) is not None
        return self._cards(state, before.board, weights) is not None

    def _cards(
        self, after: DealtState, old: Cards, weights: Weights
    ) -> tuple[Floats, Floats] | None:
        """The chance of each card of the deck to come, and its value; None if bots do not tell."""
        if after.player == TERMINAL or after.game.board_cards[after.street] != len(old) + 1:
            return None
        told = self._ask_values(after, old)
        if not told:
            return None
        deck = self.rules.deck
        chances, values = np.zeros((2, len(deck)))
        for place, card in enumerate(deck):
            left = self._on_board(weights, (card,)) if card not in old else None
            if left is None:
                continue
            chances[place] = left[0] @ self.rules.met(left[1])
            if chances[place] > 0:
                value = self._mean_told([(seat, each[place]) for seat, each in told], left)
                if value is None:
                    return None
                values[place] = value
        return chances / chances.sum(), values

    def _told_value(self, state: DealtState, weights: Weights) -> float | None:
        """The value of a decision by what bots tell; None if they do not."""
        return self._mean_told(self._ask_values(state), weights)

    def _mean_told(self, told: Sequence[tuple[int, Floats]], weights: Weights) -> float | None:
        """The mean over the hands that the observer sees, else over those who play the bot.

        What a bot says of them rests on its own strategy, which it knows, and what it says of its
        own hands on what it believes of the other player.
        """
        given = [seat for seat, each in enumerate(self.seats) if each.given]
        found = []
        for teller, each in told:
            seat = given[0] if len(given) == 1 else 1 - teller
            chances = weights[seat] * self.rules.met(weights[1 - seat])
            known = (chances > 0) & ~np.isnan(each[seat])
            if 2 * chances[known].sum() <= chances.sum():
                return None
            value = float(np.average(each[seat][known], weights=chances[known]))
            found.append(value if seat == 0 else -value)
        return float(np.mean(found)) if found else None

    def _ask_values(self, state: DealtState, old: Cards | None = None) -> list[tuple[int, Floats]]:
        """What bots tell of the hands at a decision, or of those after each card if it is one.

        With the seat of the bot.
        """
        key = state.betting, state.board if old is None else old, old is None
        if key not in self._values_told:
            view = state.view(state.player)
            told = [
                (seat, bot.hand_values(view, seat) if old is None else bot.card_values(view, seat))
                for seat, (bot, *_) in enumerate(self.seats)
                if bot is not None
            ]
            self._values_told[key] = [(seat, each) for seat, each in told if each is not None]
        return self._values_told[key]

    def _strategy(self, state: DealtState) -> HandStrategy | None:
        key = state.betting, state.board
        if key not in self._strategies:
            self._strategies[key] = self._ask(state)
        return self._strategies[key]

    def _ask(self, state: DealtState) -> HandStrategy | None:
        bot, averaged, held, _ = self.seats[state.player]
        if bot is None:
            return None
        view = state.view(state.player)
        if averaged:
            return bot.hand_strategy(view)
        told = bot.probabilities(view) if held is not None else None
        if told is None:
            return None
        rows = np.zeros((len(self.rules.hands), len(told)))
        rows[held] = list(told.values())
        return HandStrategy(tuple(told), rows)

    def _call_down(self, node: Betting, board: Cards, weights: Weights) -> float:
        """The value if all call (see `CallDown`); to a bet, hands that lose less by it fold."""
        if len(node.live) == 1:
            return float(self.values.even(node)[0])
        margins, stake = board_margins(self.rules, self._seen(board)), self._stake(node)
        facing = node.player if node.player != TERMINAL and node.to_call else None
        # One hand against many is quickly compared.
        seat = int(self.seats[0].given) if facing is None else facing
        if self.seats[seat].given:
            own, met = weights[1 - seat], self.rules.met(weights[seat])
            value = -stake * float(own @ margins.against(weights[seat]) / (own @ met))
            if facing is not None:
                value = max(value, -node.spent[seat] / self.values.game.unit)
        else:
            own, met = weights[seat], self.rules.met(weights[1 - seat])
            each = stake * margins.against(weights[1 - seat])
            if facing is not None:
                each = np.maximum(each, -met * node.spent[seat] / self.values.game.unit)
            value = float(own @ each / (own @ met))
        return value if seat == 0 else -value

    def _seen(self, board: Cards) -> Cards:
        """The public cards that the observer sees."""
        return board or self._first

    def _stake(self, node: Betting) -> float:
        return self.values.weight(node) * min(self.values.paid(node)) / self.values.game.unit

    def _on_board(self, weights: Weights, board: Cards) -> Weights:
        if not board:
            return weights
        gone = hands_holding(self.rules)[:, board].any(axis=1)
        first, second = (np.where(gone, 0.0, each) for each in weights)
        return first, second

    def _stop_averaging(self, seat: int, state: DealtState) -> None:
        """From here on, the observer sees the hand of a bot that tells no more."""
        if self.seats[seat].held is None:
            raise ValueError(
                f"seat {seat} does not tell its strategy after {state.betting!r}, and its cards"
                " are not known"
            )
        self.seats[seat] = self.seats[seat]._replace(averaged=False)
        self._reveal(seat)

    def _reveal(self, seat: int) -> None:
        weights = list(self.weights)
        weights[seat] = np.zeros_like(weights[seat])
        weights[seat][self.seats[seat].held] = 1.0
        self.weights = weights[0], weights[1]


def _by_class(weights: Floats) -> bool:
    """Whether hands that differ by suits alone are as likely."""
    sums, counts = (np.bincount(CLASS_OF_COMBO, each) for each in (weights, np.ones(len(weights))))
    return bool(np.allclose(weights, (sums / counts)[CLASS_OF_COMBO], rtol=1e-9, atol=0))
