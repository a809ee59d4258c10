"""Run-outs of a solution: the same line on every card that may come.

A line that ends where a card must come, or that leaves out cards, is one decision on many boards.
For each of them: how often it comes, what both players take and how strong they are, and what the
player to act does. Cards that suit permutations carry into each other are looked at once, and a
board's values come from the walk over it alone, so all boards together cost one walk a player.

After an all-in, or at a showdown, nobody acts: what a player takes is the share of the pot that the
cards give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.board_hands.next_cards import card_effects
from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, format_cards, parse_cards
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.ranges.range import Range
from pokerlab.files.columns import make_frame
from pokerlab.pictures.shown import Shown
from pokerlab.postflop.answer.node_view import NodeView, unblocked_weights
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.lines import Line, LineLike, Token, to_line
from pokerlab.postflop.question.menus import PLAYERS
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.runouts import find_run_out
from pokerlab.postflop.tree.betting_tree import EdgeKind, Place

Pair: TypeAlias = "tuple[float | None, float | None]"


@dataclass(frozen=True)
class RunOutRow:
    """A run-out, or several together.

    Attributes
    ----------
    name
        The cards that come, as ``Qc`` or ``Qc2d``; of a group, what they have in common.
    weight
        How often they come, of all times that the line is played: the sum over all rows is 1.
    ev
        For each player (oop, ip) the chips taken from there on, on average.
    equity, realisation
        The equities, and EV divided by equity times pot.
    frequencies, action_ev
        How often the player to act takes each action, and what it earns the hands that take it.
        Empty after an all-in.
    completes
        What each card does to the board, the cards together: see `card_effects`. Empty for groups.

    What is not known is None: where nothing arrives, and the EV of an action that nobody takes.
    """

    name: str
    weight: float
    ev: Pair
    equity: Pair
    realisation: Pair
    frequencies: tuple[float | None, ...]
    action_ev: tuple[float | None, ...]
    completes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunOutReport(Shown):
    """A line on all cards that may come.

    Attributes
    ----------
    line
        The line, without the cards that come.
    board
        The cards before them.
    player
        Who acts then (0: out of position); None after an all-in.
    pot
        The chips in the middle.
    actions
        What may be done.
    rows
        A row for each run-out, in the order of the cards, aces first.
    """

    _picture = "pokerlab.postflop.answer.run_out_picture:run_outs_html"

    line: str
    board: tuple[int, ...]
    player: int | None
    pot: float
    actions: tuple[str, ...]
    rows: tuple[RunOutRow, ...]

    def columns(self, rows: Sequence[RunOutRow] | None = None) -> dict[str, list[Any]]:
        """The rows as columns, for files and tables; unknown numbers are None.

        Examples
        --------
        >>> from pokerlab.postflop import Spot, solve_spot
        >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> report = report_run_outs(solve_spot(spot, target="1%"), "x/x")
        >>> list(report.columns())[:8]
        ['card', 'weight', 'oop_ev', 'ip_ev', 'oop_equity', 'ip_equity', 'oop_realisation', ...]
        """
        rows = self.rows if rows is None else rows
        columns: dict[str, list[Any]] = {
            "card": [row.name for row in rows],
            "weight": [row.weight for row in rows],
        }
        for name in ("ev", "equity", "realisation"):
            for seat, player in enumerate(PLAYERS):
                columns[f"{player}_{name}"] = [getattr(row, name)[seat] for row in rows]
        for number, action in enumerate(self.actions):
            columns[action] = [row.frequencies[number] for row in rows]
            columns[f"{action}_ev"] = [row.action_ev[number] for row in rows]
        columns["completes"] = [" ".join(row.completes) for row in rows]
        return columns

    def to_frame(self) -> Any:
        """The columns as a ``pandas.DataFrame``."""
        return make_frame(self.columns())


def report_run_outs(
    solution: PostflopSolution,
    line: LineLike,
    *,
    cards: int | None = None,
    hands: str | None = None,
) -> RunOutReport:
    """What a solution does on each card that may come.

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
    >>> from pokerlab.postflop import Spot, solve_spot
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
) -> Iterator[RunOutReport]:
    """The same card by card, for those who show what there is: reports that `join_run_outs` joins.

    Each holds the rows of run-outs that are the same but for suits, and the weights of its rows are
    those of their deals, which sum to nothing in particular. What is wrong with a line is said
    before the first.
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
    return (replace(part, line=text, board=board) for part in parts)


def join_run_outs(parts: Sequence[RunOutReport]) -> RunOutReport:
    """One report of all that `run_out_parts` gave: aces first, the weights sum to 1."""
    rows = [row for part in parts for row in part.rows]
    rows.sort(key=lambda row: parse_cards(row.name), reverse=True)
    total = sum(row.weight for row in rows)
    if total > 0:
        rows = [replace(row, weight=row.weight / total) for row in rows]
    return replace(parts[0], rows=tuple(rows))


def line_with_cards(spot: Spot, line: LineLike, cards: Sequence[int]) -> str:
    """A line that leaves out cards, with these in their places.

    Examples
    --------
    >>> from pokerlab.postflop import Spot
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
        boards = find_run_out(solution.boards, _filled(pattern, chosen))
        found.setdefault(tuple(board.number for board in boards), []).append(chosen)
    return list(found.values())


def _filled(pattern: tuple[int, ...], chosen: Sequence[int]) -> tuple[int, ...]:
    following = iter(chosen)
    return tuple(next(following) if card < 0 else card for card in pattern)


def _named_board(solution: PostflopSolution, pattern: tuple[int, ...]) -> tuple[int, ...]:
    """The board with the cards that the line names."""
    return (*solution.spot.board, *(card for card in pattern if card >= 0))


def _decisions(
    solution: PostflopSolution, place: Place, hands: str | None
) -> Iterator[RunOutReport]:
    for view, members in _views(solution, place):
        row = decision_row(view, hands, raked=bool(solution.spot.rake))
        rows = tuple(_member_rows(solution, place.cards, row, members))
        yield RunOutReport("", (), view.player, view.pot, view.actions, rows)


def _member_rows(
    solution: PostflopSolution,
    pattern: tuple[int, ...],
    row: RunOutRow,
    members: Sequence[tuple[int, ...]],
) -> Iterator[RunOutRow]:
    """The same row for each of the run-outs that are the same but for suits."""
    for chosen in members:
        cards = iter(_filled(pattern, chosen))
        board = list(solution.spot.board)
        completes = []
        for given, card in zip(pattern, cards, strict=True):
            if given < 0:
                completes.append(card_effects(board, card))
            board.append(card)
        effects = tuple(dict.fromkeys(effect for each in completes for effect in each))
        yield replace(row, name=format_cards(chosen), completes=effects)


def decision_row(view: NodeView, hands: str | None = None, *, raked: bool) -> RunOutRow:
    """What happens at a decision, of all hands or of those of a filter; its weight is the deals.

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
        # The opponent's EVs are against the whole range; what the chosen hands leave is his.
        other_ev = None if raked or own_ev is None else view.pot - own_ev
    ev = (own_ev, other_ev) if player == 0 else (other_ev, own_ev)
    if view.known_equity is not None and hands is None and deals > 0:
        equity: Pair = (view.mean_equity(0), view.mean_equity(1))
    else:
        equity = range_equities(view.board, (weights[0], weights[1]))
    played = np.nan_to_num(view.strategy) * often
    return RunOutRow(
        "",
        deals,
        ev,
        equity,
        realised(ev, equity, view.pot),
        tuple(float(each.sum()) / deals if deals > 0 else None for each in played),
        tuple(_mean(*each) for each in zip(view.action_ev, played, strict=True)),
    )


def _showdowns(solution: PostflopSolution, place: Place) -> Iterator[RunOutReport]:
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
        first, second = (None if share is None else share * taken for share in equity)
        ev = first, second
        row = RunOutRow("", deals, ev, equity, realised(ev, equity, pot), (), ())
        rows = tuple(_member_rows(solution, place.cards, row, members))
        yield RunOutReport("", (), None, pot, (), rows)


def range_equities(board: tuple[int, ...], weights: tuple[Floats, Floats]) -> Pair:
    """The equities of two ranges on a board."""
    often = weights[0] * unblocked_weights(weights[1])
    if often.sum() <= 0:
        return None, None
    # They sum to 1: one of them is enough.
    first = _mean(hand_strength(board, Range(weights[1] / weights[1].max())), often)
    return first, None if first is None else 1 - first


def realised(ev: Pair, equity: Pair, pot: float) -> Pair:
    """How much of its equity each player realises: EV divided by equity times pot."""
    first, second = (
        None if chips is None or not share else chips / (share * pot)
        for chips, share in zip(ev, equity, strict=True)
    )
    return first, second


def _mean(values: Floats, weights: Floats) -> float | None:
    known = ~np.isnan(values) & (weights > 0)
    total = float(weights[known].sum())
    return float(values[known] @ weights[known]) / total if total > 0 else None
