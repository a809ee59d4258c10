"""What was played for the reproduction, found by who played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pokerlab.arena.tournaments import Tournament
from pokerlab.studies.mapping.matches import MappingMatch
from pokerlab.studies.mapping.neighbours import NeighbourSurvey
from pokerlab.studies.mapping.plan import MappingPlan
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.mapping.thesis import TOURNAMENT_BOTS


@dataclass(frozen=True, eq=False)
class MappingResults:
    """All matches of a plan.

    Attributes
    ----------
    plan
        What was to be played.
    played
        The result of each match, as JSON.
    """

    plan: MappingPlan
    played: Mapping[MappingMatch, dict[str, Any]]

    def match(self, hero: str, pair: tuple[str, str]) -> Record:
        """A bot against two others."""
        return Record.from_json(self.played[self.plan.match(hero, pair)])

    def long_match(self, hero: str, pair: tuple[str, str]) -> Record:
        """The same with more hands and other cards."""
        return Record.from_json(self.played[self.plan.long_match(hero, pair)])

    def matches(self, heroes: Sequence[str], pair: tuple[str, str]) -> list[Record]:
        """Several bots against the same two others."""
        return [self.match(hero, pair) for hero in heroes]

    def survey(self, bot: str, histories: int) -> NeighbourSurvey:
        """What a mapping was mapped to."""
        return NeighbourSurvey.from_json(self.played[self.plan.survey(bot, histories)])

    def tournament(self, bots: Sequence[str] = TOURNAMENT_BOTS) -> Tournament:
        """The tournament of some bots, which it calls by their labels."""
        results = []
        for match in self.plan.tournament(bots):
            result = Record.from_json(self.played[match]).result
            results.append(
                replace(result, names=match.labels, plan=replace(result.plan, bots=match.labels))
            )
        return Tournament(tuple(bots), tuple(results))

    @property
    def seconds(self) -> float:
        """How long all matches took, one after the other; without the surveys of histories."""
        results = (data["result"] for data in self.played.values() if "result" in data)
        return sum(float(result["seconds"]) for result in results)
