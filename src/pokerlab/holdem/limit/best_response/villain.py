"""What the villain does: on the first street by hand, and later as the tables that walkers read.

Lines that the villain never goes are left out: against a player who always calls, 8 of the 567 are
left on the river of hold'em.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pokerlab.engine.counts import padded_rows
from pokerlab.engine.tables.arrays import StreetStorage
from pokerlab.engine.tables.boards import Boards
from pokerlab.games import Betting
from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.games.betting_trees.limit_tree import LimitTree, build_limit_tree
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int32s, Reals
from pokerlab.trees.limit.betting import ACTIONS


@dataclass(frozen=True, eq=False)
class Villain:
    """A player who plays a table, and what may follow on the later streets.

    Attributes
    ----------
    game
        A limit game of two players.
    probabilities
        (rows, 3): the table node by node, as in a strategy file (see `played_rows`).
    position
        0 or 1.
    street
        Where `tree` begins.
    dtype
        Of the tables that walkers read.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> holdem = BucketedGame.of(load_betting_game("holdem.limit.2p"), "none")
    >>> uniform = Villain(holdem, np.full((holdem.rows, 3), 1 / 3), 1, 1)
    >>> [street.roots for street in uniform.tree.streets]
    [7, 63, 567]
    >>> caller = Villain(holdem, np.tile([0.0, 1.0, 0.0], (holdem.rows, 1)), 1, 1)
    >>> [street.roots for street in caller.tree.streets]
    [2, 4, 8]
    """

    game: BucketedGame
    probabilities: Reals
    position: int
    street: int
    dtype: npt.DTypeLike = np.float32

    def plays(self, node: Betting) -> Floats:
        """(buckets, 3): the probabilities of the actions at a node of the villain."""
        first = int(self.game.first_row[self.game.betting.find(node)])
        rows = self.probabilities[first : first + self.game.counts[node.street]]
        return played_rows(rows, np.array([action in node.actions() for action in ACTIONS]))

    def may_play(self, node: Betting, action: str) -> bool:
        """Whether anybody takes an action: the villain, with some bucket, or the hero."""
        if node.player != self.position:
            return True
        return bool((self.plays(node)[:, ACTIONS.index(action)] > 0).any())

    def ends_street(self, node: Betting) -> bool:
        """Whether the street of the tree begins at a node."""
        if node.player < 0:
            return not any(node.folded)
        return node.street >= self.street

    @cached_property
    def lines(self) -> tuple[Betting, ...]:
        """Where the street of the tree begins."""
        found: list[Betting] = []

        def visit(node: Betting) -> None:
            if self.ends_street(node):
                found.append(node)
            elif node.player >= 0:
                for action in node.actions():
                    if self.may_play(node, action):
                        visit(node.after(action))

        visit(self.game.game.first_betting)
        return tuple(found)

    @property
    def tree(self) -> BettingTree:
        """The betting behind the lines."""
        return self._built.tree

    @cached_property
    def _built(self) -> LimitTree:
        return build_limit_tree(
            self.game.game,
            self.street,
            self.lines,
            may_play=self.may_play,
            idle=1 - self.position,
        )

    @property
    def pot(self) -> float:
        """No chips lie in the middle that nobody has put in."""
        return 0.0

    @property
    def effective_stack(self) -> float:
        """The most that a player can lose, in chips."""
        return float(self.tree.stack)

    def rake_from(self, pot: float) -> float:
        """Nothing."""
        return 0.0

    @property
    def prizes(self) -> None:
        """Chips are chips."""
        return

    @cached_property
    def tables(self) -> tuple[Reals, ...]:
        """For each street the probabilities ``[action][bucket]`` of the villain's nodes."""
        found: list[Reals] = []
        for street, decisions in zip(self.tree.streets, self._built.decisions, strict=True):
            length = self._row(self.street + len(found))
            table = np.zeros((street.actions_of(self.position), length), self.dtype)
            slot = 0
            for number in np.flatnonzero(street.player == self.position).tolist():
                node = decisions[number]
                assert node is not None  # where nobody decides, the hero checks
                rows = self.plays(node)
                for action in node.actions():
                    column = rows[:, ACTIONS.index(action)]
                    if (column > 0).any():
                        table[slot, : len(rows)] = column
                        slot += 1
            found.append(table.reshape(-1))
        return tuple(found)

    def storage(self, boards: Boards, tables: Sequence[Reals]) -> tuple[StreetStorage, ...]:
        """The tables as what walkers read: the same rows on all boards of a street."""
        empty = np.zeros(0, self.dtype)
        found = []
        for level, (cards, table) in enumerate(zip(boards.cards, tables, strict=True)):
            first = np.zeros(len(cards) + 1, np.int64)
            rows = np.full(len(cards), self._row(self.street + level))
            sums = (empty, table) if self.position else (table, empty)
            nothing = empty, empty
            found.append(StreetStorage(nothing, nothing, sums, (first, first), (rows, rows)))
        return tuple(found)

    def _row(self, street: int) -> int:
        """The length of a row of buckets, padding included."""
        return int(padded_rows(np.array([self.game.counts[street]]))[0])


class OpeningStreet:
    """The street before the first boards, which has no board, against a villain.

    Parameters
    ----------
    villain
        Who it is played against.
    hands : (hands, private cards)
        All hands of the game.
    buckets : (hands,)
        The bucket of each there.
    """

    def __init__(self, villain: Villain, hands: Bytes, buckets: Int32s) -> None:
        self._villain, self._hands, self._buckets = villain, hands, buckets

    @cached_property
    def reach(self) -> Floats:
        """(lines, hands): the villain's, where the next street begins."""
        found: list[Floats] = []

        def visit(node: Betting, reach: Floats) -> None:
            if self._villain.ends_street(node):
                found.append(reach)
            for after, sent in self._behind(node, reach):
                visit(after, sent)

        visit(self._villain.game.game.first_betting, np.ones(len(self._hands)))
        return np.array(found).reshape(-1, len(self._hands))

    def value(self, chooses: Floats, counts: Floats) -> float:
        """The sum over all hands of what the hero wins who plays this street by `chooses`.

        Behind each first board the best response is exact, whatever happens on others. Before any
        board the hero chooses once for all of them: from the sum over all boards that is exact
        again. From a sample the choice is fitted to it, and the hero seems to win too much on
        average. So two halves of the sample are asked: one chooses, the other says what that is
        worth, which is too low on average.

        Parameters
        ----------
        chooses, counts
            (lines, hands): what hands are worth where the next street begins. The hero takes the
            best actions by the first, and wins what the second says.
        """
        lines = iter(zip(chooses, counts, strict=True))

        def visit(node: Betting, reach: Floats) -> tuple[Floats, Floats]:
            if self._villain.ends_street(node):
                return next(lines)
            if node.player < 0:
                won = min(node.spent) * (1 if node.folded[self._villain.position] else -1)
                worth = won / self._villain.game.rules.unit * self._unblocked(reach)
                return worth, worth
            found = [visit(*behind) for behind in self._behind(node, reach)]
            choices, worths = (np.array(each) for each in zip(*found, strict=True))
            if node.player == self._villain.position:
                return choices.sum(axis=0), worths.sum(axis=0)
            best = choices.argmax(axis=0), np.arange(len(reach))
            return choices[best], worths[best]

        first = self._villain.game.game.first_betting
        return float(visit(first, np.ones(len(self._hands)))[1].sum())

    def _behind(self, node: Betting, reach: Floats) -> list[tuple[Betting, Floats]]:
        """What follows a node of this street, with the villain's reach."""
        villain = self._villain
        if node.player < 0 or villain.ends_street(node):
            return []
        actions = [action for action in node.actions() if villain.may_play(node, action)]
        if node.player != villain.position:
            return [(node.after(action), reach) for action in actions]
        played = villain.plays(node)[self._buckets]
        return [
            (node.after(action), reach * played[:, ACTIONS.index(action)]) for action in actions
        ]

    def _unblocked(self, reach: Floats) -> Floats:
        """For each hand the sum of the reach of those that share no card with it."""
        hole = self._hands.shape[1]
        by_card = np.bincount(self._hands.ravel(), np.repeat(reach, hole))
        found: Floats = reach.sum() - by_card[self._hands].sum(axis=1) + (hole - 1) * reach
        return found


def played_rows(rows: Reals, legal: Bools) -> Floats:
    """What is played by rows (…, 3) of a table: as the bot of a strategy file plays them.

    A row of NaN, where training never came, calls; so does what is not legal. A row of half
    precision has a sum that is not quite 1, and is divided by it.

    Examples
    --------
    >>> rows = np.array([[0.5, 0.25, 0.25], [np.nan, np.nan, np.nan], [0.0, 0.0, 0.5]])
    >>> played_rows(rows, np.array([False, True, True])).tolist()
    [[0.0, 0.75, 0.25], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    played = np.array(rows, np.float64)
    played[np.isnan(played[..., 0])] = 0.0, 1.0, 0.0
    for action in (0, 2):
        if not legal[action]:
            played[..., 1] += played[..., action]
            played[..., action] = 0.0
    shares: Floats = played / played.sum(axis=-1, keepdims=True)
    return shares
