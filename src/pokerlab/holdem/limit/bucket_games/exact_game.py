"""The game of buckets that remember, without any loss: what training by sampling converges to.

Where a player's bucket tells all the earlier ones (perfect recall), the cards matter only through
the pair of river buckets that the two players end with: how often it is dealt, and how often the
first wins. Two matrices with a row and a column for each river bucket are the whole of chance, card
removal and the shared board included; what happens on earlier streets are sums of their entries.

They are counted over all 2,554,656 ways to deal flop, turn and river (up to suits), and kept in the
cache folder: some minutes for 625 buckets, 6 MB. Strategies of such buckets then have an exact
exploitability in the game with buckets, and rules like DCFR solve that game exactly (see
`pokerlab.holdem.limit.bucket_games.solver`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pokerlab.cards.isomorphism.suits import board_orbits, card_classes, symmetries
from pokerlab.games import BettingGame
from pokerlab.holdem.limit.bucket_games.bucket_pairs import BucketPairs
from pokerlab.holdem.limit.bucket_games.street_betting import StreetBetting, cut_streets
from pokerlab.holdem.limit.bucket_games.transitions import (
    Boards,
    count_showdowns,
    value_of_strength,
)
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.strength.tables import StrengthTables, strength_tables
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.builds import Meter, Report, cached, reporter
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.runtime.files.reader import Expected, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.jit import cache_folder
from pokerlab.trees.limit.betting import flatten_betting

MAX_EXACT_BUCKETS = 2_000
"""River buckets of the largest game: its matrices take 64 MB, an iteration seconds."""
EXACT_FORMAT = "pokerlab exact bucket game 1"
_FLOPS = 1755


@dataclass(frozen=True, eq=False)
class ExactBucketGame(BucketPairs):
    """The betting of a two-player limit game, with buckets that remember in place of cards.

    Attributes
    ----------
    game
        The rules of betting.
    before, pairs, margin
        What chance does: see `BucketPairs`.

    Examples
    --------
    Three cards in the betting of Kuhn poker, with card removal:

    >>> from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
    >>> from pokerlab.games import load_betting_game
    >>> wins = np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]) / 6
    >>> game = ExactBucketGame(load_betting_game("kuhn"), (), np.abs(wins), wins)
    >>> solver = BucketSolver(game, "cfr+")
    >>> solver.iterate(500)
    >>> f"{solver.values(solver.strategy())[0]:.4f}"
    '-0.0556'
    """

    game: BettingGame
    before: tuple[Int64s, ...]
    pairs: Floats
    margin: Floats

    def __post_init__(self) -> None:
        name, streets = self.game.name, len(self.game.streets)
        if self.game.players != 2:
            raise ValueError(f"{name} has {self.game.players} players: bucket games have 2")
        if len(self.before) != streets - 1:
            raise ValueError(
                f"buckets for {len(self.before) + 1} streets, but {name} has {streets}"
            )
        if self.pairs.shape != self.margin.shape or self.pairs.shape != 2 * (self.counts[-1],):
            raise ValueError(
                f"matrices of shapes {self.pairs.shape} and {self.margin.shape} for"
                f" {self.counts[-1]} buckets"
            )
        if not np.allclose(self.pairs, self.pairs.T) or not np.isclose(self.pairs.sum(), 1.0):
            raise ValueError("the probabilities of pairs are not symmetric, or do not sum to 1")
        if not np.allclose(self.margin, -self.margin.T):
            raise ValueError("the margins are not antisymmetric: one wins what one loses")

    @cached_property
    def streets(self) -> tuple[StreetBetting, ...]:
        """The betting tree, street by street."""
        return cut_streets(flatten_betting(self.game))

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the numbers of the game."""
        arrays = {f"before_{street}": each for street, each in enumerate(self.before)}
        every = {"pairs": self.pairs, "margin": self.margin, **arrays}
        return content_hash(every, {"game": self.game.name})

    @property
    def identity(self) -> dict[str, str]:
        """The game of a saved state of a solver."""
        return {"game": self.game.name, "buckets": self.digest}


def dealt_boards(flops: int = _FLOPS) -> Iterator[Boards]:
    """All ways to deal flop, turn and river, up to suits, flop by flop.

    Examples
    --------
    >>> boards, multiplicities = next(dealt_boards())  # AsAhAd
    >>> len(boards), int(multiplicities.sum()) == 4 * 49 * 48
    (744, True)
    """
    found, times = board_orbits(size=3)
    for flop, flop_times in zip(found[:flops].tolist(), times[:flops].tolist(), strict=True):
        boards: list[list[int]] = []
        multiplicities: list[int] = []
        for turn in card_classes(flop, symmetries(flop)):
            known = [*flop, turn.card]
            before = flop_times * turn.multiplicity
            if len(turn.group) == 1:
                rivers = [card for card in range(52) if card not in known]
                boards += [[*known, card] for card in rivers]
                multiplicities += [before] * len(rivers)
                continue
            for river in card_classes(known, turn.group):
                boards.append([*known, river.card])
                multiplicities.append(before * river.multiplicity)
        yield np.array(boards, np.uint8), np.array(multiplicities, np.int64)


def count_pairs(
    buckets: Buckets, tables: StrengthTables, report: Report | None = None, flops: int = _FLOPS
) -> tuple[Floats, Floats]:
    """Count over all deals how often the river buckets of two players meet, and who wins.

    Returns
    -------
    pairs, margin
        See `ExactBucketGame`.
    """
    value_of = value_of_strength(buckets, tables)
    meter = Meter(reporter(report), f"the pairs of {buckets.name}", float(flops))
    wins, meetings = count_showdowns(buckets, value_of, dealt_boards(flops), lambda: meter.add(1.0))
    total = meetings.sum()
    return meetings / total, (wins - wins.T) / total


def exact_bucket_game(
    game: BettingGame, buckets: Buckets, report: Report | None = None
) -> ExactBucketGame:
    """Count the pairs of some buckets of hold'em, and make a game of them."""
    check_sizes(buckets.name, buckets.counts, recall=buckets.recall)
    pairs, margin = count_pairs(buckets, strength_tables(), report)
    return ExactBucketGame(game, _before(buckets), pairs, margin)


def check_sizes(name: str, counts: Sequence[int], *, recall: bool) -> None:
    """Refuse buckets that have no exact game, or a game that is too large."""
    if not recall:
        raise ValueError(f"{name} forgets earlier streets: it has no exact game of buckets")
    if counts[-1] > MAX_EXACT_BUCKETS:
        raise ValueError(
            f"{name} has {counts[-1]:,} buckets on the river: at most {MAX_EXACT_BUCKETS:,} are"
            " taken together"
        )


def exact_game_file(buckets: Buckets) -> Path:
    """Where the pairs of some buckets are kept."""
    return cache_folder() / "exact-games" / f"{buckets.digest[:16]}.safetensors"


def cached_exact_game(
    game: BettingGame, buckets: Buckets, report: Report | None = None
) -> ExactBucketGame:
    """The same from the cache folder; counted the first time."""
    path = exact_game_file(buckets)
    count = buckets.counts[-1]
    matrix = Expected(np.float64, (count, count), -1.0, 1.0)
    schema = {"pairs": matrix, "margin": matrix}

    def make(report: Report) -> None:
        made = exact_bucket_game(game, buckets, report)
        tensors = {"pairs": made.pairs, "margin": made.margin}
        write_hashed(path, tensors, {"format": EXACT_FORMAT, "buckets": buckets.name})

    def load(path: Path) -> ExactBucketGame:
        found, _ = read_checked(path, EXACT_FORMAT, schema, verify=True)
        with damage_named(path):
            return ExactBucketGame(game, _before(buckets), found["pairs"], found["margin"])

    return cached(path, make, load, report, again="counted")


def _before(buckets: Buckets) -> tuple[Int64s, ...]:
    """By later street, the bucket on the street before that leads to each."""
    found = []
    for street, groups in enumerate(buckets.groups[1:]):
        assert groups.next_bucket is not None
        before = np.zeros(groups.groups, np.int64)
        for bucket in range(buckets.counts[street]):
            before[groups.next_bucket[bucket]] = bucket
        found.append(before)
    return tuple(found)
