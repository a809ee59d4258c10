"""A strategy as a 13×13 picture: each class of hands is a bar that its actions share.

Suited hands stand above the diagonal, offsuit hands below it, aces first. Folds are blue,
checks and calls green, bets and raises from yellow to dark red; hands that seldom arrive are
faded. Without colours a bar is a row of letters, one for each fifth: ``f``, ``x``, ``c``, the
number of a size (1 is the smallest), ``a``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.cards.hand_pictures import class_shares
from pokerlab.pictures.palette import Colour, action_colours, css, ink_on, mix

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

    from pokerlab.postflop import NodeView

_FADED: Colour = (48, 48, 48)
_EIGHTHS = " ▏▎▍▌▋▊▉"
_PLAIN_WIDTH = 5


def action_styles(actions: Sequence[str]) -> list[str]:
    """A Rich style for each action of a decision: its colour, with readable letters on it.

    Examples
    --------
    >>> action_styles(["f", "a"])
    ['#000000 on rgb(111,163,216)', '#ffffff on rgb(141,35,64)']
    """
    return [_style(colour) for colour in action_colours(actions)]


def action_letters(actions: Sequence[str]) -> list[str]:
    """A letter for each action of a decision, for pictures without colour.

    Examples
    --------
    >>> action_letters(["x", "b50", "b120", "a"])
    ['x', '1', '2', 'a']
    """
    letters: list[str] = []
    for action in actions:
        number = sum(letter.isdigit() or letter == "+" for letter in letters) + 1
        sized = str(number) if number < 10 else "+"
        letters.append(action if len(action) == 1 else sized)
    return letters


class StrategyMatrix:
    """The picture of a decision; ``rich.print`` draws it.

    Parameters
    ----------
    actions
        What may be done.
    shares
        (actions, 169): how often each class does what; a class without hands is never read.
    weights
        (169,): how likely each class is to arrive, 0 where it does not.
    """

    def __init__(
        self,
        actions: Sequence[str],
        shares: Floats,
        weights: Floats,
    ) -> None:
        self.actions = tuple(actions)
        self._ends: list[list[float]] = np.cumsum(shares, axis=0).T.tolist()
        self._weights: list[float] = (weights / max(weights.max(), 1e-300)).tolist()

    @classmethod
    def of(cls, view: NodeView) -> StrategyMatrix:
        """The picture of the acting player's strategy."""
        return cls(view.actions, *class_shares(view.weights[view.player], view.strategy))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        # Sixteen colours are too few to tell sizes apart.
        coloured = not console.no_color and console.color_system in ("256", "truecolor")
        yield from self._coloured_rows(options) if coloured else self._plain_rows(options)

    def _coloured_rows(self, options: ConsoleOptions) -> Iterator[Text]:
        """Two lines a row: a bar with the name of the hand, and the bar again."""
        width = min(max(options.max_width // GRID - 1, 4), 9)
        colours = action_colours(self.actions)
        for row in range(0, GRID * GRID, GRID):
            for named in (True, False) if any(self._weights[row : row + GRID]) else (True,):
                line = _text("")
                for number in range(row, row + GRID):
                    name = CLASS_NAMES[number] if named else ""
                    self._add_bar(line, number, name, width, colours)
                    line.append(" ")
                yield line

    def _add_bar(
        self, line: Text, number: int, name: str, width: int, colours: Sequence[Colour]
    ) -> None:
        if not self._weights[number]:
            line.append(name.ljust(width), "dim")
            return
        seen = 0.25 + 0.75 * self._weights[number]
        shades = [mix(_FADED, colour, seen) for colour in colours]
        edges = [round(8 * width * end) for end in self._ends[number]]
        for place in range(width):
            left, right = _action_at(edges, 8 * place), _action_at(edges, 8 * place + 7)
            filled = edges[left] - 8 * place
            if place < len(name):  # a letter has one background: that of the larger part
                shade = shades[left if filled >= 4 else right]
                line.append(name[place], _style(shade))
            elif left == right:
                line.append(" ", f"on {_rgb(shades[left])}")
            else:
                line.append(_EIGHTHS[filled], f"{_rgb(shades[left])} on {_rgb(shades[right])}")

    def _plain_rows(self, options: ConsoleOptions) -> Iterator[Text]:
        dot = "." if options.ascii_only else "·"
        letters = action_letters(self.actions)
        for row in range(0, GRID * GRID, GRID):
            names, bars = [], []
            for number in range(row, row + GRID):
                there = self._weights[number] > 0
                names.append((CLASS_NAMES[number] if there else f" {dot}").ljust(_PLAIN_WIDTH))
                edges = [round(_PLAIN_WIDTH * end) for end in self._ends[number]]
                bars.append(
                    "".join(letters[_action_at(edges, place)] for place in range(_PLAIN_WIDTH))
                    if there
                    else " " * _PLAIN_WIDTH
                )
            yield _text(" ".join(names).rstrip())
            if any(bar.strip() for bar in bars):
                yield _text(" ".join(bars).rstrip())


def _action_at(edges: Sequence[int], place: int) -> int:
    """The action whose part of a bar holds a place; `edges` are where the parts end."""
    return next((number for number, edge in enumerate(edges) if place < edge), len(edges) - 1)


def _style(background: Colour) -> str:
    return f"{css(ink_on(background))} on {_rgb(background)}"


def _rgb(colour: Colour) -> str:
    return "rgb({},{},{})".format(*colour)


def _text(content: str) -> Text:
    from rich.text import Text  # only who draws pays for the import

    return Text(content, no_wrap=True, overflow="crop")
