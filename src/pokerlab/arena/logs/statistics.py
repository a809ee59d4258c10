"""Statistics of players: actions by street and number of players, hands, and winnings.

A check counts as a call, as in the ACPC notation. *Active* are the players who have not folded,
the one who acts included.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import ReplayStep, steps
from pokerlab.cards.codes import combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.runtime.arrays import Floats, Int64s

ACTIONS = ("fold", "call", "raise")
_KINDS = {"f": 0, "c": 1, "r": 2}


class DrawRow(NamedTuple):
    """Draws of one number of cards.

    Attributes
    ----------
    cards
        How many cards were exchanged; 0 for who stood pat.
    draws, share
        How many draws, and which part of all draws of the player.
    mean, stderr
        Chips won in those hands on average, and the standard error.
    """

    cards: int
    draws: int
    share: float
    mean: float
    stderr: float


class WonTotals(NamedTuple):
    """What was won in hands that are not kept one by one.

    Attributes
    ----------
    hands
        Those whose result is known.
    total, squares
        The sum of what was won in each, and of the squares.
    """

    hands: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """Won in a hand, on average."""
        return _share(self.total, self.hands)

    @property
    def stderr(self) -> float:
        """The standard error of the mean."""
        if self.hands < 2:
            return float("nan")
        spread = max(self.squares - self.total**2 / self.hands, 0.0) / (self.hands - 1)
        return float(np.sqrt(spread / self.hands))


@dataclass(slots=True)
class PlayStatistics:
    """The actions of one player in some hands.

    Attributes
    ----------
    player
        The name.
    hands
        How many hands it was dealt.
    won
        What it won in each of them, in order.
    actions
        By street and number of active players, how often it folded, called and raised.
    classes
        By number of active players, the same on the first street for each of the 169 classes of
        starting hands, (169, 3); only in games with two private cards.
    entered, raised_first
        Hands in which it put in chips on the first street that it did not have to, and in which
        it raised there.
    bets, calls
        Bets and raises, and calls that cost something, after the first street (in games of one
        street: there).
    draws
        By number of cards exchanged at a draw, what it won in those hands.
    showdowns, showdowns_won
        Hands that it showed, and those of them in which it won chips.
    seatings
        In how many seatings each deal was played: more than 1 for the log of a whole duplicate
        match, whose hands come seating by seating.
    showdowns_hidden
        Showdowns of which nobody knows who won.
    winnings
        In place of `won`, where the hands are not kept one by one: in big blinds.
    """

    player: str
    hands: int = 0
    won: array[float] = field(default_factory=lambda: array("d"), repr=False)
    actions: dict[tuple[int, int], Int64s] = field(default_factory=dict)
    classes: dict[int, Int64s] = field(default_factory=dict, repr=False)
    entered: int = 0
    raised_first: int = 0
    bets: int = 0
    calls: int = 0
    draws: dict[int, array[float]] = field(default_factory=dict, repr=False)
    showdowns: int = 0
    showdowns_won: int = 0
    seatings: int = 1
    showdowns_hidden: int = 0
    winnings: WonTotals | None = None

    @property
    def vpip(self) -> float:
        """Share of the hands in which it put in chips of its own will on the first street."""
        return _share(self.entered, self.hands)

    @property
    def pfr(self) -> float:
        """Share of the hands in which it raised on the first street."""
        return _share(self.raised_first, self.hands)

    @property
    def aggression(self) -> float:
        """Bets and raises for each call, after the first street; infinite without calls."""
        if self.calls == 0:
            return float("inf") if self.bets else float("nan")
        return self.bets / self.calls

    @property
    def mean(self) -> float:
        """Chips won in a hand, on average; of `winnings`, big blinds."""
        return _mean(self.won) if self.winnings is None else self.winnings.mean

    @property
    def stderr(self) -> float:
        """The standard error of the mean: of a duplicate match, over deals as `Match` has it."""
        if self.winnings is not None:
            return self.winnings.stderr
        return _error(np.reshape(self.won, (self.seatings, -1)).mean(axis=0))

    @property
    def won_there(self) -> float:
        """Share of the showdowns that it won, of those whose result is known."""
        return _share(self.showdowns_won, self.showdowns - self.showdowns_hidden)

    def frequencies(self, street: int, active: int) -> tuple[float, float, float]:
        """How often it folded, called and raised on a street with `active` players in.

        NaN where it never acted.
        """
        counts = self.actions.get((street, active), np.zeros(3, np.int64))
        fold, call, raise_ = (_share(int(count), int(counts.sum())) for count in counts)
        return fold, call, raise_

    def class_table(self, action: str, active: int | None = None) -> Floats:
        """How often each class of starting hands took an action on the first street.

        The table is (13, 13) as in every poker chart: aces first, suited hands above the
        diagonal. NaN where the class never acted.

        Parameters
        ----------
        action
            ``fold``, ``call`` or ``raise``.
        active
            Only decisions with this number of players in; by default all.
        """
        if action not in ACTIONS:
            raise ValueError(f"no action {action!r}: there are {', '.join(ACTIONS)}")
        chosen = [counts for number, counts in self.classes.items() if active in (None, number)]
        counts = np.sum(chosen, axis=0) if chosen else np.zeros((GRID * GRID, 3))
        total = counts.sum(axis=1)
        table = np.full(GRID * GRID, np.nan)
        known = total > 0
        table[known] = counts[known, ACTIONS.index(action)] / total[known]
        return table.reshape(GRID, GRID)

    def draw_rows(self) -> list[DrawRow]:
        """By number of cards exchanged, fewest first: how often, and the winnings."""
        total = sum(map(len, self.draws.values()))
        return [
            DrawRow(cards, len(won), len(won) / total, _mean(won), _error(won))
            for cards, won in sorted(self.draws.items())
        ]

    def to_json(self) -> dict[str, Any]:
        """The figures as numbers and texts; None where there is nothing to divide by."""
        return {
            "hands": self.hands,
            "mean": _number(self.mean),
            "stderr": _number(self.stderr),
            "seatings": self.seatings,
            "vpip": _number(self.vpip),
            "pfr": _number(self.pfr),
            "aggression": _number(self.aggression),
            "showdowns": _number(_share(self.showdowns, self.hands)),
            "showdowns_won": _number(self.won_there),
            "actions": [
                {"street": street, "active": active}
                | dict(zip(ACTIONS, counts.tolist(), strict=True))
                for (street, active), counts in sorted(self.actions.items())
            ],
            "draws": [
                {
                    "cards": row.cards,
                    "draws": row.draws,
                    "share": row.share,
                    "mean": row.mean,
                    "stderr": _number(row.stderr),
                }
                for row in self.draw_rows()
            ],
        }


def play_statistics(hands: Iterable[PlayedHand]) -> dict[str, PlayStatistics]:
    """Count what each player did, by the name of the player.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> deal = game.make_deal(["AsAd", "7h2c"], "2d3d4h5s6c")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "crc/rf", (20.0, -20.0))
    >>> found = play_statistics([hand])
    >>> found["ann"].vpip, found["ann"].pfr, found["bob"].vpip, found["bob"].pfr
    (1.0, 1.0, 1.0, 0.0)
    >>> found["bob"].frequencies(1, 2), found["ann"].aggression
    ((1.0, 0.0, 0.0), inf)
    >>> float(found["ann"].class_table("raise")[0, 0])
    1.0
    """
    found: dict[str, PlayStatistics] = {}
    cards, tables = array("q"), array("q")
    for hand in hands:
        known = all(hand.deal.holes)
        cards.append(hash(hand.deal.holes) if known else len(cards))
        tables.append(hash(hand.players))
        seats = [found.setdefault(name, PlayStatistics(name)) for name in hand.players]
        entered: set[int] = set()
        raised: set[int] = set()
        for step in steps(hand):
            if step.before.node.drawing:
                won = seats[step.position].draws.setdefault(step.drawn, array("d"))
                won.append(hand.payoffs[step.position])
                continue
            seat, kind = step.position, _KINDS[step.action[0]]
            _count(seats[seat], step, kind)
            if step.before.street == 0 and (kind == 2 or (kind == 1 and step.before.to_call > 0)):
                entered.add(seat)
                if kind == 2:
                    raised.add(seat)
        live = hand.final.node.live
        for seat, player in enumerate(seats):
            player.hands += 1
            player.won.append(hand.payoffs[seat])
            player.entered += seat in entered
            player.raised_first += seat in raised
            if len(live) > 1 and seat in live:
                player.showdowns += 1
                player.showdowns_won += hand.payoffs[seat] > 0
    count = _count_seatings(np.array(cards), np.array(tables), len(found))
    for player in found.values():
        player.seatings = count if player.hands == len(cards) else 1
    return found


def _count_seatings(cards: Int64s, tables: Int64s, players: int) -> int:
    """In how many seatings the deals of a log were played; 1 if it is not a duplicate match.

    A duplicate match plays all deals in one seating, then all again in the next. Two hashes a
    hand tell: its private cards, which must come again, and who sits where, which must differ.
    """
    for seatings in (factorial(players), players) if players in (2, 3) else (players,):
        if seatings < 2 or len(cards) % seatings:
            continue
        dealt, seated = cards.reshape(seatings, -1), tables.reshape(seatings, -1)
        if (dealt == dealt[0]).all() and len(np.unique(seated[:, 0])) == seatings:
            return seatings
    return 1


def _count(player: PlayStatistics, step: ReplayStep, kind: int) -> None:
    state = step.before
    street, active = state.street, len(state.node.live)
    player.actions.setdefault((street, active), np.zeros(3, np.int64))[kind] += 1
    hole = state.holes[step.position]
    if street == 0 and len(hole) == 2:
        table = player.classes.setdefault(active, np.zeros((GRID * GRID, 3), np.int64))
        table[CLASS_OF_COMBO[combo_index(*hole)], kind] += 1
    if street > 0 or len(state.game.streets) == 1:
        player.bets += kind == 2
        player.calls += kind == 1 and state.to_call > 0


@dataclass(frozen=True, eq=False)
class WinCurve:
    """A player's winnings after each hand, with confidence bounds.

    Attributes
    ----------
    player
        The name.
    hands
        The numbers of hands: 1, 2, …, or only some of them.
    total
        The sum after each of these numbers of hands.
    low, high
        Between these the true mean times the number of hands lies, with the given confidence.
    """

    player: str
    hands: Int64s
    total: Floats
    low: Floats
    high: Floats


def win_curve(player: str, won: Sequence[float], *, sigmas: float = 1.96) -> WinCurve:
    """The sum of the winnings, with a band of `sigmas` standard errors.

    The spread is that of the hands so far, so the band is wide in the beginning.

    Examples
    --------
    >>> curve = win_curve("ann", [1.0, -1.0, 1.0, 3.0])
    >>> curve.total.tolist(), round(float(curve.high[-1]), 2)
    ([1.0, 0.0, 1.0, 4.0], 10.4)
    """
    each = np.asarray(won, np.float64)
    number = np.arange(1, len(each) + 1)
    total = np.cumsum(each)
    squares = np.cumsum(each**2) - total**2 / number
    spread = np.sqrt(np.maximum(squares, 0) / np.maximum(number - 1, 1))
    width = sigmas * spread * np.sqrt(number)
    return WinCurve(player, number, total, total - width, total + width)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _mean(won: Sequence[float]) -> float:
    return float(np.mean(won)) if len(won) else float("nan")


def _error(won: Sequence[float]) -> float:
    return float(np.std(won, ddof=1) / np.sqrt(len(won))) if len(won) > 1 else float("nan")


def _number(value: float) -> float | None:
    return value if np.isfinite(value) else None
