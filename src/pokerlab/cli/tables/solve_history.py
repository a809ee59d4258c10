"""The measurements of a solve: as JSON, and as a picture of exploitability against time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.options.files import save_bytes

if TYPE_CHECKING:
    from pokerlab.solvers import Point


def history_json(history: Sequence[Point]) -> list[dict[str, Any]]:
    """The measurements, oldest first; exploitability in chips."""
    return [
        {name: number for name, number in point._asdict().items() if number is not None}
        for point in history
    ]


def draw_history(path: Path, history: Sequence[Point], name: str, title: str, unit: str) -> None:
    """Write a picture of a solve.

    Parameters
    ----------
    path
        A .png or .svg file.
    history
        The measurements.
    name, title
        What stands beside the curve, and above.
    unit
        Of the exploitability.
    """
    from pokerlab.views import draw_trainings

    curves = {name: [(point.seconds, point.exploitability) for point in history]}
    inside = [
        (point.seconds, point.exploitability_abstract)
        for point in history
        if point.exploitability_abstract is not None
    ]
    if inside:
        curves[f"{name}, inside the groups"] = inside
    picture = draw_trainings(
        curves,
        title=title,
        kind=path.suffix.lower().removeprefix("."),
        across="seconds of iterations",
        up=f"exploitability ({unit})",
    )
    save_bytes(path, picture, "--plot")
