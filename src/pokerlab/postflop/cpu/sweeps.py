"""The plans of all sweeps over the boards of a spot (see `sweep_kernels`)."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.postflop.cpu.leaf_kernels import LEAVES
from pokerlab.postflop.cpu.sweep_kernels import (
    OPPOSING_PLACES,
    OWN_PLACES,
    OneSide,
    Sweep,
    write_places,
)
from pokerlab.postflop.tables.arrays import BoardTables
from pokerlab.postflop.tables.boards import Boards

_PLANNED: WeakKeyDictionary[Boards, tuple[tuple[Sweep, Sweep], ...]] = WeakKeyDictionary()


def plan_sweeps(boards: Boards) -> tuple[tuple[Sweep, Sweep], ...]:
    """The places for the sweeps of both heroes, street by street; made once for all walkers."""
    if boards not in _PLANNED:
        _PLANNED[boards] = tuple(_plan_street(tables) for tables in boards.tables)
    return _PLANNED[boards]


def _plan_street(tables: BoardTables) -> tuple[Sweep, Sweep]:
    first = _plan(tables, 0)
    # Where both players hold the same hands, they share their tables.
    return first, first if tables.hands[0] is tables.hands[1] else _plan(tables, 1)


def _plan(tables: BoardTables, hero: int) -> Sweep:
    own, other = tables.hands[hero], tables.hands[1 - hero]
    sweep = Sweep(
        np.empty(OWN_PLACES * len(own.order), np.uint16),
        np.empty(OPPOSING_PLACES * len(other.order), np.uint16),
    )
    write_places(
        OneSide(own.first, own.cards),
        OneSide(other.first, other.cards),
        own.same_hand,
        own.groups,
        tables.group_first,
        LEAVES,
        sweep,
    )
    return sweep
