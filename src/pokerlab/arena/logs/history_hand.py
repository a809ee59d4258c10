"""A hand as the table saw it: who acted, for how much, the cards that were shown, perhaps who won.

Hands of poker sites leave out what `pokerlab.arena.PlayedHand` needs: cards stay hidden at the
showdown, stacks are not known, somebody posts a blind out of turn. A `HistoryRecord` is such a hand
as it was recorded, and `pokerlab.arena.logs.following` makes a `HistoryHand` of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.games.showdown import share_pot
from pokerlab.holdem.spots.question.preflop_story import POSITIONS

FOLD, CALL, RAISE = range(3)
"""Kinds of moves; a check counts as a call, as in the ACPC notation."""
UNKNOWN_STACK = 10**15
"""Chips of a player whose stack is not known: it cannot run out."""


class UnreadHandError(ValueError):
    """A hand that cannot be read, or is of a game other than hold'em.

    Parameters
    ----------
    reason
        One line.
    variant
        The other game, if that is the reason; else empty.
    """

    def __init__(self, reason: str, variant: str = "") -> None:
        super().__init__(reason)
        self.variant = variant


class HistoryRecord(NamedTuple):
    """What a file says of a hand, amounts as whole numbers of `unit`-ths of a chip.

    Attributes
    ----------
    limit
        Whether bets have fixed sizes.
    unit
        Parts of a chip: 100 for cents.
    antes, blinds, stacks
        By position, the small blind first; two players too (the second has the button, and the
        small blind). A blind that does not decide who begins, posted by a new player, is below 0;
        what it has above the big blind is dead.
    bet
        The smallest bet.
    actions
        Those of the PHH format, dealings among them.
    players
        Names; empty if there are none.
    number
        The number of the hand, as text.
    finishing, winnings
        The stacks at the end and what was taken from the pot, if the file has them.
    when
        The minute in which it was played, as a number: 202401020304; 0 if that is not known.
    """

    limit: bool
    unit: int
    antes: Sequence[int]
    blinds: Sequence[int]
    stacks: Sequence[int]
    bet: int
    actions: Sequence[str]
    players: Sequence[str]
    number: str = ""
    finishing: Sequence[int] = ()
    winnings: Sequence[int] = ()
    when: int = 0

    @property
    def dead(self) -> list[int]:
        """The chips of each position that are in the pot and in no bet, antes for example."""
        blinds = self.blinds[::-1] if len(self.blinds) == 2 else self.blinds
        highest = max(blinds)
        if highest <= 0 or min(blinds) >= -highest:
            return [min(ante, stack) for ante, stack in zip(self.antes, self.stacks, strict=True)]
        return [
            min(ante + max(-blind - highest, 0), stack)
            for ante, blind, stack in zip(self.antes, blinds, self.stacks, strict=True)
        ]


class HandMove(NamedTuple):
    """One decision of a hand.

    Attributes
    ----------
    street, seat, kind
        From 0; `FOLD`, `CALL` or `RAISE`.
    active
        The players who have not folded, this one included.
    owed
        What a call costs.
    to
        The total of the player afterwards, over the whole hand.
    share
        A bet or raise beyond the call, as a share of the pot after calling; else 0.
    closed
        Whether two players are in and the bet that this one faces cannot be raised.
    """

    street: int
    seat: int
    kind: int
    active: int
    owed: int
    to: int
    share: float
    closed: bool


class HistoryHand:
    """A hand that was checked; see `HistoryRecord` and `HandMove` for what it is made of.

    Attributes
    ----------
    record
        What the file says.
    moves
        All decisions, in order.
    holes
        The private cards of each position as text, empty where nobody showed them.
    board
        The public cards as text.
    posted
        What each position put in before anybody acted.
    spent
        What each position put in, without what nobody called.
    live
        The positions that did not fold.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> deals = ["d dh p1 AsKd", "d dh p2 ????"]
    >>> acts = ["p2 cbr 300", "p1 cc", "d db QhJh2c", "p1 cbr 200", "p2 f"]
    >>> stacks, players = (20000, 20000), ("ann", "bob")
    >>> hand = follow(
    ...     HistoryRecord(False, 1, (0, 0), (50, 100), stacks, 100, deals + acts, players)
    ... )
    >>> [(move.seat, move.kind, move.owed, round(move.share, 2)) for move in hand.moves]
    [(1, 2, 50, 1.0), (0, 1, 200, 0.0), (0, 2, 0, 0.33), (1, 0, 200, 0.0)]
    >>> hand.payoffs, hand.big_blind, hand.holes
    ((300.0, -300.0), 100.0, ('AsKd', ''))
    """

    def __init__(
        self,
        record: HistoryRecord,
        moves: list[HandMove],
        holes: list[str],
        board: str,
        posted: list[int],
        spent: list[int],
        live: list[int],
    ) -> None:
        self.record = record
        self.moves = moves
        self.holes = tuple(holes)
        self.board = board
        self.posted = posted
        self.spent = spent
        self.live = live

    @property
    def players(self) -> tuple[str, ...]:
        """Who sat at each position."""
        names = self.record.players
        return tuple(names) or tuple(f"p{seat + 1}" for seat in range(len(self.spent)))

    @property
    def blinds(self) -> tuple[float, float]:
        """The small and the big blind, in chips; the small one is 0 where nobody paid it."""
        paid = sorted(blind for blind in self.record.blinds[:2] if blind > 0)
        big = paid[-1] if paid else self.record.bet
        small = paid[0] if len(paid) == 2 else 0
        return small / self.record.unit, big / self.record.unit

    @property
    def big_blind(self) -> float:
        """The unit of play, in chips."""
        return self.blinds[1] or 1.0

    @property
    def raises(self) -> int:
        """Raises before the flop."""
        return sum(move.street == 0 and move.kind == RAISE for move in self.moves)

    @property
    def pot(self) -> float:
        """What all put in, in chips."""
        return sum(self.spent) / self.record.unit

    @property
    def positions(self) -> tuple[str, ...]:
        """The position of each player: ``SB``, ``BB``, then those before them."""
        names = POSITIONS[-len(self.spent) :] if len(self.spent) < 10 else ("UTG", *POSITIONS)
        return names[::-1] if len(names) == 2 else (*names[-2:], *names[:-2])

    def before(self, street: int) -> tuple[list[int], list[int]]:
        """What each position has put in when a street begins (1: the flop), and who is still in."""
        spent, live = list(self.posted), list(range(len(self.spent)))
        for move in self.moves:
            if move.street < street:
                spent[move.seat] = move.to
                if move.kind == FOLD:
                    live.remove(move.seat)
        return spent, live

    @property
    def two_on_flop(self) -> bool:
        """Whether two players, and no more, saw a flop."""
        return len(self.board) >= 6 and len(self.before(1)[1]) == 2

    @cached_property
    def payoffs(self) -> tuple[float, ...] | None:
        """What each position won or lost, in chips; None where nobody knows.

        By the rules where one player is left or all cards were shown (no rake is taken then); else
        from the stacks at the end, or from what the file says was taken from the pot.
        """
        record, unit = self.record, self.record.unit
        pot, seats = sum(self.spent), len(self.spent)
        if len(self.live) == 1:
            won = [-spent for spent in self.spent]
            won[self.live[0]] += pot
            return tuple(each / unit for each in won)
        if len(self.board) == 10 and all(self.holes[seat] for seat in self.live):
            board = parse_cards(self.board)
            strengths = {
                seat: -evaluate_cards((*parse_cards(self.holes[seat]), *board))
                for seat in self.live
            }
            return tuple(each / unit for each in share_pot(self.spent, strengths))
        taken = []
        if len(record.finishing) == seats and UNKNOWN_STACK not in record.stacks:
            ends = zip(record.finishing, record.stacks, self.spent, strict=True)
            taken.append([end - start + spent for end, start, spent in ends])
        if len(record.winnings) == seats:
            taken.append(list(record.winnings))
        for each in taken:
            # A rake of a tenth is more than sites take; anything else is not the pot of this hand.
            if min(each) >= 0 and 0.9 * pot <= sum(each) <= pot:
                pairs = zip(each, self.spent, strict=True)
                return tuple((won - spent) / unit for won, spent in pairs)
        return None
