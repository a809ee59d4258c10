"""The search of `AdamBot` as the seminar describes it: buckets, general matrices and masks.

Nobody's hand is known, only how likely each bucket is. When a street begins, a general transition
matrix carries this belief from the buckets of the street before, masked by the board that is
there: a bucket counts as much as the board has more or fewer hands of it than all boards have.
Then fictitious play solves the betting of the street; what follows is valued by the pre-computed
strategy (`pokerlab.players.bots.adam.continuations`). The next street is searched anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.limit.bucket_games.bucket_game_kernels import go_down
from pokerlab.holdem.limit.bucket_games.independent_game import streets_after
from pokerlab.holdem.limit.bucket_games.street_betting import StreetBetting
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.strength.tables import all_combos
from pokerlab.players.bots.adam.continuations import cached_continuations
from pokerlab.players.bots.adam.street_kernels import count_on_board, play_street
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Floats, Int64s, Singles

Board = tuple[int, ...]

_ERRS = 0.02
"""How often a player is taken to act at random: nobody plays exactly as a solution says."""
_KEPT = 5_000
"""Solved streets; each takes 64 KB with 265 buckets."""
_NOTHING = np.zeros((0, 0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class MaskedStreet:
    """A street that has been searched.

    Attributes
    ----------
    beliefs
        (2, buckets): how likely each player has each bucket when the street begins.
    strategy
        (nodes, 3, buckets): to fold, call and raise.
    place
        By its number in the whole betting, the place of a node in `strategy`.
    """

    beliefs: Floats
    strategy: Floats
    place: dict[int, int]


@dataclass(frozen=True, eq=False)
class _StreetPlan:
    """What a street has after a line, whatever the board.

    Attributes
    ----------
    betting, place
        Its betting, and the places of nodes as in `MaskedStreet`.
    numbers, rest
        The worth of its ways: which of the matrices of `Continuations`.
    strategy
        What fictitious play begins with; None for the uniform strategy.
    """

    betting: StreetBetting
    numbers: Int64s
    rest: Singles
    strategy: Floats | None
    place: dict[int, int]


class MaskedSearch:
    """Solves streets of limit hold'em for two when they begin.

    Parameters
    ----------
    strategy
        Pre-computed, with buckets that forget earlier streets.
    iterations
        Of fictitious play for a street.
    weight
        How many best responses the pre-computed strategy counts as at first, on flop and turn;
        with 0, and on the river, it begins with the uniform strategy, which counts as one.
    """

    def __init__(self, strategy: LimitStrategy, iterations: int, weight: int) -> None:
        self.strategy = strategy
        self.game = strategy.game
        self.iterations = iterations
        self.weight = weight
        self.values = cached_continuations(strategy)
        self._shares = self._general_shares()
        self._solved: dict[tuple[str, Board], MaskedStreet] = {}
        self._plans: dict[str, _StreetPlan] = {}

    def street(self, line: str, board: Board) -> MaskedStreet:
        """The street that begins after a line (``"rc/"``), on a board in canonical suits."""
        key = line, board
        if key not in self._solved:
            if len(self._solved) >= _KEPT:
                self._solved.clear()
            self._solved[key] = self._solve(line, board)
        return self._solved[key]

    def group(self, hole: tuple[int, ...], line: str, board: Board) -> int:
        """The bucket of a hand on a board."""
        groups = np.empty(self.game.game.board_cards.index(len(board)) + 1, np.int64)
        buckets_of_cards(np.array([*hole, *board], np.uint8), self.game.look_up, groups)
        return int(groups[-1])

    def beliefs(self, line: str, board: Board) -> Floats:
        """(2, buckets): how likely each player comes to a street with each bucket."""
        street = self.game.game.board_cards.index(len(board))
        before, _, actions = line[:-1].rpartition("/")
        if street == 1:
            number, beliefs = 0, self.values.game.start.copy()
        else:
            before += "/"
            solved = self.street(before, board[: self.game.game.board_cards[street - 1]])
            number, beliefs = self.game.betting.number_of[before], solved.beliefs.copy()
        tree = self.game.betting.tree.nodes
        for action in actions:
            column = "fcr".index(action)
            if street == 1:
                probabilities = self.strategy.at_nodes(np.array([number]), 0)[0, column]
            else:
                probabilities = solved.strategy[solved.place[number], column]
            legal = int((tree[number, :3] >= 0).sum())
            beliefs[tree[number, 3]] *= (1 - _ERRS) * probabilities + _ERRS / legal
            number = int(tree[number, column])
        carried = carry(beliefs, self.values.game.transitions[street - 1], self.mask(board))
        return np.asarray(carried / carried.sum(axis=1, keepdims=True))

    def mask(self, board: Board) -> Floats:
        """(buckets,): by how much more often hands are in a bucket on a board than on all boards.

        0 for a bucket that the board makes impossible.
        """
        street = self.game.game.board_cards.index(len(board))
        counts: Floats = np.empty(self.game.counts[street])
        cards, combos = np.array(board, np.uint8), all_combos().hands.cards
        count_on_board(street, cards, self.game.look_up, combos, np.empty(7, np.uint8), counts)
        shares = self._shares[street]
        return np.where(shares > 0.0, counts / np.where(shares > 0.0, shares, 1.0), 0.0)

    def _general_shares(self) -> list[Floats]:
        """By street (buckets,): how often each bucket comes over all deals."""
        shares = [self.values.game.start[0]]
        for move in self.values.game.transitions:
            shares.append(shares[-1] @ move)
        return shares

    def _solve(self, line: str, board: Board) -> MaskedStreet:
        beliefs = self.beliefs(line, board)
        plan = self._plan(line)
        betting, legal = plan.betting, plan.betting.child >= 0
        shares = legal / legal.sum(axis=1, keepdims=True)
        uniform = np.repeat(shares[:, :, None], beliefs.shape[1], 2)
        strategy = uniform if plan.strategy is None else plan.strategy
        arriving = np.zeros((2, betting.places, beliefs.shape[1]))
        arriving[:, 0] = beliefs
        for player in (0, 1):
            go_down(player, betting.child, betting.actor, strategy, arriving[player])
        reach = arriving.astype(np.float32)
        play_street(
            self.iterations,
            1.0 if plan.strategy is None else float(self.weight),
            betting.child,
            betting.actor,
            betting.folds,
            betting.fold_gains.astype(np.float32),
            betting.showdowns,
            betting.stakes.astype(np.float32),
            betting.ways,
            plan.numbers,
            plan.rest,
            reach,
        )
        slots = reach[betting.actor[:, None], betting.child] * legal[:, :, None]
        totals = slots.sum(axis=1, keepdims=True)
        found = np.where(totals > 0.0, slots / np.where(totals > 0.0, totals, 1.0), uniform)
        return MaskedStreet(beliefs, found, plan.place)

    def _plan(self, line: str) -> _StreetPlan:
        """What a street has before its board is known; there are 637 lines."""
        if line not in self._plans:
            betting, *later = streets_after(self.game.game, line)[:2]
            street = line.count("/")
            numbers, rest, strategy = np.zeros(0, np.int64), _NOTHING, None
            if later:
                numbers = self.values.places_of(street, later[0].nodes[later[0].roots])
                rest = self.values.values[street - 1]
                if self.weight:
                    found = self.strategy.at_nodes(betting.nodes, street)
                    strategy = np.ascontiguousarray(found)
            place = {int(node): number for number, node in enumerate(betting.nodes)}
            self._plans[line] = _StreetPlan(betting, numbers, rest, strategy, place)
        return self._plans[line]


def carry(beliefs: Floats, moves: Floats, mask: Floats) -> Floats:
    """Carry beliefs (2, buckets before) to the buckets of a street by a masked matrix.

    Examples
    --------
    >>> moves = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    >>> mask = np.array([1.0, 3.0, 0.0])
    >>> beliefs = np.array([[1.0, 0.0], [0.5, 0.5]])
    >>> carry(beliefs, moves, mask)
    array([[0.25, 0.75, 0.  ],
           [0.25, 0.75, 0.  ]])
    >>> np.array_equal(_, beliefs @ masked(moves, mask))
    True
    """
    sums = moves @ mask
    possible = sums > 0.0
    through = np.where(possible, beliefs / np.where(possible, sums, 1.0), 0.0) @ moves * mask
    lost = np.where(possible, 0.0, beliefs).sum(axis=1, keepdims=True)
    return np.asarray(through + lost * mask / mask.sum())


def masked(moves: Floats, mask: Floats) -> Floats:
    """A general transition matrix (buckets before, buckets) with a mask of the later buckets.

    Rows sum to 1 again; a row whose buckets are all masked out is that of the mask.

    Examples
    --------
    >>> masked(np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]), np.array([1.0, 3.0, 0.0]))
    array([[0.25, 0.75, 0.  ], [0.25, 0.75, 0.  ]])
    """
    found = moves * mask
    empty = found.sum(axis=1) == 0.0
    found[empty] = mask
    return np.asarray(found / found.sum(axis=1, keepdims=True))
