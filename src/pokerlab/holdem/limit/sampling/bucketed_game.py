"""A limit game played by groups of cards instead of cards: the input of a trainer.

Its decisions are (betting node, group): a *row* of three numbers, to fold, to call and to raise.
Two orders of the rows are in use. Tables for play (`TableStrategy`) go node by node. A trainer
goes group by group, because all nodes that one deal needs then lie together; `to_nodes` turns
the second into the first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.games import BettingGame
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.buckets.street_buckets import (
    StreetBuckets,
    bucket_look_up,
    check_buckets,
    count_each_hand,
    each_hand,
    one_bucket,
    starting_hand_classes,
)
from pokerlab.holdem.limit.sampling.walk_kernels import TrainingTree
from pokerlab.runtime.arrays import Int64s
from pokerlab.runtime.files.hashes import digest
from pokerlab.trees.limit.betting import FlatBetting, flatten_betting, merge_betting
from pokerlab.trees.limit.cards import card_rules
from pokerlab.trees.limit.cards_kernels import CardRules

Kind = TypeVar("Kind", bound=np.generic)

SIMPLE_GROUPS = {
    "each": "every hand on its own (games with few cards)",
    "classes": "the 169 classes of starting hands, remembered on all streets",
    "none": "all hands in one group",
}
"""Groups that need no file, by name."""
_HOLDEM_BOARDS = (0, 3, 4, 5)


def group_counts(game: BettingGame, name: str) -> tuple[int, ...]:
    """How many groups each street would have, before any are made; see `groups_by_name`.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> group_counts(load_betting_game("holdem.limit.2p"), "169/ehs2:6,6,6")
    (169, 1014, 6084, 36504)
    >>> group_counts(load_betting_game("leduc"), "ehs2:5,5,5,5")
    Traceback (most recent call last):
    ValueError: groups ehs2:5,5,5,5 are for hold'em (52 cards, 2 private, 4 streets), not for leduc
    """
    streets = range(len(game.streets))
    if name == "each":
        return tuple(count_each_hand(game, street) for street in streets)
    if name == "none":
        return (1,) * len(streets)
    if name == "classes":
        if not _has_starting_hands(game):
            raise ValueError(f"groups classes are for two private cards of 52, not for {game.name}")
        return (169,) * len(streets)
    from pokerlab.holdem.limit.buckets.plan import parse_buckets

    plan = parse_buckets(name)
    if not is_holdem(game):
        raise ValueError(
            f"groups {plan} are for hold'em (52 cards, 2 private, 4 streets), not for {game.name}"
        )
    return plan.counts


def is_holdem(game: BettingGame) -> bool:
    """Whether buckets by hand strength fit the cards of a game.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> [is_holdem(load_betting_game(name)) for name in ("holdem.limit.3p", "leduc")]
    [True, False]
    """
    return _has_starting_hands(game) and tuple(game.board_cards) == _HOLDEM_BOARDS


def _has_starting_hands(game: BettingGame) -> bool:
    return len(game.deck) == 52 and set(game.hole_cards) == {2}


def planned_rows(game: BettingGame, name: str, line: str = "") -> int:
    """How many rows a game with these groups would have; `ValueError` for what cannot be trained.

    The betting (after a line) is walked through, but no group is made.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> planned_rows(load_betting_game("holdem.limit.2p"), "classes")
    1077882
    >>> planned_rows(load_betting_game("holdem.nolimit.2p"), "classes")
    Traceback (most recent call last):
    ValueError: holdem.nolimit.2p is a no-limit game: only limit games are played by tables
    """
    betting = _betting(game, line, merged=_is_merged(game, line))
    counts = np.array(group_counts(game, name), np.int64)
    return int(counts[betting.streets].sum())


def _is_merged(game: BettingGame, line: str) -> bool:
    return game.players > 2 and not line


def _betting(game: BettingGame, line: str, *, merged: bool) -> FlatBetting:
    return merge_betting(game) if merged else flatten_betting(game, line)


def groups_by_name(game: BettingGame, name: str) -> tuple[StreetBuckets, ...]:
    """The groups of cards that a text names, one for each street.

    Parameters
    ----------
    game
        The rules.
    name
        One of `SIMPLE_GROUPS`, or buckets by hand strength (``ehs2:10,10,10,10``), which are
        made once and then kept in the cache folder.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> [each.groups for each in groups_by_name(load_betting_game("leduc"), "each")]
    [6, 30]
    >>> [each.groups for each in groups_by_name(load_betting_game("holdem.limit.2p"), "classes")]
    [169, 169, 169, 169]
    """
    group_counts(game, name)
    streets = range(len(game.streets))
    if name == "each":
        return tuple(each_hand(game, street) for street in streets)
    if name == "none":
        return tuple(one_bucket() for _ in streets)
    if name == "classes":
        remembered = StreetBuckets(
            169, np.empty(0, np.uint16), "cards", np.arange(169, dtype=np.int32)[:, None]
        )
        return (starting_hand_classes(), *(remembered for _ in streets[1:]))
    from pokerlab.holdem.limit.buckets.caching import cached_buckets

    return tuple(cached_buckets(name).groups)


def same_rules(first: BettingGame, second: BettingGame) -> bool:
    """Whether two games differ at most in name and description.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = load_betting_game("kuhn")
    >>> same_rules(kuhn, replace(kuhn, name="mine")), same_rules(kuhn, replace(kuhn, ante=2))
    (True, False)
    """
    return _unnamed(first) == _unnamed(second)


def _unnamed(game: BettingGame) -> BettingGame:
    return replace(game, name="game", description="")


def verify_groups(name: str) -> None:
    """Read the file of some groups from end to end, if they have one, and check its hash."""
    if name not in SIMPLE_GROUPS:
        from pokerlab.holdem.limit.buckets.caching import cached_buckets

        cached_buckets(name, verify=True)


@dataclass(frozen=True, eq=False)
class BucketedGame:
    """A limit game and the groups of cards of each street.

    Parameters
    ----------
    game
        The rules.
    groups
        The groups of each street.
    name
        What the groups are called; a strategy file says it, and is played with these groups.
    merged
        Whether bettings that lead to the same chips are one node (see `merge_betting`): for
        games of three and more players, whose betting is too long otherwise.
    line
        The betting that has been; the game is what is left after it, for example the two-player
        game after a fold of the third. Bettings after a line are not merged.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> BucketedGame.of(load_betting_game("leduc"), "each")
    BucketedGame(leduc, each: 6 and 30 groups, 36 nodes, 936 rows)
    >>> BucketedGame.of(load_betting_game("holdem.limit.3p"), "classes", "rf")
    BucketedGame(holdem.limit.3p after rf, classes: 169 and 169 and 169 and 169 groups, 2,733 nodes,
    461,877 rows)
    """

    game: BettingGame
    groups: tuple[StreetBuckets, ...]
    name: str
    merged: bool = False
    line: str = ""

    @classmethod
    def of(cls, game: BettingGame, name: str, line: str = "") -> BucketedGame:
        """Groups by name (`groups_by_name`); the betting is merged for three and more players."""
        planned_rows(game, name, line)
        return cls(game, groups_by_name(game, name), name, _is_merged(game, line), line)

    def __post_init__(self) -> None:
        check_buckets(self.game, self.groups)
        if self.merged and self.line:
            raise ValueError(f"the betting after {self.line!r} cannot be merged")

    def __repr__(self) -> str:
        counts = " and ".join(f"{count:,}" for count in self.counts)
        after = f" after {self.line}" if self.line else ""
        return (
            f"BucketedGame({self.game.name}{after}, {self.name}: {counts} groups,"
            f" {len(self.betting.nodes):,} nodes, {self.rows:,} rows)"
        )

    @property
    def counts(self) -> tuple[int, ...]:
        """How many groups each street has."""
        return tuple(each.groups for each in self.groups)

    @cached_property
    def betting(self) -> FlatBetting:
        """The betting."""
        return _betting(self.game, self.line, merged=self.merged)

    @cached_property
    def rows(self) -> int:
        """How many rows all nodes have."""
        return sum(self.groups[street].groups for street in self.betting.streets)

    @cached_property
    def first_row(self) -> Int64s:
        """Where the rows of a node begin in a table that goes node by node."""
        sizes = np.array(self.counts)[self.betting.streets]
        found: Int64s = np.cumsum(sizes) - sizes
        return found

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the rules and of the groups themselves, without their names."""
        digests = [each.digest for each in self.groups]
        rules = _unnamed(self.game)
        after = (self.line,) if self.line else ()
        return digest(repr((rules, self.merged, digests, *after)))

    @cached_property
    def tree(self) -> TrainingTree:
        """The betting with the rows of a trainer's tables."""
        flat = self.betting.tree
        streets = self.betting.streets
        base = np.zeros(len(streets), np.int64)
        width = np.zeros(len(self.groups), np.int64)
        begin = 0
        for street in range(len(self.groups)):
            here = self._nodes_of(street)
            base[here] = begin + np.arange(len(here))
            width[street] = len(here)
            begin += len(here) * self.groups[street].groups
        return TrainingTree(flat.nodes, base, width, flat.spent, flat.live)

    @cached_property
    def rules(self) -> CardRules:
        """Deck and showdown."""
        return card_rules(self.game)

    @cached_property
    def look_up(self) -> BucketLookUp:
        """The tables with which kernels find groups."""
        return bucket_look_up(self.game, self.groups)

    def to_nodes(self, rows: npt.NDArray[np.generic], out: npt.NDArray[np.generic]) -> None:
        """Copy rows of a trainer into a table that goes node by node."""
        for node, street in enumerate(self.betting.streets.tolist()):
            count = self.groups[street].groups
            begin, apart = int(self.tree.base[node]), int(self.tree.width[street])
            first = int(self.first_row[node])
            out[first : first + count] = rows[begin : begin + (count - 1) * apart + 1 : apart]

    def from_nodes(self, table: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        """The rows of a table that goes node by node, in the order of a trainer."""
        rows = np.empty_like(table)
        rows[self.trainer_rows] = table
        return rows

    @cached_property
    def trainer_rows(self) -> Int64s:
        """(rows,): where a trainer has each row of a table that goes node by node."""
        found = [
            self.tree.base[node] + np.arange(self.counts[street]) * self.tree.width[street]
            for node, street in enumerate(self.betting.streets.tolist())
        ]
        return np.concatenate(found)

    @cached_property
    def positions(self) -> Int64s:
        """(rows,): who acts in each row of a table that goes node by node."""
        sizes = np.array(self.counts)[self.betting.streets]
        return np.repeat(self.betting.tree.nodes[:, 3].astype(np.int64), sizes)

    def _nodes_of(self, street: int) -> Int64s:
        """The nodes of a street, those of one player together."""
        here = np.flatnonzero(self.betting.streets == street)
        return here[np.argsort(self.betting.tree.nodes[here, 3], kind="stable")]
