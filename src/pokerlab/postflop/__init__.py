"""The hold'em public-tree engine: spot, bet sizes, betting tree, tables, kernels, solution.

A `Spot` is a question: a board, two ranges, chips, and menus of bet sizes (`bet_menus` defines
them). Its betting tree (`betting_tree`) holds every line that the menus allow, one set of small
arrays a street; `count_tree` tells beforehand how large the game is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.postflop.bet_menus import Menus
    from pokerlab.postflop.betting_tree import BettingTree, EdgeKind, Place, StreetTree
    from pokerlab.postflop.counts import TreeCounts, count_tree
    from pokerlab.postflop.engine import PostflopSolver
    from pokerlab.postflop.lines import Action, ActionKind, Line
    from pokerlab.postflop.node_view import NodeView
    from pokerlab.postflop.solution import PostflopSolution, load_postflop
    from pokerlab.postflop.solving import solve_spot
    from pokerlab.postflop.spot import Spot

__all__ = [
    "Action",
    "ActionKind",
    "BettingTree",
    "EdgeKind",
    "Line",
    "Menus",
    "NodeView",
    "Place",
    "PostflopSolution",
    "PostflopSolver",
    "Spot",
    "StreetTree",
    "TreeCounts",
    "count_tree",
    "load_postflop",
    "solve_spot",
]

__getattr__ = lazy_names(
    __name__,
    {
        "bet_menus": ["Menus"],
        "betting_tree": ["BettingTree", "EdgeKind", "Place", "StreetTree"],
        "counts": ["TreeCounts", "count_tree"],
        "engine": ["PostflopSolver"],
        "lines": ["Action", "ActionKind", "Line"],
        "node_view": ["NodeView"],
        "solution": ["PostflopSolution", "load_postflop"],
        "solving": ["solve_spot"],
        "spot": ["Spot"],
    },
)
