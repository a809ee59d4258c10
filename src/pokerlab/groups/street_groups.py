"""Groups: which private cards and boards a strategy treats as one, street by street.

Groups by strength are buckets (`pokerlab.abstraction.buckets`); *classes* are the 169 kinds of
starting hands, and cards that differ in suits only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations, product
from math import comb
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import Int32s, Uint16s
from pokerlab.cards.codes import combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.files.hashes import digest
from pokerlab.games import BettingGame
from pokerlab.groups.group_kernels import BLIND, BY_CARDS, BY_HAND, LOOK_UP_STREETS, GroupLookUp

Kind = TypeVar("Kind", bound=np.generic)
Rounds: TypeAlias = tuple[tuple[int, ...], ...]
"""Private cards, then the public cards of each street."""

MAX_NUMBERS = 1_000_000
"""Orders of cards that a street can tell apart one by one."""
MAX_GROUPS = 65_536
"""Different values that a table has room for."""


@dataclass(frozen=True, eq=False)
class StreetGroups:
    """The groups of private cards and boards on one street.

    Every pair of private cards and board has a number; `values` maps it to a value, and the
    value is the group, or leads there from the group on the street before.

    Attributes
    ----------
    groups
        How many groups there are.
    values
        By number; empty where the street does not look at cards.
    numbers
        How cards are numbered: ``cards``, in their order as digits to the base of the deck; or
        ``hand``, by `HandIndexer`, private cards and board as two sets.
    next_group
        (groups on the street before, different values): the group. A strategy with perfect
        recall has it, because what the cards were worth before is part of what it knows.
    """

    groups: int
    values: Uint16s
    numbers: str = "cards"
    next_group: Int32s | None = None

    @property
    def kind(self) -> int:
        """How kernels find the value."""
        if not len(self.values):
            return BLIND
        return BY_HAND if self.numbers == "hand" else BY_CARDS

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of all that decides the group of some cards."""
        here = f"{self.groups} {self.numbers} {self.values.shape}"
        if self.next_group is None:
            return digest(here, self.values)
        onwards = f"{self.next_group.shape}", self.next_group.astype(np.int32)
        return digest(here, self.values, *onwards)

    def known_by(self, digest: str) -> StreetGroups:
        """The same groups, with the digest that their file has of them.

        It is taken on trust: to hash large tables would slow down every start of a bot.
        """
        known = replace(self)
        vars(known)["digest"] = digest
        return known


def one_group() -> StreetGroups:
    """All cards in one group."""
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
    values: Uint16s,
    next_group: npt.ArrayLike | None = None,
    *,
    numbers: str = "hand",
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
    if next_group is None:
        return StreetGroups(int(values.max()) + 1, values, numbers)
    table = np.asarray(next_group, np.int32)
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
    count_each_hand(game, street)
    base = len(game.deck)
    seen = game.hole_cards[street] + game.board_cards[street]
    values = np.zeros(base**seen, np.uint16)
    count = 0
    for count, rounds in enumerate(all_hands(game, street), 1):
        for orders in product(*(permutations(cards) for cards in rounds)):
            number = 0
            for card in (card for cards in orders for card in cards):
                number = number * base + game.deck.index(card)
            values[number] = count - 1
    return StreetGroups(count, values)


def count_each_hand(game: BettingGame, street: int) -> int:
    """How many groups `each_hand` has; `ValueError` if they are too many."""
    seen = game.hole_cards[street] + game.board_cards[street]
    count = count_hands(game, street)
    if len(game.deck) ** seen > MAX_NUMBERS or count > MAX_GROUPS:
        raise ValueError(
            f"{game.name} has too many hands on street {street} to tell them all apart"
        )
    return count


def all_hands(game: BettingGame, street: int) -> Iterator[Rounds]:
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


def count_hands(game: BettingGame, street: int) -> int:
    """How many `all_hands` there are."""
    left = len(game.deck)
    count = 1
    for size in _round_sizes(game, street):
        count *= comb(left, size)
        left -= size
    return count


def _round_sizes(game: BettingGame, street: int) -> list[int]:
    return [game.hole_cards[street], *(each.board for each in game.streets[: street + 1])]


def hand_indexer(game: BettingGame, street: int) -> HandIndexer:
    """The indexer of private cards and board, as two sets, on a street.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> hand_indexer(load_betting_game("holdem.limit.2p"), 1)
    HandIndexer((2, 3))
    """
    board = game.board_cards[street]
    return HandIndexer((game.hole_cards[street], board) if board else game.hole_cards[:1])


def group_look_up(game: BettingGame, groups: Sequence[StreetGroups]) -> GroupLookUp:
    """The tables with which kernels find groups of the cards of a game."""
    seen = [hole + board for hole, board in zip(game.hole_cards, game.board_cards, strict=True)]
    streets = range(min(len(groups), LOOK_UP_STREETS))
    return look_up_groups(groups, game.deck, seen, [hand_indexer(game, one) for one in streets])


def look_up_groups(
    groups: Sequence[StreetGroups],
    deck: Sequence[int],
    seen: Sequence[int],
    indexers: Sequence[HandIndexer],
) -> GroupLookUp:
    """The same for any cards.

    Parameters
    ----------
    groups
        By street.
    deck
        Card codes, ascending.
    seen
        By street, private cards and board cards so far.
    indexers
        By street, for the first `LOOK_UP_STREETS`.
    """
    padding = max(LOOK_UP_STREETS - len(groups), 0)
    place = np.zeros(52, np.int64)
    place[list(deck)] = np.arange(len(deck))
    none = np.empty((0, 0), np.int32)
    tables = [indexer.tables for indexer in indexers]
    values = [each.values for each in groups] + [np.empty(0, np.uint16)] * padding
    following = [none if each.next_group is None else each.next_group for each in groups]
    return GroupLookUp(
        np.array([each.kind for each in groups], np.int64),
        np.array(seen[: len(groups)], np.int64),
        place,
        len(deck),
        tuple(tables + tables[:1] * (LOOK_UP_STREETS - len(tables))),
        tuple(map(_read_only, values)),
        tuple(map(_read_only, following + [none] * padding)),
    )


def check_groups(game: BettingGame, groups: Sequence[StreetGroups]) -> None:
    """Refuse groups that do not fit the streets and the deck of a game."""
    if len(groups) != len(game.streets):
        raise ValueError(
            f"groups for {len(groups)} streets were given, {game.name} has {len(game.streets)}"
        )
    before = 1
    for street, each in enumerate(groups):
        where = f"groups of street {street}"
        top = int(each.values.max(initial=0))
        if each.next_group is None:
            if top >= each.groups:
                raise ValueError(f"{where}: value {top} is not one of {each.groups} groups")
        elif each.next_group.shape[0] != before or each.next_group.shape[1] <= top:
            raise ValueError(
                f"{where}: their next groups are for {each.next_group.shape[0]} groups and"
                f" {each.next_group.shape[1]} values; the street before has {before}, and values"
                f" go up to {top}"
            )
        elif not 0 <= each.next_group.min() <= each.next_group.max() < each.groups:
            raise ValueError(f"{where}: they lead to a group that is not one of {each.groups}")
        _check_numbers(game, street, each)
        before = each.groups


def _check_numbers(game: BettingGame, street: int, groups: StreetGroups) -> None:
    hole, board = game.hole_cards[street], game.board_cards[street]
    if groups.kind == BLIND:
        return
    if groups.kind == BY_CARDS:
        needed = len(game.deck) ** (hole + board)
    elif street < LOOK_UP_STREETS:
        needed = hand_indexer(game, street).size
    else:
        raise ValueError(f"groups of street {street}: only {LOOK_UP_STREETS} streets have an index")
    if len(groups.values) != needed or groups.values.dtype != np.uint16:
        raise ValueError(
            f"groups of street {street}: {len(groups.values)} values of type"
            f" {groups.values.dtype}, {game.name} needs {needed} of type uint16"
        )


def _read_only(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """All arrays read-only, so that all groups have one type."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
