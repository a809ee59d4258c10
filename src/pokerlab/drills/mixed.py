"""A session over several sources: their hands come in turn, by weight.

Each hand is dealt and judged by its own source, and its results go into the file of that source,
under one name of the session. Whole hands against `nolimit` may be among them: those are played
elsewhere, and this session only says when it is their turn.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pokerlab.drills.dealing import Position
from pokerlab.drills.hand import DrillHand
from pokerlab.drills.judging import Judgement
from pokerlab.drills.log import Clock, DrillLog, LogEntry, local_time
from pokerlab.drills.score import DrillScore
from pokerlab.drills.session import DrillSession
from pokerlab.drills.setup import Setup
from pokerlab.drills.source import DrillSource

NOLIMIT = "nolimit"
"""What whole hands are filed under."""
_MOST_WEIGHT = 100
_WORST = 5


@dataclass(frozen=True)
class MixedSource:
    """A source, the file of its results, and how many of the hands are its own.

    Attributes
    ----------
    source
        The solution or the batch; None for whole hands against `nolimit`.
    log
        Where its results are kept.
    weight
        A source of weight 2 has twice as many hands as one of weight 1.
    """

    source: DrillSource | None
    log: DrillLog
    weight: int = 1

    def __post_init__(self) -> None:
        whole = isinstance(self.weight, int) and not isinstance(self.weight, bool)
        if not whole or not 1 <= self.weight <= _MOST_WEIGHT:
            raise ValueError(f"weight: {self.weight!r} must be a whole number, 1 to {_MOST_WEIGHT}")


def next_turn(weights: Sequence[int], credit: list[int], allowed: Iterable[int]) -> int:
    """The source of the next hand: each earns its weight, the richest pays for all.

    In any stretch of turns each source that is allowed gets its share, evenly spread, whatever was
    before; after as many turns as all weights together it has exactly as many hands as its weight.

    Examples
    --------
    >>> credit = [0, 0, 0]
    >>> [next_turn((2, 1, 1), credit, range(3)) for _ in range(8)]
    [0, 1, 2, 0, 0, 1, 2, 0]
    """
    places = list(allowed)
    for place in places:
        credit[place] += weights[place]
    chosen = max(places, key=lambda place: (credit[place], -place))
    credit[chosen] -= sum(weights[place] for place in places)
    return chosen


class MixedSession:
    """Hands of several sources in turn.

    Parameters
    ----------
    sources
        What is practised.
    setup
        Your seat, and which decisions are asked, for all of them.
    name
        The name under which results are filed, in the files of all sources.
    clock
        What tells the time.

    Attributes
    ----------
    counts
        How many hands of each source were dealt.
    sessions
        The session of each source; None for whole hands, and where nothing is to be repeated.
    current
        The place of the source of the hand that is played; None before the first.
    ended
        By place, why a source deals no more hands.

    Examples
    --------
    >>> from pokerlab.drills import SolutionSource, open_log
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> sources = [SolutionSource(solution, name) for name in ("one", "two")]
    >>> session = MixedSession([MixedSource(each, open_log(None)) for each in sources])
    >>> for _ in range(6):
    ...     hand = session.deal()
    ...     while hand.decision is not None:
    ...         judged = session.act(hand.decision.actions[0])
    >>> session.counts, session.score.hands
    ([3, 3], 6)
    """

    def __init__(
        self,
        sources: Sequence[MixedSource],
        setup: Setup | None = None,
        name: str | None = None,
        clock: Clock = local_time,
    ) -> None:
        self.sources, self.clock = list(sources), clock
        self.setup = Setup() if setup is None else setup
        self.name = secrets.token_hex(8) if name is None else name
        self.counts = [0] * len(self.sources)
        self._credit = [0] * len(self.sources)
        self.current: int | None = None
        self.ended: dict[int, str] = {}
        self.sessions = [self._begin(place) for place in range(len(self.sources))]
        if not self.sources:
            raise ValueError("choose something to practise")
        if len(self.ended) == len(self.sources):
            raise ValueError(next(iter(self.ended.values())))

    def _begin(self, place: int) -> DrillSession | None:
        part, repeats = self.sources[place], self.setup.repeats
        if part.source is None:
            if repeats:
                self.ended[place] = "whole hands do not come back"
            return None
        setup = replace(self.setup, seed=self.setup.seed + place)
        if repeats:
            plain = DrillSession(part.source, Setup(), part.log, self.name, self.clock)
            if not (plain.mistakes() if self.setup.mistakes else plain.due()):
                what = "there is no mistake to play again"
                self.ended[place] = what if self.setup.mistakes else "nothing is due today"
                return None
        try:
            session = DrillSession(part.source, setup, part.log, self.name, self.clock)
        except ValueError as error:
            if len(self.sources) == 1:
                raise
            raise ValueError(f"{part.source.name}: {error}") from None
        session.first_seat = place % 2  # so that seats change from hand to hand
        return session

    def deal(self) -> DrillHand | None:
        """Deal the next hand; None where it is the turn of a whole hand against `nolimit`.

        A source that has no hand to deal any more is left out from then on.
        """
        if self.hand is not None and self.hand.result is None:
            raise ValueError("this hand is not over")
        if self.over:
            raise ValueError(self.end)
        while True:
            place = next_turn(self._weights, self._credit, self._allowed())
            session = self.sessions[place]
            if session is not None:
                try:
                    session.deal()
                except ValueError as error:
                    self.ended[place] = str(error)
                    if self._allowed():
                        continue
                    if len(self.sources) == 1:
                        raise
                    raise ValueError(f"{session.source.name}: {error}") from None
            self.counts[place] += 1
            self.current = place
            return None if session is None else session.hand

    def _allowed(self) -> list[int]:
        """The places that may be next: those with something due, or all that still deal."""
        left = [
            place
            for place, session in enumerate(self.sessions)
            if place not in self.ended and not (session is not None and session.over)
        ]
        return [place for place in left if self._left(place)] or left

    def _left(self, place: int) -> int:
        session = self.sessions[place]
        return 0 if session is None else session.left

    @property
    def _weights(self) -> list[int]:
        return [each.weight for each in self.sources]

    @property
    def whole_hand(self) -> bool:
        """Whether it is the turn of a whole hand against `nolimit`."""
        return self.current is not None and self.sources[self.current].source is None

    @property
    def session(self) -> DrillSession | None:
        """The session of the hand that is played."""
        return None if self.current is None else self.sessions[self.current]

    @property
    def hand(self) -> DrillHand | None:
        """The hand that is played; None before the first, and for whole hands."""
        return None if self.session is None else self.session.hand

    def act(self, action: str, seconds: float | None = None) -> Judgement:
        """Take an action in the hand, as `DrillSession.act` does."""
        return self._playing.act(action, seconds)

    def run_out_of_time(self) -> Judgement:
        """Do nothing in time, as in `DrillSession`."""
        return self._playing.run_out_of_time()

    @property
    def _playing(self) -> DrillSession:
        if self.session is None:
            raise ValueError("no hand is being played: deal one")
        return self.session

    def add_whole_hand(self, judged: Iterable[Judgement], line: str, won: float) -> None:
        """Record a whole hand that was played when it was its turn."""
        if self.current is None or not self.whole_hand:
            raise ValueError("it is not the turn of a whole hand")
        log, number, at = self.sources[self.current].log, self.number - 1, self.clock()
        for each in judged:
            log.add(LogEntry(self.name, number, NOLIMIT, each.line, each, at=at))
        log.add(LogEntry(self.name, number, NOLIMIT, line, won=won, at=at))

    @property
    def number(self) -> int:
        """How many hands were dealt."""
        return sum(self.counts)

    @property
    def over(self) -> bool:
        """Whether nothing is left to deal."""
        return not self._allowed()

    @property
    def end(self) -> str:
        """What is said when it is over."""
        ends = [session.end for session in self.sessions if session is not None]
        return ends[0] if ends and self.setup.repeats else "no source has another hand"

    @property
    def left(self) -> int:
        """How many decisions of earlier sessions still wait."""
        return sum(self._left(place) for place in range(len(self.sources)))

    @property
    def notes(self) -> list[str]:
        """What the files leave out, and which sources deal no more hands."""
        found = []
        for place, part in enumerate(self.sources):
            name = NOLIMIT if part.source is None else part.source.name
            if part.source is not None and part.source.note:
                found.append(f"{name}: {part.source.note}")
            if place in self.ended and not self.setup.repeats:
                found.append(self.left_out(place))
        return found

    def left_out(self, place: int) -> str:
        """Why a source deals no more hands."""
        source = self.sources[place].source
        return f"{NOLIMIT if source is None else source.name} is left out: {self.ended[place]}"

    def entries(self) -> list[LogEntry]:
        """The results of this session, from the files of all sources."""
        logs = {id(part.log): part.log for part in self.sources}.values()
        return [entry for log in logs for entry in log.entries() if entry.session == self.name]

    @property
    def score(self) -> DrillScore:
        """The score of the session so far."""
        return DrillScore.of(self.entries())

    def worst(self) -> list[tuple[int, Judgement]]:
        """Decisions that lost most, each with the place of its source."""
        found = []
        for place, part in enumerate(self.sources):
            name = NOLIMIT if part.source is None else part.source.name
            own = [
                entry
                for entry in part.log.entries()
                if entry.session == self.name and entry.source == name
            ]
            found += [(place, each) for each in DrillScore.of(own, _WORST).worst]
        return sorted(found, key=lambda each: -each[1].loss_percent)[:_WORST]

    def mistakes(self) -> list[tuple[int, Position]]:
        """Decisions whose last result is a mistake, each with the place of its source."""
        return [
            (place, position)
            for place, session in enumerate(self.sessions)
            if session is not None
            for position in session.mistakes()
        ]

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as JSON; results are in the files of the sources."""
        return {
            "setup": self.setup.to_json(),
            "name": self.name,
            "counts": list(self.counts),
            "credit": list(self._credit),
            "current": self.current,
            "ended": {str(place): text for place, text in self.ended.items()},
            "sessions": [None if each is None else each.state() for each in self.sessions],
        }

    @classmethod
    def resume(
        cls, sources: Sequence[MixedSource], state: Mapping[str, Any], clock: Clock = local_time
    ) -> MixedSession:
        """Go on where `state` was asked for; `ValueError` for what is not a state."""
        try:
            plain = replace(Setup(**state["setup"]), mistakes=False, due="")
            found = cls(sources, plain, str(state["name"]), clock)
            found.setup = Setup(**state["setup"])
            found.counts = [int(each) for each in state["counts"]]
            found._credit = [int(each) for each in state["credit"]]
            found.current = None if state["current"] is None else int(state["current"])
            found.ended = {int(place): str(text) for place, text in state["ended"].items()}
            states = list(state["sessions"])
            counted = (found.counts, found._credit, found.sources)
            if not all(len(each) == len(states) for each in counted):
                raise TypeError
            found.sessions = [
                None
                if own is None or part.source is None
                else DrillSession.resume(part.source, own, part.log, clock, place % 2)
                for place, (part, own) in enumerate(zip(found.sources, states, strict=True))
            ]
            if found.current is not None:
                found.sources[found.current]
        except (KeyError, TypeError, AttributeError, IndexError):
            raise ValueError("this is not the state of a session") from None
        return found
