"""The rules of a betting game: seats, chips, streets, deck and showdown, frozen.

Everything that a game file can say is a field of `GameRules` or of `Street`, with the same
name; the checks are here, so a wrong file and a wrong call get the same answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.runtime.errors import shorten

KEPT_NODES = 50_000
"""How many betting nodes a game keeps for the next hand (about 30 MB; heads-up limit hold'em
has 17,000). Those beyond are made anew each time, so a long no-limit match stays small."""

BETTING = ("limit", "pot-limit", "no-limit")
REOPEN = ("full", "any")
ODD_CHIPS = ("split", "first")
MAX_PLAYERS = 10
MAX_CHIPS = 10**12
MAX_RAISES = 1_000
"""Raises on a street: no hand of a game that is accepted goes on for ever."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""A game's name: strategies and tables are kept in files of that name."""


@dataclass(frozen=True)
class Street:
    """A part of a hand: cards come, then players exchange some (maybe), then they bet.

    Attributes
    ----------
    hole
        Private cards dealt to each player still in.
    up
        Cards dealt to each player still in after these, face up: their own, and seen by all (stud).
    board
        Public cards dealt.
    draw
        The most cards that a player may exchange before the betting.
    first
        The seat that draws and bets first; if it cannot, the next one that can.
    bet
        Limit: by how much a bet or raise goes up. Otherwise the smallest bet; 0 stands for the
        big blind (or the ante, or 1, in games without).
    max_raises
        The most bets and raises; None: any number, until chips run out. A blind is not counted.
    """

    hole: int = 0
    up: int = 0
    board: int = 0
    draw: int = 0
    first: int = 0
    bet: int = 0
    max_raises: int | None = None


@dataclass
class Notebook:
    """The betting nodes that a game keeps for the next hand."""

    room: int
    """How many more."""
    root: Any = None
    """The first one, once somebody has asked for it."""


@dataclass(frozen=True, kw_only=True)
class GameRules:
    """The rules of a poker game, without its states (see `BettingGame`)."""

    name: str
    players: int
    betting: str
    streets: tuple[Street, ...]
    ranks: str = RANKS
    suits: str = SUITS
    showdown: str = "five-card"
    ante: int = 0
    blinds: tuple[int, ...] = ()
    stacks: tuple[int, ...] = ()
    menu: str = ""
    reopen: str = "full"
    odd_chips: str = "split"
    unit: int = 1
    description: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.players} players, {self.betting}>"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise ValueError(
                f"name: {quoted(self.name)} is not the name of a game (1 to 64 letters, digits,"
                " '.', '-' or '_', a letter or digit first)"
            )
        self._check_table()
        self._check_deck()
        for number, street in enumerate(self.streets):
            self._check_street(number, street)
        self._check_cards()
        if self.betting == "limit":
            self._check_end()

    def with_stacks(self, stacks: Sequence[int]) -> Self:
        """The same game with other stacks; where there are no blinds, also other seats.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> draw = load_game("draw").with_stacks([1000, 400, 1600])
        >>> draw.players, draw.first_betting.actions()[-1]
        (3, 'r1000')
        """
        if self.blinds and len(stacks) != self.players:
            raise ValueError(
                f"stacks: {len(stacks)} given, {self.name} has {self.players} seats with blinds"
            )
        return replace(self, players=len(stacks), stacks=tuple(stacks))

    @cached_property
    def notebook(self) -> Notebook:
        """The account of betting nodes kept in memory."""
        return Notebook(KEPT_NODES)

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The card codes of the deck, lowest first."""
        return tuple(
            sorted(
                4 * RANKS.index(rank) + SUITS.index(suit)
                for rank in self.ranks
                for suit in self.suits
            )
        )

    @cached_property
    def hole_cards(self) -> tuple[int, ...]:
        """How many cards a player has been dealt, private ones and up-cards, by street."""
        return _running_sum(street.hole + street.up for street in self.streets)

    @cached_property
    def up_places(self) -> tuple[tuple[int, ...], ...]:
        """The places of up-cards in a hand, by street."""
        return tuple(
            tuple(range(held - street.up, held))
            for held, street in zip(self.hole_cards, self.streets, strict=True)
        )

    @cached_property
    def up_cards(self) -> frozenset[int]:
        """The places of all up-cards in a hand."""
        return frozenset(place for places in self.up_places for place in places)

    @cached_property
    def board_cards(self) -> tuple[int, ...]:
        """How many public cards there are, by street."""
        return _running_sum(street.board for street in self.streets)

    @cached_property
    def chips(self) -> tuple[float, ...]:
        """The most that each seat can lose: its stack, or infinity."""
        return self.stacks or (math.inf,) * self.players

    @property
    def mbb(self) -> float:
        """A payoff of 1 in thousandths of the big blind.

        Examples
        --------
        >>> from pokerlab.games import load_betting_game
        >>> load_betting_game("holdem.limit.2p").mbb, load_betting_game("kuhn").mbb
        (100.0, 1000.0)
        """
        return 1000.0 * self.unit / self.big_blind

    @cached_property
    def big_blind(self) -> int:
        """The unit of play: the biggest blind; without blinds the ante; without either 1."""
        return max(self.blinds, default=0) or self.ante or 1

    @cached_property
    def menu_shares(self) -> tuple[float, ...]:
        """The sizes of `menu` as shares of the pot; infinity for all-in."""
        return tuple(_menu_share(text) for text in self.menu.split(",")) if self.menu else ()

    def smallest_bet(self, street: int) -> int:
        """By how much the first bet of a street goes up at least (in limit: exactly)."""
        return self.streets[street].bet or self.big_blind

    def order_from(self, seat: int) -> tuple[int, ...]:
        """All seats in the order of play, beginning with one of them."""
        return self._orders[seat]

    @cached_property
    def _orders(self) -> tuple[tuple[int, ...], ...]:
        seats = tuple(range(self.players))
        return tuple(seats[seat:] + seats[:seat] for seat in seats)

    def __getstate__(self) -> dict[str, Any]:
        # Another process makes its own betting nodes: they are many, and linked to the game.
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    def _check_table(self) -> None:
        if not isinstance(self.players, int) or not 2 <= self.players <= MAX_PLAYERS:
            raise ValueError(
                f"players: {quoted(self.players)} is not a number of seats (2 to {MAX_PLAYERS})"
            )
        _one_of("betting", self.betting, BETTING)
        _one_of("reopen", self.reopen, REOPEN)
        _one_of("odd_chips", self.odd_chips, ODD_CHIPS)
        _one_of("showdown", self.showdown, tuple(SHOWDOWN_RULES))
        _chips("ante", self.ante)
        _chips("unit", self.unit, at_least=1)
        for name, amounts in (("blinds", self.blinds), ("stacks", self.stacks)):
            if len(amounts) not in (0, self.players):
                raise ValueError(
                    f"{name}: {len(amounts)} given, {self.players} players need one each (or none)"
                )
            for amount in amounts:
                _chips(name, amount, at_least=1 if name == "stacks" else 0)
        if self.betting != "limit" and not self.stacks:
            raise ValueError(f"stacks: missing, a {self.betting} game needs one for each player")
        if self.menu and self.betting == "limit":
            raise ValueError("menu: a limit game has one bet size (only pot-limit and no-limit)")
        _ = self.menu_shares

    def _check_deck(self) -> None:
        for name, texts, known in (("ranks", self.ranks, RANKS), ("suits", self.suits, SUITS)):
            chosen = set(texts) if isinstance(texts, str) else set()
            if not chosen or chosen - set(known) or len(chosen) < len(texts):
                raise ValueError(f"{name}: {quoted(texts)} are not different {name} out of {known}")
            # "AKQ" and "QKA" are the same deck, and must be equal.
            object.__setattr__(self, name, "".join(sorted(texts, key=known.index)))

    def _check_street(self, number: int, street: Street) -> None:
        where = f"streets[{number}]"
        for name in ("hole", "up", "board", "draw"):
            _chips(f"{where}.{name}", getattr(street, name), most=52)
        _chips(f"{where}.bet", street.bet)
        if not isinstance(street.first, int) or not 0 <= street.first < self.players:
            raise ValueError(
                f"{where}.first: {quoted(street.first)} is not a seat (0 to {self.players - 1})"
            )
        if street.max_raises is not None:
            _chips(f"{where}.max_raises", street.max_raises, most=MAX_RAISES)
        if self.betting == "limit" and street.bet == 0:
            raise ValueError(f"{where}.bet: missing, a limit game needs a bet size on each street")

    def _check_cards(self) -> None:
        if not self.streets:
            raise ValueError("streets: none given, a game needs one or more")
        for number, street in enumerate(self.streets):
            if street.draw > self.hole_cards[number]:
                raise ValueError(
                    f"streets[{number}].draw: {street.draw} cards cannot be exchanged, a player"
                    f" has {self.hole_cards[number]}"
                )
        if self.up_cards and any(street.draw for street in self.streets):
            raise ValueError("streets: a game has up-cards or draws, not both")
        if self.streets[0].hole == 0:
            raise ValueError("streets[0].hole: a player needs a private card to begin with")
        hole, board = self.hole_cards[-1], self.board_cards[-1]
        left = len(self.deck) - self.players * hole - board
        draw = max(street.draw for street in self.streets)
        if left < draw:
            raise ValueError(
                f"streets: {self.players} × {hole} private, {board} public and {draw} exchanged"
                f" cards do not fit into a deck of {len(self.deck)}"
            )
        fewest, most = SHOWDOWN_RULES[self.showdown].cards
        if not fewest <= hole + board <= most:
            raise ValueError(
                f"showdown: {self.showdown} ranks {fewest} to {most} cards, this game has"
                f" {hole} private and {board} public ones"
            )

    def _check_end(self) -> None:
        for number, street in enumerate(self.streets):
            where = f"streets[{number}].max_raises: missing"
            if street.max_raises is None and not self.stacks:
                raise ValueError(
                    f"{where}, players could raise for ever in a limit game without stacks (set"
                    " max_raises on each street, or stacks)"
                )
            if street.max_raises is None and max(self.stacks) > MAX_RAISES * street.bet:
                raise ValueError(
                    f"{where}, and the stacks hold more than {MAX_RAISES:,} bets of {street.bet}"
                    " (set max_raises, or smaller stacks)"
                )


def _running_sum(counts: Iterator[int]) -> tuple[int, ...]:
    total = 0
    sums = []
    for count in counts:
        total += count
        sums.append(total)
    return tuple(sums)


def _one_of(name: str, value: object, accepted: Sequence[str]) -> None:
    if value not in accepted:
        raise ValueError(f"{name}: {quoted(value)} is not known ({', '.join(accepted)})")


def _chips(name: str, value: object, *, at_least: int = 0, most: int = MAX_CHIPS) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not at_least <= value <= most:
        raise ValueError(f"{name}: {quoted(value)} is not a whole number ({at_least} to {most})")


def quoted(value: object) -> str:
    """A value as an error message quotes it."""
    try:
        return shorten(repr(value))
    except ValueError:  # Python does not write numbers of more than 4,300 digits
        return "a number of thousands of digits"


def _menu_share(text: str) -> float:
    text = text.strip()
    if text == "a":
        return math.inf
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?%", text) or float(text[:-1]) == 0:
        raise ValueError(
            f"menu: {quoted(text)} is not a bet size (a share of the pot, 50%, or a: all-in)"
        )
    return float(text[:-1]) / 100
