"""Equilibrium on any `GameTree`: update rules, engines, best response, and the one loop.

- `solve` goes from a game to a `Solution` in one call.
- `CfrSolver` runs the rules of `rules` (CFR, CFR+, linear, DCFR, PCFR+, CGH, fictitious play) on
  the whole tree, `SamplingSolver` Monte Carlo CFR on parts of it; `run` iterates either, and
  the engines of other packages too. `solve_lp` is exact.
- `LocalRule` is a rule with any update of its own, a function that is compiled into the loop.
- `best_response`, `exploitability` and their like judge a strategy. They run over the nodes of
  the tree in float64 and share no code with the updates, which run over sequences.
- `obvious_moves`, `pure_equilibria`, `find_errors` and `exploitation` are for understanding a game.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
