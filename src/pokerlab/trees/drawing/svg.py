"""Drawings as SVG, written without any library: for browsers, notebooks and papers."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from pokerlab.trees.drawing.drawn_tree import DrawnTree
from pokerlab.trees.drawing.scene import Box, Curve, Words, make_scene

_FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"


def to_svg(drawing: DrawnTree) -> str:
    """Write a drawing as an SVG document: one group of class ``node`` for each node.

    A node says its path when the mouse rests on it.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees.drawing import draw
    >>> from pokerlab.trees import GameTree, make_view
    >>> picture = to_svg(draw(make_view(GameTree.build(load_game("kuhn")), "action")))
    >>> picture.count('class="node"')
    9
    """
    scene = make_scene(drawing)
    width, height = _length(scene.width), _length(scene.height)
    rows = [
        # Blanks at the beginning of a line are meant.
        f'<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" font-family="{_FONT}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(scene.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<g class="frame">',
        *(_shape(shape) for shape in scene.frame),
        "</g>",
        '<g class="edges">',
        *(_shape(shape) for shape in scene.lines),
        "</g>",
    ]
    for node, shapes in scene.nodes:
        rows.append(f'<g class="node" id="node{node.number}">')
        rows.append(f"<title>{escape(node.path or 'root')}: {escape(node.who)}</title>")
        rows.extend(_shape(shape) for shape in shapes)
        rows.append("</g>")
    return "\n".join([*rows, "</svg>", ""])


def _shape(shape: Box | Curve | Words) -> str:
    if isinstance(shape, Box):
        place = " ".join(
            f'{name}="{_length(value)}"'
            for name, value in (
                ("x", shape.x),
                ("y", shape.y),
                ("width", shape.width),
                ("height", shape.height),
                ("rx", shape.radius),
            )
        )
        return (
            f'<rect {place} fill="{shape.fill}" stroke="{shape.stroke}" '
            f'stroke-width="{_length(shape.thickness)}"/>'
        )
    if isinstance(shape, Curve):
        dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
        return (
            f'<path d="{_path(shape)}" fill="none" stroke="{shape.stroke}" '
            f'stroke-width="{_length(shape.thickness)}"{dashes}/>'
        )
    weight = ' font-weight="bold"' if shape.bold else ""
    return (
        f'<text x="{_length(shape.x)}" y="{_length(shape.y)}" font-size="{_length(shape.size)}"'
        f" fill={quoteattr(shape.colour)}{weight}>{escape(shape.text)}</text>"
    )


def _path(curve: Curve) -> str:
    places = [f"{_length(x)} {_length(y)}" for x, y in curve.points]
    if not curve.curved:
        return "M " + " L ".join(places)
    start, bend, one, two, after, end = places
    return f"M {start} L {bend} C {one} {two} {after} L {end}"


def _length(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
