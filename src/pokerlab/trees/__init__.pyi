from .chance_tree import Showdowns, showdowns
from .clusters import Influence, influence
from .game_sizes import CountedSize, count_size
from .game_tree import GameTree
from .infosets import Infosets
from .outline import Outline, make_outline
from .views import View, make_view, view_names

__all__ = [
    "CountedSize",
    "GameTree",
    "Influence",
    "Infosets",
    "Outline",
    "Showdowns",
    "View",
    "count_size",
    "influence",
    "make_outline",
    "make_view",
    "showdowns",
    "view_names",
]
