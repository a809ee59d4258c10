"""Bots that play a strategy trained by `pokerlab train`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pokerlab.games import BettingGame, DealtState
from pokerlab.holdem.limit.sampling.bucketed_game import same_rules
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.hand_strategy import HandStrategy, private_hands
from pokerlab.players.strategies.limit_file import (
    LimitStrategy,
    Triple,
    default_strategy_file,
)
from pokerlab.trees.limit.betting import ACTIONS


class TwoPlayerLimitBot(PolicyBot):
    """Plays a trained strategy of limit hold'em for two, or of a smaller game.

    Where training never visited it checks and calls.

    Parameters
    ----------
    path
        The file, or a strategy; by default that of the cache folder.

    Examples
    --------
    >>> from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = load_betting_game("kuhn")
    >>> training = train(BucketedGame.of(kuhn, "each"), iterations=50_000, threads=1)
    >>> bot = TwoPlayerLimitBot(LimitStrategy.of(training))
    >>> bot.reset(kuhn, np.random.default_rng(1))
    >>> probabilities = bot.probabilities(kuhn.replay("r", kuhn.make_deal(["Qs", "Js"])).view(1))
    >>> probabilities["f"] > 0.9
    True
    """

    default_game = "holdem.limit.2p"
    default_name = "limit2"
    default_options = ""
    """What `pokerlab train` must be told beside the game."""

    def __init__(self, path: str | Path | LimitStrategy = "") -> None:
        self.strategy = path if isinstance(path, LimitStrategy) else self._load(path)
        if self.strategy.game.line:
            raise ValueError(
                f"this is an expert for the line {self.strategy.game.line}: it plays as"
                " stitched:BASE,experts=FOLDER"
            )

    def _load(self, path: str | Path) -> LimitStrategy:
        file = Path(path) if path else default_strategy_file(self.default_game)
        if not path and not file.is_file():
            raise ValueError(
                f"no strategy of {self.default_game} has been trained yet; train one:"
                f" pokerlab train {self.default_game}{self.default_options}, or name its file:"
                f" {self.default_name}:FILE"
            )
        return LimitStrategy.load(file)

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Check that the strategy is one of this game."""
        super().reset(game, rng)
        own = self.strategy.game.game
        if not same_rules(game, own):
            raise ValueError(f"a strategy of {own.name} cannot play {game.name}")

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The probabilities of the table; illegal actions become calls."""
        triple = self.strategy.at(view.node, view.holes[view.player], view.board)
        return legal_probabilities(view, triple)

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        """The same for all hands at once."""
        if type(self).probabilities is not TwoPlayerLimitBot.probabilities:
            return super().hand_strategy(view)  # of a bot that plays in another way
        hands = private_hands(view.game)
        rows = self.strategy.at_hands(view.node, hands, view.board)
        rows[np.isnan(rows[:, 0])] = (0.0, 1.0, 0.0)
        legal = view.actions()
        table = np.zeros((len(hands), len(legal)))
        for column, action in enumerate(ACTIONS):
            table[:, legal.index(action if action in legal else "c")] += rows[:, column]
        table /= table.sum(axis=1, keepdims=True)  # files keep few digits
        table[[bool(set(view.board).intersection(hand)) for hand in hands]] = 0.0
        return HandStrategy(tuple(legal), table)


class ThreePlayerLimitBot(TwoPlayerLimitBot):
    """The same for three players: only the default file differs."""

    default_game = "holdem.limit.3p"
    default_name = "limit3"
    default_options = " --minutes 40"


def legal_probabilities(view: DealtState, triple: Triple | None) -> dict[str, float]:
    """What a triple plays in a state: illegal actions are calls, and so is what it does not know.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> legal_probabilities(load_game("kuhn").replay("c"), (0.25, 0.25, 0.5))
    {'c': 0.5, 'r': 0.5}
    """
    if triple is None:
        return {"c": 1.0}
    legal = view.actions()
    probabilities = {"c": 0.0}
    for action, chance in zip("fcr", triple, strict=True):
        taken = action if action in legal else "c"
        probabilities[taken] = probabilities.get(taken, 0.0) + chance
    total = sum(probabilities.values())  # files keep few digits
    return {action: chance / total for action, chance in probabilities.items() if chance > 0.0}
