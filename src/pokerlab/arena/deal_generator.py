"""Deals with chosen properties: some cards are fixed, the rest is enumerated or sampled.

To test a bot with one pocket against everything that can be dealt, fix the pocket of its seat; to
study a flop, fix the board. A pocket is cards (``AsKd``); in games with two private cards also a
range with weights (``QQ+, AKs:0.5``), in games with one also ranks (``K`` is any king of the deck;
``K, Qs`` one of some). Where private cards come one after the other, as in stud, cards stand in the
order in which they are dealt, and hands of a range come in both orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.codes import (
    RANKS,
    Cards,
    combo_cards,
    format_cards,
    parse_card,
    to_cards,
)
from pokerlab.cards.ranges.range import Range
from pokerlab.games import BettingGame, Deal
from pokerlab.runtime.errors import shorten

Pocket: TypeAlias = tuple[int, ...]

_MAX_TRIES = 10_000


class WeightedDeal(NamedTuple):
    """A deal, and how likely it is among all that are generated."""

    deal: Deal
    weight: float


class DealGenerator:
    """All deals of a game in which some cards are fixed.

    Parameters
    ----------
    game
        Whose deck and streets.
    pockets
        By seat: its private cards, or a range of them. Seats that are not named get any cards.
    board
        The first public cards.
    dead
        Cards that are not dealt.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> leduc = DealGenerator(load_game("leduc"), {0: "Ks"}, board="Kh")
    >>> for deal, weight in leduc.enumerate():
    ...     print(deal, weight)
    Ks|Jh/Kh 0.25
    Ks|Js/Kh 0.25
    Ks|Qh/Kh 0.25
    Ks|Qs/Kh 0.25
    >>> [str(deal) for deal, _ in DealGenerator(load_game("kuhn"), {0: "K"}).enumerate()]
    ['Ks|Js', 'Ks|Qs']
    >>> holdem = DealGenerator(load_game("holdem.limit.2p"), {0: "AsKd", 1: "QQ"}, "2c3d4h5s")
    >>> holdem.count
    264
    >>> for deal, weight in holdem.sample(2, np.random.default_rng(1)):
    ...     print(deal, weight)
    AsKd|QsQc/2c3d4h5s7h 0.5
    AsKd|QsQh/2c3d4h5s4c 0.5
    """

    def __init__(
        self,
        game: BettingGame,
        pockets: Mapping[int, Cards | Range] | None = None,
        board: Cards = "",
        dead: Cards = "",
    ) -> None:
        self.game = game
        self.board = to_cards(board)
        self.dead = to_cards(dead)
        self._pockets: dict[int, tuple[Pocket, ...]] = {}
        self._weights: dict[int, tuple[float, ...]] = {}
        known = [*self.board, *self.dead]
        for seat, pocket in sorted((pockets or {}).items()):
            if not 0 <= seat < game.players:
                raise ValueError(
                    f"pocket of seat {seat}: {game.name} has seats 0 to {game.players - 1}"
                )
            self._pockets[seat], self._weights[seat] = _choices(game, seat, pocket)
            if len(self._pockets[seat]) == 1:
                known += self._pockets[seat][0]
        _check_known(game, known, len(self.board))
        dealt = game.players * game.hole_cards[-1] + game.board_cards[-1]
        if dealt + len(self.dead) > len(game.deck):
            raise ValueError(
                f"{len(self.dead)} dead cards are too many: {game.name} deals {dealt} of"
                f" {len(game.deck)}"
            )

    @property
    def count(self) -> int:
        """How many deals there are to enumerate."""
        self._refuse_draws()
        return sum(1 for _ in self._pocket_choices()) * self._completions

    def count_up_to(self, most: int) -> int:
        """How many deals there are to enumerate, or any number above `most`.

        The hands that ranges allow are counted one by one, which may take for ever, so no more
        of them than it takes to get above `most`.
        """
        self._refuse_draws()
        enough = most // self._completions + 1
        return sum(1 for _ in islice(self._pocket_choices(), enough)) * self._completions

    @property
    def _completions(self) -> int:
        """How many ways there are to deal the rest once the pockets are dealt."""
        free = len(self.game.deck) - len(self.board) - len(self.dead)
        free -= len(self._pockets) * self.game.hole_cards[-1]
        ways = 1
        for size in self._group_sizes():
            ways *= comb(free, size)
            free -= size
        return ways

    def enumerate(self) -> Iterator[WeightedDeal]:
        """Every deal once; weights are probabilities, and sum to 1.

        Cards dealt together are one deal in whatever order; in a draw game there is no end
        of orders of the stub, so those are sampled only.
        """
        self._refuse_draws()
        total = sum(weight for _, weight in self._pocket_choices())
        if total == 0.0:
            raise ValueError("the pockets cannot be dealt together: they need the same cards")
        for pockets, weight in self._pocket_choices():
            used = {card for pocket in pockets.values() for card in pocket}
            used.update(self.board, self.dead)
            free = tuple(card for card in self.game.deck if card not in used)
            for deal in self._complete(pockets, free):
                yield WeightedDeal(deal, weight / total / self._completions)

    def sample(self, count: int, rng: np.random.Generator) -> Iterator[WeightedDeal]:
        """Random deals, all of the same weight; likelier ones are drawn more often."""
        if count < 1:
            raise ValueError(f"{count} deals cannot be sampled (1 or more)")
        for _ in range(count):
            yield WeightedDeal(self._random_deal(rng), 1.0 / count)

    def _random_deal(self, rng: np.random.Generator) -> Deal:
        game = self.game
        pockets = self._random_pockets(rng)
        used = {card for pocket in pockets.values() for card in pocket}
        used.update(self.board, self.dead)
        free = [int(card) for card in rng.permutation(game.deck) if card not in used]
        size = game.hole_cards[-1]
        holes = []
        for seat in range(game.players):
            if seat not in pockets:
                pockets[seat], free = tuple(free[:size]), free[size:]
            holes.append(pockets[seat])
        missing = game.board_cards[-1] - len(self.board)
        draws = sum(street.draw for street in game.streets)
        stub = tuple(free[missing:]) if draws else ()
        again = tuple(rng.permutation(game.deck).tolist()) if draws else ()
        return Deal(tuple(holes), (*self.board, *free[:missing]), stub, again)

    def _random_pockets(self, rng: np.random.Generator) -> dict[int, Pocket]:
        """Draw from all ranges at once, and again if two of them want the same card."""
        for _ in range(_MAX_TRIES):
            pockets = {
                seat: choices[_draw(self._weights[seat], rng)]
                for seat, choices in self._pockets.items()
            }
            if self._fit(pockets.values()):
                return pockets
        raise ValueError("the pockets can hardly be dealt together: they need the same cards")

    def _pocket_choices(self) -> Iterator[tuple[dict[int, Pocket], float]]:
        """Every way to deal the chosen pockets, with its weight."""
        seats = list(self._pockets)

        def choose(
            chosen: dict[int, Pocket], weight: float
        ) -> Iterator[tuple[dict[int, Pocket], float]]:
            if len(chosen) == len(seats):
                yield dict(chosen), weight
                return
            seat = seats[len(chosen)]
            for pocket, chance in zip(self._pockets[seat], self._weights[seat], strict=True):
                if self._fit([*chosen.values(), pocket]):
                    yield from choose({**chosen, seat: pocket}, weight * chance)

        yield from choose({}, 1.0)

    def _fit(self, pockets: Iterable[Pocket]) -> bool:
        cards = [*self.board, *self.dead]
        for pocket in pockets:
            cards += pocket
        return len(set(cards)) == len(cards)

    def _complete(self, pockets: dict[int, Pocket], free: tuple[int, ...]) -> Iterator[Deal]:
        """Deal the free cards to the other seats, then to the board, in every way."""
        seats = [seat for seat in range(self.game.players) if seat not in pockets]
        in_hand = self.game.hole_cards[-1]
        for groups in _groups(self._group_sizes(), free):
            cards = [card for group in groups for card in group]
            holes = dict(pockets)
            for place, seat in enumerate(seats):
                holes[seat] = tuple(cards[place * in_hand : (place + 1) * in_hand])
            yield Deal(
                tuple(holes[seat] for seat in range(self.game.players)),
                (*self.board, *cards[len(seats) * in_hand :]),
            )

    def _group_sizes(self) -> list[int]:
        """How many cards are dealt at a time: private ones by seat, then public ones by street."""
        seats = self.game.players - len(self._pockets)
        dealt = ((street.hole, street.up) for street in self.game.streets)
        sizes = [size for both in dealt for size in both] * seats
        fixed = len(self.board)
        for street in self.game.streets:
            known = min(fixed, street.board)
            fixed -= known
            sizes.append(street.board - known)
        return [size for size in sizes if size]

    def _refuse_draws(self) -> None:
        if any(street.draw for street in self.game.streets):
            raise ValueError(
                f"{self.game.name} has a draw: its deals can be sampled, not enumerated"
            )


def _choices(
    game: BettingGame, seat: int, pocket: Cards | Range
) -> tuple[tuple[Pocket, ...], tuple[float, ...]]:
    """The pockets that a seat may get, with weights."""
    size = game.hole_cards[-1]
    if size == 1 and isinstance(pocket, str):
        return _one_card_choices(game, seat, pocket)
    if not isinstance(pocket, Range):
        try:
            cards = to_cards(pocket)
        except ValueError:
            if not isinstance(pocket, str) or size != 2:
                raise
            pocket = Range(pocket)
        else:
            if len(cards) != size:
                raise ValueError(
                    f"pocket {format_cards(cards)!r} of seat {seat}: {game.name} deals {size}"
                    f" private card{'s' if size > 1 else ''}"
                )
            return (cards,), (1.0,)
    deck = set(game.deck)
    at_once = game.streets[0].hole == size
    found = [
        (cards, float(weight))
        for index, weight in enumerate(pocket.weights)
        if weight > 0 and set(combo_cards(index)) <= deck
        for cards in ([combo_cards(index)] if at_once else permutations(combo_cards(index)))
    ]
    if not found:
        raise ValueError(f"pocket of seat {seat}: the range has no hand of {game.name}")
    return tuple(cards for cards, _ in found), tuple(weight for _, weight in found)


def _one_card_choices(
    game: BettingGame, seat: int, text: str
) -> tuple[tuple[Pocket, ...], tuple[float, ...]]:
    """One of some cards, each as likely: ``Ks``, ``K`` for any suit, ``K, Qs``."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        try:
            cards = [parse_card(word)]
        except ValueError:
            cards = [card for card in game.deck if RANKS[card >> 2] == word.upper()]
        if not cards or cards[0] not in game.deck:
            raise ValueError(
                f"pocket {shorten(text)!r} of seat {seat}: {shorten(word)!r} is not a card of"
                f" {game.name}, which deals 1 private card (ranks {game.ranks}, suits {game.suits})"
            )
        for card in cards:
            if card in found:
                raise ValueError(
                    f"pocket {shorten(text)!r} of seat {seat}: {format_cards([card])} stands twice"
                )
            found.append(card)
    if not found:
        raise ValueError(f"pocket of seat {seat}: there is no card in {shorten(text)!r}")
    return tuple((card,) for card in found), (1.0,) * len(found)


def _check_known(game: BettingGame, known: Sequence[int], board: int) -> None:
    if board > game.board_cards[-1]:
        raise ValueError(
            f"public cards: {board} given, and {game.name} deals {game.board_cards[-1]}"
        )
    for place, card in enumerate(known):
        if card not in game.deck:
            raise ValueError(
                f"{format_cards([card])} is not in the deck of {game.name}"
                f" (ranks {game.ranks}, suits {game.suits})"
            )
        if card in known[:place]:
            raise ValueError(f"card {format_cards([card])} is given twice")


def _groups(sizes: Sequence[int], free: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to take groups of these sizes, one after the other."""
    if not sizes:
        yield ()
        return
    for group in combinations(free, sizes[0]):
        rest = tuple(card for card in free if card not in group)
        for others in _groups(sizes[1:], rest):
            yield (group, *others)


def _draw(weights: Sequence[float], rng: np.random.Generator) -> int:
    if len(weights) == 1:
        return 0
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
