"""Games of a spot in blocks, by threads: the same seed gives the same games whatever their number.

Every block has its own random numbers, and blocks are counted in order. Cards and decisions take
theirs from different streams, so the cards of a game do not depend on who plays. All seatings of a
deal share cards *and* the random numbers of their decisions: what two profiles do in the same way
then cancels out, and the error of the difference between them is smaller.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.games.betting_trees.betting_tree import Place
from pokerlab.games.play_runs import BlockRun
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.play.dealing import Pairs
from pokerlab.holdem.spots.play.play_kernels import Games, deal_games, play_street
from pokerlab.holdem.spots.play.play_tables import StreetTables, dealing_of, street_plays
from pokerlab.holdem.spots.play.spot_rules import Settlement
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.machine import check_threads

BLOCK = 1 << 14
"""Deals of a block: some milliseconds."""


def check_playable(solution: PostflopSolution, name: str = "the solution") -> None:
    """`ValueError` for a partial solution, or one on a subset of run-outs."""
    if solution.partial:
        raise ValueError(f"{name} holds no strategies of the river: nobody can play it")
    if solution.spot.runouts is not None:
        raise ValueError(
            f"{name} is of {solution.spot.runouts} run-outs: it has no strategies on other cards"
        )


class PlayOuts:
    """Games between two profiles of a spot, which may be one and the same.

    Iterate over it for the results block by block: (deals, seatings, 2) chips that player 0 and
    player 1 win, the pot split evenly being nothing.

    Parameters
    ----------
    profiles
        In the first seating, the profile that plays out of position and the one that plays in
        position; both are of the same spot. In the second seating it is the other way round.
    place, pairs
        Where the games begin, and the hands that arrive there.
    deals, seatings
        How many deals, and in how many seatings each is played (1 or 2).
    seed, threads
        The result depends on the first alone.
    names
        What errors call the profiles.

    Attributes
    ----------
    run
        How far the games are, and how long they took.
    """

    def __init__(
        self,
        profiles: tuple[PostflopSolution, PostflopSolution],
        place: Place,
        pairs: Pairs,
        deals: int,
        seatings: int,
        seed: int,
        threads: int | None,
        names: tuple[str, str] = ("the solution", "the solution"),
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ValueError(f"seed: {seed!r} is not a seed (0 or more)")
        self.spot = profiles[0].spot
        self.place, self.deals, self.seatings, self.seed = place, deals, seatings, seed
        self.threads = check_threads(threads)
        self.names = names
        self.run = BlockRun(self.play_block, deals, BLOCK, self.threads)
        self.combos = pairs.combos
        self._dealing = dealing_of(pairs)
        self._streets = street_plays(self.spot.tree, len(self.spot.board))
        levels = range(place.level, len(self._streets))
        self._tables = {
            level: [StreetTables(each, level, pairs.combos) for each in dict.fromkeys(profiles)]
            for level in levels
        }
        self._settlement = Settlement(self.spot)
        self._paid = np.full((sum(street.edges for street in self.spot.tree.streets), 3, 2), np.nan)

    def __iter__(self) -> Iterator[Floats]:
        """Play from the first deal on."""
        self.play_block(0, 0)  # compile, or load what was compiled before
        self._deal_block(0, min(BLOCK, self.deals))  # and fill in the tables
        for games in self.run:
            yield self.settle(games)

    def play_block(self, number: int, deals: int) -> Games:
        """Deal and play the games of a block; chips are not counted yet."""
        games = self._deal_block(number, deals)
        for level, tables in self._tables.items():
            players = (*tables[0].players, *tables[-1].players)
            bad = play_street(self._streets[level], players, self.seatings, games)
            if bad >= 0:
                raise self._no_distribution(level, int(games.node[bad]), bad % self.seatings)
        return games

    def _deal_block(self, number: int, deals: int) -> Games:
        # Every block has its own random numbers: it does not matter which thread plays it.
        sequence = np.random.SeedSequence(self.seed, spawn_key=(number,))
        seeds = sequence.generate_state(2, np.uint64).astype(np.uint64)
        games = self._empty_games(deals)
        known = (*self.spot.board, *self.place.cards)
        games.cards[:, : len(known)] = known
        tables = evaluator_tables.load()
        deal_games(self._dealing, len(known), self.seatings, seeds[:1], seeds[1:], games, tables)
        for tables_of_street in self._tables.values():
            for each in tables_of_street:
                each.fill(games.cards[:, len(self.spot.board) :])
        return games

    def _no_distribution(self, level: int, node: int, seating: int) -> ValueError:
        tree = self.spot.tree
        name = self.names[int(tree.streets[level].player[node]) ^ seating]
        return ValueError(
            f"{name}: the strategy at {tree.line(level, node)!r} is not a distribution; the file "
            "may be damaged"
        )

    def settle(self, games: Games) -> Floats:
        """The winnings of the players in the games of a block, (deals, seatings, 2) chips."""
        for number in np.unique(games.end[np.isnan(self._paid[games.end, 0, 0])]).tolist():
            level = max(
                level for level, street in enumerate(self._streets) if street.first_number <= number
            )
            edge = number - self._streets[level].first_number
            self._paid[number] = self._settlement.at(level, edge)
        ends = games.end.reshape(-1, self.seatings)
        return np.asarray(self._paid[ends, 1 + games.lead.astype(np.intp)[:, None]])

    def _empty_games(self, deals: int) -> Games:
        games = deals * self.seatings
        return Games(
            hands=np.zeros((deals, 2), np.int32),
            cards=np.zeros((deals, 5), np.uint8),
            lead=np.zeros(deals, np.int8),
            states=np.zeros(games, np.uint64),
            node=np.full(games, self.place.node, np.int64),
            end=np.zeros(games, np.int64),
            waiting=np.zeros(games, np.int64),
            start=np.zeros((games, 2), np.int64),
            row=np.zeros((games, 2), np.int64),
            chosen=np.zeros(games, np.int64),
        )
