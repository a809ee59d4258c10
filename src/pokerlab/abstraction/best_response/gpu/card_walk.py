"""`CardWalk`: best responses whose turns and rivers are worked out on a graphics card.

The processor lays boards out, sends the villain's reach over the flop, and works out the flop from
what comes back; all in several threads, some flops ahead of the card. The card does the turns of
several flops in one launch, so that all of it is busy. Its numbers are float32, sums over turns
float64; they are added up in a fixed order, so that two runs give the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.best_response.boards import Board
from pokerlab.abstraction.best_response.gpu.card_lines import CardBatch, CardLines, CardTuning
from pokerlab.abstraction.best_response.gpu.prepared_turns import (
    PreparedFlop,
    join_flops,
    prepare_flop,
)
from pokerlab.abstraction.best_response.public_walk import Pair, PublicWalk
from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.gpu.machine import Machine

__all__ = ["CardWalk"]

_HEROES = (0, 1)


class CardWalk(PublicWalk):
    """A `PublicWalk` with a card.

    Parameters
    ----------
    machine
        The card.
    game, chances, threads, dtype, symmetric
        As for `PublicWalk`; the game has two private cards, and deals one card on each of its last
        two streets.
    tuning
        How kernels are launched.
    """

    def __init__(
        self,
        machine: Machine,
        game: BucketedGame,
        chances: npt.NDArray[np.floating],
        *,
        threads: int = 1,
        dtype: npt.DTypeLike = np.float32,
        symmetric: bool | None = None,
        tuning: CardTuning | None = None,
    ) -> None:
        board = game.rules.board_cards
        if game.rules.hole != 2 or len(board) < 3 or (np.diff(board)[-2:] != 1).any():
            raise ValueError(
                f"device: the card does games like hold'em, not {game.game.name}; use --device cpu"
            )
        super().__init__(game, chances, threads=threads, dtype=dtype, symmetric=symmetric)
        self.machine = machine
        cards = len(game.rules.deck) - int(board[-1])
        tuning = tuning or CardTuning()
        self.on_card = tuple(
            CardLines(
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

    def prepare(self, flop: Board) -> PreparedFlop:
        """Lay out the turns and rivers of a flop."""
        return prepare_flop(self.boards, flop, self.last - 1)

    def deal_together(self, flops: Sequence[PreparedFlop], reach: Sequence[Pair]) -> list[Pair]:
        """What hands are worth before the turn is dealt, on several flops at once."""
        batch = CardBatch(self.machine, join_flops(flops, self.dtype))
        sums = [
            lines.respond(batch, np.stack([each[hero] for each in reach]))
            for hero, lines in enumerate(self.on_card)
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

    def play_together(self, flops: Sequence[PreparedFlop], reach: Sequence[Pair]) -> list[Pair]:
        """What hands are worth where the betting of the flop begins, on several flops at once."""
        street = self.last - 2
        with ThreadPoolExecutor(self.threads) as executor:
            sent = list(
                executor.map(lambda flop, each: self.send(street, flop.board, each), flops, reach)
            )
            given = self.deal_together(flops, sent)
            return list(
                executor.map(
                    lambda flop, each, known: self.answer(street, flop.board, each, known),
                    flops,
                    reach,
                    given,
                )
            )
