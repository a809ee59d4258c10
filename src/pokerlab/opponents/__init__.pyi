from .estimation import Estimate, estimate_strategy
from .line_model import LINE_MODEL_FORMAT, LineKey, LineModel, load_line_model
from .observations import Evidence, Observation, observe
from .player_model import MODEL_FORMAT, PlayerModel, estimate_model, load_model, model_tree
from .spot_locks import LineLock, line_locks

__all__ = [
    "LINE_MODEL_FORMAT",
    "MODEL_FORMAT",
    "Estimate",
    "Evidence",
    "LineKey",
    "LineLock",
    "LineModel",
    "Observation",
    "PlayerModel",
    "estimate_model",
    "estimate_strategy",
    "line_locks",
    "load_line_model",
    "load_model",
    "model_tree",
    "observe",
]
