"""The mean result of each player, and its error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from pokerlab.arena.hands import PlayedHand


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """A player's winnings a hand, in chips: the mean and its standard error."""

    mean: float
    """The mean of all hands."""
    stderr: float
    """The standard error of the mean."""
    hands: int
    """How many hands there were."""


def estimate(
    hands: Iterable[PlayedHand],
    payoffs: Callable[[PlayedHand], Sequence[float]] = lambda hand: hand.payoffs,
) -> dict[str, ScoreEstimate]:
    """The mean result of each player, by the name of the player.

    Parameters
    ----------
    hands
        Hands of a match; each counts as one, also those of a duplicate match.
    payoffs
        What a hand gave to each position: the payoffs, or `all_in_payoffs`, or
        `corrected_payoffs` with bots.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> deal = kuhn.make_deal(["Ks", "Js"])
    >>> hands = [
    ...     PlayedHand(kuhn, 0, deal, ("ann", "bob"), "rc", (2.0, -2.0)),
    ...     PlayedHand(kuhn, 1, deal, ("bob", "ann"), "cc", (1.0, -1.0)),
    ... ]
    >>> {name: (found.mean, round(found.stderr, 3)) for name, found in estimate(hands).items()}
    {'ann': (0.5, 1.5), 'bob': (-0.5, 1.5)}
    """
    won: dict[str, list[float]] = {}
    for hand in hands:
        for player, chips in zip(hand.players, payoffs(hand), strict=True):
            won.setdefault(player, []).append(float(chips))
    found = {}
    for player, each in won.items():
        spread = float(np.std(each, ddof=1)) if len(each) > 1 else float("nan")
        found[player] = ScoreEstimate(float(np.mean(each)), spread / sqrt(len(each)), len(each))
    return found
