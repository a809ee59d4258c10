"""What follows a flop: a public tree for each flop of a subset and each line that leads to one.

Every pair of a line and a flop is a spot with all hands; a walk over it takes the opposing classes
that get there as the range of the opponent and gives the values of the hero's hands, which are
added up by class. So the game before the flop and all its flops are one game, and an iteration
of an update rule on it is an iteration before the flop whose ends are iterations after it.

A subset stands for all flops. What would be won without any bets after the flop is known exactly,
over all boards (`class_matchups`); only the difference that betting makes is taken from the
subset::

    value = exact value of a showdown + Σ over flops of weight · (value with bets − of a showdown)

Without bets the value does not depend on the subset at all, and with all 1,755 flops it is exact.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.machine import free_memory, size_text
from pokerlab.postflop.cost import estimate_cost
from pokerlab.postflop.cpu.walker import CpuWalker
from pokerlab.postflop.engine import DEFAULT_RULE, PRECISIONS
from pokerlab.postflop.question.chips import exact, plain_number
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.layout import StrategyLayout
from pokerlab.postflop.walker import deal_boards
from pokerlab.preflop.betting import BIG_BLIND, PreflopNode, PreflopTree
from pokerlab.preflop.class_matchups import (
    N_CLASSES,
    class_tables,
    count_pairs,
    count_showdowns,
)
from pokerlab.preflop.game import Floats
from pokerlab.solvers.rules import Rule, parse_rule

__all__ = ["DEFAULT_BETS", "FlopBets", "FlopSubtrees", "subtree_bytes"]

WeightedBoards: TypeAlias = "Sequence[tuple[Cards, float]]"

_PAIRS = comb(52, 2) * comb(50, 2)


@dataclass(frozen=True)
class FlopBets:
    """The menus after the flop, as `Spot` takes them."""

    bet: str = "flop: 50%; turn: a; river: a"
    raise_: str = "a"

    def spot(self, tree: PreflopTree, node: PreflopNode, board: Cards) -> Spot:
        """The spot that follows a line on a board, with all hands."""
        rules = tree.rules
        aggressor = None
        if node.aggressor is not None:
            aggressor = "oop" if node.aggressor == BIG_BLIND else "ip"
        return Spot(
            board,
            "any",
            "any",
            pot=plain_number(2 * (exact(node.paid[0]) + exact(rules.ante))),
            stack=plain_number(exact(rules.stack) - exact(node.paid[0])),
            bet=self.bet,
            raise_=self.raise_,
            aggressor=aggressor,
            smallest_chip=0.01,
        )


DEFAULT_BETS = FlopBets()
"""A bet of half the pot on the flop, all-in later."""


def subtree_bytes(
    tree: PreflopTree, boards: WeightedBoards, bets: FlopBets, precision: int = 16
) -> int:
    """About how much memory the subtrees of some boards take.

    Examples
    --------
    >>> from pokerlab.preflop import PreflopRules
    >>> tree = PreflopTree(PreflopRules(10, "a"))
    >>> subtree_bytes(tree, [("QhJh2c", 1.0), ("AsKs7d", 1.0)], DEFAULT_BETS) // 10**6
    641
    """
    # Boards of the same suits, and of as many ranks, have as many run-outs up to suits.
    examples: dict[object, Cards] = {}
    times: Counter[object] = Counter()
    for board, _ in boards:
        cards = canonical(board).cards
        kind = (
            tuple(card & 3 for card in cards),
            tuple(cards[place] >> 2 == cards[place - 1] >> 2 for place in range(1, len(cards))),
        )
        examples.setdefault(kind, cards)
        times[kind] += 1
    return sum(
        count * _board_bytes(tree, examples[kind], bets, precision) for kind, count in times.items()
    )


def _board_bytes(tree: PreflopTree, board: Cards, bets: FlopBets, precision: int) -> int:
    spots = [bets.spot(tree, tree.nodes[number], board) for number in tree.flops]
    costs = [estimate_cost(spot, precision=precision) for spot in spots]
    # The hands of a board, and who wins an all-in, are the same after each line and for both
    # players.
    shared = (cost.counts.margins + 20 * cost.counts.hands for cost in costs)
    return sum(cost.table_bytes for cost in costs) + max(shared, default=0)


class FlopSubtrees:
    """The spots of all lines on all boards of a subset; see the module.

    Parameters
    ----------
    tree
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

    Examples
    --------
    >>> from pokerlab.preflop import PreflopGame, PreflopRules
    >>> tree = PreflopTree(PreflopRules(3, ""))  # limp and check
    >>> flops = FlopSubtrees(tree, [("QhJh2c4d7h", 1.0)], FlopBets(bet="", raise_=""))
    >>> with_board, without = PreflopGame(tree, flops), PreflopGame(tree)
    >>> uniform = without.uniform()
    >>> bool(abs(with_board.values(uniform, 0) - without.values(uniform, 0)).max() < 1e-7)
    True
    """

    def __init__(
        self,
        tree: PreflopTree,
        boards: WeightedBoards,
        bets: FlopBets = DEFAULT_BETS,
        *,
        rule: str | Rule = DEFAULT_RULE,
        precision: int = 16,
        threads: int | None = None,
    ) -> None:
        if not boards:
            raise ValueError("flops: none is named")
        if not tree.flops:
            raise ValueError("flops: no line leads to one; allow limps, or raises that are called")
        if precision not in (16, 32):
            raise ValueError(f"precision: {precision} is not a number of bits (16 or 32)")
        self.tree = tree
        self.rule = parse_rule(rule)
        needed, free = subtree_bytes(tree, boards, bets, precision), free_memory()
        if needed > free:
            raise ValueError(
                f"flops: {len(boards)} flops after {len(tree.flops)} lines need about "
                f"{size_text(needed)}, and {size_text(free)} are free; take fewer flops, or offer "
                "fewer sizes before or after the flop"
            )
        tables = class_tables()
        self._margins = tables.pairs / _PAIRS * (2 * tables.equities - 1)
        cards = [to_cards(board) for board, _ in boards]
        weights = np.array([weight for _, weight in boards])
        dealt = len(cards[0])
        if {len(board) for board in cards} != {dealt} or not 3 <= dealt <= 5:
            raise ValueError("flops: all boards have three cards, or all four, or all five")
        self.weights: Floats = weights / weights.sum() * comb(52, dealt) / comb(48, dealt) / _PAIRS
        """By board, what a pair of combos on it weighs."""
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        listed = " ".join(
            f"{format_cards(board)}:{each!r}"
            for board, each in zip(cards, weights.tolist(), strict=True)
        )
        self.identity = {
            "bets": repr(bets),
            "precision": str(precision),
            "flops": hashlib.sha256(listed.encode()).hexdigest()[:16],
        }

        def make(board: tuple[int, ...]) -> _BoardSubtrees:
            return _BoardSubtrees(tree, board, bets, self.rule, precision)

        self._boards = list(self._pool.map(make, cards))

    def learn(self, node: int, hero: int, reach: Floats, iteration: int) -> Floats:
        """The hero's half of an iteration on all boards; what each of his classes wins."""
        return self._sum(node, reach, lambda board: board.learn(node, hero, reach, iteration))

    def values(self, node: int, hero: int, reach: Floats, *, best: bool) -> Floats:
        """What each class of the hero wins with the average strategies."""
        return self._sum(node, reach, lambda board: board.values(node, hero, reach, best))

    def differences(self, node: int, hero: int, reach: Floats) -> Floats:
        """What bets on each board add to the values, weighted: (boards, 169)."""
        rows = self._pool.map(lambda board: board.values(node, hero, reach, False), self._boards)
        return np.asarray(list(rows)) * self.weights[:, None]

    def without_bets(self, node: int, reach: Floats) -> Floats:
        """What each class wins if nobody bets after the flop: exact, over all boards."""
        paid = self.tree.nodes[node].paid[0] + self.tree.rules.ante
        return np.asarray(paid * (self._margins @ reach))

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """The numbers of all subtrees: the arrays themselves."""
        return {
            f"board.{place}.{name}": array
            for place, board in enumerate(self._boards)
            for name, array in board.arrays().items()
        }

    def _sum(self, node: int, reach: Floats, value: Callable[[_BoardSubtrees], Floats]) -> Floats:
        total = self.without_bets(node, reach)
        for weight, row in zip(self.weights, self._pool.map(value, self._boards), strict=True):
            total += weight * row
        return total


class _BoardSubtrees:
    """The spots of all lines on one board."""

    def __init__(
        self,
        tree: PreflopTree,
        board: tuple[int, ...],
        bets: FlopBets,
        rule: Rule,
        precision: int,
    ) -> None:
        spots = {number: bets.spot(tree, tree.nodes[number], board) for number in tree.flops}
        self._paid = {number: spot.pot / 2 for number, spot in spots.items()}
        self._boards: Boards | None = None
        self._rule = rule
        self._lines: dict[int, tuple[CpuWalker, Any]] = {}
        for number, spot in spots.items():
            if self._boards is None:
                self._boards = deal_boards(spot, isomorphism=True)
            walker = CpuWalker(spot, self._boards, np.float32, 1)
            storage = walker.make_storage(
                StrategyLayout.of(spot.tree, self._boards, None),
                PRECISIONS[precision],
                regrets=rule.at(1).prediction != 0,
                sums=True,
            )
            self._lines[number] = walker, storage
        run_outs = comb(48 - len(board), 5 - len(board))
        halves = count_showdowns(board, threads=1)
        self._margins: Floats = halves / run_outs - count_pairs(board)
        combos = self._boards.combos[0] if self._boards else np.zeros(0, np.intp)
        self._classes = CLASS_OF_COMBO[combos]

    def learn(self, node: int, hero: int, reach: Floats, iteration: int) -> Floats:
        walker, storage = self._walker(node, hero, reach)
        rows = walker.learn(storage, self._rule, iteration, 1 - hero)
        return self._difference(node, reach, rows, walker.unit)

    def values(self, node: int, hero: int, reach: Floats, best: bool) -> Floats:
        walker, storage = self._walker(node, hero, reach)
        walk = walker.best_values if best else walker.values
        return self._difference(node, reach, walk(storage, 1 - hero, average=True), walker.unit)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {
            f"{number}.{kind}.{level}.{player}": getattr(street, kind)[player]
            for number, (_, storage) in self._lines.items()
            for level, street in enumerate(storage)
            for kind in ("strategy_weights", "regret", "sums")
            for player in range(2)
            if len(getattr(street, kind)[player])
        }

    def _walker(self, node: int, hero: int, reach: Floats) -> tuple[CpuWalker, Any]:
        """The walker of a line, with the opponent's range; BB acts first after the flop."""
        walker, storage = self._lines[node]
        walker.set_range(hero, reach[self._classes])  # the opponent of spot player 1 - hero
        return walker, storage

    def _difference(self, node: int, reach: Floats, rows: npt.NDArray[Any], unit: float) -> Floats:
        """What each class wins more than in a showdown without bets."""
        by_hand = rows[: len(self._classes)].astype(np.float64) / unit
        by_class = np.bincount(self._classes, by_hand, N_CLASSES)
        return np.asarray(by_class - self._paid[node] * (self._margins @ reach))
