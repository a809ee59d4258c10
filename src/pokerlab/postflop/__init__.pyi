from .answer.breakdown import breakdown
from .answer.curves import RangeCurve, range_curve
from .answer.line_report import LineReport, ReportRow
from .answer.node_view import Decision, NodeView
from .answer.run_outs import report_run_outs
from .answer.simulation import Simulation, simulate_solution
from .answer.solution import PostflopSolution, load_postflop
from .answer.solution_match import SolutionMatchResult, simulate_match
from .budget import MemoryChoice, fit_memory
from .engine import PostflopSolver
from .question.lines import Action, ActionKind, Line
from .question.menus import Menus
from .question.spot import Spot
from .solving import solve_spot
from .together import solve_each, solve_together
from .tree.betting_tree import BettingTree, EdgeKind, Place, StreetTree
from .tree.counts import TreeCounts, count_tree

__all__ = [
    "Action",
    "ActionKind",
    "BettingTree",
    "Decision",
    "EdgeKind",
    "Line",
    "LineReport",
    "MemoryChoice",
    "Menus",
    "NodeView",
    "Place",
    "PostflopSolution",
    "PostflopSolver",
    "RangeCurve",
    "ReportRow",
    "Simulation",
    "SolutionMatchResult",
    "Spot",
    "StreetTree",
    "TreeCounts",
    "breakdown",
    "count_tree",
    "fit_memory",
    "load_postflop",
    "range_curve",
    "report_run_outs",
    "simulate_match",
    "simulate_solution",
    "solve_each",
    "solve_spot",
    "solve_together",
]
