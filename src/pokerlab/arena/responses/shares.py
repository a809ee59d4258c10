"""The share of the pot that a hand wins from each hand that the opponent may hold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pokerlab.arena.responses.share_kernels import add_shares
from pokerlab.arena.variance import showdown_shares
from pokerlab.cards.codes import N_CARDS, N_COMBOS, card_mask, combo_index
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import BettingGame
from pokerlab.holdem.preflop.class_matchups import class_tables
from pokerlab.players.bots.hand_strategy import Hand, private_hands
from pokerlab.players.bots.winning_chances import completed_boards, is_holdem
from pokerlab.runtime.arrays import Bools, Bytes, Floats

_RUN_OUTS = 2_000
"""Boards that are drawn for an all-in before the flop."""


def shares_by_hand(game: BettingGame, hand: Hand, board: Hand) -> Floats:
    """The chance to win plus half the chance to tie against each hand, if all cards came now.

    By the order of `private_hands`, over all run-outs; 0 for hands that share a card with `hand`
    or the board. In hold'em before the flop it is the mean over the hands of the same class.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> shares_by_hand(load_game("leduc"), parse_cards("Ks"), parse_cards("Qh"))
    array([1. , 1. , 0. , 0. , 0.5, 0. ])
    """
    hand = tuple(sorted(hand, reverse=True))
    return _shares(game, hand, tuple(sorted(board)))


@lru_cache(maxsize=256)
def _shares(game: BettingGame, hand: Hand, board: Hand) -> Floats:
    if not is_holdem(game):
        known = {*hand, *board}
        return np.array(
            [
                0.0 if known & set(other) else showdown_shares(game, [hand, other], board)[0]
                for other in private_hands(game)
            ]
        )
    if not board:
        equities = class_tables().equities[CLASS_OF_COMBO[combo_index(*hand)]]
        return np.where(_unblocked(hand), equities[CLASS_OF_COMBO], 0.0)
    return _over_boards(completed_boards(board, card_mask((*hand, *board))), hand)


def drawn_shares(hand: Hand, rng: np.random.Generator) -> Floats:
    """The same in hold'em before the flop, without a bias for any hand, over some random boards.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> shares = drawn_shares(parse_cards("AsAd"), np.random.default_rng(1))
    >>> 0.78 < float(shares[combo_index(*parse_cards("KsKd"))]) < 0.86
    True
    """
    left = np.array([card for card in range(N_CARDS) if card not in hand], np.uint8)
    orders = rng.random((_RUN_OUTS, len(left))).argpartition(5, axis=1)[:, :5]
    return _over_boards(np.ascontiguousarray(left[orders]), hand)


def _over_boards(boards: Bytes, hand: Hand) -> Floats:
    sums = np.zeros((2, N_COMBOS))
    add_shares(boards, combo_index(*hand), sums, evaluator_tables.load())
    return np.where(_unblocked(hand), sums[0] / np.maximum(sums[1], 1.0), 0.0)


def _unblocked(hand: Hand) -> Bools:
    return np.asarray(COMBO_MASKS & np.uint64(card_mask(hand)) == 0)
