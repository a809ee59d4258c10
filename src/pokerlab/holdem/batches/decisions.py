"""A decision of a solution, as a batch keeps it: totals, and parts of the range."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.answer.node_view import NodeView, equities_of
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.reports.line_report import LineTotals
from pokerlab.holdem.spots.reports.range_parts import RangePart, range_parts
from pokerlab.holdem.spots.reports.run_outs import decision_totals
from pokerlab.runtime.arrays import Floats

KEPT_PARTS = ("made", "draws")
"""Breakdowns that are kept with every decision; that by starting hand would be five times as
large."""


@dataclass(frozen=True, slots=True)
class LineDecision(LineTotals):
    """A decision on one board, as a batch keeps it.

    `actions` are empty where the board has no such line, and `missing` says why then. `parts` are
    breakdowns of the range of the player who acts, by what they are by (`KEPT_PARTS`) and name.
    `deals` are those of the hands that were asked for, `range_deals` those of the whole range.
    """

    missing: str = ""
    range_deals: float = 0.0
    parts: Mapping[str, Mapping[str, RangePart]] = field(default_factory=dict)

    @classmethod
    def none(cls, reason: str) -> LineDecision:
        """There is no such decision."""
        return cls(0, 0.0, 0.0, (None, None), (None, None), (), (), (), reason)

    def to_json(self) -> dict[str, Any]:
        """As JSON; the numbers of parts have seven digits."""
        kept = {each.name: getattr(self, each.name) for each in fields(self)}
        kept["parts"] = {
            by: {name: _part_json(part) for name, part in parts.items()}
            for by, parts in self.parts.items()
        }
        return kept

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> LineDecision:
        """Read what `to_json` made; `ValueError` or `TypeError` for anything else."""
        given = _tuples(kept)
        given["parts"] = {
            by: {name: RangePart(**_tuples(part)) for name, part in parts.items()}
            for by, parts in kept["parts"].items()
        }
        found = cls(**given)
        actions = len(found.actions)
        rows = ((found.ev, 2), (found.equity, 2), (found.frequencies, actions))
        good = (
            found.player in (0, 1)
            and all(map(_is_number, (found.pot, found.deals, found.range_deals)))
            and all(isinstance(action, str) for action in found.actions)
            and isinstance(found.missing, str)
            and all(
                len(row) == size and all(each is None or _is_number(each) for each in row)
                for row, size in (*rows, (found.action_evs, actions))
            )
            and all(
                _is_part(part, actions) for parts in found.parts.values() for part in parts.values()
            )
        )
        if not good:
            raise ValueError("this is not a decision")
        return found


def decide(
    view: NodeView, hands: str | None = None, by: Iterable[str] = KEPT_PARTS, *, raked: bool
) -> LineDecision:
    """The totals of a decision, for all hands or for those of a filter."""
    totals = decision_totals(view, hands, raked=raked)
    found: dict[str, Any] = {each.name: getattr(totals, each.name) for each in fields(totals)}
    return LineDecision(
        **found,
        range_deals=float(view.weights[0] @ unblocked_weights(view.weights[1])),
        parts={each: range_parts(view, each, hands) for each in by},
    )


def first_street(solution: PostflopSolution) -> dict[str, LineDecision]:
    """All decisions of the first street, by line.

    About two milliseconds each: the values of all nodes come from one walk, and the equities from
    the win margins that the walk needs for all-ins.
    """
    tree, raked = solution.spot.tree, not solution.spot.constant_sum
    equities = _equities_by_hand(solution)
    found = {}
    for node in range(tree.streets[0].nodes):
        view = solution.at(tree.line(0, node))
        found[view.line] = decide(replace(view, known_equity=equities(view)), raked=raked)
    return found


def _equities_by_hand(
    solution: PostflopSolution,
) -> Callable[[NodeView], tuple[Floats, Floats]]:
    """Gives the equities of both players' hands at a decision of the first street."""
    boards, board = solution.boards, solution.spot.board
    if len(board) == 5:
        return lambda view: equities_of(board, view.weights)
    sizes = [len(combos) for combos in boards.combos]
    margins = boards.win_margins(0)[0].view(np.float16).reshape(1, *boards.padded[::-1])
    # Of the first player's hands (columns) over the second's (rows), over all run-outs.
    ahead = margins[0, : sizes[1], : sizes[0]].astype(np.float64)
    run_outs = math.perm(52 - len(board) - 4, 5 - len(board))

    def equities(view: NodeView) -> tuple[Floats, Floats]:
        found = []
        for player, table in enumerate((ahead, -ahead.T)):
            own, other = boards.combos[player], boards.combos[1 - player]
            opposing = view.weights[1 - player]
            met = unblocked_weights(opposing)[own]
            known = (met > 1e-9 * max(float(met.max()), 1e-300)) & (view.weights[player][own] > 0)
            equity = np.full(N_COMBOS, np.nan)
            won = opposing[other] @ table[:, known] / (met[known] * run_outs)
            equity[own[known]] = (1 + won) / 2
            found.append(equity)
        return found[0], found[1]

    return equities


def _part_json(part: RangePart) -> dict[str, Any]:
    return {
        "deals": _short(part.deals),
        "ev": _short(part.ev),
        "equity": _short(part.equity),
        "frequencies": [_short(each) for each in part.frequencies],
        "action_evs": [_short(each) for each in part.action_evs],
    }


def _short(value: float) -> float:
    return float(f"{value:.7g}")


def _tuples(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
    }


def _is_part(part: RangePart, actions: int) -> bool:
    numbers = (part.deals, part.ev, part.equity, *part.frequencies, *part.action_evs)
    sizes = len(part.frequencies), len(part.action_evs)
    return sizes == (actions, actions) and all(map(_is_number, numbers)) and part.deals > 0


def _is_number(value: object) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and math.isfinite(value)  # type: ignore[arg-type]
