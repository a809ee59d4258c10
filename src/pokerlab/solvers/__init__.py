"""Equilibrium on any `GameTree`: update rules, engines, best response, and the one loop.

- `solve` goes from a game to a `Solution` in one call.
- `CfrSolver` runs the rules of `rules` (CFR, CFR+, linear, DCFR, PCFR+, CGH, fictitious play) on
  the whole tree, `SamplingSolver` Monte Carlo CFR on parts of it; `run` iterates either, and
  the engines of other packages too. `solve_lp` is exact.
- `best_response`, `exploitability` and their like judge a strategy. They run over the nodes of
  the tree in float64 and share no code with the updates, which run over sequences.
- `obvious_moves`, `pure_equilibria`, `find_errors` and `exploitation` are for understanding a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.solvers.cfr import CfrSolver
    from pokerlab.solvers.dominance import Cluster, Elimination, ObviousMoves, obvious_moves
    from pokerlab.solvers.errors import PlayError, find_errors
    from pokerlab.solvers.evaluation import (
        BestResponse,
        best_response,
        counterfactual_values,
        exploitability,
        nash_conv,
        node_values,
        reach,
        values,
    )
    from pokerlab.solvers.exploitation_study import Exploitation, exploitation
    from pokerlab.solvers.loop import Point, Progress, Run, Solver, run
    from pokerlab.solvers.normal_form import pure_equilibria
    from pokerlab.solvers.rules import RULES, Returned, Rule, Step, parse_rule
    from pokerlab.solvers.sampling import SAMPLING_KINDS, SamplingSolver
    from pokerlab.solvers.sequence_form import Equilibrium, solve_lp
    from pokerlab.solvers.solution import (
        SOLUTION_FORMAT,
        Solution,
        as_tree,
        game_of,
        load_solution,
        make_solver,
        solve,
        tree_of,
    )
    from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities

__all__ = [
    "RULES",
    "SAMPLING_KINDS",
    "SOLUTION_FORMAT",
    "BestResponse",
    "CfrSolver",
    "Cluster",
    "Elimination",
    "Equilibrium",
    "Exploitation",
    "ObviousMoves",
    "PlayError",
    "Point",
    "Progress",
    "Returned",
    "Rule",
    "Run",
    "SamplingSolver",
    "Solution",
    "Solver",
    "Step",
    "Strategy",
    "StrategyLike",
    "as_tree",
    "best_response",
    "counterfactual_values",
    "exploitability",
    "exploitation",
    "find_errors",
    "game_of",
    "load_solution",
    "make_solver",
    "nash_conv",
    "node_values",
    "obvious_moves",
    "parse_rule",
    "probabilities",
    "pure_equilibria",
    "reach",
    "run",
    "solve",
    "solve_lp",
    "tree_of",
    "values",
]

__getattr__ = lazy_names(
    __name__,
    {
        "evaluation": [
            "BestResponse",
            "best_response",
            "counterfactual_values",
            "exploitability",
            "nash_conv",
            "node_values",
            "reach",
            "values",
        ],
        "cfr": ["CfrSolver"],
        "dominance": ["Cluster", "Elimination", "ObviousMoves", "obvious_moves"],
        "errors": ["PlayError", "find_errors"],
        "exploitation_study": ["Exploitation", "exploitation"],
        "loop": ["Point", "Progress", "Run", "Solver", "run"],
        "normal_form": ["pure_equilibria"],
        "rules": ["RULES", "Returned", "Rule", "Step", "parse_rule"],
        "sampling": ["SAMPLING_KINDS", "SamplingSolver"],
        "sequence_form": ["Equilibrium", "solve_lp"],
        "solution": [
            "SOLUTION_FORMAT",
            "Solution",
            "as_tree",
            "game_of",
            "load_solution",
            "make_solver",
            "solve",
            "tree_of",
        ],
        "strategy": ["Strategy", "StrategyLike", "probabilities"],
    },
)
