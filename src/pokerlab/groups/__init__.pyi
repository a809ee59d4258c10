from .street_groups import (
    StreetGroups,
    card_groups,
    each_hand,
    group_look_up,
    one_group,
    starting_hand_classes,
)

__all__ = [
    "StreetGroups",
    "card_groups",
    "each_hand",
    "group_look_up",
    "one_group",
    "starting_hand_classes",
]
