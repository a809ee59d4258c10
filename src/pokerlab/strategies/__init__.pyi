from .limit_file import LimitStrategy
from .look_up import Book, GameBook, SpotBook, open_book
from .spot_game import SpotGame, load_table_game
from .table_strategy import TableStrategy

__all__ = [
    "Book",
    "GameBook",
    "LimitStrategy",
    "SpotBook",
    "SpotGame",
    "TableStrategy",
    "load_table_game",
    "open_book",
]
