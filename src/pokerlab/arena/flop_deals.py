"""Deals of hold'em whose flops come from a list, so that flops solved ahead are met again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pokerlab.cards.codes import N_CARDS
from pokerlab.cards.flops import parse_flops
from pokerlab.games import BettingGame, Deal
from pokerlab.runtime.arrays import Floats

_SUITS = 4


def deal_on_flops(game: BettingGame, flops: str, rng: np.random.Generator) -> Deal:
    """A random deal whose flop is one of a list, in random suits.

    Parameters
    ----------
    game
        Hold'em for any number of players.
    flops
        As `parse_flops` reads them: ``25`` for a subset whose weights stand for all flops. A flop
        comes as often as its weight says. Empty for all flops.

    Examples
    --------
    >>> from pokerlab.cards.codes import format_cards
    >>> from pokerlab.games import load_game
    >>> game, rng = load_game("holdem.nolimit.2p"), np.random.default_rng(1)
    >>> [format_cards(deal_on_flops(game, "AsKs7h", rng).board) for _ in range(3)]
    ['AhKh7dJc6c', 'AsKs7h3hKc', 'AsKs7c2sJs']
    """
    if not flops:
        return game.deal(rng)
    if game.board_cards[:2] != (0, 3) or len(game.deck) != N_CARDS:
        raise ValueError(f"flops: {game.name} is not hold'em from before the flop on")
    found, shares = _flops(flops)
    chosen = found[int(rng.choice(len(found), p=shares))]
    suits = rng.permutation(_SUITS)
    flop = [int(card - card % _SUITS + suits[card % _SUITS]) for card in chosen]
    rest = rng.permutation([card for card in range(N_CARDS) if card not in flop]).tolist()
    holes = []
    for _ in range(game.players):
        holes.append(tuple(sorted(rest[: game.hole_cards[-1]], reverse=True)))
        rest = rest[game.hole_cards[-1] :]
    return Deal(tuple(holes), (*flop, *rest[: game.board_cards[-1] - 3]))


@lru_cache(maxsize=8)
def _flops(text: str) -> tuple[tuple[tuple[int, ...], ...], Floats]:
    flops = parse_flops(text)
    weights = np.array([flop.weight for flop in flops])
    return tuple(tuple(flop.cards) for flop in flops), weights / weights.sum()
