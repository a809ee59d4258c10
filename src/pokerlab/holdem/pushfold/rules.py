"""`PushFoldRules`: who posts what, who may go all-in when, and what the ends are worth.

Players act once each, in order: the first to act first, the blinds last. Everybody folds or goes
all-in; those behind an all-in fold or call. At most `MOST_ALL_IN` players get all-in: with more
than three players, those behind a third all-in fold.

A player who has no more than they post is all-in before the cards are dealt. The last to act, who
has posted as much as all who are all-in have, sees the showdown without a decision; behind a
third all-in they fold, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.games.prizes.chip_model import (
    read_bounties,
    read_payouts,
    read_stacks,
    win_prizes,
)
from pokerlab.runtime.arrays import Bools, Floats
from pokerlab.runtime.errors import shorten

MOST_PLAYERS = 6
MOST_ALL_IN = 3
MOST_FORCED = 2
"""Players whom posting puts all-in: a third may see the showdown with them."""
_NO_CHIPS = 1e-9

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


class TableResult(NamedTuple):
    """What a hand leaves.

    Attributes
    ----------
    stacks : (players,)
        The chips of each player at the table.
    heads : (players and others,)
        The bounty on each head, or 0 for all of them; players who are out have none.
    won : (players,)
        Bounties that were paid in this hand.
    """

    stacks: Floats
    heads: Floats
    won: Floats


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
    bounties
        With payouts, on the heads of the players, and then of the others: none, one for all, or one
        each. Who wins the last chips of a player wins the bounty; bounties that are not won yet are
        worth money in proportion to chips.
    progressive
        Whether one half of a bounty goes on the winner's own head.

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
    bounties: tuple[float, ...] = ()
    progressive: bool = False

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
        if self.progressive and not self.bounties:
            raise ValueError("progressive: needs bounties")
        if self.bounties:
            if not self.payouts:
                raise ValueError("bounties: needs payouts")
            heads = read_bounties(self.bounties, len(stacks) + len(self.others)).tolist()
            object.__setattr__(self, "bounties", tuple(heads))
        if len(self.forced) > MOST_FORCED:
            names = ", ".join(self.positions[player] for player in self.forced)
            raise ValueError(
                f"stacks: {names} have no more than they post; at most {MOST_FORCED} players may be"
                " all-in before the cards are dealt"
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
        """What each player posts: antes and blinds, and no more than they have."""
        blinds = [0.0] * (self.players - 2) + [self.small_blind, 1.0]
        return tuple(
            min(self.ante + blind, stack) for blind, stack in zip(blinds, self.stacks, strict=True)
        )

    @cached_property
    def forced(self) -> Seats:
        """Players whom posting puts all-in."""
        both = zip(self.stacks, self.posted, strict=True)
        return tuple(player for player, (stack, posted) in enumerate(both) if stack <= posted)

    @property
    def pot(self) -> float:
        """All that is posted."""
        return sum(self.posted)

    @cached_property
    def nodes(self) -> tuple[tuple[int, Seats], ...]:
        """Every decision: who acts, and who went all-in before by choice."""
        found = [
            (player, before)
            for player in range(self.players)
            for before in self._lines(player)
            if self._decides(player, before)
        ]
        return tuple(sorted(found, key=lambda node: (node[0], len(node[1]), node[1])))

    @cached_property
    def ends(self) -> tuple[Seats, ...]:
        """Every end, by who went all-in by choice; without anybody, the big blind takes the pot."""
        return tuple(sorted(self._lines(self.players), key=lambda line: (len(line), line)))

    def shown(self, pushed: Seats) -> Seats:
        """Who may win the pot at an end besides those who fold, in the order of the table."""
        inside = {*pushed, *self.forced}
        if inside:
            for player in range(self.players):
                before = tuple(each for each in pushed if each < player)
                if len(inside) < MOST_ALL_IN and self._has_matched(player, before):
                    inside.add(player)
        return tuple(sorted(inside))

    def _lines(self, player: int) -> list[Seats]:
        """Who may have gone all-in by choice before a player acts."""
        lines: list[Seats] = [()]
        for earlier in range(player):
            pushes = [(*line, earlier) for line in lines if self._decides(earlier, line)]
            lines = lines + pushes
        return lines

    def _decides(self, player: int, before: Seats) -> bool:
        if player in self.forced or len(before) + len(self.forced) >= MOST_ALL_IN:
            return False
        return not self._has_matched(player, before)

    def _has_matched(self, player: int, before: Seats) -> bool:
        """Whether a player has posted all that anybody can ask for, without a decision."""
        behind = range(player + 1, self.players)
        return (
            player not in self.forced
            and all(each in self.forced for each in behind)
            and all(self.posted[each] <= self.posted[player] for each in behind)
            and all(self.stacks[each] <= self.posted[player] for each in before)
        )

    def results(self, pushed: Seats) -> tuple[TableResult, ...]:
        """What an end leaves, by the order in which those who show down finish."""
        seats = self.shown(pushed)
        return tuple(self._result(seats, ranks) for ranks in ORDERS.get(len(seats), ((0,),)))

    def final_stacks(self, seats: Seats, ranks: Sequence[int] = ()) -> Floats:
        """The stacks after a hand in which `seats` were all-in and showed down with some ranks."""
        return self._result(seats, ranks).stacks

    def _result(self, seats: Seats, ranks: Sequence[int]) -> TableResult:
        paid = np.array(self.posted)
        left = np.array(self.stacks)
        heads = np.array(self.bounties or np.zeros(self.players + len(self.others)))
        won = np.zeros(self.players)
        if len(seats) < 2:  # everybody else folds: what nobody calls goes back
            left -= paid
            left[seats[0] if seats else self.players - 1] += paid.sum()
            return TableResult(left, heads, won)
        for player in seats:
            paid[player] = self.stacks[player]
        left -= paid
        # Side pots: from the smallest amount up, each among those who have paid as much.
        taken = np.zeros(self.players)
        done = 0.0
        takers: dict[int, list[int]] = {}
        for level in sorted({paid[player] for player in seats}):
            layer = np.clip(paid, done, level) - done
            able = [place for place, player in enumerate(seats) if paid[player] >= level]
            best = min(ranks[place] for place in able)
            winners = [seats[place] for place in able if ranks[place] == best]
            taken[winners] += layer.sum() / len(winners)
            takers |= {seats[place]: winners for place in able}
            done = level
        above = np.maximum(paid - done, 0.0)  # antes and blinds above all stacks that are all-in
        left += taken + above
        for player, winners in takers.items():
            if left[player] > _NO_CHIPS:
                continue
            # Who took the last chips of a player has knocked them out.
            part = heads[player] / len(winners)
            paid_out = part / 2 if self.progressive else part
            won[winners] += paid_out
            heads[winners] += part - paid_out
            heads[player] = 0.0
        return TableResult(left, heads, won)

    def worth(
        self, stacks: Floats, heads: Floats | None = None, won: Floats | None = None
    ) -> Floats:
        """What a result is worth: big blinds, or percent of the prize pool with bounties.

        Without `heads` bounties are on the heads that they were on before the hand.
        """
        if not self.payouts:
            return stacks
        chips = np.array([*stacks, *self.others])
        alive, prizes = chips > _NO_CHIPS, np.array(self.payouts)
        money = np.zeros(len(chips))
        money[alive] = win_prizes(chips[alive], prizes[: alive.sum()])
        money += self.prizes_of_those_out(alive)
        if self.bounties:
            on_heads = self.bounties if heads is None else heads
            money += sum(on_heads) * chips / chips.sum()
            if won is not None:
                money[: self.players] += won
        return np.asarray(100 * money[: self.players] / self.pool)

    @property
    def pool(self) -> float:
        """All prizes and bounties."""
        return sum(self.payouts) + sum(self.bounties)

    def prizes_of_those_out(self, alive: Bools) -> Floats:
        """The prizes of those who are out; the larger stack before the hand takes the better place.

        `alive` is by player, with the others at the end.
        """
        money, prizes = np.zeros(len(alive)), np.array(self.payouts)
        out = [player for player in range(self.players) if not alive[player]]
        out.sort(key=lambda player: -self.stacks[player])
        places = np.concatenate([prizes, np.zeros(len(alive) - len(prizes))])[alive.sum() :]
        for player in out:
            equal = [
                place for place, each in enumerate(out) if self.stacks[each] == self.stacks[player]
            ]
            money[player] = places[equal].mean()
        return money
