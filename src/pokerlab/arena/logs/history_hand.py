"""A hand as the table saw it: who acted, for how much, the cards that were shown, perhaps who won.

Hands of poker sites leave out what `pokerlab.arena.PlayedHand` needs: cards stay hidden at the
showdown, stacks are not known, somebody posts a blind out of turn. `follow` takes such a hand as
it was recorded. It checks who acts, that nobody bets chips that they do not have, and that streets
and hand are over where the record says so; how much a raise must be at least is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.games.showdown import share_pot
from pokerlab.holdem.spots.question.preflop_story import POSITIONS
from pokerlab.runtime.errors import shorten

FOLD, CALL, RAISE = range(3)
"""Kinds of moves; a check counts as a call, as in the ACPC notation."""
UNKNOWN_STACK = 10**15
"""Chips of a player whose stack is not known: it cannot run out."""
MAX_ACTIONS = 1_000
"""Actions of one hand, dealings among them; the longest of real hands have about 100."""
_HIDDEN = ("????", "-", "")
_BOARD = (0, 3, 4, 5)


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
        small blind). A blind that does not decide who begins, posted by a new player, is below 0.
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

    @property
    def antes(self) -> list[int]:
        """The dead chips of each position, in parts of a chip: in the pot, and in no bet."""
        record = self.record
        return [min(ante, own) for ante, own in zip(record.antes, record.stacks, strict=True)]

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
        if len(record.finishing) == seats and UNKNOWN_STACK not in record.stacks:
            ends = zip(record.finishing, record.stacks, strict=True)
            return tuple((end - start) / unit for end, start in ends)
        # A rake of a tenth is more than sites take; anything else is not the pot of this hand.
        if len(record.winnings) == seats and 0.9 * pot <= sum(record.winnings) <= pot:
            pairs = zip(record.winnings, self.spent, strict=True)
            return tuple((won - spent) / unit for won, spent in pairs)
        return None


def follow(record: HistoryRecord) -> HistoryHand:
    """Follow a record to its end; `UnreadHandError` says what cannot be."""
    stacks, blinds, antes = record.stacks, record.blinds, record.antes
    seats = len(stacks)
    if not 2 <= seats <= 10 or len(blinds) != seats or len(antes) != seats:
        raise UnreadHandError(
            f"{len(antes)} antes, {len(blinds)} blinds_or_straddles and {seats} starting_stacks:"
            " there must be one for each of 2 to 10 players"
        )
    if len(record.actions) > MAX_ACTIONS:
        raise UnreadHandError(f"more than {MAX_ACTIONS:,} actions")
    if record.players and len(record.players) != seats:
        raise UnreadHandError(f"{len(record.players)} players named, {seats} have stacks")
    if seats == 2:
        blinds = blinds[::-1]
    dead = [min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]
    spent = [
        gone + min(abs(blind), stack - gone)
        for gone, blind, stack in zip(dead, blinds, stacks, strict=True)
    ]
    bets = [total - gone for total, gone in zip(spent, dead, strict=True)]
    posted, pot, price = list(spent), sum(spent), max(0, *bets)
    folded, holes = [False] * seats, [""] * seats
    live, board, street = seats, "", 0
    highest = max(blinds)
    last = seats - 1 - list(reversed(blinds)).index(highest) if highest > 0 else seats - 1
    waiting = sum(total < stack for total, stack in zip(spent, stacks, strict=True))
    raised, least, acted = False, record.bet, 0
    moves: list[HandMove] = []
    for action in record.actions:
        kind, seat, word = _ACTIONS[action]
        if seat >= seats:
            raise UnreadHandError(f"action {shorten(action)!r}: there are players 1 to {seats}")
        if kind == _HOLE:
            if word:
                holes[seat] = word
            continue
        if kind == _DEALT:
            board += word
            if street > 2 or len(board) != 2 * _BOARD[street + 1]:
                raise UnreadHandError(f"board {shorten(board)}: hold'em has 3, 4 or 5 cards")
            if waiting and not _idle(spent, bets, stacks, folded, price):
                raise UnreadHandError(f"action {shorten(action)!r}: the street is not over")
            street += 1
            bets, price, last, acted, least = [0] * seats, 0, seats - 1, 0, record.bet
            waiting = sum(
                not gone and total < stack
                for gone, total, stack in zip(folded, spent, stacks, strict=True)
            )
            continue
        turn = last + 1 if last + 1 < seats else 0
        while folded[turn] or spent[turn] >= stacks[turn]:
            if turn == last:
                break
            turn = turn + 1 if turn + 1 < seats else 0
        if turn != seat or not waiting or live < 2 or folded[seat]:
            raise UnreadHandError(f"action {shorten(action)!r} is out of turn")
        owed = price - bets[seat]
        stack = stacks[seat]
        if owed > stack - spent[seat]:
            owed = stack - spent[seat]
        active, share = live, 0.0
        closed = False
        if owed and live == 2 and street:
            other = next(at for at in range(seats) if at != seat and not folded[at])
            closed = (
                stack - spent[seat] <= owed
                or stacks[other] <= spent[other]
                or bool(acted >> seat & 1 and owed < least)
            )
        if kind == FOLD:
            folded[seat] = True
            live -= 1
            waiting -= 1
        elif kind == CALL:
            bets[seat] += owed
            spent[seat] += owed
            pot += owed
            waiting -= 1
        else:
            total = _amount(word, record.unit, action)
            increase = total - price
            if increase <= 0 or total - bets[seat] > stack - spent[seat]:
                raise UnreadHandError(
                    f"action {shorten(action)!r}: the bet must be above"
                    f" {price / record.unit:g} and within the stack"
                )
            share = increase / (pot + owed)
            pot += total - bets[seat]
            spent[seat] += total - bets[seat]
            bets[seat] = price = total
            acted = 0 if increase >= least else acted
            least = max(least, increase)
            raised = True
            waiting = sum(
                not folded[at] and at != seat and spent[at] < stacks[at] for at in range(seats)
            )
        acted |= 1 << seat
        last = seat
        moves.append(HandMove(street, seat, kind, active, owed, spent[seat], share, closed))
    if live > 1 and waiting and not _idle(spent, bets, stacks, folded, price):
        if street < 3 or acted or UNKNOWN_STACK not in stacks:
            raise UnreadHandError("the hand is cut: it is not over after its last action")
        moves = _before_run_out(moves)
    if live > 1 and street < 3 and not _all_in(spent, stacks, folded):
        raise UnreadHandError("the hand is cut: cards of the board are missing")
    _check_cards(board, holes)
    if raised or price:
        _return_uncalled(spent)
    return HistoryHand(
        record, moves, holes, board, posted, spent, [at for at in range(seats) if not folded[at]]
    )


_HOLE, _DEALT = 3, 4
"""What an action is beside the kinds of moves: cards of a player, or of the board."""


class _Actions(dict[str, tuple[int, int, str]]):
    """Kind, seat and the word behind them (an amount, or cards that are known) of an action."""

    def __missing__(self, action: str) -> tuple[int, int, str]:
        found = self._read(action.split(" "))
        if found is None:
            raise UnreadHandError(
                f"bad action {shorten(action)!r}: hold'em has d dh, d db, f, cc, cbr AMOUNT and sm"
            )
        if len(self) < 100_000 and len(action) < 40:
            self[action] = found
        return found

    def _read(self, words: list[str]) -> tuple[int, int, str] | None:
        match words:
            case ["d", "dh", player, cards]:
                return _HOLE, _seat(player), _known(cards)
            case ["d", "db", cards]:
                return _DEALT, 0, cards
            case [player, "sm", *cards] if len(cards) < 2:
                return _HOLE, _seat(player), _known("".join(cards))
            case [player, "f"]:
                return FOLD, _seat(player), ""
            case [player, "cc"]:
                return CALL, _seat(player), ""
            case [player, "cbr", amount]:
                return RAISE, _seat(player), amount
        return None


_ACTIONS: Mapping[str, tuple[int, int, str]] = _Actions()


def _known(cards: str) -> str:
    """Cards, or nothing where they are hidden."""
    return "" if cards in _HIDDEN or "?" in cards else cards


def _seat(player: str) -> int:
    """The seat of ``p1`` to ``p10``; any other text is no seat of any hand."""
    return _SEATS.get(player, len(_SEATS))


_SEATS = {f"p{seat + 1}": seat for seat in range(10)}


class _Amounts(dict[str, int]):
    """Amounts of chips as hundredths, by text; None is not one of them."""

    def __missing__(self, text: str) -> int:
        whole, point, part = text.partition(".")
        good = whole.isascii() and whole.isdigit() and len(whole) <= 12 and len(part) <= 2
        if not good or (point and not (part.isascii() and part.isdigit())):
            raise UnreadHandError(f"{shorten(text)!r} is not an amount of chips")
        if len(whole) > 1 and whole[0] == "0":
            raise UnreadHandError(f"{shorten(text)!r} is not an amount of chips")
        value = 100 * int(whole) + (int(part) * (10 if len(part) == 1 else 1) if part else 0)
        if len(self) < 100_000:
            self[text] = value
        return value


CENTS: Mapping[str, int] = _Amounts()
"""Hundredths of a chip by the text of an amount with at most two decimals."""


_AMOUNT = re.compile(r"(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?")


def _amount(text: str, unit: int, action: str) -> int:
    if unit == 100:
        return CENTS[text]
    if not _AMOUNT.fullmatch(text):
        raise UnreadHandError(f"action {shorten(action)!r}: not an amount of chips")
    value = Decimal(text) * unit
    if value > UNKNOWN_STACK or value % 1:
        raise UnreadHandError(f"action {shorten(action)!r}: not an amount of chips")
    return int(value)


def _idle(
    spent: list[int], bets: list[int], stacks: Sequence[int], folded: list[bool], price: int
) -> bool:
    """Whether the only players who could act have paid the price, and nobody can answer them."""
    able = [at for at in range(len(spent)) if not folded[at] and spent[at] < stacks[at]]
    return len(able) < 2 and all(bets[at] >= price for at in able)


def _all_in(spent: list[int], stacks: Sequence[int], folded: list[bool]) -> bool:
    """Whether at most one player can bet; who has a stack that is not known may be all-in."""
    live = [at for at in range(len(spent)) if not folded[at]]
    able = [at for at in live if spent[at] < stacks[at] != UNKNOWN_STACK]
    return len(able) < 2


def _before_run_out(moves: list[HandMove]) -> list[HandMove]:
    """The moves up to the call of an all-in bet, whose size shows only in what comes after it.

    Where stacks are not known, sites' histories have come with checks for the streets that were
    only dealt, all but the last.
    """
    raises = [at for at, move in enumerate(moves) if move.kind == RAISE]
    if not raises:
        raise UnreadHandError("the hand is cut: nobody acts on the river, and nobody has bet")
    street = moves[raises[-1]].street
    return [move for move in moves if move.street <= street]


def _return_uncalled(spent: list[int]) -> None:
    second, most = sorted(spent)[-2:]
    if most > second:
        spent[spent.index(most)] = second


_CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def _check_cards(board: str, holes: list[str]) -> None:
    cards = [board[at : at + 2] for at in range(0, len(board), 2)]
    for hole in holes:
        if hole:
            if len(hole) != 4:
                raise UnreadHandError(f"cards {shorten(hole)!r}: a hand of hold'em has two cards")
            cards += (hole[:2], hole[2:])
    if len(set(cards)) < len(cards) or not _CARDS.issuperset(cards):
        shown = shorten(" ".join(cards))
        raise UnreadHandError(f"cards {shown!r}: each must be one of a deck, and come once")
