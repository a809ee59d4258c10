from .estimation import Estimate, estimate_strategy
from .limit_hands import LimitHands
from .limit_model import LimitModel, estimate_limit_model, load_limit_model
from .limit_response import LimitResponse, train_response
from .limit_summary import SpotSummary, summarise
from .line_model import LINE_MODEL_FORMAT, LineKey, LineModel, load_line_model
from .observations import Evidence, Observation, observe
from .other_groups import in_other_groups
from .player_hands import AnyModel, FinishedHand, PlayerHands
from .player_model import MODEL_FORMAT, PlayerModel, estimate_model, load_model, model_tree
from .spot_locks import LineLock, line_locks

__all__ = [
    "LINE_MODEL_FORMAT",
    "MODEL_FORMAT",
    "AnyModel",
    "Estimate",
    "Evidence",
    "FinishedHand",
    "LimitHands",
    "LimitModel",
    "LimitResponse",
    "LineKey",
    "LineLock",
    "LineModel",
    "Observation",
    "PlayerHands",
    "PlayerModel",
    "SpotSummary",
    "estimate_limit_model",
    "estimate_model",
    "estimate_strategy",
    "in_other_groups",
    "line_locks",
    "load_limit_model",
    "load_line_model",
    "load_model",
    "model_tree",
    "observe",
    "summarise",
    "train_response",
]
