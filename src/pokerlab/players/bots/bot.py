"""The base class of players: a policy from the view of a seat to an action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.games import BettingGame, DealtState
from pokerlab.players.bots.hand_strategy import HandStrategy, ask_each_hand
from pokerlab.runtime.arrays import Floats

NEEDS_POLICY = "derive it from PolicyBot and write probabilities(view) instead of act(view)"
"""What to do with a bot whose probabilities are needed, in words."""


class Bot(ABC):
    """A player. Only `act` must be written; the rest tells it what goes on around it.

    A match calls `reset`, then for each hand `begin`, `act` whenever it is the bot's turn, and
    `end`. What it is shown is a `DealtState` without any card that its seat may not see: the
    seat that acts is ``view.player``, its cards are ``view.holes[view.player]``, and actions are
    text (``f``, ``c``, ``r``, ``r300``, ``d2c7h``; see `pokerlab.games.state`). In no-limit games
    ``view.raise_bounds()`` says which totals may be raised to.

    Attributes
    ----------
    game
        The game of the match. In a freeze-out stacks change from hand to hand, so what counts
        during a hand is ``view.game``.
    rng
        The source of all randomness of the bot.

    Examples
    --------
    A bot that raises with a pair or an ace, and folds to a bet with anything else:

    >>> from pokerlab.games import load_game
    >>> class Simple(Bot):
    ...     def act(self, view):
    ...         high, low = sorted((card // 4 for card in view.holes[view.player]), reverse=True)
    ...         if high == low or high == 12:
    ...             return "r" if "r" in view.actions() else "c"
    ...         return "f" if view.to_call else "c"
    >>> game = load_game("holdem.limit.2p")
    >>> state = game.start(game.make_deal(["7h2c", "AsKd"], "2d3d4h5s6c"))
    >>> bot = Simple()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.act(state.view(1)), bot.act(state.apply("r").view(0))
    ('r', 'f')
    """

    game: BettingGame
    rng: np.random.Generator

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Forget everything: a match, or a block of a duplicate match, begins."""
        self.game = game
        self.rng = rng

    def warm_up(self) -> None:  # noqa: B027
        """Do ahead what would make the first actions slow; called where a clock will run."""

    def begin(self, position: int, players: Sequence[int]) -> None:  # noqa: B027
        """Take place at `position` of a new hand; ``players[p]`` tells who sits at position p.

        Positions change from hand to hand; the number of a player is the same all match long,
        so that a bot can learn how each of them plays.
        """

    @abstractmethod
    def act(self, view: DealtState) -> str:
        """Choose one of ``view.actions()``."""

    def end(self, view: DealtState) -> None:  # noqa: B027
        """See how the hand ended: its betting, the board, and the hands that were shown down."""

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """With what probability it takes each action; None if it does not tell.

        A bot that tells must sample `act` from just this, and must answer for any state of its
        seat without changing: variance reduction asks about states that were never reached.
        """
        return None

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        """What it would do with every hand that its seat might hold; None if it does not tell.

        `view` is at a decision of its seat; the cards of the seat do not matter. The same holds as
        for `probabilities`: it answers for any public state, without changing. By default each
        hand is asked for its `probabilities`.
        """
        return ask_each_hand(self.probabilities, view)

    def hand_values(self, view: DealtState, seat: int) -> Floats | None:
        """What every hand of each seat is worth at a public state; None if it does not tell.

        (seats, hands), hands in the order of `private_hands`: the payoff of the whole hand, in the
        unit of `DealtState.payoffs`, as the solve of a bot that plays `seat` has it for hands that
        meet the other's range there; NaN where it is not known. `view` is at a decision of any
        seat, and its private cards do not matter. Variance reduction takes the values as guesses:
        no value can change the mean of a result, good ones take more of the noise away.
        """
        return None

    def card_values(self, view: DealtState, seat: int) -> Floats | None:
        """The same for every card that might have come last; None if it does not tell.

        (cards of the deck, seats, hands). `view` is at the first decision of a street that begins
        with one card; the card itself does not matter, and may be missing.
        """
        return None

    def close(self) -> None:  # noqa: B027
        """Release the bot's resources (a process, a file); it will not be used again."""

    def sample(self, probabilities: Mapping[str, float]) -> str:
        """Draw an action with these probabilities."""
        left = self.rng.random() * sum(probabilities.values())
        for action, chance in probabilities.items():
            left -= chance
            if left < 0.0:
                return action
        return max(probabilities, key=probabilities.__getitem__)


class PolicyBot(Bot):
    """A bot that is a table or a formula: it says its probabilities, and samples from them."""

    @abstractmethod
    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """With what probability it takes each action."""

    def act(self, view: DealtState) -> str:
        """Sample an action."""
        return self.sample(self.probabilities(view))
