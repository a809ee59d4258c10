"""What a match came to, with its error, and the file that keeps finished matches.

Scores are chips as the game counts payoffs. Rates and standard errors are in mbb per hand:
thousandths of `BettingGame.big_blind`, which is the ante in games without blinds.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["MatchPlan", "MatchResult", "ResultsFile", "significance"]


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that decides how a match of named bots goes.

    Attributes
    ----------
    game
        Name or file of the game.
    bots
        The bots in their order, as `make_bot` takes them.
    hands, seed, duplicate, time_limit
        As `play_match` takes them.
    """

    game: str
    bots: tuple[str, ...]
    hands: int
    seed: int
    duplicate: bool = False
    time_limit: float | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended, or where it stands.

    Attributes
    ----------
    plan
        What was to be played.
    names
        The bots by names that are all different (``caller``, ``caller#2``).
    hands
        Hands played: fewer than planned if the match was broken off.
    chips
        What each bot won or lost.
    mbb_per_hand
        The same per hand.
    stderr
        Standard error of `mbb_per_hand`; NaN where there is only one sample. In a duplicate
        match a sample is one deal, summed over all seatings; in a match that was broken off, and
        in one without duplicates, it is one hand.
    faults
        How often each bot did something against the rules.
    first_faults
        What that was the first time; empty if it never happened.
    seconds
        How long it took.
    """

    plan: MatchPlan
    names: tuple[str, ...]
    hands: int
    chips: tuple[float, ...]
    mbb_per_hand: tuple[float, ...]
    stderr: tuple[float, ...]
    faults: tuple[int, ...]
    first_faults: tuple[str, ...]
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all hands were played."""
        return self.hands == self.plan.hands

    def to_json(self) -> dict[str, Any]:
        """The result as JSON; scores and errors by name."""
        return {
            "game": self.plan.game,
            "bots": list(self.plan.bots),
            "hands": self.hands,
            "planned_hands": self.plan.hands,
            "seed": self.plan.seed,
            "duplicate": self.plan.duplicate,
            "time_limit": self.plan.time_limit,
            "scores": self._by_name(self.chips),
            "mbb_per_hand": self._by_name(self.mbb_per_hand),
            "stderr": {
                name: None if math.isnan(error) else error
                for name, error in zip(self.names, self.stderr, strict=True)
            },
            "faults": self._by_name(self.faults),
            "first_faults": self._by_name(self.first_faults),
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchResult:
        """The result that `to_json` wrote; `ValueError` for anything else."""
        try:
            names = tuple(data["scores"])
            plan = MatchPlan(
                data["game"],
                tuple(data["bots"]),
                data["planned_hands"],
                data["seed"],
                data["duplicate"],
                data["time_limit"],
            )
            return cls(
                plan,
                names,
                data["hands"],
                tuple(data["scores"].values()),
                tuple(data["mbb_per_hand"][name] for name in names),
                tuple(
                    math.nan if (error := data["stderr"][name]) is None else error for name in names
                ),
                tuple(data["faults"][name] for name in names),
                tuple(data["first_faults"][name] for name in names),
                data["seconds"],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not the result of a match ({error!r})") from None

    def _by_name(self, values: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(self.names, values, strict=True))


def significance(mean: float, stderr: float) -> float:
    """Chance of a result at least so far from 0 if the truth were 0 (two-sided, normal).

    Examples
    --------
    >>> round(significance(19.6, 10.0), 3), significance(0.0, 0.0), significance(5.0, 0.0)
    (0.05, 1.0, 0.0)
    """
    if stderr == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    return math.erfc(abs(mean) / stderr / math.sqrt(2.0))


class ResultsFile:
    """Finished matches on disk, one JSON object a line, so that none is played twice.

    A line that was cut off at the end of the file, by a kill while it was written, is dropped
    when the next one is added.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.arena.matches import play_match
    >>> with TemporaryDirectory() as folder:
    ...     file = ResultsFile(Path(folder, "results.jsonl"))
    ...     file.add(play_match("kuhn", ["caller", "raiser"], 10, 1))
    ...     [result.hands for result in file.read().values()]
    [10]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def read(self) -> dict[MatchPlan, MatchResult]:
        """The finished matches by their plans; `ValueError` names a line that is none."""
        found = {}
        for number, line in enumerate(self._whole_lines().splitlines(), 1):
            try:
                result = MatchResult.from_json(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{self.path}, line {number}: {error}") from None
            found[result.plan] = result
        return found

    def add(self, result: MatchResult) -> None:
        """Write a finished match, and wait until it is on the disk."""
        kept = len(self._whole_lines())
        line = json.dumps(result.to_json(), ensure_ascii=False) + "\n"
        with self.path.open("r+b" if self.path.exists() else "xb") as file:
            file.truncate(kept)
            file.seek(kept)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def _whole_lines(self) -> bytes:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return b""
        return content[: content.rfind(b"\n") + 1]
