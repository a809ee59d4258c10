"""Betting before the flop between two players: the blinds and the menus.

The small blind has the button and acts first before the flop and last after it. Amounts are in big
blinds. A line of bets ends with a fold, with both players all-in, or with a flop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.games.betting_trees.builder import build_tree
from pokerlab.games.betting_trees.chips import exact, read_amount
from pokerlab.games.betting_trees.menus import Menu, SizeRules, parse_menu
from pokerlab.games.betting_trees.rules import Opening, TreeRules
from pokerlab.runtime.errors import shorten

SMALL_BLIND = 0
"""The number of the player in the small blind, who is on the button."""
BIG_BLIND = 1
"""The number of the player in the big blind."""

_UNITS = 100
"""Bets are whole numbers of hundredths of a big blind."""
_MOST = 1000


@dataclass(frozen=True)
class PreflopRules:
    """What may be bet before the flop.

    Parameters
    ----------
    stack
        What each player has before the blinds, in big blinds: above 1.
    raises
        The menus of the first raise, of the second (a 3-bet), and so on, with ``;`` between them;
        the last one holds for all that follow. Sizes are those of `pokerlab.holdem.spots` raises:
        ``2.5x`` is to 2.5 times the bet before, ``a`` is all-in.
    limp
        Whether the small blind may just call.
    small_blind, ante
        In big blinds; each player posts the ante.
    limp_raises
        The menus of the first raise after a limp, of the second, and so on; None: those of
        `raises`.

    Examples
    --------
    >>> print(PreflopRules(10, "2x; a").tree.draw())
    preflop, pot 0
      sb
        f  fold for 1
        c  bb
          x  flop 0, pot 2
          r2 sb
            f fold for 2
            c flop 1, pot 4
            a bb
              f fold for 4
              c all-in for 20
        r2 bb
          f fold for 2
          c flop 2, pot 4
          a sb
            f fold for 4
            c all-in for 20
    >>> PreflopRules(100, "2.5x; 4x", limp_raises="3x; a").tree.find("c/r3/a").kind.name
    'NODE'
    >>> PreflopRules(10, "2.5")
    Traceback (most recent call last):
    ValueError: raises: '2.5' is not a size; write 33% (of the pot), 2.5x (raises), ...
    """

    stack: float
    raises: str = "2x, a; a"
    limp: bool = True
    small_blind: float = 0.5
    ante: float = 0.0
    limp_raises: str | None = None

    def __post_init__(self) -> None:
        stack = read_amount("stack", self.stack)
        if not 1 < stack <= _MOST or exact(stack) * _UNITS % 1:
            raise ValueError(
                f"stack: {shorten(repr(self.stack))} is not a number of big blinds above 1, at "
                f"most {_MOST}, in hundredths"
            )
        object.__setattr__(self, "stack", stack)
        for name in ("small_blind", "ante"):
            amount = read_amount(name, getattr(self, name))
            if amount > 1 or exact(amount) * _UNITS % 1:
                raise ValueError(
                    f"{name}: {shorten(repr(amount))} is not a part of a big blind, from 0 to 1 in "
                    "hundredths"
                )
            object.__setattr__(self, name, amount)
        if not self.menus[0] and not self.limp:
            raise ValueError("raises: no sizes, and no limping: the small blind can only fold")
        if self.limp_menus is not None and not self.limp:
            raise ValueError("limp_raises: there are no limps that could be raised")

    @classmethod
    def push_fold(
        cls, stack: float, *, small_blind: float = 0.5, ante: float = 0.0
    ) -> PreflopRules:
        """All-in or fold, and call or fold."""
        return cls(stack, "a", limp=False, small_blind=small_blind, ante=ante)

    @cached_property
    def menus(self) -> tuple[Menu, ...]:
        """The menu of each raise."""
        return _menus("raises", self.raises)

    @cached_property
    def limp_menus(self) -> tuple[Menu, ...] | None:
        """The menu of each raise after a limp; None where they are the same."""
        return None if self.limp_raises is None else _menus("limp_raises", self.limp_raises)

    @cached_property
    def tree(self) -> BettingTree:
        """Every line of bets, up to the flop; amounts are in hundredths of a big blind."""
        return build_tree(
            TreeRules(
                street=-1,
                pot=2 * _units(self.ante),
                stack=_units(self.stack),
                sizes=SizeRules(chip=_UNITS, big_blind=_UNITS),
                units=_UNITS,
                opening=Opening(
                    (_units(self.small_blind), _UNITS), self.menus, self.limp, self.limp_menus
                ),
            )
        )


def _menus(name: str, text: str) -> tuple[Menu, ...]:
    try:
        return tuple(parse_menu(part, "raise") for part in text.split(";"))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _units(amount: float) -> int:
    return int(exact(amount) * _UNITS)
