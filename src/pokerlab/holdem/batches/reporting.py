"""Collect what happens at a line from all boards of a batch that are solved.

`report_boards` puts the totals of all boards side by side, `break_down_boards` adds up what parts
of the range do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import parse_cards
from pokerlab.games.betting_trees.lines import LineLike, to_line
from pokerlab.holdem.batches.decisions import KEPT_PARTS, LineDecision, decide
from pokerlab.holdem.batches.folder import Batch
from pokerlab.holdem.batches.line_files import read_first_street, read_line, stamp, write_line
from pokerlab.holdem.batches.rows import BoardRow
from pokerlab.holdem.spots.reports.breakdown import breakdown_names
from pokerlab.holdem.spots.reports.export import HandRow
from pokerlab.holdem.spots.reports.line_report import LineReport
from pokerlab.holdem.spots.reports.range_parts import PartTotals
from pokerlab.runtime.errors import shorten

Report = Callable[[int, int], None]


def report_boards(
    batch: Batch,
    line: LineLike = "",
    hands: str | None = None,
    report: Report | None = None,
) -> LineReport:
    """The report of a line on every finished board of a batch.

    With `hands`, only those of the player who acts count that a filter lets through on a board:
    ``"set"``, ``"top-pair & flush-draw, AKs"`` (`pokerlab.cards.filter_hands`).

    The decisions of the first street are kept in the folder. For anything else, and with `hands`,
    every solution is opened, a tenth of a second each, and its numbers are saved in the folder;
    `report` is given the boards done and their number.
    Boards without such a line (their menus are others, or a card of the line lies there) are
    left out, and named in the report.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> question = BatchQuestion.of(spot, {"KsTs7d4c2h": 1.0, "KsTs8d4c2h": 3.0}, target="0.1%")
    >>> with TemporaryDirectory() as folder:
    ...     batch = run_batch(question, folder, plan_batch(question, workers=1)).batch
    ...     report = report_boards(batch, "x")
    >>> report.player, report.actions, report.names
    (1, ('x', 'a'), ('KsTs7d4c2h', 'KsTs8d4c2h'))
    """
    text = str(to_line(line))
    rows = _finished(batch)
    if text or hands is not None:
        decisions = _collect(batch, text, hands, rows, KEPT_PARTS, report)
    else:
        pot = batch.question.spot(rows[0].board).pot  # textures change menus, not chips
        decisions = [_first_decision(row, pot) for row in rows]
    reached = _reached(text, rows, decisions)
    there = {row.board for row, _ in reached}
    return LineReport.of(
        text,
        [row.board for row, _ in reached],
        [decision for _, decision in reached],
        [row.weight for row, _ in reached],
        left_out=tuple(row.board for row in rows if row.board not in there),
        unsolved=len(batch.question.boards) - len(rows),
    )


def break_down_boards(
    batch: Batch,
    line: LineLike,
    by: str,
    hands: str | None = None,
    *,
    boards: Collection[str] | None = None,
    actions: Sequence[str] | None = None,
    report: Report | None = None,
) -> list[HandRow]:
    """The play of each part of the acting player's range at a line, over boards.

    A hand belongs to what it is on each board. The weight of a row is its share of the range when
    the line is played, over all boards as they are dealt and played; everything else is a mean over
    these hands. The EV of an action is what it would earn all of them, where it is possible.

    Parameters
    ----------
    batch, line, hands, report
        As for `report_boards`; with `hands`, shares are those of the whole range all the same.
    by
        ``made``, ``draws``, ``class`` or ``equity``, as for `pokerlab.holdem.spots.breakdown`.
    boards
        Only these boards.
    actions
        What the rows have in this order, all that may be done on these boards; as the boards have
        them, if None.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> question = BatchQuestion.of(spot, {"KsTs7d4c2h": 1.0, "KsTs8d4c2h": 3.0}, target="0.1%")
    >>> with TemporaryDirectory() as folder:
    ...     batch = run_batch(question, folder, plan_batch(question, workers=1)).batch
    ...     rows = break_down_boards(batch, "", "made")
    >>> [(row.name, round(row.weight, 2), row.equity) for row in rows]
    [('set', 0.08, 1.0), ('low-pair', 0.49, 0.0), ('nothing', 0.43, 0.0)]
    """
    breakdown_names(by)  # a bad one is bad on every board
    text = str(to_line(line))
    rows = _finished(batch)
    if boards is not None:
        rows = [row for row in rows if row.board in boards]
    kinds = KEPT_PARTS if by in KEPT_PARTS else (by,)
    reached = _reached(text, rows, _collect(batch, text, hands, rows, kinds, report))
    if actions is None:
        actions = list(dict.fromkeys(action for _, each in reached for action in each.actions))
    totals = PartTotals(by, actions)
    for row, each in reached:
        totals.add(
            each.parts[by], each.actions, deals=each.range_deals, pot=each.pot, times=row.weight
        )
    return totals.rows()


def _finished(batch: Batch) -> list[BoardRow]:
    rows = batch.rows()
    if not rows:
        raise ValueError(f"{batch.folder}: no board of this batch is solved yet")
    return rows


def _reached(
    line: str, rows: list[BoardRow], decisions: list[LineDecision]
) -> list[tuple[BoardRow, LineDecision]]:
    """The boards that have a line; `ValueError` if none has it, or different players act."""
    reached = [(row, each) for row, each in zip(rows, decisions, strict=True) if each.actions]
    if not reached:
        raise ValueError(f"no board has this line: {shorten(decisions[0].missing, 200)}")
    if len({each.player for _, each in reached}) > 1:
        raise ValueError(f"line {shorten(line)!r}: on some boards the other player acts there")
    return reached


def _collect(
    batch: Batch,
    line: str,
    hands: str | None,
    rows: list[BoardRow],
    by: tuple[str, ...],
    report: Report | None,
) -> list[LineDecision]:
    """The results of the solutions: from rows, from the cache, or by opening them."""
    if hands is not None:
        filter_hands(hands, parse_cards(rows[0].board))  # a bad filter is bad on every board
    asked = " ".join([line, *([] if hands is None else [hands])])
    if by != KEPT_PARTS:
        asked += f" by {', '.join(by)}"
    known = read_line(batch.folder, asked)
    before = len(known)
    kept = hands is None and by == KEPT_PARTS
    # Only on the first street can a line without cards be a decision.
    first = kept and not any(isinstance(token, int) for token in to_line(line).tokens)
    nowhere: LineDecision | None = None
    found: list[LineDecision] = []
    try:
        for row in rows:
            key = stamp(row)
            decision = known.get(key)
            if decision is None and first:
                there = read_first_street(batch.folder, row, line)
                decision = None if there is None else there.get(line, nowhere)
            if decision is None:
                decision = _open(batch, row.board, line, hands, by)
            if not decision.actions:
                nowhere = decision  # its reason is that of all boards
            known[key] = decision
            found.append(decision)
            if report is not None:
                report(len(found), len(rows))
    finally:
        if len(known) > before:
            write_line(batch.folder, asked, known)
    return found


def _open(
    batch: Batch, board: str, line: str, hands: str | None, by: tuple[str, ...]
) -> LineDecision:
    solution = batch.solution(board)
    try:
        view = solution.at(line)
    except ValueError as error:
        return LineDecision.none(str(error))
    return decide(view, hands, by, raked=not solution.spot.constant_sum)


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
