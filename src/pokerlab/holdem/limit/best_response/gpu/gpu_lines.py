"""What one hero needs on the GPU: the lines of turn and river, and the kernels for their shapes.

Bytes on the river, for each hand, line and board of limit hold'em: for each of 9 showdowns what is
found below the hand, written and read twice (16); for each part of the tree the villain's reach and
the probabilities of the edges, read twice (8 and 8 an edge), and the worth, written and read (8).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from pokerlab.holdem.limit.best_response.gpu.prepared_turns import TurnBatch
from pokerlab.holdem.limit.best_response.gpu.street_tree import (
    MOST_PARTS,
    LimitStreetTree,
    river_tree,
    turn_tree,
)
from pokerlab.holdem.limit.best_response.lines import Block, StreetLines
from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.gpu.machine import Machine, Options

_ENTERING_BLOCKS = 16
"""The number of blocks that share the hands of a turn board where rivers are entered."""
_MOST_TURN_LANES = 64
_MOST_THREADS = 1024
"""Of a block, on all cards; some kernels of the turn have one for each line."""


@dataclass(frozen=True)
class CardTuning:
    """How the kernel of the rivers is launched.

    Attributes
    ----------
    lanes
        Lines of a block.
    each
        Lines of a thread.
    ahead
        Hands whose numbers are loaded at once.
    sets
        Leaves of the tree that are done at once: the fewer, the more blocks has shared memory room
        for, and the more often hands are passed.
    """

    lanes: int = 64
    each: int = 1
    ahead: int = 4
    sets: int = 3

    @property
    def threads(self) -> int:
        """Of a block."""
        return self.lanes // self.each


class CardBatch:
    """A `TurnBatch` on the GPU."""

    def __init__(self, machine: Machine, batch: TurnBatch) -> None:
        self.turns, self.hands = batch.order.shape
        self.flops, self.flop_hands = len(batch.turns) - 1, batch.places.shape[1]
        self.river_hands = batch.river_words.shape[1]
        self.rivers = len(batch.river_weights)
        self._arrays = {name: machine.array(array) for name, array in vars(batch).items()}

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]


class GpuLines:
    """The lines of one hero on turn and river.

    Parameters
    ----------
    machine
        The GPU.
    turn, river
        The lines; all of a street must have the same shape.
    hero
        The hero's position.
    cards
        How many a river leaves.
    share
        What each river counts: one over the ways to deal it.
    """

    def __init__(
        self,
        machine: Machine,
        turn: StreetLines,
        river: StreetLines,
        hero: int,
        cards: int,
        share: float,
        tuning: CardTuning,
    ) -> None:
        self.machine, self.share = machine, share
        self._turn, self._river = _only_block(turn), _only_block(river)
        self.dtype = self._river.plan.dtype
        self.tuning = tuning
        self.width = self._turn.width
        self.river_width = -(-self._river.width // tuning.lanes) * tuning.lanes
        river_shape = river_tree(self._river.shape, hero, tuning.sets)
        turn_shape = turn_tree(self._turn.shape, hero)
        self._river_plan = machine.array(_widened(self._river.plan, self.river_width))
        self._turn_plan = machine.array(self._turn.plan)
        self._river_amounts = machine.array(
            _widened(_signed(self._river, river_shape), self.river_width)
        )
        whole = turn_shape.parts[0]
        self._turn_amounts = machine.array(_signed(self._turn, turn_shape)[whole.played_on :])
        self._into = machine.array(
            self._turn.into[list(whole.leaves[: whole.played_on])].astype(np.int32)
        )
        self._river_options = _river_options(river_shape, cards, tuning, self.dtype)
        folds = len(whole.leaves) - whole.played_on
        lane_bytes = folds * (cards + 1) * self.dtype.itemsize
        lanes = turn_lanes(self.width, lane_bytes, machine.shared_bytes)
        turn_options = _turn_options(turn_shape, cards + 1, lanes, self.dtype)
        self._column_bytes = river_shape.most_sets * cards * tuning.lanes * self.dtype.itemsize
        self._work_rows = river_shape.most_shows + river_shape.kept
        self._enter = machine.kernel("enter_rivers", turn_options, self.width)
        self._respond_on_turns = machine.kernel(
            "respond_on_turns", turn_options, lanes, lane_bytes * lanes
        )
        self._turn_blocks = self.width // lanes
        self._add_turns = machine.kernel("add_turns", turn_options, self.width)

    def shared_bytes(self, river_hands: int) -> int:
        """What a block on the rivers takes of shared memory."""
        return self._column_bytes + 6 * river_hands

    def turn_bytes(self, hands: int) -> int:
        """Memory on the GPU for each turn board of a batch."""
        rows = (2 + self._work_rows) * self.river_width + self.width
        return hands * rows * self.dtype.itemsize

    def enter(self, batch: CardBatch, flop_reach: Any) -> Any:
        """The villain's reach on all turn boards, where their rivers begin."""
        reach = self.machine.zeros((batch.turns, batch.hands, self.river_width), self.dtype)
        self._enter(
            (_ENTERING_BLOCKS, batch.turns),
            (
                self._turn_plan,
                flop_reach,
                batch["flops"],
                batch["order"],
                batch["groups"],
                self._into,
                reach,
                np.int32(self.width),
                np.int32(self.river_width),
                np.int32(batch.flop_hands),
                np.int32(batch.hands),
            ),
        )
        return reach

    def respond_on_rivers(self, batch: CardBatch, reach: Any) -> Any:
        """What hands are worth before the rivers are dealt, times how many they are."""
        shared = self.shared_bytes(batch.river_hands)
        kernel = self.machine.kernel(
            "respond_on_rivers", self._river_options, self.tuning.threads, shared
        )
        values = self.machine.empty(reach.shape, self.dtype)
        work = self.machine.empty(
            (batch.turns, self._work_rows, batch.river_hands, self.river_width), self.dtype
        )
        kernel(
            (self.river_width // self.tuning.lanes, batch.turns),
            (
                self._river_plan,
                self._river_amounts,
                reach,
                batch["river_words"],
                batch["river_groups"],
                batch["river_weights"],
                batch["rivers"],
                batch["longest_first"],
                work,
                values,
                np.int32(self.river_width),
                np.int32(batch.hands),
                np.int32(batch.river_hands),
            ),
        )
        return values

    def respond_on_turns(self, batch: CardBatch, flop_reach: Any, river_values: Any) -> Any:
        """What hands are worth on each turn board, where the street begins."""
        values = self.machine.empty((batch.turns, batch.hands, self.width), self.dtype)
        self._respond_on_turns(
            (self._turn_blocks, batch.turns),
            (
                self._turn_plan,
                self._turn_amounts,
                flop_reach,
                batch["flops"],
                batch["order"],
                batch["groups"],
                batch["cards"],
                self._into,
                batch["images"],
                batch["image_of"],
                river_values,
                values,
                np.int32(self.width),
                np.int32(self.river_width),
                np.int32(batch.flop_hands),
                np.int32(batch.hands),
                np.float64(self.share),
            ),
        )
        return values

    def add_turns(self, batch: CardBatch, values: Any) -> Any:
        """The sum over the turns of each flop (flops, hands of the flop, lines), by weight."""
        sums = self.machine.empty((batch.flops, batch.flop_hands, self.width), np.float64)
        self._add_turns(
            (batch.flop_hands, batch.flops),
            (
                values,
                batch["weights"],
                batch["places"],
                batch["turns"],
                sums,
                np.int32(self.width),
                np.int32(batch.flop_hands),
                np.int32(batch.hands),
            ),
        )
        return sums

    def respond(self, batch: CardBatch, flop_reach: AnyArray) -> Any:
        """All of it: from the reach (flops, hands of the flop, lines) to values of that shape."""
        on_gpu = self.machine.array(flop_reach)
        river_values = self.respond_on_rivers(batch, self.enter(batch, on_gpu))
        return self.add_turns(batch, self.respond_on_turns(batch, on_gpu, river_values))


def _only_block(lines: StreetLines) -> Block:
    if not lines.blocks:
        raise ValueError(
            "device: the GPU computes turns and rivers only, and this strategy never reaches them:"
            " use --device cpu"
        )
    if len(lines.blocks) > 1:
        raise ValueError(
            "device: the GPU does games in which the betting of a street is the same whatever was"
            " bet before, not this one; use --device cpu"
        )
    return lines.blocks[0]


def _widened(array: AnyArray, width: int) -> AnyArray:
    """Filled up with zeros to `width` lines."""
    more = width - array.shape[-1]
    if not more:
        return np.ascontiguousarray(array)
    wide = np.zeros((*array.shape[:-1], width), array.dtype)
    wide[..., : array.shape[-1]] = array
    return wide


def _signed(block: Block, tree: LimitStreetTree) -> AnyArray:
    """What is won at the leaves of all parts, by set; negative where it is lost."""
    rows = [
        sign * block.amount[leaf]
        for part in tree.parts
        for leaf, sign in zip(part.leaves, part.signs, strict=True)
    ]
    return np.array(rows, block.plan.dtype)


def _river_options(
    tree: LimitStreetTree, cards: int, tuning: CardTuning, dtype: np.dtype[Any]
) -> Options:
    options = {
        **tree.node_options,
        "REAL_BITS": 8 * dtype.itemsize,
        "LANES": tuning.lanes,
        "EACH": tuning.each,
        "AHEAD": tuning.ahead,
        "CARDS": cards,
        "EDGES": tree.edges,
        "PARTS": len(tree.parts),
        "MOST_SETS": tree.most_sets,
        "MOST_SHOWS": tree.most_shows,
        "KEPT": tree.kept,
    }
    for number in range(MOST_PARTS):
        part = tree.parts[min(number, len(tree.parts) - 1)]
        options |= {
            f"ROOT_{number}": 1 + part.root,
            f"SHOWS_{number}": part.played_on,
            f"SETS_{number}": part.sets,
            f"LEAVES_{number}": len(part.leaves),
            f"PATH_{number}": _bits(part.path),
            f"EDGES_{number}": _bits(part.edges),
            f"CALLS_{number}": sum(leaf << 4 * at for at, leaf in enumerate(tree.calls(part))),
            f"INTO_{number}": part.into,
        }
    return options


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def turn_lanes(width: int, lane_bytes: int, shared_bytes: int) -> int:
    """How many lines a block does on the turn: all blocks as many, and their sums have room.

    Examples
    --------
    >>> [turn_lanes(width, 1_500, 232_448) for width in (64, 80)]
    [64, 16]
    >>> turn_lanes(64, 1_500, 65_536)
    32
    """
    lanes = gcd(width, _MOST_TURN_LANES)
    while lanes > 1 and lanes * lane_bytes > shared_bytes:
        lanes //= 2
    if width > _MOST_THREADS or lanes * lane_bytes > shared_bytes:
        raise ValueError(
            f"device: this game has too much betting for the GPU ({width} lines on its last"
            " street but one); use --device cpu"
        )
    return lanes


def _turn_options(
    tree: LimitStreetTree, cards: int, lanes: int, dtype: np.dtype[Any]
) -> dict[str, int]:
    part = tree.parts[0]
    return {
        **tree.node_options,
        "REAL_BITS": 8 * dtype.itemsize,
        "LANES": lanes,
        "BLOCKS": _ENTERING_BLOCKS,
        "CARDS": cards,
        "EDGES": tree.edges,
        "SETS": len(part.leaves),
        "NEXTS": part.played_on,
    }
