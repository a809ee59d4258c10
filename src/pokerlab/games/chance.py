"""States of a hand whose cards come by chance: how trees are built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple, overload

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.games.betting import Betting, first_betting
from pokerlab.games.exchange import Swap, earlier_discards, exchanged
from pokerlab.games.protocol import CHANCE
from pokerlab.games.rules import GameRules
from pokerlab.games.state import HandState
from pokerlab.runtime.errors import shorten

BOARD = -1
"""Who gets the next cards, where it is the board."""


MAX_LISTED = 32_768
"""Outcomes of chance that are listed at once; of more, each is made when it is asked for."""


class _Deals(Sequence[str]):
    """All ways to deal `count` of some cards, in the order of `itertools.combinations`."""

    def __init__(self, sure: tuple[int, ...], choice: tuple[int, ...], count: int) -> None:
        self._sure, self._choice, self._count = sure, choice, count

    def __len__(self) -> int:
        return comb(len(self._choice), self._count)

    def __iter__(self) -> Iterator[str]:
        for cards in combinations(self._choice, self._count):
            yield format_cards(sorted(self._sure + cards))

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        left = number % len(self)
        cards = list(self._sure)
        missing = self._count
        for place, card in enumerate(self._choice):
            if not missing:
                break
            # How many deals have this card as the next one: those come first.
            first = comb(len(self._choice) - place - 1, missing - 1)
            if left < first:
                cards.append(card)
                missing -= 1
            else:
                left -= first
        return format_cards(sorted(cards))


class _Equal(Sequence[float]):
    """The same probability many times."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> float: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[float]: ...
    def __getitem__(self, number: int | slice) -> float | Sequence[float]:
        if isinstance(number, slice):
            return (1 / self._count,) * len(range(*number.indices(self._count)))
        if not -self._count <= number < self._count:
            raise IndexError(number)
        return 1 / self._count


class Pending(NamedTuple):
    """Cards that are still to come: on which street, for whom (a seat or `BOARD`), how many."""

    street: int
    owner: int
    number: int


class ChanceState(HandState):
    """A state of a hand in which cards come by chance (see `BettingGame.start`).

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = load_game("leduc").start()
    >>> state.player, state.actions()
    (-1, ('Jh', 'Js', 'Qh', 'Qs', 'Kh', 'Ks'))
    >>> state = state.apply("Js").apply("Kh").apply("c").apply("c")
    >>> state.actions(), state.chances(), state.apply("Qs").seen_by(0)
    (('Jh', 'Qh', 'Qs', 'Ks'), (0.25, 0.25, 0.25, 0.25), 'Js:cc/Qs')
    """

    __slots__ = ("_board", "_pending")

    _board: tuple[int, ...]
    _pending: tuple[Pending, ...]  # the next cards first

    @classmethod
    def first(cls, game: GameRules) -> ChanceState:
        """The state before any card has been dealt."""
        node = first_betting(game)
        pending = street_deals(node, range(node.street + 1))
        return cls._make(node, ((),) * game.players, (), (), pending)

    @classmethod
    def _make(
        cls,
        node: Betting,
        holes: tuple[tuple[int, ...], ...],
        board: tuple[int, ...],
        swaps: tuple[Swap, ...],
        pending: tuple[Pending, ...],
    ) -> ChanceState:
        state = cls()
        state.node = node
        state.player = CHANCE if pending else node.player
        state.holes = holes
        state._board = board
        state.swaps = swaps
        state._pending = pending
        return state

    @property
    def board(self) -> tuple[int, ...]:
        """The public cards so far."""
        return self._board

    @property
    def street(self) -> int:
        """Number of the street, 0 for the first; after an all-in, the street of the next cards."""
        return self._pending[0].street if self._pending else self.node.street

    def actions(self) -> Sequence[str]:
        """The next cards that may come, or the player's legal actions."""
        if self.player == CHANCE:
            deals = _Deals(*self._next_cards())
            return tuple(deals) if len(deals) <= MAX_LISTED else deals
        return super().actions()

    def chances(self) -> Sequence[float]:
        """The probability of each set of cards, at a chance node: all the same."""
        if self.player != CHANCE:
            return ()
        _, choice, count = self._next_cards()
        outcomes = comb(len(choice), count)
        return (1 / outcomes,) * outcomes if outcomes <= MAX_LISTED else _Equal(outcomes)

    def apply(self, action: str) -> ChanceState:
        """The state after `action`; `ValueError` says what would have been legal."""
        if self.player == CHANCE:
            return self._dealt(action)
        before = self.node
        swaps = self.swaps
        pending: tuple[Pending, ...] = ()
        if before.drawing:
            thrown = self._thrown(action)
            node = before.after(f"({len(thrown)})")
            swaps = (*swaps, Swap(self.player, thrown, ()))
            if thrown:
                pending = (Pending(before.street, self.player, len(thrown)),)
        else:
            node = before.after(action)
        if node.street != before.street:
            pending += street_deals(node, range(before.street + 1, node.street + 1))
        return self._make(node, self.holes, self._board, swaps, pending)

    def _dealt(self, action: str) -> ChanceState:
        _, owner, count = self._pending[0]
        sure, choice, free = self._next_cards()
        cards = tuple(sorted(parse_cards(action)))
        chosen = set(cards) - set(sure)
        if len(cards) != count or len(chosen) != free or not chosen <= set(choice):
            raise ValueError(
                f"illegal outcome {action!r} after {shorten(self.node.text)!r}: {count} of"
                f" {format_cards(sorted(sure + choice))} may come"
            )
        holes, board, swaps = self.holes, self._board, self.swaps
        if owner == BOARD:
            board += cards
        else:
            hand = holes[owner] + cards
            if self._replacing():
                swap = swaps[-1]._replace(received=cards)
                swaps = (*swaps[:-1], swap)
                hand = exchanged(holes[owner], swap)
            holes = (*holes[:owner], hand, *holes[owner + 1 :])
        return self._make(self.node, holes, board, swaps, self._pending[1:])

    def _replacing(self) -> bool:
        """Whether the next cards replace discards, which lie in the hand until then."""
        return bool(self.swaps) and len(self.swaps[-1].received) < len(self.swaps[-1].thrown)

    def _next_cards(self) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The cards that come for sure, those that may come, and how many of these."""
        count = self._pending[0].number
        gone = {card for hand in self.holes for card in hand}.union(
            self._board, *(swap.thrown for swap in self.swaps)
        )
        left = tuple(card for card in self.game.deck if card not in gone)
        if count <= len(left):
            return (), left, count
        back = earlier_discards(self.swaps[:-1], self.holes)
        return left, tuple(sorted(back)), count - len(left)


def street_deals(node: Betting, streets: Sequence[int]) -> tuple[Pending, ...]:
    """The cards that come at the beginning of some streets, in order."""
    deals: list[Pending] = []
    for street in streets:
        rules = node.game.streets[street]
        for number in (rules.hole, rules.up):
            if number:
                deals += [Pending(street, seat, number) for seat in node.live]
        if rules.board:
            deals.append(Pending(street, BOARD, rules.board))
    return tuple(deals)
