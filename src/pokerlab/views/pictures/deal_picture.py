"""A strategy along one deal: as a drawing (text, SVG, PNG, DOT), and in a notebook."""

from __future__ import annotations

from html import escape

from pokerlab.players.strategies.deal_tree import DealNode, DealTree
from pokerlab.trees.drawing.drawing import Drawing, number_text
from pokerlab.trees.drawing.drawn_tree import DrawnLine, DrawnNode
from pokerlab.views.pictures.deal_words import (
    deal_title,
    end_words,
    left_out_words,
    move_words,
    won_words,
)
from pokerlab.views.pictures.tables import block_html, percent_text

_OFTEN = 0.5


def deal_drawing(tree: DealTree) -> Drawing:
    """The tree as boxes and edges; edges that are at least 50% are thick.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> from pokerlab.players.strategies import make_deal_tree
    >>> print(deal_drawing(make_deal_tree(solve("kuhn", "lp"), "Ks Qs")).text())
    kuhn: player 0 K♠, player 1 Q♠; actions below 2% left out
    #0: player 0; pot 2
    └─ check 100.0% → #1: player 1; pot 2 [at least 50%]
       └─ check 100.0% → #2: showdown; player 0 +1, player 1 −1 [at least 50%]
    """
    drawn = [
        DrawnNode(
            number=place,
            parent=node.parent,
            depth=node.depth,
            player=node.player,
            move=move_words(tree, node),
            edge_notes=percent_text(node.probability) if node.depth else "",
            lines=tuple(_lines(tree, node)),
            path=node.line,
            infoset=-1,
            highlighted=False,
            faint=False,
            thick=node.depth > 0 and node.probability >= _OFTEN,
            name=tree.seats[node.player] if node.player >= 0 else end_words(node),
        )
        for place, node in enumerate(tree.nodes)
    ]
    thick = "at least 50%"
    return Drawing(title=deal_title(tree), nodes=tuple(drawn), thick=thick)


def deal_html(tree: DealTree) -> str:
    """The drawing with a title, for a notebook."""
    return block_html(escape(deal_title(tree)), deal_drawing(tree).svg())


def _lines(tree: DealTree, node: DealNode) -> list[DrawnLine]:
    if node.player < 0:
        words = won_words(tree, node)
        return [DrawnLine(words)] if words else []
    lines = [DrawnLine(f"pot {number_text(node.pot, 2)}")]
    left_out = left_out_words(node)
    return [*lines, DrawnLine(left_out, "quiet")] if left_out else lines
