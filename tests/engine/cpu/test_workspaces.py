"""Threads work at the same time: what each writes to is its own."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.holdem.spots import PostflopSolver, Spot


def rooms(works):
    """The arrays of workspaces that hold nothing from one step to the next."""
    return [room for work in works for room in (work.groups, work.lists, work.tile, *work.leaves)]


def overlap(first, second):
    return any(np.shares_memory(one, other) for one in first for other in second)


@pytest.mark.parametrize(("turns", "cut"), [(3, False), (2, True)])
def test_threads_share_no_room(turns, cut):
    spot = Spot("Qs8h3d", "any", "any", pot=10, stack=60, bet="50%, a", runouts=f"{turns}x2")
    walker = PostflopSolver(spot, threads=3)._walker
    assert bool(walker._pieces) == cut  # two turns are shared out in pieces among three threads
    with walker._workspaces() as works:
        found = [rooms(works.all_of(thread)._kept[0]) for thread in range(3)]
        assert not any(overlap(*pair) for pair in combinations(found, 2))
        # Any thread may evaluate the leaves of the first street while thread 0 is on a board.
        top, below = (
            rooms([works.of(0, level, 0) for level in levels]) for levels in ([0], [1, 2])
        )
        assert not overlap(top, below)
