"""A hand that was played, as data: what logs, replay, statistics and variance reduction take."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.games import BettingGame, Deal, DealtState


@dataclass(frozen=True, slots=True)
class Fault:
    """An illegal action of a player, and the action that was played instead.

    Attributes
    ----------
    position
        Where the player sat.
    betting
        The betting before.
    answer
        What it answered, shortened; empty if there was no answer.
    action
        What was played instead.
    why
        One line: not a legal action, out of time, or the error that the bot raised.
    """

    position: int
    betting: str
    answer: str
    action: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a match.

    Attributes
    ----------
    game
        The rules, with the stacks of this hand.
    number
        Which hand of the match, from 0.
    deal
        All cards, also those that nobody saw; a hand that is not known is empty.
    players
        Who sat at each position.
    betting
        What they did.
    payoffs
        What each position won or lost, in chips.
    faults
        What they did against the rules.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> hand = PlayedHand(game, 0, game.make_deal(["Ks", "Js"]), ("ann", "bob"), "rc", (2.0, -2.0))
    >>> hand.final.payoffs() == hand.payoffs
    True
    """

    game: BettingGame
    number: int
    deal: Deal
    players: tuple[str, ...]
    betting: str
    payoffs: tuple[float, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def final(self) -> DealtState:
        """The state at the end."""
        return self.game.replay(self.betting, self.deal)
