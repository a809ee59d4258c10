"""Drawings as text: a tree of box-drawing characters for a terminal, and DOT for Graphviz."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from pokerlab.trees.drawing.drawn_tree import DrawnNode, DrawnTree
from pokerlab.trees.drawing.scene import FAINT, HIGHLIGHT, fill_of


def to_text(drawing: DrawnTree) -> str:
    """Write a drawing as an indented tree: one line a node.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees.drawing import draw
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


def to_dot(drawing: DrawnTree) -> str:
    """Write a drawing in the DOT language, for ``dot -Tpdf tree.dot``.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees.drawing import draw
    >>> from pokerlab.trees import GameTree, make_view
    >>> print(to_dot(draw(make_view(GameTree.build(load_game("rps")), "observer"))))
    digraph "rps, observer tree" {
      rankdir=LR; label="rps, observer tree"; labelloc=t; fontname=monospace;
      node [shape=box, style="rounded,filled", fontname=monospace, color="#555555"];
      edge [fontname=monospace, color="#555555"];
      n0 [label="0", fillcolor="#f9c6d4"];
      n1 [label="1", fillcolor="#bfe3d0"];
      n2 [label="2", fillcolor="#ffffff"];
      n0 -> n1 [label="0{}"];
      n1 -> n2 [label="1{}"];
    }
    """
    title = _quoted(drawing.title)
    rows = [
        f"digraph {title} {{",
        f"  rankdir=LR; label={title}; labelloc=t; fontname=monospace;",
        '  node [shape=box, style="rounded,filled", fontname=monospace, color="#555555"];',
        '  edge [fontname=monospace, color="#555555"];',
    ]
    rows += [f"  n{node.number} [{_node_style(node)}];" for node in drawing.nodes]
    rows += [
        f"  n{drawing.nodes[node.parent].number} -> n{node.number} [{_edge_style(node)}];"
        for node in drawing.nodes
        if node.parent >= 0
    ]
    if drawing.linked:
        members: dict[int, list[int]] = defaultdict(list)
        for node in drawing.nodes:
            if node.infoset >= 0:
                members[node.infoset].append(node.number)
        rows += [
            f"  n{one} -> n{other} [style=dashed, dir=none, constraint=false];"
            for numbers in members.values()
            for one, other in pairwise(numbers)
        ]
    return "\n".join([*rows, "}"])


def _node_style(node: DrawnNode) -> str:
    label = "\n".join([str(node.number), *(line.text for line in node.lines)])
    style = f'label={_quoted(label)}, fillcolor="{fill_of(node)}"'
    if node.highlighted:
        style += f', color="{HIGHLIGHT}", penwidth=3'
    if node.faint:
        style += f', color="{FAINT}", fontcolor="{FAINT}"'
    return style


def _edge_style(node: DrawnNode) -> str:
    style = f"label={_quoted(f'{node.move} {node.edge_notes}'.rstrip())}"
    if node.highlighted:
        style += f', color="{HIGHLIGHT}"'
    if node.faint:
        style += f', color="{FAINT}", fontcolor="{FAINT}"'
    if node.thick:
        style += ", penwidth=3"
    return style


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
