"""The strategy of a bot at every information set of a tree."""

from __future__ import annotations

import numpy as np

from pokerlab.bots.bot import NEEDS_POLICY, Bot
from pokerlab.games import Deal
from pokerlab.games.definition import BettingGame
from pokerlab.games.state import HandState
from pokerlab.solvers import Strategy
from pokerlab.trees.game_tree import GameTree


def tree_strategy(tree: GameTree, bot: Bot) -> Strategy:
    """The strategy of a bot that tells its probabilities.

    Parameters
    ----------
    tree
        A game of cards, maybe up to suits.
    bot
        Is reset here, for this game.

    Examples
    --------
    >>> from pokerlab.bots import Raiser
    >>> from pokerlab.games import load_game
    >>> tree_strategy(GameTree.build(load_game("kuhn")), Raiser())["Js:c"]
    {'c': 0.0, 'r': 1.0}
    """
    infosets = tree.infosets
    choices: dict[str, dict[str, float]] = {}
    for node, state in tree.states():
        number = int(tree.infoset[node])
        if number < 0 or infosets.names[number] in choices:
            continue
        assert isinstance(state, HandState) and isinstance(state.game, BettingGame)
        if not choices:
            bot.reset(state.game, np.random.default_rng(0))
        view = state.game.replay(state.node.text, Deal(state.holes, state.board))
        told = bot.probabilities(view.view(state.player))
        if told is None:
            raise ValueError(
                f"{type(bot).__name__} does not tell its probabilities; {NEEDS_POLICY}"
            )
        choices[infosets.names[number]] = dict(told)
    return Strategy.of(infosets, choices)
