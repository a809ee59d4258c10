"""The winnings of each of the 169 starting hands in a seat, with errors, to check bots.

Bots are dealt every class equally often, by fixed pockets. Strategies that are tables are played in
the compiled loop, millions of hands a second: there the cards are dealt at random and sorted by
class afterwards, so rare classes get fewer hands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.arena.deal_generator import DealGenerator
from pokerlab.arena.matches import different_names, seat_players
from pokerlab.arena.simulation.compiled_match import BLOCK, Simulation
from pokerlab.arena.table import play_hand
from pokerlab.arrays import AnyArray, Bytes, Floats, Int64s
from pokerlab.bots.bot import Bot
from pokerlab.bots.catalogue import make_bot
from pokerlab.bots.failures import close_bot, reset_bot
from pokerlab.cards.codes import N_CARDS
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.games import BettingGame
from pokerlab.games.loading import load_betting_game
from pokerlab.games.play_runs import BlockRun
from pokerlab.machine import core_count
from pokerlab.strategies.table_strategy import TableStrategy

N_CLASSES = len(CLASS_NAMES)


def starting_hand_values(
    game: BettingGame | str,
    bots: Sequence[Bot | TableStrategy | str],
    hands: int | None = None,
    seed: int = 0,
    *,
    seat: int = 0,
    threads: int | None = None,
    report: Callable[[int], None] | None = None,
) -> StartingHandValues:
    """The winnings of each starting hand in a seat.

    Parameters
    ----------
    game
        A hold'em game, or the name of one.
    bots
        Who sits at each seat in all hands: bots, their names as `make_bot` takes them, or tables.
    hands
        How many to play in all; by default 100 of each class, 10,000,000 where all bots are tables.
    seed
        The same seed gives the same result.
    seat
        Whose hands are counted.
    threads
        For tables; by default all cores.
    report
        Called with the number of hands played, from time to time.

    Examples
    --------
    >>> found = starting_hand_values("holdem.limit.2p", ["caller", "folder"], 10_000, seat=1)
    >>> found.of("AA"), found.of("72o")
    ((-500.0, 0.0), (-500.0, 0.0))
    """
    with StartingHandMatch(game, bots, hands, seed, seat=seat, threads=threads) as match:
        for played in match:
            if report is not None:
                report(played)
    return match.result()


@dataclass(frozen=True, eq=False)
class StartingHandValues:
    """The winnings of each starting hand.

    Attributes
    ----------
    game, bots, seat, seed
        What was played, and whose hands were counted.
    compiled
        Whether in the compiled loop.
    hands
        By class (see `CLASS_NAMES`), how many hands were counted.
    mbb, stderr
        By class, what they won on average in thousandths of the big blind, and its standard
        error; NaN for none and for less than two hands.
    faults
        How often each bot did something against the rules.
    seconds
        How long it took.
    """

    game: str
    bots: tuple[str, ...]
    seat: int
    seed: int
    compiled: bool
    hands: Int64s
    mbb: Floats
    stderr: Floats
    faults: tuple[int, ...]
    seconds: float

    @property
    def mean(self) -> tuple[float, float]:
        """The mean winnings of the seat over all deals, in mbb per hand, and the standard error."""
        shares = CLASS_SIZES / CLASS_SIZES.sum()
        error = float(np.sqrt(np.square(shares * self.stderr).sum()))
        return float(shares @ self.mbb), error

    def of(self, name: str) -> tuple[float, float]:
        """The winnings of a class, in mbb per hand, and the standard error."""
        if name not in CLASS_NAMES:
            raise ValueError(
                f"{name!r} is not a class of starting hands, for example AA, AKs or AKo"
            )
        number = CLASS_NAMES.index(name)
        return float(self.mbb[number]), float(self.stderr[number])

    def rows(self) -> list[dict[str, Any]]:
        """A row for each class: its name, combos, hands, and values in mbb and big blinds."""
        return [
            {
                "class": name,
                "combos": int(CLASS_SIZES[number]),
                "hands": int(self.hands[number]),
                "mbb": _number(self.mbb[number]),
                "mbb_stderr": _number(self.stderr[number]),
                "bb": _number(self.mbb[number] / 1000),
                "bb_stderr": _number(self.stderr[number] / 1000),
            }
            for number, name in enumerate(CLASS_NAMES)
        ]

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        mean, error = self.mean
        return {
            "game": self.game,
            "bots": list(self.bots),
            "seat": self.seat,
            "seed": self.seed,
            "compiled": self.compiled,
            "hands": int(self.hands.sum()),
            "mbb_per_hand": _number(mean),
            "stderr": _number(error),
            "classes": self.rows(),
            "faults": dict(zip(self.bots, self.faults, strict=True)),
            "seconds": self.seconds,
        }


class StartingHandMatch:
    """A match that counts by starting hand; see `starting_hand_values` for the parameters.

    Iterate over it for the number of hands played so far; ask for the result at any time. Bots
    given by name are made here, and closed at the end of a ``with`` block.
    """

    def __init__(
        self,
        game: BettingGame | str,
        bots: Sequence[Bot | TableStrategy | str],
        hands: int | None = None,
        seed: int = 0,
        *,
        seat: int = 0,
        threads: int | None = None,
    ) -> None:
        rules = load_betting_game(game) if isinstance(game, str) else game
        self.game = seat_players(rules, len(bots))
        if self.game.streets[0].hole != 2 or len(self.game.deck) != N_CARDS:
            raise ValueError(
                f"{self.game.name} has no starting hands of hold'em (two private cards of 52)"
            )
        if not 0 <= seat < len(bots):
            raise ValueError(f"seat {seat}: {self.game.name} has seats 0 to {len(bots) - 1}")
        if seed < 0:
            raise ValueError(f"seed: {seed} is not a seed (0 or more)")
        self.names = different_names(
            [bot if isinstance(bot, str) else type(bot).__name__ for bot in bots]
        )
        self.seat, self.seed = seat, seed
        self._threads = threads or core_count()
        self._sums = np.zeros((3, N_CLASSES))  # hands, chips, squares of chips
        self._faults = [0] * len(bots)
        self._seconds = 0.0
        self._closing = ExitStack()
        self._bots: list[Bot] = []
        self._tables = _as_tables(self.game, bots, hands, seed)
        if hands is None:
            hands = 100 * N_CLASSES if self._tables is None else 10_000_000
        if hands < 1:
            raise ValueError(f"hands: {hands} is not a number of hands (1 or more)")
        self.hands = hands
        if self._tables is None:
            with ExitStack() as stack:
                for player, bot in enumerate(bots):
                    if isinstance(bot, TableStrategy):
                        raise ValueError("tables play only against tables: name its bot instead")
                    if isinstance(bot, str):
                        bot = make_bot(bot)
                        stack.callback(self._close, player, bot)
                    self._bots.append(bot)
                self._closing = stack.pop_all()

    def __enter__(self) -> StartingHandMatch:
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.close()

    def _close(self, player: int, bot: Bot) -> None:
        self._faults[player] += bool(close_bot(bot))

    def __iter__(self) -> Iterator[int]:
        """Play from the first hand on; a match is played once."""
        if self._sums[0].any():
            raise ValueError("this match has been played: make another one")
        began = perf_counter()
        for played in self._play_bots() if self._tables is None else self._play_tables():
            self._seconds = perf_counter() - began
            yield played

    def result(self) -> StartingHandValues:
        """The result of the hands played so far."""
        counts, sums, squares = self._sums
        with np.errstate(invalid="ignore", divide="ignore"):
            means = sums / counts
            spread = np.maximum(squares - sums * means, 0.0) / (counts - 1.0)
            errors = np.sqrt(spread / counts)
        errors[counts < 2] = np.nan
        unit = self.game.mbb
        return StartingHandValues(
            self.game.name,
            self.names,
            self.seat,
            self.seed,
            self._tables is not None,
            counts.astype(np.int64),
            means * unit,
            errors * unit,
            tuple(self._faults),
            self._seconds,
        )

    def _play_bots(self) -> Iterator[int]:
        """Every class in turn, in another order each time: bots may learn as they play."""
        cards, order, *own = np.random.SeedSequence(self.seed).spawn(2 + len(self._bots))
        for bot, name, bot_seed in zip(self._bots, self.names, own, strict=True):
            reset_bot(bot, name, self.game, np.random.default_rng(bot_seed))
        card_rng, order_rng = np.random.default_rng(cards), np.random.default_rng(order)
        generators = [DealGenerator(self.game, {self.seat: name}) for name in CLASS_NAMES]
        played = 0
        while played < self.hands:
            for number in order_rng.permutation(N_CLASSES)[: self.hands - played].tolist():
                ((deal, _),) = generators[number].sample(1, card_rng)
                hand = play_hand(self.game, deal, self._bots, names=self.names, number=played)
                for fault in hand.faults:
                    self._faults[fault.position] += 1
                self._add(np.array([number]), np.array([hand.payoffs[self.seat]]))
                played += 1
                yield played

    def _play_tables(self) -> Iterator[int]:
        """Hands at random; of the rotations of the players only the first is counted."""
        assert self._tables is not None  # or this is not called
        deals = self.hands * len(self.names)
        played = 0
        for classes, chips in BlockRun(self._play_block, deals, BLOCK, self._threads):
            self._add(classes, chips)
            played += len(classes)
            yield played

    def _play_block(self, number: int, count: int) -> tuple[Bytes, Floats]:
        assert self._tables is not None
        cards, payoffs = self._tables.play_block(number, count)
        here = slice(-number * BLOCK % len(self.names), None, len(self.names))
        own = cards[here, self.seat, :2].astype(np.intp)
        low, high = own.min(axis=1), own.max(axis=1)
        return CLASS_OF_COMBO[high * (high - 1) // 2 + low], payoffs[here, self.seat]

    def _add(self, classes: AnyArray, chips: Floats) -> None:
        for row, weights in enumerate((None, chips, chips * chips)):
            self._sums[row] += np.bincount(classes, weights, N_CLASSES)


def _as_tables(
    game: BettingGame, bots: Sequence[Bot | TableStrategy | str], hands: int | None, seed: int
) -> Simulation | None:
    """The compiled loop for these bots; None where not all of them can be made tables."""
    try:
        return Simulation(game, bots, (hands or 1) * len(bots), seed)
    except ValueError:  # a bot that cannot be made at all is refused when it is made to play
        return None


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
