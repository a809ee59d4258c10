"""The result of a match, with its error, and the file that keeps finished matches.

Scores are chips as the game counts payoffs. Rates and standard errors are in mbb per hand:
thousandths of `BettingGame.big_blind`, which is the ante in games without blinds.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.files.job_stores import LineStore
from pokerlab.runtime.shown import Shown


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that decides how a match of named bots goes.

    Attributes
    ----------
    game
        Name or file of the game.
    bots
        The bots in their order, as `make_bot` takes them.
    hands, seed, duplicate, time_limit, fixed_button
        As `play_match` takes them.
    pockets
        Fixed pockets, ``SEAT:CARDS`` each.
    deals
        The file of the deals; empty if they come from the seed. The same deals in another file
        are the same plan.
    deals_digest
        Fingerprint of the deals; empty if they come from the seed.
    """

    game: str
    bots: tuple[str, ...]
    hands: int
    seed: int
    duplicate: bool = False
    time_limit: float | None = None
    fixed_button: bool = False
    pockets: tuple[str, ...] = ()
    deals: str = field(default="", compare=False)
    deals_digest: str = ""

    @property
    def key(self) -> str:
        """The plan as text, for stores of finished matches."""
        return json.dumps(astuple(replace(self, deals="")))


@dataclass(frozen=True, slots=True)
class MatchResult(Shown):
    """How a match ended, or where it stands.

    Attributes
    ----------
    plan
        What was to be played.
    names
        The bots by names that are all different (``caller``, ``caller#2``).
    hands
        Hands played: fewer than planned if the match was aborted.
    chips
        What each bot won or lost.
    mbb_per_hand
        The same per hand.
    stderr
        Standard error of `mbb_per_hand`; NaN where there is only one sample. In a duplicate
        match a sample is one deal, summed over all seatings; in a match that was aborted, and in
        one without duplicates, it is one hand.
    faults
        How often each bot did something against the rules.
    first_faults
        What that was the first time; empty if it never happened.
    seconds
        How long it took.
    """

    _picture = "pokerlab.views.pictures.arena_picture:match_html"

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
            "fixed_button": self.plan.fixed_button,
            "pockets": list(self.plan.pockets),
            "deals": self.plan.deals,
            "deals_digest": self.plan.deals_digest,
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

    def columns(self) -> dict[str, list[Any]]:
        """A row for each bot, as columns."""
        return {
            "bot": list(self.names),
            "chips": list(self.chips),
            "mbb_per_hand": list(self.mbb_per_hand),
            "stderr": list(self.stderr),
            "p": [
                significance(mean, error)
                for mean, error in zip(self.mbb_per_hand, self.stderr, strict=True)
            ],
            "faults": list(self.faults),
        }

    def to_frame(self) -> Any:
        """A row for each bot, as a ``pandas.DataFrame``."""
        return make_frame(self.columns())

    @classmethod
    def from_json(cls, data: Any) -> MatchResult:
        """The result that `to_json` wrote; `ValueError` for anything else."""
        try:
            plan = MatchPlan(
                _text(data, "game"),
                _texts(data, "bots"),
                _whole(data, "planned_hands"),
                _whole(data, "seed"),
                _switch(data, "duplicate"),
                None if data["time_limit"] is None else _number(data, "time_limit"),
                _switch(data, "fixed_button"),
                _texts(data, "pockets"),
                _text(data, "deals"),
                _text(data, "deals_digest"),
            )
            names = tuple(data["scores"])
            tables = ("scores", "mbb_per_hand", "stderr", "faults", "first_faults")
            if len(names) != len(plan.bots) or any(
                set(data[each]) != set(names) for each in tables
            ):
                raise ValueError("its tables are not of the bots that played")
            errors = data["stderr"]
            return cls(
                plan,
                names,
                _whole(data, "hands"),
                tuple(_number(data["scores"], name) for name in names),
                tuple(_number(data["mbb_per_hand"], name) for name in names),
                tuple(
                    math.nan if errors[name] is None else _number(errors, name) for name in names
                ),
                tuple(_whole(data["faults"], name) for name in names),
                tuple(_text(data["first_faults"], name) for name in names),
                _number(data, "seconds"),
            )
        except KeyError as error:
            raise ValueError(f"this is not the result of a match: {error} is missing") from None
        except (TypeError, ValueError, IndexError) as error:
            raise ValueError(f"this is not the result of a match: {error}") from None

    def _by_name(self, values: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(self.names, values, strict=True))


def _text(data: Any, key: Any) -> str:
    value = data[key]
    if not isinstance(value, str):
        raise ValueError(f"{key} is {_quoted(value)}, not a text")
    return value


def _texts(data: Any, key: str) -> tuple[str, ...]:
    values = data[key]
    if not isinstance(values, list):
        raise ValueError(f"{key} is {_quoted(values)}, not a list of texts")
    return tuple(_text(values, place) for place in range(len(values)))


def _whole(data: Any, key: Any) -> int:
    value = data[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{key} is {_quoted(value)}, not a whole number")
    return value


def _number(data: Any, key: Any) -> float:
    value = data[key]
    # A whole number of JSON may have more digits than a float can take.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
        raise ValueError(f"{key} is {_quoted(value)}, not a number")
    return value


def _switch(data: Any, key: Any) -> bool:
    value = data[key]
    if not isinstance(value, bool):
        raise ValueError(f"{key} is {_quoted(value)}, not true or false")
    return value


def _quoted(value: Any) -> str:
    return repr(shorten(str(value), 40))


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


class ResultsFile(LineStore[MatchResult]):
    """Finished matches on disk, one JSON object a line, so that none is played twice.

    Several programs may play matches of one file at the same time. A line that was cut off at the
    end of the file, by a kill while it was written, is dropped when the next one is added.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.arena.matches import play_match
    >>> with TemporaryDirectory() as folder:
    ...     file = ResultsFile(Path(folder, "results.jsonl"))
    ...     result = play_match("kuhn", ["caller", "raiser"], 10, 1)
    ...     file.add(result.plan.key, result)
    ...     [result.hands for result in file.read().values()]
    [10]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(
            path, MatchResult.to_json, MatchResult.from_json, lambda result: result.plan.key
        )

    def read(self) -> dict[MatchPlan, MatchResult]:
        """The finished matches by their plans; `DamagedFileError` names a bad line."""
        return {result.plan: result for result in self.all().values()}
