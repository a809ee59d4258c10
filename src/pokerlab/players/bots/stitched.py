"""A base player with heads-up experts stitched in: who decides depends on the betting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pokerlab.games import BettingGame, DealtState
from pokerlab.holdem.limit.sampling.bucketed_game import same_rules
from pokerlab.players.bots.bot import Bot, PolicyBot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.limit_bot import legal_probabilities
from pokerlab.players.bots.switching import TwoBots
from pokerlab.players.strategies.experts import Experts


class ExpertsBot(PolicyBot):
    """Plays the experts where they know the line; elsewhere it checks and calls.

    Parameters
    ----------
    experts
        The experts, or the folder of their files.
    """

    def __init__(self, experts: str | Path | Experts) -> None:
        self.experts = experts if isinstance(experts, Experts) else Experts.load(experts)

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Check that the experts are of this game."""
        super().reset(game, rng)
        if not same_rules(game, self.experts.game):
            raise ValueError(f"experts of {self.experts.game.name} cannot play {game.name}")

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The probabilities of the expert; illegal actions become calls."""
        triple = self.experts.at(view.node, view.holes[view.player], view.board)
        return legal_probabilities(view, triple)


class StitchedBot(TwoBots):
    """Plays as its base, and as a heads-up expert after a line that one was trained for.

    Parameters
    ----------
    base
        A bot, or its text (``cfr3:FILE``, ``hbb7:FILE,bias``).
    experts
        The experts, or the folder of their files.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.players.strategies.experts import train_expert
    >>> from pokerlab.players.strategies.limit_file import LimitStrategy
    >>> kuhn = load_betting_game("kuhn.3p")
    >>> game = BucketedGame.of(kuhn, "each")
    >>> base = LimitStrategy.of(train(game, iterations=5_000, threads=1, boards=2))
    >>> expert = LimitStrategy.of(train_expert(base, "rf", "each", 2_000, boards=2))
    >>> bot = StitchedBot("folder", Experts({"rf": expert}))
    >>> bot.reset(kuhn, np.random.default_rng(1))
    >>> deal = kuhn.make_deal(["Js", "Qs", "As"])
    >>> [bot.act(kuhn.replay(line, deal).view(2)) for line in ("rc", "rf")]
    ['f', 'c']
    """

    def __init__(self, base: str | Bot, experts: str | Path | Experts) -> None:
        expert = ExpertsBot(experts)
        super().__init__(make_bot(base) if isinstance(base, str) else base, expert)
        self.experts = expert.experts

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """Ask the one whose turn it is."""
        return self.player_of(view).probabilities(view)

    def player_of(self, view: DealtState) -> Bot:
        """The experts where they know what to do, the base elsewhere."""
        base, experts = self._both
        known = self.experts.at(view.node, view.holes[view.player], view.board)
        return base if known is None else experts
