from .hand_tables import HandTables
from .next_hand import solve_ahead
from .rules import PushFoldRules
from .solving import PushFoldSolution, solve_push_fold_table

__all__ = [
    "HandTables",
    "PushFoldRules",
    "PushFoldSolution",
    "solve_ahead",
    "solve_push_fold_table",
]
