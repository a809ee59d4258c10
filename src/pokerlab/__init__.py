"""pokerlab: solve poker games to equilibrium, build players, prove how good they are.

The house has floors, and imports only point to the left::

    cards → games → trees → solvers → postflop, abstraction → strategies → bots → arena
          → reports → web, cli

Everything a script needs is here: ``import pokerlab as pl``. A name is imported when it is
first used, so that ``import pokerlab`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.api import load, solve
    from pokerlab.cards import Equity, Range, equity, evaluate
    from pokerlab.games import game_names, load_game
    from pokerlab.postflop import PostflopSolution, Spot
    from pokerlab.solvers import Solution
    from pokerlab.trees import GameTree

__version__ = "0.1.0"

__all__ = [
    "Equity",
    "GameTree",
    "PostflopSolution",
    "Range",
    "Solution",
    "Spot",
    "__version__",
    "equity",
    "evaluate",
    "game_names",
    "load",
    "load_game",
    "solve",
]

__getattr__ = lazy_names(
    __name__,
    {
        "api": ["load", "solve"],
        "cards": ["Equity", "Range", "equity", "evaluate"],
        "games": ["game_names", "load_game"],
        "postflop": ["PostflopSolution", "Spot"],
        "solvers": ["Solution"],
        "trees": ["GameTree"],
    },
)
