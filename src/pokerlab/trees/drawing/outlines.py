"""Drawings of the top of a tree that was never built."""

from __future__ import annotations

from pokerlab.trees.drawing.drawing import Drawing, number_text
from pokerlab.trees.drawing.drawn_tree import DrawnLine, DrawnNode
from pokerlab.trees.outline import Outline, OutlineNode

_READABLE = 10**12
"""Numbers of nodes beyond this are rounded."""


def draw_outline(outline: Outline, title: str = "") -> Drawing:
    """Make a drawing of an outline; nodes have their numbers in the drawing.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees import make_outline
    >>> top = make_outline(load_betting_game("holdem.limit.2p"), "action", 1)
    >>> print(draw_outline(top).text())
    holdem.limit.2p, action tree
    #0: player 1
    ├─ 1f → #1: end; 5 −5
    ├─ 1c → #2: player 0; … 9,474 nodes
    └─ 1r → #3: player 0; … 7,106 nodes
    """
    kind, _, seat = outline.name.partition(":")
    view = f"tree of player {seat}" if seat else f"{kind} tree"
    parents = {node.parent for node in outline.nodes}
    drawn = [
        DrawnNode(
            number=place,
            parent=node.parent,
            depth=node.depth,
            player=node.player,
            move=node.move,
            edge_notes="",
            lines=tuple(_lines(node, cut=place not in parents)),
            path=outline.path(place),
            infoset=-1,
            highlighted=False,
            faint=False,
            thick=False,
        )
        for place, node in enumerate(outline.nodes)
    ]
    return Drawing(title=title or f"{outline.game.name}, {view}", nodes=tuple(drawn))


def _lines(node: OutlineNode, *, cut: bool) -> list[DrawnLine]:
    """What stands at a node; `cut` is one of which no move is drawn."""
    lines = []
    if node.payoffs is not None:
        lines.append(DrawnLine(" ".join(number_text(chips, 2) for chips in node.payoffs)))
    if node.chance is not None:
        rounded = number_text(node.chance) if node.chance >= 0.01 else f"{node.chance:.3g}"
        lines.append(DrawnLine(f"p {rounded}"))
    if node.moves_left_out:
        lines.append(
            DrawnLine(f"… {_many(node.moves_left_out, 'move' if cut else 'other move')}", "quiet")
        )
    elif node.left_out:
        lines.append(DrawnLine(f"… {_many(node.left_out, 'node')}", "quiet"))
    return lines


def _many(count: int, what: str) -> str:
    number = f"{count:,}" if count < _READABLE else f"{count:.2e}"
    return f"{number} {what}{'' if count == 1 else 's'}"
