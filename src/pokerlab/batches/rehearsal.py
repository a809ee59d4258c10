"""Compile the kernels once, before several processes that all need them start."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.batches.decisions import first_street
from pokerlab.batches.question import BatchQuestion
from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.solving import solve_spot

_HANDS = 3
"""Of each range; enough that some can be dealt together."""


def rehearse(question: BatchQuestion, board: str, streets: int | None) -> None:
    """Solve a board for a few hands, in one iteration, on the processor.

    All kernels that the boards need are in the cache then, and no process compiles them for
    itself: half a minute for each, all at the same time. With a warm cache it takes a second.
    """
    fields = {**question.spot_fields(board), "locks": {}}
    spot = question.spot(board)
    for name, hands in zip(("oop", "ip"), spot.ranges, strict=True):
        fields[name] = str(Range(_few(hands.weights)))
    with suppress(ValueError):  # hands that share their cards: the processes compile themselves
        solution = solve_spot(
            Spot.from_fields(fields),
            question.rule,
            iterations=1,
            threads=1,
            precision=question.precision,
            isomorphism=question.isomorphism,
            groups=question.groups,
            device="cpu",
            streets=streets,
        )
        first_street(solution)


def _few(weights: Floats) -> Floats:
    """The weights of a few hands that lie far apart, so that two ranges seldom share all cards."""
    known = np.flatnonzero(weights)
    chosen = known[np.linspace(0, len(known) - 1, min(_HANDS, len(known))).astype(int)]
    few = np.zeros_like(weights)
    few[chosen] = weights[chosen]
    return few
