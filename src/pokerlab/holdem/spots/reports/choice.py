"""Which hands of a decision to look at, and in what order: a filter, conditions, a sort.

Conditions and orders are written as `pokerlab.holdem.spots.reports.conditions` has them. Names are
the actions of the decision (how often a hand takes them), ``ev``, ``equity`` and ``weight``. A hand
whose number is not known fulfils no condition, and comes last in every order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import COMBO_CARDS, Cards, format_cards
from pokerlab.holdem.spots.reports.conditions import Condition, read_conditions, read_order
from pokerlab.holdem.spots.reports.export import HandRow
from pokerlab.runtime.errors import shorten

_NUMBERS = ("ev", "equity", "weight")

Number = Callable[[HandRow], float | None]


def choose_hands(
    rows: Sequence[HandRow],
    actions: Sequence[str],
    *,
    hands: str | None = None,
    board: Cards = (),
    where: str | None = None,
    sort: str | None = None,
) -> list[HandRow]:
    """Some rows of `hand_rows`, in order.

    Parameters
    ----------
    rows, actions
        The hands of a decision, and what they may do there.
    hands, board
        Only those that a filter lets through on the board: a range, made hands, draws (see
        `pokerlab.cards.filter_hands`).
    where
        Only those that fulfil the conditions, as ``"b120 > 0.5 and ev < 20"``.
    sort
        By a name, the largest number first; ``"ev asc"`` for the smallest. By default in the
        order of `rows`.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> from pokerlab.holdem.spots.reports.export import hand_rows
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> rows = hand_rows(solve_spot(spot, target="0.01%").at())
    >>> [row.name for row in choose_hands(rows, ["x", "a"], where="a > 99% and equity > 0.5")]
    ['7s7h', '7s7c', '7h7c']
    >>> [row.name for row in choose_hands(rows, ["x", "a"], hands="6s5s, 77", sort="ev")]
    ['7s7h', '7s7c', '7h7c', '6s5s']
    >>> choose_hands(rows, ["x", "a"], where="b50 > 0.5")
    Traceback (most recent call last):
    ValueError: where: 'b50' in 'b50 > 0.5' is not known here; known are x, a, ev, equity, weight
    """
    chosen = list(rows)
    if hands is not None:
        passed = filter_hands(hands, board).nonzero()[0].tolist()
        names = {format_cards(COMBO_CARDS[combo]) for combo in passed}
        chosen = [row for row in chosen if row.name in names]
    if where is not None:
        fulfilled = _read_conditions(where, actions)
        chosen = [row for row in chosen if all(condition(row) for condition in fulfilled)]
    if sort is not None:
        name, descending = read_order(sort)
        number = _named(name, actions, f"sort: {shorten(name)!r}")

        def place(row: HandRow) -> tuple[bool, float]:
            value = number(row)
            return value is None, 0.0 if value is None else -value if descending else value

        chosen.sort(key=place)
    return chosen


def _read_conditions(text: str, actions: Sequence[str]) -> list[Callable[[HandRow], bool]]:
    return [
        _fulfils(condition, actions)
        for condition in read_conditions(text, f"{actions[-1]} > 0.5 and ev < 20")
    ]


def _fulfils(condition: Condition, actions: Sequence[str]) -> Callable[[HandRow], bool]:
    where = f"where: {shorten(condition.name)!r} in {shorten(condition.text)!r}"
    number = _named(condition.name, actions, where)

    def is_fulfilled(row: HandRow) -> bool:
        value = number(row)
        return value is not None and bool(condition.compare(value, condition.limit))

    return is_fulfilled


def _named(name: str, actions: Sequence[str], where: str) -> Number:
    """What gives a hand's number of this name."""
    if name in actions:
        place = list(actions).index(name)
        return lambda row: row.strategy[place] if row.strategy else None
    if name in _NUMBERS:
        return operator.attrgetter(name)
    known = ", ".join((*actions, *_NUMBERS))
    raise ValueError(f"{where} is not known here; known are {known}")
