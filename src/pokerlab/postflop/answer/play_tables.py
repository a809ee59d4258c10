"""What compiled play needs of solutions: dealing, betting, and where a hand finds its strategy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, N_COMBOS
from pokerlab.postflop.answer.dealing import Pairs
from pokerlab.postflop.answer.play_kernels import Dealing, HandTable, StreetPlay, fill_alias
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.tables.layout import first_slots
from pokerlab.postflop.tables.runouts import RunOut, find_run_out
from pokerlab.postflop.tree.betting_tree import BettingTree, EdgeKind

__all__ = ["dealing_of", "hand_tables", "street_plays"]

Combos: TypeAlias = npt.NDArray[np.intp]


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


def hand_tables(
    solution: PostflopSolution, level: int, come: tuple[int, ...], combos: tuple[Combos, Combos]
) -> tuple[HandTable, HandTable]:
    """The strategies of both players on all boards of a street that some cards lead to.

    `combos` are the hands of both players as they are dealt.
    """
    boards = N_CARDS**level
    starts = np.zeros((2, boards), np.int64)
    rows = np.zeros((2, boards), np.int64)
    columns = [np.full((boards, len(each)), -1, np.int16) for each in combos]
    for cards in _run_outs(solution.spot.board, level, come):
        board = 0
        for card in cards:
            board = board * N_CARDS + card
        run_out = find_run_out(solution.boards, cards)[-1]
        for player in range(2):
            layout = solution.layout.at(level, player)
            starts[player, board] = layout.first[run_out.number]
            rows[player, board] = layout.rows[run_out.number]
            columns[player][board] = combo_columns(solution, run_out, player)[combos[player]]
    first, second = (
        HandTable(
            np.asarray(solution.strategies[level][player]).view(np.uint16),
            starts[player],
            rows[player],
            columns[player],
        )
        for player in range(2)
    )
    return first, second


def combo_columns(
    solution: PostflopSolution, run_out: RunOut, player: int
) -> npt.NDArray[np.int16]:
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


def _run_outs(
    board: tuple[int, ...], level: int, come: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """The cards of a street, in order, after those that have come."""
    left = [card for card in range(N_CARDS) if card not in (*board, *come)]
    for more in permutations(left, level - len(come)):
        yield (*come, *more)
