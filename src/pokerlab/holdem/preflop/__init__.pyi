from .betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from .class_matchups import ClassTables, class_tables
from .flop_bets import FlopBets
from .flop_subtrees import FlopSubtrees
from .game import PreflopGame
from .prepared_flops import PreparedFlops
from .push_fold import PushFoldChart, push_fold_chart, solve_push_fold, solve_without_flop
from .ranges_text import ranges_toml
from .saved_solution import facts_of, load_preflop, save_preflop, solution_of, usual_menus
from .solution import PreflopSolution, PreflopView
from .solver import PreflopSolver
from .solving import EpsilonParts, SolvedWithFlops, SolveFacts, solve_preflop
from .subtree_memory import StorageChoice, fit_subtrees

__all__ = [
    "BIG_BLIND",
    "SMALL_BLIND",
    "ClassTables",
    "EpsilonParts",
    "FlopBets",
    "FlopSubtrees",
    "PreflopGame",
    "PreflopRules",
    "PreflopSolution",
    "PreflopSolver",
    "PreflopView",
    "PreparedFlops",
    "PushFoldChart",
    "SolveFacts",
    "SolvedWithFlops",
    "StorageChoice",
    "class_tables",
    "facts_of",
    "fit_subtrees",
    "load_preflop",
    "push_fold_chart",
    "ranges_toml",
    "save_preflop",
    "solution_of",
    "solve_preflop",
    "solve_push_fold",
    "solve_without_flop",
    "usual_menus",
]
