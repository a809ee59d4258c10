"""A session of drills: hands one after the other, their score, and mistakes that come back."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from pokerlab.drills.dealing import Position, deal_hand, deal_position
from pokerlab.drills.hand import DrillHand, combo_of, seat_number
from pokerlab.drills.judging import MISTAKES, Judgement
from pokerlab.drills.log import DrillLog, LogEntry, open_log
from pokerlab.drills.score import DrillScore
from pokerlab.drills.source import DrillSource
from pokerlab.games.betting_trees import EdgeKind, Line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.runtime.errors import shorten

_MAX_EMPTY = 1000
"""Hands in a row that end before you have anything to decide."""


@dataclass(frozen=True)
class Setup:
    """How hands are dealt.

    Attributes
    ----------
    seat
        ``oop`` or ``ip``; None for both in turn.
    street
        ``flop``, ``turn`` or ``river``: hands begin where equilibrium play first comes to it.
        None for where the solution begins.
    line
        Hands begin after this line, reached by equilibrium play; cards may be left out.
    mistakes
        Only decisions that went wrong before, until they are played well.
    seed
        The same seed deals the same hands.

    Examples
    --------
    >>> Setup(seat="button")
    Traceback (most recent call last):
    ValueError: seat: 'button' must be one of oop, ip
    >>> Setup(street="preflop")
    Traceback (most recent call last):
    ValueError: street: 'preflop' must be one of flop, turn, river
    """

    seat: str | None = None
    street: str | None = None
    line: str = ""
    mistakes: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seat is not None:
            seat_number(self.seat)
        if self.street is not None and self.street not in STREETS:
            shown = shorten(str(self.street))
            raise ValueError(f"street: {shown!r} must be one of {', '.join(STREETS)}")
        Line.parse(self.line)
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed: {shorten(repr(self.seed))} is not a seed (0 or more)")

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "seat": self.seat,
            "street": self.street,
            "line": self.line,
            "mistakes": self.mistakes,
            "seed": self.seed,
        }


class DrillSession:
    """Hands of a source, dealt and judged.

    Parameters
    ----------
    source
        The solution or the batch.
    setup
        Your seat, and where hands begin.
    log
        Where results are kept, and mistakes come from; by default in memory.
    name
        The name under which its results are filed; the same name continues a session.

    Attributes
    ----------
    hand
        The hand that is played; None before the first.
    number
        How many hands were dealt.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> from pokerlab.drills import SolutionSource
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> session = DrillSession(SolutionSource(solve_spot(spot, target="0.01%")), Setup("oop"))
    >>> for _ in range(20):
    ...     hand = session.deal()
    ...     while hand.decision is not None:
    ...         judged = session.act(hand.decision.actions[0])
    >>> session.score.decisions, len(session.score.worst)
    (20, 5)
    """

    def __init__(
        self,
        source: DrillSource,
        setup: Setup | None = None,
        log: DrillLog | None = None,
        name: str | None = None,
    ) -> None:
        self.source = source
        self.setup = Setup() if setup is None else setup
        self.log = open_log(None) if log is None else log
        self.name = secrets.token_hex(8) if name is None else name
        self.hand: DrillHand | None = None
        self.number = 0
        self._dealt: Position | None = None
        self._level = self._first_level()
        self._waiting: list[Position] = list(self.mistakes()) if self.setup.mistakes else []
        if self.setup.mistakes and not self._waiting:
            raise ValueError("there is no mistake to play again")

    def deal(self) -> DrillHand:
        """Deal the next hand in which you have something to decide."""
        if self.hand is not None and self.hand.result is None:
            raise ValueError("this hand is not over")
        if self.over:
            raise ValueError("all mistakes have been played well")
        if not self.setup.mistakes:
            return self._deal(None)
        while self._waiting:
            try:
                return self._deal(self._waiting[0])
            except ValueError:  # the solution is another one by now
                self._waiting.pop(0)
        raise ValueError("none of the mistakes can be played again: the solution is another one")

    def _deal(self, position: Position | None) -> DrillHand:
        """Deal the hand of this number, from scratch or at a position."""
        rng = np.random.default_rng(
            np.random.SeedSequence(self.setup.seed, spawn_key=(self.number,))
        )
        self.hand = self._new_hand(rng) if position is None else self._again(position, rng)
        self._dealt = position
        self.number += 1
        return self.hand

    def act(self, action: str) -> Judgement:
        """Take an action in the hand, and record its result."""
        if self.hand is None or self.hand.result is not None:
            raise ValueError("no hand is being played: deal one")
        judged = self.hand.act(action)
        self._keep(judged.line, decision=judged)
        if self.setup.mistakes:
            self._sort_in(judged)
        if self.hand.result is not None:
            self._keep(self.hand.result.line, won=self.hand.result.won)
        return judged

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as JSON; results are in the log."""
        hand = self.hand
        return {
            "setup": self.setup.to_json(),
            "name": self.name,
            "number": self.number,
            "waiting": [[each.board, each.line, each.hand] for each in self._waiting],
            "dealt": None if self._dealt is None else [*astuple(self._dealt)],
            "actions": [] if hand is None else [each.action for each in hand.judgements],
        }

    @classmethod
    def resume(cls, source: DrillSource, state: Mapping[str, Any], log: DrillLog) -> DrillSession:
        """Go on where `state` was asked for: the same hand, with the actions that were taken.

        Where the solution is another one by now, the hand is over; `ValueError` for what is not a
        state.
        """
        try:
            setup = Setup(**state["setup"])
            waiting = [Position(*each) for each in state["waiting"]]
            dealt = None if state["dealt"] is None else Position(*state["dealt"])
            number, actions = int(state["number"]), [str(each) for each in state["actions"]]
            session = cls(source, replace(setup, mistakes=False), log, str(state["name"]))
        except (KeyError, TypeError):
            raise ValueError("this is not the state of a session") from None
        session.setup, session._waiting = setup, waiting
        session.number = number
        if number > 0:
            session.number -= 1
            try:
                session._deal(dealt)
                for action in actions:
                    assert session.hand is not None
                    session.hand.act(action)
            except ValueError:
                session.hand, session.number = None, number
        return session

    @property
    def over(self) -> bool:
        """Whether nothing is left to deal: all mistakes have been played well."""
        return self.setup.mistakes and not self._waiting

    @property
    def left(self) -> int:
        """In a repetition, how many decisions still wait."""
        return len(self._waiting)

    @property
    def score(self) -> DrillScore:
        """The score of the session so far."""
        return DrillScore.of(entry for entry in self.log.entries() if entry.session == self.name)

    def mistakes(self) -> list[Position]:
        """Decisions of this source whose last result is a mistake, the worst first."""
        return open_mistakes(self.log.entries(), self.source.name)

    def _first_level(self) -> int:
        """How many streets after the first of the solutions hands begin; checked."""
        source, street = self.source, self.setup.street
        first = source.first_street
        level = 0 if street is None else STREETS.index(street) - first
        if level < 0:
            raise ValueError(f"street: {source.name} begins on the {STREETS[first]}, not before")
        if level > source.kept_streets:
            last = STREETS[first + source.kept_streets]
            raise ValueError(
                f"street: {source.name} holds too few streets to play hands to the {street};"
                f" begin on the {last} at the latest, or solve it whole"
            )
        if isinstance(self.setup.line, str) and self.setup.line and not self.setup.mistakes:
            source.get(source.draw(np.random.default_rng(0))).solution.spot.find(self.setup.line)
        return level

    def _new_hand(self, rng: np.random.Generator) -> DrillHand:
        seat = self.setup.seat
        player = self.number % 2 if seat is None else seat_number(seat)
        line = Line.parse(self.setup.line)
        for _ in range(_MAX_EMPTY):
            strategy = self.source.get(self.source.draw(rng))
            deal = deal_hand(strategy, line, self._level, rng)
            hand = DrillHand(strategy, deal, player, rng)
            if hand.result is None:
                return hand
        raise ValueError(
            f"{_MAX_EMPTY:,} hands in a row ended before {PLAYERS[player]} had anything to decide"
        )

    def _again(self, position: Position, rng: np.random.Generator) -> DrillHand:
        strategy = self.source.get(position.board)
        spot = strategy.solution.spot
        place = spot.find(position.line)
        player = int(spot.tree.streets[place.level].player[place.node])
        combo = combo_of(position.hand)
        nobody = place.kind != EdgeKind.NODE or -1 in place.cards
        if nobody or strategy.row(place.level, place.node, place.cards, combo) is None:
            raise ValueError(f"line {position.line!r}: {position.hand} decides nothing here")
        deal = deal_position(strategy, position, combo, player, rng)
        return DrillHand(strategy, deal, player, rng)

    def _sort_in(self, judged: Judgement) -> None:
        """A decision that is played well waits no longer; another comes back after the others."""
        position = Position(judged.board, judged.line, judged.hand)
        if position in self._waiting:
            self._waiting.remove(position)
        if judged.grade in MISTAKES:
            self._waiting.append(position)

    def _keep(
        self, line: str, *, decision: Judgement | None = None, won: float | None = None
    ) -> None:
        number = self.number - 1
        self.log.add(LogEntry(self.name, number, self.source.name, line, decision, won))


def open_mistakes(entries: Iterable[LogEntry], source: str) -> list[Position]:
    """Decisions of a source whose last result is a mistake, the largest loss first."""
    last = {
        Position(each.board, each.line, each.hand): each
        for entry in entries
        if entry.source == source and (each := entry.decision) is not None
    }
    wrong = [place for place, each in last.items() if each.grade in MISTAKES]
    return sorted(wrong, key=lambda place: -last[place].loss_percent)
