"""Betting before the flop between two players: the blinds, the menus, and the tree they make.

The small blind has the button and acts first before the flop and last after it. Amounts are in big
blinds. What follows a line of bets is either nothing (somebody folded), a showdown (both are
all-in) or a flop, with a pot and stacks that follow from the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from pokerlab.games.betting_round import BettingRound, NoLimit
from pokerlab.games.betting_trees.chips import exact, plain_number, read_amount, write_number
from pokerlab.games.betting_trees.menus import Menu, Situation, SizeRules, amounts, parse_menu
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

    Examples
    --------
    >>> tree = PreflopTree(PreflopRules(10, "2x, a; a"))
    >>> [node.line for node in tree.nodes if node.ending == "flop"]
    ['c/x', 'c/r2/c', 'r2/c']
    >>> PreflopRules(10, "2.5")
    Traceback (most recent call last):
    ValueError: raises: '2.5' is not a size; write 33% (of the pot), 2.5x (raises), ...
    """

    stack: float
    raises: str = "2x, a; a"
    limp: bool = True
    small_blind: float = 0.5
    ante: float = 0.0

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
        if not any(self.menus) and not self.limp:
            raise ValueError("raises: no sizes, and no limping: the small blind can only fold")

    @classmethod
    def push_fold(
        cls, stack: float, *, small_blind: float = 0.5, ante: float = 0.0
    ) -> PreflopRules:
        """All-in or fold, and call or fold."""
        return cls(stack, "a", limp=False, small_blind=small_blind, ante=ante)

    @cached_property
    def menus(self) -> tuple[Menu, ...]:
        """The menu of each raise."""
        try:
            return tuple(parse_menu(part, "raise") for part in self.raises.split(";"))
        except ValueError as error:
            raise ValueError(f"raises: {error}") from None

    def menu(self, bets: int) -> Menu:
        """The menu after `bets` raises."""
        return self.menus[min(bets, len(self.menus) - 1)]


@dataclass(frozen=True)
class PreflopNode:
    """A decision, or an end of the betting.

    Attributes
    ----------
    line
        What led here: ``r2.5/c``; ``f`` folds, ``c`` calls (or limps), ``x`` checks, ``a`` is
        all-in.
    player
        Who acts, `SMALL_BLIND` or `BIG_BLIND`; None at an end.
    actions, children
        The legal actions, and the numbers of the nodes that follow.
    paid
        What each player has put in without the ante, in big blinds.
    ending
        ``"fold"``, ``"showdown"`` or ``"flop"``; empty at a decision.
    folded
        Who folded, None if nobody did.
    aggressor
        Who raised last; None in a limped pot.
    """

    line: str
    player: int | None
    paid: tuple[float, float]
    ending: str = ""
    folded: int | None = None
    aggressor: int | None = None
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = field(default=())


class PreflopTree:
    """All lines of bets; `nodes` is in preorder, the first is the small blind's decision.

    Examples
    --------
    >>> tree = PreflopTree(PreflopRules.push_fold(10))
    >>> [(node.line, node.actions or node.ending) for node in tree.nodes]
    [('', ('f', 'a')), ('f', 'fold'), ('a', ('f', 'c')), ('a/f', 'fold'), ('a/c', 'showdown')]
    """

    def __init__(self, rules: PreflopRules) -> None:
        self.rules = rules
        self._all_in = _units(rules.stack)
        blinds = (_units(rules.small_blind), _UNITS)
        seats = NoLimit((self._all_in, self._all_in))
        found: list[PreflopNode] = []
        first = BettingRound(seats, blinds, (SMALL_BLIND, BIG_BLIND), smallest_bet=_UNITS)
        self._grow(found, "", first, None)
        self.nodes: tuple[PreflopNode, ...] = tuple(found)
        self._places = {node.line: number for number, node in enumerate(self.nodes)}

    def find(self, line: str) -> int:
        """The number of the node after a line; `ValueError` for one that is not in the tree."""
        if line not in self._places:
            known = ", ".join(shown for shown in list(self._places)[1:6])
            raise ValueError(f"no line {shorten(line)!r} before the flop; lines are {known}, ...")
        return self._places[line]

    @property
    def decisions(self) -> Iterator[int]:
        """The numbers of the nodes where somebody acts."""
        return (number for number, node in enumerate(self.nodes) if node.player is not None)

    @property
    def flops(self) -> tuple[int, ...]:
        """The numbers of the ends that lead to a flop."""
        return tuple(number for number, node in enumerate(self.nodes) if node.ending == "flop")

    def _grow(
        self, found: list[PreflopNode], line: str, here: BettingRound, aggressor: int | None
    ) -> int:
        """Add a decision or an end, and all that follows; its number."""
        number = len(found)
        paid = plain_number(here.spent[0] / _UNITS), plain_number(here.spent[1] / _UNITS)
        if here.player < 0:
            folded = here.folded.index(True) if any(here.folded) else None
            ending = "showdown" if here.price == self._all_in else "flop"
            ending = ending if folded is None else "fold"
            found.append(PreflopNode(line, None, paid, ending, folded, aggressor))
            return number
        found.append(PreflopNode(line, here.player, paid))  # its children are not known yet
        followed = list(self._follow(here))
        children = [
            self._grow(
                found,
                f"{line}/{label}" if line else label,
                after,
                here.player if after.raises > here.raises else aggressor,
            )
            for label, after in followed
        ]
        found[number] = replace(
            found[number],
            aggressor=aggressor,
            actions=tuple(label for label, _ in followed),
            children=tuple(children),
        )
        return number

    def _follow(self, here: BettingRound) -> Iterator[tuple[str, BettingRound]]:
        """The actions of a decision, and the rounds after them."""
        if here.to_call:
            yield "f", here.fold()
        limping = here.player == SMALL_BLIND and here.raises == 0
        if self.rules.limp or not limping:
            yield ("c" if here.to_call or limping else "x"), here.call()
        there = Situation(
            pot=2 * here.price + 2 * _units(self.rules.ante),
            facing=here.price,
            to_call=here.to_call,
            most=self._all_in,
            streets_left=4,
            bets=here.raises,
            least_raise=here.least_raise,
        )
        menu, sizes = self.rules.menu(here.raises), SizeRules(chip=_UNITS, big_blind=_UNITS)
        for amount in amounts(menu, there, sizes):
            label = "a" if amount == self._all_in else f"r{write_number(amount / _UNITS)}"
            yield label, here.raise_to(amount)


def _units(amount: float) -> int:
    return int(exact(amount) * _UNITS)
