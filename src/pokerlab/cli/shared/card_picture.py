"""A number for each card of the deck as a 13×4 picture: a row a suit, aces first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pokerlab.cards.codes import RANKS, SUIT_SYMBOLS, SUITS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

__all__ = ["CardPicture"]

_LOW = (214, 96, 77)
_MIDDLE = (247, 247, 247)
_HIGH = (67, 147, 195)
_WIDTH = 5


class CardPicture:
    """The picture; ``rich.print`` draws it. With colours, the lowest is red and the highest blue.

    Parameters
    ----------
    numbers
        A number for each card, by code; cards without one are left blank.
    percent
        Whether the numbers are shares, to be shown in percent.
    """

    def __init__(self, numbers: Mapping[int, float | None], *, percent: bool = False) -> None:
        self._numbers = {card: each for card, each in numbers.items() if each is not None}
        self._percent = percent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        # Sixteen colours are too few to tell numbers apart.
        coloured = not console.no_color and console.color_system in ("256", "truecolor")
        yield Text("  " + "".join(rank.rjust(_WIDTH) for rank in reversed(RANKS)), no_wrap=True)
        low, high = min(self._numbers.values(), default=0), max(self._numbers.values(), default=0)
        names = SUITS if options.ascii_only else SUIT_SYMBOLS
        for suit in reversed(range(4)):
            line = Text(f"{names[suit]} ", no_wrap=True, overflow="crop")
            for rank in reversed(range(len(RANKS))):
                number = self._numbers.get(4 * rank + suit)
                text = "" if number is None else self._text(number)
                style = ""
                if coloured and number is not None and high > low:
                    style = _style((number - low) / (high - low))
                line.append(text.rjust(_WIDTH), style)
            yield line

    def _text(self, number: float) -> str:
        if self._percent:
            return f"{100 * number:.0f}"
        # Four places at most, so that columns stay apart.
        texts = (f"{number:.1f}", f"{number:.0f}", f"{number / 1e3:.0f}k", f"{number / 1e6:.0f}M")
        return next((text for text in texts if len(text) < _WIDTH), texts[-1])


def _style(share: float) -> str:
    """Black on a colour from red over white to blue."""
    ends = (_LOW, _MIDDLE) if share < 0.5 else (_MIDDLE, _HIGH)
    part = 2 * share if share < 0.5 else 2 * share - 1
    mixed = (round(one + (other - one) * part) for one, other in zip(*ends, strict=True))
    return "#000000 on rgb({},{},{})".format(*mixed)
