"""What follows a flop: a public tree for each flop of a subset and each line that leads to one.

Every pair of a line and a flop is a spot with all hands; a walk over it takes the opposing classes
that get there as the range of the opponent and gives the values of the hero's hands, which are
added up by class. So the game before the flop and all its flops are one game, and an iteration
of an update rule on it is an iteration before the flop whose ends are iterations after it.

A subset stands for all flops. What would be won without any bets after the flop is known exactly,
over all boards (`class_matchups`); only the difference that betting makes is taken from the
subset::

    value = exact value of a showdown + Σ over flops of weight · (value with bets − of a showdown)

The second summand, the *gain*, is computed here. Without bets the value does not depend on the
subset at all, and with all 1,755 flops it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.engine.device import open_gpu
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.subsets.check_downs import check_down_corrections
from pokerlab.engine.tables.group_tables import make_group_tables
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import Learner, Storage, make_learner
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.preflop.betting import PreflopRules
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.preflop.flop_bets import DEFAULT_BETS, FlopBets, WeightedBoards, flop_edges
from pokerlab.holdem.preflop.prepared_flops import PreparedFlops
from pokerlab.holdem.preflop.subtree_memory import SubtreeMemory
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, PRECISIONS, predicts
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.machine import core_count, free_memory, size_text
from pokerlab.solvers.interrupts import is_interrupted
from pokerlab.solvers.rules import Rule, parse_rule


class BoardWalks(Protocol):
    """Boards that are walked together, after every line."""

    boards: slice
    """Their numbers."""
    size: int
    """How much there is to walk over, compared with others."""

    def learn(self, line: int, hero: int, reach: Floats, iteration: int) -> Floats:
        """The hero's half of an iteration on a line: (boards, 169), what each class wins.

        `reach` (169,) is how often each opposing class gets there.
        """

    def wins(self, line: int, hero: int, reach: Floats, best: bool, by_group: bool) -> Floats:
        """(boards, 169): what each class wins with the average strategies."""

    def arrays(self) -> Mapping[str, tuple[Any, Any]]:
        """All arrays of storage by board and line, each with the walker that has it."""


class FlopSubtrees:
    """The spots of all lines on all boards of a subset; see the module.

    Parameters
    ----------
    rules
        The bets before the flop.
    boards
        The flops of the subset, with weights in proportion to how often they stand for one.
    bets
        The menus after the flop.
    rule
        The update rule, the one that is used before the flop.
    precision
        Bits of the stored numbers: 16 or 32.
    threads
        How many boards are walked at a time; all cores if None. The result does not depend on it.
    groups
        Hands that play one strategy together, on each board anew (see `PostflopSolver`); None:
        each plays its own. Reach, showdowns and card removal stay those of the hands.
    device
        Where the flops are walked: ``"cpu"``, ``"gpu"``, or ``"auto"``, which takes the GPU where
        there is one with room. The attribute `device` then says which.
    preparing
        Called with the number of boards that are done.
    prepared
        These boards with these groups, where another solve has prepared them.
    by_hand
        On a GPU, the lines that are stored by hand though hands are grouped; None: as many as there
        is room for.

    Examples
    --------
    >>> from pokerlab.holdem.preflop import PreflopGame
    >>> rules = PreflopRules(3, "")  # limp and check
    >>> flops = FlopSubtrees(rules, [("QhJh2c4d7h", 1.0)], FlopBets(bet="", raise_=""))
    >>> with_board, without = PreflopGame(rules, flops), PreflopGame(rules)
    >>> uniform = without.uniform()
    >>> bool(abs(with_board.values(uniform, 0) - without.values(uniform, 0)).max() < 1e-7)
    True
    """

    def __init__(
        self,
        rules: PreflopRules,
        boards: WeightedBoards,
        bets: FlopBets = DEFAULT_BETS,
        *,
        rule: str | Rule = DEFAULT_RULE,
        precision: int = 16,
        threads: int | None = None,
        groups: str | HandGrouping | None = None,
        device: str = "cpu",
        preparing: Callable[[int], None] = lambda done: None,
        prepared: PreparedFlops | None = None,
        by_hand: Collection[int] | None = None,
    ) -> None:
        if not boards:
            raise ValueError("flops: none is named")
        if not len(flop_edges(rules.tree)):
            raise ValueError("flops: no line leads to one; allow limps, or raises that are called")
        if precision not in (16, 32):
            raise ValueError(f"precision: {precision} is not a number of bits (16 or 32)")
        machine = open_gpu(device)
        self.rules = rules
        self.rule = parse_rule(rule)
        self.groups = HandGrouping.parse(groups) if isinstance(groups, str) else groups
        asked = rules, boards, bets, self.rule, precision, self.groups, threads
        if machine is None:
            _check_memory(*asked)
        if prepared is not None:
            prepared.check(boards, self.groups, bets.runouts)
        flops = prepared or PreparedFlops(
            boards, self.groups, runouts=bets.runouts, threads=threads, preparing=preparing
        )
        self.weights = flops.weights
        """By board, what a pair of combos on it weighs."""
        self._margins = flops.margins
        self.identity = {
            "bets": repr(bets),
            "precision": str(precision),
            "groups": "none" if self.groups is None else self.groups.text,
            "flops": flops.text,
        }
        spots = [bets.spots(rules, board) for board in flops.cards]
        self._stakes = np.array([spot.pot / 2 for spot in spots[0]])
        part = None
        if machine is not None:
            # Only those who use a GPU load what drives it.
            from pokerlab.holdem.preflop.gpu_subtrees import GpuSubtrees
            from pokerlab.runtime.gpu.machine import GpuRefusalError

            lines = list(zip(*spots, strict=True))
            try:
                part = GpuSubtrees(lines, flops, self.rule, precision, machine, by_hand)
            except GpuRefusalError:
                if device == "gpu":
                    raise
                flops.beside, flops.walker_bytes = None, 0
                _check_memory(*asked)
        self.device = "cpu" if part is None else "gpu"
        """Where the flops are walked."""
        self._pool = ThreadPoolExecutor(1 if part is not None else threads or core_count())
        self._parts: list[BoardWalks]
        if part is not None:
            self._parts = [part]
            if part.by_hand:
                self.identity["by_hand"] = " ".join(map(str, sorted(part.by_hand)))
            if len(part.by_hand) == len(lines):
                self.groups = None  # nothing is grouped, so nothing has a price
            return

        def make(place: int) -> BoardWalks:
            return _BoardSubtrees(place, spots[place], flops, self.rule, precision)

        # The largest boards come first, so that no thread is left with one at the end.
        made = self._pool.map(make, range(len(spots)))
        self._parts = sorted(made, key=lambda part: -part.size)

    def learn(self, reach: Floats, hero: int, iteration: int) -> Floats:
        """The hero's half of an iteration on all boards: (lines, 169), what each class gains.

        `reach` (lines, 169) is how often each opposing class follows each line to a flop.
        """
        gains = self._by_board(
            reach, hero, lambda part, line: part.learn(line, hero, reach[line], iteration)
        )
        return np.asarray(gains.sum(axis=0))

    def gains(self, reach: Floats, hero: int, *, best: bool, by_group: bool = False) -> Floats:
        """(lines, 169): what each class of the hero gains with the average strategies.

        This takes as long as an iteration, and is given up where Ctrl-C waits for it.
        """

        def win(part: BoardWalks, line: int) -> Floats:
            if is_interrupted():
                raise KeyboardInterrupt
            return part.wins(line, hero, reach[line], best, by_group)

        return np.asarray(self._by_board(reach, hero, win).sum(axis=0))

    def board_gains(self, reach: Floats, hero: int) -> Floats:
        """(boards, lines, 169): what bets on each board add to the values, weighted.

        The hero plays a best response after the flop: with hands that never get there, the
        strategy has learnt nothing.
        """
        return self._by_board(
            reach, hero, lambda part, line: part.wins(line, hero, reach[line], True, False)
        )

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """The numbers of all subtrees: the arrays themselves, unless a GPU has them."""
        return {
            name: walker.read(array)
            for part in self._parts
            for name, (walker, array) in part.arrays().items()
        }

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state`."""
        for part in self._parts:
            for name, (walker, array) in part.arrays().items():
                walker.write(array, state[name])

    def _by_board(
        self, reach: Floats, hero: int, win: Callable[[BoardWalks, int], Floats]
    ) -> Floats:
        """What all boards add to a showdown without bets, weighted: (boards, lines, 169)."""
        shown = self._stakes[:, None] * (self._margins @ reach.T).transpose(0, 2, 1)
        found = np.empty(shown.shape)

        def fill(task: tuple[BoardWalks, int]) -> None:
            part, line = task
            found[part.boards, line] = win(part, line)

        for _ in self._pool.map(fill, product(self._parts, range(len(reach)))):
            pass
        return np.asarray(self.weights[:, None, None] * (found - shown))


class _BoardSubtrees:
    """The spots of all lines on one board, on the processor."""

    def __init__(
        self, place: int, spots: Sequence[Spot], flops: PreparedFlops, rule: Rule, precision: int
    ) -> None:
        on = flops.spots[place]
        boards, groups = on.boards, on.groups
        self.boards = slice(place, place + 1)
        self.size = len(boards.cards[-1])
        self._rule, self._classes = rule, flops.classes[place]
        if groups is not None and not groups.tables:
            made = make_group_tables(spots[0].tree, boards, groups, np.dtype(np.float32))
            # All walks are in float32: shares in float64 would take as much again for each line.
            groups.tables[:] = [tables for tables in made if tables is not None]
        self._lines: list[tuple[Learner, Storage]] = []
        for level in range(len(boards.cards) - 1):
            check_down_corrections(boards, level)  # now: later, lines would make them at once
        for spot in spots:
            for level, street in enumerate(spot.tree.streets):
                if street.count(EdgeKind.ALLIN):
                    boards.win_margins(level)  # likewise
            walker = make_learner(spot, boards, np.float32, 1, groups=groups)
            storage = walker.make_storage(
                StrategyLayout.of(spot.tree, boards, groups),
                PRECISIONS[precision],
                regrets=predicts(rule),
                sums=True,
            )
            self._lines.append((walker, storage))

    def learn(self, line: int, hero: int, reach: Floats, iteration: int) -> Floats:
        walker, storage = self._walker(line, hero, reach)
        rows = walker.learn(storage, self._rule, iteration, 1 - hero)
        return self._by_class(rows, walker.unit)

    def wins(self, line: int, hero: int, reach: Floats, best: bool, by_group: bool) -> Floats:
        walker, storage = self._walker(line, hero, reach)
        if best:
            rows = walker.best_values(storage, 1 - hero, average=True, by_group=by_group)
        else:
            rows = walker.values(storage, 1 - hero, average=True)
        return self._by_class(rows, walker.unit)

    def arrays(self) -> dict[str, tuple[Learner, Any]]:
        return {
            f"board.{self.boards.start}.{line}.{kind}.{level}.{player}": (
                walker,
                getattr(street, kind)[player],
            )
            for line, (walker, storage) in enumerate(self._lines)
            for level, street in enumerate(storage)
            for kind in ("strategy_weights", "regret", "sums")
            for player in range(2)
            if len(getattr(street, kind)[player])
        }

    def _walker(self, line: int, hero: int, reach: Floats) -> tuple[Learner, Storage]:
        """The walker of a line, with the opponent's range; BB acts first after the flop."""
        walker, storage = self._lines[line]
        walker.set_range(hero, reach[self._classes])  # the opponent of spot player 1 - hero
        return walker, storage

    def _by_class(self, rows: AnyArray, unit: float) -> Floats:
        by_hand = rows[: len(self._classes)].astype(np.float64) / unit
        return np.asarray(np.bincount(self._classes, by_hand, N_CLASSES)[None], np.float64)


def _check_memory(
    rules: PreflopRules,
    boards: WeightedBoards,
    bets: FlopBets,
    rule: Rule,
    precision: int,
    groups: HandGrouping | None,
    threads: int | None,
) -> None:
    memory = SubtreeMemory(rules, boards, bets, rule, threads)
    needed, free = memory.peak_bytes(precision, groups), free_memory()
    if needed > free:
        stored = "in groups" if groups is None else "in coarser groups"
        raise ValueError(
            f"flops: {len(boards)} flops after {len(flop_edges(rules.tree))} lines need about "
            f"{size_text(needed)}, and {size_text(free)} are free; take fewer flops or sizes, or "
            f"store hands {stored} (--groups, or --memory to choose them)"
        )
