from .answer.curves import RangeCurve, range_curve
from .answer.node_view import Decision, NodeView
from .answer.solution import PostflopSolution, load_postflop
from .budget import MemoryChoice, fit_memory
from .coarse.menu_loss import MenuLoss, menu_losses
from .play.simulation import SpotSimulation, simulate_solution
from .play.solution_match import SolutionMatchResult, simulate_match
from .question.gadget import Gadget
from .question.spot import Spot
from .reports.breakdown import breakdown
from .reports.line_report import LineReport, ReportRow
from .reports.run_outs import report_run_outs
from .simple.rules import RuleSheet, find_rules
from .simple.simplify import Simplified, simplify
from .sizes.choosing import FoundSizes, find_sizes
from .sizes.unlisted import unlisted_losses
from .solver import PostflopSolver
from .solving import solve_spot
from .together import solve_each, solve_together

__all__ = [
    "Decision",
    "FoundSizes",
    "Gadget",
    "LineReport",
    "MemoryChoice",
    "MenuLoss",
    "NodeView",
    "PostflopSolution",
    "PostflopSolver",
    "RangeCurve",
    "ReportRow",
    "RuleSheet",
    "Simplified",
    "SolutionMatchResult",
    "Spot",
    "SpotSimulation",
    "breakdown",
    "find_rules",
    "find_sizes",
    "fit_memory",
    "load_postflop",
    "menu_losses",
    "range_curve",
    "report_run_outs",
    "simplify",
    "simulate_match",
    "simulate_solution",
    "solve_each",
    "solve_spot",
    "solve_together",
    "unlisted_losses",
]
