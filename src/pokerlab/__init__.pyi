from .api import (
    batch,
    best_response,
    exploitability,
    load,
    model,
    push_fold,
    respond,
    simplify,
    sizes,
    solve,
)
from .arena import play_match, play_tournament, simulate
from .cards import Equity, Range, equity, evaluate
from .games import game_names, load_game
from .games.prizes import PrizeShares, icm
from .holdem.spots import Gadget, PostflopSolution, Spot
from .players.bots import Bot, bot_names, make_bot
from .solvers import AnySolution, Solution, Strategy
from .trees import GameTree

__version__: str

__all__ = [
    "AnySolution",
    "Bot",
    "Equity",
    "Gadget",
    "GameTree",
    "PostflopSolution",
    "PrizeShares",
    "Range",
    "Solution",
    "Spot",
    "Strategy",
    "__version__",
    "batch",
    "best_response",
    "bot_names",
    "equity",
    "evaluate",
    "exploitability",
    "game_names",
    "icm",
    "load",
    "load_game",
    "make_bot",
    "model",
    "play_match",
    "play_tournament",
    "push_fold",
    "respond",
    "simplify",
    "simulate",
    "sizes",
    "solve",
]
