"""`PostflopSolver`: the update rules of the laboratory on the public tree of a spot.

Vector CFR: a node of the public tree holds a number for each hand, and one walk over the tree
updates all hands of a player at once. The players are updated in turn, each against what the
other has just become.

Precision: rows of reach and values are float32 while it learns; regrets and sums of strategies
are stored in float32 or in 16 bits. Exploitability on the way is computed in float32, the
certificate in float64.

Deviation from the laboratory: a strategy enters the average when the *opponent* walks over it,
because its reach is at hand there. So the average of the first player begins with the strategy
after the first update instead of the uniform one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.postflop.cpu.row_kernels import Update
from pokerlab.postflop.cpu.solve_kernels import BEST, LEARN, MEAN, RECORD, StreetStorage, Walk
from pokerlab.postflop.cpu.walker import Walker, aligned
from pokerlab.postflop.question.locks import LocksLike, keeps_suits, lock_texts, parse_locks
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.placed_locks import place_locks
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.rules import Rule, parse_rule

__all__ = ["DEFAULT_RULE", "PRECISIONS", "PostflopSolver"]

Storage: TypeAlias = tuple[StreetStorage, ...]

DEFAULT_RULE = "dcfr(1.5,0.25,3)"

PRECISIONS: dict[int, type[np.generic]] = {16: np.uint16, 32: np.float32, 64: np.float64}
"""What numbers are stored in, by bits; 16 are IEEE halves."""


class PostflopSolver:
    """Solves a spot; `pokerlab.solvers.run` runs it.

    Parameters
    ----------
    spot
        What to solve.
    rule
        An update rule or its text.
    precision
        Bits of the stored regrets and sums: 32, 16, or 64 (which also computes in float64).
    threads
        How many to use; all cores if None. The result does not depend on it.
    isomorphism
        Whether boards that differ by suits alone are merged.
    locks
        Decisions that are fixed, beside those of the spot (see
        `pokerlab.postflop.question.locks`).

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solver = PostflopSolver(spot)
    >>> solver.iterate(200)
    >>> solver.exploitability() < 0.1
    True
    """

    def __init__(
        self,
        spot: Spot,
        rule: str | Rule = DEFAULT_RULE,
        *,
        precision: int = 32,
        threads: int | None = None,
        isomorphism: bool = True,
        locks: LocksLike | None = None,
    ) -> None:
        if precision not in PRECISIONS:
            raise ValueError(f"precision: {precision} is not a number of bits (16, 32 or 64)")
        if threads is not None and threads < 1:
            raise ValueError(f"threads: {threads} is not a number of threads (1 or more)")
        spot = spot.with_locks(locks) if locks else spot
        self.spot = spot
        self.rule = parse_rule(rule)
        self.precision = precision
        self.threads = threads or os.cpu_count() or 1
        self.locks = parse_locks(spot, spot.locks)
        self.lock_texts = lock_texts(spot.locks)
        self.isomorphism = isomorphism and keeps_suits(self.locks)
        self.iteration = 0
        weights = (spot.oop.weights, spot.ip.weights)
        self.boards = Boards.of(spot.board, weights, isomorphism=self.isomorphism)
        rows = np.float64 if precision == 64 else np.float32
        self._placed_locks = place_locks(spot, self.boards, self.locks)
        self._walker = Walker(spot, self.boards, rows, self.threads, self._placed_locks)
        self.storage = self._allocate()
        if self.rule.plays_against_average:
            self._record_both()
        self._compile()

    def _allocate(self) -> Storage:
        kind = PRECISIONS[self.precision]
        predicts = self.rule.at(1).prediction != 0
        storage = []
        for program, tables in zip(self._walker.streets, self.boards.tables, strict=True):
            first = []
            for player in range(2):
                hands = np.diff(tables.hands[player].first)
                starts = np.concatenate([[0], np.cumsum(hands * program.slots[player])])
                first.append(starts.astype(np.int64))
            sizes = [int(starts[-1]) for starts in first]
            kept = tuple(aligned(size, kind) for size in sizes)
            regret = tuple(aligned(size if predicts else 0, kind) for size in sizes)
            sums = tuple(aligned(size if self.rule.averages else 0, kind) for size in sizes)
            storage.append(StreetStorage(kept, regret, sums, tuple(first)))
        if self.rule.greedy:
            self._fill_uniform(storage)
        return tuple(storage)

    def _fill_uniform(self, storage: list[StreetStorage]) -> None:
        """Greedy rules keep strategies, and these begin with all actions alike."""
        for street, kept in zip(self.spot.tree.streets, storage, strict=True):
            actions = np.diff(street.first_edge)
            for player in range(2):
                chosen = actions[street.player == player]
                shares = np.repeat(1 / chosen, chosen)
                starts = kept.first[player]
                for first, last in pairwise(starts):
                    hands = (last - first) // max(len(shares), 1)
                    rows = kept.kept[player][first:last].reshape(len(shares), hands)
                    rows[:] = _encode(shares, self.precision)[:, None]

    def _compile(self) -> None:
        """Compile the kernels now, so that the first iteration is not the slowest."""
        if self.spot.street == 2:
            self._walker.iterate_river(self.storage, np.zeros((0, 6)), self._river_walks)
        self.values()

    def _record_both(self) -> None:
        update = self._update(1)._replace(average=self._walker.kind.type(0))
        for hero in range(2):
            self._walker.walk(self.storage, hero, RECORD, update, average=False)

    @property
    def nbytes(self) -> int:
        """The memory of what the rule keeps between iterations."""
        return sum(array.nbytes for array in self._arrays().values())

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        first, self.iteration = self.iteration + 1, self.iteration + iterations
        numbers = range(first, first + iterations)
        if self.spot.street == 2 and not self.rule.plays_against_average:
            steps = np.array([self.rule.at(number) for number in numbers], np.float64)
            self._walker.iterate_river(self.storage, steps.reshape(-1, 6), self._river_walks)
            return
        for number in numbers:
            update = self._update(number)
            for hero in range(2):
                faces = self.rule.plays_against_average
                self._walker.walk(self.storage, hero, LEARN, update, average=faces)
                if faces:
                    self._walker.walk(self.storage, 1 - hero, RECORD, update, average=False)

    @cached_property
    def _river_walks(self) -> tuple[Walk, Walk]:
        widths, padded = self.boards.widths, self.boards.padded
        update = self._update(1)
        return (
            Walk(0, LEARN, False, update, widths, padded),
            Walk(1, LEARN, False, update, widths, padded),
        )

    def _update(self, iteration: int) -> Update:
        step = self.rule.at(iteration)
        if self.rule.plays_against_average:
            step = step._replace(average=1.0)  # sums of reach: all best responses weigh the same
        return self._walker.update(
            step, is_greedy=self.rule.greedy, returned=int(self.rule.passes_up)
        )

    def values(self) -> tuple[float, float]:
        """What each player takes from the pot on average, in chips."""
        return self._totals(self._walker, MEAN)

    def exploitability(self) -> float:
        """Half of what the two players could gain together by best responses, in chips.

        Without rake the values sum to the pot, whatever the strategies: two walks are enough.
        """
        values = (self.spot.pot / 2,) * 2 if self.spot.rake == 0 else self.values()
        return exploitability_of(values, self._totals(self._walker, BEST))

    def certify(
        self, averages: Storage | None = None
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Values, and values of the best responses, computed in float64.

        Of the answer so far, or of other `averages` (those that are going to be saved).
        """
        walker = self._exact_walker
        return self._totals(walker, MEAN, averages), self._totals(walker, BEST, averages)

    @cached_property
    def _exact_walker(self) -> Walker:
        if self.precision == 64:
            return self._walker
        return Walker(self.spot, self.boards, np.float64, self.threads, self._placed_locks)

    def _totals(
        self, walker: Walker, task: int, averages: Storage | None = None
    ) -> tuple[float, float]:
        storage = self.storage if averages is None else averages
        average = averages is not None or self.rule.averages
        step = self.rule.at(1)
        update = walker.update(step, is_greedy=self.rule.greedy, returned=0)
        found = []
        for hero in range(2):
            rows = walker.walk(storage, hero, task, update, average=average)
            weights = self.boards.weights[hero]
            mean = float(rows[: len(weights)].astype(np.float64) @ weights) / self._deals
            found.append(mean / walker.unit + self.spot.pot / 2)
        return found[0], found[1]

    @cached_property
    def _deals(self) -> float:
        """The sum over all deals of the product of the weights."""
        masks = [COMBO_MASKS[combos] for combos in self.boards.combos]
        apart = masks[0][:, None] & masks[1] == 0
        return float(self.boards.weights[0] @ apart @ self.boards.weights[1])

    def strategy(self) -> Storage:
        """The answer so far, as it is stored: proportional to the probabilities."""
        return self.storage

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {
            "spot": hashlib.sha256(self.spot.to_toml().encode()).hexdigest()[:16],
            "rule": str(self.rule),
            "precision": str(self.precision),
            "isomorphism": "on" if self.isomorphism else "off",
            "locks": hashlib.sha256(
                b"".join(lock.line.encode() + lock.shares.tobytes() for lock in self.locks)
            ).hexdigest()[:16],
        }

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on (the arrays themselves, not copies)."""
        return {"iteration": np.array([self.iteration]), **self._arrays()}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state())
        self.iteration = int(state["iteration"][0])
        for name, array in self._arrays().items():
            array[:] = state[name]

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {
            f"{kind}.{level}.{player}": getattr(street, kind)[player]
            for level, street in enumerate(self.storage)
            for kind in ("kept", "regret", "sums")
            for player in range(2)
            if len(getattr(street, kind)[player])
        }


def exploitability_of(values: tuple[float, float], best: tuple[float, float]) -> float:
    """Half of what best responses gain over the values."""
    return (sum(best) - sum(values)) / 2


def _encode(numbers: npt.NDArray[np.float64], precision: int) -> npt.NDArray[Any]:
    """Numbers as they are stored."""
    if precision == 16:
        return numbers.astype(np.float16).view(np.uint16)
    return numbers.astype(PRECISIONS[precision])
