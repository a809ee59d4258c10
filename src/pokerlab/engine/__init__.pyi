from .counts import TreeCounts, count_tree
from .game import PublicGame

__all__ = ["PublicGame", "TreeCounts", "count_tree"]
