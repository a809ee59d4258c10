"""Who does what on all cards that may come: starting hands, made hands and draws over run-outs."""

from __future__ import annotations

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games.betting_trees.lines import LineLike
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.reports.export import HandRow
from pokerlab.holdem.spots.reports.range_parts import PartTotals, range_parts
from pokerlab.holdem.spots.reports.run_outs import run_out_views


def break_down_run_outs(
    solution: PostflopSolution,
    line: LineLike,
    by: str,
    *,
    cards: int | None = None,
    hands: str | None = None,
) -> list[HandRow]:
    """The play of each part of the acting player's range, over all next cards.

    A hand belongs to what it is on the board with the cards. The weight of a row is its share of
    the range when the line is played; everything else is the mean over cards and hands, as often as
    they come.

    Parameters
    ----------
    solution, line, cards, hands
        As for `report_run_outs`; with `hands`, shares are those of the whole range all the same.
    by
        ``class``, ``made`` or ``draws``, as for `breakdown`.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> rows = break_down_run_outs(solve_spot(spot, target="1%"), "x/x", "made")
    >>> [row.name for row in rows]
    ['quads', 'full-house', 'lower-flush', 'straight', 'set', 'low-pair', 'nothing']
    >>> round(sum(row.weight for row in rows), 6)
    1.0
    """
    totals: PartTotals | None = None
    for view, members in run_out_views(solution, line, cards=cards):
        totals = totals or PartTotals(by, view.actions)
        totals.add(
            range_parts(view, by, hands),
            view.actions,
            deals=float(view.weights[0] @ unblocked_weights(view.weights[1])),
            pot=view.pot,
            times=len(members),
        )
    assert totals is not None  # there is always a card to come
    return totals.rows()
