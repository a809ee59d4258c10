"""Local responses on streets that a bot comes to by its own play: a mean with its error.

Hands are dealt and played by the bot in both seats until one comes to the street; there both
seats in turn get a `LocalResponder`. What they gain, times how often the street is reached, is
what a best response from that street on wins a hand. Each street is a job of its own: finished ones
are kept, and several processes share the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import takewhile
from math import nan, sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.arena.flop_deals import deal_on_flops
from pokerlab.arena.responses.local_response import (
    LocalResponder,
    parse_responder,
    play_to_street,
)
from pokerlab.cards.codes import format_cards
from pokerlab.games import BettingGame
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.failures import reset_bot
from pokerlab.players.strategies import load_table_game
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import LineStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs

STREETS = {"flop": 1, "turn": 2, "river": 3}
_MOST_HANDS = 10_000
"""A bot that comes to the street less often than this is not waited for."""


@dataclass(frozen=True)
class StreetTask:
    """One street of a sample: which bot, which game, which responder, which number."""

    bot: str
    game: str
    street: str
    menu: str
    raises: int
    seed: int
    number: int
    flops: str = ""
    rivers: int | None = None

    @property
    def key(self) -> str:
        """What names the task for good."""
        return digest(repr(self).encode())[:20]

    def run(self) -> StreetGain:
        """Deal and play until the street comes, and respond in both seats."""
        began = perf_counter()
        bot, game = _at_table(self.bot, self.game)
        rng = np.random.default_rng([self.seed, self.number])
        reset_bot(bot, self.bot, game, rng)
        hands, root = 0, None
        while root is None:
            if hands == _MOST_HANDS:
                raise ValueError(f"{self.bot}: no hand of {hands:,} came to the {self.street}")
            hands += 1
            deal = deal_on_flops(game, self.flops, rng)
            root = play_to_street(bot, game, STREETS[self.street], deal, rng)
        responder = LocalResponder(bot, parse_responder(self.menu), self.raises, self.rivers)
        found = [responder.respond(root, seat) for seat in range(2)]
        return StreetGain(
            self.key,
            hands,
            format_cards(root.state.board),
            root.state.betting,
            tuple(each.best for each in found),
            tuple(each.own for each in found),
            perf_counter() - began,
        )


@dataclass(frozen=True)
class StreetGain:
    """What local responses won on one street, in chips a hand that gets there.

    Attributes
    ----------
    key
        The task.
    hands
        How many were dealt until one came to the street.
    board, betting
        Where that is.
    best, own
        For a responder in each seat: by a best response, and by what the bot itself does.
    seconds
        How long it took.
    """

    key: str
    hands: int
    board: str
    betting: str
    best: tuple[float, ...]
    own: tuple[float, ...]
    seconds: float

    @classmethod
    def from_json(cls, data: Any) -> StreetGain:
        """Read what `asdict` gave; ValueError for anything else."""
        try:
            return cls(**{**data, "best": tuple(data["best"]), "own": tuple(data["own"])})
        except (TypeError, KeyError) as error:
            raise ValueError(f"not a street: {error}") from None


@dataclass(frozen=True)
class StreetGains:
    """The mean over a sample of streets.

    Attributes
    ----------
    streets
        Each of them.
    mbb
        A chip in thousandths of a big blind.
    """

    streets: tuple[StreetGain, ...]
    mbb: float

    @property
    def reached(self) -> float:
        """How often a hand comes to the street."""
        return len(self.streets) / sum(each.hands for each in self.streets)

    def gain(self, seat: int | None = None) -> tuple[float, float]:
        """The gain a hand in mbb, and its standard error: in a seat, or the mean of both."""
        seats = (0, 1) if seat is None else (seat,)
        gains = np.array(
            [np.mean([each.best[s] - each.own[s] for s in seats]) for each in self.streets]
        )
        hands = np.array([each.hands for each in self.streets], np.float64)
        mean = float(gains.sum() / hands.sum())
        if len(gains) < 2:
            return mean * self.mbb, nan
        rest = gains - mean * hands
        error = sqrt(float(rest @ rest) * len(gains) / (len(gains) - 1)) / hands.sum()
        return mean * self.mbb, float(error) * self.mbb

    @classmethod
    def of(cls, streets: Iterable[StreetGain], game: BettingGame) -> StreetGains:
        """Those of some streets; ValueError if there are none."""
        found = tuple(streets)
        if not found:
            raise ValueError("no street was finished")
        return cls(found, game.mbb)


def street_gains(
    tasks: Sequence[StreetTask],
    folder: Path | None = None,
    *,
    workers: int = 1,
    ray: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
) -> list[StreetGain]:
    """Do the tasks that are not in the folder yet, and give all results in their order.

    After Ctrl-C those before which all are done: which tasks end first depends on how long they
    take, and such streets are not like others.
    """
    store = None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        store = LineStore(
            folder / "streets.jsonl", asdict, StreetGain.from_json, lambda found: found.key
        )
    jobs = {task.key: task for task in tasks}
    found: dict[str, StreetGain] = {}
    try:
        found.update(run_jobs(jobs, StreetTask.run, store, workers=workers, ray=ray, report=report))
    except KeyboardInterrupt:
        if tasks[0].key not in found:
            raise
    return [found[task.key] for task in takewhile(lambda task: task.key in found, tasks)]


@lru_cache(maxsize=1)
def _at_table(bot: str, game: str) -> tuple[Bot, BettingGame]:
    return make_bot(bot), load_table_game(game)


def forget_bots() -> None:
    """Let go of the bot that is kept in this process."""
    _at_table.cache_clear()
