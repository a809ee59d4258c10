"""Drawings for Graphviz: ``dot -Tpdf tree.dot``."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from pokerlab.drawing.drawn_tree import DrawnNode, DrawnTree
from pokerlab.drawing.scene import FAINT, HIGHLIGHT, fill_of


def to_dot(drawing: DrawnTree) -> str:
    """Write a drawing in the DOT language.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.drawing import draw
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
