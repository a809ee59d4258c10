"""The matches of the reproduction as jobs: whatever ends the program, none is played twice.

Every finished match is a file of its own, so that several programs can share the work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs
from pokerlab.studies.mapping.neighbours import NeighbourSurvey, survey_neighbours
from pokerlab.studies.mapping.records import Record, play_record

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

    def play(self) -> dict[str, Any]:
        """Play it; the numbers that are kept, as JSON."""
        if self.neighbours:
            return survey_neighbours(self.texts, self.hands, self.seed).to_json()
        return play_record(self.texts, self.hands, self.seed, counted=self.counted).to_json()


class MatchFolder(FolderStore[dict[str, Any]]):
    """Finished matches on disk.

    Parameters
    ----------
    path
        The folder; made when the first match begins.
    digest
        Of the strategies that play: matches of others are not found again.
    """

    def __init__(self, path: Path, digest: str) -> None:
        super().__init__(path, from_json=_checked)
        self.digest = digest

    def key(self, match: MappingMatch) -> str:
        """What a match is kept under."""
        # Files of strategies may move, so their content counts and not where they lie.
        return json.dumps(
            [
                _FORMAT,
                self.digest,
                match.labels,
                match.hands,
                match.seed,
                match.counted,
                match.neighbours,
            ]
        )

    def read(self, match: MappingMatch) -> dict[str, Any] | None:
        """The result of a match; None if it was not played, or its file is damaged."""
        return self.get(self.key(match))


def play_mapping_matches(
    matches: Sequence[MappingMatch],
    folder: MatchFolder,
    *,
    workers: int = 1,
    report: Callable[[JobProgress], None] | None = None,
) -> dict[MappingMatch, dict[str, Any]]:
    """Play all matches that are not in the folder yet.

    Parameters
    ----------
    matches
        What to play; what stands there twice is played once.
    folder
        Where results are kept.
    workers
        How many at a time; 0: as many as there are processors.
    report
        Is called with the progress after every match.
    """
    jobs = {folder.key(match): match for match in matches}
    found = run_jobs(jobs, MappingMatch.play, folder, workers=workers, report=report)
    return {jobs[key]: data for key, data in found}


def _checked(data: Any) -> dict[str, Any]:
    """What is kept of a match; `ValueError` for anything else."""
    try:
        kind = Record if "result" in data else NeighbourSurvey
        kind.from_json(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is not what is kept of a match ({error!r})") from None
    found: dict[str, Any] = data
    return found
