from .as_dealt import all_in_payoffs
from .corrected import corrected_payoffs, hidden_players
from .estimates import ScoreEstimate, estimate
from .shares import showdown_shares

__all__ = [
    "ScoreEstimate",
    "all_in_payoffs",
    "corrected_payoffs",
    "estimate",
    "hidden_players",
    "showdown_shares",
]
