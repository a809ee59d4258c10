"""The betting of one street: what it looks like, and the steps in which it is worked out.

In limit poker nearly all lines that enter a street go on in the same way: only the chips differ.
Such lines have the same *shape*, and are worked out at once. What the hero's hands are worth where
the street begins is found in a list of steps, the same for all boards and all lines. Each step is
a pass over all hands, from and into arrays with a number (a *slot*):

- `SEND`: the villain takes an action. Their reach in slot s times the probabilities of an edge is
their
  reach in slot s + 1. If that is 0 for all hands, the steps until `jump` are left out.
- `WIN`, `LOSE`: somebody has folded. `SHOWDOWN`: hands are compared.
- `NEXT`: the street is over, and another follows. What hands are worth there is known.
- `JOIN`: what the slot `place` holds is combined into another.

The last five combine what they find into a slot of worths: they write it (`SET`), add it (`ADD`,
the villain has chosen), or keep the larger (`MAX`, the hero chooses).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.runtime.arrays import AnyArray, Int64s
from pokerlab.trees.limit.betting import FlatBetting

FIRST_FOLDS, SECOND_FOLDS, SHOWS, GOES_ON = range(4)
"""How the betting of a street ends: position 0 or 1 folds, a showdown, another street."""

SEND, WIN, LOSE, SHOWDOWN, NEXT, JOIN = range(6)
SET, ADD, MAX = range(3)


@dataclass(frozen=True)
class StreetShape:
    """The betting of a street, without chips.

    Attributes
    ----------
    nodes
        In preorder, the position that acts and what follows each of its actions (fold, call,
        raise): a node; ``~leaf`` for a leaf; None where it is not legal. There are none where
        the players are all-in: the root is then ``~0``.
    leaves
        How the betting ends there: `FIRST_FOLDS` and so on.
    """

    nodes: tuple[tuple[int, tuple[int | None, int | None, int | None]], ...]
    leaves: tuple[int, ...]

    @cached_property
    def edges(self) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """For each position all pairs of a node and an action: the edges, in this order."""
        found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for node, (position, children) in enumerate(self.nodes):
            found[position].extend(
                (node, action) for action, child in enumerate(children) if child is not None
            )
        return tuple(found[0]), tuple(found[1])

    @property
    def root(self) -> int:
        """Where the street begins."""
        return 0 if self.nodes else ~0

    def spread(
        self, position: int, reach: AnyArray, chance: Callable[[int], AnyArray]
    ) -> Iterator[tuple[int, AnyArray]]:
        """Give the leaves with the reach of a position there, from that at the root.

        `chance` maps an edge of the position to what the reach is multiplied by. Leaves that are
        reached with 0 everywhere are left out.
        """
        edge_of = {edge: number for number, edge in enumerate(self.edges[position])}

        def visit(code: int, reach: AnyArray) -> Iterator[tuple[int, AnyArray]]:
            if code < 0:
                yield ~code, reach
                return
            for action, child in enumerate(self.nodes[code][1]):
                edge = edge_of.get((code, action))
                here = reach if edge is None else reach * chance(edge)
                if child is not None and (edge is None or here.any()):
                    yield from visit(child, here)

        return visit(self.root, reach)


@dataclass(frozen=True)
class StreetLine:
    """One line that enters a street.

    Attributes
    ----------
    shape
        How it goes on.
    nodes
        For each node of the shape, the node of the whole betting.
    leaves
        For each leaf of the shape, what follows in the whole betting, as `FlatTree` numbers it: a
        leaf, or a node of a later street.
    """

    shape: StreetShape
    nodes: tuple[int, ...]
    leaves: tuple[int, ...]


def follow_line(betting: FlatBetting, street: int, start: int) -> StreetLine:
    """The betting of a street behind a node that begins it.

    Parameters
    ----------
    betting
        Of two players.
    street
        Which one.
    start
        The node as `FlatTree` numbers it; a leaf, or a node of a later street, where nobody has
        chips left to bet on this one.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> line = follow_line(flatten_betting(load_betting_game("kuhn")), 0, 0)
    >>> line.shape.nodes
    ((0, (None, 1, 3)), (1, (None, -1, 2)), (0, (-2, -3, None)), (1, (-4, -5, None)))
    >>> line.shape.leaves  # both check; 0 folds; showdown; 1 folds; showdown
    (2, 0, 2, 1, 2)
    """
    tree, streets = betting.tree, betting.streets
    last = street == len(betting.game.streets) - 1
    shape_nodes: list[tuple[int, tuple[int | None, int | None, int | None]]] = []
    kinds: list[int] = []
    nodes: list[int] = []
    leaves: list[int] = []

    def visit(code: int) -> int:
        if code >= len(streets) or streets[code] != street:
            kinds.append(ending(code))
            leaves.append(code)
            return ~(len(leaves) - 1)
        number = len(nodes)
        nodes.append(code)
        position = int(tree.nodes[code, 3])
        shape_nodes.append((position, (None, None, None)))
        fold, call, raise_ = (
            None if child < 0 else visit(child) for child in tree.nodes[code, :3].tolist()
        )
        shape_nodes[number] = position, (fold, call, raise_)
        return number

    def ending(code: int) -> int:
        if code >= len(streets) and not tree.live[code - len(streets)].all():
            return SECOND_FOLDS if tree.live[code - len(streets), 0] else FIRST_FOLDS
        return SHOWS if last else GOES_ON

    visit(start)
    return StreetLine(StreetShape(tuple(shape_nodes), tuple(kinds)), tuple(nodes), tuple(leaves))


def street_steps(shape: StreetShape, hero: int) -> Int64s:
    """The steps that lead to what the hero's hands are worth at the root, in slot 0.

    The villain's reach at the root is in slot 0 of reaches.

    Returns
    -------
    Int64s
        (steps, 6): what to do (`SEND`, …); its edge, leaf or slot (`JOIN`); the slot of the
        villain's reach; the slot of worths; how to combine (`SET`, …); for `SEND` the step to jump
        to.

    Examples
    --------
    Kuhn poker; 0 is the hero, and the opponent checks or bets behind a check:

    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> line = follow_line(flatten_betting(load_betting_game("kuhn")), 0, 0)
    >>> street_steps(line.shape, 0)[:4].tolist()  # bets, hero folds or calls; checks
    [[0, 1, 0, 0, 0, 3], [2, 1, 1, 0, 0, 0], [3, 2, 1, 0, 2, 0], [0, 0, 0, 0, 1, 5]]
    """
    steps: list[list[int]] = []
    edge_of = {edge: number for number, edge in enumerate(shape.edges[1 - hero])}

    def visit(code: int, reach: int, worth: int, combine: int) -> None:
        if code < 0:
            kind = shape.leaves[~code]
            what = {SHOWS: SHOWDOWN, GOES_ON: NEXT}.get(kind, LOSE if kind == hero else WIN)
            steps.append([what, ~code, reach, worth, combine, 0])
            return
        position, children = shape.nodes[code]
        own = worth if combine == SET else worth + 1
        then = SET
        legal = [(action, child) for action, child in enumerate(children) if child is not None]
        # Nodes before leaves, so that nearly all of them write where their result belongs.
        for action, child in sorted(legal, key=lambda each: each[1] < 0):
            if position == hero:
                visit(child, reach, own, then)
            else:
                here = len(steps)
                steps.append([SEND, edge_of[code, action], reach, own, then, 0])
                visit(child, reach + 1, own, then)
                steps[here][5] = len(steps)
            then = MAX if position == hero else ADD
        if own != worth:
            steps.append([JOIN, own, reach, worth, combine, 0])

    visit(shape.root, 0, 0, SET)
    return np.array(steps, np.int64).reshape(-1, 6)
