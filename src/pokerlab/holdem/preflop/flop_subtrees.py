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

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.group_tables import make_group_tables
from pokerlab.engine.tables.hand_groups import BoardGroups, group_hands
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import Learner, Storage, deal_boards, make_learner
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.preflop.betting import PreflopRules
from pokerlab.holdem.preflop.class_matchups import N_CLASSES, count_pairs, count_showdowns
from pokerlab.holdem.preflop.flop_bets import DEFAULT_BETS, FlopBets, WeightedBoards, flop_edges
from pokerlab.holdem.preflop.subtree_memory import SubtreeMemory
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, PRECISIONS
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.machine import core_count, free_memory, size_text
from pokerlab.solvers.interrupts import is_interrupted
from pokerlab.solvers.rules import Rule, parse_rule

_PAIRS = comb(52, 2) * comb(50, 2)


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
        Where the flops are walked: ``"cpu"`` or ``"gpu"``.
    preparing
        Called with the number of boards that are done.

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
    ) -> None:
        if not boards:
            raise ValueError("flops: none is named")
        if not len(flop_edges(rules.tree)):
            raise ValueError("flops: no line leads to one; allow limps, or raises that are called")
        if precision not in (16, 32):
            raise ValueError(f"precision: {precision} is not a number of bits (16 or 32)")
        if device not in ("cpu", "gpu"):
            raise ValueError(f"device: {shorten(repr(device))} is not cpu or gpu")
        self.rules = rules
        self.rule = parse_rule(rule)
        self.groups = HandGrouping.parse(groups) if isinstance(groups, str) else groups
        _check_memory(rules, boards, bets, self.rule, precision, self.groups, threads)
        cards = [to_cards(board) for board, _ in boards]
        weights = np.array([weight for _, weight in boards])
        dealt = len(cards[0])
        if {len(board) for board in cards} != {dealt} or not 3 <= dealt <= 5:
            raise ValueError("flops: all boards have three cards, or all four, or all five")
        self.weights: Floats = weights / weights.sum() * comb(52, dealt) / comb(48, dealt) / _PAIRS
        """By board, what a pair of combos on it weighs."""
        self._pool = ThreadPoolExecutor(1 if device == "gpu" else threads or core_count())
        listed = " ".join(
            f"{format_cards(board)}:{each!r}"
            for board, each in zip(cards, weights.tolist(), strict=True)
        )
        self.identity = {
            "bets": repr(bets),
            "precision": str(precision),
            "groups": "none" if self.groups is None else self.groups.text,
            "flops": digest(listed, length=16),
        }

        def make(board: tuple[int, ...]) -> _BoardSubtrees:
            return _BoardSubtrees(rules, board, bets, self.rule, precision, self.groups, device)

        self._boards: list[_BoardSubtrees] = []
        preparing(0)
        for made in self._pool.map(make, cards):
            self._boards.append(made)
            preparing(len(self._boards))

    def learn(self, reach: Floats, hero: int, iteration: int) -> Floats:
        """The hero's half of an iteration on all boards: (lines, 169), what each class gains.

        `reach` (lines, 169) is how often each opposing class follows each line to a flop.
        """
        gains = self._by_board(
            reach, lambda board, line: board.learn(line, hero, reach[line], iteration)
        )
        return np.asarray(gains.sum(axis=0))

    def gains(self, reach: Floats, hero: int, *, best: bool, by_group: bool = False) -> Floats:
        """(lines, 169): what each class of the hero gains with the average strategies.

        This takes as long as an iteration, and is given up where Ctrl-C waits for it.
        """

        def gain(board: _BoardSubtrees, line: int) -> Floats:
            if is_interrupted():
                raise KeyboardInterrupt
            return board.gains(line, hero, reach[line], best, by_group)

        return np.asarray(self._by_board(reach, gain).sum(axis=0))

    def board_gains(self, reach: Floats, hero: int) -> Floats:
        """(boards, lines, 169): what bets on each board add to the values, weighted.

        The hero plays a best response after the flop: with hands that never get there, the
        strategy has learnt nothing.
        """
        return self._by_board(
            reach, lambda board, line: board.gains(line, hero, reach[line], True, False)
        )

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """The numbers of all subtrees: the arrays themselves, unless a GPU has them."""
        return {
            f"board.{place}.{name}": walker.read(array)
            for place, board in enumerate(self._boards)
            for name, (walker, array) in board.arrays().items()
        }

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state`."""
        for place, board in enumerate(self._boards):
            for name, (walker, array) in board.arrays().items():
                walker.write(array, state[f"board.{place}.{name}"])

    def _by_board(self, reach: Floats, gain: Callable[[_BoardSubtrees, int], Floats]) -> Floats:
        """The gains of all boards, weighted: (boards, lines, 169).

        The largest boards come first, so that no thread is left with one at the end.
        """
        order = sorted(range(len(self._boards)), key=lambda place: -self._boards[place].size)
        found = np.empty((len(order), *reach.shape))

        def fill(task: tuple[int, int]) -> None:
            place, line = task
            found[place, line] = self.weights[place] * gain(self._boards[place], line)

        for _ in self._pool.map(fill, product(order, range(len(reach)))):
            pass
        return found


class _BoardSubtrees:
    """The spots of all lines on one board."""

    def __init__(
        self,
        rules: PreflopRules,
        board: tuple[int, ...],
        bets: FlopBets,
        rule: Rule,
        precision: int,
        grouping: HandGrouping | None,
        device: str,
    ) -> None:
        spots = bets.spots(rules, board)
        self._paid = [spot.pot / 2 for spot in spots]
        self._rule = rule
        boards = deal_boards(spots[0], isomorphism=True)
        self.size = len(boards.cards[-1])
        groups = None if grouping is None else _group_hands(spots[0], boards, grouping)
        self._lines: list[tuple[Learner, Storage]] = []
        for spot in spots:
            for level, street in enumerate(spot.tree.streets):
                if street.count(EdgeKind.ALLIN):
                    boards.win_margins(level)  # now: later, lines would make them at once
            walker = make_learner(spot, boards, np.float32, 1, groups=groups, device=device)
            storage = walker.make_storage(
                StrategyLayout.of(spot.tree, boards, groups),
                PRECISIONS[precision],
                regrets=rule.at(1).prediction != 0,
                sums=True,
            )
            self._lines.append((walker, storage))
        run_outs = comb(48 - len(board), 5 - len(board))
        halves = count_showdowns(board, threads=1)
        self._margins: Floats = halves / run_outs - count_pairs(board)
        self._classes = CLASS_OF_COMBO[boards.combos[0]]

    def learn(self, line: int, hero: int, reach: Floats, iteration: int) -> Floats:
        walker, storage = self._walker(line, hero, reach)
        rows = walker.learn(storage, self._rule, iteration, 1 - hero)
        return self._gain(line, reach, rows, walker.unit)

    def gains(self, line: int, hero: int, reach: Floats, best: bool, by_group: bool) -> Floats:
        walker, storage = self._walker(line, hero, reach)
        if best:
            rows = walker.best_values(storage, 1 - hero, average=True, by_group=by_group)
        else:
            rows = walker.values(storage, 1 - hero, average=True)
        return self._gain(line, reach, rows, walker.unit)

    def arrays(self) -> dict[str, tuple[Learner, Any]]:
        """All arrays of storage, each with the walker that has it."""
        return {
            f"{line}.{kind}.{level}.{player}": (walker, getattr(street, kind)[player])
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

    def _gain(self, line: int, reach: Floats, rows: AnyArray, unit: float) -> Floats:
        """What each class wins more than in a showdown without bets."""
        by_hand = rows[: len(self._classes)].astype(np.float64) / unit
        by_class = np.bincount(self._classes, by_hand, N_CLASSES)
        return np.asarray(by_class - self._paid[line] * (self._margins @ reach))


def _group_hands(spot: Spot, boards: Boards, grouping: HandGrouping) -> BoardGroups:
    """The groups of a board, which are the same after all lines and for both players."""
    groups = group_hands(spot, boards, grouping, 1)
    made = make_group_tables(spot.tree, boards, groups, np.dtype(np.float32))
    # All walks are in float32: shares in float64 would take as much again for each line.
    groups.tables[:] = [tables for tables in made if tables is not None]
    return groups


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
