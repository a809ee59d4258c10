"""Comparisons of matches that were played with the same cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.reporting.measure import Measure, mean_of


def compared(first: Sequence[Record], second: Sequence[Record] = ()) -> Measure:
    """What the first bots of some matches win, less what those of others win, in mbb per hand.

    Each side is the mean of its matches, and nothing where it has none. All must have been played
    with the same cards: then they are compared deal by deal, and what all of them owe to the
    cards cancels out.

    Examples
    --------
    >>> from pokerlab.studies.mapping.records import play_record
    >>> raiser, caller = (play_record([bot, "fair", "fair"], 30, 1) for bot in ("raiser", "caller"))
    >>> compared([raiser], [raiser])
    Measure(value=0.0, error=0.0)
    >>> compared([raiser], [caller]).value == float((raiser.won - caller.won).mean())
    True
    """
    matches = {(each.result.plan.seed, len(each.won)) for each in (*first, *second)}
    if len(matches) != 1:
        raise ValueError(f"matches of different cards (seed, deals) {sorted(matches)}")
    return mean_of(_mean_won(first) - _mean_won(second))


def _mean_won(records: Sequence[Record]) -> Floats:
    """Deal by deal; a single zero where there are no matches."""
    if not records:
        return np.zeros(1)
    found: Floats = np.mean([each.won for each in records], axis=0)
    return found
