"""A limit game with buckets instead of cards, as chance node elimination leaves it.

Each of the two players has their own bucket; from street to street it moves by the transition
matrix, whatever the other's does, and at showdown a matrix says what it wins. No cards are removed,
and no board is shared.

A player's past tells nothing about the future beyond the present bucket, and nothing about the
other player's bucket. So (betting, bucket) is all that a player needs to know: strategies have an
entry for each of the 6,378 betting histories and bucket.
`pokerlab.holdem.limit.bucket_games.solver` solves it exactly;
`pokerlab.holdem.limit.bucket_games.exact_game` is the game in which the two players' buckets do
belong together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from pokerlab.games import BettingGame
from pokerlab.holdem.limit.bucket_games.street_betting import StreetBetting, cut_streets
from pokerlab.holdem.limit.bucket_games.transitions import showdown_matrix, transition_matrix
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.strength.tables import StrengthTables
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.builds import Meter, Report, reporter
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.trees.limit.betting import FlatBetting, flatten_betting


@dataclass(frozen=True, eq=False)
class IndependentBucketGame:
    """The betting of a two-player limit game, with buckets in place of cards.

    Attributes
    ----------
    game
        The rules of betting.
    start
        (2, buckets): the probability of each player's buckets at first.
    transitions
        For each later street (buckets before, buckets): rows sum to 1, or to 0 where a bucket
        is never met.
    showdown
        (buckets, buckets) of the last street: P(win) − P(lose), antisymmetric.
    line
        The betting before the game begins, by default none: ``"rc/"`` is the rest of a hand of
        hold'em from the flop on, after a raise and a call. Payoffs are those of the whole hand.

    Examples
    --------
    Three buckets in the betting of Kuhn poker:

    >>> from pokerlab.games import load_betting_game
    >>> wins = np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]])
    >>> game = IndependentBucketGame(load_betting_game("kuhn"), np.full((2, 3), 1 / 3), (), wins)
    >>> from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
    >>> solver = BucketSolver(game, "cfr+")
    >>> solver.iterate(500)
    >>> solver.exploitability() < 1e-3
    True
    """

    game: BettingGame
    start: Floats
    transitions: tuple[Floats, ...]
    showdown: Floats
    line: str = ""

    def __post_init__(self) -> None:
        name = self.game.name
        if self.game.players != 2:
            raise ValueError(f"{name} has {self.game.players} players: bucket games have 2")
        if self.start.ndim != 2 or len(self.start) != 2:
            raise ValueError(f"first buckets of shape {self.start.shape}, not (2, buckets)")
        sizes = self.counts
        if len(sizes) != len(self.streets):
            after = f" after {self.line!r}" if self.line else ""
            raise ValueError(
                f"buckets for {len(sizes)} streets, but {name} has {len(self.streets)}{after}"
            )
        for street, matrix in enumerate(self.transitions):
            sums = matrix.sum(axis=1)
            if len(matrix) != sizes[street] or matrix.min() < 0:
                raise ValueError(f"the transitions to street {street + 1} do not fit the buckets")
            if not np.all((np.abs(sums - 1) < 1e-9) | (sums == 0)):
                raise ValueError(f"rows of the transitions to street {street + 1} do not sum to 1")
        if self.showdown.shape != (sizes[-1], sizes[-1]):
            raise ValueError(
                f"a showdown matrix of shape {self.showdown.shape} for {sizes[-1]} buckets"
            )
        if not np.allclose(self.showdown, -np.transpose(self.showdown)):
            raise ValueError("the showdown matrix is not antisymmetric: one wins what one loses")
        sums = self.start.sum(axis=1)
        if not np.allclose(sums, 1) or self.start.min() < 0:
            raise ValueError("the first buckets have no probabilities that sum to 1")

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        return (self.start.shape[-1], *(matrix.shape[1] for matrix in self.transitions))

    @property
    def betting(self) -> FlatBetting:
        """The betting tree of the whole game."""
        return flatten_betting(self.game)

    @cached_property
    def streets(self) -> tuple[StreetBetting, ...]:
        """The betting tree from `line` on, street by street."""
        return _streets_after(self.game, self.line)

    @property
    def information_sets(self) -> int:
        """Betting histories times buckets, of both players together."""
        return sum(
            len(street.nodes) * count
            for street, count in zip(self.streets, self.counts, strict=True)
        )

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the numbers of the game."""
        arrays = {f"to_{street}": matrix for street, matrix in enumerate(self.transitions)}
        every = {"start": self.start, "showdown": self.showdown, **arrays}
        return content_hash(every, {"game": self.game.name, "line": self.line})

    @property
    def identity(self) -> dict[str, str]:
        """The game of a saved state of a solver."""
        return {"game": self.game.name, "buckets": self.digest}

    def begin(self, player: int) -> Floats:
        """(buckets,): how often a player has each bucket at first, whatever the other has."""
        return np.asarray(self.start[player])

    def onward(self, street: int, reach: Floats) -> Floats:
        """How often a player has each bucket on the next street."""
        return np.asarray(reach @ self.transitions[street])

    def back(self, street: int, value: Floats) -> Floats:
        """The values of buckets, from the values of the next street's buckets."""
        return np.asarray(value @ self.transitions[street].T)

    def unblocked(self, street: int, reach: Floats) -> Floats:
        """The weight of an opponent with this reach: buckets block nothing here."""
        return np.broadcast_to(reach.sum(axis=1, keepdims=True), reach.shape)

    def win_margins(self, reach: Floats) -> Floats:
        """How much more often each bucket wins than loses against an opponent's reach."""
        return np.asarray(reach @ self.showdown.T)


@lru_cache(maxsize=1024)
def _streets_after(game: BettingGame, line: str) -> tuple[StreetBetting, ...]:
    """The streets after a betting; there are 7, 63 and 567 ways to reach a street of hold'em."""
    betting = flatten_betting(game)
    root = betting.number_of.get(line)
    if root is None or (line and not line.endswith("/")):
        raise ValueError(f"no street of {game.name} begins after {line!r}")
    return cut_streets(betting, root)


def independent_bucket_game(
    game: BettingGame,
    buckets: Buckets,
    tables: StrengthTables,
    *,
    boards: int | None = None,
    rng: np.random.Generator | None = None,
    report: Report | None = None,
) -> IndependentBucketGame:
    """Make the game of some buckets of hold'em; `boards` and `rng` as in `showdown_matrix`."""
    showdowns = _SHOWDOWNS * (1 + buckets.counts[-1] / _BUCKETS_OF_A_SORT)
    work = sum(_COUNTING) + showdowns
    meter = Meter(reporter(report), f"the transitions of {buckets.name}", work)
    moves = [
        transition_matrix(buckets, street, tables, tick=meter.ticks(seconds))
        for street, seconds in enumerate(_COUNTING, 1)
    ]
    ticks = meter.ticks(showdowns)
    wins = showdown_matrix(buckets, tables, boards=boards, rng=rng, tick=ticks)
    return IndependentBucketGame(game, np.stack([buckets.shares[0]] * 2), tuple(moves), wins)


_COUNTING = (0.4, 14.0, 46.0)
"""Seconds of one core to count the transitions to each later street."""
_SHOWDOWNS, _BUCKETS_OF_A_SORT = 10.0, 4.0
"""Seconds of one core to sort all boards, and how many river buckets double it."""
