"""What actions are worth against a model of the opponent: a search to the end of a street.

The post-flop thesis (2.2.2) describes the bot Brennus in this way: it estimates the range of the
opponent from their actions and finds the action of the highest value by a depth-first search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from pokerlab.cards.codes import N_CARDS, N_COMBOS, card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.games import Betting
from pokerlab.players.bots.winning_chances import completed_boards
from pokerlab.runtime.arrays import Floats

Cards: TypeAlias = tuple[int, ...]
Likelihood: TypeAlias = Callable[[Betting, str, Floats], Floats]
"""How likely the opponent takes an action at a node with each hand of a range."""

_BOARDS = 200
"""Complete boards that stand for all, where there are more."""


@dataclass(frozen=True)
class StreetSearch:
    """The betting of a street of limit poker for two, as a player sees it.

    The player takes the best action, the opponent acts by the model, and its range changes with
    each action. What comes after the street is a showdown without further bets.

    Attributes
    ----------
    seat, street
        Who searches, and where.
    shares
        (hands,): the share of the pot that the player wins at showdown against each hand.
    likelihood
        The model.
    """

    seat: int
    street: int
    shares: Floats
    likelihood: Likelihood

    def action_values(self, node: Betting, weights: Floats) -> dict[str, float]:
        """The chips that the player wins in the whole hand, by action.

        `weights` (hands,) say how likely the opponent has each hand; some must be possible.
        """
        return {action: self.value(node.after(action), weights) for action in node.actions()}

    def value(self, node: Betting, weights: Floats) -> float:
        """The same for a node."""
        if any(node.folded):
            lost = node.folded[self.seat]
            return float(-node.spent[self.seat] if lost else node.spent[1 - self.seat])
        if node.player < 0 or node.street > self.street:
            share = float(weights @ self.shares / weights.sum())
            return share * node.pot - node.spent[self.seat]
        if node.player == self.seat:
            return max(self.action_values(node, weights).values())
        return sum(
            chance * self.value(node.after(action), left)
            for action, chance, left in self._answers(node, weights)
            if chance > 0.0
        )

    def _answers(self, node: Betting, weights: Floats) -> list[tuple[str, float, Floats]]:
        """The opponent's actions: how likely each is, and the range that takes it."""
        actions = node.actions()
        likely = np.array([self.likelihood(node, action, weights) for action in actions])
        totals = likely.sum(axis=0)  # a model may think of a raise that is one too many
        likely = np.where(
            totals > 0.0, likely / np.where(totals > 0.0, totals, 1.0), 1 / len(likely)
        )
        ranges = likely * weights
        chances = ranges.sum(axis=1) / weights.sum()
        return list(zip(actions, chances.tolist(), ranges, strict=True))


@lru_cache(maxsize=1 << 12)
def showdown_shares(combo: int, board: Cards) -> Floats:
    """(1326,): the share of the pot that a combo wins against each other one on a hold'em board.

    Over all complete boards, or 200 of them; which, is fixed by the cards. Combos that share a
    card with the hand or the board get 0.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> aces, kings = (combo_index(*parse_cards(hand)) for hand in ("AsAd", "KsKd"))
    >>> float(showdown_shares(aces, parse_cards("2h7c9dQsJd"))[kings])
    1.0
    >>> bool(0.75 < showdown_shares(aces, ())[kings] < 0.88)
    True
    """
    known = int(COMBO_MASKS[combo]) | card_mask(board)
    rng = np.random.default_rng([combo, *board])
    if board:
        boards = completed_boards(board, known)
        if len(boards) > _BOARDS:
            boards = boards[rng.choice(len(boards), _BOARDS, replace=False)]
    else:
        left = np.array([card for card in range(N_CARDS) if not known >> card & 1], np.uint8)
        boards = rng.permuted(np.tile(left, (_BOARDS, 1)), axis=1)[:, :5]
    classes = np.empty((len(boards), N_COMBOS), np.uint16)
    for number, each in enumerate(boards):
        classify_combos(each, classes[number], evaluator_tables.load())
    own = classes[:, combo, None]
    won = ((classes > own) + (classes == own) / 2).sum(axis=0)
    met = (classes > 0).sum(axis=0)
    apart = COMBO_MASKS & np.uint64(known) == 0
    return np.where(apart & (met > 0), won / np.maximum(met, 1), 0.0)
