"""Which items to write for the hands of one high card so that a range text is short.

A range text is a sequence of strokes of a brush: each item paints some hand classes with its
weight, and later strokes cover earlier ones. Colours are small integers that stand for weights.
A stroke costs its characters, its weight and a comma, and the question is which strokes give the
wanted picture at the lowest cost.

- A *line* (the pairs, or the suited or offsuit hands of one high card) is solved exactly:
  strokes on a line need never cross, so a dynamic program over nested intervals finds the best.
- A *row* is the suited and the offsuit line of one high card. Strokes without a letter (``AK``,
  ``A5+``) paint both lines at once, below or above all other strokes of the row. They are added
  as long as one makes the row cheaper. In the end, every stroke loses its letter that may.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

__all__ = ["ANYTHING", "BOTH", "Interval", "LinePainter", "Need", "Row", "welcoming"]

_T = TypeVar("_T")

BOTH = 0, 1
"""A row has line 0 (suited) and line 1 (offsuit)."""

_NEVER = 10**9
_MOST_TRIED = 6
"""Strokes over both lines of a row that are tried in one step."""


@dataclass(frozen=True, eq=False, slots=True)
class Need:
    """What becomes of a hand class that is left in a colour; equal needs must be one object.

    Attributes
    ----------
    repairs
        For some colours, the characters that it takes to repaint the combos that want another.
    otherwise
        The same for all other colours.
    wanted
        The one colour that is worth a stroke; −1 for none.
    """

    repairs: dict[int, int]
    otherwise: int = _NEVER
    wanted: int = -1

    def cost(self, colour: int) -> int:
        """Characters to repair the class when it is left in this colour."""
        return self.repairs.get(colour, self.otherwise)


ANYTHING = Need({}, otherwise=0)
"""A class that a later stroke paints: its colour until then does not matter."""

Needs: TypeAlias = tuple[Need, ...]
Colours: TypeAlias = tuple[int, ...]


class Interval(NamedTuple):
    """A stroke on a line: its positions, counted from the best hand, and its colour."""

    first: int
    last: int
    colour: int


class Line(NamedTuple):
    """The cheapest strokes of a line; the inner ones come after those that they lie on."""

    cost: int
    strokes: tuple[Interval, ...]


class Row(NamedTuple):
    """The cheapest strokes found for a row, in painting order, with the lines that they paint."""

    cost: int
    strokes: list[tuple[tuple[int, ...], Interval]]


class _Sketch(NamedTuple):
    """A row with the strokes over both lines that were chosen so far, and what they cost."""

    needs: tuple[Needs, Needs]
    background: tuple[Colours, Colours]
    below: tuple[Interval, ...] = ()
    above: tuple[Interval, ...] = ()
    spent: int = 0


class LinePainter:
    """Finds cheap strokes; `prices` holds for every colour the characters of weight and comma."""

    def __init__(self, prices: Sequence[int]) -> None:
        self.prices = prices
        self._lines: dict[tuple[Needs, Colours, int], Line] = {}
        self._rows: dict[tuple[tuple[Needs, Needs], tuple[Colours, Colours]], Row] = {}

    def price(self, stroke: Interval, letters: int) -> int:
        """Characters of ``A9s``, ``A9s+`` or ``A9s-A5s`` (3 letters, or 2), weight and comma."""
        first, last, colour = stroke
        if first == last:
            return letters + self.prices[colour]
        return (letters if first == 0 else 2 * letters) + 1 + self.prices[colour]

    def line(self, needs: Needs, background: Colours, letters: int) -> Line:
        """Solve a line whose hands are written with so many letters."""
        key = needs, background, letters
        if key not in self._lines:
            self._lines[key] = self._solve_line(needs, background, letters)
        return self._lines[key]

    def row(self, needs: tuple[Needs, Needs], background: tuple[Colours, Colours]) -> Row:
        """Solve a row: the needs and the background of its suited and its offsuit line."""
        key = needs, background
        if key not in self._rows:
            self._rows[key] = self._solve_row(_Sketch(needs, background))
        return self._rows[key]

    def _solve_line(self, needs: Needs, background: Colours, letters: int) -> Line:
        # Neighbours that want the same colour are not separated: one run of the line.
        starts = [
            position
            for position in range(len(needs))
            if position == 0
            or needs[position].wanted != needs[position - 1].wanted
            or background[position] != background[position - 1]
        ]
        ends = [*(start - 1 for start in starts[1:]), len(needs) - 1]
        reaches = _reaches([needs[start].wanted for start in starts], starts, ends)
        solved: dict[tuple[int, int, int], Line] = {}

        def solve(run: int, last: int, under: int) -> Line:
            """Runs `run` to `last`, on a stroke of colour `under` or (−1) on the background."""
            if run > last:
                return Line(0, ())
            key = run, last, under
            if key in solved:
                return solved[key]
            start, end = starts[run], ends[run]
            colour = background[start] if under < 0 else under
            cost, strokes = solve(run + 1, last, under)
            for need in needs[start : end + 1]:
                cost += need.cost(colour)
            for reach, colour in reaches[run]:
                # The stroke below ends at `last`, because its own colour is wanted there.
                if reach > last or (reach == last and under >= 0) or colour == under:
                    continue
                stroke = Interval(start, ends[reach], colour)
                price = self.price(stroke, letters)
                if price < cost:
                    inner, rest = solve(run, reach, colour), solve(reach + 1, last, under)
                    if price + inner.cost + rest.cost < cost:
                        cost = price + inner.cost + rest.cost
                        strokes = (stroke, *inner.strokes, *rest.strokes)
            solved[key] = Line(cost, strokes)
            return solved[key]

        return solve(0, len(starts) - 1, -1)

    def _solve_row(self, sketch: _Sketch) -> Row:
        if not all(line.strokes for line in self._lines_of(sketch)):
            return self._without_letters(sketch)
        # A stroke below all others may look best at first and lose in the end.
        tried = [self._improved(sketch, below=below) for below in (False, True)]
        return min(map(self._without_letters, tried), key=lambda row: row.cost)

    def _improved(self, sketch: _Sketch, *, below: bool) -> _Sketch:
        """Add strokes over both lines while one helps: above all others, or `below` them too."""
        cost = self._cost(sketch)
        while True:
            strokes = [
                (stroke, on_top) for stroke, on_top in self._promising(sketch) if below or on_top
            ]
            tried = [self._with_both(sketch, *stroke) for stroke in strokes[:_MOST_TRIED]]
            best = min(tried, key=self._cost, default=sketch)
            if self._cost(best) >= cost:
                return sketch
            sketch, cost = best, self._cost(best)

    def _cost(self, sketch: _Sketch) -> int:
        return sketch.spent + sum(line.cost for line in self._lines_of(sketch))

    def _lines_of(self, sketch: _Sketch) -> list[Line]:
        return [
            self.line(needs, background, letters=3)
            for needs, background in zip(sketch.needs, sketch.background, strict=True)
        ]

    def _promising(self, sketch: _Sketch) -> list[tuple[Interval, bool]]:
        """Strokes over both lines and whether they go on top, the most promising first."""
        columns = list(zip(*sketch.needs, strict=True))
        candidates = []
        for colour in {need.wanted for need in chain(*columns)} - {-1}:
            strokes = [(stroke, True) for stroke in welcoming(columns, colour)]
            strokes += [(stroke, False) for stroke in _hulls(columns, colour)]
            for stroke, on_top in strokes:
                saving = self._estimate(sketch, stroke)
                if saving > 0:
                    candidates.append((saving, stroke, on_top))
        return [(stroke, on_top) for _, stroke, on_top in sorted(candidates, reverse=True)]

    def _estimate(self, sketch: _Sketch, stroke: Interval) -> int:
        """How many characters a stroke over both lines may save; 0 if it replaces only one."""
        first, last, colour = stroke
        saving = -self.price(stroke, letters=2)
        replaced = 0
        for needs, background in zip(sketch.needs, sketch.background, strict=True):
            start = first
            for position in range(first, last + 1):
                wanted, behind = needs[position].wanted, background[position]
                if position < last and needs[position + 1].wanted == wanted:
                    continue
                if wanted == colour != behind:
                    saving += self.price(Interval(start, position, colour), letters=3)
                    replaced += 1
                elif wanted == behind != colour:
                    saving -= self.price(Interval(start, position, behind), letters=3)
                start = position + 1
        return saving if replaced > 1 else 0

    def _with_both(self, sketch: _Sketch, stroke: Interval, on_top: bool) -> _Sketch:
        spent = sketch.spent + self.price(stroke, letters=2)
        if not on_top:
            return sketch._replace(
                background=_overwritten(sketch.background, stroke, stroke.colour),
                below=(*sketch.below, stroke),
                spent=spent,
            )
        hidden = chain(*(needs[stroke.first : stroke.last + 1] for needs in sketch.needs))
        return sketch._replace(
            needs=_overwritten(sketch.needs, stroke, ANYTHING),
            above=(stroke, *sketch.above),  # it may paint what earlier ones will cover
            spent=spent + sum(need.cost(stroke.colour) for need in hidden),
        )

    def _without_letters(self, sketch: _Sketch) -> Row:
        """Give the strokes; one that may paint the other line as well needs no s or o."""
        lines = self._lines_of(sketch)
        cost = self._cost(sketch)
        rows = []
        for order in ((0, 1), (1, 0)):
            single = [((line,), stroke) for line in order for stroke in lines[line].strokes]
            strokes = [
                *((BOTH, stroke) for stroke in sketch.below),
                *single,
                *((BOTH, stroke) for stroke in sketch.above),
            ]
            colours = [list(background) for background in sketch.background]
            saved = 0
            for index, (painted, stroke) in enumerate(strokes):
                first, last, colour = stroke
                if painted != BOTH:
                    other = 1 - painted[0]
                    safe = {
                        position
                        for position in range(first, last + 1)
                        if colours[other][position] == colour
                        or sketch.needs[other][position] is ANYTHING
                    }
                    for later_lines, later in strokes[index + 1 :]:
                        if other in later_lines:
                            safe.update(range(later.first, later.last + 1))
                    if safe.issuperset(range(first, last + 1)):
                        painted = BOTH
                        strokes[index] = BOTH, stroke
                        saved += self.price(stroke, 3) - self.price(stroke, 2)
                for line in painted:
                    colours[line][first : last + 1] = [colour] * (last + 1 - first)
            rows.append(Row(cost - saved, strokes))
        return min(rows, key=lambda row: row.cost)


def welcoming(columns: Sequence[Sequence[Need]], colour: int) -> Iterator[Interval]:
    """Give the longest stretches in which everything may be painted with the colour."""
    wanting: list[int] = []
    for position, column in enumerate(columns):
        if any(need.wanted != colour and need is not ANYTHING for need in column):
            if wanting:
                yield Interval(wanting[0], wanting[-1], colour)
            wanting = []
        elif any(need is not ANYTHING for need in column):
            wanting.append(position)
    if wanting:
        yield Interval(wanting[0], wanting[-1], colour)


def _hulls(columns: Sequence[Sequence[Need]], colour: int) -> Iterator[Interval]:
    """Give stretches that end where the colour is wanted, and begin there or at the top."""
    wanting = [
        position
        for position, column in enumerate(columns)
        if any(need.wanted == colour for need in column)
    ]
    for last in wanting:
        if last + 1 < len(columns) and columns[last + 1] == columns[last]:
            continue
        for first in sorted({0, *wanting}):
            if first <= last and (first == 0 or columns[first - 1] != columns[first]):
                yield Interval(first, last, colour)


def _reaches(
    wanted: Sequence[int], starts: Sequence[int], ends: Sequence[int]
) -> list[list[tuple[int, int]]]:
    """For every run of a line, where strokes that begin there may end, and in which colours.

    A stroke ends where its colour is wanted, and begins where it is wanted or at the top, where
    a plus is shorter than a span.
    """
    wanting: dict[int, list[int]] = {}
    for run, colour in enumerate(wanted):
        if colour >= 0:
            wanting.setdefault(colour, []).append(run)
    reaches: list[list[tuple[int, int]]] = [[] for _ in wanted]
    for colour, runs in wanting.items():
        for index, run in enumerate(runs):
            reaches[run] += [(end, colour) for end in runs[index:]]
            if runs[0] > 0 and (index > 0 or ends[run] > starts[run]):
                reaches[0].append((run, colour))
    return reaches


def _overwritten(
    lines: tuple[tuple[_T, ...], tuple[_T, ...]], stroke: Interval, value: _T
) -> tuple[tuple[_T, ...], tuple[_T, ...]]:
    """Both lines with the value at all positions of the stroke."""
    first, last, _ = stroke
    values = (value,) * (last + 1 - first)
    suited, offsuit = (line[:first] + values + line[last + 1 :] for line in lines)
    return suited, offsuit
