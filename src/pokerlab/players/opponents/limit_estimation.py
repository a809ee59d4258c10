"""How a player of a limit game plays, by betting and group of cards.

The same expectation-maximisation as in `pokerlab.players.opponents.estimation`, over all private
cards that fit a hand: those of hold'em are listed with their groups, and the two players' cards are
taken together by inclusion and exclusion, so that a hand costs a thousand steps and not a million.

Hold'em has far more rows than anybody's hands, so most of them are never seen. The best estimate
there is what the player does elsewhere: the prior `similar` of a row is the play with the same
group after the same betting on this street, whatever happened on the streets before; that is
smoothed towards the play there with all cards, and that towards uniform play.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb, isfinite

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.legal_rows import legal_actions, legal_rows
from pokerlab.players.opponents.limit_hands import LimitHands
from pokerlab.players.opponents.limit_kernels import (
    Entries,
    HandColumns,
    Lines,
    add_expected,
    count_entries,
    list_entries,
)
from pokerlab.players.opponents.spot_kinds import spot_kinds
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.machine import core_count
from pokerlab.trees.limit.betting import ACTIONS

MAX_BYTES = 1_000_000_000
"""Memory for the cards that fit hands; of more, an even share is taken."""
_TOLERANCE = 1e-5
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class LimitEstimate:
    """An estimated strategy of a bucketed game; all tables are (rows, 3), node by node.

    Attributes
    ----------
    probabilities
        What the player does.
    counts
        How often the player took each action: expected numbers, with shares of hands not shown.
    shown
        The part of `counts` from hands in which the player's cards are known.
    rounds
        How many rounds of expectation and maximisation it took.
    """

    probabilities: Floats
    counts: Floats
    shown: Floats
    rounds: int


def estimate_rows(
    game: BucketedGame,
    hands: LimitHands,
    prior: npt.ArrayLike | str = "similar",
    prior_weight: float = 1.0,
    *,
    tolerance: float = _TOLERANCE,
    rounds: int = _ROUNDS,
    threads: int | None = None,
) -> LimitEstimate:
    """Estimate a player's strategy in each row.

    Parameters
    ----------
    game
        The game with groups of cards.
    hands
        The hands of the player.
    prior
        ``"uniform"``, ``"similar"`` (see the module), or rows of a strategy (rows, 3).
    prior_weight
        As how many observations at each row the prior counts.
    tolerance, rounds
        When to stop: the mean change of a probability in a round, over all decisions of the
        player; and how many rounds at most.
    threads
        How many; by default all cores.
    """
    if not (isfinite(prior_weight) and prior_weight >= 0.0):
        raise ValueError(f"prior weight: {prior_weight:g} is not a number from 0 on")
    smoothing = _Smoothing(game, prior, prior_weight)
    expected = _Expectation(game, hands.merged(), threads or core_count())
    now = np.stack([smoothing.uniform] * 2)
    counts = expected.counts(now)
    # Most rows are far from any hand: they get their prior when all is over.
    active = [np.flatnonzero(each.any(axis=1)) for each in counts]
    done = 1
    while expected.hidden and done < rounds:
        moved = 0.0
        for side, rows in enumerate(active):
            new = smoothing.of(counts[side][rows], rows, side)
            moved += float(counts[side][rows].sum(axis=1) @ np.abs(new - now[side, rows]).max(1))
            now[side, rows] = new
        if moved <= tolerance * counts.sum():
            break
        counts = expected.counts(now)
        done += 1
    probabilities = smoothing.of(counts[0], np.arange(game.rows), 0)
    return LimitEstimate(probabilities, counts[0], expected.shown(), done)


class _Expectation:
    """Lists once what fits each hand, and counts it by a strategy."""

    def __init__(self, game: BucketedGame, hands: LimitHands, threads: int) -> None:
        self._game, self._threads = game, threads
        columns = hands.columns
        known = columns.known[np.arange(len(columns.leaf)), columns.seat]
        # Hands in which the player's cards are known come first: they can be counted alone.
        order = np.argsort(~known, kind="stable")
        self._hands = HandColumns._make(np.ascontiguousarray(each[order]) for each in columns)
        self._known = int(known.sum())
        self.hidden = not bool(columns.known.all())
        """Whether any cards are not known."""
        self._lines = _lines(game)
        self._entries = self._list()

    def _list(self) -> Entries:
        game, hands = self._game, self._hands
        deck, streets, hole = game.rules.deck, len(game.groups), int(game.rules.hole)
        begin = np.zeros(2 * len(hands.leaf) + 1, np.int64)
        count_entries(hands, len(deck), 1.0, begin)
        size = int(begin[-1]) * (hole + 2 * streets)
        if size > MAX_BYTES:
            count_entries(hands, len(deck), MAX_BYTES / size, begin)
        entries = Entries(
            begin,
            np.zeros((int(begin[-1]), hole), np.uint8),
            np.zeros((int(begin[-1]), streets), np.uint16),
        )

        def fill(first: int, last: int) -> None:
            list_entries(
                first,
                last,
                hands,
                deck,
                self._lines,
                game.look_up,
                np.zeros(hole + int(game.rules.board_cards[-1]), np.uint8),
                np.zeros(streets, np.int64),
                np.zeros(len(deck), np.uint8),
                entries,
            )

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(lambda part: fill(*part), self._parts(begin[::2])))
        return entries

    def counts(self, probabilities: Floats) -> Floats:
        """(2, rows, 3): the expected counts of the player's and the others' actions."""
        return self._add(probabilities, 0, len(self._hands.leaf))

    def shown(self) -> Floats:
        """(rows, 3): the player's actions in hands in which the cards are known."""
        anything = np.ones((2, self._game.rows, len(ACTIONS)))
        found: Floats = self._add(anything, 0, self._known)[0]
        return found

    def _add(self, probabilities: Floats, first: int, last: int) -> Floats:
        deck, hole = len(self._game.rules.deck), int(self._game.rules.hole)
        most = comb(deck, hole)
        parts = self._parts(self._entries.begin[: 2 * last + 1 : 2])

        def add(part: tuple[int, int]) -> Floats:
            counts = np.zeros_like(probabilities)
            scratch = np.zeros((2, most)), np.zeros(most), np.zeros(52)
            add_expected(
                *part, self._hands, self._entries, self._lines, probabilities, counts, *scratch
            )
            return counts

        with ThreadPoolExecutor(self._threads) as pool:
            found: Floats = sum(pool.map(add, parts), np.zeros_like(probabilities))
        return found

    def _parts(self, begin: Int64s) -> list[tuple[int, int]]:
        """Hands for each thread, with about as many entries."""
        wanted = np.linspace(0, begin[-1], self._threads + 1)
        ends = np.searchsorted(begin, wanted)
        ends[-1] = len(begin) - 1
        return [(int(first), int(last)) for first, last in pairwise(ends)]


class _Smoothing:
    """Turns counts into probabilities."""

    def __init__(self, game: BucketedGame, prior: npt.ArrayLike | str, weight: float) -> None:
        self._game, self._weight = game, weight
        legal = legal_actions(game)
        self.uniform: Floats = legal / legal.sum(axis=1, keepdims=True)
        self._prior: Floats | None = self.uniform
        if isinstance(prior, str):
            if prior not in ("uniform", "similar"):
                raise ValueError(f"prior: {prior!r} is not known (uniform, similar)")
            if prior == "similar":
                self._prior = None
        else:
            self._prior = legal_rows(game, prior).astype(np.float64)

    def of(self, counts: Floats, rows: Int64s, side: int) -> Floats:
        """The strategy in some rows, from the counts there; all other rows have no counts.

        Side 1 are the others, whom nobody asks for: uniform smoothing is enough.
        """
        prior = self.uniform[rows]
        if side == 0:
            prior = self._similar(counts, rows) if self._prior is None else self._prior[rows]
        return self._smooth(counts, prior, self._weight)

    @staticmethod
    def _smooth(counts: Floats, prior: Floats, weight: float) -> Floats:
        weights = counts + weight * prior
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), prior)

    def _similar(self, counts: Floats, rows: Int64s) -> Floats:
        """The play with a group after the same betting on this street."""
        kind_of, group_of, kind_of_group, uniform = self._kinds
        kind, of_group = kind_of[rows], group_of[rows]
        by_kind = self._smooth(_sums(kind, counts, len(uniform)), uniform, 1.0)
        by_group = _sums(of_group, counts, len(kind_of_group))
        prior = self._smooth(by_group, by_kind[kind_of_group], 1.0)
        found: Floats = prior[of_group]
        return found

    @cached_property
    def _kinds(self) -> tuple[Int64s, Int64s, Int64s, Floats]:
        """Numbers of kinds of nodes, and of these with groups.

        By row its kind, and that with its group; the kind of each of the latter; by kind, uniform
        play.
        """
        game = self._game
        names, kinds = spot_kinds(game)
        streets = np.array([kind.street for kind in names])
        sizes = np.array(game.counts)[streets]
        first = np.cumsum(sizes) - sizes
        repeated = np.array(game.counts)[game.betting.streets]
        kind = np.repeat(kinds, repeated)
        group = np.arange(game.rows) - np.repeat(game.first_row, repeated)
        uniform = np.zeros((len(names), len(ACTIONS)))
        uniform[kind] = self.uniform
        return kind, first[kind] + group, np.repeat(np.arange(len(names)), sizes), uniform


def _sums(number: Int64s, counts: Floats, size: int) -> Floats:
    return np.column_stack([np.bincount(number, column, size) for column in counts.T])


def _lines(game: BucketedGame) -> Lines:
    """How betting gets to each node and leaf."""
    betting = game.betting
    nodes = betting.tree.nodes
    before = np.full(len(nodes) + len(betting.leaves), -1, np.int64)
    action = np.full(len(before), -1, np.int64)
    parents, columns = np.nonzero(nodes[:, : len(ACTIONS)] >= 0)
    children = nodes[parents, columns]
    before[children], action[children] = parents, columns
    return Lines(nodes, before, action, game.first_row)
