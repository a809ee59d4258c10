"""Which matches the reproduction plays, about how long that takes, and results by who played.

Matches of a table have the same cards, as in the thesis, so that they can be compared deal by
deal. Matches of the tournament have cards of their own each, so that their errors add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pokerlab.arena.tournaments import Tournament, match_seed
from pokerlab.studies.mapping.entrants import (
    FAIR_PAIR,
    OWN_MAPPINGS,
    STRONG_PAIR,
    THESIS_MAPPINGS,
    THREE_PLAYER_BOT,
    THREE_PLAYER_PAIR,
    Entrants,
    with_options,
)
from pokerlab.studies.mapping.matches import MappingMatch
from pokerlab.studies.mapping.neighbours import NeighbourSurvey
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.mapping.thesis import HANDS, NEAREST_COUNTS, NEAREST_PLAIN, TOURNAMENT_BOTS
from pokerlab.studies.reporting.study import Kept

MAPPINGS = THESIS_MAPPINGS + OWN_MAPPINGS
PAIRS = (FAIR_PAIR, STRONG_PAIR, THREE_PLAYER_PAIR)
"""Opponents that every mapping meets."""
WIDE_TOURNAMENT = (*TOURNAMENT_BOTS, *OWN_MAPPINGS, THREE_PLAYER_BOT)
"""The bots of the thesis, and what it did not have."""
RANDOM_PAIR = ("RandomBot", "RandomBot")
LONG_BOTS = ("HBB5", *OWN_MAPPINGS, "HBB6,bias", THREE_PLAYER_BOT)
"""Who also plays the long matches; each is compared with the first."""
LONG_FACTOR = 3
"""The length of a long match, as a multiple of the hands of the others."""
SURVEYED_NEAREST = (10, 15)
"""How many histories the analyses of variance and distance look at."""

_SECONDS = {
    "RaiseBot": 0.00005,
    "CallBot": 0.00005,
    "RandomBot": 0.00005,
    "dpp": 0.0002,
    "akuma": 0.0045,
    "ownbot": 0.0003,
    THREE_PLAYER_BOT: 0.0001,
}
"""What a bot takes for a hand, measured on one busy core; a mapping takes `_MAPPING_SECONDS`."""
_MAPPING_SECONDS, _NEIGHBOUR_SECONDS = 0.0005, 0.00006
_START_SECONDS = 0.2


def nearest(bot: str, histories: int, *, weighted: bool = False) -> str:
    """The label of a mapping that asks several histories.

    Examples
    --------
    >>> nearest("HBB2", 5, weighted=True), nearest("HBB2", 1, weighted=True)
    ('HBB2,nearest=5,weighted', 'HBB2')
    """
    if histories == 1:  # then there is nothing to weigh
        return bot
    return with_options(bot, f"nearest={histories}", *(["weighted"] if weighted else []))


def hybrid(bot: str, *, preflop: bool = False) -> str:
    """The label of a fair bot that uses a mapping after a fold.

    Examples
    --------
    >>> hybrid("HBB2"), hybrid("HBB2", preflop=True)
    ('hybrid HBB2', 'hybrid HBB2,preflop')
    """
    return with_options(f"hybrid {bot}", *(["preflop"] if preflop else []))


@dataclass(frozen=True)
class MappingPlan:
    """All matches.

    Attributes
    ----------
    entrants
        The bots.
    hands
        Of a match, all seatings counted.
    seed
        Of everything.
    quick
        Whether the strategies know starting hands only.

    Examples
    --------
    >>> from pathlib import Path
    >>> plan = MappingPlan(Entrants(Path("two"), Path("three")), 600)
    >>> plan.match("HBB2", FAIR_PAIR).texts
    ('hbb2:two', 'fair', 'fair')
    >>> plan.match("HBB2", FAIR_PAIR).seed == plan.match("HBB3", FAIR_PAIR).seed
    True
    >>> len(plan.tournament()), len(plan.tournament(WIDE_TOURNAMENT)), len(plan.matches())
    (35, 120, 223)
    >>> MappingPlan(Entrants(Path("two"), Path("three")), 100)
    Traceback (most recent call last):
    ValueError: --hands 100: the 6 seatings of a duplicate match share the hands (take 96 or 102)
    """

    entrants: Entrants
    hands: int
    seed: int = 0
    quick: bool = False

    @property
    def judged(self) -> bool:
        """Whether conclusions may be judged: whole strategies, and as many hands as the thesis."""
        return not self.quick and self.hands >= max(HANDS.values())

    def __post_init__(self) -> None:
        if self.hands < 12 or self.hands % 6:
            below = self.hands - self.hands % 6
            near = f"{below} or {below + 6}" if below >= 12 else "12 or more"
            raise ValueError(
                f"--hands {self.hands}: the 6 seatings of a duplicate match share the hands"
                f" (take {near})"
            )
        if self.seed < 0:
            raise ValueError(f"--seed {self.seed}: a seed is 0 or more")

    def match(self, hero: str, pair: tuple[str, str]) -> MappingMatch:
        """A bot against two others, with the same cards for every bot."""
        counted = pair in (FAIR_PAIR, THREE_PLAYER_PAIR)
        return self._match((hero, *pair), match_seed(self.seed, pair), counted=counted)

    def long_match(self, hero: str, pair: tuple[str, str]) -> MappingMatch:
        """A bot against two others, with more hands and other cards than `match`."""
        match = self._match((hero, *pair), match_seed(self.seed, (*pair, "long")))
        return replace(match, hands=LONG_FACTOR * self.hands)

    def tournament(self, bots: Sequence[str] = TOURNAMENT_BOTS) -> list[MappingMatch]:
        """Every three of some bots against each other."""
        return [self._match(three, match_seed(self.seed, three)) for three in combinations(bots, 3)]

    def survey(self, bot: str, histories: int) -> MappingMatch:
        """A mapping against two random bots."""
        labels = (nearest(bot, histories), *RANDOM_PAIR)
        return self._match(labels, match_seed(self.seed, RANDOM_PAIR), neighbours=True)

    def matches(self) -> list[MappingMatch]:
        """All there is to play, each once: the long ones, then slow ones and fast ones mixed."""
        return sorted(
            dict.fromkeys(self._all()),
            key=lambda match: (-match.hands, match_seed(0, match.labels)),
        )

    def _all(self) -> Iterator[MappingMatch]:
        yield from self.tournament(WIDE_TOURNAMENT)
        for bot in (*MAPPINGS, THREE_PLAYER_BOT):
            yield from (self.match(bot, pair) for pair in PAIRS)
        yield self.match("dpp", FAIR_PAIR)
        for bot in NEAREST_PLAIN:
            for histories in NEAREST_COUNTS:
                yield self.match(nearest(bot, histories), STRONG_PAIR)
                yield self.match(nearest(bot, histories), FAIR_PAIR)
                yield self.match(nearest(bot, histories, weighted=True), FAIR_PAIR)
            yield from (self.survey(bot, histories) for histories in SURVEYED_NEAREST)
        for bot in MAPPINGS:
            yield self.match(with_options(bot, "bias"), FAIR_PAIR)
            yield self.match(hybrid(bot), FAIR_PAIR)
            yield self.match(hybrid(bot, preflop=True), FAIR_PAIR)
        yield self.match(with_options("HBB5", "greedy"), FAIR_PAIR)
        for bot in LONG_BOTS:
            yield from (self.long_match(bot, pair) for pair in PAIRS if bot not in pair)

    def _match(
        self, labels: tuple[str, ...], seed: int, *, counted: bool = False, neighbours: bool = False
    ) -> MappingMatch:
        texts = self.entrants.texts(labels)
        return MappingMatch(labels, texts, self.hands, seed, counted, neighbours)


@dataclass(frozen=True, eq=False)
class MappingResults:
    """All matches of a plan.

    Attributes
    ----------
    plan
        What was to be played.
    done
        What is kept of each match.
    """

    plan: MappingPlan
    done: Mapping[MappingMatch, Kept]

    def match(self, hero: str, pair: tuple[str, str]) -> Record:
        """A bot against two others."""
        return Record.from_json(self.done[self.plan.match(hero, pair)])

    def long_match(self, hero: str, pair: tuple[str, str]) -> Record:
        """The same with more hands and other cards."""
        return Record.from_json(self.done[self.plan.long_match(hero, pair)])

    def matches(self, heroes: Sequence[str], pair: tuple[str, str]) -> list[Record]:
        """Several bots against the same two others."""
        return [self.match(hero, pair) for hero in heroes]

    def survey(self, bot: str, histories: int) -> NeighbourSurvey:
        """What a mapping was mapped to."""
        return NeighbourSurvey.from_json(self.done[self.plan.survey(bot, histories)])

    def tournament(self, bots: Sequence[str] = TOURNAMENT_BOTS) -> Tournament:
        """The tournament of some bots, which it calls by their labels."""
        results = []
        for match in self.plan.tournament(bots):
            result = Record.from_json(self.done[match]).result
            results.append(
                replace(result, names=match.labels, plan=replace(result.plan, bots=match.labels))
            )
        return Tournament(tuple(bots), tuple(results))

    @property
    def seconds(self) -> float:
        """How long all matches took, one after the other; without the surveys of histories."""
        results = (data["result"] for data in self.done.values() if "result" in data)
        return sum(float(result["seconds"]) for result in results)


def expected_seconds(matches: Sequence[MappingMatch], workers: int) -> float:
    """A guess how long some matches take.

    Examples
    --------
    >>> from pathlib import Path
    >>> plan = MappingPlan(Entrants(Path("two"), Path("three")), 6000)
    >>> 600 < expected_seconds(plan.matches(), 2) < 2400
    True
    """
    return sum(map(_seconds, matches)) / workers


def _seconds(match: MappingMatch) -> float:
    return _START_SECONDS + match.hands * sum(map(_seconds_a_hand, match.labels))


def _seconds_a_hand(label: str) -> float:
    name, *options = label.split(",")
    if name in _SECONDS:
        return _SECONDS[name]
    histories = [int(text.removeprefix("nearest=")) for text in options if "=" in text]
    return _MAPPING_SECONDS + _NEIGHBOUR_SECONDS * sum(histories)
