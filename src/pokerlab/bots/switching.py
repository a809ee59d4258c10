"""A player that changes its style: a trap for those who learn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.bots.bot import Bot
from pokerlab.bots.catalogue import make_bot
from pokerlab.games import BettingGame, DealtState


class SwitchingBot(Bot):
    """Plays as one bot for some hands of a match, and then as another one.

    Parameters
    ----------
    first
        Who begins: a bot, or its text.
    then
        Who goes on.
    after
        How many hands the first one plays.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> bot = SwitchingBot("caller", "raiser", after=2)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> for _ in range(4):
    ...     bot.begin(0, [0, 1])
    ...     print(bot.act(game.replay("").view(0)), end=" ")
    c c r r
    """

    def __init__(self, first: str | Bot, then: str | Bot = "fair", after: int = 500) -> None:
        if after < 0:
            raise ValueError(f"after: {after} is not a number of hands (0 or more)")
        self.after = after
        self._first = make_bot(first) if isinstance(first, str) else first
        try:
            self._then = make_bot(then) if isinstance(then, str) else then
        except ValueError:
            self._first.close()
            raise
        self._begun = 0

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Begin with the first bot again."""
        super().reset(game, rng)
        self._begun = 0
        self._first.reset(game, rng)
        self._then.reset(game, rng)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Tell both."""
        self._begun += 1
        self._first.begin(position, players)
        self._then.begin(position, players)

    def act(self, view: DealtState) -> str:
        """Ask the one whose time it is."""
        return (self._first if self._begun <= self.after else self._then).act(view)

    def end(self, view: DealtState) -> None:
        """Tell both."""
        self._first.end(view)
        self._then.end(view)

    def close(self) -> None:
        """Close both."""
        self._first.close()
        self._then.close()
