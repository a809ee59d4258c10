"""A played hand as a spot to solve: board, pot, stacks, and ranges where they are known.

Between two players the ranges are those of the charts of the package. At a fuller table the spot
is that of the two who see the flop, and their ranges must be said: by a file of ranges by position
and action, or one by one; otherwise they are any two cards, and a note says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.history_hand import FOLD, RAISE, UNKNOWN_STACK, HandMove, HistoryHand
from pokerlab.arena.logs.replay import steps
from pokerlab.cards.codes import format_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.charts import shipped_chart, shipped_depth
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges


def spot_of_hand(hand: PlayedHand) -> Spot:
    """The spot that a hand of hold'em came to on the flop; both ranges are any two cards.

    `ValueError` where no two players saw a flop with chips behind.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> deal = game.make_deal(["AsAd", "KsKd"], "QhJh2c4d7h")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "r300c/cc/cc/cc", (-300.0, 300.0))
    >>> spot = spot_of_hand(hand)
    >>> format_cards(spot.board), spot.pot, spot.effective_stack, spot.big_blind, spot.aggressor
    ('QhJh2c', 600, 19700, 100, 'ip')
    """
    if [street.hole for street in hand.game.streets] != [2, 0, 0, 0]:
        raise ValueError(f"{hand.game.name} is not hold'em")
    raiser: int | None = None
    for step in steps(hand):
        if step.before.street == 0 and step.action.startswith("r"):
            raiser = step.position
        state = step.after
        if step.before.street > 0 or state.street == 0:
            continue
        live = [seat for seat, folded in enumerate(state.folded) if not folded]
        behind = [float(state.stacks[seat]) for seat in live]
        if len(live) != 2 or not all(behind) or len(state.board) != 3:
            break
        first = state.player
        other = live[1] if live[0] == first else live[0]
        stacks = dict(zip(live, behind, strict=True))
        aggressor = {first: "oop", other: "ip"}.get(-1 if raiser is None else raiser)
        return Spot(
            format_cards(state.board),
            "any",
            "any",
            pot=state.pot,
            stack=(stacks[first], stacks[other]),
            big_blind=max(hand.game.blinds),
            aggressor=aggressor,
        )
    raise ValueError("no two players saw a flop with chips behind")


class HandSpot(NamedTuple):
    """The spot of a hand.

    Attributes
    ----------
    spot
        From the flop on.
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

    Examples
    --------
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord, follow
    >>> acts = ["p2 cbr 250", "p1 cc", "d db QhJh2c", "p1 cbr 200", "p2 f"]
    >>> stacks, players = (10000, 10000), ("ann", "bob")
    >>> record = HistoryRecord(False, 1, (0, 0), (50, 100), stacks, 100, acts, players)
    >>> found = spot_of_history(follow(record))
    >>> found.spot.pot, found.spot.effective_stack, found.spot.aggressor, found.note
    (500, 9750, 'ip', 'ranges: the charts of two players, 100 big blinds, line r2.5/c')
    """
    spent, live = hand.before_flop()
    if len(live) != 2 or len(hand.board) < 6:
        raise ValueError("no two players saw a flop")
    unit, record = hand.record.unit, hand.record
    behind = {seat: record.stacks[seat] - spent[seat] for seat in live}
    if UNKNOWN_STACK in record.stacks:
        raise ValueError("the stacks of the hand are not known, so nobody can solve it")
    if not all(behind.values()):
        raise ValueError("no two players saw a flop with chips behind")
    # Of two, the button is the second; else the seats stand in the order of the flop.
    first, second = sorted(live)
    raises = [move.seat for move in hand.moves if move.street == 0 and move.kind == RAISE]
    aggressor = {first: "oop", second: "ip"}.get(raises[-1]) if raises else None
    found, note = dict[int, str](), "ranges: as given"
    if oop is None or ip is None:
        found, note = _ranges(hand, ranges)
    spot = Spot(
        hand.board[:6],
        oop or found.get(first, "any"),
        ip or found.get(second, "any"),
        pot=sum(spent) / unit,
        stack=(behind[first] / unit, behind[second] / unit),
        big_blind=hand.big_blind,
        aggressor=aggressor,
    )
    return HandSpot(spot, (first, second), note)


def _ranges(hand: HistoryHand, file: str | Path | None) -> tuple[dict[int, str], str]:
    """Ranges by seat, as far as they are known, and where they come from."""
    acts = [move for move in hand.moves if move.street == 0]
    if file is not None:
        return _ranges_of_file(hand, acts, file), f"ranges: {file}"
    if len(hand.spent) > 2:
        return {}, (
            f"ranges: any two cards, as the package has no charts for {len(hand.spent)} players;"
            " name six-max or a file of ranges, or say them"
        )
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
        return "r", move.to / big
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
            size = f"{move.to / big:.3f}".rstrip("0").rstrip(".")
            word = f"raise {size}"
        parts.append(f"{names[move.seat]} {word}")
    _, found = known.spot(", ".join(parts))
    return {names.index(name): str(hands) for name, hands in found.items()}
