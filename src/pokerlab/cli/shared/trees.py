"""Trees of games for commands that need all of one, with what to do where it is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokerlab.games import Game
    from pokerlab.trees import GameTree


def whole_tree(name: str) -> GameTree:
    """Write out a game; the error of one that is too large says what solves it instead.

    Examples
    --------
    >>> len(whole_tree("kuhn"))
    58
    >>> whole_tree("holdem.limit.2p")
    Traceback (most recent call last):
    pokerlab.trees.builder.TreeTooLargeError: holdem.limit.2p has more than 10,000,000 nodes, too
    many to write out: by a rough estimate ... or more; train a strategy for it: pokerlab train
    holdem.limit.2p
    """
    from pokerlab.games import load_game
    from pokerlab.trees import GameTree
    from pokerlab.trees.builder import TreeTooLargeError

    game = load_game(name)
    try:
        return GameTree.of(game)
    except TreeTooLargeError as error:
        advice = _instead(game, name)
        raise TreeTooLargeError(f"{error}; {advice}") if advice else error from None


def _instead(game: Game, name: str) -> str:
    from pokerlab.cli.commands.games.train import BEST_DEALS
    from pokerlab.games import BettingGame
    from pokerlab.holdem.limit.sampling.bucketed_game import is_holdem

    if not isinstance(game, BettingGame) or not is_holdem(game):
        return ""
    if game.betting == "limit":
        length = "" if game.name in BEST_DEALS else " --minutes 20"
        return f"train a strategy for it: pokerlab train {name}{length}"
    return "solve a spot after the flop instead: pokerlab solve SPOT.toml"
