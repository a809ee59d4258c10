"""Spots: hold'em from a flop, turn or river on, asked, solved and answered.

A `Spot` is a board, two ranges, chips, and menus of bet sizes (see
`pokerlab.games.betting_trees.menus`). `solve_spot` solves it with the walkers of `pokerlab.engine`;
a `PostflopSolution` answers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
