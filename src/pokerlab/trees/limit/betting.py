"""The betting tree of a limit game as arrays: what tables and kernels walk through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np

from pokerlab.games import Betting, BettingGame
from pokerlab.runtime.arrays import Int64s
from pokerlab.trees.limit.betting_kernels import FlatTree

ACTIONS = "fcr"
"""The columns of a table: fold, call (or check), raise (or bet)."""

MAX_NODES = 100_000
"""Betting nodes of the biggest game that is played by tables; heads-up hold'em has 6,378."""


@dataclass(frozen=True, eq=False)
class FlatBetting:
    """The betting tree of a limit game as arrays.

    Attributes
    ----------
    game
        The rules.
    nodes, leaves
        The nodes of the rules engine where somebody decides, in preorder, and where the hand is
        over. A strategy has its rows in the order of `nodes`.
    tree
        What kernels take.
    merged
        Whether bettings that lead to the same chips are one node (`merge_betting`).
    """

    game: BettingGame
    nodes: tuple[Betting, ...]
    leaves: tuple[Betting, ...]
    tree: FlatTree
    merged: bool = False

    @cached_property
    def streets(self) -> Int64s:
        """The street of each node."""
        return self.tree.nodes[:, 4].astype(np.int64)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of a node by its betting text (``"rc/c"``)."""
        return {node.text: number for number, node in enumerate(self.nodes)}

    def find(self, node: Betting) -> int:
        """The number of a node where somebody decides; `ValueError` if it is not in this part."""
        found = self._number_by_key.get(_key(node, self.merged))
        if found is None:
            first = self.nodes[0].text
            raise ValueError(f"the betting begins after {first!r}, and {node.text!r} is not in it")
        return found

    @cached_property
    def _number_by_key(self) -> dict[_Key, int]:
        return {_key(node, self.merged): number for number, node in enumerate(self.nodes)}

    @cached_property
    def longest(self) -> int:
        """The most actions of a hand."""
        steps = np.zeros(len(self.nodes) + len(self.leaves), np.int64)
        parents, columns = np.nonzero(self.tree.nodes[:, : len(ACTIONS)] >= 0)
        children = self.tree.nodes[parents, columns]
        # A node can be reached in several ways; the longest has settled after as many rounds.
        while True:
            before = steps.copy()
            np.maximum.at(steps, children, steps[parents] + 1)
            if np.array_equal(steps, before):
                return int(steps.max())


@lru_cache(maxsize=64)
def flatten_betting(game: BettingGame, line: str = "") -> FlatBetting:
    """Walk the betting tree of a game, or its part after a line, and write it into arrays.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> [node.text for node in flatten_betting(load_betting_game("kuhn.3p"), "cr").nodes]
    ['cr', 'crf', 'crc']
    >>> betting = flatten_betting(load_betting_game("kuhn"))
    >>> [node.text for node in betting.nodes], [leaf.text for leaf in betting.leaves]
    (['', 'c', 'cr', 'r'], ['cc', 'crf', 'crc', 'rf', 'rc'])
    >>> betting.tree.nodes[2].tolist()
    [5, 6, -1, 0, 0]
    >>> flatten_betting(load_betting_game("holdem.nolimit.2p"))
    Traceback (most recent call last):
    ValueError: holdem.nolimit.2p is a no-limit game: only limit games are played by tables
    """
    _check_game(game)
    first = game.replay(line).node if line else game.first_betting
    if first.player < 0:
        raise ValueError(f"nobody decides after {line!r} in {game.name}")
    return _walk(game, first, merged=False)


@lru_cache(maxsize=8)
def merge_betting(game: BettingGame) -> FlatBetting:
    """The betting of a game with far fewer nodes: of earlier streets only the chips count.

    Two bettings are one node if what was done on this street is the same, and each position has
    put in as much and has folded or not. What may follow and who wins what is then the same too;
    players only forget in which order chips went in on the streets before. Nodes come in the
    order in which they are found, and `nodes` has the first betting of each.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> betting = merge_betting(load_betting_game("holdem.limit.3p"))
    >>> len(betting.nodes), len(betting.leaves)
    (9458, 1889)
    """
    _check_game(game)
    return _walk(game, game.first_betting, merged=True)


_Key: TypeAlias = tuple[object, ...]


def _key(node: Betting, merged: bool) -> _Key:
    """What makes two bettings the same node."""
    if not merged:
        return (node.text,)
    if node.player < 0:
        return node.spent, node.folded
    return node.street, node.spent, node.folded, node.text.rpartition("/")[2]


def _check_game(game: BettingGame) -> None:
    if game.betting != "limit":
        raise ValueError(
            f"{game.name} is a {game.betting} game: only limit games are played by tables"
        )
    if any(street.draw for street in game.streets):
        raise ValueError(f"{game.name} exchanges cards: it is not played by tables")
    if game.up_cards:
        raise ValueError(f"{game.name} deals cards face up: it is not played by tables")
    if len(set(game.hole_cards)) > 1:
        raise ValueError(
            f"{game.name} deals private cards on several streets: it is not played by tables"
        )


def _walk(game: BettingGame, first: Betting, *, merged: bool) -> FlatBetting:
    nodes: list[Betting] = []
    leaves: list[Betting] = []
    numbers: dict[_Key, int] = {}
    links: list[tuple[int, str, int, bool]] = []  # from a node by an action to a node or leaf
    waiting: list[tuple[Betting, int, str]] = [(first, -1, "")]
    while waiting:
        node, parent, action = waiting.pop()
        over = node.player < 0
        found = leaves if over else nodes
        key = _key(node, merged)
        number = numbers.setdefault(key, len(found))
        if parent >= 0:
            links.append((parent, action, number, over))
        if number < len(found):
            continue
        if not over:
            waiting += [(node.after(each), number, each) for each in reversed(node.actions())]
        found.append(node)
        if len(nodes) > MAX_NODES:
            raise ValueError(
                f"the betting of {game.name} has more than {MAX_NODES:,} nodes: too many for tables"
            )
    table = np.full((len(nodes), 5), -1, np.int32)
    table[:, 3] = [node.player for node in nodes]
    table[:, 4] = [node.street for node in nodes]
    for parent, action, number, over in links:
        table[parent, ACTIONS.index(action)] = number + len(nodes) * over
    spent = np.array([leaf.spent for leaf in leaves], np.int64)
    live = ~np.array([leaf.folded for leaf in leaves])
    for leaf in leaves:
        if len({leaf.spent[seat] for seat in leaf.live}) > 1:
            raise ValueError(
                f"{game.name} has side pots (after {leaf.text!r}): it is not played by tables"
            )
    return FlatBetting(game, tuple(nodes), tuple(leaves), FlatTree(table, spent, live), merged)
