"""The hold'em public-tree engine: spot, bet sizes, betting tree, tables, kernels, solution.

A `Spot` is the input: a board, two ranges, chips, and menus of bet sizes (defined in
`question.menus`). Its betting tree (`tree.betting_tree`) holds every line that the menus allow, one
set of small arrays a street; `count_tree` tells beforehand how large the game is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
