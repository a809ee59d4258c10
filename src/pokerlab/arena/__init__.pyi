from .acpc.client import play_acpc
from .acpc.dealer import AcpcDealer, DealtMatch
from .acpc.match import TimeLimits
from .chosen_deals import MatchCards, parse_pockets, read_deals
from .deal_generator import DealGenerator
from .freeze_out import FreezeOut, FreezeOutResult, play_freeze_out, play_freeze_outs
from .hands import Fault, PlayedHand
from .logs.acpc_log import AcpcLogWriter, read_acpc_log, read_acpc_scores, write_acpc_log
from .logs.counting import HandCounts
from .logs.folder_counts import count_files
from .logs.hand_spot import HandSpot, spot_of_history
from .logs.histories import FoundHand, HandFilter, UnreadHand, history_files, read_hands
from .logs.history_hand import HandMove, HistoryHand, UnreadHandError
from .logs.phh_log import read_phh, write_phh
from .logs.replay import play_again, read_log, steps
from .logs.statistics import DrawRow, PlayStatistics, WinCurve, play_statistics, win_curve
from .matches import Match, play_match
from .responses.local_best_response import LocalBestResponse, LocalHand
from .responses.measuring import (
    LocalResponsePlan,
    LocalResponseResult,
    local_best_response,
    play_local_responses,
)
from .responses.sampled_strategy import sampled_strategy
from .results import MatchPlan, MatchResult, ResultsFile, significance
from .run_off import Cycle, bankroll_ranking, find_cycles, run_off_ranking
from .simulation.compiled_match import Simulation, SimulationResult, simulate
from .simulation.tables import as_table
from .starting_hands import StartingHandMatch, StartingHandValues, starting_hand_values
from .table import legal_answer, play_hand
from .tournaments import Score, Tournament, plan_tournament, play_matches, play_tournament
from .variance import ScoreEstimate, all_in_payoffs, corrected_payoffs, estimate

__all__ = [
    "AcpcDealer",
    "AcpcLogWriter",
    "Cycle",
    "DealGenerator",
    "DealtMatch",
    "DrawRow",
    "Fault",
    "FoundHand",
    "FreezeOut",
    "FreezeOutResult",
    "HandCounts",
    "HandFilter",
    "HandMove",
    "HandSpot",
    "HistoryHand",
    "LocalBestResponse",
    "LocalHand",
    "LocalResponsePlan",
    "LocalResponseResult",
    "Match",
    "MatchCards",
    "MatchPlan",
    "MatchResult",
    "PlayStatistics",
    "PlayedHand",
    "ResultsFile",
    "Score",
    "ScoreEstimate",
    "Simulation",
    "SimulationResult",
    "StartingHandMatch",
    "StartingHandValues",
    "TimeLimits",
    "Tournament",
    "UnreadHand",
    "UnreadHandError",
    "WinCurve",
    "all_in_payoffs",
    "as_table",
    "bankroll_ranking",
    "corrected_payoffs",
    "count_files",
    "estimate",
    "find_cycles",
    "history_files",
    "legal_answer",
    "local_best_response",
    "parse_pockets",
    "plan_tournament",
    "play_acpc",
    "play_again",
    "play_freeze_out",
    "play_freeze_outs",
    "play_hand",
    "play_local_responses",
    "play_match",
    "play_matches",
    "play_statistics",
    "play_tournament",
    "read_acpc_log",
    "read_acpc_scores",
    "read_deals",
    "read_hands",
    "read_log",
    "read_phh",
    "run_off_ranking",
    "sampled_strategy",
    "significance",
    "simulate",
    "spot_of_history",
    "starting_hand_values",
    "steps",
    "win_curve",
    "write_acpc_log",
    "write_phh",
]
