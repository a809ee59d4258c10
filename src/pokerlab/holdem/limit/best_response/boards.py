"""Boards up to the names of suits, the hands that they leave, and which hands are the same.

Where the groups of a strategy do not look at the names of suits, boards that differ by them alone
have the same values, hand for hand: one of them is worked out, with a weight. The sequences of
flop, turn and river of hold'em then are 2.6 million in place of 52 million.

What is worked out for one board of each class is made that of all by a mean. Let B be a board, G
the suit permutations that keep the cards of each of its streets, c a card that stands for the w(c)
cards of its class, and V(c, h) what hand h is worth once c is dealt (0 if h holds c). The sum over
all cards is then the mean over g in G of U(g h), with U(h) = sum over classes of w(c) V(c, h).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, board_orbits
from pokerlab.holdem.limit.best_response.board_kernels import StreetLookUp, lay_out_boards
from pokerlab.holdem.limit.buckets.look_up_kernels import BY_CARDS, LOOK_UP_STREETS
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import AnyArray, Bytes, Floats, Indices, Int16s, Int32s, Int64s


@dataclass(frozen=True, eq=False)
class Board:
    """Public cards, and the hands that they leave.

    Attributes
    ----------
    cards
        In the order of the streets.
    symmetries
        (permutations, 4): the suit permutations that keep the cards of each street.
    hands
        (hands,): numbers of the hands among all hands of the game.
    groups
        (hands,): their groups on the street of the board.
    """

    cards: tuple[int, ...]
    symmetries: Bytes
    hands: Int64s
    groups: Int64s


@dataclass(frozen=True, eq=False)
class NextBoards:
    """The boards that follow a board, one of each class.

    Attributes
    ----------
    cards
        (boards, new cards).
    weight
        (boards,): how many boards each stands for.
    order
        (boards, hands): the hands that a board leaves, as places among those of the board before;
        on the last street the weakest first.
    tie_end
        (boards, hands): by place in `order`, where the hands end that are as strong.
    group
        (boards, hands): by place in `order`.
    """

    cards: Bytes
    weight: Floats
    order: Int16s
    tie_end: Int16s
    group: Int32s

    def __len__(self) -> int:
        return len(self.cards)

    def only(self, number: int) -> NextBoards:
        """One of the boards, without the others."""
        part = slice(number, number + 1)
        return NextBoards(
            self.cards[part],
            self.weight[part],
            self.order[part],
            self.tie_end[part],
            self.group[part],
        )


class FlopBoards:
    """The boards of a limit game with groups.

    Parameters
    ----------
    game
        Of two players with one or two private cards.
    symmetric
        Whether boards that differ by suits alone are one; by default they are where that changes
        nothing.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> boards = FlopBoards(BucketedGame.of(load_betting_game("leduc"), "none"))
    >>> [len(boards.following(boards.empty, 1)), len(boards.symmetries)]
    [3, 4]
    """

    def __init__(self, game: BucketedGame, *, symmetric: bool | None = None) -> None:
        if game.game.players != 2 or game.rules.hole > 2 or game.merged:
            raise ValueError(
                "a best response hand by hand is for two players with one or two private cards,"
                f" not for {game.game.name}"
            )
        self.game = game
        deck = game.game.deck
        self._dead = tuple(card for card in range(52) if card not in deck)
        if symmetric is None:
            symmetric = _is_symmetric(game)
        kept = [each for each in SUIT_PERMUTATIONS if symmetric and _keeps(each, deck)]
        self.symmetries: Bytes = np.array(kept or SUIT_PERMUTATIONS[:1], np.uint8)
        self.hands: Bytes = np.array(
            [hand[::-1] for hand in combinations(deck, game.rules.hole)], np.uint8
        )

    @cached_property
    def empty(self) -> Board:
        """No public card, before the first street."""
        hands = np.arange(len(self.hands))
        return Board((), self.symmetries, hands, np.zeros(len(hands), np.int64))

    @cached_property
    def slots(self) -> Int16s:
        """(hands, 2): where sums over hands that hold a card are kept, for both cards.

        The slot of a card is its place in the deck. Who has one private card has for the other
        one that no other hand shares: sums over all hands less those of both slots, and the hand
        itself again, then are right too.
        """
        places = self.game.rules.place[self.hands]
        if self.hands.shape[1] == 1:
            places = np.hstack((places, places + len(self.game.rules.deck)))
        return np.ascontiguousarray(places, np.int16)

    @property
    def slot_count(self) -> int:
        """How many slots of cards there are."""
        return len(self.game.rules.deck) * (2 if self.hands.shape[1] == 1 else 1)

    @cached_property
    def pairs(self) -> int:
        """How many hands are left to the villain when the hero has one."""
        return comb(len(self.game.rules.deck) - self.hands.shape[1], self.hands.shape[1])

    def ways(self, street: int) -> int:
        """How many ways there are to deal the cards of a street, once both players have hands."""
        board = self.game.rules.board_cards
        before = int(board[street - 1]) if street else 0
        left = len(self.game.rules.deck) - 2 * self.hands.shape[1] - before
        return comb(left, int(board[street]) - before)

    def following(self, board: Board, street: int) -> NextBoards:
        """Deal the cards of a street in all ways, up to the symmetries of the board."""
        size = int(self.game.rules.board_cards[street])
        cards, weight = board_orbits(board.cards, board.symmetries, self._dead, size=size)
        dealt = np.ascontiguousarray(cards[:, len(board.cards) :])
        shape = len(dealt), comb(len(self.game.rules.deck) - size, self.hands.shape[1])
        order, tie_end = np.empty(shape, np.int16), np.empty(shape, np.int16)
        group = np.empty(shape, np.int32)
        lay_out_boards(
            self.game.rules,
            self._look_up(street),
            street == len(self.game.groups) - 1,
            self.hands[board.hands],
            board.groups,
            np.array(board.cards, np.uint8),
            dealt,
            order,
            tie_end,
            group,
        )
        return NextBoards(dealt, weight.astype(np.float64), order, tie_end, group)

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

    def chosen(self, board: Board, following: NextBoards, number: int) -> Board:
        """One of the boards that follow."""
        new = following.cards[number]
        kept = [each for each in board.symmetries if _keeps(each, new.tolist())]
        return Board(
            (*board.cards, *new.tolist()),
            np.array(kept, np.uint8),
            board.hands[following.order[number]],
            following.group[number].astype(np.int64),
        )

    def images(self, board: Board) -> Iterator[Int64s]:
        """For each symmetry of a board, the place of the image of each of its hands."""
        place = np.empty(len(self.hands), np.int64)
        place[board.hands] = np.arange(len(board.hands))
        for permutation in board.symmetries:
            yield place[self._images[tuple(permutation.tolist())][board.hands]]

    def symmetrised(self, board: Board, values: Floats) -> Floats:
        """The mean of values (hands of the board, …) over the images of each hand."""
        if len(board.symmetries) == 1:
            return values
        total = np.zeros_like(values)
        for image in self.images(board):
            total += values[image]
        total /= len(board.symmetries)
        return total

    @cached_property
    def classes(self) -> Int64s:
        """(hands,): the class of each hand: those that symmetries make equal have the same."""
        lowest = np.min(list(self.images(self.empty)), axis=0)
        found: Int64s = np.unique(lowest, return_inverse=True)[1]
        return found

    @cached_property
    def _images(self) -> dict[tuple[int, ...], Int64s]:
        """For each symmetry the number of the image of each hand."""
        number = {frozenset(hand): each for each, hand in enumerate(self.hands.tolist())}
        found = {}
        for permutation in self.symmetries.tolist():
            images = self.hands & 0xFC | np.array(permutation, np.uint8)[self.hands & 3]
            found[tuple(permutation)] = np.array(
                [number[frozenset(each)] for each in images.tolist()]
            )
        return found


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
