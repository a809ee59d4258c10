"""The colours of actions: one table for the terminal, notebooks and web pages.

Folds have one colour, checks and calls another, bets and raises go from a light colour to a dark
one, the larger the darker. The second palette is for people who cannot tell red from green, or blue
from yellow: its colours differ in lightness too. A test looks at it as they see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

__all__ = [
    "PALETTES",
    "Colour",
    "Palette",
    "action_colours",
    "css",
    "heat_colour",
    "ink_on",
    "mix",
    "palettes_data",
]

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_BLACK: Final[Colour] = (0, 0, 0)
_WHITE: Final[Colour] = (255, 255, 255)
_MOST_SIZES = 12
"""Of `palettes_data`: more bet sizes than any menu offers at once."""


@dataclass(frozen=True)
class Palette:
    """The colours of a decision.

    Attributes
    ----------
    name, label
        For programs and for people.
    fold, passive
        Of folds, and of checks and calls.
    small, large
        Of the smallest and of the largest bet or raise; those between are mixed.
    """

    name: str
    label: str
    fold: Colour
    passive: Colour
    small: Colour
    large: Colour

    def bets(self, count: int) -> list[Colour]:
        """The colours of so many sizes, the smallest first."""
        return [mix(self.small, self.large, place / max(count - 1, 1)) for place in range(count)]


PALETTES: Final = (
    Palette("classic", "classic", (74, 134, 200), (92, 168, 108), (244, 165, 130), (142, 11, 31)),
    Palette(
        "safe",
        "safe for colour-blind people",
        (44, 82, 148),
        (126, 182, 214),
        (250, 214, 80),
        (138, 46, 12),
    ),
)
"""The first is used where nobody chose."""


def action_colours(actions: Sequence[str], palette: Palette = PALETTES[0]) -> list[Colour]:
    """A colour for each action of a decision, whose labels are as in ``f``, ``x``, ``b50``, ``a``.

    Examples
    --------
    >>> action_colours(["f", "c", "a"])
    [(74, 134, 200), (92, 168, 108), (244, 165, 130)]
    """
    sizes = [action for action in actions if action[:1] not in ("f", "x", "c")]
    bets = dict(zip(sizes, palette.bets(len(sizes)), strict=True))
    passive = {"f": palette.fold, "x": palette.passive, "c": palette.passive}
    return [bets[action] if action in bets else passive[action[0]] for action in actions]


def palettes_data() -> list[dict[str, Any]]:
    """Both palettes as plain data, for pages: ``bets[n - 1]`` are the colours of n sizes.

    Examples
    --------
    >>> classic, safe = palettes_data()
    >>> classic["fold"], classic["bets"][1]
    ({'colour': '#4a86c8', 'ink': '#000000'}, [{'colour': '#f4a582', ...}, {'colour': ...}])
    """

    def both(colour: Colour) -> dict[str, str]:
        return {"colour": css(colour), "ink": css(ink_on(colour))}

    return [
        {
            "name": palette.name,
            "label": palette.label,
            "fold": both(palette.fold),
            "passive": both(palette.passive),
            "bets": [
                [both(colour) for colour in palette.bets(count)]
                for count in range(1, _MOST_SIZES + 1)
            ],
        }
        for palette in PALETTES
    ]


def heat_colour(share: float) -> Colour:
    """The colour of a heat map: from red (0) over white to blue (1).

    Examples
    --------
    >>> heat_colour(0.0), heat_colour(0.5), heat_colour(1.0)
    ((214, 96, 77), (247, 247, 247), (67, 147, 195))
    """
    low, middle, high = (214, 96, 77), (247, 247, 247), (67, 147, 195)
    return mix(low, middle, 2 * share) if share < 0.5 else mix(middle, high, 2 * share - 1)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """A colour between two, `share` of the way from the first to the second."""
    red, green, blue = (
        round(one + (other - one) * share) for one, other in zip(first, second, strict=True)
    )
    return red, green, blue


def ink_on(background: Colour) -> Colour:
    """Black or white, whichever can be read better on a colour."""
    light = luminance(background)
    return _BLACK if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else _WHITE


def luminance(colour: Colour) -> float:
    """How light a colour is to the eye, 0 to 1, as the rules for readable pages define it."""
    parts = []
    for value in colour:
        share = value / 255
        parts.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def css(colour: Colour) -> str:
    """As style sheets write it: ``#4a86c8``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
