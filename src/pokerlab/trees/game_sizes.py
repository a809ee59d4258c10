"""Sizes of games that nobody can write out: states, information sets and ends, counted exactly.

What players may do depends on chips and never on cards, so a size is betting lines times deals. A
*state* is a decision as somebody sees it who sees all cards; an *information set* is the same as
the player sees it who decides; an *end* is a whole hand with all of its cards.

A street is walked once for each set of players who are left at its beginning. In a no-limit game
for two, where thousands of sizes may be bet, lines are counted by what the player to act faces
instead: the total that was bet, and the last raise, which is the least for the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import comb, prod

from pokerlab.games.betting import Betting
from pokerlab.games.definition import BettingGame

MOST_CHIPS = 1200
"""Stacks of no-limit games up to this are counted: the work grows with their square."""
_MOST_WALKED = 300_000


@dataclass(frozen=True)
class CountedSize:
    """How large a game is.

    Attributes
    ----------
    states
        Decisions with all cards that were dealt.
    information_sets
        Decisions with the cards that the player sees.
    ends
        Finished hands with all cards that were dealt.
    """

    states: int
    information_sets: int
    ends: int


@dataclass(frozen=True)
class _Counted:
    """What is counted: a weight of decisions and of ends, and in how many ways a street is dealt.

    `ways` are, for each street, the deals of its cards once those of the streets before are known.
    """

    decision: int
    end: int
    ways: tuple[int, ...]


def count_size(game: BettingGame) -> CountedSize:
    """Count a game; `ValueError` for one that takes too long.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> count_size(load_betting_game("kuhn"))
    CountedSize(states=24, information_sets=12, ends=30)
    >>> count_size(load_betting_game("holdem.limit.2p")).information_sets
    319365922522608
    """
    if any(street.draw for street in game.streets):
        raise ValueError(f"{game.name}: cards are exchanged, so deals depend on what players do")
    if game.up_cards:
        raise ValueError(f"{game.name}: cards are dealt face up, to whoever is left")
    if any(street.hole for street in game.streets[1:]):
        raise ValueError(f"{game.name}: private cards of later streets depend on who is left")
    whole, seen = _ways(game, game.players), _ways(game, 1)
    count = _choose_counter(game)
    return CountedSize(
        count(_Counted(1, 0, whole)), count(_Counted(1, 0, seen)), count(_Counted(0, 1, whole))
    )


def _ways(game: BettingGame, hands: int) -> tuple[int, ...]:
    """In how many ways each street is dealt, for somebody who sees this number of hands."""
    left, found = len(game.deck), []
    for street in game.streets:
        ways = 1
        for number in [street.hole] * hands + [street.board]:
            ways *= comb(left, number)
            left -= number
        found.append(ways)
    return tuple(found)


def _choose_counter(game: BettingGame) -> Callable[[_Counted], int]:
    if game.betting == "limit":
        return lambda counted: _Walk(game, counted).count()
    stacks, blinds = set(game.stacks), game.blinds
    usual = game.betting == "no-limit" and game.players == 2 and len(stacks) == 1
    if not usual or game.ante or len(blinds) != 2 or blinds[0] <= blinds[1]:
        raise ValueError(f"{game.name}: only limit games and no-limit games for two are counted")
    (stack,) = stacks
    if stack > MOST_CHIPS:
        raise ValueError(
            f"{game.name}: stacks of {stack:,} chips are too many sizes to count; up to"
            f" {MOST_CHIPS:,} are"
        )
    return lambda counted: _SizedBets(game, stack, counted).count()


class _Walk:
    """Counts by walking the betting of a street once for each set of players who are left."""

    def __init__(self, game: BettingGame, counted: _Counted) -> None:
        self._game, self._counted = game, counted
        self._known: dict[Hashable, int] = {}

    def count(self) -> int:
        """The whole game."""
        return self._counted.ways[0] * self._below(self._game.first_betting)

    def _below(self, node: Betting) -> int:
        counted = self._counted
        if node.player < 0:
            rest = counted.ways[node.street + 1 :] if len(node.live) > 1 else ()
            return counted.end * prod(rest)
        key: Hashable = node.text
        if node.text.endswith("/"):
            key = (node.street, node.folded, node.spent if self._game.stacks else ())
        if key not in self._known:
            if len(self._known) > _MOST_WALKED:
                raise ValueError(f"{self._game.name}: too many betting lines to count")
            total = counted.decision
            for action in node.actions():
                after = node.after(action)
                between = counted.ways[node.street + 1 : after.street + 1]
                total += prod(between) * self._below(after)
            self._known[key] = total
        return self._known[key]


class _SizedBets:
    """Counts a no-limit game for two with equal stacks and two blinds.

    With all of a street's bets behind it, a player faces a total and a last raise. What lies below
    is the same for all lines that lead there, so each pair is counted once, and sums over the sizes
    of a raise are kept by their least.
    """

    def __init__(self, game: BettingGame, stack: int, counted: _Counted) -> None:
        self._game, self._stack, self._counted = game, stack, counted
        self._least = game.blinds[0]

    def count(self) -> int:
        """The whole game: streets from the last to the first."""
        counted, stack = self._counted, self._stack
        ways = counted.ways
        called = [counted.end] * (stack + 1)  # what lies below a call that ends the street
        for street in range(len(ways) - 1, 0, -1):
            raises = self._raises(called)
            # Nobody has bet: the first player checks, then the second.
            roots = [
                2 * counted.decision + called[total] + 2 * raises[total]
                for total in range(stack + 1)
            ]
            called = [ways[street] * roots[total] for total in range(stack + 1)]
            called[stack] = counted.end * prod(ways[street:])  # all-in: the cards come alone
        big = self._least
        raises = self._raises(called)
        small_blind = counted.decision + counted.end + raises[big]
        big_blind = counted.decision + called[big] + raises[big]
        return ways[0] * (small_blind + big_blind)

    def _raises(self, called: Sequence[int]) -> list[int]:
        """For each total, what lies below all raises from it, the first ones of a street."""
        stack, least = self._stack, self._least
        facing = [self._counted.decision + self._counted.end + each for each in called]
        all_in = facing[stack]
        sums: list[list[int]] = [[] for _ in range(stack + 1)]  # by total, then by the least raise
        first = [0] * (stack + 1)
        for total in range(stack - 1, -1, -1):
            room = stack - total
            if room < least:
                first[total] = all_in
                continue
            kept = [0] * (room + 1)
            below = 0
            for raised in range(room, least - 1, -1):
                reached = total + raised
                below += facing[reached]
                if reached + raised <= stack:
                    below += sums[reached][raised]
                elif reached < stack:
                    below += all_in
                kept[raised] = below
            sums[total] = kept
            first[total] = below
        return first
