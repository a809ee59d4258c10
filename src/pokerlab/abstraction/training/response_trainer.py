"""Training a response to a model of the opponent, for both seats at once.

The opponent is bound to the model with probability p, for a whole deal (restricted Nash response)
or at each row (data-biased response; see `pokerlab.solvers.evaluation.restricted_player`), and
plays for the rest as well as he can. That is another game for each seat of ours, so there are two
trainings, of which each leaves the rows of its seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.response.bounds import Exploitability
from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.abstraction.sampling.legal_rows import legal_rows
from pokerlab.abstraction.sampling.walk_kernels import BoundPlayer
from pokerlab.abstraction.training.seats import restore_seats, seats_state
from pokerlab.abstraction.training.trainer import Trainer
from pokerlab.arrays import AnyArray, Singles
from pokerlab.solvers.evaluation.restricted_player import check_share
from pokerlab.solvers.rules import Rule


@dataclass(frozen=True, eq=False)
class BoundRows:
    """A model of a player of a bucketed game, and how far he is bound to it.

    Attributes
    ----------
    game
        The game, for two players.
    model
        (rows, 3) node by node: what he plays in both seats.
    whole
        How likely he is bound to the model for a whole hand.
    trust
        (rows,) node by node: otherwise, how likely he is bound to it at each row.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> bound = BoundRows.of(game, np.tile([0.0, 1.0, 0.0], (game.rows, 1)), 0.5)
    >>> bound.whole, float(bound.trust.max())
    (0.5, 0.0)
    >>> BoundRows.of(game, bound.model, 1.5)
    Traceback (most recent call last):
    ValueError: p: 1.5 is not a probability (0 to 1)
    """

    game: BucketedGame
    model: Singles
    whole: float
    trust: Singles

    @classmethod
    def of(cls, game: BucketedGame, model: npt.ArrayLike, p: float | npt.ArrayLike) -> BoundRows:
        """Check and make one; `p` is one number for whole hands, or one for each row.

        Rows of `model` that are NaN are uniform, and what is not legal is a call.
        """
        if game.game.players != 2:
            raise ValueError(
                f"responses to models are for two players; {game.game.name} has {game.game.players}"
            )
        chances = legal_rows(game, model)
        shares = np.asarray(p, np.float32)
        if shares.ndim == 0:
            check_share(float(p), "p")  # type: ignore[arg-type]
            return cls(game, chances, float(p), np.zeros(game.rows, np.float32))  # type: ignore[arg-type]
        if shares.shape != (game.rows,):
            raise ValueError(f"p: {shares.size:,} numbers for the {game.rows:,} rows of {game}")
        for extreme in (shares.min(), shares.max()):
            check_share(float(extreme), "p")
        return cls(game, chances, 0.0, shares)

    def player(self, position: int) -> BoundPlayer:
        """What kernels of a trainer take."""
        model, trust = self.game.from_nodes(self.model), self.game.from_nodes(self.trust)
        return BoundPlayer(position, self.whole, model, trust)

    @cached_property
    def digest(self) -> str:
        """A fingerprint: what saved states of a training belong to."""
        seen = sha256(repr(self.whole).encode())
        for column in (self.model, self.trust):
            seen.update(np.ascontiguousarray(column).tobytes())
        return seen.hexdigest()


class ResponseTrainer:
    """Iterates both trainings; `pokerlab.solvers.run` can run it.

    Parameters
    ----------
    bound
        The opponent.
    method, rule, seed, threads, boards
        See `Trainer`.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> caller = BoundRows.of(game, np.tile([0.0, 1.0, 0.0], (game.rows, 1)), 0.7)
    >>> trainer = ResponseTrainer(caller, threads=1, seed=1)
    >>> trainer.iterate(20_000)
    >>> abs(trainer.exploitability() - 1 / 12) < 0.01
    True
    """

    def __init__(
        self,
        bound: BoundRows,
        method: str = "external",
        rule: str | Rule | None = None,
        *,
        seed: int = 0,
        threads: int | None = None,
        boards: int = 100,
    ) -> None:
        self.bound = bound
        self.game = bound.game
        self._seats = [
            Trainer(
                bound.game,
                method,
                rule,
                seed=2 * seed + hero,
                threads=threads,
                boards=boards,
                bound=bound.player(1 - hero),
            )
            for hero in (0, 1)
        ]
        self.iteration = 0
        """Deals to each seat."""
        first = self._seats[0]
        self.method, self.rule, self.threads, self.seed = method, first.rule, first.threads, seed

    @property
    def visited(self) -> int:
        """Betting nodes visited so far, in both trainings."""
        return sum(each.visited for each in self._seats)

    @property
    def measured(self) -> Exploitability | None:
        """The newest measurement."""
        return self._seats[0].measured

    @property
    def measures_exactly(self) -> bool:
        """Whether deals are few, so that a measurement takes no time."""
        return self._seats[0].measures_exactly

    def prepare_measuring(self) -> None:
        """Compile what measures, and load what it needs, before any clock runs."""
        self._seats[0].prepare_measuring()

    def iterate(self, iterations: int) -> None:
        """Deal some more hands for each seat."""
        for each in self._seats:
            each.iterate(iterations)
        self.iteration += iterations

    def strategy(self) -> Singles:
        """The response so far, node by node; NaN where training never was."""
        first, second = (each.strategy() for each in self._seats)
        return np.where((self.game.positions == 0)[:, None], first, second)

    def exploitability(self) -> float:
        """What the response so far can lose; exact or a bound (see `measured`)."""
        return self._seats[0].measure(self.game.from_nodes(legal_rows(self.game, self.strategy())))

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return self._seats[0].identity | {"seed": str(self.seed), "model": self.bound.digest}

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on; the tables themselves, not copies."""
        return seats_state(self._seats)

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a state; `ValueError` says what is wrong with one of another training."""
        self.iteration = restore_seats(self._seats, state)
