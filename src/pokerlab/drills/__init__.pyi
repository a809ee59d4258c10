from .dealing import Position, TrainingDeal
from .hand import DrillDecision, Event, HandResult, TrainingHand
from .judging import GRADES, MISTAKES, Judgement, judge
from .log import LogEntry, default_log, open_log
from .score import DrillScore
from .session import Setup, TrainingSession
from .source import BatchSource, SolutionSource, TrainingSource, open_source
from .words import action_words, read_answer

__all__ = [
    "GRADES",
    "MISTAKES",
    "BatchSource",
    "DrillDecision",
    "DrillScore",
    "Event",
    "HandResult",
    "Judgement",
    "LogEntry",
    "Position",
    "Setup",
    "SolutionSource",
    "TrainingDeal",
    "TrainingHand",
    "TrainingSession",
    "TrainingSource",
    "action_words",
    "default_log",
    "judge",
    "open_log",
    "open_source",
    "read_answer",
]
