"""Which matches heads-up experts and the biases by history play, beside the mappings.

They are played as those of the reproduction (`pokerlab.studies.mapping.plan`): tournaments with
cards of their own, and several bots on the same cards against the same opponents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pokerlab.arena.tournaments import match_seed
from pokerlab.studies.mapping.entrants import (
    STITCHED,
    THREE_PLAYER_BOT,
    THREE_PLAYER_PAIR,
    TUNED_STAND_INS,
)
from pokerlab.studies.mapping.matches import MappingMatch
from pokerlab.studies.mapping.plan import MAPPINGS, PAIRS, MappingPlan, MappingResults, hybrid
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.mapping.thesis import TOURNAMENT_BOTS

STITCHED_BOT = f"{THREE_PLAYER_BOT}{STITCHED}"
STITCHED_PAIR = (STITCHED_BOT, STITCHED_BOT)
STITCHED_MAPPING = f"HBB7{STITCHED}"
STITCHED_FAIR = f"dpp{STITCHED}"

TOURNAMENT = (*MAPPINGS, THREE_PLAYER_BOT, STITCHED_BOT, STITCHED_MAPPING)
BIASED = ("HBB5,bias", "HBB5,folds", "HBB5,folds,postflop")
"""The thesis's bias by hand, one by hand and betting before the flop, and one on all streets."""
LONG_BOTS = (
    "HBB5",
    *BIASED,
    hybrid("HBB5", preflop=True),
    STITCHED_FAIR,
    "HBB7",
    STITCHED_MAPPING,
    THREE_PLAYER_BOT,
    STITCHED_BOT,
)
"""Who plays the matches with the same cards."""
TUNED_TOURNAMENT = (*TOURNAMENT_BOTS[:-2], *TUNED_STAND_INS)
"""The tournament of the thesis, with stand-ins for akuma and ownbot that are tuned to it."""
DUELS = (
    (STITCHED_BOT, THREE_PLAYER_PAIR),
    (THREE_PLAYER_BOT, STITCHED_PAIR),
    (STITCHED_MAPPING, STITCHED_PAIR),
)
"""Small differences, which need the most hands."""
DUEL_FACTOR = 20
"""The length of a duel, as a multiple of the hands of a match of the tournament."""


@dataclass(frozen=True)
class StitchingPlan(MappingPlan):
    """All matches.

    Examples
    --------
    >>> from pathlib import Path
    >>> from pokerlab.studies.mapping.entrants import Entrants
    >>> plan = StitchingPlan(Entrants(Path("two"), Path("three"), Path("experts")), 600)
    >>> len(plan.tournament(TOURNAMENT)), len(plan.matches())
    (120, 187)
    >>> plan.duel(*DUELS[0]).hands
    12000
    """

    def duel(self, hero: str, pair: tuple[str, str]) -> MappingMatch:
        """A bot against two others, with most hands."""
        match = self._match((hero, *pair), match_seed(self.seed, (hero, *pair, "duel")))
        return replace(match, hands=DUEL_FACTOR * self.hands)

    def _all(self) -> Iterator[MappingMatch]:
        yield from (self.duel(*duel) for duel in DUELS)
        for bot in LONG_BOTS:
            yield from (self.long_match(bot, pair) for pair in PAIRS)
        yield from self.tournament(TOURNAMENT)
        yield from self.tournament(TUNED_TOURNAMENT)


@dataclass(frozen=True, eq=False)
class StitchingResults(MappingResults):
    """All matches of a plan."""

    plan: StitchingPlan

    def duel(self, hero: str, pair: tuple[str, str]) -> Record:
        """A bot against two others."""
        return Record.from_json(self.done[self.plan.duel(hero, pair)])
