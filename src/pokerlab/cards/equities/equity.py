"""Equity: what share of the pot each of two to nine players wins on average at showdown."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np

from pokerlab.cards.codes import Cards, card_mask, format_cards, to_cards
from pokerlab.cards.equities.equity_kernels import (
    Seats,
    add_deals,
    add_duels,
    list_deals,
    sample_deals,
)
from pokerlab.cards.equities.showdown_kernels import add_showdowns
from pokerlab.cards.equities.showdowns import COMBO_MASKS, select_hands, sum_over_boards
from pokerlab.cards.equities.strength import parse_board
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.suits import symmetries
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Bytes, Floats, Int32s, Int64s
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import core_count

# What exact enumeration may cost before Monte Carlo takes its place: about four seconds.
_LONGEST_EXACT_NS = 4e9
_NS_A_BOARD_OF_COMBOS = 2_000
_NS_A_SORTED_COMBO = 12
_NS_A_SEAT = 6
_MAX_LISTED_DEALS = 2_000_000
_FEW_HANDS = 8
_MOST_SAMPLES = 10**15
_DEFAULT_SAMPLES = 1_000_000
_PARTS = 32


@dataclass(frozen=True)
class Equity:
    """The players' shares, in the order in which they were given; they sum to 1."""

    values: tuple[float, ...]
    """Chance to win plus the share of the ties."""
    wins: tuple[float, ...]
    """Chance to win alone."""
    ties: tuple[float, ...]
    """Share of the pot won in ties: `values` minus `wins`."""
    error: float
    """0 if exact, otherwise the largest standard error of the values."""
    samples: int
    """Number of random deals; 0 if exact."""

    @property
    def value(self) -> float:
        """The first player's equity."""
        return self.values[0]

    @property
    def exact(self) -> bool:
        """Whether every deal was played."""
        return self.samples == 0


def equity(
    *players: Range | str,
    board: Cards = "",
    dead: Cards = "",
    samples: int | None = None,
    exact: bool | None = None,
    rng: np.random.Generator | int = 0,
) -> Equity:
    """Equity of hands or ranges against each other, all in before the next card.

    Exact when enumeration takes at most about four seconds, otherwise Monte Carlo; `Equity.error`
    is 0 in the first case and one standard error in the second.

    Parameters
    ----------
    players
        Two to nine hands or ranges: ``"AsAd"``, ``"QQ+, AK"``, ``"random"`` or `Range` objects.
    board
        0, 3, 4 or 5 cards.
    dead
        Cards that nobody holds and that cannot come.
    samples
        Play this number of random deals instead of all.
    exact
        ``True`` enumerates however long it takes; ``False`` always samples.
    rng
        Source or seed of the random deals.

    Examples
    --------
    >>> round(equity("AsAd", "random", board="4h5h6h").value, 5)
    0.60105
    >>> [round(value, 4) for value in equity("AhKh", "QdQc", "7s7c", board="2h5h9c").values]
    [0.5515, 0.3909, 0.0576]
    >>> equity("AA", "KK", "QQ", "random", samples=10_000).error < 0.01
    True
    >>> equity("AsAd", "AsKs")
    Traceback (most recent call last):
    ValueError: players 1 and 2 both hold As
    """
    if not 2 <= len(players) <= 9:
        raise ValueError(f"equity is for 2 to 9 players, got {len(players)}")
    if samples is not None and not (1 <= samples <= _MOST_SAMPLES and samples == int(samples)):
        raise ValueError(
            f"samples must be a whole number from 1 to {_MOST_SAMPLES:,}, got {samples}"
        )
    if samples is not None and exact:
        raise ValueError("give either samples or exact=True, not both")
    situation = _Situation.of(players, parse_board(board), to_cards(dead))
    if samples is None and exact is not False:
        found = situation.enumerate(_LONGEST_EXACT_NS if exact is None else np.inf)
        if found is not None:
            return found
        if exact:
            raise ValueError(
                f"more than {_MAX_LISTED_DEALS:,} ways to deal the hands of {len(players)} "
                "players: too many to enumerate, use samples"
            )
    return situation.sample(int(samples or _DEFAULT_SAMPLES), np.random.default_rng(rng))


@dataclass(frozen=True, eq=False)
class _Situation:
    weights: Floats  # (players, 1326), zero where a known card is held
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @classmethod
    def of(
        cls, players: tuple[Range | str, ...], board: tuple[int, ...], dead: tuple[int, ...]
    ) -> _Situation:
        to_cards(board + dead)  # no card twice
        if len(board) + len(dead) + 2 * len(players) + 5 - len(board) > 52:
            raise ValueError(f"{len(dead)} dead cards leave too few for {len(players)} players")
        known = np.uint64(card_mask(board + dead))
        weights = np.zeros((len(players), 1326))
        for seat, player in enumerate(players):
            own = np.where(COMBO_MASKS & known == 0, Range(player).weights, 0.0)
            # Times a power of two, so that products of tiny weights do not vanish.
            weights[seat] = np.ldexp(own, -int(np.frexp(own.max())[1]))
            if not weights[seat].any():
                raise ValueError(
                    f"player {seat + 1} ({shorten(str(player))!r}) has no hand left: every combo"
                    " is empty or holds a card of the board or a dead card"
                )
        certain = [int(np.bitwise_and.reduce(COMBO_MASKS[each > 0])) for each in weights]
        for second, cards in enumerate(certain):
            for first, others in enumerate(certain[:second]):
                if both := cards & others:
                    card = format_cards([both.bit_length() - 1])
                    raise ValueError(f"players {first + 1} and {second + 1} both hold {card}")
        return cls(weights, board, dead)

    def enumerate(self, longest_ns: float) -> Equity | None:
        """The exact equity, or None if that would take too long."""
        group = symmetries(self.board, self.weights, self.dead)
        to_come = 5 - len(self.board)
        boards = comb(52 - len(self.board) - len(self.dead), to_come) / len(group)
        boards /= core_count()
        if len(self.weights) == 2:
            few, many = sorted(np.count_nonzero(self.weights, axis=1))
            if few <= _FEW_HANDS and many > 3 * _FEW_HANDS:
                if boards * _NS_A_BOARD_OF_COMBOS * few > longest_ns:
                    return None
                return self._enumerate_duels(group)
            if boards * (few + many) * _NS_A_SORTED_COMBO > longest_ns:
                return None
            return self._enumerate_sorted(group)
        most = int(min(_MAX_LISTED_DEALS, longest_ns / (boards * len(self.weights) * _NS_A_SEAT)))
        deals = self._list_deals(most)
        return None if deals is None else self._enumerate_deals(group, *deals)

    def _enumerate_duels(self, group: Bytes) -> Equity:
        hero = int(np.argmin(np.count_nonzero(self.weights, axis=1)))
        heroes = np.flatnonzero(self.weights[hero]).astype(np.int64)
        apart = COMBO_MASKS[heroes, None] & COMBO_MASKS == 0
        opposing = np.where(apart, self.weights[1 - hero], 0.0)

        def add(boards: Bytes, multiplicities: Int64s) -> Floats:
            sums = np.zeros((3, len(heroes)))
            tables = evaluator_tables.load()
            add_duels(boards, multiplicities, heroes, opposing, sums, tables)
            return sums

        sums = sum_over_boards(add, self.board, self.dead, group)
        return _duel_result(sums @ self.weights[hero, heroes], hero)

    def _enumerate_sorted(self, group: Bytes) -> Equity:
        combos = np.flatnonzero(self.weights.any(axis=0))
        hands = select_hands(combos, self.weights[1])

        def add(boards: Bytes, multiplicities: Int64s) -> Floats:
            sums = np.zeros((3, len(combos)))
            add_showdowns(boards, multiplicities, hands, sums, evaluator_tables.load())
            return sums

        sums = sum_over_boards(add, self.board, self.dead, group)
        return _duel_result(sums @ self.weights[0, combos], 0)

    def _list_deals(self, most: int) -> tuple[Int32s, Floats] | None:
        players = len(self.weights)
        capacity = 1024
        while True:
            capacity = min(capacity, most)
            deals = np.empty((capacity, players), dtype=np.int32)
            weights = np.empty(capacity)
            found = list_deals(self._seats(), deals, weights)
            if found == 0:
                raise _impossible()
            if found > 0:
                return deals[:found], weights[:found]
            if capacity == most:
                return None
            capacity *= 16

    def _enumerate_deals(self, group: Bytes, deals: Int32s, weights: Floats) -> Equity:
        seats = self._seats()

        def add(boards: Bytes, multiplicities: Int64s) -> Floats:
            sums = np.zeros((len(self.weights) + 1, 3))
            tables = evaluator_tables.load()
            add_deals(boards, multiplicities, seats, deals, weights, sums, tables)
            return sums

        return _result(sum_over_boards(add, self.board, self.dead, group), samples=0)

    def sample(self, samples: int, rng: np.random.Generator) -> Equity:
        """Monte Carlo with `samples` deals."""
        # A player with any two cards is dealt from what the others leave: nothing to reject.
        known = np.uint64(card_mask(self.board + self.dead))
        possible = COMBO_MASKS & known == 0
        any_two = np.array([np.unique(weights[possible]).size == 1 for weights in self.weights])
        order = np.argsort(any_two, kind="stable")
        choosy = _Situation(self.weights[~any_two], self.board, self.dead)
        deals = np.empty((0, len(choosy.weights)), dtype=np.int32)
        cumulative = np.zeros(0)
        if len(choosy.weights):
            listed = choosy._list_deals(_MAX_LISTED_DEALS)
            if listed is None:
                parts = [np.cumsum(weights[weights > 0]) for weights in choosy.weights]
                cumulative = np.concatenate(parts)
            else:
                deals, cumulative = listed[0], np.cumsum(listed[1])
        seats = choosy._seats()
        board = np.array(self.board, dtype=np.uint8)
        dead = np.uint64(card_mask(self.dead))
        shares = np.diff(np.linspace(0, samples, min(_PARTS, samples) + 1).astype(int))
        seeds = rng.integers(1 << 64, size=len(shares), dtype=np.uint64)

        def play(share: int, seed: np.uint64) -> Floats:
            sums = np.zeros((len(self.weights) + 1, 3))
            tables = evaluator_tables.load()
            sample_deals(share, seed, board, dead, seats, cumulative, deals, sums, tables)
            return sums

        with ThreadPoolExecutor(core_count()) as threads:
            sums = np.sum(list(threads.map(play, shares.tolist(), seeds)), axis=0)
        if sums[-1, 0] < samples:
            raise ValueError(
                "the ranges almost never fit together: most deals use a card twice; "
                "narrow the ranges or remove what cannot be held"
            )
        sums[order] = sums[:-1].copy()
        return _result(sums, samples)

    def _seats(self) -> Seats:
        tables = evaluator_tables.load()
        combos = [np.flatnonzero(weights) for weights in self.weights]
        together = np.concatenate([np.empty(0, dtype=np.intp), *combos])
        return Seats(
            first=np.cumsum([0, *map(len, combos)]).astype(np.int64),
            masks=COMBO_MASKS[together],
            keys=tables.combo_key[together],
            bits=tables.combo_bit[together],
            weights=np.concatenate(
                [np.empty(0), *(weights[weights > 0] for weights in self.weights)]
            ),
        )


def _duel_result(sums: Floats, hero: int) -> Equity:
    beaten, tied, unblocked = map(float, sums)
    if unblocked <= 0:
        raise _impossible()
    win, tie = beaten / unblocked, tied / unblocked / 2
    wins = (win, 1 - win - 2 * tie)
    values = (win + tie, 1 - win - tie)
    if hero == 1:
        wins, values = wins[::-1], values[::-1]
    return Equity(values, wins, (tie, tie), error=0.0, samples=0)


def _result(sums: Floats, samples: int) -> Equity:
    total = sums[-1, 0]
    wins, ties, squares = (sums[:-1] / total).T
    values = wins + ties
    error = 0.0
    if samples:
        variance = np.maximum(squares - values**2, 0)
        error = float(np.sqrt(variance.max() / max(samples - 1, 1)))
    return Equity(
        tuple(values.tolist()), tuple(wins.tolist()), tuple(ties.tolist()), error, samples
    )


def _impossible() -> ValueError:
    return ValueError("the ranges cannot all be dealt: together they use a card twice every time")
