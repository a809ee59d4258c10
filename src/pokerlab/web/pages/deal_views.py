"""The lines of one deal as the pages draw them: the tree with its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.spots import PostflopSolution
from pokerlab.holdem.spots.play.dealing import deal_cards, deal_hands
from pokerlab.players.strategies import DealTree, make_deal_tree
from pokerlab.players.strategies.deal_tree import LargeDealTreeError
from pokerlab.views.pictures.deal_words import (
    end_words,
    left_out_words,
    move_words,
    won_words,
)
from pokerlab.views.pictures.tables import percent_text

MOST_NODES = 800
"""A page with more of them is slow, and nobody reads it."""


LEASTS = (0.02, 0.05, 0.1, 0.2)
"""Shares below which actions may be left out, the smallest first."""


def readable_tree(
    source: Any, deal: str, line: str, leasts: Sequence[float]
) -> tuple[DealTree, float]:
    """The tree with the first of some least shares that leaves few enough lines, and that share.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> readable_tree(solve("kuhn", "lp"), "Ks Qs", "", LEASTS)[1]
    0.02
    """
    for place, least in enumerate(leasts):
        try:
            return make_deal_tree(source, deal, line, least=least, limit=MOST_NODES), least
        except LargeDealTreeError:
            if place == len(leasts) - 1:
                raise
    raise ValueError("least: no share is given")


def deal_tree_data(tree: DealTree) -> dict[str, Any]:
    """The tree as JSON, with what a page writes at each node.

    Examples
    --------
    >>> from pokerlab.players.strategies import make_deal_tree
    >>> from pokerlab.solvers import solve
    >>> data = deal_tree_data(make_deal_tree(solve("kuhn", "lp"), "Ks Qs"))
    >>> data["deal"], [node["words"] for node in data["nodes"]]
    ('Ks Qs', ['', 'check', 'check'])
    """
    data = tree.payload()
    for node, drawn in zip(tree.nodes, data["nodes"], strict=True):
        drawn["words"] = move_words(tree, node)
        drawn["share"] = percent_text(node.probability)
        drawn["reached"] = percent_text(node.reach)
        drawn["end"] = end_words(node)
        drawn["result"] = won_words(tree, node)
        drawn["seldom"] = left_out_words(node)
    come = [format_cards([card]) for card in tree.deal.board]
    return data | {"deal": " ".join([*data["hands"], *come])}


def deal_at_random(solution: PostflopSolution, line: str, seed: int) -> str:
    """A deal that arrives at a line: hands as likely as they get there, and the cards after it.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> deal_at_random(solve_spot(spot, iterations=20), "a", 0).split()[0][0]
    '7'
    """
    place = solution.spot.find(line)
    decides = place.kind == EdgeKind.NODE
    weights = solution.decision(line).weights if decides else solution.weights_after(place)
    known = (*solution.spot.board, *place.cards)
    rng = np.random.default_rng(seed)
    hands = deal_hands(weights, 1, rng)
    board = deal_cards(hands, known, rng)[0].tolist()
    texts = [format_cards(cards) for cards in COMBO_CARDS[hands[0]].tolist()]
    come = [format_cards([card]) for card in board[len(solution.spot.board) :]]
    return " ".join([*texts, *come])
