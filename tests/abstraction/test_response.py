"""Best responses in the game with groups."""

import numpy as np
import pytest

from pokerlab.abstraction.bucketed_game import BucketedGame
from pokerlab.abstraction.response import (
    exact_exploitability,
    make_room,
    played_bound,
    response_bound,
)
from pokerlab.games import load_betting_game


def uniform_rows(game):
    """All legal actions alike, in the order of a trainer."""
    chances = np.zeros((game.rows, 3), np.float32)
    for node, street in enumerate(game.betting.streets):
        legal = game.tree.nodes[node, :3] >= 0
        for group in range(game.counts[street]):
            chances[game.tree.base[node] + group * game.tree.width[street]] = legal / legal.sum()
    return chances


def bucketed(name, groups="each"):
    return BucketedGame.of(load_betting_game(name), groups)


def test_uniform_play_of_small_games():
    """NashConv of uniform play, halved: the figures of the laboratory."""
    from pokerlab.games import load_game
    from pokerlab.solvers import Strategy, exploitability
    from pokerlab.trees import GameTree

    for name in ("kuhn", "leduc", "kuhn.3p"):
        game = BucketedGame(load_betting_game(name), bucketed(name).groups, "each")
        tree = GameTree.build(load_game(name))
        expected = exploitability(tree, Strategy.uniform(tree.infosets))
        found = exact_exploitability(game, uniform_rows(game))
        assert found.exact
        assert found.value == pytest.approx(expected)


def test_coarser_groups_exploit_less():
    game = bucketed("leduc")
    blind = bucketed("leduc", "none")
    fine = exact_exploitability(game, uniform_rows(game))
    coarse = exact_exploitability(blind, uniform_rows(blind))
    assert 0 < coarse.value < fine.value


def test_players_who_forget_have_no_exact_answer():
    game = load_betting_game("leduc")
    groups = (bucketed("leduc").groups[0], bucketed("leduc", "none").groups[1])
    forgetful = BucketedGame(game, groups, "forgetful")
    assert exact_exploitability(forgetful, uniform_rows(forgetful)) is None
    large = bucketed("holdem.limit.2p", "none")
    assert exact_exploitability(large, uniform_rows(large)) is None


def test_bound_on_all_hands_of_sampled_boards():
    """Kuhn poker has no board: the bound is exact there; in Leduc it comes close."""
    game = bucketed("kuhn")
    exact = exact_exploitability(game, uniform_rows(game)).value
    found = response_bound(game, uniform_rows(game), np.random.default_rng(1), boards=1)
    assert found.value == pytest.approx(exact, rel=1e-5)
    assert not found.exact
    game = bucketed("leduc")
    exact = exact_exploitability(game, uniform_rows(game)).value
    for threads in (1, 2):
        rng = np.random.default_rng(2)
        found = response_bound(game, uniform_rows(game), rng, boards=400, threads=threads)
        assert found.value == pytest.approx(exact, abs=4 * found.error)
        assert found.error < 0.1 * exact


def test_bound_by_playing():
    game = bucketed("leduc")
    chances = uniform_rows(game)
    exact = exact_exploitability(game, chances).value
    found = played_bound(
        game, chances, np.random.default_rng(1), training_deals=100_000, deals=200_000, threads=2
    )
    assert 0.5 * exact < found.value < exact + 4 * found.error


def test_room_is_for_two():
    with pytest.raises(
        ValueError, match=r"two players with one or two private cards, not for kuhn.3p"
    ):
        make_room(bucketed("kuhn.3p"))
