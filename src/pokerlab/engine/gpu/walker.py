"""`GpuWalker`: walks over the public tree of a spot on a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.tasks import BEST, MEAN
from pokerlab.engine.game import PublicBetting
from pokerlab.engine.gpu.gpu_storage import Storage
from pokerlab.engine.gpu.joined_walker import JoinedWalker, WalkedGame, compile_together
from pokerlab.engine.gpu.level import KnownPrograms, Tuning
from pokerlab.engine.tables.arrays import Locks
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.runtime.arrays import AnyArray, Floats, Singles
from pokerlab.runtime.gpu.machine import Machine
from pokerlab.solvers.rules import Rule, Step


class GpuWalker(JoinedWalker):
    """Walks over one spot on a GPU; see `pokerlab.engine.walker.Learner`.

    Parameters
    ----------
    machine
        Where kernels run.
    spot, boards
        The game.
    kind
        The precision of reach and values.
    locks
        Strategies that are fixed, street by street.
    tuning
        How work is cut.
    groups
        Hands that share storage.
    known, beside
        Other walkers for the same tree, or over the same boards; see `JoinedWalker`.
    """

    def __init__(
        self,
        machine: Machine,
        spot: PublicBetting,
        boards: Boards,
        kind: npt.DTypeLike,
        locks: Sequence[Locks] | None = None,
        tuning: Tuning | None = None,
        groups: BoardGroups | None = None,
        known: KnownPrograms | None = None,
        beside: GpuWalker | None = None,
    ) -> None:
        game = WalkedGame(spot, boards, locks, groups)
        super().__init__(machine, [game], kind, tuning, known, beside)

    def compile_kernels(self, storage: Storage, rule: Rule) -> None:
        """Compile what iterations of a rule and measurements need, several kernels at a time."""
        compile_together(self.wanted_kernels(storage, rule))

    def learn(self, storage: Storage, rule: Rule, number: int, hero: int) -> AnyArray:
        """Run the half of an iteration in which one player learns."""
        return self._alone(self.learn_each(storage, rule, number, hero))

    def set_range(self, player: int, weights: Floats) -> None:
        """Let a player hold the hands with other weights from now on."""
        self.set_ranges(player, [weights])

    def values(self, storage: Storage, hero: int, *, average: bool) -> AnyArray:
        """What each hand is worth at the root."""
        return self._alone(self.values_each(storage, hero, average=average))

    def values_and_below(self, storage: Storage, hero: int) -> tuple[AnyArray, Singles]:
        """The average strategies' `values` and `values_below` the first street, in one walk."""
        with self._lock:
            self._walk(self.hold(storage), hero, MEAN, Step(), average=True)
            rows, (below,) = self._fetch_root(hero), self._fetch_below(hero, 0)
        return self._alone(self._rows_by_hand(rows, hero)), below

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> AnyArray:
        """The same for a best response."""
        return self._alone(
            self.values_each(storage, hero, average=average, best=True, by_group=by_group)
        )

    def next_values(self, storage: Storage, hero: int, *, best: bool) -> Floats:
        """The average strategies' values, in chips, at the roots of the second street.

        (boards, roots, places), hands in the order of each board. With `best`, those of a best
        response. Where run-outs are left out, the walk scales hands on their way, and a board by
        itself is worth something else: `ValueError`.
        """
        if any(self._subsets):
            raise ValueError("values of single boards: this solve leaves out run-outs")
        with self._lock:
            self._walk(self.hold(storage), hero, BEST if best else MEAN, Step(), average=True)
            level = self.levels[1]
            shape = level.tree.roots, level.boards, level.lengths[hero]
            rows = self.machine.fetch(level.values[: math.prod(shape)]).reshape(shape)
        return np.asarray(rows.transpose(1, 0, 2) / self.unit, np.float64)

    def values_below(self, storage: Storage, hero: int, level: int) -> Singles:
        """The average strategies' values where the next street begins: (boards, roots, hands)."""
        return self.values_below_each(storage, hero, level)[0]

    @staticmethod
    def _alone(rows: AnyArray) -> AnyArray:
        """The rows of the one game: (hands,), or (roots, hands) where there are several roots."""
        found = rows[:, 0]
        return found if len(found) > 1 else found[0]
