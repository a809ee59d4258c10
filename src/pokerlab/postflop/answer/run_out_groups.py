"""Run-outs in order, and several as one: by rank, by suit, by what they complete, or all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pokerlab.cards.board_hands.next_cards import CARD_EFFECTS
from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.errors import shorten
from pokerlab.postflop.answer.run_outs import Pair, RunOutReport, RunOutRow, realised

_EFFECT_NAMES = {
    "pair": "pairs the board",
    "flush": "flush",
    "straight": "straight",
    "overcard": "overcard",
    "blank": "blank",
}


def _first_effect(row: RunOutRow) -> str:
    return min(row.completes, key=CARD_EFFECTS.index)


GROUPINGS: dict[str, Callable[[RunOutRow], str]] = {
    "rank": lambda row: row.name[::2],
    "suit": lambda row: row.name[1::2],
    "completes": lambda row: _EFFECT_NAMES[_first_effect(row)],
}
"""What run-outs can be grouped by: the name of the group of each."""

_ORDERS: dict[str, Callable[[RunOutRow], tuple[int, ...]]] = {
    "rank": lambda row: tuple(-RANKS.index(rank) for rank in row.name[::2]),
    "suit": lambda row: tuple(-SUITS.index(suit) for suit in row.name[1::2]),
    "completes": lambda row: (CARD_EFFECTS.index(_first_effect(row)),),
}


def group_run_outs(report: RunOutReport, by: str) -> list[RunOutRow]:
    """The run-outs together by ``rank``, ``suit``, or what they do first of `CARD_EFFECTS`.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> from pokerlab.postflop.answer.run_outs import report_run_outs
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> report = report_run_outs(solve_spot(spot, target="1%"), "x/x")
    >>> [row.name for row in group_run_outs(report, "completes")]
    ['pairs the board', 'flush', 'straight', 'blank']
    >>> len(group_run_outs(report, "rank"))
    13
    """
    if by not in GROUPINGS:
        raise ValueError(f"group: {shorten(by)!r} is not known; known are {', '.join(GROUPINGS)}")
    groups: dict[str, list[RunOutRow]] = {}
    for row in sorted(report.rows, key=_ORDERS[by]):
        groups.setdefault(GROUPINGS[by](row), []).append(row)
    return [mean_run_out(report, rows, name) for name, rows in groups.items()]


def mean_run_out(
    report: RunOutReport, rows: Sequence[RunOutRow] | None = None, name: str = "all"
) -> RunOutRow:
    """Several run-outs (all, if None) as one, each as often as it comes."""
    rows = report.rows if rows is None else rows
    weights = [row.weight for row in rows]

    def both(pairs: Sequence[Pair]) -> Pair:
        return (
            _mean([pair[0] for pair in pairs], weights),
            _mean([pair[1] for pair in pairs], weights),
        )

    ev, equity = both([row.ev for row in rows]), both([row.equity for row in rows])
    frequencies, action_ev = [], []
    for number in range(len(report.actions)):
        taken = [row.frequencies[number] for row in rows]
        often = [weight * (share or 0.0) for weight, share in zip(weights, taken, strict=True)]
        frequencies.append(_mean(taken, weights))
        action_ev.append(_mean([row.action_ev[number] for row in rows], often))
    return RunOutRow(
        name,
        sum(weights),
        ev,
        equity,
        realised(ev, equity, report.pot),
        tuple(frequencies),
        tuple(action_ev),
    )


def sort_run_outs(report: RunOutReport, rows: Sequence[RunOutRow], sort: str) -> list[RunOutRow]:
    """Rows by a column of `RunOutReport.columns`, the largest number first.

    ``"oop_ev asc"`` puts the smallest first; ``ev``, ``equity`` and ``realisation`` are those of
    the player who acts. What is not known comes last.
    """
    words = sort.split()
    if not words or words[1:] not in ([], ["asc"], ["desc"]):
        raise ValueError(
            f"sort: {shorten(sort)!r} is not a column, maybe with asc or desc after it"
        )
    column = report.columns(rows)[column_named(report, words[0], "sort")]
    sign = 1 if words[1:] == ["asc"] else -1

    def place(number: int) -> tuple[bool, float]:
        value = column[number]
        return value is None, 0.0 if value is None else sign * value

    return [rows[number] for number in sorted(range(len(rows)), key=place)]


def column_named(report: RunOutReport, name: str, option: str) -> str:
    """The column of numbers that a user names; `ValueError` names those that there are."""
    numbers = [each for each in report.columns(()) if each not in ("card", "completes")]
    if name in ("ev", "equity", "realisation"):
        name = f"{'ip' if report.player == 1 else 'oop'}_{name}"
    if name not in numbers:
        raise ValueError(
            f"{option}: {shorten(name)!r} is not a column; there are {', '.join(numbers)}"
        )
    return name


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    known = [
        (value, weight)
        for value, weight in zip(values, weights, strict=True)
        if value is not None and weight > 0
    ]
    total = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / total if total > 0 else None
