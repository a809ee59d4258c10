"""How far a strategy of a bucketed game is from equilibrium.

In a game with few deals a best response is found exactly, deal by deal: that is about the game with
groups, and whoever tells more cards apart may win more. In others sampled boards tell what best
responses on the last street alone win: a lower bound of the exploitability in the game itself, with
a standard error.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from math import perm, sqrt

import numpy as np

from pokerlab.holdem.limit.response.board_response_kernels import improve_on_boards
from pokerlab.holdem.limit.response.response_kernels import (
    add_deals,
    best_choices,
    learn_response,
    play_response,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.range_kernels import gain_in_ranges
from pokerlab.holdem.limit.sampling.workspaces import board_workspace, deal_workspace
from pokerlab.runtime.arrays import Floats, Singles
from pokerlab.trees.limit.betting import ACTIONS

MAX_EXACT_DEALS = 100_000
"""Deals of the biggest game whose best response is found exactly."""


@dataclass(frozen=True)
class ExploitabilityBound:
    """The mean value of best responses over all positions, in units of the game.

    Attributes
    ----------
    value
        The figure.
    error
        Its standard error; 0 where it is exact.
    exact
        Whether it is the exploitability in the bucketed game, or a lower bound of that in the
        game itself.
    """

    value: float
    error: float
    exact: bool


@dataclass(frozen=True)
class Winnings:
    """The winnings of a strategy against another, in units of the game.

    Attributes
    ----------
    by_seat
        In each seat.
    error
        The standard error of the mean; 0 where it is exact.
    """

    by_seat: tuple[float, float]
    error: float

    @property
    def value(self) -> float:
        """The mean of both seats."""
        return sum(self.by_seat) / 2


def few_deals(game: BucketedGame) -> bool:
    """Whether a best response can be found by all deals."""
    cards = game.game.players * game.rules.hole + int(game.rules.board_cards[-1])
    return not game.merged and perm(len(game.rules.deck), cards) <= MAX_EXACT_DEALS


def exact_exploitability(game: BucketedGame, probabilities: Singles) -> ExploitabilityBound | None:
    """Best responses by all deals; None where they are too many, or players forget.

    `probabilities` (rows, 3) are in the order of a trainer, without NaN.
    """
    deck = [int(card) for card in game.rules.deck]
    hole, board = game.rules.hole, int(game.rules.board_cards[-1])
    players = game.game.players
    if not few_deals(game):
        return None
    orders = np.array(list(permutations(deck, players * hole + board)), np.uint8)
    deals = np.empty((len(orders), players, hole + board), np.uint8)
    for position in range(players):
        deals[:, position, :hole] = orders[:, position * hole : (position + 1) * hole]
        deals[:, position, hole:] = orders[:, players * hole :]
    work = deal_workspace(game)
    won = 0.0
    for hero in range(players):
        worth = np.zeros((game.rows + 1, len(ACTIONS)))
        before = np.full(game.rows, -1, np.int64)
        if not add_deals(
            deals, hero, game.tree, game.rules, game.look_up, probabilities, worth, before, work
        ):
            return None
        won += best_choices(hero, game.tree, np.array(game.counts), worth, before) / len(deals)
    return ExploitabilityBound(won / players, 0.0, exact=True)


def last_street_bound(
    game: BucketedGame,
    probabilities: Singles,
    rng: np.random.Generator,
    *,
    boards: int = 100,
    threads: int = 1,
) -> ExploitabilityBound:
    """The value of best responses on the last street alone, with all hands on some boards.

    The responder plays the strategy itself until then. On each board the best actions are exact,
    hand by hand; so this is a lower bound of the exploitability in the game itself, whatever
    groups the strategy knows.

    Parameters
    ----------
    game, probabilities
        The strategy (rows, 3) in the order of a trainer, without NaN.
    rng
        For the boards.
    boards
        How many; 2 or more.
    threads
        How many; they do not change the result.
    """
    if boards < 2:
        raise ValueError(f"boards: {boards} is not a number of boards (2 or more)")
    seeds = rng.integers(2**64, size=(boards, 1), dtype=np.uint64)
    gained = np.zeros(boards)
    workspaces = [board_workspace(game) for _ in range(threads)]

    def improve(board: int) -> None:
        work = workspaces.pop()
        for hero in range(2):
            # The same board for both players, so that the error is that of whole boards.
            work.deck[:] = game.rules.deck
            improve_on_boards(
                hero,
                game.tree,
                game.rules,
                game.look_up,
                probabilities,
                seeds[board].copy(),
                work,
                gained[board : board + 1],
            )
        workspaces.append(work)

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(improve, range(boards)))
    error = gained.std(ddof=1) / sqrt(gained.size)
    return ExploitabilityBound(float(gained.mean()) / 2, float(error) / 2, exact=False)


def played_bound(
    game: BucketedGame,
    probabilities: Singles,
    rng: np.random.Generator,
    *,
    training_deals: int = 200_000,
    deals: int = 1_000_000,
    threads: int = 1,
) -> ExploitabilityBound:
    """Train responses by external sampling against a strategy, then play them: any players.

    A weak bound, below 0 at times: responses start from the strategy itself, and improve with the
    number of deals. The number of threads does not change it.
    """
    players = game.game.players
    regret = probabilities * np.float32(_TRUST * game.game.big_blind / game.game.unit)
    # A position learns on rows that no other changes, so that each can have a thread of its own.
    states = rng.integers(2**64, size=(players, 1), dtype=np.uint64)
    shared = game.tree, game.rules, game.look_up, probabilities, regret

    def learn(hero: int) -> None:
        learn_response(training_deals, hero, *shared, None, states[hero], deal_workspace(game))

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(learn, range(players)))
    means, error = _played(game, probabilities, regret, rng, deals, threads)
    return ExploitabilityBound(float(means.mean()), error, exact=False)


def bound_in_ranges(
    game: BucketedGame,
    probabilities: Singles,
    ranges: Floats,
    rng: np.random.Generator,
    *,
    training_deals: int = 200_000,
    deals: int = 1_000_000,
    threads: int = 1,
) -> ExploitabilityBound:
    """`played_bound` where each position holds a range: the mean gain of those who are in.

    `ranges` (positions, buckets of the first street): how likely each bucket is held.
    """
    heroes = list(game.betting.nodes[0].live)
    regret = probabilities * np.float32(_TRUST * game.game.big_blind / game.game.unit)
    states = rng.integers(2**64, size=(_PARTS + 1, len(heroes), 1), dtype=np.uint64)
    shared = game.tree, game.rules, game.look_up, probabilities, regret, ranges
    sums = np.zeros((_PARTS, len(heroes), 2))

    def learn(place: int) -> None:
        learn_response(
            training_deals, heroes[place], *shared, states[_PARTS, place], deal_workspace(game)
        )

    def play(part: int) -> None:
        for place, hero in enumerate(heroes):
            work, state = deal_workspace(game), states[part, place]
            gain_in_ranges(deals // _PARTS, hero, *shared, state, work, sums[part, place])

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(learn, range(len(heroes))))
        list(executor.map(play, range(_PARTS)))
    count = deals // _PARTS * _PARTS
    means = sums.sum(axis=0) / count
    spread = np.maximum(means[:, 1] - means[:, 0] ** 2, 0.0)
    error = sqrt(float(spread.sum()) / count) / len(heroes)
    return ExploitabilityBound(float(means[:, 0].mean()), error, exact=False)


def played_winnings(
    game: BucketedGame,
    probabilities: Singles,
    others: Singles,
    rng: np.random.Generator,
    *,
    deals: int = 1_000_000,
    threads: int = 1,
) -> Winnings:
    """The winnings of a strategy against another, from `deals` deals in each of two seats.

    Rows are in the order of a trainer, without NaN. The number of threads does not change it.
    """
    means, error = _played(game, others, probabilities, rng, deals, threads)
    return Winnings((float(means[0]), float(means[1])), error)


def _played(
    game: BucketedGame,
    others: Singles,
    weights: Singles,
    rng: np.random.Generator,
    deals: int,
    threads: int,
) -> tuple[Floats, float]:
    """The winnings in each seat of a hero who plays by `weights`, and the error of the mean."""
    players = game.game.players
    parts = np.diff(np.linspace(0, deals, _PARTS + 1).astype(int)).tolist()
    states = rng.integers(2**64, size=(_PARTS, players, 1), dtype=np.uint64)
    shared = game.tree, game.rules, game.look_up, others, weights
    sums = np.zeros((_PARTS, players, 2))

    def play(part: int) -> None:
        for hero in range(players):
            work, state = deal_workspace(game), states[part, hero]
            play_response(parts[part], hero, *shared, state, work, sums[part, hero])

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(play, range(_PARTS)))
    totals = sums.sum(axis=0)
    means: Floats = totals[:, 0] / deals
    spread = np.maximum(totals[:, 1] / deals - means**2, 0.0)
    return means, sqrt(float(spread.sum()) / deals) / players


_PARTS = 16
"""The number of parts in which hands are played, each with random numbers of its own."""
_TRUST = 200.0
"""Big blinds of regret that it takes to leave the strategy that a response starts from."""
