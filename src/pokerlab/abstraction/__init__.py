"""Smaller games that stand for larger ones, and the way back: which size a bet stands for.

Cards that are alike form groups (`StreetGroups`), street by street. `Buckets` are groups by the
strength of hands (`make_buckets` makes them, `cached_buckets` keeps them); `abstract_game` is the
game in which chance moves between buckets, `JointGame` that in which they belong together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.abstraction.abstract_game import AbstractGame, abstract_game
    from pokerlab.abstraction.abstract_solver import AbstractSolver
    from pokerlab.abstraction.bet_translation import pseudo_harmonic
    from pokerlab.abstraction.bucket_making import cached_buckets, make_buckets, open_buckets
    from pokerlab.abstraction.buckets import Buckets, load_buckets
    from pokerlab.abstraction.card_groups import (
        StreetGroups,
        each_hand,
        one_group,
        starting_hand_classes,
    )
    from pokerlab.abstraction.joint_game import JointGame, cached_joint_game
    from pokerlab.abstraction.strength_tables import strength_tables
    from pokerlab.abstraction.transitions import showdown_matrix, transition_matrix

__all__ = [
    "AbstractGame",
    "AbstractSolver",
    "Buckets",
    "JointGame",
    "StreetGroups",
    "abstract_game",
    "cached_buckets",
    "cached_joint_game",
    "each_hand",
    "load_buckets",
    "make_buckets",
    "one_group",
    "open_buckets",
    "pseudo_harmonic",
    "showdown_matrix",
    "starting_hand_classes",
    "strength_tables",
    "transition_matrix",
]

__getattr__ = lazy_names(
    __name__,
    {
        "abstract_game": ["AbstractGame", "abstract_game"],
        "abstract_solver": ["AbstractSolver"],
        "bet_translation": ["pseudo_harmonic"],
        "bucket_making": ["cached_buckets", "make_buckets", "open_buckets"],
        "buckets": ["Buckets", "load_buckets"],
        "card_groups": [
            "StreetGroups",
            "each_hand",
            "one_group",
            "starting_hand_classes",
        ],
        "joint_game": ["JointGame", "cached_joint_game"],
        "strength_tables": ["strength_tables"],
        "transitions": ["showdown_matrix", "transition_matrix"],
    },
)
