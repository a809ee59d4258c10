from .api import load, solve
from .cards import Equity, Range, equity, evaluate
from .games import game_names, load_game
from .postflop import PostflopSolution, Spot
from .solvers import Solution
from .trees import GameTree

__version__: str

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
