"""A spot in which given strategies are judged by exact best responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from pokerlab.engine.device import choose_device
from pokerlab.engine.walker import Learner, Probabilities, as_storage, make_learner
from pokerlab.holdem.spots.prepared import PreparedSpot, mean_chips
from pokerlab.holdem.spots.solver import DEFAULT_RULE, Certified, solve_needs
from pokerlab.runtime.arrays import Halves, Reals
from pokerlab.runtime.machine import check_threads
from pokerlab.solvers.rules import parse_rule


class RealGame:
    """A spot in which strategies are judged by exact best responses, in float64.

    Parameters
    ----------
    prepared
        The spot. Best responses keep to its locks.
    threads, device
        See `PostflopSolver`.
    """

    def __init__(
        self, prepared: PreparedSpot, threads: int | None = None, device: str = "auto"
    ) -> None:
        self.prepared = prepared
        self._threads = check_threads(threads)
        rule = parse_rule(DEFAULT_RULE)
        grouped = prepared.groups is not None
        needs = solve_needs(prepared.spot.tree, prepared.size, rule, 32, grouped=grouped)
        self._device = choose_device(device, needs, grouped=grouped)

    @cached_property
    def _walker(self) -> Learner:
        here = self.prepared
        return make_learner(
            here.spot,
            here.boards,
            np.float64,
            self._threads,
            here.placed_locks,
            here.groups,
            self._device,
        )

    def best_value(self, player: int, strategy: Sequence[Halves]) -> float:
        """What a player takes from the pot with a best response to the other's strategy."""
        layout = self.prepared.layout
        pairs: list[tuple[Halves, Halves]] = []
        for level, known in enumerate(strategy):
            unknown = np.zeros(layout.at(level, player).size, np.float16)
            pairs.append((unknown, known) if player == 0 else (known, unknown))
        held = self._walker.hold(as_storage(layout, pairs))
        return self._mean(self._walker.best_values(held, player, average=True), player)

    def certify(
        self, strategies: Probabilities, report: Callable[[float], None] | None = None
    ) -> Certified:
        """What both strategies and best responses to them take from the pot.

        `report` is called with the part that is done.
        """
        held = self._walker.hold(as_storage(self.prepared.layout, strategies))
        found = []
        for number, walk in enumerate((self._walker.values, self._walker.best_values)):
            for hero in range(2):
                if report is not None:
                    report((2 * number + hero) / 4)
                found.append(self._mean(walk(held, hero, average=True), hero))
        return Certified((found[0], found[1]), (found[2], found[3]), None)

    def _mean(self, rows: Reals, hero: int) -> float:
        prepared = self.prepared
        weights = prepared.boards.weights[hero]
        total = float(rows[: len(weights)].astype(np.float64) @ weights)
        unit, pot = self._walker.unit, prepared.spot.pot
        return float(mean_chips(total, prepared.deals, unit, pot))
