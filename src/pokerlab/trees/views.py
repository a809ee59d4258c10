"""Views: the same game as one player, a spectator, the dealer or the betting shows it.

====================  ==============================================================
``game``              all moves of chance and players
``player:0`` …        what one seat sees: private cards of others are hidden
``observer``          what everybody sees: all private cards are hidden
``chance``            the dealer's moves only
``action``            the players' moves only
====================  ==============================================================

A view is a tree in preorder like `GameTree`, with the projection from game nodes to its own
nodes. A hidden move is still a move: it is one edge, ``0d{}``, for all cards, so a view is as
deep as the game. That a move was made, and who moves next, is taken to be known to all.

What a seat has seen is not stored in a `GameTree` except at its own information sets, so the
states of the game are walked again. Views are for games that are small enough to look at.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import Bools, Int8s, Int32s, Int64s
from pokerlab.games.protocol import CHANCE, TERMINAL, Game
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.paths import matching_nodes

_Number = TypeVar("_Number", bound=np.generic)

SEVERAL: Final = -3
"""`View.player` where it depends on chance who moves (in the action tree of some games)."""


@dataclass(frozen=True, eq=False)
class View:
    """A tree seen from one side, in preorder, and how the game tree projects on it.

    Attributes
    ----------
    tree
        The game tree.
    name
        ``game``, ``player:0``, ``observer``, ``chance`` or ``action``.
    parent
        The node before; -1 at the root.
    end
        One past the last node of the subtree.
    player
        Who moves: a seat, `CHANCE`, `TERMINAL` or `SEVERAL`. A node of the chance tree is
        terminal when no card follows.
    labels
        The edge into each node, as `GameTree.path` writes it; empty at the root. What is hidden
        shows as ``0d{}``, what is half hidden with the part that is seen in braces.
    slot
        The slot of the edge into the node, where all game edges that it stands for share one;
        else -1.
    infoset
        The information set, where all game nodes that the node stands for share one; else -1.
    node_of
        For each game node, the node of the view that it projects on.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> view = make_view(GameTree.build(load_game("kuhn")), "player:1")
    >>> len(view), view.path(17), view.nodes(17)
    (29, '0d{} 1d{Qs} 0r', array([ 8, 55], dtype=int32))
    """

    tree: GameTree
    name: str
    parent: Int32s
    end: Int32s
    player: Int8s
    labels: tuple[str, ...]
    slot: Int32s
    infoset: Int32s
    node_of: Int32s

    def __len__(self) -> int:
        return len(self.parent)

    def __str__(self) -> str:
        """The view in words."""
        kind, _, seat = self.name.partition(":")
        return f"{self.tree.game.name}, " + (f"tree of player {seat}" if seat else f"{kind} tree")

    @property
    def seat(self) -> int | None:
        """Whose view it is, in a player tree."""
        seat = self.name.partition(":")[2]
        return int(seat) if seat else None

    def children(self, node: int) -> list[int]:
        """The nodes after one move."""
        found = []
        child = node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def edge(self, node: int) -> str:
        """The move that leads into a node; empty at the root."""
        return self.labels[node]

    def path(self, node: int) -> str:
        """The way to a node."""
        moves = []
        while node > 0:
            moves.append(self.labels[node])
            node = int(self.parent[node])
        return " ".join(reversed(moves))

    def find(self, pattern: str) -> Int32s:
        """The nodes whose path fits a pattern (see `paths`); `ValueError` if there are none."""
        return matching_nodes(self, pattern, str(self))

    def find_one(self, pattern: str) -> int:
        """The node whose path fits a pattern; `ValueError` if there is not exactly one."""
        found = self.find(pattern)
        if len(found) > 1:
            raise ValueError(
                f"the path {pattern!r} fits {len(found)} nodes of {self}, such as "
                f"{self.path(int(found[0]))!r} and {self.path(int(found[1]))!r}; name one"
            )
        return int(found[0])

    def nodes(self, node: int) -> Int32s:
        """The game nodes that project on a node, in preorder."""
        order, offset = self._inverse
        return order[offset[node] : offset[node + 1]]

    @cached_property
    def entries(self) -> Bools:
        """Which game nodes are the first of their projection: the move into them shows."""
        entry: Bools = self.node_of != self.node_of[self.tree.parent]
        entry[0] = True
        return entry

    def sum(self, values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        """Add up an array by game node over the nodes that project on each node.

        Only `entries` count, so that in the chance and action trees, where nodes after one
        another fall together, nothing counts twice.
        """
        total = np.zeros((len(self), *values.shape[1:]), values.dtype)
        np.add.at(total, self.node_of[self.entries], values[self.entries])
        return total

    @cached_property
    def _inverse(self) -> tuple[Int32s, Int64s]:
        order = np.argsort(self.node_of, kind="stable").astype(np.int32)
        return order, np.searchsorted(self.node_of[order], np.arange(len(self) + 1))


def view_names(tree: GameTree | Game) -> list[str]:
    """The views that a game, or its tree, has.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> view_names(GameTree.build(load_game("kuhn")))
    ['game', 'player:0', 'player:1', 'observer', 'chance', 'action']
    """
    seats = [f"player:{seat}" for seat in range(tree.players)]
    return ["game", *seats, "observer", "chance", "action"]


def make_view(tree: GameTree, name: str = "game") -> View:
    """Look at a game from one side; the names are those of `view_names`.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> [len(make_view(tree, name)) for name in view_names(tree)]
    [58, 31, 29, 11, 10, 9]
    >>> make_view(tree, "player:2")
    Traceback (most recent call last):
    ValueError: unknown view 'player:2' of kuhn: game, player:0, player:1, observer, chance or
    action
    """
    check_view_name(tree.game, name)
    seen: Sequence[str] = ()
    keys: Sequence[Hashable]
    if name == "game":
        keys = range(len(tree))
    elif name in ("chance", "action"):
        shown = (tree.slot >= 0) == (name == "action")
        keys = [label if show else None for label, show in zip(tree.label, shown, strict=True)]
    else:
        seen = _seen(tree, None if name == "observer" else int(name.partition(":")[2]))
        keys = list(zip(tree.player.tolist(), seen, strict=True))
    if name == "chance":
        _check_chance_alone(tree, keys)
    return _project(tree, name, keys, seen)


def check_view_name(game: Game, name: str) -> None:
    """Raise a `ValueError` that names the views of a game if this is not one of them."""
    names = view_names(game)
    if name not in names:
        known = ", ".join(names[:-1]) + " or " + names[-1]
        raise ValueError(f"unknown view {name!r} of {game.name}: {known}")


def _seen(tree: GameTree, seat: int | None) -> list[str]:
    """The observations of a seat, or of a spectator, at each node."""
    if seat is None:
        return [state.public() for _, state in tree.states()]
    return [state.seen_by(seat) for _, state in tree.states()]


def _project(tree: GameTree, name: str, keys: Sequence[Hashable], seen: Sequence[str]) -> View:
    """Unite game nodes that have the same key after the same node; no key: the node before."""
    group = _groups(tree, keys)
    order = _preorder(tree, group)
    renumber = np.empty(len(order), np.int32)
    renumber[order] = np.arange(len(order), dtype=np.int32)
    node_of = renumber[group]
    count = len(order)

    parent = np.full(count, -1, np.int32)
    entry = 1 + np.flatnonzero(node_of[1:] != node_of[tree.parent[1:]])
    parent[node_of[entry]] = node_of[tree.parent[entry]]
    end = np.arange(1, count + 1, dtype=np.int32)
    for node in range(count - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    return View(
        tree=tree,
        name=name,
        parent=parent,
        end=end,
        player=_movers(tree, name, node_of, count),
        labels=_labels(tree, node_of, entry, seen, count),
        slot=_common(tree.slot[entry], node_of[entry], count),
        infoset=_common(tree.infoset, node_of, count),
        node_of=node_of,
    )


def _groups(tree: GameTree, keys: Sequence[Hashable]) -> Int32s:
    """A number for each set of game nodes that fall together, in order of first visit."""
    group = np.zeros(len(tree), np.int32)
    numbers: dict[tuple[int, Hashable], int] = {}
    for node in range(1, len(tree)):
        before = int(group[tree.parent[node]])
        key = keys[node]
        group[node] = before if key is None else numbers.setdefault((before, key), len(numbers) + 1)
    return group


def _preorder(tree: GameTree, group: Int32s) -> list[int]:
    """The groups in preorder, siblings in an order that agrees with all game nodes.

    After ``0d{J}`` seat 1 gets Q or K, after ``0d{Q}`` J or K: what it sees is J, Q, K.
    """
    elder: dict[int, dict[int, set[int]]] = {}  # children of a group, and who comes before each
    last_child: dict[int, int] = {}
    for node in range(1, len(tree)):
        game_parent, number = int(tree.parent[node]), int(group[node])
        before = int(group[game_parent])
        if number == before:
            continue
        elders = elder.setdefault(before, {}).setdefault(number, set())
        sibling = last_child.get(game_parent, number)
        if sibling != number:
            elders.add(sibling)
        last_child[game_parent] = number
    order: list[int] = []
    waiting = [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting.extend(reversed(_elders_first(elder.get(number, {}))))
    return order


def _elders_first(elder: Mapping[int, set[int]]) -> list[int]:
    """Siblings in the order of first visit, but each after its elders (unless they disagree)."""
    placed: dict[int, None] = {}
    asked: set[int] = set()
    waiting = list(elder)[::-1]
    while waiting:
        number = waiting[-1]
        missing = elder[number] - placed.keys() - asked
        asked.add(number)
        if missing:
            waiting.extend(missing)
        else:
            placed.setdefault(waiting.pop())
    return list(placed)


def _movers(tree: GameTree, name: str, node_of: Int32s, count: int) -> Int8s:
    """Who moves at each node of a view."""
    if name == "chance":
        deals = np.zeros(count, np.bool_)
        deals[node_of[tree.player == CHANCE]] = True
        return np.where(deals, CHANCE, TERMINAL).astype(np.int8)
    players = tree.player != CHANCE if name == "action" else np.ones(len(tree), np.bool_)
    return _common(tree.player[players], node_of[players], count, SEVERAL).astype(np.int8)


def _labels(
    tree: GameTree, node_of: Int32s, entry: Int64s, seen: Sequence[str], count: int
) -> tuple[str, ...]:
    """The texts of the edges of a view."""
    label = _common(tree.label[entry], node_of[entry], count)
    labels = [tree.labels[number] if number >= 0 else "" for number in label.tolist()]
    # From last to first, so that in the end the first game edge of each view edge counts.
    for node in reversed(entry[label[node_of[entry]] < 0].tolist()):
        labels[node_of[node]] = _hidden(tree, node, seen)
    return tuple(labels)


def _hidden(tree: GameTree, node: int, seen: Sequence[str]) -> str:
    """A move of which others see nothing or a part: ``0d{}``, ``0{X or Y}``."""
    before = int(tree.parent[node])
    added = seen[node].removeprefix(seen[before]).strip(" ,:/") if seen else ""
    mover = tree.player[before]
    return (tree.edge(node).partition("{")[0] if mover == CHANCE else str(mover)) + f"{{{added}}}"


def _common(values: npt.NDArray[_Number], node_of: Int32s, count: int, mixed: int = -1) -> Int32s:
    """The value that all members of each node share; `mixed` where they do not."""
    least = np.full(count, np.iinfo(np.int32).max, np.int32)
    most = np.full(count, np.iinfo(np.int32).min, np.int32)
    np.minimum.at(least, node_of, values)
    np.maximum.at(most, node_of, values)
    return np.where(least == most, least, mixed).astype(np.int32)


def _check_chance_alone(tree: GameTree, keys: Sequence[Hashable]) -> None:
    """There is a chance tree only if what is dealt does not depend on what players do."""
    group = _groups(tree, keys)
    deals: dict[int, tuple[int, list[tuple[str, float]]]] = {}
    for node in np.flatnonzero(tree.player == CHANCE).tolist():
        children = tree.children(node)
        dealt = [(tree.edge(child), float(tree.chance[child])) for child in children]
        first, expected = deals.setdefault(int(group[node]), (node, dealt))
        if dealt != expected:
            raise ValueError(
                f"{tree.game.name} has no chance tree: the cards after {tree.path(first)!r} and "
                f"after {tree.path(node)!r} differ, so they depend on what players do"
            )
