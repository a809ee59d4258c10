from .bet_translation import pseudo_harmonic
from .bucket_games.exact_game import JointGame, cached_joint_game
from .bucket_games.independent_game import AbstractGame, abstract_game
from .bucket_games.solver import AbstractSolver
from .bucket_games.transitions import showdown_matrix, transition_matrix
from .buckets.buckets import Buckets, load_buckets
from .buckets.making import cached_buckets, make_buckets, open_buckets
from .strength.tables import strength_tables

__all__ = [
    "AbstractGame",
    "AbstractSolver",
    "Buckets",
    "JointGame",
    "abstract_game",
    "cached_buckets",
    "cached_joint_game",
    "load_buckets",
    "make_buckets",
    "open_buckets",
    "pseudo_harmonic",
    "showdown_matrix",
    "strength_tables",
    "transition_matrix",
]
