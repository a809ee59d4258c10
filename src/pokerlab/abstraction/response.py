"""How far a strategy of a bucketed game is from equilibrium there.

In a game with few deals a best response is found exactly, deal by deal. In others a response is
found on sampled boards and then played on fresh ones: what it wins is a lower bound of the
exploitability, with a standard error, and the more boards the closer.

All is about the bucketed game: whoever tells more cards apart may win more.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from math import comb, perm, sqrt

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.bucketed_game import BucketedGame
from pokerlab.abstraction.public_kernels import RESPOND, VALUE, BoardRoom, public_walks
from pokerlab.abstraction.response_kernels import (
    add_deals,
    best_choices,
    choose_on_street,
    play_response,
)
from pokerlab.abstraction.training_kernels import Scratch, Weights, external_sampling
from pokerlab.trees.flat_betting import ACTIONS

__all__ = [
    "Exploitability",
    "exact_exploitability",
    "few_deals",
    "make_room",
    "make_scratch",
    "played_bound",
    "response_bound",
]

Table = npt.NDArray[np.float32]

MOST_DEALS = 100_000
"""Deals of the biggest game whose best response is found exactly."""
HANDS_ON_BOARD = 200
"""Hands that are looked at on a board: more boards tell more than more hands on each."""


@dataclass(frozen=True)
class Exploitability:
    """What best responses win in the mean over all positions, in units of the game.

    Attributes
    ----------
    value
        The figure.
    error
        Its standard error; 0 where it is exact.
    exact
        Whether it is the exploitability in the bucketed game, or a lower bound of it.
    """

    value: float
    error: float
    exact: bool


def make_scratch(game: BucketedGame) -> Scratch:
    """Room for one thread."""
    rules = game.rules
    players = game.game.players
    depth = game.betting.longest + 1
    seen = rules.hole + int(rules.board_cards[-1])
    return Scratch(
        rules.deck.copy(),
        np.zeros((players, seen), np.uint8),
        np.zeros((players, len(game.groups)), np.int64),
        np.zeros(players, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth + 1, players)),
        np.zeros((depth + 1, len(ACTIONS))),
        np.zeros((depth + 1, len(ACTIONS))),
    )


def few_deals(game: BucketedGame) -> bool:
    """Whether a best response can be found by all deals."""
    cards = game.game.players * game.rules.hole + int(game.rules.board_cards[-1])
    return not game.merged and perm(len(game.rules.deck), cards) <= MOST_DEALS


def exact_exploitability(game: BucketedGame, chances: Table) -> Exploitability | None:
    """Best responses by all deals; None where they are too many, or players forget.

    `chances` (rows, 3) are in the order of a trainer, without NaN.
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
    scratch = make_scratch(game)
    won = 0.0
    for hero in range(players):
        worth = np.zeros((game.rows + 1, len(ACTIONS)))
        before = np.full(game.rows, -1, np.int64)
        if not add_deals(
            deals, hero, game.tree, game.rules, game.tables, chances, worth, before, scratch
        ):
            return None
        won += best_choices(hero, game.tree, np.array(game.counts), worth, before) / len(deals)
    return Exploitability(won / players, 0.0, exact=True)


def make_room(game: BucketedGame, most_hands: int | None = None) -> BoardRoom:
    """Room for one thread that walks with all hands of two players, or with some of them."""
    rules = game.rules
    public, streets = int(rules.board_cards[-1]), len(game.groups)
    if game.game.players != 2 or rules.hole > 2:
        raise ValueError(
            f"all hands at once are for two players with one or two private cards, not for"
            f" {game.game.name}"
        )
    hands = comb(len(rules.deck) - public, rules.hole)
    hands = hands if most_hands is None else min(hands, most_hands)
    depth = game.betting.longest + 2
    return BoardRoom(
        rules.deck.copy(),
        np.zeros((hands, rules.hole + public), np.uint8),
        np.zeros(hands, np.int64),
        np.zeros(hands, np.int64),
        np.zeros((hands, streets), np.int64),
        np.zeros((streets, hands), np.int64),
        np.zeros((streets, hands), np.int64),
        np.zeros(streets, np.int64),
        np.full(max(game.counts), -1, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth, 2, hands), np.float32),
        np.zeros((depth, 2, hands), np.float32),
        np.zeros((depth, len(ACTIONS), hands), np.float32),
        np.zeros((depth, len(ACTIONS), hands), np.float32),
        np.zeros(len(ACTIONS)),
        np.zeros(52),
    )


def response_bound(
    game: BucketedGame,
    chances: Table,
    rng: np.random.Generator,
    *,
    boards: int = 16,
    threads: int = 1,
) -> Exploitability:
    """Find responses on some boards, and play them on others, with many hands of both players.

    A response is found from the last street to the first: on boards of each street's own, what
    each action of each group leads to is added up, and the best is taken. Where no hand has come
    it plays the strategy itself. No memory of earlier groups is needed, and what the response
    wins on fresh boards is a lower bound of what a best one wins.

    Parameters
    ----------
    game, chances
        The strategy (rows, 3) in the order of a trainer, without NaN.
    rng
        Where the boards come from.
    boards
        How many for each street; four times as many to play on.
    threads
        How many.
    """
    rooms = [make_room(game, HANDS_ON_BOARD) for _ in range(threads)]
    states = rng.integers(2**64, size=(threads, 1), dtype=np.uint64)
    seeds_for_play = rng.integers(2**64, size=(threads, 1), dtype=np.uint64)
    count = -(-boards // threads)
    won = np.zeros((threads, 4 * count))
    nothing = np.zeros((0, len(ACTIONS)), np.float32)

    def walk(mode: int, hero: int, street: int, count: int) -> None:
        # Threads add to the same numbers without locks: what is lost is a sample less.
        jobs = [
            executor.submit(
                public_walks,
                mode,
                hero,
                street,
                1,
                1,
                count,
                _PLAIN,
                game.tree,
                game.rules,
                game.tables,
                nothing,
                nothing,
                chances,
                policy,
                worth,
                states[thread],
                rooms[thread],
                won[thread],
            )
            for thread in range(threads)
        ]
        for job in jobs:
            job.result()

    with ThreadPoolExecutor(threads) as executor:
        for hero in range(2):
            policy = chances.copy()
            worth = np.zeros((game.rows, len(ACTIONS)), np.float32)
            parents = _own_parents(game, hero)
            for street in range(len(game.groups) - 1, -1, -1):
                walk(RESPOND, hero, street, count)
                choose_on_street(
                    street, hero, game.tree, game.counts[street], parents, worth, policy
                )
            # Both play on the same boards: what the cards give to one they take from the other.
            states[:] = seeds_for_play
            for room in rooms:
                room.deck[:] = game.rules.deck
            walk(VALUE, hero, 0, 4 * count)
    error = won.std(ddof=1) / sqrt(won.size) if won.size > 1 else np.inf
    return Exploitability(float(won.mean()) / 2, float(error) / 2, exact=False)


def played_bound(
    game: BucketedGame,
    chances: Table,
    rng: np.random.Generator,
    *,
    training_deals: int = 200_000,
    deals: int = 1_000_000,
    threads: int = 1,
) -> Exploitability:
    """Train responses by external sampling against a strategy, then play them: any players.

    A weak bound, below 0 at times: responses start from the strategy itself, and are as good as
    so many deals make them.
    """
    regret = chances * np.float32(_TRUST * game.game.big_blind / game.game.unit)
    nothing = np.zeros((0, len(ACTIONS)), np.float32)
    states = rng.integers(2**64, size=(threads, 1), dtype=np.uint64)
    scratches = [make_scratch(game) for _ in range(threads)]
    players = game.game.players
    sums = np.zeros((threads, players, 2))

    def learn(thread: int) -> None:
        external_sampling(
            1 + thread,
            threads,
            training_deals // threads,
            _PLAIN,
            game.tree,
            game.rules,
            game.tables,
            regret,
            nothing,
            chances,
            states[thread],
            scratches[thread],
        )

    def play(thread: int) -> None:
        for hero in range(players):
            play_response(
                deals // threads,
                hero,
                game.tree,
                game.rules,
                game.tables,
                chances,
                regret,
                states[thread],
                scratches[thread],
                sums[thread, hero],
            )

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(learn, range(threads)))
        list(executor.map(play, range(threads)))
    played = deals // threads * threads
    totals = sums.sum(axis=0)
    means = totals[:, 0] / played
    spread = np.maximum(totals[:, 1] / played - means**2, 0.0)
    return Exploitability(
        float(means.mean()), sqrt(float(spread.sum()) / played) / players, exact=False
    )


_PLAIN = Weights(0.0, 0.0, True)
_TRUST = 200.0
"""Big blinds of regret that it takes to leave the strategy that a response starts from."""


def _own_parents(game: BucketedGame, hero: int) -> npt.NDArray[np.int64]:
    """By node: 3 times the last node of the hero on the same street plus his action; or −1."""
    nodes = game.betting.tree.nodes
    found = np.full(len(nodes), -1, np.int64)
    for node in range(len(nodes)):  # parents come first
        for action in range(len(ACTIONS)):
            child = int(nodes[node, action])
            if 0 <= child < len(nodes) and nodes[child, 4] == nodes[node, 4]:
                found[child] = 3 * node + action if nodes[node, 3] == hero else found[node]
    return found
