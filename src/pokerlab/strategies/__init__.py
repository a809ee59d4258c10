"""What a solver leaves behind, ready for look-up in play.

`open_book` makes a `Book` of a file that `pokerlab solve -o` wrote: of a solved game of the
catalogue, or of a solved spot of hold'em. A spot is a game of its own at a table (`SpotGame`):
hands come from its ranges, its board lies there, and the pot is in the middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.strategies.book import Book, GameBook, SpotBook, open_book
    from pokerlab.strategies.spot_game import SpotGame, load_table_game

__all__ = ["Book", "GameBook", "SpotBook", "SpotGame", "load_table_game", "open_book"]

__getattr__ = lazy_names(
    __name__,
    {
        "book": ["Book", "GameBook", "SpotBook", "open_book"],
        "spot_game": ["SpotGame", "load_table_game"],
    },
)
