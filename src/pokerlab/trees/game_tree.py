"""`GameTree`: every way a game can go, as flat arrays in preorder.

A node is a number. The root is 0, the first child of a node is ``node + 1``, the next sibling
of a child is the ``end`` of its subtree. There are no node objects: a solver walks the arrays
from front to back (parents before children) or from back to front (children before parents).
A decision edge has a *slot*, shared by all nodes of its information set: see `Infosets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from pokerlab.games import BettingGame
from pokerlab.games.protocol import Game, State
from pokerlab.runtime.arrays import AnyArray, Floats, Int8s, Int16s, Int32s
from pokerlab.runtime.files.hashes import digest
from pokerlab.trees.builder import TreeBuilder
from pokerlab.trees.infosets import Infosets

_TREES_KEPT = 4
_MOST_NODES_KEPT = 100_000
_kept: dict[BettingGame, GameTree] = {}
"""What `GameTree.of` wrote out, the last one last."""


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game written out: nodes in preorder, one array for each property.

    Attributes
    ----------
    game
        What it was built from.
    parent
        The node before; -1 at the root.
    end
        One past the last node of the subtree.
    player
        Who moves: a seat, `CHANCE` or `TERMINAL`.
    n_children
        How many moves there are.
    infoset
        The information set at decision nodes, -1 elsewhere.
    chance
        The probability of the edge into the node where chance moved, 1 elsewhere.
    slot
        The slot of the edge into the node where a player moved, -1 elsewhere.
    label
        The edge into the node as a number into `labels`; -1 at the root.
    labels
        The texts of the edges, as `path` writes them.
    terminals
        The terminal nodes.
    payoffs
        What each seat wins, a row for each of `terminals`.
    terminal_chance
        The product of the chance probabilities on the way to each of `terminals`.
    terminal_slots
        The last slot of each seat on the way to each of `terminals`, -1 for none.
    infosets
        The information sets.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> tree
    <GameTree kuhn: 58 nodes, 12 information sets>
    >>> len(tree), len(tree.terminals), len(tree.infosets)
    (58, 30, 12)
    """

    game: Game
    parent: Int32s
    end: Int32s
    player: Int8s
    n_children: Int16s
    infoset: Int32s
    chance: Floats
    slot: Int32s
    label: Int32s
    labels: tuple[str, ...]
    terminals: Int32s
    payoffs: Floats
    terminal_chance: Floats
    terminal_slots: Int32s
    infosets: Infosets

    @classmethod
    def build(cls, game: Game, *, limit: int = 10_000_000) -> GameTree:
        """Write out a game of at most `limit` nodes (about 53 bytes and 10 µs each).

        A larger game is a `TreeTooLargeError`, after a second or two and with a guess of its size
        where it is far larger. `ValueError` names an information set whose nodes offer different
        actions, or in which players have forgotten what they did; and a chance node whose
        numbers are not probabilities. All arrays are read-only: several may share a tree.
        """
        tree = cls(game=game, **TreeBuilder(game).columns(limit))
        for column in tree._columns:
            column.flags.writeable = False
        return tree

    @classmethod
    def of(cls, game: Game, *, limit: int = 10_000_000) -> GameTree:
        """Write out a game as `build` does, or return the tree that was written out before.

        The last four trees are kept: those of card games, whose rules cannot change, with at most
        100,000 nodes.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> GameTree.of(load_game("kuhn")) is GameTree.of(load_game("kuhn"))
        True
        """
        if not isinstance(game, BettingGame):
            return cls.build(game, limit=limit)
        tree = _kept.get(game)
        if tree is None or len(tree) > limit:
            tree = cls.build(game, limit=limit)
        if len(tree) <= _MOST_NODES_KEPT:
            _kept.pop(game, None)
            _kept[game] = tree
            for oldest in list(_kept)[:-_TREES_KEPT]:
                _kept.pop(oldest, None)
        return tree

    def __len__(self) -> int:
        return len(self.parent)

    def __repr__(self) -> str:
        sets = len(self.infosets)
        return f"<GameTree {self.game.name}: {len(self):,} nodes, {sets:,} information sets>"

    @property
    def players(self) -> int:
        """How many seats the game has."""
        return self.game.players

    @property
    def nbytes(self) -> int:
        """The memory of all arrays, without the texts."""
        return sum(column.nbytes for column in self._columns)

    @property
    def _columns(self) -> list[AnyArray]:
        columns = [getattr(self, field.name) for field in fields(self)]
        columns += [getattr(self.infosets, field.name) for field in fields(self.infosets)]
        return [column for column in columns if isinstance(column, np.ndarray)]

    @property
    def bytes_per_node(self) -> float:
        """`nbytes` for each node."""
        return self.nbytes / len(self)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of rules and payoffs: two trees with the same one are the same game."""
        columns = self.parent, self.player, self.slot, self.chance, self.payoffs
        named = zip(self.infosets.names, self.infosets.actions, strict=True)
        infosets = (f"\n{name}\t{' '.join(actions)}" for name, actions in named)
        return digest(f"{self.game.name} {self.players}", *columns, *infosets)

    def children(self, node: int) -> list[int]:
        """The nodes after one move, in the order of the actions."""
        found = []
        child = node + 1
        for _ in range(self.n_children[node]):
            found.append(child)
            child = int(self.end[child])
        return found

    def edge(self, node: int) -> str:
        """The move that leads into a node, as `path` writes it; empty at the root."""
        return self.labels[self.label[node]] if node else ""

    def action(self, node: int) -> str:
        """The move that leads into a node, as the game calls it."""
        text = self.edge(node)
        if self.slot[node] >= 0:
            return self.infosets.action(int(self.slot[node]))
        return text[text.index("{") + 1 : -1] if node else ""

    def path(self, node: int) -> str:
        """The way to a node.

        ``0c`` is seat 0's action c; ``0d{J}`` a card that seat 0 alone sees; ``d{Q}`` a card
        that everybody sees, ``1,2d{Q}`` one that seats 1 and 2 see, ``-d{Q}`` one that nobody
        sees.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> tree = GameTree.build(load_game("kuhn"))
        >>> tree.path(tree.find("0d{J} 1d{K} 0c 1r")) == tree.path(tree.find("0d{J}1d{K}0c1r"))
        True
        """
        moves = []
        while node > 0:
            moves.append(self.edge(node))
            node = int(self.parent[node])
        return " ".join(reversed(moves))

    def find(self, path: str) -> int:
        """The node at the end of a path, written as `path` writes it.

        Blanks and slashes between moves may be there or not. A card may be cut short where
        only one outcome begins like that: ``0d{J}`` for ``0d{Js}`` in a deck with one jack.
        """
        node, rest = 0, path.strip(" /")
        while rest:
            children = self.children(node)
            step = max(
                ((len(used), child) for child in children if (used := self._match(child, rest))),
                default=None,
            )
            if step is None:
                step = self._match_short(children, rest)
            if step is None:
                here = f"after {self.path(node)!r} comes " if node else "it starts with "
                known = ", ".join(self.edge(child) for child in children)
                raise ValueError(
                    f"no path {path!r} in {self.game.name}: {here}{known or 'nothing, it ends'}"
                )
            used_length, node = step
            rest = rest[used_length:].lstrip(" /")
        return node

    def states(self) -> Iterator[tuple[int, State]]:
        """Walk the game again: every node with the state it stands for, in preorder."""
        open_states: list[tuple[int, State]] = []
        for node, parent in enumerate(self.parent.tolist()):
            while open_states and open_states[-1][0] != parent:
                open_states.pop()
            state = open_states[-1][1].apply(self.action(node)) if node else self.game.start()
            open_states.append((node, state))
            yield node, state

    def _match(self, child: int, text: str) -> str:
        edge = self.edge(child)
        return edge if text.startswith(edge) else ""

    def _match_short(self, children: Sequence[int], text: str) -> tuple[int, int] | None:
        """The one chance outcome that begins with the card that `text` begins with."""
        if "}" not in text:
            return None
        card = text[: text.index("}")]
        found = [
            child
            for child in children
            if self.slot[child] < 0 and self.edge(child).startswith(card)
        ]
        return (len(card) + 1, found[0]) if len(found) == 1 and not card.endswith("{") else None
