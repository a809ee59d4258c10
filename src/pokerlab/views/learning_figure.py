"""A picture of learning: the share of all that there is to win, against hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pokerlab.views.figure_file import COLOURS, figure_file, plain_axes


class LearningCurve(NamedTuple):
    """An opponent: the share of all there is by hands, its error, and that of an equilibrium."""

    hands: Sequence[int]
    shares: Sequence[float]
    errors: Sequence[float]
    equilibrium: float


def draw_learning(curves: Mapping[str, LearningCurve], kind: str = "svg") -> bytes:
    r"""Draw a line for each opponent with its error; dotted, what an equilibrium wins.

    Examples
    --------
    >>> curve = LearningCurve([20, 100], [0.4, 0.8], [0.05, 0.02], 0.3)
    >>> draw_learning({"caller": curve}, "png")[:4]
    b'\x89PNG'
    """
    if not curves:
        raise ValueError("no learning curves to draw")
    with figure_file(6.4, 4.2, kind) as (figure, file):
        axes = figure.subplots()
        figure.subplots_adjust(left=0.11, right=0.97, top=0.95, bottom=0.2)
        for number, (name, curve) in enumerate(curves.items()):
            colour = COLOURS[number % len(COLOURS)]
            shares = [100 * share for share in curve.shares]
            errors = [100 * error for error in curve.errors]
            axes.errorbar(
                curve.hands,
                shares,
                errors,
                color=colour,
                linewidth=1.6,
                marker="o",
                markersize=3.5,
                capsize=2.5,
                label=name,
            )
            axes.axhline(100 * curve.equilibrium, color=colour, linestyle=":", linewidth=1.2)
        axes.axhline(100, color="#444444", linewidth=1.0)
        axes.set_xscale("log")
        axes.set_xlabel("hands played")
        axes.set_ylabel("% of all there is to win")
        plain_axes(axes)
        axes.legend(loc="lower right", frameon=False, fontsize=8)
        figure.text(
            0.11,
            0.03,
            "Lines: exploiter, with one standard error. Dotted: an equilibrium.",
            fontsize=8,
            color="#444444",
        )
    return file.getvalue()
