"""Extensive-form trees as flat arrays, built from any game; views of them; drawings of these.

>>> from pokerlab.games import load_game
>>> from pokerlab.trees.drawing import draw
>>> from pokerlab.trees import GameTree, make_view
>>> tree = GameTree.build(load_game("kuhn"))
>>> draw(make_view(tree, "player:1"), path="0d{} 1d{K} …").save("king.svg")  # doctest: +SKIP
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
