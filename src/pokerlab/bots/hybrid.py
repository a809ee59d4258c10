"""A fair player that hands over to another bot as soon as only two players are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.bots.bot import Bot
from pokerlab.bots.catalogue import make_bot
from pokerlab.bots.fair import FairBot
from pokerlab.games import BettingGame, DealtState


class HybridBot(Bot):
    """Plays as `FairBot` while three are in, and as another bot once one has folded.

    Parameters
    ----------
    bot
        Who takes over: a bot, or its text (``hbb2:FILE,nearest=5``; ``hbb2,nearest=5`` plays the
        default strategy).
    preflop
        Whether it takes over only where the fold was before the flop.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.3p")
    >>> deal = game.make_deal(["7h2c", "AsKd", "QhQc"], "AcKhQdJs6c")
    >>> spots = [game.replay(text, deal).view(0) for text in ("r", "ccc/", "ccc/crf", "f")]
    >>> for preflop in (False, True):
    ...     bot = HybridBot("raiser", preflop=preflop)
    ...     bot.reset(game, np.random.default_rng(1))
    ...     print([bot.act(view) for view in spots])
    ['f', 'c', 'r', 'r']
    ['f', 'c', 'c', 'r']
    """

    def __init__(self, bot: str | Bot = "hbb2", *, preflop: bool = False) -> None:
        if isinstance(bot, str):
            name, comma, options = bot.partition(",")
            if comma and ":" not in name:
                bot = f"{name}:,{options}"  # no file, but options
            bot = make_bot(bot)
        self.bot = bot
        self.preflop = preflop
        self.fair = FairBot()

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Reset both."""
        super().reset(game, rng)
        self.bot.reset(game, rng)
        self.fair.reset(game, rng)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Tell both."""
        self.bot.begin(position, players)
        self.fair.begin(position, players)

    def act(self, view: DealtState) -> str:
        """Ask the one whose turn it is."""
        return self.player_of(view).act(view)

    def end(self, view: DealtState) -> None:
        """Tell both."""
        self.bot.end(view)
        self.fair.end(view)

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """Ask the one whose turn it is."""
        return self.player_of(view).probabilities(view)

    def close(self) -> None:
        """Close both."""
        self.bot.close()
        self.fair.close()

    def player_of(self, view: DealtState) -> Bot:
        """Which of the two decides here."""
        betting = view.node.text.partition("/")[0] if self.preflop else view.node.text
        return self.bot if "f" in betting else self.fair
