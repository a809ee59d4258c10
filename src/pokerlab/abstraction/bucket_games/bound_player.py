"""A player of a game of buckets who partly plays by a model, and for the rest as well as he can.

See `pokerlab.solvers.evaluation.restricted_player` for the two ways to be bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.bucket_games.bucket_game_kernels import BoundStreet, best_values
from pokerlab.abstraction.bucket_games.evaluation import BucketEvaluation
from pokerlab.arrays import Floats
from pokerlab.files.hashes import content_hash


@dataclass(frozen=True, eq=False)
class BoundBuckets:
    """How far a player is bound to a model.

    Attributes
    ----------
    position
        Who it is.
    whole
        How likely he is bound for a whole hand.
    model
        By street (nodes, actions, buckets): what he plays where he is bound.
    trust
        By street (nodes, buckets): how likely he is bound there in the other hands.
    """

    position: int
    whole: float
    model: Sequence[Floats]
    trust: Sequence[Floats]

    @property
    def digest(self) -> str:
        """A fingerprint: what saved states of a solver belong to."""
        tables = {f"model_{street}": each for street, each in enumerate(self.model)}
        tables |= {f"trust_{street}": each for street, each in enumerate(self.trust)}
        return content_hash(tables, {"bound": f"{self.position} {self.whole!r}"})

    def played(self, chosen: Sequence[Floats]) -> list[Floats]:
        """What he plays in hands in which he is not bound as a whole, by what he chooses."""
        return [
            own + trust[:, None] * (model - own)
            for own, model, trust in zip(chosen, self.model, self.trust, strict=True)
        ]

    def met(self, reach: Sequence[Floats], by_model: Sequence[Floats]) -> list[Floats]:
        """His reach in all hands, by that in the others and that of the model."""
        return [
            self.whole * bound + (1.0 - self.whole) * free
            for free, bound in zip(reach, by_model, strict=True)
        ]

    def on_street(self, street: int) -> BoundStreet:
        """What kernels take."""
        return BoundStreet(self.model[street], self.trust[street])

    def gap(self, evaluation: BucketEvaluation, strategy: Sequence[Floats]) -> float:
        """How far a profile is from equilibrium in the game against him.

        Half of what the two could gain together by best responses, his within his limits. In
        `strategy` his part is what he plays where he is not bound for a whole hand.
        """
        hero, streets = 1 - self.position, evaluation.game.streets
        own = evaluation.follow(hero, strategy)

        def choose(street: int, value: Floats) -> None:
            betting = streets[street]
            best_values(hero, betting.child, betting.actor, None, value)

        def choose_bound(street: int, value: Floats) -> None:
            betting, bound = streets[street], self.on_street(street)
            best_values(self.position, betting.child, betting.actor, bound, value)

        by_model = evaluation.follow(self.position, self.model)
        reach = self.met(evaluation.follow(self.position, strategy), by_model)
        best = evaluation.climb(hero, reach, choose)
        reply = (1.0 - self.whole) * evaluation.climb(self.position, own, choose_bound)
        if self.whole > 0.0:
            mixed = []
            for betting, chosen, model in zip(streets, strategy, self.model, strict=True):
                his = (betting.actor == self.position)[:, None, None]
                mixed.append(np.where(his, model, chosen))
            reply += self.whole * evaluation.values(mixed)[self.position]
        return (best + reply) / 2
