"""A strategy along one deal in words: for drawings, the terminal and the pages."""

from __future__ import annotations

from pokerlab.cards.codes import format_cards
from pokerlab.games.betting_trees.lines import action_words
from pokerlab.players.strategies.deal_tree import DealNode, DealTree
from pokerlab.trees.drawing.drawing import number_text
from pokerlab.views.pictures.tables import percent_text

_SHOWN = 5e-4
"""A smaller share is shown as 0.0%."""


def deal_title(tree: DealTree) -> str:
    """The hands, the board, and which actions are not there."""
    hands = ", ".join(
        f"{name} {format_cards(hole, symbols=True)}"
        for name, hole in zip(tree.seats, tree.deal.holes, strict=True)
    )
    board = format_cards(tree.deal.board, separator=" ", symbols=True)
    return f"{board or tree.game}: {hands}; actions below {_share(tree.least)} left out"


def move_words(tree: DealTree, node: DealNode) -> str:
    """The action into a node and the cards that come after it; empty at the beginning."""
    words = _action(tree, node) if node.action else ""
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


def _action(tree: DealTree, node: DealNode) -> str:
    """An action in words; where nobody may fold, a call is a check and a raise a bet."""
    if tree.spot:
        return action_words(node.action)
    free = "f" not in tree.nodes[node.parent].actions
    kind, size = node.action[:1], node.action[1:]
    if kind not in "fcr" or (size and not size.isdecimal()):
        return node.action
    word = {"f": "fold", "c": "check" if free else "call", "r": "bet" if free else "raise"}[kind]
    return f"{word} to {size}" if size else word


def _share(share: float) -> str:
    return f"{100 * share:.4g}%"
