"""Which bet sizes a live solve has: a ladder of menus for each street, the richest first.

The player's own sizes may be few, because it chooses among them; the opponent's are those and more,
so that what they really bet is often in the tree. The first menu of a ladder that is small enough
is taken: `pokerlab.players.bots.nolimit.street` says what is small enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.cards.ranges.range import Range
from pokerlab.engine.locks import LocksLike
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, Size, menu_text, parse_menu
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats


class SolveMenu(NamedTuple):
    """The sizes of a solve, for each street from the first one on."""

    name: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    raises: tuple[str, ...]
    max_bets: int
    """After this many bets and raises on a street only all-in is left."""
    runouts: str | None = None
    """The turns and rivers of a flop; None: all."""


_FLOPS = (
    SolveMenu(
        "flop-4",
        ("33%, 75%", "75%", "75%, 150%"),
        ("33%, 75%, 130%", "75%", "75%, 150%"),
        ("100%", "100%", "100%"),
        3,
    ),
    SolveMenu(
        "flop-3",
        ("33%, 75%", "75%", "75%"),
        ("33%, 75%", "75%", "75%"),
        ("100%", "100%", "100%"),
        3,
    ),
    SolveMenu(
        "flop-2", ("66%", "75%", "75%"), ("33%, 66%", "75%", "75%"), ("100%", "100%", "100%"), 2
    ),
    SolveMenu("flop-1", ("66%", "75%", "75%"), ("33%, 66%", "75%", "75%"), ("100%", "100%", ""), 2),
    SolveMenu("flop-0", ("66%", "75%", "75%"), ("66%", "75%", "75%"), ("100%", "", ""), 2),
)
_TURNS = (
    SolveMenu(
        "turn-4",
        ("66%, 125%", "50%, 150%"),
        ("33%, 66%, 125%", "50%, 150%"),
        ("100%", "100%"),
        3,
    ),
    SolveMenu("turn-3", ("75%", "50%, 150%"), ("33%, 75%, 150%", "50%, 150%"), ("100%", "100%"), 3),
    SolveMenu("turn-2", ("75%", "50%, 150%"), ("75%", "50%, 150%"), ("100%", "100%"), 2),
    SolveMenu("turn-1", ("75%", "75%"), ("75%, 150%", "75%"), ("100%", "100%"), 2),
    SolveMenu("turn-0", ("75%", "75%"), ("75%", "75%"), ("100%", ""), 2),
)
_RIVERS = (
    SolveMenu("river-3", ("33%, 75%, 150%, a",), ("33%, 75%, 150%, a",), ("50%, 100%, a",), 4),
    SolveMenu("river-2", ("50%, 100%, 200%",), ("50%, 100%, 200%, a",), ("100%, a",), 3),
    SolveMenu("river-1", ("75%, 150%",), ("33%, 75%, 150%",), ("100%",), 3),
    SolveMenu("river-0", ("75%",), ("75%, 150%",), ("100%",), 2),
)


def _on_subset(menu: SolveMenu, runouts: str) -> SolveMenu:
    return menu._replace(name=f"{menu.name}-{runouts}", runouts=runouts)


LADDERS: tuple[tuple[SolveMenu, ...], ...] = (
    (
        *_FLOPS[:-1],
        *(_on_subset(menu, "12x10") for menu in _FLOPS),
        *(_on_subset(menu, "6x6") for menu in _FLOPS[-2:]),
        _on_subset(_FLOPS[-1], "4x4"),
    ),
    _TURNS,
    _RIVERS,
)
"""For flop, turn and river the menus, the richest first."""

_ADD_ALLIN, _FORCE_ALLIN, _MERGE = 1.2, 0.15, 0.1


def pose_spot(
    menu: SolveMenu,
    board: tuple[int, ...],
    chips: tuple[int, int],
    ranges: tuple[Floats, Floats],
    *,
    own: int,
    big_blind: int,
    added: Sequence[str] = (),
    locks: LocksLike = (),
) -> Spot:
    """The spot that a street is solved as.

    Parameters
    ----------
    menu
        The bet sizes. A bet is at least the big blind, as the rules have it.
    board, chips, ranges
        The cards, the pot and what each player has behind, and the weights of both players, who
        acts first comes first.
    own
        The place of the player who asks: 0 is out of position.
    added, locks
        As of `Spot`.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.cards.codes import parse_cards
    >>> flop = tuple(parse_cards("Ks7h2d"))
    >>> both = np.ones(1326), np.ones(1326)
    >>> spot = pose_spot(LADDERS[0][4], flop, (200, 19900), both, own=1, big_blind=100)
    >>> spot.tree.streets[0].labels(0), spot.runouts
    (['x', 'b100', 'b150', 'b260'], '12x10')
    """
    pot, stack = chips
    names = STREETS[len(board) - 3 :]
    least = 100.0 * big_blind / pot
    sizes = (menu.ours, menu.theirs) if own == 0 else (menu.theirs, menu.ours)
    bet = {
        street: {
            name: _at_least(each[place], least) for name, each in zip(PLAYERS, sizes, strict=True)
        }
        for place, street in enumerate(names)
    }
    return Spot(
        board,
        Range(ranges[0]),
        Range(ranges[1]),
        pot,
        stack,
        bet,
        dict(zip(names, menu.raises, strict=True)),
        add_allin=_ADD_ALLIN,
        force_allin=_FORCE_ALLIN,
        merge=_MERGE,
        max_bets=menu.max_bets,
        big_blind=big_blind,
        smallest_chip=1,
        added=tuple(added),
        locks=locks,
        runouts=menu.runouts,
    )


def _at_least(text: str, percent: float) -> str:
    """A menu without sizes below a percentage of the pot.

    Examples
    --------
    >>> _at_least("33%, 75%, a", 50)
    '50%, 75%, a'
    """
    sizes = [
        Size("%", max(size.number, round(percent, 4))) if size.unit == "%" else size
        for size in parse_menu(text, "bet")
    ]
    return menu_text(tuple(dict.fromkeys(sizes)))
