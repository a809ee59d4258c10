"""How large a game is before anything is allocated: nodes, information sets, actions, bytes.

The public tree is the betting tree replayed on every board. Its nodes are those at which a
player decides, those at which the dealer gives a card, and leaves (a fold, a showdown, or a
called all-in). An information set is a decision and a hand: decisions times the combos that the
first board leaves, whatever the ranges, 1,176 on a flop. So are actions. With suit isomorphism
only one board of each class counts.

Bytes are what the engine's tables need: a regret and a strategy sum for each action and each
hand of the deciding player's range that is possible on the board. Hands are padded to whole
vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind, StreetTree
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.runtime.arrays import Bytes, Int64s

if TYPE_CHECKING:
    from pokerlab.cards.ranges.range import Range
    from pokerlab.engine.game import PublicGame

HAND_PADDING = 16
"""The hands of a table row are padded to a multiple of this: one vector of 16 numbers."""


@dataclass(frozen=True)
class StreetCounts:
    """The nodes of one street, over all its boards."""

    street: int
    boards: int
    player_nodes: int
    dealer_nodes: int
    leaves: int
    actions: int

    @property
    def nodes(self) -> int:
        """Nodes of all kinds."""
        return self.player_nodes + self.dealer_nodes + self.leaves


@dataclass(frozen=True)
class TreeCounts:
    """What `count_tree` found.

    Attributes
    ----------
    streets
        The counts of each street from that of the spot on.
    combos
        How many two-card hands the first board leaves.
    entries
        How many regrets (and as many strategy sums) the tables hold, padding included.
    margins
        The number of margins for all-ins before the river, 16 bits each.
    hands
        How many hands both players have on all boards together, padding included.
    """

    streets: tuple[StreetCounts, ...]
    combos: int
    entries: int
    margins: int
    hands: int

    @property
    def nodes(self) -> int:
        """All nodes of the public tree."""
        return sum(street.nodes for street in self.streets)

    @property
    def player_nodes(self) -> int:
        """Nodes at which a player decides."""
        return sum(street.player_nodes for street in self.streets)

    @property
    def dealer_nodes(self) -> int:
        """Nodes at which a card comes."""
        return sum(street.dealer_nodes for street in self.streets)

    @property
    def leaves(self) -> int:
        """Folds, showdowns and called all-ins."""
        return sum(street.leaves for street in self.streets)

    @property
    def information_sets(self) -> int:
        """Decisions, each with each two-card hand."""
        return self.player_nodes * self.combos

    @property
    def actions(self) -> int:
        """Actions of all information sets."""
        return sum(street.actions for street in self.streets) * self.combos

    def to_json(self) -> dict[str, object]:
        """The counts in the form that ``solve --dry-run --json`` prints."""
        by_name = dict.fromkeys(STREETS, 0)
        by_name |= {STREETS[street.street]: street.nodes for street in self.streets}
        return {
            "nodes": by_name | {"total": self.nodes},
            "player_nodes": self.player_nodes,
            "dealer_nodes": self.dealer_nodes,
            "leaves": self.leaves,
            "information_sets": self.information_sets,
            "actions": self.actions,
            "bytes": {str(bits): table_bytes(self.entries, bits) for bits in (32, 16)},
            "streets": {
                STREETS[street.street]: {
                    "boards": street.boards,
                    "player_nodes": street.player_nodes,
                    "dealer_nodes": street.dealer_nodes,
                    "leaves": street.leaves,
                }
                for street in self.streets
            },
        }


def count_tree(spot: PublicGame, *, isomorphism: bool = True) -> TreeCounts:
    """Count the game of a spot, without building it.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c", "random", "random", pot=2, stack=49, bet="50%, a", raise_="50%, a",
    ...             max_bets=4)
    >>> whole = count_tree(spot, isomorphism=False)
    >>> whole.nodes, whole.information_sets, whole.actions
    (3595530, 1567626816, 4070164224)
    >>> merged = count_tree(spot)
    >>> [street.boards for street in whole.streets], [street.boards for street in merged.streets]
    ([1, 49, 2352], [1, 36, 1429])
    """
    hands = _count_hands(spot.board, spot.ranges, isomorphism, spot.runouts)
    streets = list(zip(spot.tree.streets, hands, strict=True))
    all_in = sum(count.boards for street, count in streets if street.count(EdgeKind.ALLIN))
    if spot.runouts is not None:  # margins on both streets, and as many corrections of them
        kinds = 2 if spot.prizes is None or spot.prizes.linear else 6  # of ties, too
        all_in = kinds * sum(count.boards for _, count in streets[:-1])
    first, second = hands[0].by_player
    return TreeCounts(
        tuple(_count_street(street, count.boards) for street, count in streets),
        comb(N_CARDS - len(spot.board), 2),
        sum(
            street.actions_of(player) * number
            for street, count in streets
            for player, number in enumerate(count.by_player)
        ),
        2 * first * second * all_in,  # a margin for each pair of hands and each player
        sum(sum(count.by_player) for count in hands),
    )


class _StreetHands(NamedTuple):
    """What a street has of cards."""

    boards: int
    by_player: tuple[int, int]
    """Hands on all boards together, padding included."""


@lru_cache(maxsize=8)
def _count_hands(
    board: tuple[int, ...],
    ranges: tuple[Range, Range],
    isomorphism: bool,
    runouts: str | None,
) -> tuple[_StreetHands, ...]:
    """Cached for spots that differ by their betting alone: most of the time goes here."""
    found = []
    for boards in _street_boards(board, ranges, runouts, isomorphism=isomorphism):
        first, second = (_padded(possible_hands(hands, boards), HAND_PADDING) for hands in ranges)
        found.append(_StreetHands(len(boards), (first, second)))
    return tuple(found)


def street_boards(spot: PublicGame, *, isomorphism: bool = True) -> list[Bytes]:
    """The boards of each street from that of the spot on, each of shape (boards, cards).

    With isomorphism there is one board of each class: a class has the cards that a renaming of
    suits, which changes neither the board nor the ranges, makes equal.
    """
    return _street_boards(spot.board, spot.ranges, spot.runouts, isomorphism=isomorphism)


def _street_boards(
    board: tuple[int, ...], ranges: tuple[Range, Range], runouts: str | None, *, isomorphism: bool
) -> list[Bytes]:
    from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, symmetries
    from pokerlab.engine.subsets.run_subsets import run_out_dealer

    group = SUIT_PERMUTATIONS[:1]
    if isomorphism:
        group = symmetries(board, np.stack([hands.weights for hands in ranges]))
    deal = run_out_dealer(runouts, (ranges[0].weights, ranges[1].weights))
    return [street.cards for street in deal(board, group)]


def padded_rows(counts: Int64s) -> Int64s:
    """The length of rows of `counts` groups of hands; a row has room for one at least.

    Examples
    --------
    >>> padded_rows(np.array([0, 16, 17])).tolist()
    [16, 16, 32]
    """
    return np.maximum(-(-counts // HAND_PADDING), 1) * HAND_PADDING


def possible_hands(hands: Range, boards: Bytes) -> Int64s:
    """How many hands of a range each board leaves possible.

    Examples
    --------
    >>> from pokerlab.cards import Range, parse_cards
    >>> possible_hands(Range("AA"), np.array([parse_cards("AsKd2c"), parse_cards("QsKd2c")]))
    array([3, 6])
    """
    high, low = COMBO_CARDS[hands.indices].T
    together = np.zeros((N_CARDS, N_CARDS), np.int64)
    together[high, low] = together[low, high] = 1
    # A hand of two cards of the board is left out for each of them, so once too often.
    twice = together[boards[:, :, None], boards[:, None]].sum(axis=(1, 2)) // 2
    counts: Int64s = len(high) - together.sum(axis=1)[boards].sum(axis=1) + twice
    return counts


def table_entries(
    tree: BettingTree,
    boards: Sequence[Bytes],
    ranges: tuple[Range, Range],
    *,
    padding: int = HAND_PADDING,
) -> list[tuple[int, int]]:
    """The entries of a table over board × action × hand, for each street and player.

    Parameters
    ----------
    tree
        The betting tree.
    boards
        For each of its streets the boards, of shape (boards, cards).
    ranges
        The hands of each player; those that a board rules out have no entry on it.
    padding
        Hands on a board are padded to a multiple of this.
    """
    entries = []
    for street, on_street in zip(tree.streets, boards, strict=True):
        first, second = (
            street.actions_of(player) * _padded(possible_hands(hands, on_street), padding)
            for player, hands in enumerate(ranges)
        )
        entries.append((first, second))
    return entries


def table_bytes(entries: int, bits: int) -> int:
    """The bytes of regrets and strategy sums with `bits` (32 or 16) for a number."""
    return 2 * entries * bits // 8


def _padded(hands: Int64s, padding: int) -> int:
    return int((-(-hands // padding) * padding).sum())


def _count_street(street: StreetTree, boards: int) -> StreetCounts:
    leaves = sum(street.count(kind) for kind in (EdgeKind.FOLD, EdgeKind.SHOWDOWN, EdgeKind.ALLIN))
    return StreetCounts(
        street=street.number,
        boards=boards,
        player_nodes=street.nodes * boards,
        dealer_nodes=street.count(EdgeKind.NEXT_STREET) * boards,
        leaves=leaves * boards,
        actions=street.edges * boards,
    )
