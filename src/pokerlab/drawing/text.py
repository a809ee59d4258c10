"""Drawings in a terminal: one line a node, joined by box-drawing characters."""

from __future__ import annotations

from pokerlab.drawing.drawn_tree import DrawnNode, DrawnTree


def to_text(drawing: DrawnTree) -> str:
    """Write a drawing as an indented tree.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.drawing import draw
    >>> from pokerlab.trees import GameTree, make_view
    >>> print(to_text(draw(make_view(GameTree.build(load_game("kuhn")), "observer"), depth=3)))
    kuhn, observer tree
    #0: chance
    └─ 0d{} → #1: chance
       └─ 1d{} → #2: player 0
          ├─ 0c → #3: player 1; … 4 nodes
          └─ 0r → #8: player 1; … 2 nodes
    """
    last_child = {node.parent: place for place, node in enumerate(drawing.nodes)}
    margins: list[str] = []  # what stands before the children of each node
    rows = [drawing.title]
    for place, node in enumerate(drawing.nodes):
        if node.parent < 0:
            margins.append("")
            rows.append(_node_text(drawing, node))
            continue
        margin = margins[node.parent]
        last = last_child[node.parent] == place
        margins.append(margin + ("   " if last else "│  "))
        edge = f"{node.move} {node.edge_notes}".rstrip()
        branch = "└─" if last else "├─"
        rows.append(f"{margin}{branch} {edge} → {_node_text(drawing, node)}")
    return "\n".join(rows)


def _node_text(drawing: DrawnTree, node: DrawnNode) -> str:
    parts = [f"#{node.number}: {node.who}", *(line.text.strip() for line in node.lines)]
    marks = [
        name
        for name, marked in (
            (drawing.highlight, node.highlighted),
            (drawing.thick, node.thick),
            (drawing.faint, node.faint),
        )
        if marked
    ]
    return "; ".join(parts) + (f" [{', '.join(marks)}]" if marks else "")
