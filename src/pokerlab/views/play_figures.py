"""Pictures of play: winnings hand by hand, and actions by starting hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arena.logs.statistics import WinCurve
from pokerlab.arrays import Floats
from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.views.figure_file import COLOURS, figure_file

_MAX_POINTS = 2000
_INK = "#444444"


def draw_win_curves(
    curves: Sequence[WinCurve], *, unit: float = 1.0, of_unit: str = "chips", kind: str = "png"
) -> bytes:
    r"""Draw win curves with their bands; the bytes of a PNG or SVG file.

    Parameters
    ----------
    curves
        One for each player.
    unit, of_unit
        What to count in: 100 and ``"big blinds"``, say.
    kind
        ``png`` or ``svg``.

    Examples
    --------
    >>> from pokerlab.arena.logs.statistics import win_curve
    >>> draw_win_curves([win_curve("ann", [1.0, -1.0, 1.0])])[:4]
    b'\x89PNG'
    """
    if not curves or not all(len(curve.total) for curve in curves):
        raise ValueError("no hands to draw a win curve of")
    with figure_file(7.5, 4.2, kind) as (figure, file):
        axes = figure.subplots()
        figure.subplots_adjust(left=0.13, right=0.82, top=0.93, bottom=0.12)
        for number, curve in enumerate(curves):
            colour = COLOURS[number % len(COLOURS)]
            step = max(1, len(curve.total) // _MAX_POINTS)
            places = np.unique(
                np.append(np.arange(0, len(curve.total), step), [len(curve.total) - 1])
            )
            hands = curve.hands[places]
            axes.plot(hands, curve.total[places] / unit, color=colour, linewidth=1.3)
            axes.fill_between(
                hands,
                curve.low[places] / unit,
                curve.high[places] / unit,
                color=colour,
                alpha=0.15,
                linewidth=0,
            )
            axes.annotate(
                curve.player,
                (hands[-1], curve.total[-1] / unit),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=colour,
                annotation_clip=False,
            )
        axes.axhline(0, color="#999999", linewidth=0.7)
        axes.set_xlim(0, max(curve.hands[-1] for curve in curves))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.12g}")
        axes.set_xlabel("hands")
        axes.set_ylabel(f"{of_unit} won")
        axes.set_title("Won so far, with 95% confidence", loc="left", fontsize=10.5)
        axes.grid(color="#DDDDDD", linewidth=0.7)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return file.getvalue()


def draw_class_tables(
    tables: Sequence[tuple[str, Floats]], *, columns: int = 3, kind: str = "png"
) -> bytes:
    """Draw 13×13 tables of frequencies; the bytes of a PNG or SVG file.

    Parameters
    ----------
    tables
        For each a title and frequencies by hand class (13, 13), NaN where there are none (see
        `PlayStatistics.class_table`).
    columns
        How many stand in a row.
    kind
        ``png`` or ``svg``.

    Examples
    --------
    >>> draw_class_tables([("fold", np.full((13, 13), 0.5))], kind="svg")[:5]
    b'<?xml'
    """
    for title, table in tables:
        if table.shape != (GRID, GRID):
            raise ValueError(f"table {title!r} has the shape {table.shape}, not (13, 13)")
    if not tables:
        raise ValueError("no tables to draw")
    columns = min(columns, len(tables))
    rows = -(-len(tables) // columns)
    width, height = 5.2 * columns, 5.5 * rows
    with figure_file(width, height, kind) as (figure, file):
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        figure.subplots_adjust(
            left=0.05 / width,
            right=1 - 0.05 / width,
            top=1 - 0.35 / height,
            bottom=0.05 / height,
            wspace=0.04,
            hspace=0.08,
        )
        for axes in panels[len(tables) :]:
            axes.set_visible(False)
        for axes, (title, table) in zip(panels, tables, strict=False):
            shown = np.ma.masked_invalid(table)
            axes.imshow(shown, cmap="Greens", vmin=0.0, vmax=1.0)
            axes.set_facecolor("#EEEEEE")
            for number, name in enumerate(CLASS_NAMES):
                row, column = divmod(number, GRID)
                share = table[row, column]
                told = "" if np.isnan(share) else f"\n{100 * share:.0f}"
                ink = "#FFFFFF" if share > 0.5 else _INK
                axes.text(column, row, name + told, ha="center", va="center", fontsize=6, color=ink)
            axes.set_xticks([])
            axes.set_yticks([])
            axes.set_title(f"{title} (%)", loc="left", fontsize=10.5)
            for spine in axes.spines.values():
                spine.set_visible(False)
    return file.getvalue()
