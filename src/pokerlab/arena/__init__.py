"""Tables, duplicate matches, tournaments, simulation, ACPC protocol, logs, replay.

`play_match` seats bots at a table; every hand comes out as a `PlayedHand`, and logs, replay,
statistics and variance reduction all take those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.arena.acpc_client import play_acpc
    from pokerlab.arena.acpc_dealer import AcpcDealer, DealtMatch
    from pokerlab.arena.acpc_log import (
        AcpcLogWriter,
        read_acpc_log,
        read_acpc_scores,
        write_acpc_log,
    )
    from pokerlab.arena.acpc_match import TimeLimits
    from pokerlab.arena.deal_generator import DealGenerator
    from pokerlab.arena.freeze_out import (
        FreezeOut,
        FreezeOutResult,
        play_freeze_out,
        play_freeze_outs,
    )
    from pokerlab.arena.hands import Fault, PlayedHand
    from pokerlab.arena.matches import Match, play_match
    from pokerlab.arena.phh import read_phh, write_phh
    from pokerlab.arena.replay import play_again, read_log, steps
    from pokerlab.arena.results import MatchPlan, MatchResult, ResultsFile, significance
    from pokerlab.arena.run_off import bankroll_ranking, run_off_ranking
    from pokerlab.arena.simulation import Simulation, SimulationResult, simulate
    from pokerlab.arena.simulation_tables import as_table
    from pokerlab.arena.statistics import PlayStatistics, WinCurve, play_statistics, win_curve
    from pokerlab.arena.table import legal_answer, play_hand
    from pokerlab.arena.tournaments import (
        Score,
        Tournament,
        plan_tournament,
        play_matches,
        play_tournament,
    )
    from pokerlab.arena.variance import Estimate, all_in_payoffs, corrected_payoffs, estimate

__all__ = [
    "AcpcDealer",
    "AcpcLogWriter",
    "DealGenerator",
    "DealtMatch",
    "Estimate",
    "Fault",
    "FreezeOut",
    "FreezeOutResult",
    "Match",
    "MatchPlan",
    "MatchResult",
    "PlayStatistics",
    "PlayedHand",
    "ResultsFile",
    "Score",
    "Simulation",
    "SimulationResult",
    "TimeLimits",
    "Tournament",
    "WinCurve",
    "all_in_payoffs",
    "as_table",
    "bankroll_ranking",
    "corrected_payoffs",
    "estimate",
    "legal_answer",
    "plan_tournament",
    "play_acpc",
    "play_again",
    "play_freeze_out",
    "play_freeze_outs",
    "play_hand",
    "play_match",
    "play_matches",
    "play_statistics",
    "play_tournament",
    "read_acpc_log",
    "read_acpc_scores",
    "read_log",
    "read_phh",
    "run_off_ranking",
    "significance",
    "simulate",
    "steps",
    "win_curve",
    "write_acpc_log",
    "write_phh",
]

__getattr__ = lazy_names(
    __name__,
    {
        "acpc_client": ["play_acpc"],
        "acpc_dealer": ["AcpcDealer", "DealtMatch"],
        "acpc_log": ["AcpcLogWriter", "read_acpc_log", "read_acpc_scores", "write_acpc_log"],
        "acpc_match": ["TimeLimits"],
        "deal_generator": ["DealGenerator"],
        "freeze_out": ["FreezeOut", "FreezeOutResult", "play_freeze_out", "play_freeze_outs"],
        "hands": ["Fault", "PlayedHand"],
        "matches": ["Match", "play_match"],
        "phh": ["read_phh", "write_phh"],
        "replay": ["play_again", "read_log", "steps"],
        "results": ["MatchPlan", "MatchResult", "ResultsFile", "significance"],
        "run_off": ["bankroll_ranking", "run_off_ranking"],
        "simulation": ["Simulation", "SimulationResult", "simulate"],
        "simulation_tables": ["as_table"],
        "statistics": ["PlayStatistics", "WinCurve", "play_statistics", "win_curve"],
        "table": ["legal_answer", "play_hand"],
        "tournaments": [
            "Score",
            "Tournament",
            "plan_tournament",
            "play_matches",
            "play_tournament",
        ],
        "variance": ["Estimate", "all_in_payoffs", "corrected_payoffs", "estimate"],
    },
)
