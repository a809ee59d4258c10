"""Strategies seen by somebody who tells other groups apart."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.legal_rows import legal_rows
from pokerlab.players.opponents import in_other_groups
from pokerlab.players.strategies.limit_file import LimitStrategy

HOLDEM = load_betting_game("holdem.limit.2p")
CLASSES = BucketedGame.of(HOLDEM, "classes")
NONE = BucketedGame.of(HOLDEM, "none")


def strategy_of(game: BucketedGame, seed: int = 1) -> LimitStrategy:
    rows = np.random.default_rng(seed).dirichlet(np.ones(3), game.rows)
    return LimitStrategy(game, rows.astype(np.float16), 1, 1.0, "none", "none", 0.0, 0.0, True)


def test_with_the_same_groups_it_is_the_same() -> None:
    strategy = strategy_of(CLASSES)
    seen = in_other_groups(strategy, CLASSES, deals=20_000)
    assert np.abs(seen - legal_rows(CLASSES, strategy.probabilities)).max() < 1e-6


def test_who_sees_no_cards_sees_the_mean_over_the_hands_that_come_there() -> None:
    strategy = strategy_of(CLASSES)
    seen = in_other_groups(strategy, NONE, deals=100_000)
    probabilities = legal_rows(CLASSES, strategy.probabilities)
    nodes = CLASSES.betting.nodes
    for number in range(0, len(nodes), 97):
        weights = np.bincount(CLASS_OF_COMBO, minlength=169) / len(CLASS_OF_COMBO)
        for node, action in nodes[number].path():
            if node.player == nodes[number].player:
                first = int(CLASSES.first_row[CLASSES.betting.find(node)])
                weights *= probabilities[first : first + 169, "fcr".index(action)]
        first = int(CLASSES.first_row[number])
        expected = weights @ probabilities[first : first + 169] / weights.sum()
        assert np.abs(seen[int(NONE.first_row[number])] - expected).max() < 0.02


def test_what_knows_no_cards_is_the_same_for_all() -> None:
    strategy = strategy_of(NONE)
    seen = in_other_groups(strategy, CLASSES, deals=1000)
    first = int(CLASSES.first_row[5])
    own = legal_rows(NONE, strategy.probabilities)[int(NONE.first_row[5])]
    assert np.abs(seen[first : first + 169] - own).max() < 1e-6


def test_another_game_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"holdem\.limit\.2p cannot be seen in groups of leduc"):
        in_other_groups(strategy_of(NONE), BucketedGame.of(load_betting_game("leduc"), "each"))
