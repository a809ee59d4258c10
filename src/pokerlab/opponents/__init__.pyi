from .estimation import Estimate, estimate_strategy
from .observations import Evidence, Observation, observe
from .player_model import MODEL_FORMAT, PlayerModel, estimate_model, load_model, model_tree

__all__ = [
    "MODEL_FORMAT",
    "Estimate",
    "Evidence",
    "Observation",
    "PlayerModel",
    "estimate_model",
    "estimate_strategy",
    "load_model",
    "model_tree",
    "observe",
]
