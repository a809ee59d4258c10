"""The betting of a street as numbers for the compiler of the GPU: see ``kernels/street_tree.cu``.

A node is a number of 25 bits: whether the hero acts there (1 bit), what follows a fold, a call, a
raise (6 bits each), and the first of the villain's edges there (6 bits).

The last street is cut into *parts*, which are worked out one after the other from the end of the
tree to its root: what a part needs of shared memory limits how many threads run at once. A part
keeps sums of the villain's reach at its leaves, a *set* for each: first those that show down, then
those where the villain folds. Where the hero folds the villain's reach is that of a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pokerlab.holdem.limit.best_response.street_shapes import GOES_ON, SHOWS, StreetShape

MOST_PARTS = 12
_MOST_NODES = 16
_GIVEN, _LEAF = 24, 32


@dataclass(frozen=True)
class Part:
    """A part of the tree that is worked out at once.

    Attributes
    ----------
    root
        Its first node.
    nodes
        All of them.
    leaves
        Those that show down or go on, those where the villain folds, those where the hero does.
    signs
        By leaf: −1 where the hero loses the chips that they put in.
    played_on
        How many of the leaves show down or go on.
    sets
        How many of the leaves are not the hero's folds.
    path
        The villain's edges that lead to the root.
    edges
        Those that matter for the part: the path, and its own.
    into
        Where the values at the root are stored for other parts; −1 where they are not.
    """

    root: int
    nodes: frozenset[int]
    leaves: tuple[int, ...]
    signs: tuple[int, ...]
    played_on: int
    sets: int
    path: frozenset[int]
    edges: frozenset[int]
    into: int


@dataclass(frozen=True)
class LimitStreetTree:
    """A shape for one hero, in parts; the last one has the root."""

    shape: StreetShape
    hero: int
    parts: tuple[Part, ...]
    _part_of: Mapping[int, Part] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        part_of = {node: part for part in self.parts for node in part.nodes}
        object.__setattr__(self, "_part_of", part_of)

    @property
    def edges(self) -> int:
        """How many the villain has."""
        return len(self.shape.edges[1 - self.hero])

    @property
    def most_sets(self) -> int:
        """Of one part."""
        return max(part.sets for part in self.parts)

    @property
    def most_shows(self) -> int:
        """Of one part."""
        return max(part.played_on for part in self.parts)

    @property
    def kept(self) -> int:
        """How many worths are kept at the same time for other parts."""
        return 1 + max(part.into for part in self.parts)

    @property
    def node_options(self) -> dict[str, int]:
        """What the compiler takes: all nodes as numbers."""
        numbers = [0] * _MOST_NODES
        edge = 0
        for node, (position, children) in enumerate(self.shape.nodes):
            number = int(position == self.hero)
            for action, child in enumerate(children):
                if child is not None:
                    number |= self._code(self._part_of[node], child) << (1 + 6 * action)
            if position != self.hero:
                number |= edge << 19
                edge += sum(child is not None for child in children)
            numbers[node] = number
        return {f"NODE_{node}": number for node, number in enumerate(numbers)}

    def calls(self, part: Part) -> tuple[int, ...]:
        """For each of the hero's folds the leaf behind the call there, by place in the part."""
        found = []
        for leaf in part.leaves[part.sets :]:
            children = next(each for _, each in self.shape.nodes if each[0] == ~leaf)
            assert children[1] is not None
            found.append(part.leaves.index(~children[1]))
        return tuple(found)

    def _code(self, part: Part, child: int) -> int:
        if child < 0:
            return _LEAF + part.leaves.index(~child)
        return 1 + child if child in part.nodes else _GIVEN + self._part_of[child].into


def river_tree(shape: StreetShape, hero: int, most: int) -> LimitStreetTree:
    """The last street, in parts of at most `most` sets (and at least those of one node).

    Examples
    --------
    >>> from pokerlab.holdem.limit.best_response.street_shapes import follow_line
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> betting = flatten_betting(load_betting_game("holdem.limit.2p"))
    >>> river = int((betting.streets == 3).argmax())
    >>> tree = river_tree(follow_line(betting, 3, river).shape, 0, 3)
    >>> [(part.sets, part.played_on, part.into) for part in tree.parts], tree.edges
    ([(3, 2, 0), (3, 2, 0), (3, 2, 1), (3, 2, 1), (1, 1, -1)], 13)
    """
    _check(shape)
    parts: list[Part] = []
    edge_of = {edge: number for number, edge in enumerate(shape.edges[1 - hero])}
    in_use: set[int] = set()

    def own_sets(node: int) -> int:
        position, children = shape.nodes[node]
        return sum(
            child is not None and child < 0 and not (position == hero and action == 0)
            for action, child in enumerate(children)
        )

    def visit(node: int, path: frozenset[int]) -> tuple[set[int], set[int], int]:
        """Nodes that are in no part yet, what of other parts they need, and how many sets."""
        nodes, needs, sets = {node}, set[int](), own_sets(node)
        for action, child in enumerate(shape.nodes[node][1]):
            if child is not None and child >= 0:
                edge = edge_of.get((node, action))
                behind = path if edge is None else path | {edge}
                more, its_needs, its_sets = visit(child, behind)
                if sets + its_sets > most:
                    needs.add(close(child, behind, more, its_needs))
                else:
                    nodes, needs, sets = nodes | more, needs | its_needs, sets + its_sets
        return nodes, needs, sets

    def close(root: int, path: frozenset[int], nodes: set[int], needs: set[int]) -> int:
        in_use.difference_update(needs)
        into = next(each for each in range(MOST_PARTS) if each not in in_use)
        in_use.add(into)
        parts.append(_part(shape, hero, root, frozenset(nodes), path, into))
        return into

    nodes, _, _ = visit(0, frozenset())
    parts.append(_part(shape, hero, 0, frozenset(nodes), frozenset(), -1))
    if len(parts) > MOST_PARTS:
        raise ValueError(f"device: the GPU does streets of at most {MOST_PARTS} parts")
    return LimitStreetTree(shape, hero, tuple(parts))


def turn_tree(shape: StreetShape, hero: int) -> LimitStreetTree:
    """A street that another follows, in one part."""
    _check(shape)
    nodes = frozenset(range(len(shape.nodes)))
    return LimitStreetTree(shape, hero, (_part(shape, hero, 0, nodes, frozenset(), -1),))


def _check(shape: StreetShape) -> None:
    if not 0 < len(shape.nodes) <= _MOST_NODES:
        raise ValueError(
            f"device: the GPU does streets of 1 to {_MOST_NODES} decisions, not of"
            f" {len(shape.nodes)}"
        )


def _part(
    shape: StreetShape,
    hero: int,
    root: int,
    nodes: frozenset[int],
    path: frozenset[int],
    into: int,
) -> Part:
    leaves = sorted(
        ~child
        for node in nodes
        for child in shape.nodes[node][1]
        if child is not None and child < 0
    )
    on = [leaf for leaf in leaves if shape.leaves[leaf] in (SHOWS, GOES_ON)]
    won = [leaf for leaf in leaves if shape.leaves[leaf] == 1 - hero]
    lost = [leaf for leaf in leaves if shape.leaves[leaf] == hero]
    own = {number for number, (node, _) in enumerate(shape.edges[1 - hero]) if node in nodes}
    return Part(
        root,
        nodes,
        (*on, *won, *lost),
        (*[1] * len(on), *[1] * len(won), *[-1] * len(lost)),
        len(on),
        len(on) + len(won),
        path,
        path | own,
        into,
    )
