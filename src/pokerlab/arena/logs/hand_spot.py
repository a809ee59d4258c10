"""A played hand as a spot to solve: board, pot, stacks, and ranges where they are known.

Between two players the ranges are those of the charts of the package. At a fuller table the spot
is that of the two who see the flop, with the six-max ranges of the package, or those of a file, or
said one by one; where no ranges are known they are any two cards, and a note says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.arena.logs.history_hand import FOLD, RAISE, UNKNOWN_STACK, HandMove, HistoryHand
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.charts import SIX_MAX, shipped_chart, shipped_depth
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges

RARE = 0.01
"""The weight of a hand that was played, in a range that does not have it: it can be judged then."""
_SIZES = {"bet": ((50,), (66,), (75,)), "raise": ((60,), (60,), (60,))}
"""The sizes beside those of the hand, in percent, by street."""
_SAME = 1.25
"""Two sizes whose ratio is at most this stand for one another."""
_LARGEST = 400
"""Sizes above this, in percent of the pot, are all-in."""


class HandSpot(NamedTuple):
    """The spot of a hand.

    Attributes
    ----------
    spot
        From the flop on, or a later street.
    seats
        The positions in the hand of the players out of position and in position.
    note
        Where the ranges come from.
    """

    spot: Spot
    seats: tuple[int, int]
    note: str


def spot_of_history(
    hand: HistoryHand,
    *,
    oop: str | None = None,
    ip: str | None = None,
    ranges: str | Path | None = None,
    street: str = "flop",
    played_sizes: bool = False,
    runouts: str | None = None,
    with_cards_of: int | None = None,
) -> HandSpot:
    """The spot that a hand came to on the flop; `ValueError` where no two players played one.

    Parameters
    ----------
    hand
        The hand.
    oop, ip
        Ranges as text.
    ranges
        A file of ranges by position and action before the flop, or ``six-max`` for those of the
        package, for those that are not given.
    street
        Begin on the turn or the river: the pot and the stacks are those of then, the ranges still
        those of the flop, as nothing is known of what they did in between.
    played_sizes
        Give the spot the bet sizes of the hand beside a few others; otherwise it has those of
        every spot without its own.
    runouts
        As of `pokerlab.holdem.spots.Spot`; for spots from the flop on.
    with_cards_of
        A seat whose cards get the weight `RARE` if its range does not have them.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> acts = ["p2 cbr 250", "p1 cc", "d db QhJh2c", "p1 cbr 200", "p2 f"]
    >>> stacks, players = (10000, 10000), ("ann", "bob")
    >>> record = HistoryRecord(False, 1, (0, 0), (50, 100), stacks, 100, acts, players)
    >>> found = spot_of_history(follow(record), played_sizes=True)
    >>> found.spot.pot, found.spot.effective_stack, found.spot.aggressor, found.note
    (500, 9750, 'ip', 'ranges: the charts of two players, 100 big blinds, line r2.5/c')
    >>> found.spot.fields()["bet"]
    'flop: 40%; turn: 66%; river: 75%, a'
    """
    if hand.record.limit:
        raise ValueError("a hand of limit hold'em: spots are of no-limit hold'em")
    number = STREETS.index(street) + 1
    if not hand.two_on_flop:
        raise ValueError("no two players saw a flop")
    spent, live = hand.before(number)
    if len(hand.board) < 2 * (number + 2) or len(live) != 2:
        raise ValueError(f"no two players saw the {street}")
    unit, record = hand.record.unit, hand.record
    if UNKNOWN_STACK in record.stacks:
        raise ValueError("the stacks of the hand are not known, so nobody can solve it")
    behind = {seat: record.stacks[seat] - spent[seat] for seat in live}
    if not all(behind.values()):
        raise ValueError(f"no two players saw the {street} with chips behind")
    # Of two, the button is the second; else the seats stand in the order of the flop.
    first, second = sorted(live)
    raises = [move.seat for move in hand.moves if move.street == number - 1 and move.kind == RAISE]
    aggressor = {first: "oop", second: "ip"}.get(raises[-1]) if raises else None
    given, note = {first: oop, second: ip}, "ranges: as given"
    if oop is None or ip is None:
        found, note = _ranges(hand, ranges)
        given = {seat: text or found.get(seat, "any") for seat, text in given.items()}
    if with_cards_of in given and hand.holes[with_cards_of]:
        given[with_cards_of] = _with_hand(given[with_cards_of] or "any", hand.holes[with_cards_of])
    spot = Spot(
        hand.board[: 2 * (number + 2)],
        given[first] or "any",
        given[second] or "any",
        pot=sum(spent) / unit,
        stack=(behind[first] / unit, behind[second] / unit),
        big_blind=hand.big_blind,
        aggressor=aggressor,
        runouts=runouts if number == 1 else None,
        **(_played_menus(hand) if played_sizes else {}),
    )
    return HandSpot(spot, (first, second), note)


def _with_hand(text: str, cards: str) -> str:
    hands = Range(text)
    combo = combo_index(*parse_cards(cards))
    if hands.weights[combo] > 0:
        return text
    weights = hands.weights.copy()
    weights[combo] = RARE
    return str(Range(weights))


def _played_menus(hand: HistoryHand) -> dict[str, Any]:
    """Bets and raises as large as those of the hand, beside one size for each street."""
    menus: dict[str, list[str]] = {"bet": [], "raise": []}
    most = 2
    for number, street in enumerate(STREETS, 1):
        made = [move for move in hand.moves if move.street == number and move.kind == RAISE]
        most = max(most, len(made))
        for kind, menu in menus.items():
            sizes: list[int] = []
            allin = street == "river" or kind == "raise"
            for move in made:
                if (move.owed > 0) != (kind == "raise"):
                    continue
                percent = max(round(100 * move.share), 1)
                if move.to == hand.record.stacks[move.seat] or percent > _LARGEST:
                    allin = True
                elif percent not in sizes:
                    sizes.append(percent)
            for other in _SIZES[kind][number - 1]:
                if all(max(other, each) > _SAME * min(other, each) for each in sizes):
                    sizes.append(other)
            texts = [f"{each}%" for each in sorted(sizes)] + (["a"] if allin else [])
            menu.append(f"{street}: {', '.join(texts)}")
    return {
        "bet": "; ".join(menus["bet"]),
        "raise_": "; ".join(menus["raise"]),
        "max_bets": most,
        "force_allin": 0.2,
    }


def _ranges(hand: HistoryHand, file: str | Path | None) -> tuple[dict[int, str], str]:
    """Ranges by seat, as far as they are known, and where they come from."""
    acts = [move for move in hand.moves if move.street == 0]
    if file is not None:
        return _ranges_of_file(hand, acts, file), f"ranges: {Path(file).name}"
    if len(hand.spent) > 2:
        try:
            return _ranges_of_file(hand, acts, SIX_MAX), "ranges: six-max, for 100 big blinds"
        except ValueError as error:
            return {}, f"ranges: any two cards, as six-max has none here ({error}); say them"
    big = hand.big_blind * hand.record.unit
    stack = min(hand.record.stacks) / big
    depth = shipped_depth(stack)
    chart = shipped_chart(depth)
    line = chart.follow([_chart_act(hand, move, big) for move in acts])
    names = hand.positions
    found = {
        seat: str(chart.range_after(line, chart.players.index(names[seat]))) for seat in range(2)
    }
    empty = [names[seat] for seat, text in found.items() if not Range(text)]
    if empty:
        raise ValueError(f"in the charts {empty[0]} never plays {line}; say their ranges")
    return found, f"ranges: the charts of two players, {depth} big blinds, line {line}"


def _chart_act(hand: HistoryHand, move: HandMove, big: float) -> tuple[str, float | None]:
    if move.kind == RAISE:
        if move.to == hand.record.stacks[move.seat]:
            return "a", None
        return "r", (move.to - hand.record.dead[move.seat]) / big
    if move.kind == FOLD:
        return "f", None
    return ("c" if move.owed else "x"), None


def _ranges_of_file(hand: HistoryHand, acts: list[HandMove], file: str | Path) -> dict[int, str]:
    known = PreflopRanges.named(file)
    names, big = hand.positions, hand.big_blind * hand.record.unit
    parts, raised = [], False
    for move in acts:
        if move.kind == FOLD:
            continue  # a story leaves out who folds
        word = "check" if not move.owed else "call" if raised else "limp"
        if move.kind == RAISE:
            raised = True
            size = f"{(move.to - hand.record.dead[move.seat]) / big:.3f}".rstrip("0").rstrip(".")
            word = f"raise {size}"
        parts.append(f"{names[move.seat]} {word}")
    _, found = known.spot(", ".join(parts))
    return {names.index(name): str(hands) for name, hands in found.items()}
