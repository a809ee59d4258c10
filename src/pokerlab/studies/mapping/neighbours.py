"""How similar the histories of a decision are: the analyses of variance and of distance.

A mapping asks the strategy about several two-player histories. If they stood for much the same
decision, the strategy would say much the same in all of them. For each mapping (a decision against
one opponent) we note the variance of the probabilities among its histories, by how many there
were; and for each history how far it is from the mean of its mapping, by its distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pokerlab.arena.matches import play_match
from pokerlab.games import BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.mapping.bot import Mapped, MappingBot
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.mapping.records import GAME
from pokerlab.studies.reporting.measure import Measure

RAISING, RAISING_WITHIN = 0.7, 0.1
"""The thesis draws distances for mappings whose mean probability to raise is about this."""


@dataclass
class Moments:
    """Number, sums and sums of squares of triples: what a mean and its error need."""

    count: int = 0
    total: Floats = field(default_factory=lambda: np.zeros(3))
    squares: Floats = field(default_factory=lambda: np.zeros(3))

    def add(self, values: Floats) -> None:
        """Take in one triple."""
        self.count += 1
        self.total += values
        self.squares += values**2

    def mean(self, action: int) -> Measure:
        """The mean for an action in the order of the thesis: 0 raise, 1 call, 2 fold."""
        if self.count == 0:
            return Measure(np.nan, np.nan)
        mean = self.total[action] / self.count
        if self.count == 1:
            return Measure(float(mean), np.nan)
        variance = max(self.squares[action] / self.count - mean**2, 0.0) / (self.count - 1)
        return Measure(float(mean), float(np.sqrt(variance)))


@dataclass
class NeighbourSurvey:
    """What the histories of many mappings looked like.

    Attributes
    ----------
    mappings
        How many there were.
    without_history
        Those for which the strategy knew none of the candidates.
    asked, unknown
        Histories that the strategy was asked about, and those of them that it did not know.
    variances
        By the number of histories of a mapping: the variance of their triples.
    deviations, raising_deviations
        By distance: how far a history's triple is from the mean of its mapping; the second only
        where the mean probability to raise is near `RAISING`.
    """

    mappings: int = 0
    without_history: int = 0
    asked: int = 0
    unknown: int = 0
    variances: dict[int, Moments] = field(default_factory=dict)
    deviations: dict[int, Moments] = field(default_factory=dict)
    raising_deviations: dict[int, Moments] = field(default_factory=dict)

    def add(self, mapped: Mapped) -> None:
        """Take in a mapping."""
        self.mappings += 1
        if mapped.skipped == mapped.candidates:
            self.without_history += 1
            self.asked += mapped.candidates
            self.unknown += mapped.candidates
            return
        self.asked += mapped.skipped + len(mapped.neighbours)
        self.unknown += mapped.skipped
        # The tables of the thesis stand in the order raise, call, fold.
        triples = np.array([each.triple[::-1] for each in mapped.neighbours])
        mean = triples.mean(axis=0)
        self.variances.setdefault(len(triples), Moments()).add(triples.var(axis=0))
        near = abs(mean[0] - RAISING) <= RAISING_WITHIN
        for neighbour, away in zip(mapped.neighbours, np.abs(triples - mean), strict=True):
            distance = round(neighbour.distance)
            self.deviations.setdefault(distance, Moments()).add(away)
            if near:
                self.raising_deviations.setdefault(distance, Moments()).add(away)

    @property
    def variance(self) -> Moments:
        """The variances of all mappings that had two histories or more."""
        whole = Moments()
        for histories, part in self.variances.items():
            if histories > 1:
                whole.count += part.count
                whole.total = whole.total + part.total
                whole.squares = whole.squares + part.squares
        return whole

    def to_json(self) -> dict[str, Any]:
        """The survey as JSON."""
        data: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        for name in _TABLES:
            data[name] = {
                key: [each.count, each.total.tolist(), each.squares.tolist()]
                for key, each in sorted(getattr(self, name).items())
            }
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NeighbourSurvey:
        """The survey that `to_json` made."""
        survey = cls(**{name: data[name] for name in _NUMBERS})
        for name in _TABLES:
            table = getattr(survey, name)
            for key, (count, total, squares) in data[name].items():
                table[int(key)] = Moments(count, np.array(total), np.array(squares))
        return survey


_NUMBERS = ("mappings", "without_history", "asked", "unknown")
_TABLES = ("variances", "deviations", "raising_deviations")


def survey_neighbours(texts: Sequence[str], hands: int, seed: int) -> NeighbourSurvey:
    """Play a duplicate match and look at all mappings of its first bot."""
    bot = make_bot(texts[0])
    if not isinstance(bot, MappingBot):
        raise ValueError(f"bot {texts[0]!r} is not a mapping: it has no nearest histories")
    survey = NeighbourSurvey()
    play_match(GAME, [_Observed(bot, survey), *texts[1:]], hands, seed, duplicate=True)
    return survey


class _Observed(Bot):
    """Plays as a mapping does, and notes what it is mapped to."""

    def __init__(self, bot: MappingBot, survey: NeighbourSurvey) -> None:
        self.bot = bot
        self.survey = survey

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        self.bot.reset(game, rng)

    def act(self, view: DealtState) -> str:
        for mapped in self.bot.mappings(view):
            self.survey.add(mapped)
        return self.bot.act(view)
