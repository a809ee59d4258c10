"""The colours of actions: one table for the terminal, notebooks and web pages.

Folds are blue, checks and calls green, bets and raises go from yellow to dark red in the order of
their size, and all-in is the darkest. The second palette is for people who cannot tell red from
green, or blue from yellow; a test looks at it as they see it. Pages get the table as a style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_BLACK: Final[Colour] = (0, 0, 0)
_WHITE: Final[Colour] = (255, 255, 255)


def _colour(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _colours(text: str) -> tuple[Colour, ...]:
    return tuple(map(_colour, text.split()))


@dataclass(frozen=True)
class Palette:
    """The colours of decisions.

    Attributes
    ----------
    name
        As pages keep it.
    fold, call
        Of folds, and of checks and calls.
    sizes
        Of bets and raises, from the smallest to all-in: five.
    patterned
        Whether pages draw stripes on some of them.
    """

    name: str
    fold: Colour
    call: Colour
    sizes: tuple[Colour, ...]
    patterned: bool = False

    def slots(self) -> dict[str, Colour]:
        """The colours by the names that `action_slots` gives."""
        sizes = {f"size-{number}": colour for number, colour in enumerate(self.sizes, 1)}
        return {"fold": self.fold, "call": self.call, **sizes}


PALETTES: Final = (
    Palette(
        "plain",
        _colour("#6fa3d8"),
        _colour("#6cbb7c"),
        _colours("#f4c163 #ee9550 #e0673f #c43d3d #8d2340"),
    ),
    Palette(
        "safe",
        _colour("#b8c4cc"),
        _colour("#56b4e9"),
        _colours("#f0e442 #e69f00 #d55e00 #8a3fa0 #3b1d5e"),
        patterned=True,
    ),
)
"""The first is used where nobody chose."""

_ON_DARK: Final = Palette(
    "plain",
    _colour("#4d82b8"),
    _colour("#4f9e62"),
    _colours("#dba640 #d67f3a #cc5733 #ad3236 #7f2140"),
)
"""The first on dark pages, where letters are white."""

_HEAT: Final = _colours("#d6604d #f7f7f7 #4393c3")
_HEAT_ON_DARK: Final = _colours("#a84030 #2c332e #2b6a98")
_STRIPES: Final = {"fold": 135, "size-2": 90, "size-3": 45, "size-4": 0}
"""Which colours have stripes, and at what angle, so that neighbours differ."""


def action_slots(actions: Sequence[str]) -> list[str]:
    """The name of the colour of each action of a decision (``f``, ``x``, ``b50``, ``a`` …).

    ``parts/colours.js`` of the web pages does the same; a test compares them.

    Examples
    --------
    >>> action_slots(["f", "c", "r60", "a"])
    ['fold', 'call', 'size-1', 'size-5']
    >>> action_slots(["x", "b20", "b40", "b60", "b80", "b100"])
    ['call', 'size-1', 'size-2', 'size-3', 'size-4', 'size-5']
    """
    sizes = [action for action in actions if action[:1] not in ("f", "x", "c", "a")]
    largest = sizes.pop() if len(sizes) > 4 and "a" not in actions else "a"
    slots = []
    for action in actions:
        if action in sizes:
            place = sizes.index(action)
            slots.append(f"size-{1 + (place if len(sizes) <= 4 else 4 * place // len(sizes))}")
        elif action == largest or action[:1] == "a":
            slots.append("size-5")
        else:
            slots.append("fold" if action[:1] == "f" else "call")
    return slots


def action_colours(actions: Sequence[str], palette: Palette = PALETTES[0]) -> list[Colour]:
    """A colour for each action of a decision.

    Examples
    --------
    >>> [css(colour) for colour in action_colours(["f", "c", "a"])]
    ['#6fa3d8', '#6cbb7c', '#8d2340']
    """
    colours = palette.slots()
    return [colours[slot] for slot in action_slots(actions)]


def palettes_css() -> str:
    """The table as a style sheet for pages: the second palette where ``data-palette`` is its name.

    Examples
    --------
    >>> palettes_css().partition(";")[0]
    ':root{--action-fold:#6fa3d8'
    """
    plain, safe = PALETTES
    return (
        f":root{{{_variables(plain, _HEAT)}}}\n"
        f':root[data-theme="dark"]{{{_variables(_ON_DARK, _HEAT_ON_DARK)}}}\n'
        f':root[data-palette="{safe.name}"]{{{_variables(safe)}}}\n'
    )


def _variables(palette: Palette, heat: Sequence[Colour] = ()) -> str:
    found = {f"--action-{slot}": css(colour) for slot, colour in palette.slots().items()}
    if palette.patterned:
        for slot, angle in _STRIPES.items():
            colour = palette.slots()[slot]
            stripe = f"{css(colour)} 0 4px,{css(mix(colour, _BLACK, 0.22))} 4px 6px"
            found[f"--action-{slot}-fill"] = f"repeating-linear-gradient({angle}deg,{stripe})"
    names = ("--heat-low", "--heat-middle", "--heat-high")
    found |= {name: css(colour) for name, colour in zip(names, heat, strict=False)}
    return ";".join(f"{name}:{value}" for name, value in found.items())


def heat_colour(share: float) -> Colour:
    """The colour of a heat map: from red (0) over white to blue (1).

    Examples
    --------
    >>> heat_colour(0.0), heat_colour(0.5), heat_colour(1.0)
    ((214, 96, 77), (247, 247, 247), (67, 147, 195))
    """
    low, middle, high = _HEAT
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
