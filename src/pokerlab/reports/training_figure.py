"""Pictures of trainings: how exploitability falls with time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pokerlab.reports.figure_file import COLOURS, figure_file

__all__ = ["draw_trainings"]


def draw_trainings(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    kind: str = "svg",
) -> bytes:
    r"""Draw exploitability against time; the bytes of a PNG or SVG file.

    Parameters
    ----------
    curves
        By name, pairs of seconds and exploitability in mbb; only what is above 0 can be drawn.
    title
        What stands above.
    kind
        ``png`` or ``svg``.

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
        axes = figure.subplots()
        figure.subplots_adjust(left=0.1, right=0.76, top=0.92, bottom=0.12)
        for number, (name, points) in enumerate(drawn.items()):
            if not points:
                continue
            colour = COLOURS[number % len(COLOURS)]
            seconds, values = zip(*points, strict=True)
            axes.plot(seconds, values, color=colour, linewidth=1.4, marker="o", markersize=2.5)
            axes.annotate(
                name,
                (seconds[-1], values[-1]),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=colour,
                annotation_clip=False,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("seconds of training")
        axes.set_ylabel("exploitability (mbb a hand)")
        axes.set_title(title, loc="left", fontsize=10.5)
        axes.grid(color="#DDDDDD", linewidth=0.7, which="both")
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return file.getvalue()
