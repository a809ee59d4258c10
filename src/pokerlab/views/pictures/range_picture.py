"""A range as a 13×13 picture: in a terminal (Rich) and in a notebook (HTML).

Suited hands stand above the diagonal, offsuit hands below it, aces first. The greener a class,
the larger the mean weight of its combos. Without colours, classes outside the range are dots
and a block beside the others shows the weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES, GRID
from pokerlab.runtime.arrays import Floats
from pokerlab.views.pictures.grids import matrix_svg
from pokerlab.views.pictures.tables import block_html

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

_PALE, _DEEP = (205, 228, 211), (0, 128, 62)
_FILL = (60, 160, 98)
_FULL = 1 - 1e-9
"""A mean of weights 1 may miss 1 by rounding."""


class RangePicture:
    """The picture of the mean weights of the 169 classes (shape (13, 13), aces first).

    ``rich.print`` draws it in a terminal, a notebook shows it by itself.

    Examples
    --------
    >>> from pokerlab.cards.ranges.range import Range
    >>> from rich.console import Console
    >>> Console(width=80, no_color=True).print(Range("88+, ATs+:0.5, AQ").picture())
    AA █ AKs▒ AQs█ AJs▒ ATs▒  ·    ·    ·    ·    ·    ·    ·    ·
     ·   KK █  ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
    AQo█  ·   QQ █  ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·   JJ █  ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·   TT █  ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·   99 █  ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·   88 █  ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
     ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·
    64 combos, 4.8% of all hands
    ░ to 25%, ▒ to 50%, ▓ below 100%, █ 100%
    """

    def __init__(self, class_weights: Floats) -> None:
        self._weights: list[float] = class_weights.reshape(-1).tolist()
        combos = float(class_weights.reshape(-1) @ CLASS_SIZES)
        shown = f"{combos:.6g}"
        unit = "combo" if shown == "1" else "combos"
        self._summary = f"{shown} {unit}, {combos / N_COMBOS:.1%} of all hands"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        # Sixteen colours are too few for shades of green.
        coloured = not console.no_color and console.color_system in ("256", "truecolor")
        dot, blocks = (".", "-=*#") if options.ascii_only else ("·", "░▒▓█")
        yield from self._coloured_rows() if coloured else self._plain_rows(dot, blocks)
        yield _text(self._summary)
        if not coloured and any(0 < weight < _FULL for weight in self._weights):
            yield _text("{} to 25%, {} to 50%, {} below 100%, {} 100%".format(*blocks))

    def _coloured_rows(self) -> Iterator[Text]:
        for row in range(0, GRID * GRID, GRID):
            line = _text("")
            for number in range(row, row + GRID):
                weight = self._weights[number]
                ink = "#000000" if weight < 0.9 else "#ffffff"
                style = f"{ink} on {_shade(weight)}" if weight else "dim"
                line.append(f" {CLASS_NAMES[number]:<3} ", style)
            yield line

    def _plain_rows(self, dot: str, blocks: str) -> Iterator[Text]:
        cells = [
            f"{name:<3}{blocks[_quarter(weight)]}" if weight else f" {dot}  "
            for name, weight in zip(CLASS_NAMES, self._weights, strict=True)
        ]
        for row in range(0, GRID * GRID, GRID):
            yield _text(" ".join(cells[row : row + GRID]).rstrip())

    def _repr_html_(self) -> str:
        """A matrix in which each cell is filled as high as its weight."""
        percents = [f"{100 * weight:.4g}%" for weight in self._weights]
        matrix = matrix_svg(
            CLASS_NAMES,
            [[1.0] * len(CLASS_NAMES)],
            self._weights,
            [_FILL],
            label=f"a range of {self._summary}",
            notes=[
                text if 0 < weight < _FULL else ""
                for text, weight in zip(percents, self._weights, strict=True)
            ],
            titles=[f"{name} {text}" for name, text in zip(CLASS_NAMES, percents, strict=True)],
        )
        return block_html(self._summary, matrix)


def _quarter(weight: float) -> int:
    """0 to 25%, to 50%, below 100%, and 100%."""
    return 3 if weight >= _FULL else 2 if weight > 0.5 else 1 if weight > 0.25 else 0


def _shade(weight: float) -> str:
    mixed = (round(pale + (deep - pale) * weight) for pale, deep in zip(_PALE, _DEEP, strict=True))
    return "rgb({},{},{})".format(*mixed)


def _text(content: str) -> Text:
    from rich.text import Text  # only who draws pays for the import

    return Text(content, no_wrap=True, overflow="crop")
