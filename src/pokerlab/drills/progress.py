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

_SHOWN = ("decisions", "slow", "loss_percent", "seconds", "well", "grades")


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

    total: DrillScore
    days: dict[date, DrillScore]
    undated: DrillScore
    streets: dict[str, DrillScore]
    kinds: dict[str, DrillScore]
    sources: dict[str, DrillScore]
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
        dated = {day: _summed(days[day]) for day in sorted(filter(None, days))}
        scores = {name: _summed(entries) for name, entries in by_source.items()}
        return cls(
            total=_summed(entry for entry, _ in made),
            days=dated,
            undated=_summed(days.get(None, ())),
            streets=_in_order(streets, (PREFLOP, *STREETS)),
            kinds=_in_order(kinds, KINDS),
            sources={name: each for name, each in scores.items() if each.decisions or each.slow},
            streak=streak_of(dated, today),
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON; days are written as 2026-11-20."""
        groups = {
            "days": {day.isoformat(): each for day, each in self.days.items()},
            "streets": self.streets,
            "kinds": self.kinds,
            "sources": self.sources,
        }
        return {
            "total": _json(self.total),
            "undated": _json(self.undated),
            **{
                name: {key: _json(each) for key, each in found.items()}
                for name, found in groups.items()
            },
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


def _summed(entries: Iterable[LogEntry]) -> DrillScore:
    return DrillScore.of(entries, worst=0)


def _json(score: DrillScore) -> dict[str, Any]:
    return {name: getattr(score, name) for name in _SHOWN}


def _grouped(pairs: Iterable[tuple[Any, LogEntry]]) -> dict[Any, list[LogEntry]]:
    found: dict[Any, list[LogEntry]] = {}
    for key, entry in pairs:
        found.setdefault(key, []).append(entry)
    return found


def _in_order(groups: Mapping[str, list[LogEntry]], order: Iterable[str]) -> dict[str, DrillScore]:
    return {name: _summed(groups[name]) for name in order if name in groups}
