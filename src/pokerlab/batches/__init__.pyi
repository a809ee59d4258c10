from .board_report import BoardReport, BoardsMean
from .comparison import BatchComparison, compare_reports
from .explanation import Explanation, FlopClass, explain
from .folder import Batch, is_batch, load_batch
from .plan import BatchPlan, plan_batch
from .question import BatchQuestion, parse_boards, read_question
from .reporting import report_boards
from .rows import BoardRow
from .solving import BatchRun, run_batch

__all__ = [
    "Batch",
    "BatchComparison",
    "BatchPlan",
    "BatchQuestion",
    "BatchRun",
    "BoardReport",
    "BoardRow",
    "BoardsMean",
    "Explanation",
    "FlopClass",
    "compare_reports",
    "explain",
    "is_batch",
    "load_batch",
    "parse_boards",
    "plan_batch",
    "read_question",
    "report_boards",
    "run_batch",
]
