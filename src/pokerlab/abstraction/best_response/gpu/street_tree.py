"""The betting of a street as numbers for the compiler of the card: see ``kernels/street_tree.cu``.

A node is a number of 25 bits: whether the hero acts there (1 bit), what follows a fold, a call, a
raise (6 bits each), and the first of the villain's edges there (6 bits). What is kept of a leaf is
a *set*; leaves that go on or show down have the first ones, then come those where the villain
folds, then those where the hero does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pokerlab.abstraction.best_response.street_shapes import GOES_ON, SHOWS, StreetShape

__all__ = ["Part", "StreetTree", "river_tree", "turn_tree"]

_MOST_NODES = 16
_LEAF = 32


@dataclass(frozen=True)
class Part:
    """A part of the tree that is worked out at once.

    Attributes
    ----------
    root
        Its first node.
    leaves
        By set.
    signs
        By set: −1 where the hero loses what he has put in.
    played_on
        How many of the leaves show down or go on; they come first.
    edge
        The villain's edge that leads to the root; −1 where there is none.
    edges
        Those that matter for the part.
    """

    root: int
    leaves: tuple[int, ...]
    signs: tuple[int, ...]
    played_on: int
    edge: int
    edges: frozenset[int]


@dataclass(frozen=True)
class StreetTree:
    """A shape for one hero, in parts."""

    shape: StreetShape
    hero: int
    parts: tuple[Part, ...]

    @property
    def edges(self) -> int:
        """How many the villain has."""
        return len(self.shape.edges[1 - self.hero])

    @property
    def hero_begins(self) -> bool:
        """Whether the hero acts first."""
        return self.shape.nodes[0][0] == self.hero

    @property
    def node_options(self) -> dict[str, int]:
        """What the compiler takes: all nodes as numbers."""
        sets = {leaf: each for part in self.parts for each, leaf in enumerate(part.leaves)}
        numbers = [0] * _MOST_NODES
        edge = 0
        for node, (position, children) in enumerate(self.shape.nodes):
            number = int(position == self.hero)
            for action, child in enumerate(children):
                if child is not None:
                    code = 1 + child if child >= 0 else _LEAF + sets[~child]
                    number |= code << (1 + 6 * action)
            if position != self.hero:
                number |= edge << 19
                edge += sum(child is not None for child in children)
            numbers[node] = number
        return {f"NODE_{node}": number for node, number in enumerate(numbers)}


def river_tree(shape: StreetShape, hero: int) -> StreetTree:
    """The last street: a part for each of the two actions at its root.

    Examples
    --------
    >>> from pokerlab.abstraction.best_response.street_shapes import follow_line
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> betting = flatten_betting(load_betting_game("holdem.limit.2p"))
    >>> river = int((betting.streets == 3).argmax())
    >>> tree = river_tree(follow_line(betting, 3, river).shape, 0)
    >>> [(len(part.leaves), part.played_on) for part in tree.parts], tree.edges
    ([(9, 5), (8, 4)], 13)
    """
    _check(shape)
    children = [child for child in shape.nodes[0][1] if child is not None]
    if len(children) != 2 or min(children) < 0:
        raise ValueError("device: the card does streets that begin with a check or a bet")
    edges = {edge: number for number, edge in enumerate(shape.edges[1 - hero])}
    parts = []
    for action, child in enumerate(shape.nodes[0][1]):
        if child is not None:
            parts.append(_part(shape, hero, child, edges.get((0, action), -1)))
    return StreetTree(shape, hero, tuple(parts))


def turn_tree(shape: StreetShape, hero: int) -> StreetTree:
    """A street that another follows, in one part."""
    _check(shape)
    return StreetTree(shape, hero, (_part(shape, hero, 0, -1),))


def _check(shape: StreetShape) -> None:
    if not 0 < len(shape.nodes) <= _MOST_NODES:
        raise ValueError(
            f"device: the card does streets of 1 to {_MOST_NODES} decisions, not of"
            f" {len(shape.nodes)}"
        )


def _part(shape: StreetShape, hero: int, root: int, edge: int) -> Part:
    nodes, leaves = _behind(shape, root)
    on = [leaf for leaf in leaves if shape.leaves[leaf] in (SHOWS, GOES_ON)]
    won = [leaf for leaf in leaves if shape.leaves[leaf] == 1 - hero]
    lost = [leaf for leaf in leaves if shape.leaves[leaf] == hero]
    own = {number for number, (node, _) in enumerate(shape.edges[1 - hero]) if node in nodes}
    return Part(
        root,
        (*on, *won, *lost),
        (*[1] * len(on), *[1] * len(won), *[-1] * len(lost)),
        len(on),
        edge,
        frozenset(own | {edge} - {-1}),
    )


def _behind(shape: StreetShape, root: int) -> tuple[set[int], Sequence[int]]:
    """The nodes and the leaves of a part of the tree."""
    nodes: set[int] = set()
    leaves: list[int] = []
    waiting = [root]
    while waiting:
        code = waiting.pop()
        if code < 0:
            leaves.append(~code)
            continue
        nodes.add(code)
        waiting.extend(child for child in shape.nodes[code][1] if child is not None)
    return nodes, sorted(leaves)
