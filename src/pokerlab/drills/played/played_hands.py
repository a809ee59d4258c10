"""Hands that were played, judged by a solution of their spot: what each decision lost.

The actions of the hand are followed through the tree of the solution. A bet that the tree does not
have stands for the nearest one by the ratio of the shares of the pot. Where it has no bet at all,
or the file of the solution ends, the rest is not judged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pokerlab.arena.logs.history_hand import FOLD, RAISE, HandMove, HistoryHand
from pokerlab.cards.codes import combo_index, format_cards, parse_cards
from pokerlab.drills.judging import Judgement, judge
from pokerlab.drills.log import LogEntry, default_log, open_log
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.games.betting_trees.betting_tree import Place
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots import PostflopSolution, Spot
from pokerlab.holdem.spots.question.outline import size_of
from pokerlab.runtime.errors import shorten

_FAR = 1.25
"""How far the stack by the pot of a hand may be from that of a solution, as a ratio."""


class JudgedMove(NamedTuple):
    """A decision of a hand.

    Attributes
    ----------
    seat
        The position in the hand.
    move
        Its place among the moves of the hand.
    done
        The size of a bet or raise, in percent of the pot after calling; else None.
    judgement
        What it lost.
    """

    seat: int
    move: int
    done: float | None
    judgement: Judgement


class JudgedHand(NamedTuple):
    """The decisions of a hand that could be judged.

    Attributes
    ----------
    moves
        In order.
    reason
        Why there are no more; empty if all are judged.
    """

    moves: tuple[JudgedMove, ...]
    reason: str


def fits(hand: HistoryHand, spot: Spot) -> bool:
    """Whether a hand is nearly one of a spot: the board, and the stack by the pot.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> acts = ["p2 cbr 50", "p1 cc", "d db KsTs7d", "p1 cbr 50", "p2 f"]
    >>> record = HistoryRecord(False, 1, (0, 0), (10, 20), (150, 150), 20, acts, ())
    >>> hand = follow(record)
    >>> [fits(hand, Spot("KsTs7d", "any", "any", pot=2, stack=stack)) for stack in (2, 2.4, 4)]
    [True, True, False]
    """
    street = len(spot.board) - 2
    board = parse_cards(hand.board)
    if hand.record.limit or not _same_board(board, spot.board):
        return False
    spent, live = hand.before(street)
    if len(live) != 2:
        return False
    behind = min(hand.record.stacks[seat] - spent[seat] for seat in live)
    ratio, wanted = behind / sum(spent), spot.effective_stack / spot.pot
    return ratio <= _FAR * wanted and wanted <= _FAR * ratio


def _same_board(board: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return set(board[:3]) == set(wanted[:3]) and board[3 : len(wanted)] == tuple(wanted[3:])


def judge_played(hand: HistoryHand, solution: PostflopSolution) -> JudgedHand:
    """Judge the decisions on and after the flop of the players whose cards are known.

    `ValueError` where the hand is not one of the solution: another flop, or not two players.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> deals = ["d dh p1 7s7h", "d dh p2 ????", "p2 cbr 50", "p1 cc", "d db KsTs7d"]
    >>> acts = ["p1 cc", "p2 cc", "d db 4c", "p1 cc", "p2 cc", "d db 2h", "p1 cc", "p2 cc"]
    >>> stacks, players = (150, 150), ("ann", "bob")
    >>> record = HistoryRecord(False, 1, (0, 0), (10, 20), stacks, 20, deals + acts, players)
    >>> found = judge_played(follow(record), solve_spot(spot, target="0.01%"))
    >>> [(move.seat, move.judgement.action, move.judgement.grade) for move in found.moves]
    [(0, 'x', 'blunder')]
    """
    spot = solution.spot
    known = len(spot.board)
    board = parse_cards(hand.board)
    if not _same_board(board, spot.board):
        raise ValueError(
            f"the hand has the board {format_cards(board) or 'of no flop'}, the solution"
            f" {format_cards(spot.board)}"
        )
    if hand.record.limit:
        raise ValueError("a hand of limit hold'em: the solution is of no-limit hold'em")
    moves = [(at, move) for at, move in enumerate(hand.moves) if move.street >= known - 2]
    if not moves or moves[0][1].active != 2:
        raise ValueError("two players must begin the street of the solution")
    first, reason = moves[0][1].seat, ""
    tokens: list[str] = []
    judged: list[JudgedMove] = []
    for at, move in moves:
        while len(spot.board) + _cards_in(tokens) < move.street + 2:
            tokens.append(format_cards([board[len(spot.board) + _cards_in(tokens)]]))
        line = "/".join(tokens)
        try:
            place = spot.find(line)
        except ValueError as error:
            return JudgedHand(tuple(judged), str(error))
        player = 0 if move.seat == first else 1
        if place.kind != EdgeKind.NODE:
            return JudgedHand(tuple(judged), f"after {line} the tree of the solution is over")
        street = spot.tree.streets[place.level]
        if int(street.player[place.node]) != player:
            return JudgedHand(
                tuple(judged), f"after {line} it is not the turn of {PLAYERS[player]}"
            )
        label = _nearest(solution, place, move)
        if label is None:
            what = "bet or raise" if move.kind == RAISE else "such action"
            return JudgedHand(tuple(judged), f"after {line or 'the start'} the tree has no {what}")
        hole = hand.holes[move.seat]
        if hole and not spot.ranges[player].weights[combo_index(*parse_cards(hole))]:
            reason = f"{hole} is not in the range of {PLAYERS[player]}"
        elif hole:
            try:
                found = judge(
                    solution.at(line),
                    combo_index(*parse_cards(hole)),
                    label,
                    board=format_cards(spot.board),
                    big_blind=spot.big_blind if spot.has_big_blind else None,
                    percent=solution.exploitability.percent,
                )
            except ValueError as error:
                return JudgedHand(tuple(judged), shorten(str(error), 100))
            done = 100 * move.share if move.kind == RAISE else None
            judged.append(JudgedMove(move.seat, at, done, found))
        tokens.append(label)
    return JudgedHand(tuple(judged), reason)


def _cards_in(tokens: list[str]) -> int:
    return sum(len(token) == 2 and token[1] in "cdhs" for token in tokens)


def _nearest(solution: PostflopSolution, place: Place, move: HandMove) -> str | None:
    """The action of the tree that stands for a move; None if there is none."""
    tree = solution.spot.tree
    street = tree.streets[place.level]
    labels = {street.label(edge): edge for edge in street.edges_of(place.node)}
    if move.kind == RAISE:
        shares = {
            label: size_of(tree, place.level, edge)["percent"] or 0.0
            for label, edge in labels.items()
            if label not in ("f", "c", "x")
        }
        wanted = 100 * move.share

        def far(label: str) -> float:
            return abs(math.log(shares[label] / wanted)) if shares[label] > 0 else math.inf

        return min(shares, key=far) if shares else None
    wanted_label = "f" if move.kind == FOLD else "c" if "c" in labels else "x"
    return wanted_label if wanted_label in labels else None


def keep_decisions(
    solution: str | Path, history: str, place: int, moves: Sequence[JudgedMove]
) -> None:
    """Add judged decisions to the log of a solution, for practice; those that it has stay once.

    Parameters
    ----------
    solution
        The file of the solution.
    history, place
        The name of the file of the hand, and its place there.
    moves
        The decisions.
    """
    path = Path(solution)
    log = open_log(default_log(path))
    known = {entry.key for entry in log.entries()}
    for each in moves:
        found = each.judgement
        entry = LogEntry(f"hands {history}", place, path.name, found.line, found)
        if entry.key not in known:
            log.add(entry)
