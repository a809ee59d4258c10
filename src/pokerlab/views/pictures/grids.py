"""Grids as SVG: a matrix of bars that actions share, and a heat map of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from pokerlab.views.pictures.palette import Colour, css, heat_colour, ink_on

_WIDTH, _HEIGHT = 46, 34
"""Of a cell of a matrix; one line between cells stays free."""
_FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
_BEHIND: Colour = (48, 53, 59)
"""Behind the bars of a hand that arrives."""


def matrix_svg(
    names: Sequence[str],
    shares: Sequence[Sequence[float]],
    heights: Sequence[float],
    colours: Sequence[Colour],
    *,
    label: str,
    columns: int = 13,
    notes: Sequence[str] = (),
    titles: Sequence[str] = (),
) -> str:
    """A matrix of cells, each with bars side by side: what share of it does what.

    Parameters
    ----------
    names
        What stands in each cell, row by row.
    shares
        For each colour, the share of every cell that it fills; a cell's shares sum to 1.
    heights
        How high each cell is filled, 0 to 1; a cell of height 0 is blank and its name pale.
    colours
        Of the bars, from the left.
    label
        What the picture shows, for those who do not see it.
    columns
        Cells of a row.
    notes
        A second text for each cell.
    titles
        What a cell says when the mouse rests on it.

    Examples
    --------
    >>> picture = matrix_svg(["AA", "KK"], [[0.25, 1], [0.75, 0]], [1, 0.5],
    ...                      [(0, 0, 255), (255, 0, 0)], label="two hands", columns=2)
    >>> picture.count("<text"), '<path fill="#0000ff" d="M0 0h11.2v33H0z' in picture
    (2, True)
    """
    there, blank = [], []
    bars: list[list[str]] = [[] for _ in colours]
    for place in range(len(names)):
        left, top = _WIDTH * (place % columns), _HEIGHT * (place // columns)
        cell = _field(left, top, _WIDTH - 1, _HEIGHT - 1)
        if not heights[place] > 0:
            blank.append(cell)
            continue
        there.append(cell)
        # A hand that arrives at all shows a line of colour.
        high = max((_HEIGHT - 1) * min(heights[place], 1.0), 1.0)
        # Each from the left edge to its own right end; the first is painted last, over the others.
        end = 0.0
        for number, row in enumerate(shares):
            width = (_WIDTH - 1) * row[place]
            end += width
            if width >= 0.1:
                bars[number].append(_field(left, top + _HEIGHT - 1 - high, end, high))

    def under(place: int, across: float, down: float) -> Colour | None:
        """The colour at a point of a cell; None where the cell is blank."""
        if not heights[place] > 0:
            return None
        end = 0.0
        for colour, row in zip(colours, shares, strict=True):
            end += (_WIDTH - 1) * row[place]
            if across <= end and down >= (_HEIGHT - 1) * (1 - heights[place]):
                return colour
        return _BEHIND

    rows = -(-len(names) // columns)
    return "".join(
        (
            _open(columns * _WIDTH - 1, rows * _HEIGHT - 1, label),
            f'<path fill="#808890" fill-opacity=".13" d="{"".join(blank)}"/>' if blank else "",
            f'<path fill="{css(_BEHIND)}" d="{"".join(there)}"/>' if there else "",
            *(
                f'<path fill="{css(colour)}" d="{"".join(paths)}"/>'
                for colour, paths in reversed(list(zip(colours, bars, strict=True)))
                if paths
            ),
            *_words(names, notes, columns, under),
            *_titles(titles, columns, _WIDTH, _HEIGHT),
            "</svg>",
        )
    )


def heat_svg(
    numbers: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    *,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    row_colours: Sequence[str] = (),
    titles: Sequence[str] = (),
) -> str:
    """A heat map: the lowest number red, the highest blue, and each as a text in its field.

    Parameters
    ----------
    numbers, texts
        Row by row; None, or NaN, is a field that stays blank.
    label
        What the picture shows, for those who do not see it.
    rows, columns
        The names beside and above the fields.
    row_colours
        Of the names of rows, as style sheets write them; by default that of the text around.
    titles
        What each field says when the mouse rests on it, row by row.

    Examples
    --------
    >>> picture = heat_svg([[0.0, None, 2.0]], [["0", "", "2"]], label="three", rows=["a"],
    ...                    columns=["x", "y", "z"])
    >>> picture.count("<rect"), 'fill="#d6604d"' in picture, 'fill="#4393c3"' in picture
    (2, True, True)
    """
    known = [each for row in numbers for each in row if each is not None and not math.isnan(each)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    width, height, edge = 44, 24, 20
    found = [_open(edge + width * len(columns), edge + height * len(rows), label)]
    found.append('<g font-size="11" fill="currentColor" text-anchor="middle">')
    for place, name in enumerate(columns):
        found.append(f'<text x="{edge + width * place + width // 2}" y="14">{escape(name)}</text>')
    for place, name in enumerate(rows):
        ink = f' fill="{row_colours[place]}"' if row_colours else ""
        middle = edge + height * place + 16
        found.append(f'<text x="{edge // 2}" y="{middle}"{ink}>{escape(name)}</text>')
    for down, row in enumerate(numbers):
        for across, number in enumerate(row):
            if number is None or math.isnan(number):
                continue
            colour = heat_colour((number - low) / (high - low) if high > low else 0.5)
            x, y = edge + width * across, edge + height * down
            found.append(
                f'<rect x="{x}" y="{y}" width="{width - 1}" height="{height - 1}" '
                f'fill="{css(colour)}"/><text x="{x + width // 2}" y="{y + 16}" '
                f'fill="{css(ink_on(colour))}">{escape(texts[down][across])}</text>'
            )
    found.append("</g>")
    found += _titles(titles, len(columns), width, height, edge)
    return "".join([*found, "</svg>"])


def _open(width: int, height: int, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(label)}" '
        f'style="max-width:100%;height:auto;{_FONT}">'
    )


def _field(left: int, top: float, width: float, height: float) -> str:
    return f"M{left} {_length(top)}h{_length(width)}v{_length(height)}H{left}z"


def _words(
    names: Sequence[str],
    notes: Sequence[str],
    columns: int,
    under: Callable[[int, float, float], Colour | None],
) -> list[str]:
    """Names to the left above, notes to the right below, in the ink that can be read there."""
    groups: dict[tuple[bool, bool | None], list[str]] = {}
    for texts, note, right, down in ((names, False, 3, 13), (notes, True, _WIDTH - 4, _HEIGHT - 5)):
        for place, text in enumerate(texts):
            if not text:
                continue
            colour = under(place, right + (-12 if note else 12), down - 4)
            dark = None if colour is None else ink_on(colour) == (0, 0, 0)
            x, y = _WIDTH * (place % columns) + right, _HEIGHT * (place // columns) + down
            words = f'<text x="{x}" y="{y}">{escape(text)}</text>'
            groups.setdefault((note, dark), []).append(words)
    halo = 'stroke-width="2" paint-order="stroke"'
    inks = {
        None: 'fill="currentColor" fill-opacity=".45"',
        True: f'fill="#000" stroke="#fff" stroke-opacity=".28" {halo}',
        False: f'fill="#fff" stroke="#000" stroke-opacity=".4" {halo}',
    }
    sizes = {False: 'font-size="12"', True: 'font-size="10" text-anchor="end"'}
    return [
        f"<g {sizes[note]} {inks[dark]}>{''.join(words)}</g>"
        for (note, dark), words in groups.items()
    ]


def _titles(
    titles: Sequence[str], columns: int, width: int, height: int, edge: int = 0
) -> list[str]:
    """Invisible fields in front of everything, which say more when the mouse rests on them."""
    if not any(titles):
        return []
    fields = [
        f'<path d="{_field(left, top, width, height)}"><title>{escape(title)}</title></path>'
        for place, title in enumerate(titles)
        for left, top in [(edge + width * (place % columns), edge + height * (place // columns))]
        if title
    ]
    return ['<g fill-opacity="0">', *fields, "</g>"]


def _length(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
