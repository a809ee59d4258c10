"""Players that do not look at their cards: the yardsticks of every tournament."""

from __future__ import annotations

from collections.abc import Mapping

from pokerlab.games import DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.hand_strategy import HandStrategy, same_for_all_hands


class Caller(Bot):
    """Checks and calls; keeps its cards at a draw."""

    def act(self, view: DealtState) -> str:
        """Check or call."""
        return "d" if view.node.drawing else "c"

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """All on `act`."""
        return {self.act(view): 1.0}

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        """The same for all hands; a class of one's own may look at its cards, and is asked."""
        if type(self).__module__ != __name__:
            return super().hand_strategy(view)
        return same_for_all_hands(self.probabilities(view), view)


class Raiser(Caller):
    """Bets and raises whenever it may, by the smallest amount; else it calls.

    Raising by the smallest amount keeps a no-limit hand going as long as a limit one; with
    `all_in` it puts in all it has.
    """

    def __init__(self, *, all_in: bool = False) -> None:
        self.all_in = all_in

    def act(self, view: DealtState) -> str:
        """Raise if that is legal."""
        bounds = view.raise_bounds()
        if bounds is None:
            return super().act(view)
        if view.game.betting == "limit":
            return "r"
        return f"r{bounds[self.all_in]}"


class Folder(Caller):
    """Folds as soon as there is something to pay, checks while checking is free."""

    def act(self, view: DealtState) -> str:
        """Fold to any bet, blinds too."""
        return "f" if view.to_call > 0 else super().act(view)


class FoldToRaise(Caller):
    """Pays blinds and calls while nobody has raised; folds as soon as somebody has."""

    def act(self, view: DealtState) -> str:
        """Fold if somebody has bet or raised on this street."""
        if view.to_call > 0 and "r" in view.node.text.rsplit("/", 1)[-1]:
            return "f"
        return super().act(view)


class RandomBot(Bot):
    """Folds, calls and raises with given weights; sizes of bets are uniform from small to all-in.

    Parameters
    ----------
    fold, call, raise_
        Weights; an action that is not legal, or a fold where checking is free, gives its weight
        to the others.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> bot = RandomBot(1, 2, 1)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.probabilities(game.replay("r"))
    {'f': 0.25, 'c': 0.5, 'r': 0.25}
    """

    def __init__(self, fold: float = 1.0, call: float = 1.0, raise_: float = 1.0) -> None:
        weights = (fold, call, raise_)
        if not all(0.0 <= weight < float("inf") for weight in weights) or not any(weights):
            raise ValueError(
                f"bad weights {fold:g}, {call:g}, {raise_:g} of a random bot: fold, call and raise"
                " take numbers from 0 up, and one of them must be above 0"
            )
        self.fold, self.call, self.raise_ = weights

    def act(self, view: DealtState) -> str:
        """Draw a kind of action, then the size of a raise or the cards to throw."""
        if view.node.drawing:
            actions = view.actions()
            return actions[int(self.rng.integers(len(actions)))]
        kind = self.sample(self._kinds(view))
        bounds = view.raise_bounds()
        if kind != "r" or view.game.betting == "limit" or bounds is None:
            return kind
        return f"r{self.rng.integers(bounds[0], bounds[1] + 1)}"

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """The weights of the legal actions, with a sum of 1; only in limit games.

        Elsewhere there are thousands of sizes.
        """
        if view.node.drawing or view.game.betting != "limit":
            return None
        return self._kinds(view)

    def _kinds(self, view: DealtState) -> dict[str, float]:
        weights = {"f": self.fold if view.to_call > 0 else 0.0, "c": self.call}
        if view.raise_bounds() is not None:
            weights["r"] = self.raise_
        total = sum(weights.values())
        if total == 0.0:
            return {"c": 1.0}
        return {kind: weight / total for kind, weight in weights.items() if weight > 0.0}
