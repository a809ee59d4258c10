"""Rules with an update of their own on the public tree of a spot (see `LocalRule`).

A walker knows what every action of a board is worth; the update, compiled, is called for each hand
of each decision there; Python goes from board to board. An iteration walks over every street
once for itself and once for each street above it, and copies rows in Python: it takes 40 to 80
times as long as one of the rules of the house.

What is stored: strategies where greedy rules have them, the memory of the update where others have
regrets (one copy of the layout for each number), and the sums of an average.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import PlayerLayout, StrategyLayout
from pokerlab.engine.walker import Storage, Walker
from pokerlab.runtime.arrays import AnyArray, Floats, Int64s
from pokerlab.solvers.local_rule import LocalRule, compile_each_time


class LocalLearner:
    """Iterates a rule with an update of its own on a spot.

    Parameters
    ----------
    walker
        Walks over the boards.
    boards, layout
        Of the spot.
    rule
        What to learn by.
    """

    def __init__(
        self, walker: Walker, boards: Boards, layout: StrategyLayout, rule: LocalRule
    ) -> None:
        self._walker = walker
        self._boards = boards
        self._layout = layout
        self._rule = rule
        self._update = rule.compiled()

    def add_memory(self, storage: Storage, kind: npt.DTypeLike) -> Storage:
        """Storage with the memory of the rule in place of regrets."""

        def memory(level: int) -> tuple[AnyArray, ...]:
            both = self._layout.streets[level]
            return tuple(np.zeros(self._rule.memory * here.size, kind) for here in both)

        return tuple(stored._replace(regret=memory(level)) for level, stored in enumerate(storage))

    def iterate(self, storage: Storage, first: int, iterations: int) -> None:
        """Run iterations, the number `first` and those after it: the players learn in turn."""
        # Walks by the "average" read the sums: here the current strategies take their place.
        current = tuple(stored._replace(sums=stored.strategy_weights) for stored in storage)
        numbers = self._rule.numbers_of(first, iterations)
        for iteration, step in enumerate(numbers, first):
            plans = tuple(
                stored._replace(sums=tuple(weights.copy() for weights in stored.strategy_weights))
                for stored in storage
            )
            self._walker.record(plans, average=True)  # strategies times the players' own reach
            if self._rule.averages:
                keep = self._rule.at(iteration).average
                for stored, plan in zip(storage, plans, strict=True):
                    for sums, played in zip(stored.sums, plan.sums, strict=True):
                        sums[:] = keep * sums + played
            for hero in range(2):
                self._learn(storage, current, plans, hero, step, iteration)

    def _learn(
        self,
        storage: Storage,
        current: Storage,
        plans: Storage,
        hero: int,
        step: Floats,
        iteration: int,
    ) -> None:
        """Let a player learn on all boards, from what the strategies before were worth."""
        range_weights = self._boards.weights[hero]
        scale = 1.0 / float(self._boards.weights[1 - hero].sum())
        found = []
        for level, stored in enumerate(storage):
            here = self._layout.at(level, hero)
            hands = self._boards.tables[level].hands[hero]
            known = hands.order < len(range_weights)  # others are padding, or not possible
            weights = np.where(known, range_weights[np.where(known, hands.order, 0)], 0.0)
            for path in self._paths(level):
                board = path[-1] if path else 0
                values = self._walker.board_values(current, hero, path).actions * scale
                own = weights[hands.first[board] : hands.first[board + 1]]
                strategy = here.board(stored.strategy_weights[hero], board).astype(np.float64)
                memory = self._memory_of(stored.regret[hero], here, board)
                kept = np.stack(memory).astype(np.float64) if memory else np.zeros((0, *own.shape))
                kept = kept.reshape(len(memory), *strategy.shape)
                played = here.board(plans[level].sums[hero], board).astype(np.float64)
                _update_board(
                    self._update, kept, strategy, values, played, own, here.own_actions, step
                )
                self._check(strategy, here, own, iteration)
                for row, new in zip(memory, kept, strict=True):
                    row[:] = new
                found.append((here.board(stored.strategy_weights[hero], board), strategy))
        for place, strategy in found:  # now that nobody asks for the values of the old ones
            place[:] = strategy

    def _paths(self, level: int) -> Iterator[tuple[int, ...]]:
        """The boards of a street, each with those on the way to it, after the first street."""
        paths: list[tuple[int, ...]] = [()]
        for upper in range(level):
            first = self._boards.tables[upper].child_first
            paths = [
                (*path, board)
                for path in paths
                for here in [path[-1] if path else 0]
                for board in range(int(first[here]), int(first[here + 1]))
            ]
        yield from paths

    def _memory_of(self, array: AnyArray, here: PlayerLayout, board: int) -> list[AnyArray]:
        """Each number of the memory on a board: views of (slots, row)."""
        parts = range(0, self._rule.memory * here.size, here.size)
        return [here.board(array[first : first + here.size], board) for first in parts]

    def _check(self, strategy: Floats, here: PlayerLayout, own: Floats, iteration: int) -> None:
        """`ValueError` unless probabilities were left for all hands of the range."""
        ends = np.cumsum(here.own_actions)
        for first, last in zip(ends - here.own_actions, ends, strict=True):
            self._rule.check_strategies(strategy[first:last, own > 0], f"in iteration {iteration}")


@compile_each_time
def _update_board(
    update: Any,
    memory: Floats,
    strategy: Floats,
    values: Floats,
    played: Floats,
    own: Floats,
    own_actions: Int64s,
    step: Floats,
) -> None:
    """Call an update for each hand of each decision of a player on a board.

    Arrays are (slots, hands), `memory` (numbers, slots, hands); `played` are strategies times the
    player's reach and the weights of the hands in the range, which are `own`.
    """
    stop = 0
    for actions in own_actions:
        start, stop = stop, stop + actions
        for hand in range(len(own)):
            if own[hand] > 0.0:
                reach = played[start:stop, hand].sum() / own[hand]
                update(
                    memory[:, start:stop, hand],
                    strategy[start:stop, hand],
                    values[start:stop, hand],
                    reach,
                    step,
                )
