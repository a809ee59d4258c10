"""What is kept of a match of the reproduction.

Besides its result we keep what its first bot won on each deal, so that two matches with the same
cards can be compared deal by deal, and what that bot did: by street and number of players, and
before the flop by class of hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.arena.matches import play_match, seatings
from pokerlab.arena.results import MatchResult
from pokerlab.cards.codes import combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.games import load_betting_game
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.studies.reporting.measure import Measure, mean_of

GAME = "holdem.limit.3p"
STREETS = ("preflop", "flop", "turn", "river")

_KINDS = {"f": 0, "c": 1, "r": 2}


@dataclass(frozen=True, eq=False)
class ActionCounts:
    """How often a bot folded, called and raised.

    Attributes
    ----------
    streets
        By number of players still in (2, 3) and street: shape (2, 4, 3).
    classes
        Before the flop with three players in and something to pay, by class of hands: (169, 3).
    """

    streets: Int64s
    classes: Int64s

    @classmethod
    def none(cls) -> ActionCounts:
        """Nothing counted yet."""
        return cls(np.zeros((2, len(STREETS), 3), np.int64), np.zeros((GRID * GRID, 3), np.int64))

    def add(self, hand: PlayedHand, player: str) -> None:
        """Count what a player did in a hand."""
        for step in steps(hand):
            state = step.before
            if hand.players[step.position] != player:
                continue
            kind, players = _KINDS[step.action], len(state.node.live)
            self.streets[players - 2, state.street, kind] += 1
            if state.street == 0 and players == 3 and state.to_call > 0:
                self.classes[CLASS_OF_COMBO[combo_index(*state.holes[step.position])], kind] += 1


@dataclass(frozen=True, eq=False)
class Record:
    """What is kept of a match.

    Attributes
    ----------
    result
        Its result.
    won
        What the first bot won on each deal, in mbb per hand, the mean over its seats.
    counts
        What the first bot did; None where nobody counted.
    """

    result: MatchResult
    won: Floats
    counts: ActionCounts | None = None

    def to_json(self) -> dict[str, Any]:
        """The record as JSON."""
        data: dict[str, Any] = {
            "result": self.result.to_json(),
            "won": [round(each, 6) for each in self.won.tolist()],
        }
        if self.counts is not None:
            data["streets"] = self.counts.streets.tolist()
            data["classes"] = self.counts.classes.tolist()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """The record that `to_json` made."""
        counts = None
        if "streets" in data:
            counts = ActionCounts(
                np.array(data["streets"], np.int64).reshape(2, len(STREETS), 3),
                np.array(data["classes"], np.int64).reshape(GRID * GRID, 3),
            )
        return cls(MatchResult.from_json(data["result"]), np.array(data["won"], float), counts)


def play_record(texts: Sequence[str], hands: int, seed: int, *, counted: bool = False) -> Record:
    """Play a duplicate match and note what its first bot wins and does.

    Examples
    --------
    >>> record = play_record(["raiser", "caller", "caller"], 30, 1, counted=True)
    >>> len(record.won), record.counts.streets[1, 0].tolist()
    (10, [0, 0, 30])
    >>> abs(float(record.won.mean()) - record.result.mbb_per_hand[0]) < 1e-6
    True
    """
    counts = ActionCounts.none() if counted else None
    won: list[float] = []

    def note(hand: PlayedHand) -> None:
        won.append(hand.payoffs[hand.players.index(texts[0])])
        if counts is not None:
            counts.add(hand, texts[0])

    result = play_match(GAME, texts, hands, seed, duplicate=True, on_hand=note)
    blocks = len(seatings(len(texts), same_twice=len(set(texts)) < len(texts)))
    deals = np.array(won).reshape(blocks, -1).mean(axis=0)
    return Record(result, load_betting_game(GAME).mbb * deals, counts)


def compared(first: Sequence[Record], second: Sequence[Record] = ()) -> Measure:
    """What the first bots of some matches win, less what those of others win, in mbb per hand.

    Each side is the mean of its matches, and nothing where it has none. All must have been played
    with the same cards: then they are compared deal by deal, and what all of them owe to the
    cards cancels out.

    Examples
    --------
    >>> from pokerlab.studies.mapping.records import play_record
    >>> raiser, caller = (play_record([bot, "fair", "fair"], 30, 1) for bot in ("raiser", "caller"))
    >>> compared([raiser], [raiser])
    Measure(value=0.0, error=0.0)
    >>> compared([raiser], [caller]).value == float((raiser.won - caller.won).mean())
    True
    """
    matches = {(each.result.plan.seed, len(each.won)) for each in (*first, *second)}
    if len(matches) != 1:
        raise ValueError(f"matches of different cards (seed, deals) {sorted(matches)}")
    return mean_of(_mean_won(first) - _mean_won(second))


def _mean_won(records: Sequence[Record]) -> Floats:
    """Deal by deal; a single zero where there are no matches."""
    if not records:
        return np.zeros(1)
    found: Floats = np.mean([each.won for each in records], axis=0)
    return found
