"""The tables for compiled play of solutions: dealing, betting, and strategy look-up."""

from __future__ import annotations

from threading import Lock

import numpy as np

from pokerlab.arrays import Bytes, Indices, Int16s, Uint16s
from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, N_COMBOS
from pokerlab.files.stored_tensor import StoredTensor
from pokerlab.postflop.answer.dealing import Pairs
from pokerlab.postflop.answer.play_kernels import Dealing, HandTable, StreetPlay, fill_alias
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.tables.layout import first_slots
from pokerlab.postflop.tables.runouts import RunOut, find_run_out
from pokerlab.postflop.tree.betting_tree import BettingTree, EdgeKind


def dealing_of(pairs: Pairs) -> Dealing:
    """How to draw pairs of hands in one step each."""
    shares = pairs.weights.ravel() * (pairs.weights.size / pairs.weights.sum())
    cut = np.empty(shares.size)
    other, stack = np.empty(shares.size, np.int32), np.empty(shares.size, np.int32)
    fill_alias(shares, cut, other, stack)
    return Dealing(cut, other, (COMBO_CARDS[pairs.combos[0]], COMBO_CARDS[pairs.combos[1]]))


def street_plays(tree: BettingTree, known: int) -> list[StreetPlay]:
    """The betting of each street; `known` cards lie on the board of the spot."""
    found = []
    first_number = 0
    for level, street in enumerate(tree.streets):
        following = np.where(street.kind == EdgeKind.NODE, street.target, -1)
        next_street = np.full(street.edges, -1, np.int64)
        leads_on = street.kind == EdgeKind.NEXT_STREET
        if leads_on.any():
            below = tree.streets[level + 1]
            next_street[leads_on] = below.root_first_node[street.target[leads_on]]
        found.append(
            StreetPlay(
                cards=level,
                known=known,
                first_number=first_number,
                player=street.player,
                slot=first_slots(street),
                first_edge=street.first_edge,
                following=following.astype(np.int64),
                next_street=next_street,
            )
        )
        first_number += street.edges
    return found


class StreetTables:
    """The strategies of both players on the boards of a street, filled in as boards are dealt.

    A few hands are dealt a few of the thousands of boards that there are. Several threads may ask.

    Parameters
    ----------
    solution, level
        Whose strategies, and of which street.
    combos
        The hands of both players as they are dealt.
    """

    def __init__(
        self, solution: PostflopSolution, level: int, combos: tuple[Indices, Indices]
    ) -> None:
        self._solution, self._level, self._combos = solution, level, combos
        self._filled = np.zeros(N_CARDS**level, np.bool_)
        self._read: tuple[set[int], set[int]] = set(), set()
        self._lock = Lock()
        first, second = (
            HandTable(
                self._probabilities(player),
                np.zeros(N_CARDS**level, np.int64),
                np.zeros(N_CARDS**level, np.int64),
                np.full((N_CARDS**level, len(combos[player])), -1, np.int16),
            )
            for player in range(2)
        )
        self.players = first, second

    def _probabilities(self, player: int) -> Uint16s:
        """The player's strategy on the street; of one that stays in its file, room for it."""
        stored = self._solution.strategies[self._level][player]
        if isinstance(stored, StoredTensor):
            return np.empty(stored.shape, np.uint16)  # takes memory where it is written to
        return stored.view(np.uint16)

    def fill(self, come: Bytes) -> None:
        """Fill in the boards of some games; `come` are the cards after the board of the spot."""
        boards = np.zeros(len(come), np.int64)
        for card in come[:, : self._level].T:
            boards = boards * N_CARDS + card
        if self._filled[boards].all():
            return
        with self._lock:
            for board in np.unique(boards[~self._filled[boards]]).tolist():
                self._fill_board(board)
                self._filled[board] = True

    def _fill_board(self, board: int) -> None:
        places = range(self._level - 1, -1, -1)
        cards = [board // N_CARDS**place % N_CARDS for place in places]
        run_out = find_run_out(self._solution.boards, cards)[-1]
        for player, table in enumerate(self.players):
            layout = self._solution.layout.at(self._level, player)
            stored = self._solution.strategies[self._level][player]
            if isinstance(stored, StoredTensor) and run_out.number not in self._read[player]:
                read = layout.board(stored, run_out.number).view(np.uint16)
                layout.board(table.probabilities, run_out.number)[:] = read
                self._read[player].add(run_out.number)
            table.start[board] = layout.first[run_out.number]
            table.row[board] = layout.rows[run_out.number]
            columns = combo_columns(self._solution, run_out, player)
            table.column[board] = columns[self._combos[player]]


def combo_columns(solution: PostflopSolution, run_out: RunOut, player: int) -> Int16s:
    """For each of the 1326 real combos its place in a row of the board; −1: it has none.

    The one place that knows which number of a stored row belongs to which hand.
    """
    combos = run_out.combos(solution.boards, player)
    held = np.flatnonzero(combos >= 0)
    layout = solution.layout.at(run_out.level, player)
    places = layout.by_hand(np.arange(layout.rows[run_out.number]), run_out.number)
    columns = np.full(N_COMBOS, -1, np.int16)
    columns[combos[held]] = places[held]
    return columns
