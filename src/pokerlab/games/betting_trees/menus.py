"""Bet menus: which sizes a player may choose from, as text, and the chips they mean at a node.

**Sizes.** A menu is a row of sizes with commas between them, ``33%, 2e, a``:

=========  ===============================  ================================================
size       as a bet                         as a raise, of a bet of P chips
=========  ===============================  ================================================
``33%``    33% of the pot                   P + 33% of the pot after calling
``2.5x``   (raises only)                    to 2.5 · P
``120c``   120 chips                        P + 120 chips
``2.5bb``  2.5 big blinds                   P + 2.5 big blinds
``e``      geometric over the streets that  the same of the pot after calling, on top of P
           are left (flop 3, river 1)
``2e``     geometric over 2 streets         geometric over 2 streets, on top of P
``a``      all-in                           all-in
=========  ===============================  ================================================

*Geometric* over n streets: the fraction f of the pot that, bet and called n times, ends all-in;
with s the stack behind after calling and p the pot after calling, (1 + 2f)^n = 1 + 2s/p. A
raise of a raise has one street less for each raise before it on the street, but at least one.

**From sizes to amounts.** An amount is what the player will have put in on this street, in
whole numbers of the smallest chip (halves are rounded up). In this order:

1. *Add all-in* (threshold x): all-in joins the menu if all-in, less the bet to call, is at most
   x times the pot after calling (rounded to the smallest chip).
2. *Cap* (``max_bets`` N): from the (N+1)-th bet or raise of the street on, a menu that offers
   anything offers all-in and nothing else.
3. *Limits*: a bet is at least the smallest chip, a raise goes up by at least as much as the bet
   or raise that it answers; a smaller size becomes this minimum, a larger one than the stack
   all-in.
4. *Force all-in* (threshold x): a size becomes all-in if, after a call, the stack behind would
   be at most x times the pot (rounded likewise). Equal amounts become one.
5. *Merge* (threshold x): from the largest amount down, an amount that is Y of the pot falls if
   the last one that stayed is X of the pot with (1 + X) / (1 + Y) at most 1 + x. For a raise, X
   and Y are the part above the bet to call, of the pot after calling.

Thresholds of 0 are off. With pot 200, stacks 900, the menu ``60%, e, a`` and a merging
threshold of 0.1, the bets are 120 (60%), 115 (e: 57.7%) and 900; 115 falls, because
1.6 / 1.575 = 1.016 is less than 1.1:

>>> first = Situation(pot=200, facing=0, to_call=0, most=900, streets_left=3, bets=0)
>>> menu = parse_menu("60%, e, a", "bet")
>>> amounts(menu, first, SizeRules()), amounts(menu, first, SizeRules(merge=0.1))
([115, 120, 900], [120, 900])

A raise of 120 with ``2.5x`` is to 300; the raise of that would be to 750, which leaves 150
behind in a pot of 1,700, so a threshold of 0.15 (255 chips) makes it all-in:

>>> answer = Situation(pot=440, facing=120, to_call=120, most=900, streets_left=3, bets=1)
>>> again = Situation(pot=800, facing=300, to_call=180, most=900, streets_left=3, bets=2)
>>> menu = parse_menu("2.5x", "raise")
>>> [amounts(menu, there, SizeRules(force_allin=0.15)) for there in (answer, again)]
[[300], [900]]

**Menus for streets and players.** A text may have parts with ``;`` between them, each opened by
the street, the player or both that it is for: ``33%, a; river: 50%, a; ip river: 75%, a``. A
later part replaces what an earlier one said of the same street and player. An empty menu
(``turn: ;``) offers no size. In Python and in TOML a mapping says the same:
``{"flop": "33%", "turn": {"oop": "50%", "ip": "75%"}, "river": "a"}``.

A *donk* bet is a bet of the first player into the aggressor: into the one who made the last bet or
raise of the street before. If no donk menu is given, the bet sizes are used; an empty donk menu
means no donk bets. After a street that was checked through there is no aggressor, and the bet sizes
are used. Who was the aggressor before the first street of a spot, the spot says
(``aggressor``): a donk bet on the flop is one into the player who raised before the flop.

The meaning of the thresholds, of merging and of donk bets on later streets is that of the solver
library postflop-solver, so that trees can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from pokerlab.games.betting_trees.chips import MAX_CHIPS, read_number, round_half_up, write_number
from pokerlab.runtime.errors import shorten

STREETS = ("flop", "turn", "river")
PLAYERS = ("oop", "ip")
BLINDS = ("sb", "bb")
"""The players before the flop, the first to act first."""
SEATS = ("out of position", "in position")
"""The players in words."""

_ACCEPTED = (
    "33% (of the pot), 2.5x (raises), 120c (chips), 2.5bb (big blinds), e, 2e, 3e (geometric) "
    "or a (all-in)"
)


class Size(NamedTuple):
    """One size of a menu: a number and its unit, ``%``, ``x``, ``c``, ``bb``, ``e`` or ``a``.

    The number of ``e`` without one is 0, and so is that of ``a``.
    """

    unit: str
    number: float = 0.0

    def __str__(self) -> str:
        return (write_number(self.number) if self.number else "") + self.unit


Menu: TypeAlias = tuple[Size, ...]


def parse_menu(text: str, kind: str) -> Menu:
    """Read the sizes of one menu; `kind` is ``bet``, ``raise`` or ``donk``.

    Examples
    --------
    >>> parse_menu("33%, 2e, a", "bet")
    (Size(unit='%', number=33.0), Size(unit='e', number=2.0), Size(unit='a', number=0.0))
    >>> parse_menu("33, a", "bet")
    Traceback (most recent call last):
    ValueError: '33' is not a size; write 33% (of the pot), 2.5x (raises), 120c (chips), 2.5bb (big
    blinds), e, 2e, 3e (geometric) or a (all-in)
    """
    if not text.strip():
        return ()
    return tuple(_parse_size(item.strip(), kind) for item in text.split(","))


def menu_text(menu: Menu) -> str:
    """Write a menu as `parse_menu` reads it."""
    return ", ".join(map(str, menu))


def _parse_size(text: str, kind: str) -> Size:
    shown = shorten(text)
    unit = "bb" if text.lower().endswith("bb") else text[-1:].lower()
    digits = text[: len(text) - len(unit)].strip()
    if unit in ("a", "e") and not digits:
        return Size(unit)
    number = read_number(digits)
    if number is None or unit not in ("%", "x", "c", "bb", "e"):
        raise ValueError(f"'{shown}' is not a size; write {_ACCEPTED}")
    if unit == "x" and kind != "raise":
        raise ValueError(f"'{shown}': a multiple of the bet before is for raises only; {_ACCEPTED}")
    if unit == "x" and number <= 1:
        raise ValueError(f"'{shown}': a raise is more than 1x the bet before, such as 2.5x")
    if unit == "e" and number not in (1, 2, 3):
        raise ValueError(f"'{shown}': 1 to 3 streets are left on a board, write e, 1e, 2e or 3e")
    if number == 0 or (unit in ("c", "bb") and number > MAX_CHIPS):
        raise ValueError(f"'{shown}': a size is above 0, and at most {MAX_CHIPS} chips")
    return Size(unit, number)


class Situation(NamedTuple):
    """What the size of a bet depends on, all amounts in the smallest chip.

    Attributes
    ----------
    pot
        The pot after calling.
    facing
        The bet to answer: what the opponent has put in on this street; 0 if there is none.
    to_call
        What calling costs.
    most
        All-in: what a player can have put in on this street at most.
    streets_left
        This street and those to come: 3 on the flop.
    bets
        Bets and raises made on this street.
    least_raise
        The smallest increase of a raise, where it is more than `to_call`: the big blind, for the
        first raise of the small blind.
    """

    pot: int
    facing: int
    to_call: int
    most: int
    streets_left: int
    bets: int
    least_raise: int = 1

    @property
    def least(self) -> int:
        """The smallest legal bet or raise."""
        return min(self.facing + max(self.to_call, self.least_raise), self.most)


class SizeRules(NamedTuple):
    """What sizes depend on beside the situation.

    Attributes
    ----------
    add_allin, force_allin, merge
        The thresholds, 0 for off.
    max_bets
        The cap on bets and raises a street, None for off.
    chip, big_blind
        A chip and a big blind, in the smallest chip.
    """

    add_allin: float = 0.0
    force_allin: float = 0.0
    merge: float = 0.0
    max_bets: int | None = None
    chip: int = 1
    big_blind: float = 1


def amounts(menu: Menu, there: Situation, rules: SizeRules) -> list[int]:
    """The bets or raises that a menu offers, ascending; one equal to `there.most` is all-in.

    Examples
    --------
    >>> there = Situation(pot=100, facing=0, to_call=0, most=60, streets_left=1, bets=0)
    >>> amounts(parse_menu("10%, 50%, 75%", "bet"), there, SizeRules())
    [10, 50, 60]
    """
    if there.most <= there.facing:  # nobody has chips behind
        return []
    found = {_amount(size, there, rules) for size in menu}
    if there.most - there.facing <= round_half_up(there.pot * rules.add_allin):
        found.add(there.most)
    if found and rules.max_bets is not None and there.bets >= rules.max_bets:
        return [there.most]
    least, most = there.least, there.most
    limited = {min(max(amount, least), most) for amount in found}
    if rules.force_allin:
        limited = {_forced(amount, there, rules.force_allin) for amount in limited}
    return _merged(sorted(limited), there, rules.merge)


def percent_amount(percent: float, there: Situation) -> int:
    """A percentage of the pot after calling as an amount within the limits.

    Examples
    --------
    >>> there = Situation(pot=300, facing=100, to_call=100, most=900, streets_left=1, bets=1)
    >>> percent_amount(50, there), percent_amount(1, there), percent_amount(1000, there)
    (250, 200, 900)
    """
    return min(max(_amount(Size("%", percent), there, SizeRules()), there.least), there.most)


def _amount(size: Size, there: Situation, rules: SizeRules) -> int:
    if size.unit == "a":
        return there.most
    if size.unit == "x":
        return round_half_up(there.facing * size.number)
    if size.unit in ("c", "bb"):
        unit = rules.chip if size.unit == "c" else rules.big_blind
        return there.facing + round_half_up(size.number * unit)
    if size.unit == "%":
        return there.facing + round_half_up(there.pot * size.number / 100)
    streets = int(size.number) or there.streets_left
    if there.facing:
        streets = max(streets - there.bets + 1, 1)
    behind = (there.most - there.facing) / there.pot
    return there.facing + round_half_up(there.pot * ((1 + 2 * behind) ** (1 / streets) - 1) / 2)


def _forced(amount: int, there: Situation, threshold: float) -> int:
    pot_after_call = there.pot + 2 * (amount - there.facing)
    left = there.most - amount
    return there.most if left <= round_half_up(pot_after_call * threshold) else amount


def _merged(ascending: list[int], there: Situation, threshold: float) -> list[int]:
    kept: list[int] = []
    for amount in reversed(ascending):
        if kept:
            larger = there.pot + kept[-1] - there.facing
            smaller = there.pot + amount - there.facing
            # The tolerance makes an exact 1 + x merge whatever the last bits say.
            if larger <= smaller * (1 + threshold) * (1 + 1e-12):
                continue
        kept.append(amount)
    return kept[::-1]


MenuLike: TypeAlias = "str | Mapping[str, MenuLike] | Menus"
"""What a public function takes as menus: text, or a mapping by street and player."""


@dataclass(frozen=True)
class Menus:
    """The menus of one kind for every street and player; None where nothing was said.

    Examples
    --------
    >>> menus = Menus.of("bet", "33%, a; ip river: 75%")
    >>> print(menus)
    flop: 33%, a; turn: 33%, a; oop river: 33%, a; ip river: 75%
    >>> menus == Menus.of("bet", {"flop": "33%, a", "turn": "33%, a",
    ...                           "river": {"oop": "33%, a", "ip": "75%"}})
    True
    >>> menus.at(street=2, player=1)
    (Size(unit='%', number=75.0),)
    >>> Menus.of("bet", "flop: 33%; trun: 50%")
    Traceback (most recent call last):
    ValueError: bet: 'trun' in 'trun: 50%' is not a street or player (flop, turn, river, oop, ip)
    """

    kind: str
    cells: tuple[tuple[Menu | None, ...], ...]
    """By street (flop first), then by player (oop first)."""

    @classmethod
    def of(cls, kind: str, source: MenuLike) -> Menus:
        """Read menus; `kind` (``bet``, ``raise``, ``donk``) opens the text of every error."""
        if isinstance(source, Menus):
            return source if source.kind == kind else cls.of(kind, str(source))
        cells: list[list[Menu | None]] = [[None, None] for _ in STREETS]
        try:
            for scope, text in _parts(source, _Scope()):
                if kind == "donk":
                    scope = _donk_scope(scope)
                menu = parse_menu(text, kind)
                for street in scope.streets():
                    for player in scope.players():
                        cells[street][player] = menu
        except ValueError as error:
            raise ValueError(f"{kind}: {error}") from None
        return cls(kind, tuple(map(tuple, cells)))

    @property
    def silent(self) -> bool:
        """Whether nothing was said of any street and player."""
        return all(menu is None for row in self.cells for menu in row)

    def sizes(self) -> Iterator[Size]:
        """All sizes of all menus."""
        for row in self.cells:
            for menu in row:
                yield from menu or ()

    def at(self, street: int, player: int) -> Menu | None:
        """The menu of a player on a street (0 is the flop)."""
        return self.cells[street][player]

    def __str__(self) -> str:
        """The text that `of` reads back."""
        flop = self.cells[0]
        same_on_streets = self.cells.count(flop) == len(STREETS)
        if same_on_streets and flop[0] == flop[1]:
            return menu_text(flop[0] or ())
        if same_on_streets:
            return _join(zip(PLAYERS, flop, strict=True))
        parts: list[tuple[str, Menu | None]] = []
        for street, row in zip(STREETS, self.cells, strict=True):
            if row[0] == row[1]:
                parts.append((street, row[0]))
            else:
                parts += zip([f"{player} {street}" for player in PLAYERS], row, strict=True)
        return _join(parts)


def _join(menus: Iterable[tuple[str, Menu | None]]) -> str:
    said = [(name, menu) for name, menu in menus if menu is not None]
    return "; ".join(f"{name}: {menu_text(menu)}".rstrip() for name, menu in said)


class _Scope(NamedTuple):
    """The streets and players that a part of a menu is for; None means all."""

    street: int | None = None
    player: int | None = None

    def streets(self) -> range:
        return range(len(STREETS)) if self.street is None else range(self.street, self.street + 1)

    def players(self) -> range:
        return range(len(PLAYERS)) if self.player is None else range(self.player, self.player + 1)

    def narrowed(self, words: str, text: str) -> _Scope:
        """The scope after more words such as ``ip river``; `text` is what an error shows."""
        scope, text = self, shorten(text)
        for word in words.lower().split():
            if word in STREETS and scope.street is None:
                scope = scope._replace(street=STREETS.index(word))
            elif word in PLAYERS and scope.player is None:
                scope = scope._replace(player=PLAYERS.index(word))
            elif word in STREETS or word in PLAYERS:
                raise ValueError(f"'{word}' in '{text}' is a second street or player for one menu")
            else:
                accepted = ", ".join(STREETS + PLAYERS)
                word = shorten(word)
                raise ValueError(f"'{word}' in '{text}' is not a street or player ({accepted})")
        if scope == self:
            raise ValueError(f"'{text}' names no street before the colon (flop, turn, river)")
        return scope


def _parts(source: object, scope: _Scope) -> Iterator[tuple[_Scope, str]]:
    """Menu texts with the scope that each is for."""
    if isinstance(source, Mapping):
        for words, inner in source.items():
            yield from _parts(inner, scope.narrowed(str(words), str(words)))
        return
    if not isinstance(source, str):
        shown = shorten(repr(source))
        raise ValueError(
            f"{shown} is not a menu; write a text such as '33%, a' or a table by street"
        )
    seen: set[_Scope] = set()
    for part in source.split(";") if source.strip() else [""]:
        words, colon, sizes = part.rpartition(":")
        if not colon and not part.strip() and seen:
            continue  # a text that ends with a semicolon
        if not colon:
            _check_colon(part)
        here = scope.narrowed(words, part.strip()) if colon else scope
        if here in seen:
            raise ValueError(
                f"'{shorten(part)}' is a second menu for one place in '{shorten(source)}'"
            )
        seen.add(here)
        yield here, sizes


def _check_colon(part: str) -> None:
    """`ValueError` for a part that names a street or player without a colon after it."""
    words = part.split()
    named = list(takewhile(lambda word: word.lower() in STREETS + PLAYERS, words))
    if named:
        name, sizes = " ".join(named), " ".join(words[len(named) :])
        raise ValueError(
            f"'{shorten(part.strip())}': a colon is missing after {name};"
            f" write '{name}: {shorten(sizes)}'"
        )


def _donk_scope(scope: _Scope) -> _Scope:
    if scope.player == 1:
        raise ValueError("only oop can make a donk bet; name streets alone (flop, turn, river)")
    return _Scope(scope.street)
