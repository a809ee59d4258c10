"""A session of drills: hands one after the other, their score, and mistakes that come back."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import astuple, replace
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from pokerlab.drills.dealing import Dealer, Position, deal_position
from pokerlab.drills.hand import DrillHand, combo_of, seat_number
from pokerlab.drills.judging import Judgement
from pokerlab.drills.log import Clock, DrillLog, LogEntry, local_time, open_log
from pokerlab.drills.schedule import due_positions, open_mistakes
from pokerlab.drills.score import DrillScore
from pokerlab.drills.setup import Setup, gaps
from pokerlab.drills.source import DrillSource, SolutionSource, UnfinishedError
from pokerlab.games.betting_trees import EdgeKind, Line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import DamagedFileError

_MAX_EMPTY = 1000
"""Hands in a row that end before you have anything to decide."""
_MAX_SEARCH, _SEARCH_SECONDS = 3000, 20.0
"""The same where only some decisions are asked, and the time to look for one."""
_MAX_GAPS = 500
"""Decisions whose gaps are remembered: 5 MB."""


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
    clock
        What tells the time.

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
        clock: Clock = local_time,
    ) -> None:
        self.source, self.clock = source, clock
        self.setup = Setup() if setup is None else setup
        self.log = open_log(None) if log is None else log
        self.name = secrets.token_hex(8) if name is None else name
        self.hand: DrillHand | None = None
        self.number = 0
        self.first_seat = 0
        """The seat of the first hand, where seats go round."""
        self._dealt: Position | None = None
        self._level = self._first_level()
        self._dealers: OrderedDict[str, Dealer] = OrderedDict()
        self._gaps: OrderedDict[tuple[str, str], Floats] = OrderedDict()
        self._waiting: list[Position] = []
        if self.setup.mistakes:
            self._waiting = self.mistakes()
        elif self.setup.due:
            self._waiting = self.due()
        if self.setup.repeats and not self._waiting:
            raise ValueError(
                "there is no mistake to play again"
                if self.setup.mistakes
                else "nothing is due today"
            )

    def deal(self) -> DrillHand:
        """Deal the next hand in which you have something to decide."""
        if self.hand is not None and self.hand.result is None:
            raise ValueError("this hand is not over")
        if self.over:
            raise ValueError(self.end)
        while self._waiting:
            try:
                return self._deal(self._waiting[0])
            except (DamagedFileError, UnfinishedError):
                self._waiting.pop(0)  # it may be there another day
            except ValueError:  # the solution is another one by now
                self._give_up(self._waiting.pop(0))
        if not self.setup.repeats:
            return self._deal(None)
        what = "mistakes" if self.setup.mistakes else "decisions that are due"
        raise ValueError(f"none of the {what} can be played again: the solution is another one")

    def _deal(self, position: Position | None) -> DrillHand:
        """Deal the hand of this number, from scratch or at a position."""
        rng = np.random.default_rng(
            np.random.SeedSequence(self.setup.seed, spawn_key=(self.number,))
        )
        self.hand = self._new_hand(rng) if position is None else self._again(position, rng)
        self._dealt = position
        self.number += 1
        return self.hand

    def act(self, action: str, seconds: float | None = None) -> Judgement:
        """Take an action in the hand, and record its result and how long it took."""
        hand = self._playing
        judged = hand.act(action)
        self._record(judged, seconds)
        if hand.result is not None:
            self._keep(hand.result.line, won=hand.result.won)
        return judged

    def run_out_of_time(self) -> Judgement:
        """Do nothing in the time that there was: the hand is over, and the decision comes back."""
        judged = self._playing.run_out_of_time()
        self._record(judged, self.setup.seconds)
        return judged

    @property
    def _playing(self) -> DrillHand:
        if self.hand is None or self.hand.result is not None:
            raise ValueError("no hand is being played: deal one")
        return self.hand

    def _record(self, judged: Judgement, seconds: float | None) -> None:
        self._keep(judged.line, decision=judged, seconds=seconds)
        if self.setup.mistakes or self.setup.due:
            self._sort_in(judged)

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as JSON; results are in the log."""
        hand = self.hand
        return {
            "setup": self.setup.to_json(),
            "name": self.name,
            "number": self.number,
            "waiting": [[each.board, each.line, each.hand] for each in self._waiting],
            "dealt": None if self._dealt is None else [*astuple(self._dealt)],
            # An empty one is a decision whose time was over.
            "actions": [] if hand is None else [each.action for each in hand.judgements],
        }

    @classmethod
    def resume(
        cls,
        source: DrillSource,
        state: Mapping[str, Any],
        log: DrillLog,
        clock: Clock = local_time,
        first_seat: int = 0,
    ) -> DrillSession:
        """Go on where `state` was asked for: the same hand, with the actions that were taken.

        Where the solution is another one by now, the hand is over; `ValueError` for what is not a
        state.
        """
        try:
            setup = Setup(**state["setup"])
            waiting = [Position(*each) for each in state["waiting"]]
            dealt = None if state["dealt"] is None else Position(*state["dealt"])
            number, actions = int(state["number"]), [str(each) for each in state["actions"]]
            plain = replace(setup, mistakes=False, due="")
            session = cls(source, plain, log, str(state["name"]), clock)
            session.first_seat = first_seat
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
                    if action:
                        session.hand.act(action)
                    else:
                        session.hand.run_out_of_time()
            except ValueError:
                session.hand, session.number = None, number
        return session

    @property
    def over(self) -> bool:
        """Whether nothing is left to deal: all that was to be repeated has been played."""
        return self.setup.repeats and not self._waiting

    @property
    def end(self) -> str:
        """What is said when it is over."""
        if self.setup.mistakes:
            return "all mistakes have been played well"
        return "all that was due today has been played"

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

    def due(self) -> list[Position]:
        """Decisions of this source that are due today, the longest overdue first."""
        return due_positions(self.log.entries(), self.source.name, self.clock().date())

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
        seat, closeness = self.setup.seat, self.setup.closeness
        player = (self.number + self.first_seat) % 2 if seat is None else seat_number(seat)
        most, end = _MAX_EMPTY, inf
        if not closeness.all:
            most, end = _MAX_SEARCH, monotonic() + _SEARCH_SECONDS
        tried = 0
        while tried < most and monotonic() < end:
            tried += 1
            dealer = self._dealer(self.source.draw(rng))
            if isinstance(self.source, SolutionSource):
                closeness.check(dealer.strategy.solution.exploitability.percent)
            hand = DrillHand(dealer.strategy, dealer.deal(rng), player, rng, self._asks)
            if hand.result is None:
                return hand
        if closeness.all:
            raise ValueError(
                f"{most:,} hands in a row ended before {PLAYERS[player]} had anything to decide"
            )
        raise ValueError(
            f"close: none of {tried:,} hands as they arrive has a decision of {PLAYERS[player]}"
            f" {closeness.text()}; choose wider bounds"
        )

    def _dealer(self, board: str) -> Dealer:
        """What deals the hands of a board; that of the last boards is kept."""
        if board not in self._dealers:
            strategy = self.source.get(board)
            self._dealers[board] = Dealer(strategy, Line.parse(self.setup.line), self._level)
        self._dealers.move_to_end(board)
        while len(self._dealers) > 2:
            self._dealers.popitem(last=False)
        return self._dealers[board]

    @property
    def _asks(self) -> Callable[[DrillHand], bool] | None:
        """Whether a decision is one of those that are asked; None where all are."""
        closeness = self.setup.closeness
        if closeness.all:
            return None

        def asks(hand: DrillHand) -> bool:
            exactness = hand.strategy.solution.exploitability.percent
            return closeness.fits(float(self._gaps_at(hand)[hand.combo]), exactness)

        return asks

    def _gaps_at(self, hand: DrillHand) -> Floats:
        """The gaps of all hands where a hand is; those of the last decisions are kept."""
        key = hand.board, hand.line
        if key not in self._gaps:
            self._gaps[key] = gaps(hand.view)
        self._gaps.move_to_end(key)
        while len(self._gaps) > _MAX_GAPS:
            self._gaps.popitem(last=False)
        return self._gaps[key]

    def _again(self, position: Position, rng: np.random.Generator) -> DrillHand:
        strategy = self.source.get(position.board)
        spot = strategy.solution.spot
        place = spot.find(position.line)
        street = spot.tree.streets[place.level]
        player, combo = int(street.player[place.node]), combo_of(position.hand)
        nobody = place.kind != EdgeKind.NODE or -1 in place.cards
        if (
            nobody
            or len(street.edges_of(place.node)) < 2
            or strategy.row(place.level, place.node, place.cards, combo) is None
        ):
            raise ValueError(f"line {position.line!r}: {position.hand} decides nothing here")
        deal = deal_position(strategy, position, combo, player, rng)
        others = self._asks

        def asks(hand: DrillHand) -> bool:
            return others is None or hand.line == position.line or others(hand)

        return DrillHand(strategy, deal, player, rng, asks)

    def _sort_in(self, judged: Judgement) -> None:
        """A decision that is played well waits no longer; another comes back after the others.

        One that was due comes back in the next session.
        """
        position = Position(judged.board, judged.line, judged.hand)
        if position in self._waiting:
            self._waiting.remove(position)
        if judged.wrong and self.setup.mistakes:
            self._waiting.append(position)

    def _keep(
        self,
        line: str,
        *,
        decision: Judgement | None = None,
        won: float | None = None,
        seconds: float | None = None,
    ) -> None:
        number, at = self.number - 1, self.clock()
        source = self.source.name
        self.log.add(LogEntry(self.name, number, source, line, decision, won, at, seconds))

    def _give_up(self, position: Position) -> None:
        """Note that a decision cannot be dealt any more, so that it does not wait forever."""
        source, at = self.source.name, self.clock()
        entry = LogEntry(self.name, self.number, source, position.line, at=at, gone=position)
        self.log.add(entry)
