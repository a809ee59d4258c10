"""What a solver leaves behind, ready for look-up in play.

`open_book` makes a `Book` of a file that `pokerlab solve -o` wrote: of a solved game of the
catalogue, or of a solved spot of hold'em. A spot is a game of its own at a table (`SpotGame`):
hands come from its ranges, its board lies there, and the pot is in the middle. A `TableStrategy`
has a row of probabilities for each betting and group of cards of a limit game, and a
`LimitStrategy` is such a table in a file that `pokerlab train` wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.strategies.book import Book, GameBook, SpotBook, open_book
    from pokerlab.strategies.limit_file import LimitStrategy
    from pokerlab.strategies.spot_game import SpotGame, load_table_game
    from pokerlab.strategies.table_strategy import TableStrategy

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

__getattr__ = lazy_names(
    __name__,
    {
        "book": ["Book", "GameBook", "SpotBook", "open_book"],
        "limit_file": ["LimitStrategy"],
        "spot_game": ["SpotGame", "load_table_game"],
        "table_strategy": ["TableStrategy"],
    },
)
