"""`Restriction`: how far a player is bound to a model of their play.

The player partly plays by the model, and for the rest as well as they can. Two ways to mix the
model in, each with a paper:

*restricted Nash response* ("Computing robust counter-strategies", 2007)
    Before the cards are dealt the player is bound to the model with probability p, for the whole
    hand.
*data-biased response* ("Data biased robust counter strategies", 2009)
    At each place of their own the player is bound to the model with a probability of its own: the
    more was observed there, the larger.

Both leave the player a set of strategies that is convex: in probabilities of sequences x, with the
model m, x ≥ p·m in the first case, and x(action) ≥ p(set)·m(action)·x(before the set) in the
second. So the game against them is an ordinary zero-sum game, and its equilibrium is the response
to the model.
"""

from __future__ import annotations

import hashlib
from math import isfinite
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray, Floats

Value = TypeVar("Value", float, Floats)


class Restriction(NamedTuple):
    """A model of a player, and how far they are bound to it; kernels take it as it is.

    The layout is that of the engine: slots of a tree, rows of a sampled game, or the nodes and
    buckets of a street.

    Examples
    --------
    >>> Restriction.of(np.array([0.5, 0.5]), 0.4, 1, "sets of a coin")
    Restriction(model=array([0.5, 0.5]), trust=array([0.]), whole=0.4, player=-1)
    >>> Restriction.of(np.array([0.5, 0.5]), [0.4, 1], 1, "sets of a coin")
    Traceback (most recent call last):
    ValueError: p: 2 numbers for the 1 sets of a coin
    """

    model: AnyArray
    """What the player plays where they are bound: a probability for each place and action."""
    trust: AnyArray
    """In hands not played by the model as a whole: how likely the player is bound at each place."""
    whole: float
    """How likely the player is bound for a whole hand."""
    player: int = -1
    """Who is bound; −1 for a model of both seats."""

    @classmethod
    def of(
        cls, model: AnyArray, p: float | npt.ArrayLike, count: int, places: str, player: int = -1
    ) -> Restriction:
        """Check `p`, one number for whole hands or one for each of the places, and make one."""
        shares = np.asarray(p, np.float64)
        if shares.ndim == 0:
            check_share(float(shares), "p")
            return cls(model, np.zeros(count, model.dtype), float(shares), player)
        if shares.shape != (count,):
            raise ValueError(f"p: {shares.size:,} numbers for the {count:,} {places}")
        for extreme in (shares.min(), shares.max()):
            check_share(float(extreme), "p")
        return cls(model, shares.astype(model.dtype), 0.0, player)

    @property
    def digest(self) -> str:
        """A fingerprint: what saved states of a solver belong to."""
        who = "" if self.player < 0 else f"{self.player} "
        seen = hashlib.sha256(f"{who}{self.whole!r}".encode())
        for column in (self.model, self.trust):
            seen.update(np.ascontiguousarray(column).tobytes())
        return seen.hexdigest()

    def over_hands(self, by_model: Value, other: Value) -> Value:
        """The mean over all hands, by the hands played by the model as a whole and the others."""
        return self.whole * by_model + (1.0 - self.whole) * other


def confidence(observations: npt.ArrayLike, most: float = 1.0, half_at: float = 10.0) -> Floats:
    """How far numbers of observations are to be trusted: ``most · n / (n + half_at)``.

    Parameters
    ----------
    observations
        How many there are; at least 0.
    most
        What no number of observations exceeds, from 0 to 1.
    half_at
        The number of observations at which half of `most` is reached.

    Examples
    --------
    >>> print(confidence([0, 10, 90], most=0.9))
    [0.   0.45 0.81]
    """
    counts = np.asarray(observations, np.float64)
    check_share(most, "most")
    if not (isfinite(half_at) and half_at > 0.0):
        raise ValueError(f"half_at: {half_at:g} is not a number of observations above 0")
    if not (np.isfinite(counts) & (counts >= 0.0)).all():
        raise ValueError("observations must be finite numbers from 0 on")
    trusted: Floats = most * counts / (counts + half_at)
    return trusted


def check_share(share: float, name: str) -> None:
    """Refuse what is not a probability."""
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{name}: {share:g} is not a probability (0 to 1)")
