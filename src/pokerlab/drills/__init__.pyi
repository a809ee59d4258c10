from .dealing import DrillDeal, Position
from .hand import DrillDecision, DrillHand, Event, HandResult
from .judging import GRADES, MISTAKES, Judgement, judge
from .log import LogEntry, default_log, open_log, own_log
from .mixed import MixedSession, MixedSource
from .played.played_hands import JudgedHand, JudgedMove, judge_played
from .programme import Programme, ProgrammeSource
from .progress import PracticeProgress
from .schedule import Repetition, repetitions
from .score import DrillScore
from .session import DrillSession
from .setup import Setup
from .source import BatchSource, DrillSource, SolutionSource, open_source
from .whole_hands import judge_hand
from .words import action_words, read_answer

__all__ = [
    "GRADES",
    "MISTAKES",
    "BatchSource",
    "DrillDeal",
    "DrillDecision",
    "DrillHand",
    "DrillScore",
    "DrillSession",
    "DrillSource",
    "Event",
    "HandResult",
    "JudgedHand",
    "JudgedMove",
    "Judgement",
    "LogEntry",
    "MixedSession",
    "MixedSource",
    "Position",
    "PracticeProgress",
    "Programme",
    "ProgrammeSource",
    "Repetition",
    "Setup",
    "SolutionSource",
    "action_words",
    "default_log",
    "judge",
    "judge_hand",
    "judge_played",
    "open_log",
    "open_source",
    "own_log",
    "read_answer",
    "repetitions",
]
