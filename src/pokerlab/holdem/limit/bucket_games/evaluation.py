"""Exact values of strategies in games of buckets, and best responses to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from pokerlab.holdem.limit.bucket_games.bucket_game_kernels import best_values, go_down
from pokerlab.holdem.limit.bucket_games.street_betting import StreetBetting
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.solvers.evaluation.restriction import Restriction

Learn: TypeAlias = Callable[[int, Floats], None]
"""Updates the nodes of a street by the values of its leaves and of what follows."""
Below: TypeAlias = Callable[[Floats], Floats]
"""Values (ways, buckets) of the subgames below the last street, from an opponent's reach there."""


class BucketGame(Protocol):
    """A two-player game with buckets: its betting, and what chance does with the buckets."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""

    @property
    def streets(self) -> tuple[StreetBetting, ...]:
        """The betting tree, street by street."""

    @property
    def identity(self) -> dict[str, str]:
        """The game of a saved state of a solver."""

    def begin(self, player: int) -> Floats:
        """(buckets,): the reach of a player at first."""

    def onward(self, street: int, reach: Floats) -> Floats:
        """Carry reach (n, buckets) from the end of a street to the next."""

    def back(self, street: int, value: Floats) -> Floats:
        """Carry values (n, buckets of the next street) back to the end of a street."""

    def unblocked(self, street: int, reach: Floats) -> Floats:
        """The weight of an opponent with this reach that each bucket leaves unblocked."""

    def win_margins(self, reach: Floats) -> Floats:
        """How much more often each bucket wins than loses against it, on the last street."""


class BucketEvaluation:
    """Carries reach down the betting of a game of buckets, and values up.

    A strategy is a table for each street (nodes, actions, buckets).
    """

    def __init__(self, game: BucketGame) -> None:
        self.game = game

    def exploitability(self, strategy: Sequence[Floats]) -> float:
        """The mean gain of the two best responses."""
        return sum(self.best_responses(strategy)) / 2

    def best_responses(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """The value of each player's best response to the other's strategy."""
        first, second = (
            self._best_response(player, self.follow(1 - player, strategy)) for player in (0, 1)
        )
        return first, second

    def gap(self, restrictions: Sequence[Restriction], strategy: Sequence[Floats]) -> float:
        """How far a profile is from equilibrium in the game against a restricted player.

        Half of what the two could gain together by best responses, the restricted player's within
        their limits; `restrictions` are those of each street. In `strategy` their part is what
        they play where they are not bound for a whole hand.
        """
        limits, models = restrictions[0], [each.model for each in restrictions]
        foe, hero = limits.player, 1 - limits.player
        by_model, free = self.follow(foe, models), self.follow(foe, strategy)
        met = [limits.over_hands(*both) for both in zip(by_model, free, strict=True)]
        worth, reply = 0.0, self._best_response(foe, self.follow(hero, strategy), restrictions)
        if limits.whole > 0.0:
            parts = (strategy, models) if foe == 1 else (models, strategy)
            worth = self.values(join_seats(self.game, *parts))[foe]
        return (self._best_response(hero, met) + limits.over_hands(worth, reply)) / 2

    def values(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """Each player's value when both play a strategy."""
        reach = self.follow(1, strategy)
        own = self.follow(0, strategy)
        won = 0.0
        for street, betting in enumerate(self.game.streets):
            folds, showdowns = betting.folds, betting.showdowns
            both = (self.game.unblocked(street, reach[street][folds]) * own[street][folds]).sum(
                axis=1
            )
            won += float(both @ betting.fold_gains[:, 0])
            if len(showdowns):
                margins = self.game.win_margins(reach[street][showdowns])
                margins = (margins * own[street][showdowns]).sum(axis=1)
                won += float(margins @ betting.stakes)
        return won, -won

    def follow(self, player: int, strategy: Sequence[Floats]) -> list[Floats]:
        """How often a player reaches each place with each bucket by their own actions."""
        reach: list[Floats] = []
        for street, betting in enumerate(self.game.streets):
            here = np.zeros((betting.places, self.game.counts[street]))
            if street == 0:
                here[betting.roots] = self.game.begin(player)
            else:
                before = reach[-1][self.game.streets[street - 1].ways]
                here[betting.roots] = self.game.onward(street - 1, before)
            go_down(player, betting.child, betting.actor, strategy[street], here)
            reach.append(here)
        return reach

    def climb(
        self, player: int, others: Sequence[Floats], learn: Learn, below: Below | None = None
    ) -> Floats:
        """Bring values from the leaves up; return the player's at the places of the first street.

        `below` has the values of subgames, where the last street has ways to them.
        """
        value = np.zeros((0, 0))
        for street in reversed(range(len(self.game.streets))):
            betting = self.game.streets[street]
            later, value = value, np.zeros((betting.places, self.game.counts[street]))
            unblocked = self.game.unblocked(street, others[street][betting.folds])
            value[betting.folds] = betting.fold_gains[:, player, None] * unblocked
            if len(betting.showdowns):
                margins = self.game.win_margins(others[street][betting.showdowns])
                value[betting.showdowns] = betting.stakes[:, None] * margins
            if len(betting.ways) and street + 1 < len(self.game.streets):
                roots = later[self.game.streets[street + 1].roots]
                value[betting.ways] = self.game.back(street, roots)
            elif len(betting.ways):
                assert below is not None  # the game has subgames
                value[betting.ways] = below(others[street][betting.ways])
            learn(street, value)
        return value

    def place_values(
        self,
        player: int,
        others: Sequence[Floats],
        strategy: Sequence[Floats] | None = None,
        below: Below | None = None,
    ) -> Floats:
        """Values at the places of the first street: by a strategy, or by a best response."""
        limits = []
        for model in strategy or ():
            trust = np.ones((len(model), model.shape[2]))
            limits.append(Restriction(model, trust, 0.0, player))
        return self._respond(player, others, limits, below)

    def _best_response(
        self, player: int, others: Sequence[Floats], restrictions: Sequence[Restriction] = ()
    ) -> float:
        value = self._respond(player, others, restrictions)
        return float(value[0] @ self.game.begin(player))

    def _respond(
        self,
        player: int,
        others: Sequence[Floats],
        restrictions: Sequence[Restriction],
        below: Below | None = None,
    ) -> Floats:
        def respond(street: int, value: Floats) -> None:
            betting, limits = self.game.streets[street], None
            if restrictions:
                limits = restrictions[street]
            best_values(player, betting.child, betting.actor, limits, value)

        return self.climb(player, others, respond, below)


def join_seats(
    game: BucketGame, first: Sequence[AnyArray], second: Sequence[AnyArray]
) -> list[AnyArray]:
    """Tables by street (nodes, …) with the nodes of player 0 from the first ones, else the second.

    Any axes may follow the nodes.
    """
    joined = []
    for betting, one, other in zip(game.streets, first, second, strict=True):
        of_first = (betting.actor == 0).reshape((-1,) + (1,) * (one.ndim - 1))
        joined.append(np.where(of_first, one, other))
    return joined
