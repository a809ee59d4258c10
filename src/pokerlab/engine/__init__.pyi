from .counts import TreeCounts, count_tree

__all__ = ["TreeCounts", "count_tree"]
