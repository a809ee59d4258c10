"""The matches of the reproduction as tasks: whatever ends the program, none is played twice.

Every finished match is a file of its own, so that several programs can share the work.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pokerlab.studies.mapping.neighbours import NeighbourSurvey, survey_neighbours
from pokerlab.studies.mapping.records import Record, play_record
from pokerlab.studies.reporting.study import Kept

_FORMAT = 1


@dataclass(frozen=True)
class MappingMatch:
    """A match to play, and what to note of it.

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

    def run(self) -> Kept:
        """Play it; the numbers that are kept, as JSON."""
        if self.neighbours:
            return survey_neighbours(self.texts, self.hands, self.seed).to_json()
        return play_record(self.texts, self.hands, self.seed, counted=self.counted).to_json()


def match_key(digest: str, match: MappingMatch) -> str:
    """What a match is kept under; `digest` is that of the strategies which play."""
    # Files of strategies may move, so their content counts and not where they lie.
    noted = (match.counted, match.neighbours)
    return json.dumps([_FORMAT, digest, match.labels, match.hands, match.seed, *noted])


def checked_match(data: Any) -> Kept:
    """What is kept of a match; `ValueError` for anything else."""
    try:
        kind = Record if "result" in data else NeighbourSurvey
        kind.from_json(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is not what is kept of a match ({error!r})") from None
    found: Kept = data
    return found
