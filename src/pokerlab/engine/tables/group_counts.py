"""How many groups of hands the boards of a spot have: counted before a solve, and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pokerlab.engine.counts import padded_rows, possible_hands, street_boards
from pokerlab.engine.groups import HandGrouping, count_hand_groups
from pokerlab.engine.locks import NodeLock, parse_locks
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.runtime.arrays import Bytes, Int64s

if TYPE_CHECKING:
    from pokerlab.engine.game import PublicGame
    from pokerlab.engine.tables.boards import Boards
    from pokerlab.engine.tables.hand_groups import BoardGroups

ByBoard: TypeAlias = tuple[tuple[Int64s, Int64s], ...]
"""For each street and player a number for each board."""


@dataclass(frozen=True, eq=False)
class SpotGroupCounts:
    """How many groups there are on each board, and how many hands they have together.

    Attributes
    ----------
    text
        What the groups are called, as ``view/river``.
    first_street
        Where the spot begins: 0 for the flop.
    groups, hands
        For each street and player a number for each board.
    """

    text: str
    first_street: int
    groups: ByBoard
    hands: ByBoard

    def entries(self, spot: PublicGame) -> int:
        """How many numbers a table holds that has one for each action and group."""
        return sum(
            street.actions_of(player) * int(padded_rows(counts).sum())
            for street, both in zip(spot.tree.streets, self.groups, strict=True)
            for player, counts in enumerate(both)
        )

    def means(self) -> dict[str, tuple[float, float]]:
        """By street how many groups and how many hands a player has, on the mean of the boards."""
        return {
            STREETS[self.first_street + level]: (
                float(np.mean([each.mean() for each in groups])),
                float(np.mean([each.mean() for each in hands])),
            )
            for level, (groups, hands) in enumerate(zip(self.groups, self.hands, strict=True))
        }

    def to_json(self) -> dict[str, Any]:
        """The form of ``--json``: by street and player, means over the boards."""
        grouping = HandGrouping.parse(self.text)

        def by_street(counts: ByBoard) -> dict[str, list[float]]:
            return {
                STREETS[self.first_street + level]: [float(each.mean()) for each in both]
                for level, both in enumerate(counts)
            }

        return {
            "text": self.text,
            "measure": grouping.kind,
            "identity": grouping.identity or None,
            "counts": by_street(self.groups),
            "hands": by_street(self.hands),
        }


def count_spot_groups(
    spot: PublicGame,
    groups: str | HandGrouping,
    *,
    isomorphism: bool = True,
    threads: int | None = None,
) -> SpotGroupCounts:
    """Count the groups of a spot before it is solved.

    A flop takes a second or two; groups by ``kmeans`` and ``percentile`` are not made, so that
    there may be fewer than counted. Where decisions are locked, groups are split by what the locks
    say of their hands; here they are taken to be split as often as possible.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> count_spot_groups(spot, "rank").means()
    {'river': (3.5, 11.0)}
    """
    grouping = HandGrouping.parse(groups) if isinstance(groups, str) else groups
    boards = street_boards(spot, isomorphism=isomorphism)
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    counted = count_hand_groups(grouping, boards, ranges, threads)
    hands = count_hands(spot, boards)
    return SpotGroupCounts(grouping.text, spot.street, _split(spot, boards, counted, hands), hands)


def count_hands(spot: PublicGame, boards: Sequence[Bytes]) -> ByBoard:
    """How many hands of each range every board leaves possible."""
    first, second = spot.ranges
    return tuple((possible_hands(first, each), possible_hands(second, each)) for each in boards)


def count_stored_groups(groups: BoardGroups, boards: Boards, first_street: int) -> SpotGroupCounts:
    """The groups of a solve, counted."""
    hands = []
    for cards, table in zip(boards.cards, boards.tables, strict=True):
        first, second = (
            np.bincount(
                np.repeat(np.arange(len(cards)), np.diff(each.first)),
                each.order < len(boards.combos[player]),
                minlength=len(cards),
            ).astype(np.int64)
            for player, each in enumerate(table.hands)
        )
        hands.append((first, second))
    counts = tuple((both[0].counts, both[1].counts) for both in groups.streets)
    return SpotGroupCounts(groups.text, first_street, counts, tuple(hands))


def _split(
    spot: PublicGame,
    boards: Sequence[Bytes],
    counted: Sequence[tuple[Int64s, Int64s]],
    hands: ByBoard,
) -> ByBoard:
    found = [(both[0].copy(), both[1].copy()) for both in counted]
    for lock in parse_locks(spot, spot.locks):
        player = int(spot.tree.streets[lock.level].player[lock.node])
        here = _boards_of(spot, lock, boards[lock.level])
        found[lock.level][player][here] *= _kinds(spot, lock, player)
    for both, possible in zip(found, hands, strict=True):
        for counts, most in zip(both, possible, strict=True):
            np.minimum(counts, most, out=counts)
    return tuple(found)


def _boards_of(spot: PublicGame, lock: NodeLock, cards: Bytes) -> Any:
    if not lock.cards:
        return slice(None)
    return (cards == np.array([*spot.board, *lock.cards], np.uint8)).all(axis=1)


def _kinds(spot: PublicGame, lock: NodeLock, player: int) -> int:
    """How many kinds of hands a lock distinguishes among those of the range."""
    own = lock.shares[:, spot.ranges[player].weights > 0]
    return len(np.unique(own.T, axis=0))
