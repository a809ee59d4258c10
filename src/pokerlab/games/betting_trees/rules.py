"""`TreeRules`: all that a betting tree depends on, and nothing of cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.games.betting_trees.lines import Line
from pokerlab.games.betting_trees.menus import STREETS, Menu, Menus, SizeRules

_NO_BETS, _NO_RAISES, _NO_DONKS = Menus.of("bet", ""), Menus.of("raise", ""), Menus.of("donk", {})
_PLAIN_SIZES = SizeRules()


class Opening(NamedTuple):
    """The betting before the flop; the tree ends where the flop comes.

    Attributes
    ----------
    blinds
        What the players have posted, the first to act first, in the smallest chip. The second is
        the big blind, and the smallest raise.
    raises
        The menus of the first raise, of the second (a 3-bet), and so on; the last one is used for
        all that follow.
    limp
        Whether the first player may just call the big blind.
    limped
        The menus of raises where the first player has just called; None: the same.
    """

    blinds: tuple[int, int]
    raises: tuple[Menu, ...]
    limp: bool = True
    limped: tuple[Menu, ...] | None = None

    def menu(self, player: int, raises: int) -> Menu:
        """The menu of a player after a number of raises.

        The players act in turn: the second one has the first raise after a limp only.
        """
        after_limp = player == (raises + 1) % 2
        menus = self.limped if after_limp and self.limped is not None else self.raises
        return menus[min(raises, len(menus) - 1)]


@dataclass(frozen=True)
class TreeRules:
    """What `pokerlab.games.betting_trees.builder.build_tree` builds a tree from.

    Attributes
    ----------
    street
        Where the betting begins: −1 before the flop, 0 on the flop, 1 on the turn, 2 on the river.
    pot, stack
        What lies in the middle, and what each player can put in, in the smallest chip.
    bet, raise_, donk
        The menus of bets after the flop.
    sizes
        The thresholds, and the cap on bets and raises.
    units
        How many smallest chips make a chip.
    aggressor
        Who made the last bet or raise before the betting begins (0: out of position); None where
        nobody did, or nobody knows.
    added, removed
        Lines that change the tree by hand.
    opening
        The betting before the flop; None where it begins later.
    """

    street: int
    pot: int
    stack: int
    bet: Menus = _NO_BETS
    raise_: Menus = _NO_RAISES
    donk: Menus = _NO_DONKS
    sizes: SizeRules = _PLAIN_SIZES
    units: int = 1
    aggressor: int | None = None
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
    opening: Opening | None = None

    @property
    def streets(self) -> range:
        """The numbers of the streets that are bet on."""
        return range(self.street, 0 if self.opening is not None else len(STREETS))
