"""Threads work at the same time: what each writes to is its own."""

import numpy as np

from pokerlab.holdem.spots import PostflopSolver, Spot


def test_first_street_shares_no_memory_with_boards_below():
    # Another thread may evaluate the leaves of the first street while thread 0 is on a board.
    spot = Spot("Qs8h3d", "AA, KQs", "KK, QJs", pot=10, stack=20, bet="a", runouts="2x2")
    walker = PostflopSolver(spot, threads=3)._walker
    with walker._workspaces() as works:
        for hero in range(2):
            top = works.of(0, 0, hero)
            for thread in range(3):
                for level in (1, 2):
                    own = works.of(thread, level, hero)
                    pairs = [(top.lists, own.lists), (top.tile, own.tile)]
                    pairs += list(zip(top.leaves, own.leaves, strict=True))
                    assert not any(np.shares_memory(*pair) for pair in pairs)
