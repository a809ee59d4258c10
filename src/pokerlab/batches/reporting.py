"""`report_boards`: collect what happens at a line from all boards of a batch that are solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pokerlab.batches.board_report import BoardReport
from pokerlab.batches.folder import Batch
from pokerlab.batches.line_files import LineDecision, read_line, stamp, write_line
from pokerlab.batches.rows import BoardRow
from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import parse_cards
from pokerlab.errors import shorten
from pokerlab.postflop.answer.run_outs import decision_row
from pokerlab.postflop.question.lines import LineLike, to_line

__all__ = ["report_boards"]

Floats = npt.NDArray[np.float64]


def report_boards(
    batch: Batch,
    line: LineLike = "",
    hands: str | None = None,
    report: Callable[[int, int], None] | None = None,
) -> BoardReport:
    """What happens at a line on every board of a batch that is finished.

    With `hands`, only those of the player who acts count that a filter lets through on a board:
    ``"set"``, ``"top-pair & flush-draw, AKs"`` (`pokerlab.cards.filter_hands`).

    The first decision stands in the table of the batch. For anything else every solution is
    opened, a tenth of a second each, and what it says is kept in the folder for the next time;
    `report` is given the boards done and their number.
    Boards without such a line (their menus are others, or a card of the line lies there) are
    left out, and named in the report.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.batches import BatchQuestion, plan_batch, run_batch
    >>> from pokerlab.postflop import Spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> question = BatchQuestion.of(spot, {"KsTs7d4c2h": 1.0, "KsTs8d4c2h": 3.0}, target="0.1%")
    >>> with TemporaryDirectory() as folder:
    ...     batch = run_batch(question, folder, plan_batch(question, workers=1)).batch
    ...     report = report_boards(batch, "x")
    >>> report.player, report.actions, report.boards
    (1, ('x', 'a'), ('KsTs7d4c2h', 'KsTs8d4c2h'))
    """
    text = str(to_line(line))
    rows = batch.rows()
    if not rows:
        raise ValueError(f"{batch.folder}: no board of this batch is solved yet")
    if text or hands is not None:
        decisions = _collect(batch, text, hands, rows, report or (lambda done, total: None))
    else:
        pot = batch.question.spot(rows[0].board).pot  # textures change menus, not chips
        decisions = [_first_decision(row, pot) for row in rows]
    left_out = [row.board for row, each in zip(rows, decisions, strict=True) if not each.actions]
    reached = [(row, each) for row, each in zip(rows, decisions, strict=True) if each.actions]
    if not reached:
        raise ValueError(f"no board has this line: {shorten(decisions[0].missing, 200)}")
    if len({each.player for _, each in reached}) > 1:
        raise ValueError(f"line {shorten(text)!r}: on some boards the other player acts there")
    unsolved = len(batch.question.boards) - len(rows)
    return replace(_joined(text, reached), left_out=tuple(left_out), unsolved=unsolved)


def _collect(
    batch: Batch,
    line: str,
    hands: str | None,
    rows: list[BoardRow],
    report: Callable[[int, int], None],
) -> list[LineDecision]:
    """What the solutions say, or said when they were asked before."""
    if hands is not None:
        filter_hands(hands, parse_cards(rows[0].board))  # a bad filter is bad on every board
    asked = line if hands is None else f"{line} {hands}"
    known = read_line(batch.folder, asked)
    found: list[LineDecision] = []
    try:
        for row in rows:
            decision = known.get(stamp(row))
            if decision is None:
                decision = known[stamp(row)] = _decide(batch, row.board, line, hands)
            found.append(decision)
            report(len(found), len(rows))
    finally:
        if len(found) > 0:
            write_line(batch.folder, asked, known)
    return found


def _decide(batch: Batch, board: str, line: str, hands: str | None) -> LineDecision:
    solution = batch.solution(board)
    try:
        view = solution.at(line)
    except ValueError as error:
        return LineDecision.none(str(error))
    row = decision_row(view, hands, raked=bool(solution.spot.rake))
    return LineDecision(
        player=view.player,
        pot=view.pot,
        deals=row.weight,
        ev=row.ev,
        equity=row.equity,
        actions=view.actions,
        frequencies=row.frequencies,
        action_evs=row.action_ev,
    )


def _first_decision(row: BoardRow, pot: float) -> LineDecision:
    actions = tuple(row.frequencies)
    return LineDecision(
        player=0,
        pot=pot,
        deals=row.deals,
        ev=row.ev,
        equity=row.equity,
        actions=actions,
        frequencies=tuple(row.frequencies[action] for action in actions),
        action_evs=tuple(row.action_evs[action] for action in actions),
    )


def _joined(line: str, found: list[tuple[BoardRow, LineDecision]]) -> BoardReport:
    rows, decisions = zip(*found, strict=True)
    actions = tuple(dict.fromkeys(action for each in decisions for action in each.actions))

    def by_action(name: str) -> Floats:
        tables = [dict(zip(each.actions, getattr(each, name), strict=True)) for each in decisions]
        # None becomes NaN, and so does an action that a board does not have.
        return np.array([[table.get(action) for action in actions] for table in tables], float)

    def by_board(name: str) -> Floats:
        return np.array([getattr(each, name) for each in decisions], float)

    return BoardReport(
        line=line,
        player=decisions[0].player,
        boards=tuple(row.board for row in rows),
        weights=np.array([row.weight for row in rows]),
        deals=by_board("deals"),
        pot=by_board("pot"),
        ev=by_board("ev"),
        equity=by_board("equity"),
        actions=actions,
        frequencies=by_action("frequencies"),
        action_evs=by_action("action_evs"),
    )
