from .bucket_games.exact_game import ExactBucketGame, cached_exact_game
from .bucket_games.independent_game import IndependentBucketGame, independent_bucket_game
from .bucket_games.solver import BucketSolver
from .bucket_games.transitions import showdown_matrix, transition_matrix
from .buckets.buckets import Buckets, load_buckets
from .buckets.caching import cached_buckets, open_buckets
from .buckets.making import make_buckets
from .buckets.street_buckets import (
    StreetBuckets,
    bucket_look_up,
    card_buckets,
    each_hand,
    one_bucket,
    starting_hand_classes,
)
from .strength.tables import strength_tables

__all__ = [
    "BucketSolver",
    "Buckets",
    "ExactBucketGame",
    "IndependentBucketGame",
    "StreetBuckets",
    "bucket_look_up",
    "cached_buckets",
    "cached_exact_game",
    "card_buckets",
    "each_hand",
    "independent_bucket_game",
    "load_buckets",
    "make_buckets",
    "one_bucket",
    "open_buckets",
    "showdown_matrix",
    "starting_hand_classes",
    "strength_tables",
    "transition_matrix",
]
