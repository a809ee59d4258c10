from .analysis.dominance import Cluster, Elimination, ObviousMoves, obvious_moves
from .analysis.exploitation_study import Exploitation, exploitation
from .analysis.mistakes import PlayError, find_errors
from .analysis.teams import (
    TeamGame,
    TeamResponse,
    coordinated_response,
    coordinated_value,
    shared_cards_value,
    team_response,
)
from .any_solution import AnyDecision, AnySolution
from .both_seats import BothSeats
from .cfr.solver import CfrSolver
from .counter_strategies import Response, frontier, judge, respond
from .evaluation.restricted_player import RestrictedPlayer
from .evaluation.restriction import Restriction, confidence
from .evaluation.tree_values import (
    BestResponse,
    PocketValue,
    best_response,
    counterfactual_values,
    exploitability,
    nash_conv,
    node_values,
    pocket_values,
    reach,
    values,
)
from .exact.normal_form import pure_equilibria
from .exact.sequence_form import Equilibrium, played_moves, solve_lp
from .history import History, Point
from .local_rule import LocalRule
from .loop import Progress, Run, Solver, StopSignal, run
from .resolving.resolving import Resolved, resolve
from .resolving.subgames import Subgame, subgames_at, subgames_from
from .rules import RULES, PassedUpValue, Rule, Step, parse_rule
from .safe_exploitation import SafetyBudget, move_costs, safe_response
from .sampling.solver import SAMPLING_KINDS, SamplingSolver
from .side_by_side import RacePoint, run_side_by_side
from .solution import (
    SOLUTION_FORMAT,
    InfosetDecision,
    Solution,
    as_tree,
    game_of,
    load_solution,
    make_solver,
    solve,
    tree_of,
)
from .strategy import Strategy, StrategyLike, probabilities

__all__ = [
    "RULES",
    "SAMPLING_KINDS",
    "SOLUTION_FORMAT",
    "AnyDecision",
    "AnySolution",
    "BestResponse",
    "BothSeats",
    "CfrSolver",
    "Cluster",
    "Elimination",
    "Equilibrium",
    "Exploitation",
    "History",
    "InfosetDecision",
    "LocalRule",
    "ObviousMoves",
    "PassedUpValue",
    "PlayError",
    "PocketValue",
    "Point",
    "Progress",
    "RacePoint",
    "Resolved",
    "Response",
    "RestrictedPlayer",
    "Restriction",
    "Rule",
    "Run",
    "SafetyBudget",
    "SamplingSolver",
    "Solution",
    "Solver",
    "Step",
    "StopSignal",
    "Strategy",
    "StrategyLike",
    "Subgame",
    "TeamGame",
    "TeamResponse",
    "as_tree",
    "best_response",
    "confidence",
    "coordinated_response",
    "coordinated_value",
    "counterfactual_values",
    "exploitability",
    "exploitation",
    "find_errors",
    "frontier",
    "game_of",
    "judge",
    "load_solution",
    "make_solver",
    "move_costs",
    "nash_conv",
    "node_values",
    "obvious_moves",
    "parse_rule",
    "played_moves",
    "pocket_values",
    "probabilities",
    "pure_equilibria",
    "reach",
    "resolve",
    "respond",
    "run",
    "run_side_by_side",
    "safe_response",
    "shared_cards_value",
    "solve",
    "solve_lp",
    "subgames_at",
    "subgames_from",
    "team_response",
    "tree_of",
    "values",
]
