"""Deals of ranges against a count of all deals."""

from itertools import permutations

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.range_kernels import deal_in_ranges
from pokerlab.holdem.limit.sampling.workspaces import deal_workspace
from pokerlab.holdem.limit.training.trainer import Trainer


@pytest.fixture
def game():
    return BucketedGame.of(load_betting_game("kuhn.3p"), "each", "rf")


def test_deals_come_up_as_the_ranges_say(game):
    ranges = np.array([[1.0, 0.5, 0.0, 0.25], [0.1, 1.0, 1.0, 0.0], [0.5, 0.5, 0.5, 1.0]])
    work, state = deal_workspace(game), np.array([7], np.uint64)
    counts = np.zeros((4, 4, 4))
    for _ in range(4_000):
        deal_in_ranges(ranges, game.rules, game.look_up, work, state)
        counts[tuple(work.groups[:, 0])] += 1
    wanted = np.zeros((4, 4, 4))
    for deal in permutations(range(4), 3):
        wanted[deal] = np.prod([ranges[position, card] for position, card in enumerate(deal)])
    wanted *= counts.sum() / wanted.sum()
    assert (counts[wanted == 0.0] == 0).all()
    assert (np.abs(counts - wanted) < 5 * np.sqrt(wanted + 1)).all()


@pytest.mark.parametrize(
    ("ranges", "method", "message"),
    [
        (np.ones((3, 3)), "external", r"the shape \(3, 3\)"),
        (np.zeros((3, 4)), "external", "every position must hold something"),
        (-np.ones((3, 4)), "external", "every position must hold something"),
        (np.full((3, 4), np.nan), "external", "every position must hold something"),
        (np.ones((3, 4)), "outcome", "method: outcome takes no ranges"),
    ],
)
def test_ranges_that_cannot_be(game, ranges, method, message):
    with pytest.raises(ValueError, match=message):
        Trainer(game, method, ranges=ranges, threads=1)
