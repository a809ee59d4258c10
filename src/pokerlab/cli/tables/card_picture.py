"""Numbers by rank as a picture, aces first: one for each card, or for each kind of flop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pokerlab.cards.codes import RANKS, SUIT_SYMBOLS, SUITS
from pokerlab.views.pictures.palette import heat_colour

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

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
        names = SUITS if options.ascii_only else SUIT_SYMBOLS
        rows = [
            (
                names[suit],
                {card >> 2: self._numbers[card] for card in self._numbers if card & 3 == suit},
            )
            for suit in reversed(range(4))
        ]
        return _rows_by_rank(rows, console, percent=self._percent)


class FlopPicture:
    """The same with a row for each high card of a flop and a column for each middle card.

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
        rows = [
            (
                RANKS[high],
                {
                    rank: self._numbers[high, rank]
                    for rank in range(high + 1)
                    if (high, rank) in self._numbers
                },
            )
            for high in reversed(range(len(RANKS)))
        ]
        return _rows_by_rank(rows, console, percent=self._percent)


def _rows_by_rank(
    rows: Sequence[tuple[str, Mapping[int, float]]], console: Console, *, percent: bool
) -> Iterator[Text]:
    """A row of names and numbers by rank, each below its rank."""
    from rich.text import Text

    # Sixteen colours are too few to tell numbers apart.
    coloured = not console.no_color and console.color_system in ("256", "truecolor")
    yield Text("  " + "".join(rank.rjust(_WIDTH) for rank in reversed(RANKS)), no_wrap=True)
    every = [number for _, numbers in rows for number in numbers.values()]
    low, high = min(every, default=0), max(every, default=0)
    for name, numbers in rows:
        line = Text(f"{name} ", no_wrap=True, overflow="crop")
        for rank in reversed(range(len(RANKS))):
            number = numbers.get(rank)
            style = ""
            if coloured and number is not None and high > low:
                style = _style((number - low) / (high - low))
            line.append(_text(number, percent=percent).rjust(_WIDTH), style)
        yield line


def _text(number: float | None, *, percent: bool) -> str:
    if number is None:
        return ""
    if percent:
        return f"{100 * number:.0f}"
    # Four places at most, so that columns stay apart.
    texts = (f"{number:.1f}", f"{number:.0f}", f"{number / 1e3:.0f}k", f"{number / 1e6:.0f}M")
    return next((text for text in texts if len(text) < _WIDTH), texts[-1])


def _style(share: float) -> str:
    return "#000000 on rgb({},{},{})".format(*heat_colour(share))
