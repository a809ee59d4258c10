"""`PushFoldRules`: who posts what, who may go all-in when, and what the ends are worth.

Players act once each, in order: the first to act first, the blinds last. Everybody folds or goes
all-in; those behind an all-in fold or call. At most `MOST_ALL_IN` players get all-in: with more
than three players, those behind a third all-in fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from pokerlab.games.prizes.chip_model import read_payouts, read_stacks, win_prizes
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

MOST_PLAYERS = 6
MOST_ALL_IN = 3

Seats: TypeAlias = tuple[int, ...]
"""Players who are all-in, in the order of the table."""


def _weak_orders(players: int) -> tuple[tuple[int, ...], ...]:
    """All results of a showdown: the rank of each player, 0 for the best; ties share a rank."""
    found = []
    for ranks in product(range(players), repeat=players):
        if set(ranks) == set(range(max(ranks) + 1)):
            found.append(ranks)
    return tuple(found)


ORDERS = {2: ((0, 1), (0, 0), (1, 0)), 3: _weak_orders(3)}
"""By the number of players the results of a showdown: a win, a tie and a loss of the first of two;
13 of three."""


@dataclass(frozen=True)
class PushFoldRules:
    """A table before the cards are dealt.

    Parameters
    ----------
    stacks
        In big blinds before anything is posted, in the order in which players act: the last two are
        the small and the big blind; of two players the small blind acts first.
    payouts
        What the first, the second, ... of all players who are left win; chips count without.
    others
        With payouts, the stacks of players at other tables.
    small_blind, ante
        In big blinds; each player posts the ante.

    Examples
    --------
    >>> rules = PushFoldRules((10, 8, 12))
    >>> rules.positions, rules.pot
    (('BTN', 'SB', 'BB'), 1.5)
    >>> rules.final_stacks((0, 2), (0, 1)).tolist()
    [20.5, 7.5, 2.0]
    """

    stacks: tuple[float, ...]
    payouts: tuple[float, ...] = ()
    others: tuple[float, ...] = ()
    small_blind: float = 0.5
    ante: float = 0.0

    def __post_init__(self) -> None:
        stacks = read_stacks("stacks", self.stacks).tolist()
        if not 2 <= len(stacks) <= MOST_PLAYERS:
            raise ValueError(f"stacks: {len(stacks)} given; push or fold is for 2 to 6 players")
        object.__setattr__(self, "stacks", tuple(stacks))
        for name in ("small_blind", "ante"):
            amount = getattr(self, name)
            if isinstance(amount, bool) or not 0 <= amount <= 1:
                raise ValueError(f"{name}: {shorten(repr(amount))} is not from 0 to 1 big blind")
        if self.others:
            if not self.payouts:
                raise ValueError("others: needs payouts")
            object.__setattr__(self, "others", tuple(read_stacks("others", self.others).tolist()))
        if self.payouts:
            paid = read_payouts(self.payouts, len(stacks) + len(self.others)).tolist()
            object.__setattr__(self, "payouts", tuple(paid))
        for position, stack, posted in zip(self.positions, stacks, self.posted, strict=True):
            if stack <= posted:
                raise ValueError(
                    f"stacks: {position} has {stack:g} big blinds and posts {posted:g}; a stack"
                    " must be larger than what it posts"
                )

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.stacks)

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The names of the seats, in the order in which they act."""
        return ("UTG", "HJ", "CO", "BTN", "SB", "BB")[-self.players :]

    @cached_property
    def posted(self) -> tuple[float, ...]:
        """What each player posts: antes and blinds."""
        blinds = [0.0] * (self.players - 2) + [self.small_blind, 1.0]
        return tuple(self.ante + blind for blind in blinds)

    @property
    def pot(self) -> float:
        """All that is posted."""
        return sum(self.posted)

    @cached_property
    def nodes(self) -> tuple[tuple[int, Seats], ...]:
        """Every decision: who acts, and who went all-in before."""
        return tuple(
            (player, before)
            for player in range(self.players)
            for before in self._subsets(range(player), MOST_ALL_IN - 1)
            if before or player < self.players - 1
        )

    @cached_property
    def ends(self) -> tuple[Seats, ...]:
        """Every end, by who is all-in; without anybody, the big blind takes the pot."""
        found = self._subsets(range(self.players), MOST_ALL_IN)
        return tuple(seats for seats in found if seats != (self.players - 1,))

    @staticmethod
    def _subsets(players: Iterable[int], most: int) -> list[Seats]:
        members = list(players)
        return [each for size in range(most + 1) for each in combinations(members, size)]

    def final_stacks(self, seats: Seats, ranks: Sequence[int] = ()) -> Floats:
        """The stacks after a hand in which `seats` were all-in and showed down with some ranks."""
        paid = np.array(self.posted)
        left = np.array(self.stacks)
        if len(seats) < 2:  # everybody else folds: what nobody calls goes back
            left -= paid
            left[seats[0] if seats else self.players - 1] += paid.sum()
            return left
        for player in seats:
            paid[player] = self.stacks[player]
        left -= paid
        # Side pots: from the smallest amount up, each among those who have paid as much.
        taken = np.zeros(self.players)
        done = 0.0
        for level in sorted({paid[player] for player in seats}):
            layer = np.clip(paid, done, level) - done
            able = [place for place, player in enumerate(seats) if paid[player] >= level]
            best = min(ranks[place] for place in able)
            winners = [seats[place] for place in able if ranks[place] == best]
            taken[winners] += layer.sum() / len(winners)
            done = level
        above = np.maximum(paid - done, 0.0)  # antes and blinds above all stacks that are all-in
        return left + taken + above

    def worth(self, stacks: Floats) -> Floats:
        """What final stacks are worth: big blinds, or percent of the prize pool."""
        if not self.payouts:
            return stacks
        chips = np.array([*stacks, *self.others])
        alive, prizes = chips > 1e-9, np.array(self.payouts)
        money = np.zeros(len(chips))
        money[alive] = win_prizes(chips[alive], prizes[: alive.sum()])
        # Of those who are out, the larger stack before the hand takes the better place.
        out = [player for player in range(self.players) if not alive[player]]
        out.sort(key=lambda player: -self.stacks[player])
        places = np.concatenate([prizes, np.zeros(len(chips) - len(prizes))])[alive.sum() :]
        for player in out:
            equal = [
                place for place, each in enumerate(out) if self.stacks[each] == self.stacks[player]
            ]
            money[player] = places[equal].mean()
        return np.asarray(100 * money[: self.players] / prizes.sum())

    def worths(self, seats: Seats) -> Floats:
        """(orders, players): what an end is worth by the result of its showdown."""
        orders = ORDERS[len(seats)] if len(seats) > 1 else ((0,),)
        return np.array([self.worth(self.final_stacks(seats, ranks)) for ranks in orders])
