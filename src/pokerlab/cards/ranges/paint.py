"""Which items to write for the whole 13×13 grid so that a range text is short.

The pairs are one line and every high card has a row (see `pokerlab.cards.ranges.lines`).
Diagonals such as ``JTs-54s`` cross the rows: they are added, below or above all rows, as long as
one makes the text shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.cards.ranges.lines import ANYTHING, Interval, LinePainter, Need, Row, welcoming

__all__ = ["Painter", "Stroke"]

_T = TypeVar("_T")
_PAIRS = range(0, GRID * GRID, GRID + 1)
_MOST_TRIED = 6
"""Diagonals that are tried in one step."""


class Stroke(NamedTuple):
    """One item without its weight, and the classes that it paints with a colour."""

    text: str
    colour: int
    classes: tuple[int, ...]


class _Grid(NamedTuple):
    """What is left for the rows when some diagonals are chosen, and the rows' solutions."""

    needs: list[Need]
    background: list[int]
    rows: list[Row]
    below: tuple[Stroke, ...] = ()
    above: tuple[Stroke, ...] = ()

    def cost(self) -> int:
        return sum(row.cost for row in self.rows)


class Painter:
    """Finds cheap strokes; `prices` holds for every colour the characters of weight and comma."""

    def __init__(self, prices: Sequence[int]) -> None:
        self.prices = prices
        self._lines = LinePainter(prices)

    def paint(self, needs: Sequence[Need], background: Sequence[int]) -> list[Stroke]:
        """Give strokes, in painting order, that turn the background into what the grid needs."""
        pairs = self._lines.line(_pick(needs, _PAIRS), _pick(background, _PAIRS), letters=2)
        grid = _Grid(list(needs), list(background), [])
        grid.rows.extend(self._row(grid, high) for high in range(GRID - 1))
        grid = self._with_diagonals(grid)
        strokes = [_stroke((_PAIRS,), stroke) for stroke in pairs.strokes]
        strokes += grid.below
        for high, row in enumerate(grid.rows):
            classes = _row_classes(high)
            strokes += [_stroke(_pick(classes, lines), stroke) for lines, stroke in row.strokes]
        return [*strokes, *grid.above]

    def _row(self, grid: _Grid, high: int) -> Row:
        suited, offsuit = _row_classes(high)
        return self._lines.row(
            (_pick(grid.needs, suited), _pick(grid.needs, offsuit)),
            (_pick(grid.background, suited), _pick(grid.background, offsuit)),
        )

    def _with_diagonals(self, grid: _Grid) -> _Grid:
        while True:
            best, best_gain = grid, 0
            for stroke, on_top in self._promising(grid):
                price = len(stroke.text) + self.prices[stroke.colour]
                if on_top:
                    price += sum(
                        grid.needs[number].cost(stroke.colour) for number in stroke.classes
                    )
                tried = self._with_diagonal(grid, stroke, on_top)
                gain = grid.cost() - tried.cost() - price
                if gain > best_gain:
                    best, best_gain = tried, gain
            if not best_gain:
                return grid
            grid = best

    def _with_diagonal(self, grid: _Grid, stroke: Stroke, on_top: bool) -> _Grid:
        needs, background = grid.needs.copy(), grid.background.copy()
        for number in stroke.classes:
            if on_top:
                needs[number] = ANYTHING
            else:
                background[number] = stroke.colour
        tried = _Grid(
            needs,
            background,
            grid.rows.copy(),
            below=grid.below if on_top else (*grid.below, stroke),
            above=(stroke, *grid.above) if on_top else grid.above,
        )
        for high in {min(divmod(number, GRID)) for number in stroke.classes}:
            tried.rows[high] = self._row(tried, high)
        return tried

    def _promising(self, grid: _Grid) -> Iterator[tuple[Stroke, bool]]:
        """Give diagonals that could shorten strokes of several rows, and whether they go on top."""
        savings: dict[tuple[tuple[int, ...], int, int], dict[int, int]] = {}
        for high, row in enumerate(grid.rows):
            for lines, stroke in row.strokes:
                for position, saving in self._shortenings(stroke, _letters(lines)):
                    by_high = savings.setdefault((lines, position + 1, stroke.colour), {})
                    by_high[high] = saving
        promising = []
        for (lines, gap, colour), by_high in savings.items():
            price = 2 * _letters(lines) + 1 + self.prices[colour]
            saving = sum(by_high.values()) - price
            if saving > 0:
                promising.append((saving, lines, gap, colour, list(by_high)))
        for _, lines, gap, colour, highs in sorted(promising, reverse=True)[:_MOST_TRIED]:
            classes = _pick(_diagonal_classes(gap), lines)
            columns = list(zip(*(_pick(grid.needs, line) for line in classes), strict=True))
            for first, last, _ in welcoming(columns, colour):
                inside = [high for high in highs if first <= high <= last]
                if len(inside) > 1:
                    stroke = Interval(inside[0], inside[-1], colour)
                    yield _stroke(classes, stroke, plus=False), True
            yield _stroke(classes, Interval(highs[0], highs[-1], colour), plus=False), False

    def _shortenings(self, stroke: Interval, letters: int) -> Iterator[tuple[int, int]]:
        """Give positions that a stroke of one or two classes could lose, and what that saves."""
        first, last, colour = stroke
        price = self._lines.price(stroke, letters)
        if first == last:
            yield first, price
        elif last == first + 1:
            saving = price - self._lines.price(Interval(first, first, colour), letters)
            yield first, saving
            yield last, saving


def _row_classes(high: int) -> tuple[range, range]:
    """The suited and the offsuit classes of a high card (0 for the ace), best kicker first."""
    pair = _PAIRS[high]
    return range(pair + 1, GRID * (high + 1)), range(pair + GRID, GRID * GRID, GRID)


def _diagonal_classes(gap: int) -> tuple[range, range]:
    """The suited and the offsuit classes whose ranks are `gap` apart, the highest first."""
    end = (GRID - gap) * (GRID + 1)
    return range(gap, gap + end, GRID + 1), range(gap * GRID, gap * GRID + end, GRID + 1)


def _stroke(lines: Sequence[Sequence[int]], stroke: Interval, *, plus: bool = True) -> Stroke:
    first, last, colour = stroke
    letters = _letters(lines)
    text, worst = (CLASS_NAMES[lines[0][position]][:letters] for position in (first, last))
    if first < last:
        text = f"{worst}+" if plus and first == 0 else f"{text}-{worst}"
    classes = tuple(number for line in lines for number in line[first : last + 1])
    return Stroke(text, colour, classes)


def _letters(lines: Sequence[object]) -> int:
    """Letters of a hand: without s or o when both lines are painted."""
    return 3 if len(lines) == 1 else 2


def _pick(values: Sequence[_T], numbers: Sequence[int]) -> tuple[_T, ...]:
    return tuple([values[number] for number in numbers])
