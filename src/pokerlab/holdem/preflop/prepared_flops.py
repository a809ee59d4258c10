"""`PreparedFlops`: the boards of a subset, with all that does not depend on the betting.

Boards, groups of hands and showdowns are the same after every line and at every depth of stacks, so
several solves over one subset can share them, and on a GPU the tables made of them.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.codes import format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.preflop.class_matchups import count_pairs, count_showdowns
from pokerlab.holdem.preflop.flop_bets import WeightedBoards
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.machine import core_count

if TYPE_CHECKING:
    from pokerlab.engine.gpu.joined_walker import JoinedWalker

_PAIRS = comb(52, 2) * comb(50, 2)


class PreparedFlops:
    """The boards of a subset, ready for the walkers of any line.

    Parameters
    ----------
    boards
        The flops of the subset, with weights in proportion to how often they stand for one.
    groups
        Hands that play one strategy together; None: each plays its own.
    runouts
        A weighted subset of turns and rivers, as `FlopBets` has it.
    threads
        How many boards are prepared at a time; all cores if None.
    preparing
        Called with the number of boards that are done.

    Examples
    --------
    >>> flops = PreparedFlops([("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 3.0)])
    >>> len(flops.spots), (flops.weights / flops.weights.sum()).round(4).tolist()
    (2, [0.25, 0.75])
    """

    def __init__(
        self,
        boards: WeightedBoards,
        groups: str | HandGrouping | None = None,
        *,
        runouts: str | None = None,
        threads: int | None = None,
        preparing: Callable[[int], None] = lambda done: None,
    ) -> None:
        if not boards:
            raise ValueError("flops: none is named")
        self.groups = HandGrouping.parse(groups) if isinstance(groups, str) else groups
        self.runouts = runouts
        self.cards = [to_cards(board) for board, _ in boards]
        dealt = len(self.cards[0])
        if {len(board) for board in self.cards} != {dealt} or not 3 <= dealt <= 5:
            raise ValueError("flops: all boards have three cards, or all four, or all five")
        weights = np.array([weight for _, weight in boards])
        self.weights: Floats = weights / weights.sum() * comb(52, dealt) / comb(48, dealt) / _PAIRS
        """By board, what a pair of combos on it weighs."""
        self.text = _boards_text(boards)
        """Which boards and weights these are, for checkpoints."""
        self.beside: JoinedWalker | None = None
        """A walker of a GPU over these boards, whose tables others use, too."""
        self.walker_bytes = 0
        """What it keeps there."""
        self.spots: list[PreparedSpot] = []
        """The boards with their hands and groups; the betting is that of no line."""
        margins = []
        preparing(0)
        with ThreadPoolExecutor(threads or core_count()) as pool:
            for spot, margin in pool.map(self._prepare, self.cards):
                self.spots.append(spot)
                margins.append(margin)
                preparing(len(self.spots))
        self.margins: Floats = np.array(margins)
        """(boards, 169, 169): what a class wins of another in showdowns, times pairs of combos."""
        self.classes = [CLASS_OF_COMBO[spot.boards.combos[0]] for spot in self.spots]
        """For each board the classes of its hands."""

    def check(
        self, boards: WeightedBoards, groups: HandGrouping | None, runouts: str | None
    ) -> None:
        """`ValueError` where a solve has other boards, groups or run-outs than these."""
        own, other = (self.text, self.groups, self.runouts), (_boards_text(boards), groups, runouts)
        for name, found, asked in zip(("flops", "groups", "runouts"), own, other, strict=True):
            if found != asked:
                raise ValueError(f"prepared: the {name} are not those of the solve")

    def _prepare(self, board: tuple[int, ...]) -> tuple[PreparedSpot, Floats]:
        spot = PreparedSpot.of(
            Spot(board, "any", "any", pot=2, stack=1, runouts=self.runouts),
            groups=self.groups,
            threads=1,
        )
        run_outs = comb(48 - len(board), 5 - len(board))
        return spot, count_showdowns(board, threads=1) / run_outs - count_pairs(board)


def _boards_text(boards: WeightedBoards) -> str:
    listed = (f"{format_cards(to_cards(board))}:{float(weight)!r}" for board, weight in boards)
    return digest(" ".join(listed), length=16)
