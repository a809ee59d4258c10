"""Games for the solver tests: random ones with perfect recall, and trees of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.trees import GameTree


@dataclass(frozen=True)
class RandomGame:
    """Private signals for all, then moves; who moves, how, and who sees it depends on the depth."""

    seed: int
    players: int
    moves: int = 4
    zero_sum: bool = False

    @property
    def name(self) -> str:
        return f"random {self.seed} {self.players}"

    def start(self) -> RandomState:
        return RandomState(self, ())

    def rng(self, *key: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.players, *key])

    def mover(self, depth: int) -> int:
        if depth < self.players:
            return CHANCE
        if depth >= self.players + self.moves:
            return TERMINAL
        return int(self.rng(1, depth).integers(-1, self.players))

    def hidden(self, depth: int) -> bool:
        return depth < self.players or bool(self.rng(2, depth).random() < 0.3)

    def count(self, depth: int) -> int:
        return int(self.rng(3, depth).integers(2, 4))


@dataclass(frozen=True)
class RandomState:
    game: RandomGame
    history: tuple[int, ...]

    @property
    def player(self) -> int:
        return self.game.mover(len(self.history))

    def actions(self) -> Sequence[str]:
        if self.player == TERMINAL:
            return ()
        return [str(number) for number in range(self.game.count(len(self.history)))]

    def chances(self) -> Sequence[float]:
        # Private signals make later chances depend on them, as removed cards do.
        weights = self.game.rng(4, *self.history).random(len(self.actions())) + 0.05
        return (weights / weights.sum()).tolist()

    def apply(self, action: str) -> RandomState:
        return RandomState(self.game, (*self.history, int(action)))

    def payoffs(self) -> Sequence[float]:
        won = self.game.rng(5, *self.history).normal(size=self.game.players)
        return (won - won.mean() if self.game.zero_sum else won).tolist()

    def seen_by(self, seat: int) -> str:
        return f"{seat}:" + "".join(
            str(move) if self._sees(seat, depth) else "?" for depth, move in enumerate(self.history)
        )

    def public(self) -> str:
        return "".join(
            "?" if self.game.hidden(depth) else str(move) for depth, move in enumerate(self.history)
        )

    def _sees(self, seat: int, depth: int) -> bool:
        game = self.game
        return depth == seat or game.mover(depth) == seat or not game.hidden(depth)


@cache
def _random_tree(seed: int, players: int, zero_sum: bool) -> GameTree:
    return GameTree.build(RandomGame(seed, players, zero_sum=zero_sum))


@cache
def _tree(name: str) -> GameTree:
    return GameTree.of(load_game(name))


@pytest.fixture(scope="session")
def random_tree() -> Callable[..., GameTree]:
    """``random_tree(seed, players, zero_sum=False)``."""

    def make(seed: int, players: int, *, zero_sum: bool = False) -> GameTree:
        return _random_tree(seed, players, zero_sum)

    return make


@pytest.fixture(scope="session")
def catalogue_tree() -> Callable[[str], GameTree]:
    """``catalogue_tree("kuhn")``."""
    return _tree
