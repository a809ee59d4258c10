"""An estimate of the strategy of a bot that does not tell it: it is asked again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from pokerlab.arena.table import legal_answer
from pokerlab.games import BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import failure_text
from pokerlab.players.bots.hand_strategy import Hand, HandStrategy, private_hands

_PRIOR = 0.1
"""What every action that any hand was seen to take counts for each hand before it was asked."""


def sampled_strategy(
    bot: Bot,
    game: BettingGame,
    view: DealtState,
    samples: int,
    rng: np.random.Generator,
    places: Iterable[int] | None = None,
) -> HandStrategy:
    """Estimate what a bot would do with hands that its seat might hold.

    Each hand is asked `samples` times, each time as in the first hand of a match: the bot forgets
    everything, sits down, and sees this state alone. So the estimate is of a bot that has learned
    nothing yet. An illegal answer, or an error, is what a table makes of it.

    Parameters
    ----------
    bot
        Who is asked; what it knew of a match is lost.
    game
        The rules.
    view
        At a decision of its seat; the cards of the seat do not matter.
    samples
        How often each hand is asked.
    rng
        The source of the bot's randomness.
    places
        Which hands of `private_hands` are asked; by default all that hold no public card. The
        others get zeros.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import RandomBot
    >>> game = load_game("kuhn")
    >>> bot, rng = RandomBot(0, 1, 1), np.random.default_rng(1)
    >>> found = sampled_strategy(bot, game, game.replay("c").view(1), 1000, rng)
    >>> sorted(found.actions), bool(abs(found.probabilities - 0.5).max() < 0.1)
    (['c', 'r'], True)
    """
    hands = private_hands(game)
    public = set(view.board)
    asked = range(len(hands)) if places is None else places
    counts = {
        place: Counter(_ask(bot, game, view, hands[place], rng) for _ in range(samples))
        for place in asked
        if not public.intersection(hands[place])
    }
    actions = tuple(dict.fromkeys(action for each in counts.values() for action in each))
    table = np.zeros((len(hands), len(actions)))
    for place, each in counts.items():
        table[place] = [each[action] + _PRIOR for action in actions]
        table[place] /= table[place].sum()
    return HandStrategy(actions, table)


def _ask(
    bot: Bot, game: BettingGame, view: DealtState, hand: Hand, rng: np.random.Generator
) -> str:
    seen = view.holding(hand)
    try:
        bot.reset(game, np.random.default_rng(int(rng.integers(1 << 63))))
        bot.begin(view.player, range(game.players))
        answer: object = bot.act(seen)
    except BaseException as error:
        failure_text(error)  # Ctrl-C goes on
        answer = None
    return legal_answer(seen, answer)
