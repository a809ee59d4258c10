from .betting_tree import BettingTree, EdgeKind, Place, StreetTree
from .lines import Action, ActionKind, Line
from .menus import Menus

__all__ = [
    "Action",
    "ActionKind",
    "BettingTree",
    "EdgeKind",
    "Line",
    "Menus",
    "Place",
    "StreetTree",
]
