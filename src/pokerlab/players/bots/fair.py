"""The mathematically fair player: it pays no more than its chance to win."""

from __future__ import annotations

from collections.abc import Mapping

from pokerlab.cards.codes import format_cards
from pokerlab.games import DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.winning_chances import SAMPLES, is_draw, plain_discards, winning_chance


class FairBot(Bot):
    """Folds below the pot odds, calls above them, raises when clearly ahead.

    Its chance to win is that against opponents who may hold anything; what they do tells it
    nothing, except that each raise on a street makes it ask more of its hand. With n players
    still in, fair odds are 1 to n - 1. It raises when its odds are better by `margin`, and by as
    much again for each raise before: two players, margin 0.5: with a chance above 0.6 it bets,
    above 0.69 it raises, above 0.77 it raises again.

    Where sizes are free it raises by the pot. At a draw it keeps what belongs together.

    Parameters
    ----------
    samples
        Deals to play where there are too many to play all.
    exact
        In hold'em on the flop against one opponent, play all deals (2 ms rather than 0.07).
    margin
        By how much its odds must be better than fair ones for a raise: 0.5 for half as good
        again.
    caution
        The share of what is left to be sure of winning that it asks beyond the pot odds before it
        pays: 0.2 for a chance of 0.4 where the odds ask for 0.25.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> bot = FairBot()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> deal = game.make_deal(["7h2c", "AsKd"], "KcKhQdJs6c")
    >>> [bot.act(game.replay(betting, deal).view(0)) for betting in ("r", "rc/", "rc/cc/cc/cr")]
    ['c', 'c', 'f']
    >>> [bot.act(game.replay(betting, deal).view(1)) for betting in ("", "rc/c", "rc/crr")]
    ['r', 'r', 'r']
    >>> FairBot(samples=0)
    Traceback (most recent call last):
    ValueError: samples: 0 is not a number of deals to play (1 or more)
    """

    def __init__(
        self,
        samples: int = SAMPLES,
        *,
        exact: bool = False,
        margin: float = 0.5,
        caution: float = 0.0,
    ) -> None:
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise ValueError(f"samples: {samples} is not a number of deals to play (1 or more)")
        if not margin >= 0.0:
            raise ValueError(f"margin: {margin} must be 0 or more")
        if not 0.0 <= caution <= 1.0:
            raise ValueError(f"caution: {caution} must be from 0 to 1")
        self.samples = samples
        self.exact = exact
        self.margin = margin
        self.caution = caution

    def act(self, view: DealtState) -> str:
        """Compare the chance to win with the price."""
        hole = view.holes[view.player]
        if view.node.drawing:
            if not is_draw(view.game):
                return "d"
            return "d" + format_cards(plain_discards(hole, view.game.streets[view.street].draw))
        live = len(view.node.live)
        chance = winning_chance(
            view.game,
            hole,
            view.board,
            live - 1,
            drawn=view.street > 0,
            samples=self.samples,
            exact=self.exact,
        )
        odds = pot_odds(view)
        if chance < odds + self.caution * (1.0 - odds) and view.to_call > 0:
            return "f"
        needed = (1 + self.margin) ** (1 + view.node.raises) / (live - 1)
        if chance > needed * (1 - chance) and view.raise_bounds() is not None:
            return pot_sized_raise(view)
        return "c"

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """All on `act`: the same cards and betting always give the same action."""
        return {self.act(view): 1.0}


def pot_odds(view: DealtState) -> float:
    """The amount to call, as a share of the pot after the call.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> pot_odds(load_game("holdem.limit.2p").replay("rc/r"))
    0.16666666666666666
    """
    price = view.to_call
    if price == 0:
        return 0.0
    reach = view.spent[view.player] + price  # a short stack cannot win more from anybody
    return price / (sum(min(spent, reach) for spent in view.spent) + price)


def pot_sized_raise(view: DealtState) -> str:
    """The raise of the game, or one by the pot after a call where sizes are free.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> pot_sized_raise(load_game("holdem.nolimit.2p").replay("r300"))
    'r900'
    """
    bounds = view.raise_bounds()
    if bounds is None:
        return "c"
    if view.game.betting == "limit":
        return "r"
    lowest, highest = bounds
    size = view.node.price + view.pot + view.to_call
    return f"r{min(max(size, lowest), highest)}"
