"""Boards up to the names of suits, with the hands that they leave and the buckets of these hands.

If the buckets of a strategy do not look at the names of suits, boards that differ by them alone
have the same values, hand for hand: one of them is worked out, with a weight. The sequences of
flop, turn and river of hold'em then are 2.6 million in place of 52 million.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.cards.isomorphism.run_outs import StreetBoards, deal_run_outs
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, board_orbits
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups, PlayerColumns
from pokerlab.holdem.limit.best_response.hand_kernels import (
    IMPOSSIBLE,
    StreetLookUp,
    compare_hands,
    find_buckets,
)
from pokerlab.holdem.limit.buckets.look_up_kernels import BY_CARDS, LOOK_UP_STREETS
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import AnyArray, Bytes, Floats, Indices, Int32s, Int64s, Uint16s

MOST_LEVELS = 3
"""Streets that walkers take, from the first board on."""


class FirstBoard(NamedTuple):
    """All that follows the first board, as walkers take it.

    Attributes
    ----------
    hands
        The numbers of the hands that the board leaves, among all hands of the game.
    boards
        The boards of all streets, with these hands for both players.
    groups
        The buckets of the hands, which have the same number on all boards of a street.
    """

    hands: Int64s
    boards: Boards
    groups: BoardGroups


class ResponseBoards:
    """The boards of a limit game with buckets.

    Parameters
    ----------
    game
        Of two players with one or two private cards.
    symmetric
        Whether boards that differ by suits alone are one; by default they are where that changes
        nothing.

    Attributes
    ----------
    street
        The street of the first boards: the second one, unless the first has a board already or is
        the only one.
    cards, weight : (boards, cards), (boards,)
        The first boards, one of each class, and how many each stands for.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> boards = ResponseBoards(BucketedGame.of(load_betting_game("leduc"), "none"))
    >>> boards.street, boards.cards.shape, boards.weight.tolist(), len(boards.symmetries)
    (1, (3, 1), [2.0, 2.0, 2.0], 4)
    """

    def __init__(self, game: BucketedGame, *, symmetric: bool | None = None) -> None:
        if game.game.players != 2 or game.rules.hole > 2 or game.merged:
            raise ValueError(
                "a best response hand by hand is for two players with one or two private cards,"
                f" not for {game.game.name}"
            )
        self.game = game
        deck, sizes = game.game.deck, game.rules.board_cards.tolist()
        self.street = int(len(sizes) > 1 and sizes[0] == 0)
        if len(sizes) - self.street > MOST_LEVELS:
            raise ValueError(
                f"a best response hand by hand is for at most {MOST_LEVELS} streets with public"
                f" cards, not for the {len(sizes) - self.street} of {game.game.name}"
            )
        self._later_sizes = tuple(sizes[self.street + 1 :])
        self._dead = tuple(card for card in range(52) if card not in deck)
        if symmetric is None:
            symmetric = _is_symmetric(game)
        kept = [each for each in SUIT_PERMUTATIONS if symmetric and _keeps(each, deck)]
        self.symmetries: Bytes = np.array(kept or SUIT_PERMUTATIONS[:1], np.uint8)
        self.hands: Bytes = np.array(
            [hand[::-1] for hand in combinations(deck, game.rules.hole)], np.uint8
        )
        cards, weight = board_orbits((), self.symmetries, self._dead, size=sizes[self.street])
        self.cards: Bytes = cards
        self.weight: Floats = weight.astype(np.float64)

    @cached_property
    def pairs(self) -> int:
        """How many hands are left to the villain when the hero has one."""
        hole = self.hands.shape[1]
        return comb(len(self.game.rules.deck) - hole, hole)

    @cached_property
    def ways(self) -> int:
        """How many first boards can be dealt once both players have hands."""
        left = len(self.game.rules.deck) - 2 * self.hands.shape[1]
        return comb(left, self.cards.shape[1])

    @cached_property
    def classes(self) -> Int64s:
        """(hands,): the class of each hand: those that symmetries make equal have the same."""
        number = {frozenset(hand): each for each, hand in enumerate(self.hands.tolist())}
        lowest = np.arange(len(self.hands))
        for suits in self.symmetries:
            images = self.hands & 0xFC | suits[self.hands & 3]
            lowest = np.minimum(lowest, [number[frozenset(each)] for each in images.tolist()])
        found: Int64s = np.unique(lowest, return_inverse=True)[1]
        return found

    @cached_property
    def first_buckets(self) -> Int32s:
        """(hands,): the buckets on the street before the first boards, 0 if there is none."""
        found = np.zeros((1, len(self.hands)), np.int32)
        for street in range(self.street):
            found = self._buckets(
                street, self.hands, np.empty((1, 0), np.uint8), np.zeros(1), found
            )
        buckets: Int32s = found[0]
        return buckets

    def follow(self, number: int) -> FirstBoard:
        """Deal all that follows one of the first boards."""
        board = self.cards[number]
        kept = np.array([each for each in self.symmetries if _keeps(each, board.tolist())])
        streets = deal_run_outs(
            tuple(board.tolist()), kept, sizes=self._later_sizes, dead=self._dead
        )
        hands = np.flatnonzero(~np.isin(self.hands, board).any(axis=1))
        own = self.hands[hands]
        held = np.ascontiguousarray(own[:, [0, -1]])
        high, low = held.T.astype(np.int64)
        combos = high * (high - 1) // 2 + low if own.shape[1] == 2 else high
        weights = np.ones(len(hands))
        rules = self.game.rules
        holdem = own.shape[1] == 2 and rules.board_cards[-1] == 5 and not len(rules.strength)
        boards = Boards.of_hands(
            streets,
            (combos, combos),
            (held, held),
            (weights, weights),
            CPU_SHAPE,
            classify=None if holdem else self._classify,
            deck=len(rules.deck),
        )
        return FirstBoard(hands, boards, self._groups(hands, streets, boards))

    def _classify(self, boards: Bytes, held: Bytes) -> Uint16s:
        strength = np.empty((len(boards), len(held)), np.int32)
        hands = np.ascontiguousarray(held[:, : self.hands.shape[1]])
        compare_hands(self.game.rules, hands, boards, strength)
        place = np.unique(-strength.astype(np.int64), return_inverse=True)[1]
        classes = 1 + place.reshape(strength.shape)
        classes[strength == IMPOSSIBLE] = 0
        return classes.astype(np.uint16)

    def _groups(
        self, hands: Int64s, streets: tuple[StreetBoards, ...], boards: Boards
    ) -> BoardGroups:
        own, found = self.hands[hands], self.first_buckets[None, hands]
        parent = np.zeros(1, np.int64)
        columns = []
        for level, (street, cards) in enumerate(zip(streets, boards.cards, strict=True)):
            number = self.street + level
            found = self._buckets(number, own, cards, parent, found)
            table = boards.tables[level].hands[0]
            board = np.repeat(np.arange(len(cards)), np.diff(table.first))
            known = table.order < len(hands)
            column = np.zeros(len(board), np.int32)
            column[known] = found[board[known], table.order[known]]
            counts = np.full(len(cards), self.game.counts[number], np.int64)
            columns.append(PlayerColumns(column, counts))
            parent = np.repeat(np.arange(len(cards)), np.diff(street.child_first))
        streets_of_both = tuple((each, each) for each in columns)
        return BoardGroups(self.game.name, streets_of_both, shared=True)

    def _buckets(
        self, street: int, hands: Bytes, cards: Bytes, parent: AnyArray, before: Int32s
    ) -> Int32s:
        found = np.empty((len(cards), len(hands)), np.int32)
        find_buckets(self._look_up(street), hands, cards, parent.astype(np.int64), before, found)
        return found

    def _look_up(self, street: int) -> StreetLookUp:
        look_up = self.game.look_up
        return StreetLookUp(
            int(look_up.kinds[street]),
            int(look_up.seen[street]),
            look_up.place,
            look_up.deck,
            look_up.indexers[min(street, LOOK_UP_STREETS - 1)],
            look_up.values[street],
            look_up.next_groups[street],
        )


def _keeps(permutation: Bytes, cards: tuple[int, ...] | list[int]) -> bool:
    suits = permutation.tolist()
    return {card & ~3 | suits[card & 3] for card in cards} == set(cards)


def _is_symmetric(game: BucketedGame) -> bool:
    """Whether neither groups nor showdowns look at the names of suits.

    Groups by `HandIndexer` and hands of five cards do not by themselves; tables by the cards one
    by one are compared with their images.
    """
    tables: list[tuple[AnyArray, int]] = [
        (each.values, int(seen))
        for each, seen in zip(game.groups, game.look_up.seen, strict=True)
        if each.kind == BY_CARDS
    ]
    if len(game.rules.strength):
        tables.append((game.rules.strength, game.rules.hole + int(game.rules.board_cards[-1])))
    return all(_keeps_table(game, table, seen) for table, seen in tables)


def _keeps_table(game: BucketedGame, table: AnyArray, seen: int) -> bool:
    deck = np.array(game.game.deck)
    cube = table.reshape((len(deck),) * seen)
    places: tuple[Indices, ...] = np.indices(cube.shape, sparse=True)
    distinct = np.ones(cube.shape, np.bool_)
    for first, second in combinations(places, 2):
        distinct &= first != second
    for permutation in SUIT_PERMUTATIONS:
        if _keeps(permutation, deck.tolist()):
            moved = game.rules.place[deck & ~3 | permutation[deck & 3]]
            if not np.array_equal(cube[np.ix_(*[moved] * seen)][distinct], cube[distinct]):
                return False
    return True
