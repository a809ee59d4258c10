from .experts import Experts
from .limit_file import LimitStrategy
from .limit_view import GroupRow, LimitView, view_limit
from .look_up import GameLookUp, SpotLookUp, StrategyLookUp, open_strategy
from .spot_game import SpotGame
from .table_games import load_table_game
from .table_strategy import TableStrategy

__all__ = [
    "Experts",
    "GameLookUp",
    "GroupRow",
    "LimitStrategy",
    "LimitView",
    "SpotGame",
    "SpotLookUp",
    "StrategyLookUp",
    "TableStrategy",
    "load_table_game",
    "open_strategy",
    "view_limit",
]
