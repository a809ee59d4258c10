"""One round of bets: the player to act, the price of staying in, legal raises, and the end.

This is the machine below everything that bets. `pokerlab.games.Betting` joins rounds to the betting
of a hand; the betting trees of spots and the lines before the flop grow from rounds, and stories
are played by one.

The rules are those of the ACPC server and of card rooms; where the two differ (only ever with
unequal stacks), `RoundRules.reopen` says which holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol, Self

from pokerlab.games.protocol import TERMINAL


class RoundRules(Protocol):
    """The part of the rules that a round depends on; every `GameRules` has it."""

    @property
    def chips(self) -> Sequence[float]:
        """The most that each seat can put in; infinity without stacks."""

    @property
    def betting(self) -> str:
        """``"limit"``, ``"pot-limit"`` or ``"no-limit"``."""

    @property
    def reopen(self) -> str:
        """Whether a short all-in lets others raise again: ``"any"``, or only a ``"full"`` raise."""


class NoLimit(NamedTuple):
    """No-limit betting by the rules of card rooms, between seats with these chips."""

    chips: tuple[int, ...]
    betting: str = "no-limit"
    reopen: str = "full"


class BettingRound:
    """A point in a round of bets; it never changes, and an action makes another one.

    Parameters
    ----------
    rules
        The chips of the seats, and the kind of betting.
    spent
        The chips that each seat has put in before the round: blinds, earlier streets.
    order
        The seats in the order in which they act.
    smallest_bet
        The smallest increase of the first bet (in limit games, of every bet).
    price
        The price of staying in, if it is more than anybody has put in: the big blind of a player
        who cannot pay it.

    Attributes
    ----------
    player
        The seat that acts, or `TERMINAL` where the round is over.
    waiting
        The seats that will act if nobody raises; the first is `player`.
    acted
        The seats that have acted since the last full raise.
    spent
        Chips put in by each seat.
    folded
        Which seats have folded.
    price
        What a seat must have spent to stay in.
    raises
        Bets and raises made in this round.
    least_raise
        The smallest increase of the next raise.

    Examples
    --------
    >>> start = BettingRound(NoLimit((100, 100)), spent=(1, 2), order=(0, 1), smallest_bet=2)
    >>> start.player, start.to_call, start.raise_bounds()
    (0, 1, (4, 100))
    >>> raised = start.raise_to(6)
    >>> raised.player, raised.to_call, raised.raise_bounds()
    (1, 4, (10, 100))
    >>> called = raised.call()
    >>> called.player == TERMINAL, called.spent
    (True, (6, 6))
    """

    __slots__ = (
        "acted",
        "folded",
        "least_raise",
        "player",
        "price",
        "raises",
        "rules",
        "spent",
        "waiting",
    )

    rules: RoundRules
    player: int
    waiting: tuple[int, ...]
    acted: frozenset[int]
    spent: tuple[int, ...]
    folded: tuple[bool, ...]
    price: int
    raises: int
    least_raise: int

    def __init__(
        self,
        rules: RoundRules,
        spent: tuple[int, ...],
        order: Sequence[int],
        smallest_bet: int,
        price: int = 0,
    ) -> None:
        self.rules = rules
        self.spent = spent
        self.folded = (False,) * len(spent)
        self.price = max(price, *spent)
        self.raises = 0
        self.least_raise = smallest_bet
        self._give_turn(order)

    @property
    def to_call(self) -> int:
        """The chips that the player must add to stay in: all that is left, if that is less."""
        seat, price = self.player, self.price
        if seat < 0:
            return 0
        chips = self.rules.chips[seat]
        return (price if price <= chips else int(chips)) - self.spent[seat]

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not folded."""
        return tuple([seat for seat, gone in enumerate(self.folded) if not gone])

    def raise_bounds(self) -> tuple[int, int] | None:
        """The smallest and the greatest total that the player may raise to; None: no raise.

        In a limit game both are the one size there is. A player with fewer chips than the
        smallest raise may still raise with all of them.
        """
        rules, seat, price = self.rules, self.player, self.price
        chips = rules.chips
        if seat < 0 or chips[seat] <= price:
            return None
        spent = self.spent
        owed = price - spent[seat]
        others = [other for other in self.live if other != seat]
        if rules.reopen == "full":
            if seat in self.acted and owed < self.least_raise:
                return None  # only a short all-in came since this player's last turn
            able = [other for other in others if chips[other] > price]
        else:
            able = [other for other in others if chips[other] > spent[other]]
        if not able:
            return None  # nobody could call any of it
        lowest = int(min(price + self.least_raise, chips[seat]))
        if rules.betting == "limit":
            return lowest, lowest
        if rules.betting == "pot-limit":
            pot_after_call = sum(spent) + owed
            return lowest, int(min(chips[seat], max(lowest, price + pot_after_call)))
        return lowest, int(chips[seat])

    def fold(self) -> Self:
        """The round after the player folds."""
        after = self._copy()
        after._fold()
        after._end_turn()
        return after

    def call(self) -> Self:
        """The round after the player calls, or checks where nothing is to call."""
        after = self._copy()
        after._call()
        after._end_turn()
        return after

    def raise_to(self, total: int) -> Self:
        """The round after the player bets or raises to a total within `raise_bounds`."""
        after = self._copy()
        after._raise_to(total)
        after._end_turn()
        return after

    # What follows writes a round that nobody has seen yet.

    def _copy(self) -> Self:
        after = object.__new__(type(self))
        after.rules = self.rules
        after.player = self.player
        after.waiting = self.waiting
        after.acted = self.acted
        after.spent = self.spent
        after.folded = self.folded
        after.price = self.price
        after.raises = self.raises
        after.least_raise = self.least_raise
        return after

    def _set_spent(self, seat: int, total: int) -> None:
        spent = list(self.spent)
        spent[seat] = total
        self.spent = tuple(spent)

    def _fold(self) -> None:
        folded = list(self.folded)
        folded[self.player] = True
        self.folded = tuple(folded)
        if sum(folded) == len(folded) - 1:
            self.waiting = self.waiting[:1]  # nobody is left to act against

    def _call(self) -> None:
        self._set_spent(self.player, self.spent[self.player] + self.to_call)

    def _raise_to(self, total: int) -> None:
        rules, seat = self.rules, self.player
        increase = total - self.price
        if increase >= self.least_raise:
            self.acted = frozenset()
        if rules.betting != "limit":
            # The ACPC server lets the next raise end where it could have ended before a short
            # all-in; in a card room it must go up by a full raise again.
            least = self.least_raise if rules.reopen == "full" else self.least_raise - increase
            self.least_raise = max(increase, least)
        self._set_spent(seat, total)
        self.price = total
        self.raises += 1
        chips, spent, folded = rules.chips, self.spent, self.folded
        answering = [
            other
            for other in _seats_after(seat, len(spent))
            if not folded[other] and spent[other] < chips[other]
        ]
        self.waiting = (seat, *answering)

    def _end_turn(self) -> None:
        self.acted = self.acted | {self.player}
        self.waiting = self.waiting[1:]
        self.player = self.waiting[0] if self.waiting else TERMINAL

    def _give_turn(self, order: Sequence[int], *, even_one: bool = False) -> None:
        """Give the turn to the first player with something to decide, if there is one.

        `even_one` asks the only player with chips, too, by the rules of the ACPC server.
        """
        rules, spent, folded = self.rules, self.spent, self.folded
        chips = rules.chips
        waiting = [seat for seat in order if not folded[seat] and spent[seat] < chips[seat]]
        if rules.reopen == "full":
            # A player faces a decision where somebody else could put in more than this player has.
            live = self.live
            waiting = [
                seat
                for seat in waiting
                if any(chips[other] > spent[seat] for other in live if other != seat)
            ]
            idle = len(waiting) == 1 and spent[waiting[0]] >= self.price
        else:
            idle = len(waiting) == 1 and not even_one
        self.acted = frozenset()
        self.waiting = () if idle else tuple(waiting)
        self.player = self.waiting[0] if self.waiting else TERMINAL


@cache
def _seats_after(seat: int, seats: int) -> tuple[int, ...]:
    """The other seats in the order of play."""
    return (*range(seat + 1, seats), *range(seat))
