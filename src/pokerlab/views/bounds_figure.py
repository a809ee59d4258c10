"""A picture of bounds: measured values beside the bounds of theory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pokerlab.views.figure_file import COLOURS, figure_file


class BoundCurve(NamedTuple):
    """A method: measured values by iterations, and its bounds."""

    name: str
    iterations: Sequence[int]
    measured: Sequence[float]
    between: Sequence[float]
    """What lies between the two; empty where there is nothing."""
    bound: Sequence[float]


def draw_bounds(panels: Mapping[str, Sequence[BoundCurve]], kind: str = "svg") -> bytes:
    r"""Draw a panel for each game: measured (lines), bounds (dashed), what lies between (dotted).

    Examples
    --------
    >>> curve = BoundCurve("cfr", [1, 100], [0.9, 0.05], [0.95, 0.1], [30.0, 3.0])
    >>> draw_bounds({"kuhn": [curve]}, "png")[:4]
    b'\x89PNG'
    """
    if not panels:
        raise ValueError("no measurements to draw bounds of")
    width = 5.2 * len(panels)
    with figure_file(width, 4.4, kind) as (figure, file):
        every = figure.subplots(1, len(panels), squeeze=False)[0]
        figure.subplots_adjust(
            left=0.75 / width, right=1 - 0.15 / width, top=0.92, bottom=0.2, wspace=0.2
        )
        for axes, (title, curves) in zip(every, panels.items(), strict=True):
            for number, curve in enumerate(curves):
                colour = COLOURS[number % len(COLOURS)]
                axes.plot(
                    curve.iterations,
                    curve.measured,
                    color=colour,
                    linewidth=1.6,
                    marker="o",
                    markersize=2.5,
                    label=curve.name,
                )
                axes.plot(curve.iterations, curve.bound, "--", color=colour, linewidth=1.1)
                if curve.between:
                    axes.plot(curve.iterations, curve.between, ":", color=colour, linewidth=1.4)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("iterations")
            axes.set_title(title, loc="left", fontsize=10.5)
            axes.grid(color="#DDDDDD", linewidth=0.7, which="major")
            axes.set_axisbelow(True)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        every[0].set_ylabel("chips a game")
        handles, names = every[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="lower center", ncol=len(names), frameon=False)
        figure.text(
            0.75 / width,
            0.075,
            "Lines: exploitability as measured. Dashed: its bound. Dotted: sums of immediate"
            " regrets.",
            fontsize=8,
            color="#444444",
        )
    return file.getvalue()
