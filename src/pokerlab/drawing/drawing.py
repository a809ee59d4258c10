"""Drawings of views: the nodes to draw, with their texts and colours.

`draw` turns a `View` and some arrays (probabilities by edge, values by node, marks) into a
`Drawing`, which knows how to become text, SVG, PNG or DOT. It is the same drawing in each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import Bools, Floats, Int32s
from pokerlab.drawing.drawn_tree import DrawnNode, DrawnTree, Line
from pokerlab.drawing.png import to_png
from pokerlab.drawing.svg import to_svg
from pokerlab.drawing.text import to_dot, to_text
from pokerlab.files.atomic import write_bytes
from pokerlab.games.protocol import TERMINAL
from pokerlab.trees.views import View

Notes: TypeAlias = Mapping[str, Floats | Sequence[str]]
"""By name, a number (nan: nothing) or a text (empty: nothing) for each node of the view."""

DRAW_LIMIT: Final = 2000
"""How many nodes are drawn without complaint."""


@dataclass(frozen=True, eq=False)
class Mark:
    """Some nodes of a view that stand out, and the word for it in the legend."""

    name: str
    nodes: npt.ArrayLike


@dataclass(frozen=True)
class Drawing(DrawnTree):
    """A picture of a view, which becomes text, SVG, PNG or DOT."""

    def text(self) -> str:
        """The tree for a terminal."""
        return to_text(self)

    def svg(self) -> str:
        """The tree as an SVG document."""
        return to_svg(self)

    def png(self) -> bytes:
        """The tree as a PNG file; `ValueError` where matplotlib is not installed."""
        return to_png(self)

    def dot(self) -> str:
        """The tree for Graphviz."""
        return to_dot(self)

    def _repr_svg_(self) -> str:
        """A notebook shows the drawing by itself."""
        return self.svg()

    def render(self, ending: str) -> bytes:
        """The content of a file; its ending says which kind: .svg, .png, .dot or .txt."""
        writers: dict[str, Callable[[], str | bytes]] = {
            ".svg": self.svg,
            ".png": self.png,
            ".dot": self.dot,
            ".gv": self.dot,
            ".txt": self.text,
        }
        if ending.lower() not in writers:
            raise ValueError(f"unknown kind of picture {ending!r}: .svg, .png, .dot or .txt")
        content = writers[ending.lower()]()
        return content.encode() if isinstance(content, str) else content

    def save(self, path: str | Path) -> None:
        """Write a file of the kind that its ending says; all of it or nothing."""
        write_bytes(path, self.render(Path(path).suffix))


def draw(
    view: View,
    *,
    nodes: Notes | None = None,
    edges: Notes | None = None,
    highlight: Mark | None = None,
    faint: Mark | None = None,
    thick: Mark | None = None,
    path: str = "",
    depth: int | None = None,
    infosets: bool = False,
    payoffs: bool = True,
    title: str = "",
    limit: int = DRAW_LIMIT,
) -> Drawing:
    """Make a drawing of a view.

    Parameters
    ----------
    view
        What to draw.
    nodes, edges
        What to write at the nodes, and on the edges into them. Numbers are written with the
        name, texts without. Numbers called ``Δ…`` have a sign and a colour.
    highlight
        Nodes to draw in blue.
    faint
        Nodes to draw pale.
    thick
        Nodes into which the edge is thick.
    path
        Draw only the nodes that fit a pattern (see `paths`), and the way to them.
    depth
        Draw only nodes up to this number of moves from the root.
    infosets
        Write the names of information sets, and join their nodes.
    payoffs
        Write payoffs at terminal nodes, where all game nodes that they stand for have the same.
    title
        What stands above; by default the name of game and view.
    limit
        The most nodes to draw; `ValueError` beyond says how to draw fewer.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree, make_view
    >>> view = make_view(GameTree.build(load_game("kuhn")), "player:0")
    >>> print(draw(view, path="0d{J} 1d{} 0r …").text())
    kuhn, tree of player 0
    #0: chance; … 20 nodes
    └─ 0d{Js} → #1: chance
       └─ 1d{} → #2: player 0; … 5 nodes
          └─ 0r → #8: player 1
             ├─ 1f → #9: end; 1 −1
             └─ 1c → #10: end; −2 2
    """
    if depth is not None and depth < 0:
        raise ValueError(f"depth: {depth} must be a number of moves, 0 or more")
    depths = _depths(view)
    kept = _kept(view, path)
    if depth is not None:
        kept &= depths <= depth
    if kept.sum() > limit:
        raise ValueError(_too_many(view, kept, depths, limit))
    marks = [_mask(view, mark) for mark in (highlight, faint, thick)]
    numbers = np.flatnonzero(kept).tolist()
    place = {number: index for index, number in enumerate(numbers)}
    node_notes = _written_notes(view, nodes or {}, "nodes", with_name=True)
    edge_notes = _written_notes(view, edges or {}, "edges", with_name=False)
    won = _payoffs(view) if payoffs else [""] * len(view)
    names = view.tree.infosets.names
    drawn = []
    for number in numbers:
        lines = [Line(won[number])] if won[number] else []
        if infosets and view.infoset[number] >= 0 and names[view.infoset[number]]:
            lines.append(Line(names[view.infoset[number]], "quiet"))
        lines += node_notes[number]
        left_out = sum(int(view.end[one]) - one for one in view.children(number) if not kept[one])
        if left_out:
            lines.append(Line(f"… {left_out} node{'s' if left_out > 1 else ''}", "quiet"))
        drawn.append(
            DrawnNode(
                number=number,
                parent=place[int(view.parent[number])] if number else -1,
                depth=int(depths[number]),
                player=int(view.player[number]),
                move=view.edge(number),
                edge_notes=" ".join(line.text for line in edge_notes[number]),
                lines=tuple(lines),
                path=view.path(number),
                infoset=int(view.infoset[number]),
                highlighted=bool(marks[0][number]),
                faint=bool(marks[1][number]),
                thick=bool(marks[2][number]),
            )
        )
    return Drawing(
        title=title or str(view),
        nodes=tuple(drawn),
        highlight=highlight.name if highlight else "",
        faint=faint.name if faint else "",
        thick=thick.name if thick else "",
        linked=infosets,
    )


def number_text(value: float, digits: int = 4, *, signed: bool = False) -> str:
    """A number as drawings show it: without useless zeros, with a real minus sign.

    Examples
    --------
    >>> number_text(-1 / 18), number_text(2), number_text(0.05, signed=True), number_text(-1e-9)
    ('−0.0556', '2', '+0.05', '0')
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("0", "-0"):
        return "0"
    return text.replace("-", "−") if value < 0 or not signed else f"+{text}"


def _depths(view: View) -> Int32s:
    depths = np.zeros(len(view), np.int32)
    for node in range(1, len(view)):
        depths[node] = depths[view.parent[node]] + 1
    return depths


def _kept(view: View, path: str) -> Bools:
    """The nodes that fit a pattern and those on the way to them."""
    if not path.strip(" /"):
        return np.ones(len(view), np.bool_)
    kept = np.zeros(len(view), np.bool_)
    kept[view.find(path)] = True
    for node in range(len(view) - 1, 0, -1):
        if kept[node]:
            kept[view.parent[node]] = True
    return kept


def _mask(view: View, mark: Mark | None) -> Bools:
    """A mark as a truth value for each node: given so, or as a list of nodes."""
    mask = np.zeros(len(view), np.bool_)
    if mark is not None:
        nodes = np.asarray(mark.nodes)
        if nodes.dtype == np.bool_ and len(nodes) != len(view):
            raise _wrong_length("marks", mark.name, len(nodes), view)
        mask[nodes if nodes.size else []] = True
    return mask


def _written_notes(view: View, notes: Notes, what: str, *, with_name: bool) -> list[list[Line]]:
    lines: list[list[Line]] = [[] for _ in range(len(view))]
    for name, values in notes.items():
        if len(values) != len(view):
            raise _wrong_length(what, name, len(values), view)
        change = name.startswith("Δ")
        for node, value in enumerate(values):
            if isinstance(value, str):
                if value:
                    lines[node] += [Line(line) for line in value.split("\n")]
                continue
            if np.isnan(value):
                continue
            text = _change_text(value) if change else number_text(value, 4 if with_name else 3)
            tone = "plain" if not change or text == "0" else "good" if value > 0 else "bad"
            lines[node].append(Line(f"{name} {text}" if with_name else text, tone))
    return lines


def _change_text(value: float) -> str:
    """A difference, always with four digits, so that differences can be compared at a glance."""
    text = f"{value:+.4f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def _wrong_length(what: str, name: str, given: int, view: View) -> ValueError:
    return ValueError(f"{what} {name!r}: {given} values for the {len(view)} nodes of {view}")


def _payoffs(view: View) -> list[str]:
    """The payoffs at terminal nodes, where they do not depend on anything hidden."""
    tree = view.tree
    texts = [""] * len(view)
    if view.name == "chance":
        return texts
    shared: dict[int, tuple[float, ...] | None] = {}
    for row, node in enumerate(view.node_of[tree.terminals].tolist()):
        won = tuple(tree.payoffs[row].tolist())
        shared[node] = won if shared.get(node, won) == won else None
    for node, payoff in shared.items():
        if payoff is not None and view.player[node] == TERMINAL:
            texts[node] = " ".join(number_text(chips, 2) for chips in payoff)
    return texts


def _too_many(view: View, kept: Bools, depths: Int32s, limit: int) -> str:
    by_depth = np.cumsum(np.bincount(depths[kept]))
    deepest = int(np.searchsorted(by_depth, limit, side="right")) - 1
    message = f"{view}: {int(kept.sum()):,} nodes are too many to draw (more than {limit:,}); "
    ways = []
    if deepest >= 0:
        ways.append(f"a depth of {deepest} ({by_depth[deepest]:,} nodes)")
    small = np.flatnonzero(kept & (view.end - np.arange(len(view)) + depths <= limit))
    if len(small):
        ways.append(f"a path such as '{view.path(int(small[np.argmin(depths[small])]))} …'")
    return message + "limit them by " + " or ".join(ways or ["a smaller depth or path"])
