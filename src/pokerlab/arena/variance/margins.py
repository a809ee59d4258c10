"""How far each hand is ahead of each other on a board, over all cards still to come."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.games import SHOWDOWN_RULES
from pokerlab.games.rules import GameRules
from pokerlab.players.bots.hand_strategy import deck_hands, private_hands
from pokerlab.runtime.arrays import AnyArray, Bools, Floats, Reals

Cards = tuple[int, ...]

_MOST_COMPARED = 300_000
"""Hands times run-outs, in games other than hold'em."""


class ShowdownCards(NamedTuple):
    """What the margins of a game depend on: games that differ by chips share them."""

    showdown: str
    deck: Cards
    hole: int
    """Private cards of a seat."""
    board: int
    """Public cards in the end."""

    @classmethod
    def of(cls, game: GameRules) -> ShowdownCards | None:
        """Those of a game; None if its hands change, lie open, or are too many to compare.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> ShowdownCards.of(load_game("draw")) is None
        True
        """
        try:
            private_hands(game)
        except ValueError:
            return None
        rules = cls(game.showdown, tuple(game.deck), game.hole_cards[0], game.board_cards[-1])
        if rules.is_holdem:
            return rules if set(game.board_cards) <= {0, 3, 4, 5} else None
        compared = len(rules.hands) * comb(len(rules.deck), rules.board)
        return rules if compared <= _MOST_COMPARED else None

    @property
    def hands(self) -> tuple[Cards, ...]:
        """All hands, as `private_hands`."""
        return deck_hands(self.deck, self.hole)

    @property
    def is_holdem(self) -> bool:
        """Whether these are the cards of hold'em."""
        return self[0] == "five-card" and self[2:] == (2, 5) and len(self.deck) == N_CARDS

    def met(self, weights: Floats) -> Floats:
        """(hands,): the sum of the weights that share no card with each hand."""
        return met_weights(weights) if self.is_holdem else np.asarray(hands_apart(self) @ weights)


class BoardMargins:
    """Of each hand against each other: the chance to win less the chance to lose.

    Hands are in the order of `private_hands`; those that share a card with each other or with the
    board have margin 0. Exact, except that hold'em before the flop knows classes of hands alone,
    with the mean over their suits.

    Parameters
    ----------
    rules
        The deck and the showdown.
    board
        The public cards so far.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> margins = BoardMargins(ShowdownCards.of(load_game("leduc")), parse_cards("Ks"))
    >>> margins.matrix[2].tolist()  # a queen against Jh, Js, Qh, Qs, Kh and Ks
    [1.0, 1.0, 0.0, 0.0, -1.0, 0.0]
    """

    def __init__(self, rules: ShowdownCards, board: Cards) -> None:
        self.rules = rules
        self.board = board
        self.hands = rules.hands
        self.apart = hands_apart(rules)
        self.possible: Bools = np.asarray(~hands_holding(rules)[:, board].any(axis=1))
        left = len(rules.deck) - len(board) - 2 * len(self.hands[0])
        self._run_outs = comb(left, rules.board - len(board))

    def against(self, weights: Floats) -> Floats:
        """(hands,): the sum of the margins of each hand against weighted ones."""
        held = np.flatnonzero(weights)
        if len(held) == 1:
            return np.asarray(weights[held[0]] * self._column(int(held[0])), np.float64)
        return np.asarray(self.matrix @ weights.astype(self.matrix.dtype), np.float64)

    @cached_property
    def matrix(self) -> Reals:
        """(hands, hands): those of the first against the second; in hold'em in float32."""
        if self.rules.is_holdem and len(self.board) < 5:
            found = self._holdem_matrix()
        else:
            kind = np.float32 if self.rules.is_holdem else np.float64
            found = np.zeros((len(self.hands), len(self.hands)), kind)
            for each in self._strengths:
                found += each[:, None] > each
                found -= each[:, None] < each
            found /= self._run_outs
        possible = self.possible
        found[~(self.apart & possible & possible[:, None])] = 0.0
        return found

    def _column(self, hand: int) -> Floats:
        """(hands,): those of each hand against one."""
        if "matrix" in self.__dict__ or (self.rules.is_holdem and not self.board):
            return np.asarray(self.matrix[:, hand])
        each, own = self._strengths, self._strengths[:, hand, None]
        ahead = (each > own).sum(axis=0) - (each < own).sum(axis=0)
        known = self.apart[hand] & self.possible & self.possible[hand]
        return np.where(known, ahead / self._run_outs, 0.0)

    @cached_property
    def _strengths(self) -> AnyArray:
        """(run-outs, hands): greater wins; the greatest for a hand that a run-out makes impossible.

        So of two hands that share no card each wins where the other is impossible, as often as it
        loses where it is impossible itself: nothing need be left out.
        """
        rules, board = self.rules, self.board
        if rules.is_holdem:
            return self._holdem_strengths()
        strength = SHOWDOWN_RULES[rules.showdown].strength
        left = [card for card in rules.deck if card not in board]
        found = []
        for cards in combinations(left, rules.board - len(board)):
            whole = board + cards
            known = set(whole)
            found.append(
                [np.inf if known & {*hand} else strength(hand, whole) for hand in self.hands]
            )
        # Some strengths are too great for a float to tell apart: their order is all that counts.
        ordered = {each: place for place, each in enumerate(sorted({*chain(*found)}))}
        return np.array([[ordered[each] for each in row] for row in found], np.int32)

    def _holdem_strengths(self) -> AnyArray:
        from pokerlab.cards.evaluator import tables as evaluator_tables
        from pokerlab.engine.tables.margin_kernels import classify_run_outs

        left = np.setdiff1d(np.arange(N_CARDS, dtype=np.uint8), self.board)
        coming = np.array(list(combinations(left, 5 - len(self.board))), np.uint8)
        known = np.broadcast_to(np.array(self.board, np.uint8), (len(coming), len(self.board)))
        boards = np.ascontiguousarray(np.concatenate([known, coming], axis=1))
        classes = np.zeros((len(boards), len(self.hands)), np.int16)
        classify_run_outs(boards, COMBO_CARDS, evaluator_tables.load(), classes)
        return -classes  # class 0 is an impossible hand, 1 the best

    def _holdem_matrix(self) -> Reals:
        if not self.board:
            from pokerlab.cards.hand_classes import CLASS_OF_COMBO
            from pokerlab.holdem.preflop.class_matchups import class_tables

            of_classes = (2 * class_tables().equities - 1).astype(np.float32)
            return np.asarray(of_classes[CLASS_OF_COMBO][:, CLASS_OF_COMBO])
        from pokerlab.engine.tables.win_margins import WinMargins

        every = np.arange(len(self.hands))
        padded = -(-len(every) // 16) * 16
        counted = WinMargins(np.array([self.board], np.uint8), (every, every), (padded, padded))
        counted.count([0])
        margins = counted.first[0].view(np.float16)[: len(every), : len(every)].T
        orders = 2 if len(self.board) == 3 else 1
        return np.asarray(margins / np.float32(orders * self._run_outs), np.float32, order="C")


@lru_cache(maxsize=6)
def board_margins(rules: ShowdownCards, board: Cards) -> BoardMargins:
    """The margins on a board; those of the last boards are kept."""
    return BoardMargins(rules, board)


@lru_cache(maxsize=4)
def hands_apart(rules: ShowdownCards) -> Bools:
    """(hands, hands): which hands share no card.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> hands_apart(ShowdownCards.of(load_game("kuhn"))).astype(int).tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    holds = hands_holding(rules).astype(np.float32)
    return np.asarray(holds @ holds.T == 0)


@lru_cache(maxsize=4)
def hands_holding(rules: ShowdownCards) -> Bools:
    """(hands, 52): which hands hold a card."""
    holds = np.zeros((len(rules.hands), N_CARDS), np.bool_)
    for row, hand in zip(holds, rules.hands, strict=True):
        row[list(hand)] = True
    return holds
