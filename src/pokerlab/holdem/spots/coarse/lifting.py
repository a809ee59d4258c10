"""A strategy of a coarse menu, written into the tree of a finer one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.cards.isomorphism.suits import average_over_suits, symmetries
from pokerlab.cards.ranges.range import Range
from pokerlab.engine.tables.boards import Boards
from pokerlab.games.betting_trees.betting_tree import action_text
from pokerlab.games.betting_trees.lines import ActionKind, Line
from pokerlab.games.betting_trees.translation import TRANSLATIONS
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.coarse.lift_kernels import lift_street
from pokerlab.holdem.spots.coarse.line_pairs import LinePairs, SourceNode
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.together import solve_together
from pokerlab.runtime.arrays import Floats, Halves, Int64s
from pokerlab.runtime.errors import shorten

AGAIN = "solve again"
"""Answer unknown sizes by a new solve, not by a translation."""

ANSWERS = (*TRANSLATIONS, AGAIN)
"""How a coarse strategy may answer sizes that it does not have."""

_HARDLY = 1e-6
"""The weight of a hand that does not arrive, beside the most likely one that does."""


class Lift:
    """Writes the strategies of a coarse solution into the tree of a finer spot.

    Parameters
    ----------
    coarse
        The solution: of the same board, ranges, pot and stacks, with other menus, and without
        groups.
    real
        The finer spot, as it is solved.
    answer
        What the coarse player does about sizes that the coarse tree does not have: a name of
        `ANSWERS`. ``"solve again"`` adds the size to the coarse tree where it is bet on the first
        street and solves from there on, with the ranges as they stand; on later streets it is
        pseudo-harmonic mapping.
    target, threads, device
        Of the solves again; see `solve_together`.

    Attributes
    ----------
    solves
        The spots that were solved again.
    """

    def __init__(
        self,
        coarse: PostflopSolution,
        real: PreparedSpot,
        answer: str = "pseudo-harmonic",
        *,
        target: float | str = "0.1%",
        threads: int | None = None,
        device: str = "auto",
    ) -> None:
        if answer not in ANSWERS:
            raise ValueError(f"answer {shorten(answer)!r} is not one of {', '.join(ANSWERS)}")
        _check(coarse, real)
        self.real, self.answer = real, answer
        self._options: dict[str, Any] = {
            "target": target,
            "threads": threads,
            "device": device,
            "isomorphism": coarse.isomorphism,
        }
        self.sources = [coarse]
        self._trees = [coarse.spot.tree]
        self._known: dict[tuple[SourceNode, int], SourceNode] = {}

    @property
    def solves(self) -> list[Spot]:
        """The spots that were solved again so far."""
        return [source.spot for source in self.sources[1:]]

    def strategy(self, player: int) -> tuple[Halves, ...]:
        """The probabilities of a player on each street, in the layout of the real spot."""
        again = self._solve_again if self.answer == AGAIN else None
        translation = TRANSLATIONS.get(self.answer, TRANSLATIONS["pseudo-harmonic"])
        pairs = LinePairs(self.real.spot.tree, self._trees, player, translation, again)
        boards, layout = self.real.boards, self.real.layout
        hands = len(boards.combos[player])
        above = np.ones((1, 1, hands + 1), np.float32)
        above[:, :, hands] = 0.0
        found = []
        for level, steps in enumerate(pairs.steps):
            own, here = layout.at(level, player), boards.tables[level].hands[player]
            stored = [
                np.asarray(source.strategies[level][player]).astype(np.float32)
                for source in self.sources
            ]
            ends = np.cumsum([0, *map(len, stored)])
            begins = np.stack(
                [
                    source.layout.at(level, player).first[:-1] + end
                    for source, end in zip(self.sources, ends, strict=False)
                ]
            )
            real = np.zeros(own.size, np.float32)
            below = np.zeros((len(own.rows), max(len(steps.ends), 1), hands + 1), np.float32)
            lift_street(
                steps,
                np.concatenate(stored),
                begins,
                here.first,
                here.order,
                _parents(boards, level),
                above,
                own.first,
                real,
                below,
            )
            found.append(real.astype(np.float16))
            above = below
        return tuple(found)

    def _solve_again(self, at: SourceNode, amount: int) -> SourceNode:
        """The decision after a bet that a source does not have, in a solve that has it."""
        if (at, amount) not in self._known:
            before = self.sources[at.source]
            tree = before.spot.tree
            facing = tree.streets[0].facing[at.node]
            bet = action_text(ActionKind.RAISE if facing else ActionKind.BET, amount, tree.units)
            spot = spot_with_bet(before, at.node, bet)
            (solved,) = solve_together([spot], **self._options)
            path = tree.line(0, at.node)
            node = solved.spot.find(f"{path}/{bet}" if path else bet).node
            self._known[at, amount] = SourceNode(len(self.sources), node)
            self.sources.append(solved)
            self._trees.append(solved.spot.tree)
        return self._known[at, amount]


def spot_with_bet(solution: PostflopSolution, node: int, bet: str) -> Spot:
    """The spot from a decision of the first street on, with one bet more.

    Both players have the ranges with which they arrive at the decision. All that leads elsewhere
    before is removed from the tree. Hands that do not arrive are kept with next to no weight, so
    that they have a strategy too. Where the solution merges suits, hands that they make equal have
    the same weight.

    Examples
    --------
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, raise_="a")
    >>> again = spot_with_bet(solve_spot(spot, target="1%"), node=1, bet="b70")
    >>> again.tree.streets[0].labels(0), again.tree.streets[0].labels(1)
    (['x'], ['x', 'b50', 'b70', 'a'])
    """
    spot = solution.spot
    tree, street = spot.tree, spot.tree.streets[0]
    removed, here = [], node
    while (edge := int(street.parent_edge[here])) >= 0:
        here = int(street.node[edge])
        path = tree.line(0, here)
        for other in street.edges_of(here):
            if other != edge:
                label = street.label(other)
                removed.append(Line.parse(f"{path}/{label}" if path else label))
    line = tree.line(0, node)
    ranges = [
        Range(_arriving(alike_over_suits(solution, weights[None])[0], before.weights))
        for weights, before in zip(solution.decision(line).weights, spot.ranges, strict=True)
    ]
    return replace(
        spot,
        oop=ranges[0],
        ip=ranges[1],
        smallest_chip=tree.chips(1),
        added=(*spot.added, Line.parse(f"{line}/{bet}" if line else bet)),
        removed=(*spot.removed, *removed),
    )


def alike_over_suits(solution: PostflopSolution, rows: Floats) -> Floats:
    """Rows by combo (rows, 1326), the same for hands that suits make equal where it merges them."""
    if not solution.isomorphism:
        return rows
    ranges = np.stack([each.weights for each in solution.spot.ranges])
    return average_over_suits(rows, symmetries(solution.spot.board, ranges))


def _arriving(weights: Floats, before: Floats) -> Floats:
    """Weights whose largest is 1; hands that do not arrive have next to none."""
    found = weights / max(float(weights.max()), 1e-300)
    return np.where(before > 0, np.maximum(found, _HARDLY), 0.0)


def _parents(boards: Boards, level: int) -> Int64s:
    """For each board of a street the board before it."""
    if level == 0:
        return np.zeros(1, np.int64)
    children = np.diff(boards.tables[level - 1].child_first)
    return np.repeat(np.arange(len(children)), children)


def _check(coarse: PostflopSolution, real: PreparedSpot) -> None:
    for name in ("board", "pot", "effective_stack", "ranges", "runouts"):
        if getattr(coarse.spot, name) != getattr(real.spot, name):
            raise ValueError(f"the coarse solution has another {name.replace('_', ' ')}")
    if coarse.groups is not None or real.groups is not None:
        raise ValueError("a coarse solution must not have groups of hands")
    if coarse.partial:
        raise ValueError("a coarse solution must have the strategies of all streets")
    if coarse.isomorphism != real.isomorphism:
        raise ValueError("suits must be merged in the coarse solution as in the real spot")
