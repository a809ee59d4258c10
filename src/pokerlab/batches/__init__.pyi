from .folder import Batch, is_batch, load_batch
from .plan import BatchPlan, plan_batch
from .question import BatchQuestion, parse_boards, read_question
from .rows import BoardRow
from .solving import BatchRun, run_batch

__all__ = [
    "Batch",
    "BatchPlan",
    "BatchQuestion",
    "BatchRun",
    "BoardRow",
    "is_batch",
    "load_batch",
    "parse_boards",
    "plan_batch",
    "read_question",
    "run_batch",
]
