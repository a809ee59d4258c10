"""`GpuResponse`: best responses on a GPU.

The processor deals boards, finds buckets and lays hands out, in several threads, some first boards
ahead of the GPU. A walk over all that follows one first board keeps the whole GPU busy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.device import walker_bytes
from pokerlab.engine.gpu.level import KnownPrograms, Tuning
from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.engine.walker import Learner
from pokerlab.holdem.limit.best_response.boards import FirstBoard
from pokerlab.holdem.limit.best_response.public_response import PublicResponse
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import Floats, Reals
from pokerlab.runtime.gpu.machine import Machine
from pokerlab.runtime.machine import size_text

MOST_BUCKETS = 1 << 16
"""Of a street: the GPU knows a hand's bucket by 16 bits."""

_AT_ONCE = 3
"""The most first boards that are on the GPU at the same time: others copy meanwhile."""

_TUNING = Tuning(sum_step=512)
"""First boards differ in their sums by card, and a kernel is compiled for each number of them: few
numbers are few kernels."""


class GpuResponse(PublicResponse):
    """A `PublicResponse` with a GPU.

    Parameters
    ----------
    machine
        The GPU.
    game, probabilities, threads, dtype, symmetric
        As for `PublicResponse`; the game has two private cards.
    """

    boards_at_once = 48

    def __init__(
        self,
        machine: Machine,
        game: BucketedGame,
        probabilities: Reals,
        *,
        threads: int = 1,
        dtype: npt.DTypeLike = np.float32,
        symmetric: bool | None = None,
    ) -> None:
        if game.rules.hole != 2:
            raise ValueError(
                f"device: the GPU does games like hold'em, not {game.game.name}; use --device cpu"
            )
        if max(game.counts) > MOST_BUCKETS:
            raise ValueError(
                f"device: the GPU takes at most {MOST_BUCKETS:,} buckets a street, not "
                f"{max(game.counts):,}; use --device cpu"
            )
        super().__init__(game, probabilities, threads=threads, dtype=dtype, symmetric=symmetric)
        self.machine = machine
        self._known = KnownPrograms(), KnownPrograms()
        needed, free = self._walk_bytes(), machine.free_bytes()
        if needed > free:
            raise ValueError(
                f"device: this needs about {size_text(needed)} on the GPU, and {size_text(free)} "
                "are free there; use --device cpu"
            )
        self.tables = [[machine.array(table) for table in each.tables] for each in self.villains]
        machine.synchronize()  # before other threads read them

    def boards_values(self, numbers: Sequence[int]) -> Iterator[Floats]:
        """As for `PublicResponse`, some boards ahead."""

        def finish(number: int, follows: Future[FirstBoard]) -> Floats:
            with self.machine.aside():
                return self._by_class(number, self.hand_values(follows.result()))

        at_once = int(min(max(self.machine.free_bytes() // self._walk_bytes(), 1), _AT_ONCE))
        with ThreadPoolExecutor(self.threads) as workers, ThreadPoolExecutor(at_once) as walks:
            ahead: deque[Future[Floats]] = deque()
            try:
                for number in numbers:
                    follows = workers.submit(self.boards.follow, number)
                    ahead.append(walks.submit(finish, number, follows))
                    if len(ahead) > self.threads + at_once:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:
                for future in ahead:
                    future.cancel()

    def _walk_bytes(self) -> int:
        """What a walk takes on the GPU at most."""
        sizes = self.boards.game.rules.board_cards[self.boards.street :].tolist()
        left = [len(self.boards.game.rules.deck) - size for size in sizes]
        boards = np.cumprod([1, *(comb(now, now - later) for now, later in pairwise(left))])
        hands = CPU_SHAPE.pad(comb(left[0], 2))
        lengths = [(hands, hands)] * len(boards)
        return max(
            walker_bytes(villain.tree, boards, lengths, self.dtype.itemsize, grouped=True)
            for villain in self.villains
        )

    def _walker(self, hero: int, follows: FirstBoard, walkers: Sequence[Learner]) -> Learner:
        beside = walkers[0] if walkers else None
        assert beside is None or isinstance(beside, GpuWalker)
        return GpuWalker(
            self.machine,
            self.villains[hero],
            follows.boards,
            self.dtype,
            tuning=_TUNING,
            groups=follows.groups,
            known=self._known[hero],
            beside=beside,
        )
