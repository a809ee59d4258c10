"""The tasks of the study of Adam: matches, and masked matrices beside counted ones."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import process_time

import numpy as np

from pokerlab.arena.matches import play_match
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.board_game import groups_on_board
from pokerlab.holdem.limit.bucket_games.transitions import rows_to_one
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.bots.adam.bot import AdamBot
from pokerlab.players.bots.adam.masked_search import MaskedSearch, masked
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.study import Kept, kept_with

GAME = "holdem.limit.2p"
ADAM, TABLE, REGRET = "adam", "table", "regret"
"""The bot, the solution it was given, and a solution by regret minimisation of the same size."""
METHODS = {TABLE: "situations", REGRET: "external"}


@dataclass(frozen=True)
class Strategies:
    """The two trained strategies: where they are, and how they are made if they are missing."""

    buckets: str
    deals: int
    folder: Path = field(compare=False)

    def file(self, name: str) -> Path:
        """The file of a strategy."""
        groups = self.buckets.replace("/", "-").replace(":", "-").replace(",", "-")
        return self.folder / f"{METHODS[name]}-{groups}-{self.deals}.safetensors"

    def make(self) -> None:
        """Train what is missing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, method in METHODS.items():
            if not self.file(name).is_file():
                game = BucketedGame.of(load_betting_game(GAME), self.buckets)
                training = train(game, method=method, iterations=self.deals, boards=10)
                LimitStrategy.of(training).save(self.file(name))

    def bot(self, name: str, iterations: int, weight: int) -> Bot | str:
        """A player of the study."""
        return _bot(self, name, iterations, weight)


@cache
def _bot(strategies: Strategies, name: str, iterations: int, weight: int) -> Bot | str:
    """Tasks of one process share a bot and what it has searched."""
    if name == ADAM:
        file = strategies.file(TABLE)
        return AdamBot(file, iterations=iterations, weight=weight, search="masked")
    return TwoPlayerLimitBot(strategies.file(name)) if name in METHODS else name


@dataclass(frozen=True)
class AdamMatch:
    """A part of a duplicate match."""

    strategies: Strategies
    player: str
    opponent: str
    hands: int
    seed: int
    iterations: int
    weight: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        made = f"{self.strategies.buckets} {self.strategies.deals}"
        search = f" {self.iterations} {self.weight}" if self.player == ADAM else ""
        return f"{self.player} {self.opponent} {self.hands} {self.seed} {made}{search}"

    def run(self) -> Kept:
        """Play it."""
        bots = [
            self.strategies.bot(name, self.iterations, self.weight)
            for name in (self.player, self.opponent)
        ]
        play_match(GAME, bots, 20, self.seed, duplicate=True)  # compile and load before the clock
        began = process_time()
        result = play_match(GAME, bots, self.hands, self.seed, duplicate=True)
        return {
            "mbb": result.mbb_per_hand[0],
            "stderr": result.stderr[0],
            "hands": result.hands,
            "seconds": process_time() - began,
        }


@dataclass(frozen=True)
class MaskTask:
    """Masked transition matrices on random boards, beside matrices counted on the boards."""

    strategies: Strategies
    boards: int
    seed: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"masks {self.boards} {self.seed} {self.strategies.buckets} {self.strategies.deals}"

    def run(self) -> Kept:
        """By street: how far general and masked matrices are from counted ones."""
        strategy = LimitStrategy.load(self.strategies.file(TABLE))
        search = MaskedSearch(strategy, 1, 0)
        rng = np.random.default_rng(self.seed)
        found: Kept = {"general": [], "masked": []}
        for _ in range(self.boards):
            deal = tuple(rng.permutation(52)[:5].tolist())
            far = [_distances(search, deal[: 2 + street]) for street in (1, 2, 3)]
            for number, kind in enumerate(found):
                found[kind].append([each[number] for each in far])
        return found


def _distances(search: MaskedSearch, board: tuple[int, ...]) -> tuple[float, float]:
    """The mean total variation over hands: general and masked against counted matrices."""
    street = len(board) - 2
    game = search.game
    after = groups_on_board(game, board)
    before = groups_on_board(game, board[:-1] if street > 1 else ())
    possible = after >= 0
    counts: Floats = np.zeros((game.counts[street - 1], game.counts[street]))
    np.add.at(counts, (before[possible], after[possible]), 1.0)
    hands, counted = counts.sum(axis=1), rows_to_one(counts)
    moves = search.values.game.transitions[street - 1]
    far = [
        float(hands @ np.abs(each - counted).sum(axis=1) / 2 / hands.sum())
        for each in (moves, masked(moves, search.mask(board)))
    ]
    return far[0], far[1]


def together(parts: Iterable[Kept]) -> Measure:
    """What a player wins over all parts of a match, in mbb a hand."""
    each = list(parts)
    hands = sum(part["hands"] for part in each)
    if not hands:
        return Measure(math.nan, math.nan)
    won = sum(part["hands"] * part["mbb"] for part in each) / hands
    error = math.sqrt(sum((part["hands"] * part["stderr"]) ** 2 for part in each)) / hands
    return Measure(won, error)


checked_task = kept_with({"mbb", "stderr", "hands"}, {"masked"})
"""Check what is kept of a task."""
