"""Drawings as PNG, painted by matplotlib (the ``plots`` extra) from the same scene as the SVG."""

from __future__ import annotations

import math
from io import BytesIO
from typing import TYPE_CHECKING

from pokerlab.trees.drawing.drawn_tree import DrawnTree
from pokerlab.trees.drawing.scene import Box, Curve, Scene, Words, make_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SCALE = 2.0  # dots for each pixel of the scene: sharp on any screen
_LEAST_SCALE = 0.8
_MAX_DOTS = 60e6
_MAX_SIDE = 2**15


def to_png(drawing: DrawnTree) -> bytes:
    r"""Paint a drawing; the bytes of a PNG file.

    `ValueError` where matplotlib is not installed, or where the picture would be unreadable.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees.drawing import draw
    >>> from pokerlab.trees import GameTree, make_view
    >>> to_png(draw(make_view(GameTree.build(load_game("kuhn")), "action")))[:4]
    b'\x89PNG'
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError(
            'PNG pictures need matplotlib: pip install "pokerlab[plots]" (SVG and DOT do not)'
        ) from None
    scene = make_scene(drawing)
    scale = min(
        _SCALE,
        math.sqrt(_MAX_DOTS / (scene.width * scene.height)),
        _MAX_SIDE / max(scene.width, scene.height),
    )
    if scale < _LEAST_SCALE:
        raise ValueError(
            f"a PNG of {len(drawing.nodes):,} nodes is too big ({scene.width:.0f} × "
            f"{scene.height:.0f} pixels); write SVG, or limit it by depth or path"
        )
    dots = 72 * scale  # at 72 dots an inch, a point of matplotlib is a pixel of ours
    figure = Figure(figsize=(scene.width / 72, scene.height / 72), dpi=dots)
    FigureCanvasAgg(figure)
    _paint(figure, scene)
    file = BytesIO()
    figure.savefig(file, format="png", dpi=dots)
    return file.getvalue()


def _paint(figure: Figure, scene: Scene) -> None:
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.path import Path

    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    shapes: list[Box | Curve | Words] = [*scene.frame, *scene.lines]
    for _, node_shapes in scene.nodes:
        shapes += node_shapes
    for order, shape in enumerate(shapes):
        if isinstance(shape, Words):
            axes.text(
                shape.x,
                shape.y,
                shape.text,
                fontsize=shape.size,
                color=shape.colour,
                family="DejaVu Sans Mono",
                weight="bold" if shape.bold else "normal",
                va="baseline",
                parse_math=False,
                zorder=order,
            )
            continue
        if isinstance(shape, Box):
            radius = min(shape.radius, shape.height / 2)
            patch: FancyBboxPatch | PathPatch = FancyBboxPatch(
                (shape.x, shape.y),
                shape.width,
                shape.height,
                boxstyle=f"round,pad=0,rounding_size={radius}",
                facecolor=shape.fill,
                edgecolor=shape.stroke,
                linewidth=shape.thickness,
            )
        else:
            curve = [Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
            straight = [Path.LINETO] * (len(shape.points) - 1)
            codes = [Path.MOVETO, *(curve if shape.curved else straight)]
            patch = PathPatch(
                Path(shape.points, codes),
                facecolor="none",
                edgecolor=shape.stroke,
                linewidth=shape.thickness,
                linestyle=(0, (4, 3)) if shape.dashed else "solid",
            )
        patch.set_zorder(order)
        axes.add_patch(patch)
