"""A figure of matplotlib that becomes a file: the same look, and the same bytes, everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Those of Okabe and Ito, which people with any kind of colour vision can tell apart."""
_DOTS = 120


@contextmanager
def figure_file(
    width: float, height: float, kind: str, *, dots: float = _DOTS, title: str = ""
) -> Iterator[tuple[Any, BytesIO]]:
    """A figure to draw on, in inches; when it is done, its file (``png`` or ``svg``).

    `dots` an inch are those of a PNG; `title` is for who asks an SVG what it shows.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError('figures need matplotlib: pip install "pokerlab[plots]"') from None
    if kind not in ("png", "svg"):
        raise ValueError(f"no picture format {kind!r}: there are png and svg")
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "pokerlab",  # and the same numbers give the same bytes
        "font.size": 9.0,
        "font.sans-serif": ["DejaVu Sans"],
    }
    with rc_context(settings):
        figure: Figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        file = BytesIO()
        yield figure, file
        if kind == "svg":
            metadata = {"Date": None} | ({"Title": title} if title else {})
            figure.savefig(file, format="svg", metadata=metadata)
        else:
            figure.savefig(file, format="png", dpi=dots)


@contextmanager
def panel_file(
    rows: int, columns: int, width: float, height: float, *, same_scale: bool = False
) -> Iterator[tuple[Any, BytesIO]]:
    """Panels in rows, each of this size in inches; when they are drawn, the file (``svg``).

    With `same_scale`, those of a row count upwards on one scale.
    """
    with figure_file(width * columns, height * rows, "svg") as (figure, file):
        figure.set_layout_engine("constrained")
        panels = figure.subplots(rows, columns, sharey=same_scale, squeeze=False).ravel()
        for axes in panels:
            plain_axes(axes)
        yield panels, file


def plain_axes(axes: Axes) -> None:
    """Axes with a light grid behind what is drawn, and no lines above and on the right."""
    axes.grid(color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def with_few_colours(picture: bytes, colours: int) -> bytes:
    """The same PNG in less than half of the bytes: few figures have more than 255 colours."""
    from PIL import Image  # matplotlib brings it

    small = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        image.convert("RGB").quantize(colours).save(small, format="png", optimize=True)
    return small.getvalue()
