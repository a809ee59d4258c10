from .street_groups import StreetGroups, each_hand, one_group, starting_hand_classes

__all__ = ["StreetGroups", "each_hand", "one_group", "starting_hand_classes"]
