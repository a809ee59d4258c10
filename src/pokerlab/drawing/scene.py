"""A drawing as boxes, curves and words with their places: what SVG and PNG have in common.

Lengths are pixels, y grows downwards. All text is set in a monospaced face, whose characters
are 0.6 of its size wide in every such font, so the room for a text is known without the font.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pokerlab.drawing.drawn_tree import DrawnNode, DrawnTree
from pokerlab.games.protocol import CHANCE, TERMINAL

HIGHLIGHT = "#1557d6"
FAINT = "#b9b9b9"
_INK, _EDGE = "#1c1c1c", "#6b6b6b"
_TONES = {"plain": _INK, "quiet": "#666666", "good": "#0a7a33", "bad": "#c01818"}
_SEATS = ("#f9c6d4", "#bfe3d0", "#fbe3a7", "#d9ccf5", "#c9e6f7", "#f6d2b8")
_CHANCE, _TERMINAL, _SEVERAL = "#dcdcdc", "#ffffff", "#ececec"
_LINKS = ("#b5651d", "#6a3fb5", "#00838f", "#ad1457", "#558b2f", "#37474f")

_CHARACTER = 0.602  # width of a character, as a part of the size
_SIZE, _LINE = 11.0, 14.0
_TITLE = 14.0
_PAD = 5.0
_BETWEEN = 10.0  # a number and the text after it
_BEND = 34.0  # where an edge bends, between two columns
_GAP = 6.0
_LANE, _MAX_LANES = 7.0, 24
_MARGIN = 16.0


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    fill: str
    stroke: str
    thickness: float


@dataclass(frozen=True)
class Curve:
    """Straight lines from point to point; if `curved`, a Bézier curve by points 1 to 4 of 6."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    thickness: float
    dashed: bool = False
    curved: bool = False


@dataclass(frozen=True)
class Words:
    """A line of text; x is its left end, y its base line."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool = False


@dataclass
class Scene:
    """The elements of a picture, in the order in which they are painted.

    Attributes
    ----------
    width, height
        The size of the picture.
    title
        What it shows.
    lines
        Edges and links, with the words on them.
    nodes
        For each node of the drawing its path and its shapes, the box first.
    frame
        Title and legend.
    """

    width: float
    height: float
    title: str
    lines: list[Curve | Words] = field(default_factory=list)
    nodes: list[tuple[DrawnNode, list[Box | Words]]] = field(default_factory=list)
    frame: list[Box | Curve | Words] = field(default_factory=list)


def fill_of(node: DrawnNode) -> str:
    """The colour of a node."""
    return _fill(node.player)


def make_scene(drawing: DrawnTree) -> Scene:
    """Find a place for everything."""
    nodes = drawing.nodes
    sizes = [_box_size(node) for node in nodes]
    half = [height / 2 for _, height in sizes]
    rows = tidy_rows(
        [node.parent for node in nodes],
        [
            max(height, _LINE + 2) if node.move else height
            for height, node in zip(half, nodes, strict=True)
        ],
        half,
        _GAP,
    )
    lanes = _lanes(nodes, rows) if drawing.linked else {}
    lefts, rights = _columns(nodes, sizes, lanes)
    frame, frame_width, top = _frame(drawing)
    rows = [row + top for row in rows]
    bottom = max(row + below for row, below in zip(rows, half, strict=True))
    scene = Scene(
        width=max(rights[-1], frame_width) + _MARGIN,
        height=bottom + _MARGIN,
        title=drawing.title,
        frame=frame,
    )
    boxes = []
    for node, (width, height), row in zip(nodes, sizes, rows, strict=True):
        box = _node_box(node, lefts[node.depth], row - height / 2, width, height)
        boxes.append(box)
        scene.nodes.append((node, [box, *_node_words(node, box)]))
    if drawing.linked:
        scene.lines += _links(nodes, boxes, rows, lanes)
    # Edges of siblings begin together: what stands out is painted over what does not.
    for place in sorted(range(1, len(nodes)), key=lambda place: _prominence(nodes[place])):
        node, box = nodes[place], boxes[place]
        before = boxes[node.parent]
        start = (before.x + before.width, rows[node.parent])
        scene.lines += _edge(node, start, rights[node.depth - 1], (box.x, rows[place]))
    return scene


def _prominence(node: DrawnNode) -> tuple[bool, bool, bool]:
    return not node.faint, node.highlighted, node.thick


def _fill(player: int) -> str:
    if player >= 0:
        return _SEATS[player % len(_SEATS)]
    return {CHANCE: _CHANCE, TERMINAL: _TERMINAL}.get(player, _SEVERAL)


def _width(text: str, size: float = _SIZE) -> float:
    return len(text) * size * _CHARACTER


def _edge_text(node: DrawnNode) -> str:
    return f"{node.move} {node.edge_notes}".rstrip()


def _box_size(node: DrawnNode) -> tuple[float, float]:
    width = _width(str(node.number)) + 2 * _PAD
    if node.lines:
        width += _BETWEEN + max(_width(line.text) for line in node.lines)
    return max(width, 24.0), max(1, len(node.lines)) * _LINE + 2 * _PAD - 2


def _columns(
    nodes: Sequence[DrawnNode], sizes: Sequence[tuple[float, float]], lanes: Mapping[int, int]
) -> tuple[list[float], list[float]]:
    """Left and right end of each depth; with boxes, and then lanes for links."""
    depths = 1 + max(node.depth for node in nodes)
    widest_box, widest_edge, room = [0.0] * depths, [0.0] * depths, [0.0] * depths
    for node, (width, _) in zip(nodes, sizes, strict=True):
        room[node.depth] = max(room[node.depth], _LANE * (lanes.get(node.infoset, -1) + 1))
        widest_box[node.depth] = max(widest_box[node.depth], width)
        widest_edge[node.depth] = max(widest_edge[node.depth], _width(_edge_text(node)))
    lefts, rights = [_MARGIN], [_MARGIN + widest_box[0] + room[0]]
    for depth in range(1, depths):
        lefts.append(rights[-1] + _BEND + widest_edge[depth] + 8)
        rights.append(lefts[-1] + widest_box[depth] + room[depth])
    return lefts, rights


def _node_box(node: DrawnNode, x: float, y: float, width: float, height: float) -> Box:
    stroke = HIGHLIGHT if node.highlighted else FAINT if node.faint else _EDGE
    radius = 2.0 if node.player == TERMINAL else 8.0
    fill = "#f6f6f6" if node.faint and not node.highlighted else fill_of(node)
    return Box(x, y, width, height, radius, fill, stroke, 2.6 if node.highlighted else 1.0)


def _node_words(node: DrawnNode, box: Box) -> Iterator[Words]:
    base = box.y + _PAD - 1 + _LINE * 0.5 + _SIZE * 0.36
    x = box.x + _PAD
    number = str(node.number)
    if not node.lines:
        x = box.x + (box.width - _width(number)) / 2
    yield Words(x, base, number, _SIZE, FAINT if node.faint else _INK, bold=True)
    left = x + _width(number) + _BETWEEN
    for row, line in enumerate(node.lines):
        colour = FAINT if node.faint else _TONES[line.tone]
        yield Words(left, base + row * _LINE, line.text, _SIZE, colour)


def _edge(
    node: DrawnNode, start: tuple[float, float], bend: float, end: tuple[float, float]
) -> Iterator[Curve | Words]:
    colour = HIGHLIGHT if node.highlighted else FAINT if node.faint else _EDGE
    after = bend + _BEND
    middle = bend + _BEND / 2
    points = (start, (bend, start[1]), (middle, start[1]), (middle, end[1]), (after, end[1]), end)
    thickness = 2.8 if node.thick else 1.8 if node.highlighted else 1.0
    yield Curve(points, colour, thickness, curved=True)
    ink = FAINT if node.faint else _INK
    base = end[1] - 4
    yield Words(after + 3, base, node.move, _SIZE, ink, bold=True)
    if node.edge_notes:
        left = after + 3 + _width(node.move + " ")
        yield Words(left, base, node.edge_notes, _SIZE, FAINT if node.faint else _TONES["quiet"])


def _members(nodes: Sequence[DrawnNode]) -> dict[int, list[int]]:
    """The nodes of each information set that has several."""
    members: dict[int, list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        if node.infoset >= 0:
            members[node.infoset].append(place)
    return {infoset: places for infoset, places in members.items() if len(places) > 1}


def _lanes(nodes: Sequence[DrawnNode], rows: Sequence[float]) -> dict[int, int]:
    """A lane for the dashed line of each information set, so that no two lie on one another."""
    lanes: dict[int, int] = {}
    taken: dict[tuple[int, int], float] = {}  # how far down each lane of each depth is in use
    for infoset, places in _members(nodes).items():
        depth, lane = nodes[places[0]].depth, 0
        while taken.get((depth, lane), -1.0) >= rows[places[0]]:
            lane += 1
        taken[depth, lane] = rows[places[-1]]
        lanes[infoset] = lane % _MAX_LANES
    return lanes


def _links(
    nodes: Sequence[DrawnNode],
    boxes: Sequence[Box],
    rows: Sequence[float],
    lanes: Mapping[int, int],
) -> Iterator[Curve]:
    """Dashed lines from each node of an information set to the next, at their right."""
    right: dict[int, float] = {}
    for node, box in zip(nodes, boxes, strict=True):
        right[node.depth] = max(right.get(node.depth, 0.0), box.x + box.width)
    for infoset, places in _members(nodes).items():
        out = right[nodes[places[0]].depth] + _LANE * (lanes[infoset] + 1)
        colour = _LINKS[lanes[infoset] % len(_LINKS)]
        for one, other in pairwise(places):
            start = (boxes[one].x + boxes[one].width, rows[one] + 5)
            end = (boxes[other].x + boxes[other].width, rows[other] - 5)
            points = (start, (out, start[1]), (out, end[1]), end)
            yield Curve(points, colour, 1.0, dashed=True)


def _frame(drawing: DrawnTree) -> tuple[list[Box | Curve | Words], float, float]:
    """Title and legend, how wide they are, and where the tree may begin."""
    shapes: list[Box | Curve | Words] = []
    shapes.append(Words(_MARGIN, _MARGIN + _TITLE * 0.8, drawing.title, _TITLE, _INK, bold=True))
    width = _MARGIN + _width(drawing.title, _TITLE)
    x, y = _MARGIN, _MARGIN + _TITLE + 10
    movers = sorted(
        {node.player for node in drawing.nodes}, key=lambda player: (player < 0, abs(player))
    )
    who = {node.player: node.who for node in drawing.nodes}
    for player in movers:
        radius = 1.0 if player == TERMINAL else 4.0
        shapes.append(Box(x, y, 14, 11, radius, _fill(player), _EDGE, 1.0))
        x = _legend_word(shapes, x + 19, y, who[player])
    if drawing.highlight:
        shapes.append(Box(x, y, 14, 11, 4, _TERMINAL, HIGHLIGHT, 2.6))
        x = _legend_word(shapes, x + 19, y, drawing.highlight)
    for name, colour, thickness in ((drawing.thick, _EDGE, 2.8), (drawing.faint, FAINT, 1.0)):
        if name:
            line = ((x, y + 6), (x + 14, y + 6))
            shapes.append(Curve(line, colour, thickness))
            x = _legend_word(shapes, x + 19, y, name)
    return shapes, max(width, x - 16), y + 11 + 16


def _legend_word(shapes: list[Box | Curve | Words], x: float, y: float, word: str) -> float:
    """Write a word of the legend; the place after it."""
    shapes.append(Words(x, y + 9.5, word, _SIZE, _INK))
    return x + _width(word) + 18


def tidy_rows(
    parents: Sequence[int], above: Sequence[float], below: Sequence[float], gap: float
) -> list[float]:
    """The height at which each node stands; the first line of the picture is 0.

    Nothing overlaps, and nothing is wider than it must be. The tree grows from left to right; a
    column is a depth. Subtrees are moved together until they touch at some depth, and a parent
    stands at the middle of its children (Reingold and Tilford 1981, for nodes of different sizes).
    Comparing whole contours costs nodes × depth, which is nothing for a tree that can be looked at.

    Parameters
    ----------
    parents
        The place of each node's parent, -1 for the root; in preorder.
    above, below
        How far each node reaches up and down from where it stands.
    gap
        The least distance of two nodes.

    Examples
    --------
    >>> tidy_rows([-1, 0, 0, 2], [5, 5, 5, 5], [5, 5, 5, 5], gap=2)
    [11.0, 5.0, 17.0, 17.0]
    """
    count = len(parents)
    children: list[list[int]] = [[] for _ in range(count)]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    shift = [0.0] * count  # from a node to its parent
    # How far the subtree of each node reaches at each depth, seen from the node.
    tops: list[list[float]] = [[] for _ in range(count)]
    bottoms: list[list[float]] = [[] for _ in range(count)]
    for place in range(count - 1, -1, -1):
        top: list[float] = []
        bottom: list[float] = []
        for child in children[place]:
            room = [low - high for low, high in zip(bottom, tops[child], strict=False)]
            down = max(room) + gap if room else 0.0
            shift[child] = down
            # A later child is below the earlier ones at every depth that they share.
            top += [down + high for high in tops[child][len(top) :]]
            bottom[: len(bottoms[child])] = [down + low for low in bottoms[child]]
            tops[child] = bottoms[child] = []
        middle = (shift[children[place][0]] + shift[children[place][-1]]) / 2 if top else 0.0
        for child in children[place]:
            shift[child] -= middle
        tops[place] = [-above[place], *(high - middle for high in top)]
        bottoms[place] = [below[place], *(low - middle for low in bottom)]
    heights = [-min(tops[0])] * count if count else []
    for place in range(1, count):
        heights[place] = heights[parents[place]] + shift[place]
    return heights
