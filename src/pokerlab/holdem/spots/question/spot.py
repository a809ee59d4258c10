"""A spot: the board, the ranges, the chips and the bet menus of a hand that is to be solved."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from inspect import signature
from itertools import chain
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, Cards, format_cards, to_cards
from pokerlab.cards.ranges.range import Range, RangeLike
from pokerlab.engine.locks import (
    Lock,
    LocksLike,
    lock_fields,
    parse_locks,
    to_locks,
)
from pokerlab.games.betting_trees.betting_tree import BettingTree, Place
from pokerlab.games.betting_trees.builder import build_tree
from pokerlab.games.betting_trees.chips import (
    exact,
    is_in_big_blinds,
    read_amount,
    round_half_up,
    units_needed,
)
from pokerlab.games.betting_trees.lines import Line, LineLike, line_error, to_line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, MenuLike, Menus, Size, SizeRules
from pokerlab.games.betting_trees.rules import TreeRules
from pokerlab.games.prizes.prize_money import PrizeMoney
from pokerlab.holdem.spots.question.preflop_ranges import fill_from_story
from pokerlab.holdem.spots.question.spot_file import read_spot_file, write_spot_fields
from pokerlab.holdem.spots.question.spot_values import (
    AmountLike,
    each_stack,
    read_board,
    read_cap,
    read_lines,
    read_player,
    read_prizes,
    read_rake_cap,
    read_range,
    read_run_outs,
    read_share,
    read_smallest_chip,
    read_stack,
)
from pokerlab.holdem.spots.question.texture_menus import choose_menus
from pokerlab.runtime.errors import shorten, source_named
from pokerlab.runtime.files.toml_text import parse_toml

SMALLEST_WEIGHT = 1e-30
"""Of a hand in a range. Reach is kept in 32 bits, where what is below 1e-38 is nothing, and it
falls with each action that is not always taken."""
DEFAULT_BET = "50%, a"
DEFAULT_RAISE = "60%, a"

REQUIRED_FIELDS = {
    "board": "3, 4 or 5 cards such as 'Td9d6h'",
    "oop": "a range such as 'TT+, AQs+'",
    "ip": "a range such as 'TT+, AQs+'",
    "pot": "a number of chips above 0",
    "stack": "one number of chips, or two (oop, ip)",
}
"""What every spot needs, and what it may be."""


@dataclass(frozen=True, init=False, repr=False)
class Spot:
    """A heads-up hand from the flop, the turn or the river on; it never changes.

    Parameters
    ----------
    board
        3, 4 or 5 cards; the fourth is the turn, the fifth the river.
    oop, ip
        The ranges of the player who acts first (out of position) and of the other one: text, a
        `Range` or 1,326 weights. Combos that hold a card of the board do not count.
    pot
        The chips in the middle, above 0: a number, or text such as ``"5.5bb"``.
    stack
        What each player has behind: one number, or one for each (oop first), likewise. Unequal
        stacks play for the smaller one.
    bet, raise_, donk
        The menus, in the grammar of `pokerlab.games.betting_trees.menus`: one text for all
        (``"33%, a"``), a text by street (``"flop: 33%; turn: 75%, a; river: 50%, e, a"``), or a
        mapping by street and player. ``""`` offers no size. If `donk` is not given, the bet sizes
        are used.
    aggressor
        Who made the last bet or raise before the spot begins, ``"oop"`` or ``"ip"``: on a flop,
        who raised last before it. After ``"ip"`` the first bet of the spot is a donk bet.
        Without it the bet sizes are used there, as after a street that was checked through.
    add_allin
        All-in joins a menu if it is at most this many times the pot; 0 for never.
    force_allin
        A size becomes all-in if, after a call, the stack behind would be at most this part of
        the pot; 0 for never.
    merge
        Sizes closer than this become one; 0 for never.
    max_bets
        After this many bets and raises on a street only all-in is left; None for no cap.
    rake, rake_cap
        The part of the pot that the house takes, and at most how many chips (or big blinds, as
        ``"3bb"``); a cap of 0 is no cap.
    big_blind
        The chips of a big blind, 1 unless given. It is what ``bb`` means in amounts and sizes, and
        what results in mbb (thousandths of a big blind) are counted in, in a solve as in a match.
    has_big_blind
        Whether a big blind is known, so that results in mbb mean something. By default so if
        `big_blind` is given, or an amount or a size in ``bb``.
    smallest_chip
        What sizes are rounded to: 1, 0.1, 0.01 or 0.001 chips. By default 1 where all amounts are
        whole numbers of chips, 0.01 where one is a fraction or is given in big blinds.
    added, removed
        Lines that change the tree by hand: ``x/b50`` adds the bet of 50, or removes it with all
        that follows. See `pokerlab.games.betting_trees.builder`.
    locks
        Decisions that are fixed, by line and action: ``{"x/b50": {"f": "KQs", "c": "AA"}}`` or
        ``{"x": {"b50": 0.3}}``. See `pokerlab.engine.locks`.
    payouts
        Of a tournament, what the first, the second, ... of all players who are left win, as
        numbers or as the text ``"50, 30, 20"``: what counts is then prize money, by the
        independent chip model (see `prizes`). Chips by default.
    others
        With payouts, the stacks of the players who are not in the pot, likewise.
    bounty
        With payouts, what is on the head of each player in the same money: one number for all, or
        one for oop, ip and each of the others.
    progressive
        Whether one half of a bounty that is won goes on the winner's own head.
    runouts
        How many turns of a flop, and rivers after each, are solved in place of all: ``"12x10"``.
        They are chosen and weighted so that every check-down is worth what it is over all run-outs
        (see `pokerlab.engine.subsets.run_subsets`). All of them by default.

    Examples
    --------
    >>> spot = Spot("Td9d6h", "66+, A8s+, KQo", "QQ-22, ATo+", pot=200, stack=900,
    ...             bet="60%, e, a", raise_="2.5x", donk="river: 50%",
    ...             add_allin=1.5, force_allin=0.15, merge=0.1)
    >>> spot.effective_stack, [street.nodes for street in spot.tree.streets]
    (900, [10, 50, 113])
    >>> Spot("Td9d6h", "66+", "QQ-22", pot=0, stack=900)
    Traceback (most recent call last):
    ValueError: pot: 0 is not a number of chips above 0, at most 1000000000 (or big blinds, as
    5.5bb)
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot="5.5bb", stack="97.5bb", bet="33%, 5bb")
    >>> spot.pot, spot.smallest_chip, spot.tree.streets[0].labels(0)
    (5.5, 0.01, ['x', 'b1.82', 'b5'])
    """

    board: tuple[int, ...]
    oop: Range
    ip: Range
    pot: float
    stack: float | tuple[float, float]
    bet: Menus
    raise_: Menus
    donk: Menus
    aggressor: str | None
    add_allin: float
    force_allin: float
    merge: float
    max_bets: int | None
    rake: float
    rake_cap: float
    big_blind: float
    smallest_chip: float | None
    added: tuple[Line, ...]
    removed: tuple[Line, ...]
    locks: tuple[Lock, ...]
    payouts: tuple[float, ...]
    others: tuple[float, ...]
    bounty: tuple[float, ...]
    progressive: bool
    runouts: str | None
    has_big_blind: bool

    def __init__(
        self,
        board: Cards,
        oop: RangeLike,
        ip: RangeLike,
        pot: AmountLike,
        stack: AmountLike | Sequence[AmountLike],
        bet: MenuLike = DEFAULT_BET,
        raise_: MenuLike = DEFAULT_RAISE,
        donk: MenuLike | None = None,
        *,
        aggressor: str | None = None,
        add_allin: float = 0.0,
        force_allin: float = 0.0,
        merge: float = 0.0,
        max_bets: int | None = None,
        rake: float = 0.0,
        rake_cap: AmountLike = 0.0,
        big_blind: float | None = None,
        smallest_chip: float | None = None,
        added: LineLike | Iterable[LineLike] = (),
        removed: LineLike | Iterable[LineLike] = (),
        locks: LocksLike | Sequence[Lock] = (),
        payouts: str | float | Sequence[float] = (),
        others: AmountLike | Sequence[AmountLike] = (),
        bounty: str | float | Sequence[float] = (),
        progressive: bool = False,
        runouts: str | None = None,
        has_big_blind: bool | None = None,
    ) -> None:
        stack = stack.tolist() if isinstance(stack, np.ndarray) else stack
        if has_big_blind is None or big_blind != 1:
            has_big_blind = big_blind is not None
        in_blinds = any(map(is_in_big_blinds, (pot, *each_stack(stack), rake_cap)))
        big_blind = read_amount("big_blind", 1 if big_blind is None else big_blind, above=True)
        cards = read_board(board)
        values = {
            "board": cards,
            "oop": read_range("oop", oop),
            "ip": read_range("ip", ip),
            "pot": read_amount("pot", pot, big_blind, above=True),
            "stack": read_stack(stack, big_blind),
            "bet": Menus.of("bet", bet),
            "raise_": Menus.of("raise", raise_),
            "donk": Menus.of("donk", {} if donk is None else donk),
            "aggressor": read_player("aggressor", aggressor),
            "add_allin": read_share("add_allin", add_allin),
            "force_allin": read_share("force_allin", force_allin),
            "merge": read_share("merge", merge),
            "max_bets": read_cap(max_bets),
            "rake": read_share("rake", rake, most=1.0),
            "rake_cap": read_rake_cap(rake_cap, big_blind),
            "big_blind": big_blind,
            "smallest_chip": read_smallest_chip(
                smallest_chip, [pot, *each_stack(stack)], big_blind
            ),
            "added": read_lines("added", added),
            "removed": read_lines("removed", removed),
            "locks": to_locks(locks),
            "runouts": read_run_outs(runouts, cards),
            **read_prizes(payouts, others, bounty, progressive, big_blind),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        in_blinds = in_blinds or any(size.unit == "bb" for size in self._sizes())
        object.__setattr__(self, "has_big_blind", has_big_blind or in_blinds)
        self._check_chips()
        self._check_prizes()
        self._check_ranges()
        self._check_menus()
        if self.added or self.removed:
            _ = self.tree  # a line that does not fit is found by building the tree
        if self.locks:
            parse_locks(self, self.locks)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Spot:
        """Read a TOML file; `ValueError` names the file, the field and what it may be.

        Ranges may stand in files of their own: ``oop = "@ranges/bb.txt"``, beside the file. Of
        menus by texture (`texture_menus`) those of the board are taken.
        """
        with source_named(path):
            return cls.from_fields(read_spot_file(path))

    @classmethod
    def from_toml(cls, text: str, source: str = "spot") -> Spot:
        r"""Read a TOML text; `source` is what to call it in error messages.

        Examples
        --------
        >>> Spot.from_toml('board = "Td9d6h"\npot = 200', "spot.toml")
        Traceback (most recent call last):
        ValueError: spot.toml: oop: missing (a range such as 'TT+, AQs+')
        """
        with source_named(source):
            return cls.from_fields(parse_toml(text))

    @classmethod
    def from_fields(cls, table: Mapping[str, Any]) -> Spot:
        """Make a spot of its fields, named as in a file: what `fields` gives.

        ``preflop`` and ``ranges`` may stand for the ranges and the chips, see
        `pokerlab.holdem.spots.question.preflop_ranges`, and of ``textures`` the menus of the board
        are taken, see `pokerlab.holdem.spots.question.texture_menus`.

        Examples
        --------
        >>> Spot.from_fields({"bord": "Td9d6h"})
        Traceback (most recent call last):
        ValueError: bord: unknown field, did you mean board? (add_allin, added, aggressor, bet, ...)
        """
        known = (*_PARAMETERS, "preflop", "ranges", "textures")
        for name in table:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f", did you mean {near[0]}?" if near else ""
                accepted = ", ".join(sorted(known))
                raise ValueError(f"{shorten(name)}: unknown field{hint} ({accepted})")
        table = fill_from_story(choose_menus(table)[0])
        for name, value in table.items():
            if name in ("board", "oop", "ip") and not isinstance(value, str):
                raise ValueError(
                    f"{name}: {shorten(repr(value))} is not a text, {REQUIRED_FIELDS[name]}"
                )
        for name, accepted in REQUIRED_FIELDS.items():
            if name not in table:
                raise ValueError(f"{name}: missing ({accepted})")
        return cls(**{"raise_" if name == "raise" else name: table[name] for name in table})

    def fields(self) -> dict[str, Any]:
        """The fields as texts, numbers and lists, named as in a file; but for menus, no defaults.

        Examples
        --------
        >>> Spot("Td9d6h", "66+", "QQ-22", 200, 900, added=["b50"]).fields()["added"]
        ['b50']
        """
        plain: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            name, value = field.name.rstrip("_"), getattr(self, field.name)
            if name not in _PARAMETERS:
                continue
            if name == "board":
                value = format_cards(value)
            elif isinstance(value, Menus):
                value = None if value.silent else str(value)
            elif isinstance(value, Range):
                value = str(value)
            elif name == "locks":
                value = lock_fields(value)
            elif name == "big_blind":
                value = value if self.has_big_blind else None
            elif isinstance(value, tuple):
                value = [str(each) if isinstance(each, Line) else each for each in value]
            default = _PARAMETERS[name].default
            if name in ("bet", "raise") or value not in (default, None, [], {}):
                plain[name] = value
        return plain

    def to_toml(self) -> str:
        """The spot as a TOML text that gives the same spot again.

        Examples
        --------
        >>> print(Spot("Td9d6h", "66+", "QQ-22", 200, 900, max_bets=4).to_toml(), end="")
        board = "Td9d6h"
        oop = "66+"
        ip = "QQ-22"
        pot = 200
        stack = 900
        bet = "50%, a"
        raise = "60%, a"
        max_bets = 4
        """
        return write_spot_fields(self.fields())

    def with_board(self, board: Cards) -> Spot:
        """The same spot on another board.

        Examples
        --------
        >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900)
        >>> format_cards(spot.with_board("AsKd2c").board)
        'AsKd2c'
        """
        return dataclasses.replace(self, board=to_cards(board))

    def with_locks(self, locks: LocksLike) -> Spot:
        """The same spot with more decisions fixed; a line that was locked is locked anew.

        Examples
        --------
        >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
        >>> spot = spot.with_locks({"x": {"x": "QQ"}}).with_locks({"x": {"x": 1}, "": {"x": 1}})
        >>> spot.fields()["locks"]
        {'x': {'x': 1}, '': {'x': 1}}
        """
        merged = {lock.line: lock for lock in (*self.locks, *to_locks(locks))}
        return dataclasses.replace(self, locks=tuple(merged.values()))

    def __repr__(self) -> str:
        arguments = (
            f"{'raise_' if name == 'raise' else name}={value!r}"
            for name, value in self.fields().items()
        )
        return f"Spot({', '.join(arguments)})"

    @property
    def street(self) -> int:
        """Where the spot begins: 0 on the flop, 1 on the turn, 2 on the river."""
        return len(self.board) - 3

    @property
    def effective_stack(self) -> float:
        """The chips that both players can put in."""
        return min(self._stacks)

    @property
    def _stacks(self) -> tuple[float, ...]:
        return self.stack if isinstance(self.stack, tuple) else (self.stack,)

    @property
    def size_rules(self) -> SizeRules:
        """The thresholds, the cap, and what chips and big blinds are in the smallest chip."""
        return SizeRules(
            self.add_allin,
            self.force_allin,
            self.merge,
            self.max_bets,
            chip=self.units,
            big_blind=self.big_blind * self.units,
        )

    @cached_property
    def units(self) -> int:
        """How many smallest chips make a chip."""
        if self.smallest_chip is not None:
            return round(1 / self.smallest_chip)
        sizes = list(self._sizes())
        lines = [action.amount for line in (*self.added, *self.removed) for action in line.actions]
        chips = [size.number for size in sizes if size.unit == "c"]
        needed = units_needed(self.pot, *self._stacks, *chips, *lines)
        return max(needed, 100) if any(size.unit == "bb" for size in sizes) else needed

    def _sizes(self) -> Iterator[Size]:
        """All sizes of all menus."""
        return chain(self.bet.sizes(), self.raise_.sizes(), self.donk.sizes())

    def _check_chips(self) -> None:
        for name, amounts in (("pot", (self.pot,)), ("stack", self._stacks)):
            for amount in amounts:
                if exact(amount) * self.units % 1:
                    raise ValueError(
                        f"{name}: {amount} is not a whole number of the smallest chip,"
                        f" {self.smallest_chip}"
                    )

    def _check_prizes(self) -> None:
        if self.payouts and self.rake != 0:
            raise ValueError("rake: does not work with payouts; leave one of them out")

    @cached_property
    def prizes(self) -> PrizeMoney | None:
        """What the ends pay in prize money; None where they pay chips.

        Examples
        --------
        >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900,
        ...             payouts="50, 30, 20", others=[500])
        >>> [round(each) for each in spot.prizes.worths(900)[0]]
        [187, -72, -463]
        """
        if not self.payouts:
            return None
        stacks = self._stacks[0], self._stacks[-1]
        given = self.payouts, self.others, self.bounty, self.progressive
        return PrizeMoney(stacks, self.pot, *given)

    @property
    def constant_sum(self) -> bool:
        """Whether the players share the whole pot: neither rake nor prizes change what it is."""
        return self.rake == 0 and not self.pays_prizes

    @property
    def pays_prizes(self) -> bool:
        """Whether prize money counts, and not as chips do."""
        return self.prizes is not None and not self.prizes.linear

    def check_pays_chips(self, what: str) -> None:
        """Refuse a spot with prizes where only chips are counted."""
        if self.pays_prizes:
            raise ValueError(f"payouts: {what} counts chips alone; leave the payouts out")

    def given_up(self, player: int, committed: float) -> float:
        """What a player has paid who gives up, against an even split of the pot: chips, or worth.

        Chips of the pot at the beginning count one half for each player.
        """
        if self.prizes is None or self.prizes.linear:
            return self.pot / 2 + committed
        return -self.prizes.worths(committed)[player].loss

    @cached_property
    def ranges(self) -> tuple[Range, Range]:
        """The ranges (oop first) without the combos that hold a card of the board."""
        return self.oop.remove(self.board), self.ip.remove(self.board)

    @cached_property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return build_tree(self.tree_rules)

    @property
    def tree_rules(self) -> TreeRules:
        """What the betting tree is built from."""
        return TreeRules(
            street=self.street,
            pot=round_half_up(self.pot * self.units),
            stack=round_half_up(self.effective_stack * self.units),
            bet=self.bet,
            raise_=self.raise_,
            donk=self.donk,
            sizes=self.size_rules,
            units=self.units,
            aggressor=None if self.aggressor is None else PLAYERS.index(self.aggressor),
            added=self.added,
            removed=self.removed,
        )

    def find(self, line: LineLike) -> Place:
        """Follow a line in the betting tree; cards may be left out.

        Examples
        --------
        >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900, bet="50%", raise_="")
        >>> spot.find("x/x/Qc").cards == to_cards("Qc")
        True
        >>> spot.find("x/x/Td")
        Traceback (most recent call last):
        ValueError: line 'x/x/Td': token 3, 'Td': the card lies on the board Td9d6h
        """
        line = to_line(line)
        place = self.tree.find(line)
        for position, token in enumerate(line.tokens, 1):
            if isinstance(token, int) and token in self.board:
                why = f"the card lies on the board {format_cards(self.board)}"
                raise line_error(line, position, format_cards([token]), why)
        return place

    def rake_from(self, pot: float) -> float:
        """What the house takes from a pot, both in chips.

        Examples
        --------
        >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900, rake=0.05, rake_cap=30)
        >>> spot.rake_from(200), spot.rake_from(2000)
        (10.0, 30.0)
        """
        taken = self.rake * pot
        return min(taken, self.rake_cap) if self.rake_cap else taken

    def _check_ranges(self) -> None:
        for name, hands in zip(PLAYERS, self.ranges, strict=True):
            if not hands:
                given = getattr(self, name)
                board = format_cards(self.board)
                why = f"every hand holds a card of the board {board}" if given else "no hands"
                raise ValueError(f"{name}: {why}; write a range such as 'TT+, AQs+'")
            tiny = (hands.weights > 0) & (hands.weights < SMALLEST_WEIGHT)
            if tiny.any():
                combo = int(np.argmax(tiny))
                hand = format_cards(COMBO_CARDS[combo].tolist())
                raise ValueError(
                    f"{name}: the weight {hands.weights[combo]:g} of {hand} is too small to"
                    f" compute with; a weight must be 0 or from {SMALLEST_WEIGHT:g} to 1"
                )
        # A hand can be dealt with the other range unless it meets all of its hands.
        first, second = (hands.weights > 0 for hands in self.ranges)
        by_card = np.bincount(COMBO_CARDS[second].ravel(), minlength=N_CARDS)
        apart = second.sum() - by_card[COMBO_CARDS].sum(axis=1) + second
        if not (apart[first] > 0).any():
            raise ValueError(
                f"oop, ip: no hand of {str(self.oop)!r} can be dealt together with one of "
                f"{str(self.ip)!r}, they share cards"
            )

    def _check_menus(self) -> None:
        streets = range(self.street, len(STREETS))
        for menus in (self.bet, self.raise_):
            for street in streets:
                for player, name in enumerate(PLAYERS):
                    if menus.at(street, player) is None:
                        raise ValueError(
                            f"{menus.kind}: no menu for {name} on the {STREETS[street]}; add "
                            f"'{STREETS[street]}: 50%', or '{STREETS[street]}:' for no sizes"
                        )
        flop, *later = (self.donk.at(street, 0) for street in range(len(STREETS)))
        if self.street == 0 and self.aggressor is None and flop is not None and flop not in later:
            raise ValueError(
                "donk: a menu for the flop needs the aggressor, who raised before the flop "
                "(aggressor = 'ip')"
            )


_PARAMETERS = {
    "raise" if name == "raise_" else name: parameter
    for name, parameter in signature(Spot).parameters.items()
    if name != "has_big_blind"  # that the field is there says it
}

SPOT_FIELDS = tuple(_PARAMETERS)
"""All fields of a spot, named and ordered as in a file."""
