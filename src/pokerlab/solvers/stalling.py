"""`stalls`: whether a solve stands still.

An update rule makes the exploitability fall about like a power of the iterations, at the slowest
like their power of 0.4, which halves it while the iterations grow fivefold. Rounding of stored
numbers and groups of hands have a floor below which it cannot fall, whatever the iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.solvers.history import Point

_GROWTH = 5
"""A solve is judged once its iterations have grown by this factor:"""
_FALL = 0.9
"""it stands still if its best exploitability is still above this part of the best before."""
_EARLIEST = 20
"""Measurements before this iteration do not count: regrets have to build up first, and the first
strategies may be close to equilibrium by chance."""


def stalls(history: Sequence[Point], since: int = 0) -> bool:
    """Whether the best exploitability fell by less than a tenth in the last fivefold iterations.

    Parameters
    ----------
    history
        All measurements, the oldest first. The best count, so swings of single ones do not.
    since
        Measurements before this iteration do not count: a solve that stood still and goes on
        all the same has to be given time again.

    Examples
    --------
    >>> falling = [Point(n, 0.0, 1 / n) for n in (20, 40, 80, 160, 320, 640)]
    >>> standing = [Point(n, 0.0, max(1 / n, 1 / 80)) for n in (20, 40, 80, 160, 320, 640)]
    >>> stalls(falling), stalls(standing), stalls(standing[:-1]), stalls(standing, since=160)
    (False, True, False, False)
    """
    counted = [point for point in history if point.iteration >= max(since, _EARLIEST)]
    if not counted:
        return False
    last = counted[-1].iteration
    before = [each.exploitability for each in counted if each.iteration * _GROWTH <= last]
    best = min(each.exploitability for each in counted)
    return bool(before) and best > _FALL * min(before)
