"""Players made of two others: one plays first, the other takes over."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.games import BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.fair import FairBot


class TwoBots(Bot):
    """Tells two bots what goes on, and asks the one whose turn it is.

    Parameters
    ----------
    first, second
        The bots, in the order in which they are informed.
    """

    def __init__(self, first: Bot, second: Bot) -> None:
        self._both = first, second

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Reset both."""
        super().reset(game, rng)
        for each in self._both:
            each.reset(game, rng)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Tell both."""
        for each in self._both:
            each.begin(position, players)

    def act(self, view: DealtState) -> str:
        """Ask the one whose turn it is."""
        return self.player_of(view).act(view)

    def end(self, view: DealtState) -> None:
        """Tell both."""
        for each in self._both:
            each.end(view)

    def close(self) -> None:
        """Close both."""
        for each in self._both:
            each.close()

    @abstractmethod
    def player_of(self, view: DealtState) -> Bot:
        """Which of the two decides here."""


class HybridBot(TwoBots):
    """Plays as `FairBot` while three are in, and as another bot once one has folded.

    Parameters
    ----------
    bot
        Who takes over: a bot, or its text (``hbb2:FILE,nearest=5``; ``hbb2,nearest=5`` plays the
        default strategy).
    preflop
        Whether it takes over only where the fold was before the flop.
    caution
        Of the `FairBot`.

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

    def __init__(
        self, bot: str | Bot = "hbb2", *, preflop: bool = False, caution: float = 0.0
    ) -> None:
        if isinstance(bot, str):
            name, comma, options = bot.partition(",")
            if comma and ":" not in name:
                bot = f"{name}:,{options}"  # no file, but options
            bot = make_bot(bot)
        self.bot = bot
        self.preflop = preflop
        self.fair = FairBot(caution=caution)
        super().__init__(self.bot, self.fair)

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """Ask the one whose turn it is."""
        return self.player_of(view).probabilities(view)

    def player_of(self, view: DealtState) -> Bot:
        """The other bot once a player has folded, `FairBot` before."""
        betting = view.node.text.partition("/")[0] if self.preflop else view.node.text
        return self.bot if "f" in betting else self.fair


class SwitchingBot(TwoBots):
    """Plays as one bot for some hands of a match, and then as another one: a trap for learners.

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
        beginner = make_bot(first) if isinstance(first, str) else first
        try:
            super().__init__(beginner, make_bot(then) if isinstance(then, str) else then)
        except ValueError:
            beginner.close()
            raise
        self._begun = 0

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Begin with the first bot again."""
        super().reset(game, rng)
        self._begun = 0

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Tell both, and count the hand."""
        self._begun += 1
        super().begin(position, players)

    def player_of(self, view: DealtState) -> Bot:
        """The first bot in the first hands, then the second."""
        return self._both[0 if self._begun <= self.after else 1]
