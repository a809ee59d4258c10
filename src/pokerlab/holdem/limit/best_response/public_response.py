"""Best responses to a table, first board by first board, on the walkers of the engine.

The villain's strategy is a layout by bucket: all boards of a street read the same rows. So a walk
over all that follows a first board is one walk of the engine's best response, with a root for each
line of the street before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.engine.tables.program import StreetProgram
from pokerlab.engine.walker import Learner, compile_programs, make_walker
from pokerlab.holdem.limit.best_response.boards import FirstBoard, ResponseBoards
from pokerlab.holdem.limit.best_response.villain import OpeningStreet, Villain
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import Floats, Reals

_HEROES = (0, 1)


class PublicResponse:
    """Best responses of both players to a table.

    Parameters
    ----------
    game, probabilities
        The strategy, node by node (see `Villain`).
    threads
        Boards of the street after the first boards that are worked on at the same time.
    dtype
        Of the numbers; sums over first boards are float64.
    symmetric
        See `ResponseBoards`.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "none")
    >>> response = PublicResponse(kuhn, np.tile([0.0, 1.0, 0.0], (kuhn.rows, 1)))
    >>> worth = response.hand_values(response.boards.follow(0))[0]
    >>> np.round(worth[0] / response.boards.pairs, 6).tolist()  # the king bets
    [-1.0, 0.0, 2.0]
    """

    boards_at_once = 1
    """How many first boards are best asked for together."""

    def __init__(
        self,
        game: BucketedGame,
        probabilities: Reals,
        *,
        threads: int = 1,
        dtype: npt.DTypeLike = np.float32,
        symmetric: bool | None = None,
    ) -> None:
        self.boards = ResponseBoards(game, symmetric=symmetric)
        self.threads, self.dtype = threads, np.dtype(dtype)
        self.villains = tuple(
            Villain(game, probabilities, 1 - hero, self.boards.street, self.dtype)
            for hero in _HEROES
        )
        self.first_streets = tuple(
            OpeningStreet(villain, self.boards.hands, self.boards.first_buckets)
            for villain in self.villains
        )
        self._programs: dict[int, tuple[StreetProgram, ...]] = {}

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """Of `board_values`: (heroes, lines, classes)."""
        lines = max(len(villain.lines) for villain in self.villains)
        return len(_HEROES), lines, int(self.boards.classes.max()) + 1

    def board_values(self, number: int) -> Floats:
        """What classes of hands are worth on one of the first boards: (heroes, lines, classes).

        They are by the weight of the board, and means over `ResponseBoards.classes`, in which a
        hand that cannot be held counts 0.
        """
        return self._by_class(number, self.hand_values(self.boards.follow(number)))

    def boards_values(self, numbers: Sequence[int]) -> Iterator[Floats]:
        """`board_values` of several boards."""
        return map(self.board_values, numbers)

    def hand_values(self, follows: FirstBoard) -> tuple[Floats, Floats]:
        """For each hero what hands are worth on a first board: (lines, hands of the game)."""
        walkers: list[Learner] = []
        first, second = (self._respond(hero, follows, walkers) for hero in _HEROES)
        return first, second

    def _by_class(self, number: int, values: tuple[Floats, Floats]) -> Floats:
        found = np.zeros(self.shape)
        classes, weight = self.boards.classes, self.boards.weight[number]
        for hero in _HEROES:
            for line, row in enumerate(values[hero]):
                found[hero, line] = np.bincount(classes, weight * row)
        found /= np.bincount(classes)
        return found

    def _respond(self, hero: int, follows: FirstBoard, walkers: list[Learner]) -> Floats:
        villain = self.villains[hero]
        found = np.zeros((len(villain.lines), len(self.boards.hands)))
        if villain.lines:
            walkers.append(walker := self._walker(hero, follows, walkers))
            reach = self.first_streets[hero].reach
            walker.set_range(villain.position, reach[:, follows.hands])
            storage = villain.storage(follows.boards, self.tables[hero])
            rows = np.atleast_2d(walker.best_values(storage, hero, average=True))
            scale = walker.unit * self.boards.game.rules.unit
            found[:, follows.hands] = rows[:, : len(follows.hands)].astype(np.float64) / scale
        return found

    def _walker(self, hero: int, follows: FirstBoard, walkers: Sequence[Learner]) -> Learner:
        """The walker for a hero; `walkers` are those of others for the same boards."""
        villain = self.villains[hero]
        if hero not in self._programs:
            self._programs[hero] = compile_programs(villain, follows.boards, self.dtype)
        return make_walker(
            villain,
            follows.boards,
            self.dtype,
            self.threads,
            groups=follows.groups,
            programs=self._programs[hero],
        )

    @cached_property
    def tables(self) -> Sequence[Sequence[Any]]:
        """For each hero the villain's tables, where walkers read them."""
        return [villain.tables for villain in self.villains]

    def spread_classes(self, hero: int, found: Floats) -> Floats:
        """From sums of `board_values` of a hero (lines, classes) what hands are worth.

        (lines, hands), before the cards of the first boards are dealt.
        """
        lines = len(self.villains[hero].lines)
        return found[:lines, self.boards.classes] / self.boards.ways

    def value(self, hero: int, chooses: Floats, counts: Floats) -> float:
        """What a hero wins in a hand, from sums of `board_values`: see `OpeningStreet.value`."""
        chooses, counts = (self.spread_classes(hero, each) for each in (chooses, counts))
        total = self.first_streets[hero].value(chooses, counts)
        return total / (len(self.boards.hands) * self.boards.pairs)
