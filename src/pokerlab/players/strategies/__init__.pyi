from .deal_tree import DealNode, DealTree, make_deal_tree
from .experts import Experts
from .limit_file import LimitStrategy
from .limit_view import GroupRow, LimitView, view_limit
from .look_up import GameLookUp, SpotLookUp, StrategyLookUp, open_strategy
from .spot_game import SpotGame
from .table_games import load_table_game
from .table_strategy import TableStrategy

__all__ = [
    "DealNode",
    "DealTree",
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
    "make_deal_tree",
    "open_strategy",
    "view_limit",
]
