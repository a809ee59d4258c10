"""The rest of a hand of limit hold'em as a game of transition matrices, on the board that is there.

The seminar's matrices are general ones that are "masked" with what is known of the board. Here all
hands are counted on the board itself, which leaves nothing to be masked: how they move to the turn
and the river that may follow, and which group wins. From the flop on, each of the 49 turns is
followed by one river (each card is a river once); from the turn on, all 48 rivers are looked at.
A flop or a turn costs almost a tenth of a second of one core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.bucket_games.independent_game import IndependentBucketGame
from pokerlab.abstraction.bucket_games.transition_kernels import add_run_outs
from pokerlab.abstraction.bucket_games.transitions import margin_matrix, rows_to_one
from pokerlab.abstraction.buckets.bucket_kernels import hands_on_board
from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.abstraction.strength.tables import all_combos
from pokerlab.arrays import Bytes, Floats, Int32s
from pokerlab.cards.codes import Cards, to_cards

_TURN, _RIVER, _BOARD = 2, 3, 5


@dataclass(frozen=True, eq=False)
class BoardMatrices:
    """The chance moves between groups of cards, from a board on.

    Attributes
    ----------
    game
        The game with its groups.
    groups
        (1326,): the group of each combo on this board, −1 where the board makes it impossible.
    transitions
        To each later street (groups before, groups), as in `IndependentBucketGame`.
    showdown
        (groups, groups) of the river: P(win) − P(lose).
    """

    game: BucketedGame
    groups: Int32s
    transitions: tuple[Floats, ...]
    showdown: Floats

    def subgame(self, line: str, ranges: Floats) -> IndependentBucketGame:
        """The game from a betting on, with the players' ranges (2, 1326)."""
        street = len(self.game.counts) - 1 - len(self.transitions)
        possible = self.groups >= 0
        count = self.game.counts[street]
        start: Floats = np.zeros((2, count))
        for player, each in enumerate(ranges):
            np.add.at(start[player], self.groups[possible], each[possible])
        start /= start.sum(axis=1, keepdims=True)
        return IndependentBucketGame(self.game.game, start, self.transitions, self.showdown, line)


def groups_on_board(game: BucketedGame, board: Cards) -> Int32s:
    """(1326,): the group of each combo on a board, −1 where the board makes it impossible."""
    found = np.empty(1326, np.int32)
    cards = np.array(to_cards(board), np.uint8)
    hands_on_board(cards, game.look_up, all_combos().hands.cards, np.empty(7, np.uint8), found)
    return found


def run_outs(board: Cards) -> Bytes:
    """Boards of five cards (n, 5) that stand for all that may follow a board.

    Examples
    --------
    >>> [len(run_outs(board)) for board in ("QhJh2c", "QhJh2c4d", "QhJh2c4d7h")]
    [49, 48, 1]
    """
    known = to_cards(board)
    left = [card for card in range(52) if card not in known]
    if len(known) == _BOARD:
        after: list[tuple[int, ...]] = [()]
    elif len(known) == _BOARD - 1:
        after = [(card,) for card in left]
    else:
        # A cycle through the shuffled cards: each is followed by the next.
        order = np.random.default_rng(0).permutation(left).tolist()
        after = list(zip(order, [*order[1:], order[0]], strict=True))
    return np.array([(*known, *cards) for cards in after], np.uint8)


def board_matrices(game: BucketedGame, board: Cards) -> BoardMatrices:
    """Count all hands on the run-outs of a flop, a turn or a river."""
    street = game.game.board_cards.index(len(to_cards(board)))
    groups = groups_on_board(game, board)
    moves = {
        later: np.zeros((game.counts[later - 1], game.counts[later]) if later > street else (0, 0))
        for later in (_TURN, _RIVER)
    }
    wins, meetings = np.zeros((2, game.counts[-1], game.counts[-1]))
    add_run_outs(
        street,
        run_outs(board),
        all_combos(),
        game.look_up,
        groups,
        moves[_TURN],
        moves[_RIVER],
        wins,
        meetings,
    )
    transitions = tuple(rows_to_one(each) for later, each in moves.items() if later > street)
    return BoardMatrices(game, groups, transitions, margin_matrix(wins, meetings))
