"""Which size of a menu a bet stands for that is not on it.

Sizes are shares of the pot. A bet of x between the neighbours A < B stands for one of them, or for
both with probabilities:

- `nearest`: for the one whose share of the pot is nearer;
- `linear`: for A with the probability (B - x) / (B - A), and else for B;
- `pseudo_harmonic`, the mapping of Ganzfried and Sandholm ("Action translation in extensive-form
  games with large action spaces", 2013): for A with the probability ::

      (B - x) (1 + A)
      ---------------
      (B - A) (1 + x)

  and else for B. In a simple game with one bet it makes the other player indifferent; it does not
  depend on the unit of chips; and it cannot be exploited as badly as rounding, because no bet just
  beyond a middle changes all at once.

Smaller than the smallest size stands for the smallest, larger than the largest for the largest:
a check is no size, because after it another player acts.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise


def nearest(size: float, menu: Sequence[float]) -> dict[int, float]:
    """The size of a menu that is nearest to a bet; the smaller one of two.

    Examples
    --------
    >>> nearest(1.0, [0.5, 2.0]), nearest(1.25, [0.5, 2.0]), nearest(1.3, [0.5, 2.0])
    ({0: 1.0}, {0: 1.0}, {1: 1.0})
    """
    return _between(size, menu, lambda lower, upper: float(2 * size <= lower + upper))


def linear(size: float, menu: Sequence[float]) -> dict[int, float]:
    """Both neighbours of a bet, each the more likely the nearer it is.

    Examples
    --------
    >>> linear(1.25, [0.5, 2.0]), linear(0.5, [0.5, 2.0])
    ({0: 0.5, 1: 0.5}, {0: 1.0})
    """
    return _between(size, menu, lambda lower, upper: (upper - size) / (upper - lower))


def pseudo_harmonic(size: float, menu: Sequence[float]) -> dict[int, float]:
    """The sizes of a menu that a bet stands for, with probabilities; zeros are left out.

    Parameters
    ----------
    size
        The bet, as a share of the pot.
    menu
        The sizes that there are, growing; infinity is allowed for the last one, and nothing but
        infinity then stands for it.

    Examples
    --------
    A bet of the pot between half of it and twice it is half way, by the game and not by chips:

    >>> pseudo_harmonic(1.0, [0.5, 2.0])
    {0: 0.5, 1: 0.5}
    >>> pseudo_harmonic(0.5, [0.5, 2.0]), pseudo_harmonic(0.1, [0.5, 2.0])
    ({0: 1.0}, {0: 1.0})
    >>> pseudo_harmonic(1.0, [])
    Traceback (most recent call last):
    ValueError: a bet of 1 pot has no size to stand for: the menu is empty
    """

    def smaller(lower: float, upper: float) -> float:
        return (upper - size) * (1 + lower) / ((upper - lower) * (1 + size))

    return _between(size, menu, smaller)


Translation = Callable[[float, Sequence[float]], dict[int, float]]
"""Gives the sizes of a menu that a bet stands for, with probabilities, as `pseudo_harmonic`."""

TRANSLATIONS: dict[str, Translation] = {
    "nearest": nearest,
    "linear": linear,
    "pseudo-harmonic": pseudo_harmonic,
}
"""By the name that people use."""


def _between(
    size: float, menu: Sequence[float], smaller: Callable[[float, float], float]
) -> dict[int, float]:
    """What a bet stands for, given the probability of the smaller neighbour by both neighbours."""
    if not menu:
        raise ValueError(f"a bet of {size:g} pot has no size to stand for: the menu is empty")
    if not size >= 0 or any(first >= second for first, second in pairwise(menu)):
        shown = ", ".join(f"{each:g}" for each in menu)
        raise ValueError(
            f"a bet of {size:g} pot, sizes {shown}: sizes grow, and a bet is at least 0"
        )
    above = bisect_left(menu, size)
    if above == len(menu):
        return {above - 1: 1.0}
    if above == 0 or menu[above] == size:
        return {above: 1.0}
    if math.isinf(menu[above]):
        return {above - 1: 1.0}
    first = smaller(menu[above - 1], menu[above])
    return {above - 1 + place: each for place, each in enumerate((first, 1 - first)) if each > 0}
