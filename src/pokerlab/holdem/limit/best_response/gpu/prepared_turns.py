"""Turn boards laid out for the GPU: what the processor does meanwhile, with several threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.boards import Board, FlopBoards, NextBoards
from pokerlab.runtime.arrays import AnyArray, Bytes

Words = npt.NDArray[np.uint32]

MOST_GROUPS = 1 << 23
"""More groups than a word has bits for."""

_OTHER_CARD, _PLACE, _LAST, _ALONE, _HIGH_GROUP = 6, 12, 23, 24, 25
"""The bits of a word, as ``kernels/rivers.cu`` has them."""


class PreparedTurn(NamedTuple):
    """What belongs to one turn board: cards of its hands, symmetries, and rivers.

    A hand on a river is 6 bytes: a word and the low bits of its group.
    """

    cards: AnyArray
    """(hands,): the two cards of each hand, 6 bits each."""
    images: AnyArray
    """(symmetries, hands): the places of the hands that the board's symmetries make of each."""
    river_weights: AnyArray
    """(rivers,): how many river cards each stands for."""
    river_words: AnyArray
    """(rivers, hands of a river), the weakest first."""
    river_groups: AnyArray
    """(rivers, hands of a river)."""


@dataclass(frozen=True, eq=False)
class PreparedFlop:
    """A flop, the boards of its turns, and what belongs to each of them."""

    board: Board
    following: NextBoards
    turns: tuple[PreparedTurn, ...]


@dataclass(frozen=True, eq=False)
class TurnBatch:
    """The turn boards of some flops, one after the other, as arrays; lists of where each begins.

    Attributes
    ----------
    flops
        (turns,): which flop each is of.
    turns, image_of, rivers
        (flops + 1,), (turns + 1,), (turns + 1,): where those of a flop or a turn begin.
    longest_first
        (turns,): those with most rivers first, so that none is left alone on the GPU at the end.
    weights, order, groups
        Those of `NextBoards`, of all turns.
    places
        (turns, hands of the flop): where they are on the turn; −1 where the turn card takes them.
    cards, images, river_weights, river_words, river_groups
        Those of `PreparedTurn`, of all turns.
    """

    flops: AnyArray
    turns: AnyArray
    image_of: AnyArray
    rivers: AnyArray
    longest_first: AnyArray
    weights: AnyArray
    order: AnyArray
    groups: AnyArray
    places: AnyArray
    cards: AnyArray
    images: AnyArray
    river_weights: AnyArray
    river_words: AnyArray
    river_groups: AnyArray


def prepare_flop(boards: FlopBoards, flop: Board, street: int) -> PreparedFlop:
    """Lay out all turns of a flop; `street` is that of the turn."""
    following = boards.following(flop, street)
    turns = [boards.chosen(flop, following, number) for number in range(len(following))]
    return PreparedFlop(
        flop, following, tuple(_prepare_turn(boards, turn, street + 1) for turn in turns)
    )


def _prepare_turn(boards: FlopBoards, turn: Board, last: int) -> PreparedTurn:
    rivers = boards.following(turn, last)
    hands, order = boards.hands[turn.hands], rivers.order.astype(np.intp)
    known = np.empty((len(rivers), len(turn.cards) + 1), np.uint8)
    known[:, :-1], known[:, -1:] = turn.cards, rivers.cards
    by_hand = _pack_cards(boards, known, hands) | np.arange(len(hands), dtype=np.uint32) << _PLACE
    ends = (rivers.tie_end == np.arange(1, order.shape[1] + 1)).astype(np.uint32)
    alone = ends.copy()
    alone[:, 1:] &= ends[:, :-1]
    group = rivers.group.view(np.uint32)
    words = np.take_along_axis(by_hand, order, axis=1)
    words |= ends << _LAST | alone << _ALONE | group >> 16 << _HIGH_GROUP
    return PreparedTurn(
        _pack_cards(boards, known[:1, :-1], hands)[0].astype(np.uint16),
        np.array(list(boards.images(turn)), np.int16),
        rivers.weight,
        words,
        group.astype(np.uint16),
    )


def _pack_cards(boards: FlopBoards, known: Bytes, hands: Bytes) -> Words:
    """Both cards of hands (boards, hands), 6 bits each, by their numbers among those left.

    `known` are the cards of the boards (boards, cards).
    """
    place = boards.game.rules.place
    left = np.ones((len(known), len(boards.game.rules.deck)), np.uint32)
    np.put_along_axis(left, place[known], 0, axis=1)
    number = left.cumsum(axis=1, dtype=np.uint32) - 1
    packed: Words = number[:, place[hands[:, 1]]] | number[:, place[hands[:, 0]]] << _OTHER_CARD
    return packed


def join_flops(flops: Sequence[PreparedFlop], dtype: npt.DTypeLike) -> TurnBatch:
    """The turns of several flops for one launch."""
    following = [flop.following for flop in flops]
    cards, images, river_weights, words, river_groups = zip(
        *(turn for flop in flops for turn in flop.turns), strict=True
    )
    rivers = [len(each) for each in river_weights]
    order = np.concatenate([each.order for each in following])
    places = np.full((len(order), len(flops[0].board.hands)), -1, np.int16)
    np.put_along_axis(places, order.astype(np.int64), np.arange(order.shape[1])[None], axis=1)
    return TurnBatch(
        np.repeat(np.arange(len(flops)), [len(each) for each in following]).astype(np.int32),
        _begins([len(each) for each in following]),
        _begins([len(each) for each in images]),
        _begins(rivers),
        np.argsort(-np.array(rivers), kind="stable").astype(np.int32),
        np.concatenate([each.weight for each in following]),
        order,
        np.concatenate([each.group for each in following]),
        places,
        np.stack(cards),
        np.concatenate(images),
        np.concatenate(river_weights).astype(dtype),
        np.concatenate(words),
        np.concatenate(river_groups),
    )


def _begins(counts: Sequence[int]) -> AnyArray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
