"""`GpuBestResponse`: best responses whose turns and rivers are worked out on a GPU.

The processor lays boards out, sends the villain's reach over the flop, and works out the flop from
what comes back; all in several threads, some flops ahead of the GPU. The GPU does the turns of
several flops in one launch, so that all of it is busy. Its numbers are float32, sums over turns
float64; they are added up in a fixed order, so that two runs give the same bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import islice
from math import comb

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.boards import Board
from pokerlab.holdem.limit.best_response.gpu.gpu_lines import CardBatch, CardTuning, GpuLines
from pokerlab.holdem.limit.best_response.gpu.prepared_turns import (
    MOST_GROUPS,
    PreparedFlop,
    join_flops,
    prepare_flop,
)
from pokerlab.holdem.limit.best_response.public_walk import Pair, PublicWalk
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import Floats, Reals
from pokerlab.runtime.gpu.machine import Machine

_HEROES = (0, 1)
_BATCHES = 3
"""The number of batches that are under way at the same time."""
_BATCHES_AT_ONCE = 8
"""Boards asked for together: the GPU waits for the first, the processor for the last."""
_FLOPS_AT_ONCE = 6
"""About 250 turn boards, which are 2,300 blocks of threads."""


class GpuBestResponse(PublicWalk):
    """A `PublicWalk` with a GPU.

    Parameters
    ----------
    machine
        The GPU.
    game, probabilities, threads, dtype, symmetric
        As for `PublicWalk`; the game has two private cards, and deals one card on each of its last
        two streets.
    tuning
        How kernels are launched.
    """

    def __init__(
        self,
        machine: Machine,
        game: BucketedGame,
        probabilities: Reals,
        *,
        threads: int = 1,
        dtype: npt.DTypeLike = np.float32,
        symmetric: bool | None = None,
        tuning: CardTuning | None = None,
    ) -> None:
        board = game.rules.board_cards
        if (
            game.rules.hole != 2
            or len(game.rules.strength)
            or len(board) < 3
            or (np.diff(board)[-2:] != 1).any()
            or game.counts[-1] >= MOST_GROUPS
        ):
            raise ValueError(
                f"device: the GPU does games like hold'em, not {game.game.name}; use --device cpu"
            )
        super().__init__(game, probabilities, threads=threads, dtype=dtype, symmetric=symmetric)
        self.machine = machine
        cards = len(game.rules.deck) - int(board[-1])
        tuning = tuning or CardTuning()
        self.on_gpu = tuple(
            GpuLines(
                machine,
                self.lines[hero][-2],
                self.lines[hero][-1],
                hero,
                cards,
                1 / self.boards.ways(self.last),
                tuning,
            )
            for hero in _HEROES
        )

    @property
    def boards_at_once(self) -> int:
        """How many of `first_boards` are best asked for together, so that the GPU never waits."""
        return _BATCHES_AT_ONCE * self._flops_at_once()

    def first_board_values(self, number: int) -> Floats:
        """As for `PublicWalk`, on the GPU."""
        return next(self.first_boards_values([number]))

    def first_boards_values(self, numbers: Sequence[int]) -> Iterator[Floats]:
        """As for `PublicWalk`, on the GPU."""
        following = self.first_boards
        assert following is not None
        flops = [self.boards.chosen(self.first_board, following, number) for number in numbers]
        for number, pair in zip(numbers, self.play_flops(flops, self._sent), strict=True):
            values = self._zeros(self.first_board, 1)
            for hero in _HEROES:
                values[hero][following.order[number]] = following.weight[number] * pair[hero]
            yield self._by_class(values)

    def prepare(self, flop: Board) -> PreparedFlop:
        """Lay out the turns and rivers of a flop."""
        return prepare_flop(self.boards, flop, self.last - 1)

    def deal_together(self, flops: Sequence[PreparedFlop], reach: Sequence[Pair]) -> list[Pair]:
        """What hands are worth before the turn is dealt, on several flops at once."""
        batch = CardBatch(self.machine, join_flops(flops, self.dtype))
        sums = [
            lines.respond(batch, np.stack([each[hero] for each in reach]))
            for hero, lines in enumerate(self.on_gpu)
        ]
        first, second = (self.machine.fetch(each) for each in sums)
        ways = self.boards.ways(self.last - 1)
        return [
            (
                self.boards.symmetrised(flop.board, first[number]) / ways,
                self.boards.symmetrised(flop.board, second[number]) / ways,
            )
            for number, flop in enumerate(flops)
        ]

    def play_flops(self, flops: Iterable[Board], reach: Pair) -> Iterator[Pair]:
        """What hands are worth where the betting of each flop begins, in the order of the flops.

        Some batches are under way at the same time: one on the GPU, others on the processor
        before or behind it. `reach` (hands of the game, lines) is that before the flop is dealt.
        """
        with (
            ThreadPoolExecutor(self.threads) as workers,
            ThreadPoolExecutor(_BATCHES) as batches,
        ):
            ahead: deque[Future[list[Pair]]] = deque()
            waiting = _batched(flops, self._flops_at_once())
            try:
                for batch in waiting:
                    ahead.append(batches.submit(self._play_batch, batch, reach, workers))
                    if len(ahead) > _BATCHES:
                        yield from ahead.popleft().result()
                while ahead:
                    yield from ahead.popleft().result()
            finally:
                for future in ahead:
                    future.cancel()

    def _play_batch(self, flops: list[Board], reach: Pair, workers: Executor) -> list[Pair]:
        street = self.last - 2

        def before(flop: Board) -> tuple[PreparedFlop, Pair, Pair]:
            entered = reach[0][flop.hands], reach[1][flop.hands]
            return self.prepare(flop), entered, self.send(street, flop, entered)

        prepared, entered, sent = zip(*workers.map(before, flops), strict=True)
        with self.machine.aside():
            given = self.deal_together(prepared, sent)
        return list(workers.map(lambda *each: self.answer(street, *each), flops, entered, given))

    def _flops_at_once(self) -> int:
        """As many as keep the GPU busy, unless it has too little memory for that."""
        game = self.boards.game
        deck = len(game.rules.deck)
        turns = deck - int(game.rules.board_cards[-3])
        hands = comb(deck - int(game.rules.board_cards[-2]), 2)
        turn_bytes = max(lines.turn_bytes(hands) for lines in self.on_gpu)
        room = self.machine.free_bytes() // (_BATCHES * turns * turn_bytes)
        return int(min(max(room, 1), _FLOPS_AT_ONCE))


def _batched(flops: Iterable[Board], size: int) -> Iterator[list[Board]]:
    """Lists of `size` boards; the last may be shorter."""
    following = iter(flops)
    while batch := list(islice(following, size)):
        yield batch
