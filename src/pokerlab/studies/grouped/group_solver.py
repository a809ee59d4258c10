"""`GroupSolver`: CFR and CGH on groups, in the ways that the thesis's algorithm 3 can be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.games.betting_trees.lines import ActionKind
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.rules import PassedUpValue, parse_rule
from pokerlab.studies.grouped.group_game import GroupGame
from pokerlab.studies.grouped.group_walk_kernels import (
    BEST_OF_GROUP,
    BEST_OF_HAND,
    DEALT,
    GREEDY,
    REGRETS,
    GroupWalk,
    carry_up,
    evaluate_leaves,
    go_down,
    go_up,
    walk_boards,
)

TIE = 1e-9
"""Values of a group (in chips, times the opponent's reach) that differ by less are equal."""


@dataclass(frozen=True)
class Reading:
    """How algorithm 3 and section 5.4 are read.

    Attributes
    ----------
    first
        Who is updated first in an iteration: ``oop`` or ``ip`` (algorithm 3 has IN as S[0]).
    start
        ``uniform``, or ``call``: check and call always (algorithm 3's example).
    passing
        What a street passes up: the value of each ``hand``, or the ``mean`` of its group
        (5.4.1.2).
    collisions
        Which reach leaves see: that of each hand (``exact``, what the smallest groups of 5.4.1.1
        are for), or the ``mean`` of the group (5.4 without them).

    Examples
    --------
    >>> Reading("ip", "call", "mean").text
    'ip first, from call, mean passed up'
    >>> Reading("in")
    Traceback (most recent call last):
    ValueError: first 'in': must be oop or ip
    """

    first: str = "oop"
    start: str = "uniform"
    passing: str = "hand"
    collisions: str = "exact"

    def __post_init__(self) -> None:
        accepted = {
            "first": ("oop", "ip"),
            "start": ("uniform", "call"),
            "passing": ("hand", "mean"),
            "collisions": ("exact", "mean"),
        }
        for name, words in accepted.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} {getattr(self, name)!r}: must be {' or '.join(words)}")

    @property
    def text(self) -> str:
        """For people."""
        passed = "mean passed up" if self.passing == "mean" else "hand by hand"
        collisions = ", mean collisions" if self.collisions == "mean" else ""
        return f"{self.first} first, from {self.start}, {passed}{collisions}"


class GroupSolver:
    """CFR or CGH on the groups of a game, in float64.

    The answer of CFR is the plain mean of its strategies (line 8 of algorithm 3), that of CGH the
    last strategy.

    Parameters
    ----------
    game
        What is solved.
    rule
        ``cfr``, ``cfr-return``, ``cgh(c)`` or ``cgh-return(c)``.
    reading
        How.
    tie
        Values that differ by less are equal, and the last action (the largest bet) is taken.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> hands = "AA, KQs, JTs, T9s"
    >>> spot = Spot("QhJh2c4d7h", hands, hands, pot=2, stack=5, bet="a", raise_="a")
    >>> solver = GroupSolver(GroupGame.of(spot, "rank"), "cgh-return(0.175)")
    >>> solver.iterate(50)
    >>> inside, real = solver.epsilon()
    >>> 0 < inside <= real < 100
    True
    """

    def __init__(
        self, game: GroupGame, rule: str, reading: Reading | None = None, *, tie: float = TIE
    ) -> None:
        self.game, self.reading, self.tie = game, reading or Reading(), tie
        self.rule = parse_rule(rule)
        if self.rule.name not in ("cfr", "cfr-return", "cgh", "cgh-return"):
            raise ValueError(f"rule {rule!r}: must be cfr, cfr-return, cgh or cgh-return")
        self.iteration = 0
        self.strategies = [
            tuple(self._begin(level, player) for player in range(2))
            for level in range(len(game.streets))
        ]
        kept = () if self.rule.greedy else self.strategies
        self.regrets = [tuple(np.zeros_like(each) for each in pair) for pair in kept]
        self.sums = [tuple(np.zeros_like(each) for each in pair) for pair in kept]

    def _begin(self, level: int, player: int) -> Floats:
        tree, hands = self.game.spot.tree.streets[level], self.game.streets[level]
        own = np.flatnonzero(tree.player[tree.node] == player)
        calls = np.isin(tree.action[own], (ActionKind.CHECK, ActionKind.CALL))
        actions = np.diff(tree.first_edge)[tree.node[own]]
        shares = calls.astype(np.float64) if self.reading.start == "call" else 1 / actions
        return np.concatenate([np.repeat(shares, count) for count in hands.groups])

    def arrays(self) -> list[Floats]:
        """All that is learnt, in one order: strategies, regrets, sums."""
        kept = (*self.strategies, *self.regrets, *self.sums)
        return [array for pair in kept for array in pair]

    def iterate(self, iterations: int) -> None:
        """Run some more iterations: both players once each."""
        order = (0, 1) if self.reading.first == "oop" else (1, 0)
        for _ in range(iterations):
            self.iteration += 1
            step = self.rule.at(self.iteration)
            task = GREEDY if self.rule.greedy else REGRETS
            for hero in order:
                self._walk(
                    hero,
                    task,
                    self.strategies,
                    old=1 - step.greedy,
                    away=step.hedge,
                    passing=self.reading.passing,
                    collisions=self.reading.collisions,
                )
                for sums, pair in zip(self.sums, self.strategies, strict=bool(self.sums)):
                    sums[hero][:] += pair[hero]

    def epsilon(self) -> tuple[float, float]:
        """ε of the answer in mbb a game, inside the abstraction and in the real game.

        Inside, the best responses play by group and are computed as the solver computes.
        """
        answer = self.strategies
        if self.sums:
            answer = [tuple(each / max(self.iteration, 1) for each in pair) for pair in self.sums]
        reading = self.reading
        inside = self._gain(answer, BEST_OF_GROUP, reading.passing, reading.collisions)
        return inside, self._gain(answer, BEST_OF_HAND, "hand", "exact")

    def _gain(
        self, answer: list[tuple[Floats, ...]], task: int, passing: str, collisions: str
    ) -> float:
        weight = self.game.streets[0].weight
        total = sum(
            float(weight @ self._walk(hero, task, answer, passing=passing, collisions=collisions))
            for hero in range(2)
        )
        return 1000 * total / self.game.pairs

    def _walk(
        self,
        hero: int,
        task: int,
        strategies: list[tuple[Floats, ...]],
        *,
        passing: str,
        collisions: str,
        old: float = 0.0,
        away: float = 0.0,
    ) -> Floats:
        """Walk for a hero; the values of the hero's hands at the root."""
        walk = GroupWalk(
            hero,
            task,
            old,
            away,
            self.rule.passes_up == PassedUpValue.NEW,
            passing == "mean",
            collisions == "mean",
            self.tie,
        )
        weight = self.game.streets[0].weight
        values = np.zeros((1, len(weight)))
        self._walk_street(walk, 0, (0, 1), strategies, weight.reshape(1, -1).copy(), values)
        row: Floats = values[0]
        return row

    def _walk_street(
        self,
        walk: GroupWalk,
        level: int,
        boards: tuple[int, int],
        strategies: list[tuple[Floats, ...]],
        arriving: Floats,
        leaving: Floats,
    ) -> None:
        shape, hands = self.game.shapes[level][walk.hero], self.game.streets[level]
        both = strategies[level][0], strategies[level][1]
        regret = self.regrets[level][walk.hero] if self.regrets else both[0][:0]
        if level + 1 == len(self.game.streets):
            walk_boards(shape, hands, walk, boards, both, regret, arriving, leaving)
            return
        edges, roots, count = len(shape.kind), len(arriving), len(hands.weight)
        dealt = np.flatnonzero(shape.kind == DEALT)
        reach = np.zeros((int(max(shape.edge_row.max(), roots - 1)) + 1, count))
        values = np.zeros((edges + roots, count))
        for board in range(*boards):
            go_down(shape, hands, walk, board, both[1 - walk.hero], arriving, reach)
            evaluate_leaves(shape, hands, walk, board, reach, values)
            below = np.zeros((len(dealt), count))
            children = self.game.child_first[level][board : board + 2]
            self._walk_street(
                walk,
                level + 1,
                (children[0], children[1]),
                strategies,
                reach[shape.edge_row[dealt]],
                below,
            )
            values[dealt] = below
            go_up(shape, hands, walk, board, both[walk.hero], regret, values)
            carry_up(hands, walk, board, values[edges:], leaving)
