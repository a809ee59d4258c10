from .counting import GroupCounts, count_groups
from .finding import count_hand_groups, find_groups
from .hand_grouping import HandGrouping
from .listing import HandGroup, list_groups

__all__ = [
    "GroupCounts",
    "HandGroup",
    "HandGrouping",
    "count_groups",
    "count_hand_groups",
    "find_groups",
    "list_groups",
]
