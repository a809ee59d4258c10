"""Following the record of a hand to its end: who acts, what it costs, what everybody put in.

`follow` checks who acts, that nobody bets chips that they do not have, and that streets and hand
are over where the record says so; how much a raise must be at least is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from pokerlab.arena.logs.history_hand import (
    CALL,
    FOLD,
    RAISE,
    UNKNOWN_STACK,
    HandMove,
    HistoryHand,
    HistoryRecord,
    UnreadHandError,
)
from pokerlab.runtime.errors import shorten

MAX_ACTIONS = 1_000
"""Actions of one hand, dealings among them; the longest of real hands have about 100."""
_HIDDEN = ("????", "-", "")
_BOARD = (0, 3, 4, 5)


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
    dead = record.dead
    highest = max(blinds)
    most = highest if highest > 0 else UNKNOWN_STACK
    spent = [
        gone + min(abs(blind), most, stack - gone)
        for gone, blind, stack in zip(dead, blinds, stacks, strict=True)
    ]
    bets = [total - gone for total, gone in zip(spent, dead, strict=True)]
    posted, pot, price = list(spent), sum(spent), max(0, *bets)
    folded, holes = [False] * seats, [""] * seats
    live, board, street = seats, "", 0
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
