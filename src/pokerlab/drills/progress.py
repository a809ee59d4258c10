"""How practice goes over time: by day, street, kind of decision and source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from pokerlab.drills.judging import GRADES, Judgement
from pokerlab.drills.log import LogEntry
from pokerlab.drills.score import PREFLOP, DrillScore, street_of
from pokerlab.games.betting_trees import Line
from pokerlab.games.betting_trees.lines import Action, ActionKind
from pokerlab.games.betting_trees.menus import STREETS

KINDS = ("first to act", "after a check", "against a bet", "against a raise", "before the flop")
"""What a decision answers, on its street."""


@dataclass(frozen=True)
class Tally:
    """Decisions that belong together.

    Attributes
    ----------
    decisions, slow
        Those that were made, and those whose time was over.
    loss_percent
        The mean loss of those that were made, in percent of the pot.
    seconds
        The mean time, where it was measured; else None.
    grades
        How many got each grade.
    """

    decisions: int
    slow: int
    loss_percent: float
    seconds: float | None
    grades: dict[str, int]

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> Tally:
        """Sum up decisions."""
        score = DrillScore.of(entries, worst=0)
        return cls(
            score.decisions, score.slow, score.loss_percent, score.seconds, dict(score.grades)
        )

    @property
    def well(self) -> float:
        """The share of the decisions that were the best or good."""
        return (self.grades["best"] + self.grades["good"]) / max(self.decisions, 1)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "decisions": self.decisions,
            "slow": self.slow,
            "loss_percent": self.loss_percent,
            "seconds": self.seconds,
            "well": self.well,
            "grades": self.grades,
        }


@dataclass(frozen=True)
class PracticeProgress:
    """All decisions of some files of results.

    Attributes
    ----------
    total
        All of them.
    days
        Those of each day, the oldest first.
    undated
        Those of earlier versions, which kept no date.
    streets, kinds, sources
        By street, by what they answer (`KINDS`), and by source.
    streak
        Days in a row with a decision, up to today; one that is not over yet does not end it.

    Examples
    --------
    >>> PracticeProgress.of({}, date(2026, 11, 20)).streak
    0
    """

    total: Tally
    days: dict[date, Tally]
    undated: Tally
    streets: dict[str, Tally]
    kinds: dict[str, Tally]
    sources: dict[str, Tally]
    streak: int

    @classmethod
    def of(cls, logs: Mapping[str, Iterable[LogEntry]], today: date) -> PracticeProgress:
        """Sum up the entries of sources by their names."""
        by_source = {name: list(entries) for name, entries in logs.items()}
        made = [
            (entry, entry.decision)
            for entries in by_source.values()
            for entry in entries
            if entry.decision is not None
        ]
        streets = _grouped((street_of(each), entry) for entry, each in made)
        kinds = _grouped((kind_of_decision(each), entry) for entry, each in made)
        days = _grouped((entry.day, entry) for entry, _ in made)
        dated = {day: Tally.of(days[day]) for day in sorted(filter(None, days))}
        tallies = {name: Tally.of(entries) for name, entries in by_source.items()}
        return cls(
            total=Tally.of(entry for entry, _ in made),
            days=dated,
            undated=Tally.of(days.get(None, ())),
            streets=_in_order(streets, (PREFLOP, *STREETS)),
            kinds=_in_order(kinds, KINDS),
            sources={name: each for name, each in tallies.items() if each.decisions or each.slow},
            streak=streak_of(dated, today),
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON; days are written as 2026-11-20."""
        return {
            "total": self.total.to_json(),
            "days": {day.isoformat(): each.to_json() for day, each in self.days.items()},
            "undated": self.undated.to_json(),
            "streets": {name: each.to_json() for name, each in self.streets.items()},
            "kinds": {name: each.to_json() for name, each in self.kinds.items()},
            "sources": {name: each.to_json() for name, each in self.sources.items()},
            "streak": self.streak,
            "grades": list(GRADES),
        }


def streak_of(days: Iterable[date], today: date) -> int:
    """Days in a row that are among some, up to today or yesterday.

    Examples
    --------
    >>> days = [date(2026, 11, number) for number in (15, 17, 18, 19)]
    >>> [streak_of(days, date(2026, 11, number)) for number in (19, 20, 21)]
    [3, 3, 0]
    """
    practised = set(days)
    day = today if today in practised else today - timedelta(days=1)
    found = 0
    while day in practised:
        found += 1
        day -= timedelta(days=1)
    return found


def kind_of_decision(judged: Judgement) -> str:
    """What a decision answers on its street, one of `KINDS`.

    Examples
    --------
    >>> from dataclasses import replace
    >>> numbers = {"pot": 100.0, "big_blind": None, "loss": 0.0}
    >>> bet = Judgement("QhJh2c4d", "", "oop", "AsAd", actions=("x", "a"), strategy=(1, 0),
    ...                 ev=(1, 0), action="x", grade="best", **numbers)
    >>> lines = ("", "x", "x/b50", "x/b50/r150", "x/b50/c/2s", "x/x/2s/x")
    >>> ", ".join(kind_of_decision(replace(bet, line=line)) for line in lines[:4])
    'first to act, after a check, against a bet, against a raise'
    >>> ", ".join(kind_of_decision(replace(bet, line=line)) for line in lines[4:])
    'first to act, after a check'
    """
    if not judged.board:
        return "before the flop"
    street: list[Action] = []
    for token in Line.parse(judged.line).tokens:
        street = [*street, token] if isinstance(token, Action) else []
    if not street:
        return "first to act"
    raises = sum(token.kind not in (ActionKind.CHECK, ActionKind.CALL) for token in street)
    return ("after a check", "against a bet", "against a raise")[min(raises, 2)]


def _grouped(pairs: Iterable[tuple[Any, LogEntry]]) -> dict[Any, list[LogEntry]]:
    found: dict[Any, list[LogEntry]] = {}
    for key, entry in pairs:
        found.setdefault(key, []).append(entry)
    return found


def _in_order(groups: Mapping[str, list[LogEntry]], order: Iterable[str]) -> dict[str, Tally]:
    return {name: Tally.of(groups[name]) for name in order if name in groups}
