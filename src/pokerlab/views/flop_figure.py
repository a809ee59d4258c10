"""A heat map of all flops: a small field for each of the 1,755."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.codes import RANKS
from pokerlab.cards.flops import canonical_flop
from pokerlab.runtime.arrays import Floats
from pokerlab.views.figure_file import figure_file

_CELL = 4
"""Fields of a cell in each direction: three, and one that is blank."""

_INCHES = 0.072
"""The side of a field."""

_ROWS = ((12, 11, 10), (9, 8, 7, 6), (5, 4, 3, 2, 1, 0))
"""The panels by rank; the last row leaves room for the scale."""

_ABOVE, _BESIDE = 0.65, 0.35
"""Inches above a row of panels and between panels, for names."""


def draw_flop_map(
    numbers: Mapping[tuple[int, ...], float],
    *,
    title: str,
    percent: bool = False,
    kind: str = "svg",
) -> bytes:
    r"""Draw a number for each flop as a heat map; the bytes of a PNG or SVG file.

    A panel for each high card, in it a cell for each middle card (across) and low card (down).
    A cell has the rainbow flop on top, the three two-tone flops below it, from the left those
    whose high and middle, high and low, middle and low card share the suit, and the monotone
    flop at the bottom.

    Parameters
    ----------
    numbers
        By flop, its cards in any suits; flops without a number stay blank.
    title
        What stands above.
    percent
        Whether the numbers are shares, to be shown in percent.
    kind
        ``png`` or ``svg``.

    Examples
    --------
    >>> draw_flop_map({(51, 46, 21): 0.5, (51, 47, 43): 0.25}, title="bets", kind="png")[:4]
    b'\x89PNG'
    """
    panels = flop_panels(numbers)
    if np.isnan(panels).all():
        raise ValueError("there is no number to draw on a map of flops")
    panels *= 100 if percent else 1
    low, high = float(np.nanmin(panels)), float(np.nanmax(panels))
    width, height, corners = _lay_out()
    with figure_file(width, height, kind, title=title) as (figure, file):
        figure.suptitle(title, x=0.03, y=1 - 0.1 / height, ha="left", va="top", fontsize=12)

        def add_axes(left: float, top: float, across: float, down: float) -> Any:
            """Axes at a place in inches from the corner at the top left."""
            bottom = (height - top - down) / height
            return figure.add_axes((left / width, bottom, across / width, down / height))

        for rank, (left, top) in corners.items():
            size = _CELL * (rank + 1) - 1
            panel = add_axes(left, top, size * _INCHES, size * _INCHES)
            shown = panel.imshow(
                np.ma.masked_invalid(panels[rank, :size, :size]),
                cmap="RdYlBu",
                vmin=low,
                vmax=high if high > low else low + 1,
                interpolation="none",
            )
            names = RANKS[rank::-1]
            panel.set_title(f"{RANKS[rank]}-high", fontsize=9, pad=12, loc="left")
            ticks = [_CELL * cell + 1 for cell in range(rank + 1)]
            panel.set_xticks(ticks, names)
            panel.set_yticks(ticks, names)
            panel.tick_params(length=0, labelsize=6, labeltop=True, labelbottom=False, pad=1)
            for spine in panel.spines.values():
                spine.set_visible(False)
        bar = figure.colorbar(
            shown, cax=add_axes(width - 2.4, height - 0.7, 2.1, 0.15), orientation="horizontal"
        )
        bar.set_label("percent" if percent else "")
        figure.text(
            1 - 2.4 / width,
            0.9 / height,
            "across: middle card\ndown: low card\nin a cell: rainbow,\ntwo-tone, monotone",
            fontsize=8,
            va="bottom",
        )
    return file.getvalue()


def _lay_out() -> tuple[float, float, dict[int, tuple[float, float]]]:
    """Width and height of the figure, and the corners of the panels by rank, in inches.

    Cells have one size in all panels, so that all flops of a kind do.
    """
    corners = {}
    top, width = 0.0, 0.0
    for row in _ROWS:
        top += _ABOVE
        left = _BESIDE
        for rank in row:
            corners[rank] = left, top
            left += _CELL * (rank + 1) * _INCHES + _BESIDE
        width = max(width, left)
        top += _CELL * (max(row) + 1) * _INCHES
    return width, top + 0.1, corners


def flop_panels(numbers: Mapping[tuple[int, ...], float]) -> Floats:
    """The fields of the map: (high card, down, across), NaN where nothing is."""
    side = _CELL * len(RANKS)
    panels = np.full((len(RANKS), side, side), np.nan)
    for flop, number in numbers.items():
        place = flop_place(flop)
        panels[place.high, place.down, place.across : place.across + place.width] = number
    return panels


class FlopPlace(NamedTuple):
    """Where a flop is on the map: the panel of its high card, and a field of one or three."""

    high: int
    down: int
    across: int
    width: int


def flop_place(flop: tuple[int, ...]) -> FlopPlace:
    """Where a flop is on the map; `draw_flop_map` says what the places mean.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> flop_place(parse_cards("AsKh7d")), flop_place(parse_cards("As7sKd"))
    (FlopPlace(high=12, down=28, across=4, width=3), FlopPlace(high=12, down=29, across=5, width=1))
    """
    cards = canonical_flop(flop[:3])
    (high, middle, low), suits = [card >> 2 for card in cards], [card & 3 for card in cards]
    down, across = _CELL * (high - low), _CELL * (high - middle)
    kinds = len(set(suits))
    if kinds != 2 or len({high, middle, low}) < 3:
        return FlopPlace(high, down + 3 - kinds, across, 3)
    sharing = [suits[first] == suits[second] for first, second in ((0, 1), (0, 2), (1, 2))]
    return FlopPlace(high, down + 1, across + sharing.index(True), 1)
