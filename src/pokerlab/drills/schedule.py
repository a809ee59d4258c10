"""Mistakes that come back over days, each time later, until they are known.

The boxes of Leitner, *So lernt man lernen* (1972), with intervals that grow as Pimsleur, "A memory
schedule", The Modern Language Journal 51 (1967) proposed: a decision that went wrong is due in the
next session; each time it is answered well it is due again after 1, 3, 7, 16 and 35 days, and after
the last of them it is known. A wrong answer at any time puts it back to the beginning.

A good answer counts where the decision was due, and not in the session of the mistake on the same
day: the answer was just seen. A day that lies further ahead than its interval was written by a
clock that was wrong then, or is wrong now: such a decision is due at once, so that none is lost
until a far year. All of it follows from the file of results: nothing else is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from pokerlab.drills.dealing import Position
from pokerlab.drills.log import LogEntry

INTERVALS = (1, 3, 7, 16, 35)
"""Days until a decision comes back, after each good answer in a row."""


@dataclass(frozen=True)
class Repetition:
    """A decision that comes back.

    Attributes
    ----------
    position
        The decision to deal again.
    box
        How often it was answered well since the mistake.
    due
        The first day on which it comes back.
    loss
        What the mistake lost, in percent of the pot.
    """

    position: Position
    box: int
    due: date
    loss: float

    def is_due(self, day: date) -> bool:
        """Whether it comes back on a day; nothing is put off for much longer than its interval.

        Examples
        --------
        >>> found = Repetition(Position("QhJh2c", "x", "AsAd"), 1, date(2030, 1, 2), loss=5.0)
        >>> [found.is_due(date(year, 1, 1)) for year in (2026, 2030, 2031)]
        [True, False, True]
        """
        if self.box == 0 or self.due <= day:
            return True
        # Who flies east is a day ahead, and back again.
        return self.due - day > timedelta(days=INTERVALS[self.box - 1] + 1)


def repetitions(entries: Iterable[LogEntry], source: str) -> list[Repetition]:
    """All decisions of a source that come back some day, the longest overdue first.

    Examples
    --------
    >>> repetitions([], "turn.safetensors")
    []
    """
    found: dict[Position, Repetition] = {}
    missed: dict[Position, tuple[str, date]] = {}
    for entry in entries:
        place, decision = entry.position, entry.decision
        if entry.source != source or place is None:
            continue
        day = date.min if entry.day is None else entry.day
        if decision is None:  # it cannot be dealt again
            found.pop(place, None)
        elif decision.wrong:
            found[place] = Repetition(place, 0, day, decision.loss_percent)
            missed[place] = entry.session, day
        elif place in found:
            known = found[place]
            if (entry.session, day) == missed[place] or not known.is_due(day):
                continue
            if known.box == len(INTERVALS):
                del found[place]
                continue
            days = timedelta(days=INTERVALS[known.box])
            due = date.max if day > date.max - days else day + days
            found[place] = Repetition(place, known.box + 1, due, known.loss)
    return sorted(found.values(), key=lambda each: (each.due, -each.loss))


def due_positions(entries: Iterable[LogEntry], source: str, today: date) -> list[Position]:
    """The decisions of a source that are due, the longest overdue first."""
    return [each.position for each in repetitions(entries, source) if each.is_due(today)]


def open_mistakes(entries: Iterable[LogEntry], source: str) -> list[Position]:
    """Decisions of a source whose last result is a mistake, the largest loss first."""
    last: dict[Position, LogEntry] = {
        place: entry
        for entry in entries
        if entry.source == source and (place := entry.position) is not None
    }
    wrong = [
        (place, entry.decision)
        for place, entry in last.items()
        if entry.decision is not None and entry.decision.wrong
    ]
    return [place for place, _ in sorted(wrong, key=lambda each: -each[1].loss_percent)]
