"""A heat map of run-outs: a number for each card that may come."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.cards.codes import RANKS, SUIT_SYMBOLS
from pokerlab.views.figure_file import figure_file

_DARK = 0.3
"""Colours this far from the middle take white letters."""


def draw_card_map(
    numbers: Mapping[int, float | None],
    *,
    title: str,
    percent: bool = False,
    kind: str = "svg",
) -> bytes:
    r"""Draw a number for each card as a 13×4 heat map; the bytes of a PNG or SVG file.

    Parameters
    ----------
    numbers
        By card code; cards without a number stay blank.
    title
        What stands above.
    percent
        Whether the numbers are shares, to be shown in percent.
    kind
        ``png`` or ``svg``.

    Examples
    --------
    >>> draw_card_map({51: 0.5, 50: 0.25}, title="equity", percent=True, kind="png")[:4]
    b'\x89PNG'
    """
    grid = np.full((4, len(RANKS)), np.nan)
    for card, number in numbers.items():
        if number is not None:
            grid[3 - (card & 3), 12 - (card >> 2)] = number * (100 if percent else 1)
    if np.isnan(grid).all():
        raise ValueError("there is no number to draw on a map of cards")
    low, high = float(np.nanmin(grid)), float(np.nanmax(grid))
    with figure_file(8.2, 3.1, kind, title=title) as (figure, file):
        axes = figure.subplots()
        figure.subplots_adjust(left=0.05, right=0.99, top=0.86, bottom=0.04)
        figure.suptitle(title, x=0.05, ha="left", fontsize=10.5)
        shown = axes.imshow(
            np.ma.masked_invalid(grid),
            cmap="RdBu",
            vmin=low,
            vmax=high if high > low else low + 1,
            aspect="auto",
        )
        axes.set_xticks(range(len(RANKS)), list(reversed(RANKS)))
        axes.set_yticks(range(4), list(reversed(SUIT_SYMBOLS)))
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for row, column in zip(*np.nonzero(~np.isnan(grid)), strict=True):
            number = float(grid[row, column])
            place = (number - low) / (high - low) if high > low else 0.5
            axes.text(
                column,
                row,
                f"{number:.0f}" if percent or abs(number) >= 100 else f"{number:.1f}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if abs(place - 0.5) > _DARK else "black",
            )
        figure.colorbar(shown, ax=axes, fraction=0.03, pad=0.02)
    return file.getvalue()
