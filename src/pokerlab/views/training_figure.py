"""Pictures of trainings: how exploitability falls with time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pokerlab.views.figure_file import COLOURS, figure_file, plain_axes

_APART = 1.22
"""The least ratio of the heights of two names."""


def draw_trainings(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    kind: str = "svg",
    across: str = "seconds of training",
    up: str = "exploitability (mbb a hand)",
) -> bytes:
    r"""Draw exploitability against time; the bytes of a PNG or SVG file.

    Parameters
    ----------
    curves
        By name, pairs of seconds and exploitability; only what is above 0 can be drawn.
    title
        What stands above.
    kind
        ``png`` or ``svg``.
    across, up
        What the axes show, with its unit.

    Examples
    --------
    >>> draw_trainings({"external": [(1.0, 300.0), (60.0, 20.0)]}, title="ours", kind="png")[:4]
    b'\x89PNG'
    """
    drawn = {
        name: [(seconds, value) for seconds, value in points if seconds > 0 and value > 0]
        for name, points in curves.items()
    }
    if not any(drawn.values()):
        raise ValueError("no measurements to draw a training of")
    with figure_file(7.5, 4.4, kind) as (figure, file):
        from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

        axes = figure.subplots()
        figure.subplots_adjust(left=0.1, right=0.76, top=0.92, bottom=0.12)
        ends = _spread({name: points[-1][1] for name, points in drawn.items() if points})
        for number, (name, points) in enumerate(drawn.items()):
            if not points:
                continue
            colour = COLOURS[number % len(COLOURS)]
            style = "-" if number < len(COLOURS) else "--"
            seconds, values = zip(*points, strict=True)
            axes.plot(
                seconds, values, style, color=colour, linewidth=1.4, marker="o", markersize=2.5
            )
            axes.annotate(
                name,
                (seconds[-1], ends[name]),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=colour,
                annotation_clip=False,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
            axis.set_minor_locator(NullLocator())
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.set_title(title, loc="left", fontsize=10.5)
        plain_axes(axes)
    return file.getvalue()


def _spread(ends: dict[str, float]) -> dict[str, float]:
    """Where the names of curves stand: at their ends, or higher where two would touch."""
    found: dict[str, float] = {}
    lowest = 0.0
    for name, value in sorted(ends.items(), key=lambda item: item[1]):
        found[name] = max(value, lowest)
        lowest = found[name] * _APART
    return found
