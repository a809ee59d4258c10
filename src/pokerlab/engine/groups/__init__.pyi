from .hands.counting import GroupCounts, count_groups
from .hands.hand_grouping import HandGrouping
from .hands.labelling import count_hand_groups, label_hands
from .hands.listing import HandGroup, list_groups
from .street_groups import (
    StreetGroups,
    card_groups,
    each_hand,
    group_look_up,
    one_group,
    starting_hand_classes,
)

__all__ = [
    "GroupCounts",
    "HandGroup",
    "HandGrouping",
    "StreetGroups",
    "card_groups",
    "count_groups",
    "count_hand_groups",
    "each_hand",
    "group_look_up",
    "label_hands",
    "list_groups",
    "one_group",
    "starting_hand_classes",
]
