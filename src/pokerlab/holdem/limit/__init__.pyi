from .bet_translation import pseudo_harmonic
from .bucket_games.exact_game import ExactBucketGame, cached_exact_game
from .bucket_games.independent_game import IndependentBucketGame, independent_bucket_game
from .bucket_games.solver import BucketSolver
from .bucket_games.transitions import showdown_matrix, transition_matrix
from .buckets.buckets import Buckets, load_buckets
from .buckets.caching import cached_buckets, open_buckets
from .buckets.making import make_buckets
from .strength.tables import strength_tables

__all__ = [
    "BucketSolver",
    "Buckets",
    "ExactBucketGame",
    "IndependentBucketGame",
    "cached_buckets",
    "cached_exact_game",
    "independent_bucket_game",
    "load_buckets",
    "make_buckets",
    "open_buckets",
    "pseudo_harmonic",
    "showdown_matrix",
    "strength_tables",
    "transition_matrix",
]
