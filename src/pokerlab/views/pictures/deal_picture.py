"""A strategy along one deal: as a drawing (text, SVG, PNG, DOT), in words, and in a notebook."""

from __future__ import annotations

from html import escape

from pokerlab.cards.codes import format_cards
from pokerlab.games.betting_trees.lines import action_words
from pokerlab.players.strategies.deal_tree import DealNode, DealTree
from pokerlab.trees.drawing.drawing import Drawing, number_text
from pokerlab.trees.drawing.drawn_tree import DrawnLine, DrawnNode
from pokerlab.views.pictures.tables import block_html, percent_text

_OFTEN = 0.5
_SHOWN = 5e-4
"""A smaller share is shown as 0.0%."""


def deal_drawing(tree: DealTree) -> Drawing:
    """The tree as boxes and edges; edges that are at least 50% are thick.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> from pokerlab.players.strategies import make_deal_tree
    >>> print(deal_drawing(make_deal_tree(solve("kuhn", "lp"), "Ks Qs")).text())
    kuhn: player 0 K♠, player 1 Q♠; actions below 2% left out
    #0: player 0; pot 2
    └─ c 100.0% → #1: player 1; pot 2 [at least 50%]
       └─ c 100.0% → #2: showdown; player 0 +1, player 1 −1 [at least 50%]
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


def deal_title(tree: DealTree) -> str:
    """The hands, the board, and which actions are not there."""
    hands = ", ".join(
        f"{name} {format_cards(hole, symbols=True)}"
        for name, hole in zip(tree.seats, tree.deal.holes, strict=True)
    )
    board = format_cards(tree.deal.board, separator=" ", symbols=True)
    return f"{board or tree.game}: {hands}; actions below {_share(tree.least)} left out"


def move_words(tree: DealTree, node: DealNode) -> str:
    """The action into a node and the cards that come after it; empty at the beginning.

    Actions of a spot are words, those of other games the letters of their lines.
    """
    words = action_words(node.action) if node.action and tree.spot else node.action
    cards = format_cards(node.cards, separator=" ", symbols=True)
    return f"{words}, {cards}" if cards else words


def end_words(node: DealNode) -> str:
    """Why nobody acts at a node."""
    return {
        "card": "a card comes",
        "left out": "not in the file",
        "untrained": "training never came here",
    }.get(node.outcome, node.outcome)


def won_words(tree: DealTree, node: DealNode) -> str:
    """The chips of each player at an end; empty where they are not known."""
    if node.won is None:
        return ""
    signed = not tree.spot
    return ", ".join(
        f"{name} {number_text(chips, 2, signed=signed)}"
        for name, chips in zip(tree.seats, node.won, strict=True)
    )


def left_out_words(node: DealNode) -> str:
    """The actions of a node that are left out, as lines name them, with their probabilities.

    Those that would be shown as 0.0% are not named; empty if there are no others.
    """
    named = [
        f"{each.action} {percent_text(each.probability)}"
        for each in node.left_out
        if each.probability >= _SHOWN
    ]
    return f"… {', '.join(named)}" if named else ""


def _lines(tree: DealTree, node: DealNode) -> list[DrawnLine]:
    if node.player < 0:
        words = won_words(tree, node)
        return [DrawnLine(words)] if words else []
    lines = [DrawnLine(f"pot {number_text(node.pot, 2)}")]
    left_out = left_out_words(node)
    return [*lines, DrawnLine(left_out, "quiet")] if left_out else lines


def _share(share: float) -> str:
    return f"{100 * share:.4g}%"
