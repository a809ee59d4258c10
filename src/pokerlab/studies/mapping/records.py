"""Matches that are played for the reproduction, and what is kept of each of them.

Besides the result of a match we keep what its first bot won on each deal, so that two matches
with the same cards can be compared deal by deal, and what that bot did: by street and number of
players, and before the flop by class of hands. Every finished match is a file of its own, which
is there whole or not at all: whatever ends the program, finished matches are not played again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.arena.matches import play_match, seatings
from pokerlab.arena.results import MatchResult
from pokerlab.cards.codes import combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.drawing.drawing import write_whole
from pokerlab.games import load_betting_game

__all__ = [
    "GAME",
    "STREETS",
    "ActionCounts",
    "Job",
    "Record",
    "RecordFolder",
    "play_jobs",
    "play_record",
]

GAME = "holdem.limit.3p"
STREETS = ("preflop", "flop", "turn", "river")
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_FORMAT = 1
_KINDS = {"f": 0, "c": 1, "r": 2}


@dataclass(frozen=True)
class Job:
    """Something to play.

    Attributes
    ----------
    labels, texts
        The bots by the names of this report, and as `make_bot` takes them.
    hands, seed
        Of the match, which is a duplicate one.
    counted
        Whether to count what the first bot does.
    neighbours
        Whether to look at the histories that the first bot, a mapping, is mapped to.
    """

    labels: tuple[str, ...]
    texts: tuple[str, ...]
    hands: int
    seed: int
    counted: bool = False
    neighbours: bool = False

    def play(self) -> dict[str, Any]:
        """Play it; the numbers that are kept, as JSON."""
        if self.neighbours:
            from pokerlab.studies.mapping.neighbours import survey_neighbours

            return survey_neighbours(self.texts, self.hands, self.seed).to_json()
        return play_record(self.texts, self.hands, self.seed, counted=self.counted).to_json()


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

    streets: Counts
    classes: Counts

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
                np.array(data["streets"], np.int64), np.array(data["classes"], np.int64)
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


class RecordFolder:
    """Finished jobs on disk.

    Parameters
    ----------
    path
        The folder; made when the first job is written.
    digest
        Of the strategies that play: jobs of others are not found again.
    """

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        self.digest = digest

    def read(self, job: Job) -> dict[str, Any] | None:
        """What a job came to; None if it was not played, or not wholly written."""
        try:
            data: dict[str, Any] = json.loads(self._file(job).read_bytes())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return data

    def write(self, job: Job, data: Mapping[str, Any]) -> None:
        """Keep what a job came to."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_whole(self._file(job), json.dumps(data, separators=(",", ":")).encode())

    def _file(self, job: Job) -> Path:
        # Files of strategies may move, so their content counts and not where they lie.
        key = [_FORMAT, self.digest, job.labels, job.hands, job.seed, job.counted, job.neighbours]
        name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
        return self.path / f"{name}.json"


def play_jobs(
    jobs: Sequence[Job],
    folder: RecordFolder,
    *,
    at_once: int = 1,
    report: Callable[[int], None] | None = None,
) -> dict[Job, dict[str, Any]]:
    """Play all that is not in the folder yet.

    Parameters
    ----------
    jobs
        What to play; what stands there twice is played once.
    folder
        Where results are kept.
    at_once
        How many at a time; 0: as many as there are processors.
    report
        Is told how many are done.
    """
    found = {}
    waiting = []
    for job in dict.fromkeys(jobs):
        known = folder.read(job)
        if known is None:
            waiting.append(job)
        else:
            found[job] = known
    for job, data in _play(waiting, at_once):
        folder.write(job, data)
        found[job] = data
        if report is not None:
            report(len(found))
    return found


def _play(jobs: Sequence[Job], at_once: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    if at_once == 1 or len(jobs) < 2:
        yield from map(_played, jobs)
        return
    import joblib  # a fifth of a second

    parallel = joblib.Parallel(
        n_jobs=at_once or -1, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
    )
    yield from parallel(joblib.delayed(_played)(job) for job in jobs)


def _played(job: Job) -> tuple[Job, dict[str, Any]]:
    return job, job.play()
