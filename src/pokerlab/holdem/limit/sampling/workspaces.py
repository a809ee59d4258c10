"""The memory that a thread works in: for walks with one deal, and with all hands on a board."""

from __future__ import annotations

from math import comb

import numpy as np

from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.public_kernels import BoardWorkspace
from pokerlab.holdem.limit.sampling.walk_kernels import DealWorkspace
from pokerlab.trees.limit.betting import ACTIONS


def deal_workspace(game: BucketedGame) -> DealWorkspace:
    """Memory for one thread that walks deal by deal."""
    rules = game.rules
    players = game.game.players
    depth = game.betting.longest + 1
    seen = rules.hole + int(rules.board_cards[-1])
    return DealWorkspace(
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


def board_workspace(game: BucketedGame) -> BoardWorkspace:
    """Memory for one thread that walks with all hands of two players."""
    rules = game.rules
    public, streets = int(rules.board_cards[-1]), len(game.groups)
    if game.game.players != 2 or rules.hole > 2:
        raise ValueError(
            f"all hands at once are for two players with one or two private cards, not for"
            f" {game.game.name}"
        )
    hands = comb(len(rules.deck) - public, rules.hole)
    depth = game.betting.longest + 2
    return BoardWorkspace(
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
