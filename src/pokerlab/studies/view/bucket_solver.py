"""CFR on Rhode Island hold'em with hands in buckets, which may forget; judged by real cards."""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.rules import parse_rule
from pokerlab.studies.rhode_island.boards import STREETS, RhodeIslandBoards
from pokerlab.studies.view.bucket_walk_kernels import arrive, walk_street
from pokerlab.studies.view.buckets import BoardBuckets


class BoardBucketSolver:
    """DCFR: both players see buckets in place of cards, and are updated in turn; in float64.

    Parameters
    ----------
    boards
        The game; its threads share the boards.
    buckets
        Of its hands.

    Examples
    --------
    >>> from pokerlab.studies.view.buckets import make_board_buckets
    >>> boards = RhodeIslandBoards.of(2, 4, 1)
    >>> solver = BoardBucketSolver(boards, make_board_buckets(boards, "view"))
    >>> solver.iterate(100)
    >>> low, high = solver.bounds()
    >>> low < high
    True
    """

    def __init__(self, boards: RhodeIslandBoards, buckets: BoardBuckets) -> None:
        self.boards, self.buckets = boards, buckets
        self.rule = parse_rule("dcfr")
        self.iterations = 0
        betting = boards.betting
        self._sets = [betting.rows(player) for player in (0, 1)]
        self._ends = np.array([(*end.slots, end.folds) for end in betting.ends])
        self._calls = [
            np.array([betting.ends[call].slots[player] for call in betting.calls])
            for player in (0, 1)
        ]
        shapes = [
            [(boards.shape(street)[1], betting.slots[player], count) for player in (0, 1)]
            for street, count in enumerate(buckets.counts)
        ]
        self._regrets, self._sums = (
            [[np.zeros(shape) for shape in street] for street in shapes] for _ in range(2)
        )
        self._choices = [
            [self._matched(player, regrets) for player, regrets in enumerate(street)]
            for street in self._regrets
        ]

    def iterate(self, count: int) -> None:
        """Do some more."""
        for _ in range(count):
            self.iterations += 1
            for player in (0, 1):
                self._update(player)

    def bounds(self) -> tuple[float, float]:
        """What player 0 wins at least by their plan, and at most against the other's: exact.

        The opponent in either case sees the cards.
        """
        mine, theirs = (
            self.boards.plan_of(
                player,
                [
                    np.moveaxis(self._matched(player, self._sums[street][player])[..., each], 2, 0)
                    for street, each in enumerate(self.buckets.classes)
                ],
            )
            for player in (0, 1)
        )
        return self.boards.bounds(mine, theirs)

    def _matched(self, player: int, weights: Floats) -> Floats:
        """Probabilities in proportion to positive weights, uniform where there are none."""
        (found,) = self.boards.choices_of(player, [weights[None]])
        return np.asarray(found[0])

    def _update(self, hero: int) -> None:
        step = self.rule.at(self.iterations)
        starts = [self._starts(player) for player in (0, 1)]
        following = np.empty((0, 0, 0, 0))
        for street in reversed(range(STREETS)):
            values, gains, sums = self._walk(hero, street, starts, following)
            regrets = self._regrets[street][hero]
            regrets *= np.where(regrets > 0.0, step.positive, step.negative)
            regrets += gains
            self._sums[street][hero] *= step.average
            self._sums[street][hero] += sums
            self._choices[street][hero] = self._matched(hero, regrets)
            if street:
                following = self.boards.up(street, values)

    def _starts(self, player: int) -> list[Floats]:
        """By street: how likely the player comes to each line, by board of the street before."""
        game, found = self.boards, [np.ones((1, 1, self.boards.hands(0)))]
        for street in range(STREETS - 1):
            boards, lines = game.shape(street)[0], game.shape(street + 1)[1]
            found.append(np.empty((boards, lines, game.hands(street + 1))))
            arrive(
                found[street],
                self._choices[street][player],
                self.buckets.classes[street],
                self._sets[player],
                self._calls[player],
                found[street + 1],
            )
        return found

    def _walk(
        self, hero: int, street: int, starts: list[list[Floats]], following: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Values of lines by board and hand; gains and sums by line, slot and bucket."""
        game, other = self.boards, 1 - hero
        mine = self._choices[street][hero]
        values = np.empty((*game.shape(street), game.hands(street)))

        parts = min(game.threads, len(values))
        ends = np.linspace(0, len(values), parts + 1).astype(int).tolist()

        def work(part: int) -> tuple[Floats, Floats]:
            gains, sums = np.zeros_like(mine), np.zeros_like(mine)
            walk_street(
                hero,
                ends[part],
                ends[part + 1],
                starts[hero][street],
                starts[other][street],
                mine,
                self._choices[street][other],
                self.buckets.classes[street],
                self._sets[hero],
                self._sets[other],
                self._ends,
                game.betting.stakes[street],
                game.weights[street],
                game.showdowns if street == STREETS - 1 else game.weights[street],
                following,
                values,
                gains,
                sums,
            )
            return gains, sums

        found = game.each(parts, work)
        gains, sums = (np.sum(each, axis=0) for each in zip(*found, strict=True))
        return values, gains, sums
