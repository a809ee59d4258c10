"""The search of `AdamBot`: the rest of a hand, solved by fictitious play when a street begins.

When a street begins, both players' ranges are public knowledge: what they would have done so far
with each hand, before the flop by the pre-computed strategy, later by the solutions of this search.
On the board that is there, hands become groups, the groups move by transition matrices
(`pokerlab.holdem.limit.bucket_games.board_game`), and fictitious play solves that game. Of the
solution the street at hand is played; the next is searched anew. Suits that can be exchanged share
a solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import combo_index
from pokerlab.holdem.limit.bucket_games.board_game import (
    BoardMatrices,
    board_matrices,
    groups_on_board,
)
from pokerlab.holdem.limit.bucket_games.independent_game import IndependentBucketGame
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Floats, Int32s
from pokerlab.solvers.rules import parse_rule

Board = tuple[int, ...]

_COMBOS = 1326
_POST_FLOP_STREETS = 3
_FASTER = 3
"""How many times as many iterations each later street has."""
_ERRS = 0.02
"""How often a player is taken to act at random: nobody plays exactly as a solution says."""
_KEPT_BYTES = 1 << 30
"""Of solutions and their matrices. With 30 groups on each street a solution takes 30 to 70 KB; with
1,000 the matrices of one flop take 24 MB."""


@dataclass(frozen=True, eq=False)
class SolvedStreet:
    """A street that has been searched.

    Attributes
    ----------
    game
        The game of transition matrices of the rest of the hand.
    groups
        (1326,): the group of each combo on the board; −1 where the board makes it impossible.
    ranges
        (2, 1326): how likely each player holds each combo when the street begins, by what both
        have done; not adjusted to sum to 1.
    strategy
        (nodes, 3, groups): to fold, call and raise on this street.
    place
        By its number in the whole betting, the place of a node in `strategy`.
    """

    game: IndependentBucketGame
    groups: Int32s
    ranges: Floats
    strategy: Floats
    place: dict[int, int]


class Search:
    """Solves streets of limit hold'em for two when they begin.

    Parameters
    ----------
    strategy
        Pre-computed: the ranges after the betting before the flop, and what fictitious play
        begins with.
    iterations
        On the flop; on the turn 3 times, on the river 9 times as many, which take less time, as
        each street less makes the tree 9 times smaller.
    weight
        How many best responses the pre-computed strategy counts as on flop and turn, when
        fictitious play begins; with 0 it begins with the uniform strategy, which counts as one.
        On the river it always does, because there the strategy of other boards says little.
    rule
        Fictitious play, or any other update rule, which begins with nothing.
    """

    def __init__(
        self, strategy: LimitStrategy, iterations: int, weight: int, rule: str = "fp"
    ) -> None:
        self.strategy = strategy
        self.game = strategy.game
        self.iterations = iterations
        self.weight = weight
        self.rule = parse_rule(rule)
        self._solved: dict[tuple[str, Board], SolvedStreet] = {}
        self._matrices: dict[Board, BoardMatrices] = {}
        self._kept = 0
        """Bytes of both."""

    def street(self, line: str, board: Board) -> SolvedStreet:
        """The street that begins after a line (``"rc/"``), on a board in canonical suits."""
        key = line, board
        if key not in self._solved:
            solved = self._solve(line, board)
            self._keep(solved.groups, solved.ranges, solved.strategy)
            self._solved[key] = solved
        return self._solved[key]

    def group(self, hole: tuple[int, ...], line: str, board: Board) -> int:
        """The group of a hand on a street that has been searched."""
        return int(self.street(line, board).groups[combo_index(*hole)])

    def solver(self, game: IndependentBucketGame) -> BucketSolver:
        """The solver of the rest of a hand, before its first iteration."""
        solver = BucketSolver(game, self.rule)
        if self.weight and self.rule.plays_against_average and len(game.streets) > 1:
            solver.begin_from(self._computed(game), self.weight)
        return solver

    def ranges(self, line: str, board: Board) -> Floats:
        """(2, 1326): how likely each player comes to a street with each combo."""
        before = line[:-1].rpartition("/")[0]
        actions = line[:-1].rpartition("/")[2]
        if "/" not in line[:-1]:
            groups = groups_on_board(self.game, ())
            ranges = np.ones((2, _COMBOS))
            number, rows = 0, None
        else:
            before += "/"
            street = self.game.game.board_cards.index(len(board))
            solved = self.street(before, board[: self.game.game.board_cards[street - 1]])
            groups, ranges = solved.groups, solved.ranges.copy()
            number, rows = self.game.betting.number_of[before], solved
        tree = self.game.betting.tree.nodes
        possible = groups >= 0
        for action in actions:
            column = "fcr".index(action)
            if rows is None:
                probabilities = self.strategy.at_nodes(np.array([number]), 0)[0, column]
            else:
                probabilities = rows.strategy[rows.place[number], column]
            legal = int((tree[number, :3] >= 0).sum())
            probabilities = (1 - _ERRS) * probabilities + _ERRS / legal
            player = tree[number, 3]
            ranges[player, possible] *= probabilities[groups[possible]]
            number = int(tree[number, column])
        ranges[:, groups_on_board(self.game, board) < 0] = 0.0
        return ranges

    def _solve(self, line: str, board: Board) -> SolvedStreet:
        matrices = self._matrices.get(board)
        if matrices is None:
            matrices = board_matrices(self.game, board)
            self._keep(*matrices.transitions, matrices.showdown)
            self._matrices[board] = matrices
        ranges = self.ranges(line, board)
        game = matrices.subgame(line, ranges)
        solver = self.solver(game)
        solver.iterate(self.iterations * _FASTER ** (_POST_FLOP_STREETS - len(game.streets)))
        place = {int(node): place for place, node in enumerate(game.streets[0].nodes)}
        return SolvedStreet(game, matrices.groups, ranges, solver.strategy()[0], place)

    def _keep(self, *arrays: npt.NDArray[np.generic]) -> None:
        """Count what is about to be kept; if that is too much, forget all that was kept before."""
        more = sum(each.nbytes for each in arrays)
        if self._kept + more > _KEPT_BYTES:
            self._solved.clear()
            self._matrices.clear()
            self._kept = 0
        self._kept += more

    def _computed(self, game: IndependentBucketGame) -> list[Floats]:
        """The pre-computed strategy in the rest of a hand, by street (nodes, 3, groups)."""
        first = len(self.game.counts) - len(game.streets)
        return [
            self.strategy.at_nodes(betting.nodes, street)
            for street, betting in enumerate(game.streets, first)
        ]
