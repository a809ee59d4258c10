"""Strategies as tables that a compiled loop can play: a row for each betting and group of cards.

A `TableStrategy` has for every decision node of a game's betting tree and every group of cards
the probability to fold, to call and to raise. `StreetGroups` say which cards belong together on
a street. Bots that tell their probabilities become tables by `as_table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from math import comb
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.arena.simulation_kernels import BLIND, BY_CARDS, BY_HAND, Tables
from pokerlab.arena.simulation_rules import (
    ACTIONS,
    MOST_NUMBERS,
    PADDED_STREETS,
    flatten_betting,
    hand_indexer,
)
from pokerlab.bots.bot import Bot
from pokerlab.bots.catalogue import make_bot
from pokerlab.bots.simple import Caller, Folder, FoldToRaise, Raiser, RandomBot
from pokerlab.cards.codes import combo_index, format_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import BettingGame, Deal

__all__ = [
    "StreetGroups",
    "TableStrategy",
    "as_table",
    "card_groups",
    "each_hand",
    "one_group",
    "starting_hand_classes",
]

Kind = TypeVar("Kind", bound=np.generic)
Rounds: TypeAlias = tuple[tuple[int, ...], ...]
"""Private cards, then the public cards of each street."""

MOST_QUESTIONS = 300_000
"""Rows for which a bot is asked one by one; it takes some microseconds to answer."""
# Whatever they are shown, they do not look at their cards.
_BLIND_BOTS = (Caller, Folder, FoldToRaise, Raiser, RandomBot)


@dataclass(frozen=True, eq=False)
class StreetGroups:
    """Which cards a strategy treats alike on one street.

    Every pair of private cards and board has a number; `values` maps it to a value, and the
    value is the group, or leads there from the group on the street before.

    Attributes
    ----------
    groups
        How many groups there are.
    values
        By number; empty where all cards are alike.
    numbers
        How cards are numbered: ``cards``, in their order as digits to the base of the deck; or
        ``hand``, by `HandIndexer`, private cards and board as two sets.
    follow
        (groups on the street before, different values): the group. A strategy with perfect
        recall has it, because what the cards were worth before is part of what it knows.
    """

    groups: int
    values: npt.NDArray[np.uint16]
    numbers: str = "cards"
    follow: npt.NDArray[np.int32] | None = None

    @property
    def kind(self) -> int:
        """How kernels find the value."""
        if not len(self.values):
            return BLIND
        return BY_HAND if self.numbers == "hand" else BY_CARDS


def one_group() -> StreetGroups:
    """All cards alike."""
    return StreetGroups(1, np.empty(0, np.uint16))


def starting_hand_classes() -> StreetGroups:
    """The 169 classes of starting hands (`pokerlab.cards.hand_classes`), before the flop.

    Examples
    --------
    >>> groups = starting_hand_classes()
    >>> groups.groups, groups.values[52 * 51 + 50], groups.values[52 * 47 + 51]
    (169, np.uint16(0), np.uint16(1))
    """
    values = np.zeros((52, 52), np.uint16)
    for first, second in permutations(range(52), 2):
        values[first, second] = CLASS_OF_COMBO[combo_index(first, second)]
    return StreetGroups(169, values.ravel())


def card_groups(
    values: npt.NDArray[np.uint16], follow: npt.ArrayLike | None = None, *, numbers: str = "hand"
) -> StreetGroups:
    """Groups by look-up of a hand and a board; see `StreetGroups`.

    Examples
    --------
    Two groups on the flop, and on the turn again two within each of them:

    >>> flop = card_groups(np.arange(1_286_792, dtype=np.uint16) % np.uint16(2))
    >>> turn = card_groups(np.zeros(13_960_050, np.uint16), [[0, 1], [2, 3]])
    >>> flop.groups, turn.groups
    (2, 4)
    """
    if numbers not in ("cards", "hand"):
        raise ValueError(f"numbers: {numbers!r} is not known (cards, hand)")
    if follow is None:
        return StreetGroups(int(values.max()) + 1, values, numbers)
    table = np.asarray(follow, np.int32)
    return StreetGroups(int(table.max()) + 1, values, numbers, table)


def each_hand(game: BettingGame, street: int) -> StreetGroups:
    """Every set of private cards and board on its own: for games with few cards.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> leduc = load_betting_game("leduc")
    >>> each_hand(leduc, 0).groups, each_hand(leduc, 1).groups
    (6, 30)
    """
    base = len(game.deck)
    seen = game.hole_cards[street] + game.board_cards[street]
    if base**seen > MOST_NUMBERS:
        raise ValueError(
            f"{game.name} has too many hands on street {street} to tell them all apart"
        )
    values = np.zeros(base**seen, np.uint16)
    count = 0
    for count, rounds in enumerate(_hands(game, street), 1):
        for orders in product(*(permutations(cards) for cards in rounds)):
            number = 0
            for card in (card for cards in orders for card in cards):
                number = number * base + game.deck.index(card)
            values[number] = count - 1
    return StreetGroups(count, values)


def _hands(game: BettingGame, street: int) -> Iterator[Rounds]:
    """All private hands with all boards, the cards of each round ascending."""
    sizes = _round_sizes(game, street)

    def extend(rounds: Rounds, left: Sequence[int]) -> Iterator[Rounds]:
        if len(rounds) == len(sizes):
            yield rounds
            return
        for cards in combinations(left, sizes[len(rounds)]):
            rest = [card for card in left if card not in cards]
            yield from extend((*rounds, cards), rest)

    return extend((), game.deck)


def _count_hands(game: BettingGame, street: int) -> int:
    """How many `_hands` there are."""
    left = len(game.deck)
    count = 1
    for size in _round_sizes(game, street):
        count *= comb(left, size)
        left -= size
    return count


def _round_sizes(game: BettingGame, street: int) -> list[int]:
    return [game.hole_cards[street], *(each.board for each in game.streets[: street + 1])]


class TableStrategy:
    """A strategy for all positions of a limit game, as a table.

    Parameters
    ----------
    game
        The rules.
    groups
        The groups of cards of each street.
    chances
        (rows, 3): the probability to fold, to call and to raise. Nodes follow each other as in
        `flatten_betting`; a node has a row for each group of its street. The table may be a
        memory-mapped file. A row of NaN calls, and an action that is not legal is a call.

    Examples
    --------
    A player of Kuhn poker who bets and calls with the king only:

    >>> from pokerlab.games import load_betting_game
    >>> kuhn = load_betting_game("kuhn")
    >>> table = TableStrategy.filled(kuhn, [each_hand(kuhn, 0)], [0, 1, 0])
    >>> for betting in ("", "c"):
    ...     table.chances[table.row(betting, 2)] = 0, 0, 1
    >>> for betting in ("r", "cr"):
    ...     for jack_or_queen in (0, 1):
    ...         table.chances[table.row(betting, jack_or_queen)] = 1, 0, 0
    >>> table.chances.shape
    (12, 3)
    """

    def __init__(
        self,
        game: BettingGame,
        groups: Sequence[StreetGroups],
        chances: npt.NDArray[np.float32],
    ) -> None:
        self.game = game
        self.betting = flatten_betting(game)
        self.groups = tuple(groups)
        _check_groups(game, self.groups)
        sizes = np.array([street.groups for street in groups])[self.betting.streets]
        self.first_row: npt.NDArray[np.int64] = np.cumsum(sizes) - sizes
        expected = (int(sizes.sum()), len(ACTIONS))
        if chances.shape != expected or chances.dtype != np.float32:
            raise ValueError(
                f"a table of shape {chances.shape} and type {chances.dtype}: these groups of"
                f" {game.name} need {expected} and float32"
            )
        self.chances = np.ascontiguousarray(chances)

    @classmethod
    def filled(
        cls, game: BettingGame, groups: Sequence[StreetGroups], row: npt.ArrayLike
    ) -> TableStrategy:
        """A table with the same (fold, call, raise) everywhere, to be changed."""
        _check_groups(game, groups)
        streets = flatten_betting(game).streets
        rows = sum(groups[street].groups for street in streets)
        return cls(game, groups, np.tile(np.asarray(row, np.float32), (rows, 1)))

    def row(self, betting: str, group: int = 0) -> int:
        """The row of a betting (``"rc/c"``) and a group."""
        number = self.betting.number_of.get(betting)
        if number is None:
            raise ValueError(f"nobody decides after {betting!r} in {self.game.name}")
        street = int(self.betting.streets[number])
        if not 0 <= group < self.groups[street].groups:
            raise ValueError(
                f"{group} is not a group of street {street} (0 to {self.groups[street].groups - 1})"
            )
        return int(self.first_row[number]) + group

    @cached_property
    def tables(self) -> Tables:
        """What kernels take; all arrays read-only, so that all strategies have one type."""
        streets = len(self.groups)
        padding = max(PADDED_STREETS - streets, 0)
        values: list[npt.NDArray[np.uint16]] = [street.values for street in self.groups]
        follow: list[npt.NDArray[np.int32]] = [
            np.empty(0, np.int32) if street.follow is None else street.follow.ravel()
            for street in self.groups
        ]
        return Tables(
            _read_only(self.chances),
            _read_only(self.first_row),
            _read_only(np.array([street.kind for street in self.groups], np.int64)),
            _read_only(
                np.array([1 if s.follow is None else s.follow.shape[1] for s in self.groups])
            ),
            tuple(map(_read_only, values + [np.empty(0, np.uint16)] * padding)),
            tuple(map(_read_only, follow + [np.empty(0, np.int32)] * padding)),
        )


def as_table(game: BettingGame, player: TableStrategy | Bot | str) -> TableStrategy:
    """The table of a strategy, of a bot, or of a bot by name.

    Bots that do not look at their cards take one row a node. Others must tell their
    probabilities, and are asked about every hand: that is for games with few cards.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> as_table(load_betting_game("holdem.limit.2p"), "random:1,2,1").chances.shape
    (6378, 3)
    >>> as_table(load_betting_game("holdem.limit.2p"), "fair")
    Traceback (most recent call last):
    ValueError: fair cannot be made a table: holdem.limit.2p has too many hands to ask it about each
    """
    if isinstance(player, TableStrategy):
        if player.game != game:
            raise ValueError(f"a table of {player.game.name} cannot play {game.name}")
        return player
    name = player if isinstance(player, str) else type(player).__name__
    bot = make_bot(player) if isinstance(player, str) else player
    try:
        bot.reset(game, np.random.default_rng(0))
        return _ask(game, bot, name)
    finally:
        if isinstance(player, str):
            bot.close()


def _ask(game: BettingGame, bot: Bot, name: str) -> TableStrategy:
    betting = flatten_betting(game)
    streets = range(len(game.streets))
    if type(bot) in _BLIND_BOTS:
        groups = [one_group() for _ in streets]
        hands: list[list[Rounds]] = [[((),)] for _ in streets]
    else:
        counts = [_count_hands(game, street) for street in streets]
        if sum(counts[street] for street in betting.streets) > MOST_QUESTIONS:
            raise ValueError(
                f"{name} cannot be made a table: {game.name} has too many hands to ask it about"
                " each"
            )
        groups = [each_hand(game, street) for street in streets]
        hands = [list(_hands(game, street)) for street in streets]
    rows = []
    for node in betting.nodes:
        for hole, *boards in hands[node.street]:
            board = tuple(card for cards in boards for card in cards)
            holes = tuple(hole if seat == node.player else () for seat in range(game.players))
            view = game.replay(node.text, Deal(holes, board)).view(node.player)
            chances = bot.chances(view)
            if chances is None:
                raise ValueError(
                    f"{name} cannot be made a table: it does not tell its probabilities (after"
                    f" {node.text!r} with {format_cards(hole) or 'any cards'})"
                )
            rows.append([chances.get(action, 0.0) for action in ACTIONS])
    return TableStrategy(game, groups, np.array(rows, np.float32))


def _check_groups(game: BettingGame, groups: Sequence[StreetGroups]) -> None:
    if len(groups) != len(game.streets):
        raise ValueError(
            f"groups for {len(groups)} streets were given, {game.name} has {len(game.streets)}"
        )
    before = 1
    for street, each in enumerate(groups):
        where = f"groups of street {street}"
        top = int(each.values.max(initial=0))
        if each.follow is None:
            if top >= each.groups:
                raise ValueError(f"{where}: value {top} is not one of {each.groups} groups")
        elif each.follow.shape[0] != before or each.follow.shape[1] <= top:
            raise ValueError(
                f"{where}: they follow {each.follow.shape[0]} groups by {each.follow.shape[1]}"
                f" values; the street before has {before}, and values go up to {top}"
            )
        elif not 0 <= each.follow.min() <= each.follow.max() < each.groups:
            raise ValueError(f"{where}: they lead to a group that is not one of {each.groups}")
        _check_numbers(game, street, each)
        before = each.groups


def _check_numbers(game: BettingGame, street: int, groups: StreetGroups) -> None:
    hole, board = game.hole_cards[street], game.board_cards[street]
    if groups.kind == BLIND:
        return
    if groups.kind == BY_CARDS:
        needed = len(game.deck) ** (hole + board)
    elif street < PADDED_STREETS:
        needed = hand_indexer(game, street).size
    else:
        raise ValueError(f"groups of street {street}: only {PADDED_STREETS} streets have an index")
    if len(groups.values) != needed or groups.values.dtype != np.uint16:
        raise ValueError(
            f"groups of street {street}: {len(groups.values)} values of type"
            f" {groups.values.dtype}, {game.name} needs {needed} of type uint16"
        )


def _read_only(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
