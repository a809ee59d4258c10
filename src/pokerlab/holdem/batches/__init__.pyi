from .comparison import BatchComparison, compare_reports
from .explanation import Explanation, FlopClass, explain
from .folder import Batch, check_question, load_batch
from .plan import BatchPlan, plan_batch
from .play import BatchPlay, BatchSimulation, LineCount
from .question import BatchQuestion, parse_boards, read_question
from .question_file import is_batch
from .reporting import break_down_boards, report_boards
from .rows import BoardRow
from .solving import BatchRun, run_batch

__all__ = [
    "Batch",
    "BatchComparison",
    "BatchPlan",
    "BatchPlay",
    "BatchQuestion",
    "BatchRun",
    "BatchSimulation",
    "BoardRow",
    "Explanation",
    "FlopClass",
    "LineCount",
    "break_down_boards",
    "check_question",
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
