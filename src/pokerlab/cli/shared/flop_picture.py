"""Numbers of flops as a 13×13 picture: a row for each high card, a column for each middle card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pokerlab.cards.codes import RANKS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

__all__ = ["FlopPicture"]

_LOW = (214, 96, 77)
_MIDDLE = (247, 247, 247)
_HIGH = (67, 147, 195)
_WIDTH = 5


class FlopPicture:
    """The picture; ``rich.print`` draws it. With colours, the lowest is red and the highest blue.

    Parameters
    ----------
    numbers
        By the ranks of the high and the middle card, 0 for a deuce to 12 for an ace.
    percent
        Whether the numbers are shares, to be shown in percent.
    """

    def __init__(self, numbers: Mapping[tuple[int, int], float], *, percent: bool = False) -> None:
        self._numbers = numbers
        self._percent = percent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        # Sixteen colours are too few to tell numbers apart.
        coloured = not console.no_color and console.color_system in ("256", "truecolor")
        low, high = min(self._numbers.values()), max(self._numbers.values())
        yield Text("  " + "".join(rank.rjust(_WIDTH) for rank in reversed(RANKS)), no_wrap=True)
        for first in reversed(range(len(RANKS))):
            line = Text(f"{RANKS[first]} ", no_wrap=True, overflow="crop")
            for second in reversed(range(len(RANKS))):
                number = self._numbers.get((first, second))
                text = "" if number is None else self._text(number)
                style = ""
                if coloured and number is not None and high > low:
                    style = _style((number - low) / (high - low))
                line.append(text.rjust(_WIDTH), style)
            line.rstrip()
            yield line

    def _text(self, number: float) -> str:
        if self._percent:
            return f"{100 * number:.0f}"
        return f"{number:.1f}" if abs(number) < 100 else f"{number:.0f}"


def _style(share: float) -> str:
    """Black on a colour from red over white to blue."""
    ends = (_LOW, _MIDDLE) if share < 0.5 else (_MIDDLE, _HIGH)
    part = 2 * share if share < 0.5 else 2 * share - 1
    mixed = (round(one + (other - one) * part) for one, other in zip(*ends, strict=True))
    return "#000000 on rgb({},{},{})".format(*mixed)
