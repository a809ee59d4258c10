"""The boards of a spot up to suits, and the hands on each of them.

Turn and river cards that a suit permutation carries into each other, while it keeps the board
and both ranges, lead to the same game with other names: only one of them is solved, and its
values are carried to the others. On a river board the hands of each player are kept in the
order of their strength, impossible ones left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import comb
from typing import TypeAlias

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, card_mask
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.card_maps import to_card_map
from pokerlab.cards.isomorphism.run_outs import StreetBoards, deal_run_outs
from pokerlab.cards.isomorphism.suits import CardClass, symmetries
from pokerlab.engine.tables.arrays import BoardTables, PlayerBoards
from pokerlab.engine.tables.board_kernels import (
    classify_boards,
    group_hands,
    match_hands,
    order_hands,
    place_hands,
)
from pokerlab.engine.tables.win_margins import WinMargins
from pokerlab.runtime.arrays import (
    AnyArray,
    Bytes,
    Floats,
    Indices,
    Int32s,
    Int64s,
    Uint16s,
    Uint64s,
)

_IDENTITY = (0, 1, 2, 3)

Classify: TypeAlias = Callable[[Bytes, Bytes], Uint16s]
"""Gives the class of each hand on each board, (boards, hands), from the cards of both: the larger
the number, the weaker the hand; 0 for hands that are impossible."""


@dataclass(frozen=True)
class WalkerShape:
    """What a walker takes at once: a processor and a GPU take other numbers of hands and leaves.

    Tables and programs know nothing of either: the walker that they are made for says it.

    Attributes
    ----------
    hands
        The hands of a board are padded to a multiple of this. Files and checkpoints hold the
        padding too: walkers that share them have the same.
    leaves
        The size of the blocks in which leaves are evaluated.
    all_ins
        The number of all-ins before the river that are evaluated together.
    batch_bytes
        About the bytes of the rows of a batch of roots, on the last street.

    Examples
    --------
    >>> WalkerShape(hands=16, leaves=32, all_ins=4, batch_bytes=1 << 20).pad(33)
    48
    """

    hands: int
    leaves: int
    all_ins: int
    batch_bytes: int

    def pad(self, hands: int) -> int:
        """A number of hands, padding included."""
        return -(-hands // self.hands) * self.hands


@dataclass(frozen=True, eq=False)
class Boards:
    """The hands of both players and the boards that they meet.

    Attributes
    ----------
    combos, weights
        For each player the combos of the range that the board allows, and their weights.
    padded
        Hands of each player, rounded up to a multiple of `WalkerShape.hands`.
    widths
        Length of a row: padded hands and as many more as a multiple, the last of which is always
        zero.
    cards
        The cards of each board of each street, the known ones first.
    chances
        For each street the chance of the cards that it deals, given both hands; 1 for the first.
    tables
        What kernels need, street by street.
    board_weights
        For each street how many cards each card of a board stands for, where cards are left out
        (`run_subsets`); None where none is.
    """

    combos: tuple[Indices, Indices]
    weights: tuple[Floats, Floats]
    padded: tuple[int, int]
    widths: tuple[int, int]
    cards: tuple[Bytes, ...]
    classes: tuple[tuple[CardClass | None, ...], ...]
    chances: tuple[float, ...]
    tables: tuple[BoardTables, ...]
    board_weights: tuple[Floats | None, ...]
    _win_margins: dict[tuple[int, tuple[float, float]], WinMargins] = field(
        default_factory=dict, repr=False
    )

    def win_margins(
        self,
        level: int,
        boards: Sequence[int] | None = None,
        threads: int = 1,
        ties: tuple[float, float] = (0.0, 0.0),
    ) -> tuple[Uint16s, Uint16s]:
        """For each player the win margins of hands on all boards of a street before the river.

        IEEE halves, ``[board][opposing hand][own hand]`` with own hands padded; see
        `product_kernels`. Computed when they are first asked for: not every spot needs them. With
        `boards`, those of other boards may still be zeros. `ties`: see `WinMargins`.
        """
        if (level, ties) not in self._win_margins:
            made = WinMargins(self.cards[level], self.combos, self.padded, ties)
            self._win_margins.setdefault((level, ties), made)
        found = self._win_margins[level, ties]
        found.count(range(len(self.cards[level])) if boards is None else boards, threads)
        return found.first.reshape(-1), found.second.reshape(-1)

    def without_margins(self) -> Boards:
        """The same boards, to be kept: win margins are computed again if they are asked for."""
        return replace(self, _win_margins={})

    def leaves_out(self, level: int) -> bool:
        """Whether cards are left out after the boards of a street."""
        return level + 1 < len(self.cards) and self.board_weights[level + 1] is not None

    @classmethod
    def of(
        cls,
        board: tuple[int, ...],
        ranges: tuple[Floats, Floats],
        shape: WalkerShape,
        *,
        isomorphism: bool = True,
        deal: Callable[[tuple[int, ...], Bytes], tuple[StreetBoards, ...]] = deal_run_outs,
        everyone: Collection[int] = (),
        alike: Floats | None = None,
    ) -> Boards:
        """Deal all run-outs of a board of 3 to 5 cards, given the weights of both ranges.

        `shape` is that of the walker that the tables are for. `deal` may merge more boards than
        suit permutations do: its classes then carry cards by permutations of all 52. It may leave
        cards out, too, and give the others weights. Of the players in `everyone` all hands that the
        board allows are there, some with the weight 0. Boards are merged by permutations that keep
        `alike` too, more numbers by combo (rows, 1326).
        """
        free = COMBO_MASKS & np.uint64(card_mask(board)) == 0
        live = [np.where(free, weights, 0.0) for weights in ranges]
        first, second = (
            np.flatnonzero(free if player in everyone else weights)
            for player, weights in enumerate(live)
        )
        combos = first, second
        group = np.array([_IDENTITY], np.uint8)
        if isomorphism and len(board) < 5:  # on the river there is nothing to merge
            group = symmetries(board, np.stack([*live, *(() if alike is None else alike)]))
        weights = (live[0][combos[0]], live[1][combos[1]])
        held = (COMBO_CARDS[combos[0]], COMBO_CARDS[combos[1]])
        return cls.of_hands(deal(board, group), combos, held, weights, shape)

    @classmethod
    def of_hands(
        cls,
        streets: Sequence[StreetBoards],
        combos: tuple[Indices, Indices],
        held: tuple[Bytes, Bytes],
        weights: tuple[Floats, Floats],
        shape: WalkerShape,
        *,
        classify: Classify | None = None,
        deck: int = N_CARDS,
    ) -> Boards:
        """Lay out the hands of both players on boards that are dealt.

        Parameters
        ----------
        streets
            The boards, street by street.
        combos, held, weights
            For each player the numbers of the hands, their cards (hands, 2) and their weights.
            Hands of one card have it twice.
        shape
            That of the walker that the tables are for.
        classify
            What compares hands where the last street is dealt; by default as in hold'em.
        deck
            The number of cards of the game.
        """
        padded = (shape.pad(len(combos[0])), shape.pad(len(combos[1])))
        # Copies: for arrays that must not be written to, kernels would be compiled again.
        cards = tuple(street.cards.copy() for street in streets)
        widths = (padded[0] + shape.hands, padded[1] + shape.hands)
        known = [each.shape[1] for each in cards]
        private = 2 if is_one_card(held[0]) else 4
        chances = [
            1 / comb(deck - private - before, now - before) for before, now in pairwise(known)
        ]
        last = [None] * (len(cards) - 1) + [classify or classify_hold_em]
        tables = tuple(
            _street_tables(boards, street, held, padded, widths, shape, compare)
            for boards, street, compare in zip(cards, streets, last, strict=True)
        )
        return cls(
            combos=combos,
            weights=weights,
            padded=padded,
            widths=widths,
            cards=cards,
            classes=tuple(street.classes for street in streets),
            chances=(1.0, *chances),
            tables=tables,
            board_weights=tuple(street.weights for street in streets),
        )


def is_one_card(held: AnyArray) -> bool:
    """Whether hands (hands, 2) are of one card, which they have twice."""
    return bool((held[:, 0] == held[:, 1]).all())


def classify_hold_em(boards: Bytes, held: Bytes) -> Uint16s:
    """Compare the hands of hold'em on boards of five cards: see `Classify`."""
    classes = np.empty((len(boards), len(held)), np.uint16)
    classify_boards(boards, held, evaluator_tables.load(), classes)
    return classes


def _street_tables(
    boards: Bytes,
    street: StreetBoards,
    held: tuple[Bytes, Bytes],
    padded: tuple[int, int],
    widths: tuple[int, int],
    shape: WalkerShape,
    classify: Classify | None,
) -> BoardTables:
    classes = street.classes
    carried = [
        tuple(suits)
        for found in classes
        for suits in (np.asarray(found.permutations).tolist() if found else [_IDENTITY])
    ]
    maps = sorted(set(carried))
    number_of = {suits: number for number, suits in enumerate(maps)}
    members = [number_of[suits] for suits in carried]
    member_first = np.cumsum([0, *(found.multiplicity if found else 1 for found in classes)])
    # Where both players hold the same hands, they share their tables.
    players = range(1 if np.array_equal(*held) else 2)
    made = [
        _player_tables(
            boards,
            held[player],
            padded[player],
            widths[player],
            maps,
            members,
            member_first,
            shape,
            classify,
        )
        for player in players
    ]
    hands = [one for one, _, _ in made]
    group_first = np.zeros(0, np.int64)
    if classify is not None:
        group_first = np.zeros(len(boards) + 1, np.int64)
        (_, ranks, counts), (_, other_ranks, other_counts) = made[0], made[-1]
        most = 4 * int(counts.sum() + other_counts.sum())
        groups = (np.zeros(most, np.int32), np.zeros(most, np.int32))
        group_hands(
            (hands[0].first, hands[-1].first),
            (ranks, other_ranks),
            (counts, other_counts),
            group_first,
            groups,
        )
        hands = [
            one._replace(groups=each[: 4 * group_first[-1]].copy())
            for one, each in zip(hands, groups, strict=False)
        ]
    for player in players:
        own, other = hands[player], hands[player - 1]
        twin = np.full(widths[player], -1, np.int32)
        if not is_one_card(held[player]):
            twin[: len(held[player])] = _numbers(held[1 - player])[tuple(held[player].T)]
        match_hands(
            own.first,
            own.order,
            made[player][2],
            other.first,
            other.order,
            made[player - 1][2],
            twin,
            shape.leaves,
            own.same_hand,
        )
    return BoardTables(
        (hands[0], hands[-1]),
        group_first,
        member_first.astype(np.int64),
        np.array(street.child_first),
    )


def _player_tables(
    boards: Bytes,
    held: Bytes,
    padded: int,
    width: int,
    maps: list[tuple[int, ...]],
    members: list[int],
    member_first: Int64s,
    shape: WalkerShape,
    classify: Classify | None,
) -> tuple[PlayerBoards, Uint16s, Int64s]:
    masks, known = _masks(held), _masks(boards)
    possible = (masks & known[:, None]) == 0
    hands = len(held)
    complete = classify is not None
    counts = np.full(len(boards), hands, np.int64)
    sizes = np.full(len(boards), padded)
    if complete:
        counts[:] = possible.sum(axis=1)
        sizes = -(-counts // shape.hands) * shape.hands
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    order = np.full(first[-1], width - 1, np.int32)
    ranks = np.zeros(first[-1], np.uint16)
    cards = np.full(2 * first[-1], 52 * shape.leaves, np.int32)
    same_hand = np.zeros(first[-1], np.int32)
    if classify is not None:
        order_hands(
            classify(boards, held),
            held,
            first,
            width - 1,
            shape.leaves,
            order,
            ranks,
            cards,
            counts,
        )
    else:
        rows = order.reshape(len(boards), padded)
        rows[:, :hands] = np.where(possible, np.arange(hands), width - 1)
        cards.reshape(len(boards), padded, 2)[:, :hands] = held.astype(int) * shape.leaves
    sources = np.zeros((len(maps), hands), np.int32)
    numbers = _numbers(held)
    for row, suits in enumerate(maps):
        carried = np.argsort(to_card_map(suits))[held]
        sources[row] = numbers[tuple(carried.T)]
    positions = np.zeros(len(members) * padded, np.int32)
    if complete:
        place_hands(
            first,
            order,
            counts,
            member_first.astype(np.int64),
            sources.ravel(),
            np.array(members, np.int64),
            width - 1,
            hands,
            padded,
            positions,
        )
    else:
        rows = positions.reshape(len(members), padded)
        rows[:] = width - 1
        owner = np.repeat(np.arange(len(boards)), np.diff(member_first))
        for member, (board, used) in enumerate(zip(owner, members, strict=True)):
            source = sources[used]
            rows[member, :hands] = np.where(possible[board][source], source, width - 1)
    empty = np.zeros(0, np.int32)
    return PlayerBoards(first, order, cards, same_hand, empty, positions), ranks, counts


def _masks(cards: Bytes) -> Uint64s:
    """The cards of each row as the bits of a number."""
    masks: Uint64s = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1)
    return masks


def _numbers(held: Bytes) -> Int32s:
    """By the two cards of a hand its number; −1 where nobody holds it."""
    numbers = np.full((N_CARDS, N_CARDS), -1, np.int32)
    numbers[tuple(held.T)] = numbers[tuple(held[:, ::-1].T)] = np.arange(len(held))
    return numbers
