"""Counting the hands of many files: in parallel, and resumable, with `run_jobs`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pokerlab.arena.logs.counting import HandCounts
from pokerlab.arena.logs.histories import FoundHand, HandFilter, read_hands
from pokerlab.arena.logs.history_hand import HistoryHand
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import LineStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs

_VERSION = 2
"""Of what is counted: another version counts files again that were counted before."""

_LONGEST = 1 << 28
"""Bytes that are kept of one file: some hundred for each of its players."""


def count_file(path: Path, chosen: HandFilter, **counted: Any) -> HandCounts:
    """Count the hands of one file; `counted` is what `HandCounts` takes."""
    counts = HandCounts(**counted)
    counts.add_all(_hands(path, chosen, counts))
    return counts


def count_files(
    files: Sequence[Path],
    chosen: HandFilter | None = None,
    *,
    keep: str | os.PathLike[str] | None = None,
    workers: int = 1,
    ray: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
    **counted: Any,
) -> HandCounts:
    r"""Count the hands of many files.

    Parameters
    ----------
    files
        PHH files, and texts of poker sites.
    chosen
        Which hands count; by default all.
    keep
        A file for what was counted: with it, the same call goes on after an interruption, and
        counts only files that are new or were changed.
    workers, ray, report
        As of `pokerlab.runtime.files.jobs.run_jobs`.
    **counted
        What `HandCounts` takes: `together`, `lines`, `player`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> hand = '''variant = 'NT'
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [inf, inf]
    ... actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "night.phhs")
    ...     _ = path.write_text(f"[1]\n{hand}[2]\n{hand}")
    ...     counts = count_files([path], together=True)
    >>> counts.hands, counts.statistics()["pool"].hands
    (2, 4)
    """
    chosen = chosen or HandFilter()
    jobs: dict[str, Path] = {}
    for path in files:
        jobs.setdefault(_key(path, chosen, counted), path)
    tasks = {key: (key, path) for key, path in jobs.items()}
    store: LineStore[Any] | None = None
    if keep is not None:
        store = LineStore(keep, dict, _checked, lambda found: found["key"], _LONGEST)
    whole = HandCounts(**counted)
    work: Callable[[tuple[str, Path]], Any] = partial(
        _counted if store is None else _packed, chosen=chosen, counted=counted
    )
    for _, found in run_jobs(tasks, work, store, workers=workers, ray=ray, report=report):
        whole.merge(found if store is None else HandCounts.from_json(found))
    return whole


def _counted(task: tuple[str, Path], chosen: HandFilter, counted: dict[str, Any]) -> HandCounts:
    return count_file(task[1], chosen, **counted)


def _packed(task: tuple[str, Path], chosen: HandFilter, counted: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a file."""
    key, path = task
    return {"key": key, **count_file(path, chosen, **counted).to_json()}


def _hands(path: Path, chosen: HandFilter, counts: HandCounts) -> Iterator[HistoryHand]:
    for found in read_hands(path):
        if isinstance(found, FoundHand):
            if chosen.takes(found.hand):
                yield found.hand
        else:
            counts.leave_out(found.reason, f"{path.name}: hand {found.number}", found.variant)


def _key(path: Path, chosen: HandFilter, counted: dict[str, Any]) -> str:
    """What names a file, its state, and what is counted, for good."""
    try:
        state = path.stat()
    except OSError:
        raise ValueError(f"{path}: there is no such file") from None
    parts = (
        _VERSION,
        str(path.resolve()),
        state.st_size,
        state.st_mtime_ns,
        chosen,
        sorted(counted.items()),
    )
    return digest(repr(parts).encode())


def _checked(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict) or not isinstance(data.get("key"), str):
        raise ValueError("not the counts of a file of hands")
    HandCounts.from_json(data)
    return data
