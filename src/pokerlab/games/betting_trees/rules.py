"""`TreeRules`: all that a betting tree depends on, and nothing of cards."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.games.betting_trees.lines import Line
from pokerlab.games.betting_trees.menus import Menus, SizeRules


@dataclass(frozen=True)
class TreeRules:
    """What `pokerlab.games.betting_trees.builder.build_tree` builds a tree from.

    Attributes
    ----------
    street
        Where the betting begins: 0 on the flop, 1 on the turn, 2 on the river.
    pot, stack
        What lies in the middle, and what each player can put in, in the smallest chip.
    bet, raise_, donk
        The menus.
    sizes
        The thresholds, and the cap on bets and raises.
    units
        How many smallest chips make a chip.
    aggressor
        Who made the last bet or raise before the betting begins (0: out of position); None where
        nobody did, or nobody knows.
    added, removed
        Lines that change the tree by hand.
    """

    street: int
    pot: int
    stack: int
    bet: Menus
    raise_: Menus
    donk: Menus
    sizes: SizeRules
    units: int = 1
    aggressor: int | None = None
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
