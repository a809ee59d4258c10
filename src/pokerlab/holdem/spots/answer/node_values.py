"""The values of all nodes of a board at once, cached.

A walk for one player gives the values at every node of a board, so going from node to node on it
costs one walk a player. The first street needs a walk over the whole tree, unless its values were
kept; a turn board a walk over its own rivers, and a river board itself alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import Probabilities, Walker, board_storage, make_walker
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Reals
from pokerlab.runtime.forks import renew_after_fork
from pokerlab.runtime.machine import core_count

Key: TypeAlias = tuple[int, tuple[int, ...]]

_MAX_BYTES = 2**28


class NodeValues:
    """The values of a solution's strategies, board by board; safe to use from several threads.

    Or those of best responses to them.

    Parameters
    ----------
    spot, boards, layout, strategies
        The game and the strategies.
    values_below
        For each player the values where the first street begins whose strategies are missing.
    first_values
        For each player the values on the first street, if they are known.
    groups
        Which hands share a strategy.
    best
        Whether the values are those of best responses; the strategies of the player whose values
        are asked for are then not looked at, and `boards` may have more hands of that player.
    max_bytes
        How much memory the boards that were asked for may take; those that nobody asked for in
        the longest time are forgotten first.
    """

    def __init__(
        self,
        spot: Spot,
        boards: Boards,
        layout: StrategyLayout,
        strategies: Probabilities,
        values_below: Sequence[Reals] = (),
        first_values: Sequence[BoardValues] = (),
        groups: BoardGroups | None = None,
        *,
        best: bool = False,
        max_bytes: int = _MAX_BYTES,
    ) -> None:
        self._spot = spot
        self._boards = boards
        self._layout = layout
        self._strategies = strategies
        self._values_below = values_below
        self._first_values = first_values
        self._groups = groups
        self._best = best
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Key, BoardValues] = OrderedDict()
        self._used = 0
        self._walker: Walker | None = None
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Begin as if nobody had asked for anything that is not there yet."""
        self._under_way: dict[Key, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def walker(self) -> Walker:
        """The walker that computes them, in float64."""
        with self._lock:
            if self._walker is None:
                threads = core_count()
                self._walker = make_walker(
                    self._spot, self._boards, np.float64, threads, groups=self._groups
                )
            return self._walker

    def at(self, numbers: Sequence[int], player: int) -> BoardValues:
        """A player's values on a board: the numbers of the boards on the way to it."""
        key = player, tuple(numbers)
        if not numbers and self._first_values:
            return self._first_values[player]
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            under_way = self._under_way.setdefault(key, threading.Lock())
        with under_way:
            with self._lock:
                if key in self._kept:  # another thread asked for the same
                    return self._kept[key]
            # On a street that is missing nothing is known; nobody asks.
            known = self._values_below[player] if self._values_below else None
            players = (1 - player,) if self._best else (0, 1)
            storage = board_storage(self._layout, self._strategies, self._boards, numbers, players)
            found = self.walker.board_values(storage, player, key[1], known, best=self._best)
            with self._lock:
                self._kept[key] = found
                self._used += found.nbytes
                self._under_way.pop(key, None)
                self._forget()
        return found

    def _forget(self) -> None:
        while self._used > self._max_bytes and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._used -= oldest.nbytes
