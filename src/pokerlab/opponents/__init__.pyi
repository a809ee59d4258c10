from .estimation import Estimate, estimate_strategy
from .limit_hands import LimitHands
from .limit_model import LimitModel, estimate_limit_model, load_limit_model
from .limit_response import LimitResponse, train_response
from .observations import Evidence, Observation, observe
from .player_model import MODEL_FORMAT, PlayerModel, estimate_model, load_model, model_tree

__all__ = [
    "MODEL_FORMAT",
    "Estimate",
    "Evidence",
    "LimitHands",
    "LimitModel",
    "LimitResponse",
    "Observation",
    "PlayerModel",
    "estimate_limit_model",
    "estimate_model",
    "estimate_strategy",
    "load_limit_model",
    "load_model",
    "model_tree",
    "observe",
    "train_response",
]
