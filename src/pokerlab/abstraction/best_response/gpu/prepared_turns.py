"""Turn boards laid out for the card: what the processor does meanwhile, with several threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.best_response.boards import Board, Boards
from pokerlab.abstraction.best_response.gpu.packing_kernels import pack_rivers, pack_turn

__all__ = ["PreparedFlop", "PreparedTurn", "TurnBatch", "join_flops", "prepare_flop"]

Array = npt.NDArray[Any]


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
        (rivers,), (rivers, hands of a river), and the same: see `pack_rivers`.
    """

    weight: float
    order: Array
    groups: Array
    cards: Array
    places: Array
    images: Array
    river_weights: Array
    river_words: Array
    river_groups: Array


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
        (turns,): those with most rivers first, so that none is left alone on the card at the end.
    """

    flops: Array
    turns: Array
    image_of: Array
    rivers: Array
    longest_first: Array
    weights: Array
    order: Array
    groups: Array
    cards: Array
    places: Array
    images: Array
    river_weights: Array
    river_words: Array
    river_groups: Array


def prepare_flop(boards: Boards, flop: Board, street: int) -> PreparedFlop:
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
    boards: Boards, turn: Board, street: int, order: Array, weight: float, flop_hands: int
) -> PreparedTurn:
    rivers = boards.following(turn, street + 1)
    slots = boards.slots[turn.hands]
    place = boards.game.rules.place
    used = np.empty((len(rivers), len(turn.cards) + rivers.cards.shape[1]), np.int16)
    used[:, : len(turn.cards)] = place[list(turn.cards)]
    used[:, len(turn.cards) :] = place[rivers.cards]
    left = np.empty(len(boards.game.rules.deck), np.int16)
    words, groups = (np.empty(rivers.order.shape, dtype) for dtype in (np.uint32, np.uint16))
    pack_rivers(slots, used, rivers.order, rivers.tie_end, rivers.group, left, words, groups)
    cards = np.empty(len(slots), np.uint16)
    pack_turn(slots, place[list(turn.cards)].astype(np.int16), left, cards)
    places = np.full(flop_hands, -1, np.int16)
    places[order] = np.arange(len(order))
    return PreparedTurn(
        weight,
        np.ascontiguousarray(order, np.int16),
        turn.groups.astype(np.int32),
        cards,
        places,
        np.array(list(boards.images(turn)), np.int16),
        rivers.weight,
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


def _begins(counts: Sequence[int]) -> Array:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
