"""Who does what on all cards that may come: starting hands, made hands and draws over run-outs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.postflop.answer.breakdown import breakdown_names, hand_groups
from pokerlab.postflop.answer.export import HandRow
from pokerlab.postflop.answer.node_view import NodeView, unblocked_weights
from pokerlab.postflop.answer.run_outs import run_out_views
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.lines import LineLike

__all__ = ["break_down_run_outs"]


@dataclass
class _Part:
    """Sums over the boards for a part of the range; each hand as often as it meets another."""

    often: float
    played: npt.NDArray[np.float64]
    ev: float
    equity: float
    action_ev: npt.NDArray[np.float64]


def break_down_run_outs(
    solution: PostflopSolution,
    line: LineLike,
    by: str,
    *,
    cards: int | None = None,
    hands: str | None = None,
) -> list[HandRow]:
    """What each part of the range of the player to act does, over all cards that may come.

    A hand belongs to what it is on the board with the cards. The weight of a row is its share of
    the range when the line is played; everything else is the mean over cards and hands, as often as
    they come.

    Parameters
    ----------
    solution, line, cards, hands
        As for `report_run_outs`; with `hands`, shares are those of the whole range all the same.
    by
        ``class``, ``made``, ``draws`` or ``equity``, as for `breakdown`.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> rows = break_down_run_outs(solve_spot(spot, target="1%"), "x/x", "made")
    >>> [row.name for row in rows]
    ['quads', 'full-house', 'lower-flush', 'straight', 'set', 'low-pair', 'nothing']
    >>> round(sum(row.weight for row in rows), 6)
    1.0
    """
    parts: dict[str, _Part] = {}
    total, pot = 0.0, 0.0
    for view, members in run_out_views(solution, line, cards=cards):
        pot = view.pot
        total += _add_board(parts, view, by, hands, len(members))
    return [_row(name, parts[name], total, pot) for name in breakdown_names(by) if name in parts]


def _add_board(
    parts: dict[str, _Part], view: NodeView, by: str, hands: str | None, times: int
) -> float:
    """Add a board that stands for several; the weight of all deals on them."""
    player = view.player
    often = times * view.weights[player] * unblocked_weights(view.weights[1 - player])
    total = float(often.sum())
    if total <= 0:
        return 0.0
    if hands is not None:
        often = often * filter_hands(hands, view.board)
    strategy, ev = np.nan_to_num(view.strategy), np.nan_to_num(view.ev[player])
    equity, action_ev = np.nan_to_num(view.equity[player]), np.nan_to_num(view.action_ev)
    for name, combos in hand_groups(view, by, player):
        here = often[combos]
        if here.sum() <= 0:
            continue
        none = np.zeros(len(view.actions))
        part = parts.setdefault(name, _Part(0.0, none.copy(), 0.0, 0.0, none.copy()))
        part.often += float(here.sum())
        part.played += strategy[:, combos] @ here
        part.ev += float(ev[combos] @ here)
        part.equity += float(equity[combos] @ here)
        part.action_ev += action_ev[:, combos] @ here
    return total


def _row(name: str, part: _Part, total: float, pot: float) -> HandRow:
    ev, equity = part.ev / part.often, part.equity / part.often
    return HandRow(
        name,
        part.often / total,
        tuple((part.played / part.often).tolist()),
        ev,
        equity,
        ev / (equity * pot) if equity else None,
        tuple((part.action_ev / part.often).tolist()),
    )
