"""Extensive-form trees as flat arrays, built from any game; views of them; drawings of these.

>>> from pokerlab.games import load_game
>>> from pokerlab.trees import GameTree, draw, make_view
>>> tree = GameTree.build(load_game("kuhn"))
>>> draw(make_view(tree, "player:1"), path="0d{} 1d{K} …").save("king.svg")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.trees.chance_tree import Showdowns, showdowns
    from pokerlab.trees.clusters import Influence, influence
    from pokerlab.trees.drawing import Drawing, Mark, draw
    from pokerlab.trees.game_tree import GameTree
    from pokerlab.trees.infosets import Infosets
    from pokerlab.trees.views import View, make_view, view_names

__all__ = [
    "Drawing",
    "GameTree",
    "Influence",
    "Infosets",
    "Mark",
    "Showdowns",
    "View",
    "draw",
    "influence",
    "make_view",
    "showdowns",
    "view_names",
]

__getattr__ = lazy_names(
    __name__,
    {
        "game_tree": ["GameTree"],
        "infosets": ["Infosets"],
        "views": ["View", "make_view", "view_names"],
        "chance_tree": ["Showdowns", "showdowns"],
        "clusters": ["Influence", "influence"],
        "drawing": ["Drawing", "Mark", "draw"],
    },
)
