"""Bots that tell their probabilities become tables that a compiled loop can play."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.games import BettingGame, Deal
from pokerlab.holdem.limit.buckets.street_buckets import (
    Rounds,
    all_hands,
    count_hands,
    each_hand,
    one_bucket,
)
from pokerlab.players.bots.bot import NEEDS_POLICY, Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.failures import close_bot, reset_bot
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.bots.simple import Caller, Folder, FoldToRaise, Raiser, RandomBot
from pokerlab.players.strategies.table_strategy import TableStrategy
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting

MAX_ROWS = 300_000
"""Rows for which a bot is asked one by one; it takes some microseconds to answer."""
# Whatever they are shown, they do not look at their cards.
_BLIND_BOTS = (Caller, Folder, FoldToRaise, Raiser, RandomBot)


def as_table(game: BettingGame, player: TableStrategy | Bot | str) -> TableStrategy:
    """The table of a strategy, of a bot, or of a bot by name.

    Bots that do not look at their cards take one row a node. Others must tell their
    probabilities, and are asked about every hand: that is for games with few cards.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> as_table(load_betting_game("holdem.limit.2p"), "random:1,2,1").probabilities.shape
    (6378, 3)
    >>> as_table(load_betting_game("holdem.limit.2p"), "fair")
    Traceback (most recent call last):
    ValueError: fair cannot be made a table: holdem.limit.2p has too many hands to ask it about
    each; what works there is a file of `pokerlab train`, or a bot that does not look at its cards
    (caller, folder, fold-to-raise, raiser, random)
    """
    if isinstance(player, TableStrategy):
        if player.game != game:
            raise ValueError(f"a table of {player.game.name} cannot play {game.name}")
        return player
    name = player if isinstance(player, str) else type(player).__name__
    bot = make_bot(player) if isinstance(player, str) else player
    try:
        reset_bot(bot, name, game, np.random.default_rng(0))
        if isinstance(bot, TwoPlayerLimitBot):
            return bot.strategy.table()
        return _ask(game, bot, name)
    finally:
        if isinstance(player, str):
            close_bot(bot)


def _ask(game: BettingGame, bot: Bot, name: str) -> TableStrategy:
    betting = flatten_betting(game)
    streets = range(len(game.streets))
    if type(bot) in _BLIND_BOTS:
        groups = [one_bucket() for _ in streets]
        hands: list[list[Rounds]] = [[((),)] for _ in streets]
    else:
        counts = [count_hands(game, street) for street in streets]
        if sum(counts[street] for street in betting.streets) > MAX_ROWS:
            raise ValueError(
                f"{name} cannot be made a table: {game.name} has too many hands to ask it about"
                " each; what works there is a file of `pokerlab train`, or a bot that does not look"
                " at its cards (caller, folder, fold-to-raise, raiser, random)"
            )
        groups = [each_hand(game, street) for street in streets]
        hands = [list(all_hands(game, street)) for street in streets]
    rows = []
    for node in betting.nodes:
        for hole, *boards in hands[node.street]:
            board = tuple(card for cards in boards for card in cards)
            holes = tuple(hole if seat == node.player else () for seat in range(game.players))
            view = game.replay(node.text, Deal(holes, board)).view(node.player)
            probabilities = bot.probabilities(view)
            if probabilities is None:
                raise ValueError(
                    f"{name} cannot be made a table: it does not tell its probabilities (after"
                    f" {node.text!r} with {format_cards(hole) or 'any cards'}); {NEEDS_POLICY}"
                )
            rows.append([probabilities.get(action, 0.0) for action in ACTIONS])
    return TableStrategy(game, groups, np.array(rows, np.float32))
