"""Run-outs of a solution: the same line on every card that may come.

A line that ends where a card must come, or that leaves out cards, is one decision on many boards.
For each of them: how often it comes, what both players take and how strong they are, and what the
player to act does. Cards that suit permutations carry into each other are looked at once, and a
board's values come from the walk over it alone, so all boards together cost one walk a player.

After an all-in, or at a showdown, nobody acts: what a player takes is the share of the pot that the
cards give.

A solution on a subset of run-outs has rows for its own cards alone, and a mean counts each as often
as it stands for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.board_hands.next_cards import CARD_TEXTURES, card_effects, card_textures
from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, format_cards, parse_cards
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.cards.ranges.range import Range
from pokerlab.engine.tables.runouts import find_run_out, find_solved, following_cards
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.lines import Line, LineLike, Token, to_line
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.reports.line_report import LineReport, LineTotals, Pair
from pokerlab.runtime.arrays import Floats


def report_run_outs(
    solution: PostflopSolution,
    line: LineLike,
    *,
    cards: int | None = None,
    hands: str | None = None,
) -> LineReport:
    """The report of a solution on each card that may come.

    Parameters
    ----------
    solution
        The solution of a flop or a turn.
    line
        A line that ends where a card must come (``x/x``), or goes on after cards that it leaves out
        (``x/x/b50``: the answer to a bet on each turn), or ends in an all-in that is called.
    cards
        How many cards to run through. The line says it, if None. With one more than it leaves out,
        both players check on the street between; after an all-in, 1 or 2.
    hands
        Only hands of this filter of the player who acts, as ``"top-pair & flush-draw"``, on the
        board with the cards; see `pokerlab.cards.filter_hands`.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> report = report_run_outs(solve_spot(spot, target="1%"), "x/x")
    >>> len(report.rows), report.actions, round(sum(row.weight for row in report.rows), 6)
    (48, ('x', 'a'), 1.0)
    >>> ace = report.rows[0]
    >>> ace.name, ace.completes, round(ace.equity[1], 2)
    ('As', ('flush', 'straight', 'overcard'), 1.0)
    """
    return join_run_outs(list(run_out_parts(solution, line, cards=cards, hands=hands)))


def run_out_parts(
    solution: PostflopSolution,
    line: LineLike,
    *,
    cards: int | None = None,
    hands: str | None = None,
) -> Iterator[LineReport]:
    """The same card by card, for callers that show partial results; `join_run_outs` joins them.

    Each holds the rows of run-outs that are the same but for suits. What is wrong with a line is
    said before the first.
    """
    place = _find(solution, line, cards)
    if place.kind == EdgeKind.NODE:
        parts = _decisions(solution, place, hands)
    else:
        if hands is not None:
            raise ValueError("hands: a filter needs a player who acts, and nobody does")
        if place.level >= len(solution.strategies):
            raise ValueError("the strategies of this street are left out of a partial solution")
        parts = _showdowns(solution, place)
    board, text = _named_board(solution, place.cards), str(to_line(line))
    return (
        LineReport.of(
            text,
            [format_cards(chosen) for chosen in members],
            [totals] * len(members),
            [_stands_for(solution, place.cards, chosen) for chosen in members],
            board=board,
            completes=tuple(_done(solution, place.cards, chosen)[0] for chosen in members),
            card_textures=tuple(_done(solution, place.cards, chosen)[1] for chosen in members),
        )
        for totals, members in parts
    )


def join_run_outs(parts: Sequence[LineReport]) -> LineReport:
    """One report of all that `run_out_parts` gave, aces first."""
    joined = parts[0].joined(parts[1:])
    cards = [parse_cards(name) for name in joined.names]
    return joined.take(sorted(range(len(cards)), key=cards.__getitem__, reverse=True))


def line_with_cards(spot: Spot, line: LineLike, cards: Sequence[int]) -> str:
    """A line that leaves out cards, with these in their places.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="50%", raise_="")
    >>> line_with_cards(spot, "x/x", parse_cards("Qc")), line_with_cards(spot, "x/x/x", [0])
    ('x/x/Qc', 'x/x/2c/x')
    """
    left = list(cards)
    tokens: list[Token] = []
    for token in (*to_line(line).tokens, None):
        comes = spot.find(Line(tuple(tokens))).kind == EdgeKind.NEXT_STREET
        if comes and left and not isinstance(token, int):
            tokens.append(left.pop(0))
        if token is not None:
            tokens.append(token)
    return str(Line(tuple(tokens)))


def run_out_views(
    solution: PostflopSolution, line: LineLike, *, cards: int | None = None
) -> Iterator[tuple[NodeView, list[tuple[int, ...]]]]:
    """The decision on each board that differs from the others by more than suits.

    Gives the view, and the cards of all run-outs that are the same as it but for the names of
    suits, those of the view first. Lines are as for `report_run_outs`, up to a decision.
    """
    place = _find(solution, line, cards)
    if place.kind != EdgeKind.NODE:
        raise ValueError(f"line '{to_line(line)}': nobody decides there")
    yield from _views(solution, place)


def _find(solution: PostflopSolution, line: LineLike, cards: int | None) -> Place:
    """Where the run-outs are: a decision or a showdown with cards left out (−1), or an all-in."""
    spot, tokens = solution.spot, to_line(line).tokens
    text = str(to_line(line))
    place = spot.find(line)
    if place.kind == EdgeKind.NEXT_STREET:
        place = spot.tree.deal(place, -1)
    left_out = place.cards.count(-1)
    if place.kind == EdgeKind.ALLIN and not left_out:
        to_come = 5 - len(spot.board) - len(place.cards)
        if cards is not None and not 1 <= cards <= to_come:
            raise ValueError(f"cards: {cards} of {to_come} cards to come after {text!r}")
        return place._replace(cards=(*place.cards, *([-1] * (cards or 1))))
    shown_down = place.kind in (EdgeKind.ALLIN, EdgeKind.SHOWDOWN) and left_out
    if place.kind != EdgeKind.NODE and not shown_down:
        raise ValueError(
            f"line {text!r}: the hand is over; name a line after which a card comes, as x/x"
        )
    if not left_out:
        raise ValueError(
            f"line {text!r}: no card is left out; end it where one comes, as x/x, or leave out a "
            "card on the way, as x/x/b50"
        )
    if not shown_down and cards == left_out + 1 and place.level + 1 < len(spot.tree.streets):
        checked = Line((*tokens, *to_line("x/x").tokens))
        return spot.tree.deal(spot.find(checked), -1)
    if cards not in (None, left_out):
        raise ValueError(f"cards: {cards}, and line {text!r} leaves out {left_out}")
    return place


def _views(
    solution: PostflopSolution, place: Place
) -> Iterator[tuple[NodeView, list[tuple[int, ...]]]]:
    for members in _classes(solution, place.cards):
        cards = _filled(place.cards, members[0])
        yield solution.at(solution.spot.tree.line(place.level, place.node, cards)), members


def _classes(solution: PostflopSolution, pattern: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """All ways to fill in the cards that are left out, from the highest card to the lowest.

    Those that are the same but for the names of suits stand together.
    """
    known = {*solution.spot.board, *pattern}
    free = [card for card in range(N_CARDS - 1, -1, -1) if card not in known]
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for chosen in permutations(free, pattern.count(-1)):
        boards = find_solved(solution.boards, _filled(pattern, chosen))
        if len(boards) > len(pattern):
            found.setdefault(tuple(board.number for board in boards), []).append(chosen)
    if not found:
        find_run_out(solution.boards, [card for card in pattern if card >= 0])
    return list(found.values())


def _stands_for(
    solution: PostflopSolution, pattern: tuple[int, ...], chosen: Sequence[int]
) -> float:
    """How many run-outs one of a subset stands for; 1 where all were solved."""
    if solution.spot.runouts is None:
        return 1.0
    run_outs = find_run_out(solution.boards, _filled(pattern, chosen))
    return math.prod(
        following_cards(solution.boards, above)[below.cards[-1]]
        for above, below, given in zip(run_outs, run_outs[1:], pattern, strict=False)
        if given < 0
    )


def _filled(pattern: tuple[int, ...], chosen: Sequence[int]) -> tuple[int, ...]:
    following = iter(chosen)
    return tuple(next(following) if card < 0 else card for card in pattern)


def _named_board(solution: PostflopSolution, pattern: tuple[int, ...]) -> tuple[int, ...]:
    """The board with the cards that the line names."""
    return (*solution.spot.board, *(card for card in pattern if card >= 0))


def _decisions(
    solution: PostflopSolution, place: Place, hands: str | None
) -> Iterator[tuple[LineTotals, list[tuple[int, ...]]]]:
    for view, members in _views(solution, place):
        yield decision_totals(view, hands, raked=not solution.spot.constant_sum), members


def _done(
    solution: PostflopSolution, pattern: tuple[int, ...], chosen: Sequence[int]
) -> tuple[tuple[str, ...], str]:
    """What the cards of a run-out do to the board, together, and their texture."""
    board = list(solution.spot.board)
    completes: list[str] = []
    words: list[str] = []
    for given, card in zip(pattern, _filled(pattern, chosen), strict=True):
        if given < 0:
            completes += card_effects(board, card)
            words += card_textures(board, card)
        board.append(card)
    return tuple(dict.fromkeys(completes)), min(words, key=list(CARD_TEXTURES).index)


def decision_totals(view: NodeView, hands: str | None = None, *, raked: bool) -> LineTotals:
    """The totals of a decision, for all hands or for those of a filter.

    `raked` says whether a part of the pot goes to the house: what chosen hands do not take is not
    the opponent's then.
    """
    player = view.player
    weights = list(view.weights)
    if hands is not None:
        weights[player] = weights[player] * filter_hands(hands, view.board)
    often = weights[player] * unblocked_weights(weights[1 - player])
    deals = float(often.sum())
    own_ev = _mean(view.ev[player], often)
    other_ev: float | None
    if hands is None:
        other_ev = _mean(
            view.ev[1 - player], weights[1 - player] * unblocked_weights(weights[player])
        )
    else:
        # The opponent's EVs are against the whole range; the rest of the pot is the opponent's.
        other_ev = None if raked or own_ev is None else view.pot - own_ev
    ev = (own_ev, other_ev) if player == 0 else (other_ev, own_ev)
    if view.known_equity is not None and hands is None and deals > 0:
        equity: Pair = (view.mean_equity(0), view.mean_equity(1))
    else:
        equity = range_equities(view.board, (weights[0], weights[1]))
    played = np.nan_to_num(view.strategy) * often
    return LineTotals(
        player,
        view.pot,
        deals,
        ev,
        equity,
        view.actions,
        tuple(float(each.sum()) / deals if deals > 0 else None for each in played),
        tuple(_mean(*each) for each in zip(view.action_ev, played, strict=True)),
    )


def _showdowns(
    solution: PostflopSolution, place: Place
) -> Iterator[tuple[LineTotals, list[tuple[int, ...]]]]:
    """Where only cards decide: after an all-in, or at a showdown."""
    street = solution.spot.tree.streets[place.level]
    pot = solution.spot.tree.chips(int(street.end_pot[place.edge]))
    taken = pot - solution.spot.rake_from(pot)
    for members in _classes(solution, place.cards):
        cards = _filled(place.cards, members[0])
        board = (*solution.spot.board, *cards)
        free = ~np.isin(COMBO_CARDS, board).any(axis=1)
        # Cards that come after the last action change nothing but which hands there can be.
        weights = solution.weights_after(place._replace(cards=cards[: place.level]))
        here = weights[0] * free, weights[1] * free
        deals = float(here[0] @ unblocked_weights(here[1]))
        equity = range_equities(board, here)
        # What a share of the pot is worth in prize money depends on who ties with whom.
        prizes = solution.spot.pays_prizes
        first, second = (None if share is None or prizes else share * taken for share in equity)
        yield LineTotals(None, pot, deals, (first, second), equity, (), (), ()), members


def range_equities(board: tuple[int, ...], weights: tuple[Floats, Floats]) -> Pair:
    """The equities of two ranges on a board."""
    often = weights[0] * unblocked_weights(weights[1])
    if often.sum() <= 0:
        return None, None
    # They sum to 1: one of them is enough.
    first = _mean(hand_strength(board, Range(weights[1] / weights[1].max())), often)
    return first, None if first is None else 1 - first


def _mean(values: Floats, weights: Floats) -> float | None:
    known = ~np.isnan(values) & (weights > 0)
    total = float(weights[known].sum())
    return float(values[known] @ weights[known]) / total if total > 0 else None
