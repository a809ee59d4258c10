"""Turn boards laid out for the GPU: what the processor does meanwhile, with several threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.boards import Board, FlopBoards
from pokerlab.holdem.limit.best_response.gpu.packing_kernels import (
    CLASSES,
    lay_out_rivers,
    pack_cards,
)
from pokerlab.runtime.arrays import AnyArray


@dataclass(frozen=True, eq=False)
class PreparedTurn:
    """A turn board and its rivers.

    Attributes
    ----------
    weight
        How many turn cards it stands for.
    order, groups, cards
        (hands,): each hand's place on the flop, its group, and the two cards (6 bits each).
    places
        (hands of the flop,): where they are on the turn; −1 where the turn card takes them.
    images
        (symmetries, hands): the places of the hands that the board's symmetries make of each.
    river_weights, river_words, river_groups
        (rivers,), (rivers, hands of a river), and the same: see `lay_out_rivers`.
    """

    weight: float
    order: AnyArray
    groups: AnyArray
    cards: AnyArray
    places: AnyArray
    images: AnyArray
    river_weights: AnyArray
    river_words: AnyArray
    river_groups: AnyArray


@dataclass(frozen=True, eq=False)
class PreparedFlop:
    """All turns of a flop."""

    board: Board
    turns: tuple[PreparedTurn, ...]


@dataclass(frozen=True, eq=False)
class TurnBatch:
    """The turn boards of some flops, one after the other, as arrays; lists of where each begins.

    Attributes
    ----------
    flops
        (turns,): which flop each is of.
    turns, images, rivers
        (flops + 1,), (turns + 1,), (turns + 1,): where those of a flop or a turn begin.
    longest_first
        (turns,): those with most rivers first, so that none is left alone on the GPU at the end.
    """

    flops: AnyArray
    turns: AnyArray
    image_of: AnyArray
    rivers: AnyArray
    longest_first: AnyArray
    weights: AnyArray
    order: AnyArray
    groups: AnyArray
    cards: AnyArray
    places: AnyArray
    images: AnyArray
    river_weights: AnyArray
    river_words: AnyArray
    river_groups: AnyArray


def prepare_flop(boards: FlopBoards, flop: Board, street: int) -> PreparedFlop:
    """Lay out all turns of a flop; `street` is that of the turn."""
    following = boards.following(flop, street)
    return PreparedFlop(
        flop,
        tuple(
            _prepare_turn(
                boards,
                boards.chosen(flop, following, number),
                street,
                following.order[number],
                float(following.weight[number]),
                len(flop.hands),
            )
            for number in range(len(following))
        ),
    )


def _prepare_turn(
    boards: FlopBoards, turn: Board, street: int, order: AnyArray, weight: float, flop_hands: int
) -> PreparedTurn:
    rules, look_up, last = boards.game.rules, boards.game.look_up, street + 1
    rivers, river_weights = boards.dealt(turn, last)
    hands, cards = boards.hands[turn.hands], np.array(turn.cards, np.uint8)
    left, packed = np.empty(len(rules.deck), np.int16), np.empty(len(hands), np.uint16)
    pack_cards(hands, cards, rules.place, left, packed)
    shape = len(rivers), comb(len(rules.deck) - len(cards) - 1, 2)
    words, groups = np.empty(shape, np.uint32), np.empty(shape, np.uint16)
    lay_out_rivers(
        rules.evaluator,
        look_up.kinds[last],
        look_up.seen[last],
        look_up.place,
        look_up.deck,
        look_up.indexers[min(last, len(look_up.indexers) - 1)],
        look_up.values[last],
        look_up.next_groups[last],
        hands,
        turn.groups,
        cards,
        np.ascontiguousarray(rivers[:, 0]),
        np.empty(len(cards) + 3, np.uint8),
        left,
        np.empty(len(hands), np.int16),
        np.empty(len(hands), np.int32),
        np.empty(CLASSES, np.int32),
        words,
        groups,
    )
    places = np.full(flop_hands, -1, np.int16)
    places[order] = np.arange(len(order))
    return PreparedTurn(
        weight,
        np.ascontiguousarray(order, np.int16),
        turn.groups.astype(np.int32),
        packed,
        places,
        np.array(list(boards.images(turn)), np.int16),
        river_weights,
        words,
        groups,
    )


def join_flops(flops: Sequence[PreparedFlop], dtype: npt.DTypeLike) -> TurnBatch:
    """The turns of several flops for one launch."""
    turns = [turn for flop in flops for turn in flop.turns]
    rivers = [len(turn.river_weights) for turn in turns]
    return TurnBatch(
        np.repeat(np.arange(len(flops)), [len(flop.turns) for flop in flops]).astype(np.int32),
        _begins([len(flop.turns) for flop in flops]),
        _begins([len(turn.images) for turn in turns]),
        _begins(rivers),
        np.argsort(-np.array(rivers), kind="stable").astype(np.int32),
        np.array([turn.weight for turn in turns]),
        np.stack([turn.order for turn in turns]),
        np.stack([turn.groups for turn in turns]),
        np.stack([turn.cards for turn in turns]),
        np.stack([turn.places for turn in turns]),
        np.concatenate([turn.images for turn in turns]),
        np.concatenate([turn.river_weights for turn in turns]).astype(dtype),
        np.concatenate([turn.river_words for turn in turns]),
        np.concatenate([turn.river_groups for turn in turns]),
    )


def _begins(counts: Sequence[int]) -> AnyArray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
