"""Best responses in the game with groups."""

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.response.bounds import (
    exact_exploitability,
    last_street_bound,
    played_bound,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.workspaces import board_workspace


def uniform_rows(game):
    """All legal actions alike, in the order of a trainer."""
    probabilities = np.zeros((game.rows, 3), np.float32)
    for node, street in enumerate(game.betting.streets):
        legal = game.tree.nodes[node, :3] >= 0
        for group in range(game.counts[street]):
            probabilities[game.tree.base[node] + group * game.tree.width[street]] = (
                legal / legal.sum()
            )
    return probabilities


def bucketed(name, groups="each"):
    return BucketedGame.of(load_betting_game(name), groups)


def test_uniform_play_of_small_games():
    """NashConv of uniform play, halved: the figures of the laboratory."""
    from pokerlab.games import load_game
    from pokerlab.solvers import Strategy, exploitability
    from pokerlab.trees import GameTree

    for name in ("kuhn", "leduc", "kuhn.3p"):
        game = BucketedGame(load_betting_game(name), bucketed(name).groups, "each")
        tree = GameTree.of(load_game(name))
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


@pytest.mark.slow
def test_the_bound_on_the_last_street():
    """Kuhn poker has one street and no board: the bound is exact there."""
    game = bucketed("kuhn")
    exact = exact_exploitability(game, uniform_rows(game)).value
    found = last_street_bound(game, uniform_rows(game), np.random.default_rng(1), boards=2)
    assert found.value == pytest.approx(exact, rel=1e-5)
    assert not found.exact


@pytest.mark.parametrize("groups", [pytest.param("each", marks=pytest.mark.slow), "none"])
def test_the_bound_is_what_best_responses_on_the_last_street_win(groups):
    """In Leduc: by a tree in which the first round is played as the strategy plays it."""
    game = bucketed("leduc", groups)
    probabilities = uniform_rows(game)
    exact = exact_exploitability(bucketed("leduc"), uniform_rows(bucketed("leduc")))
    expected = improvement_in_leduc()
    found, *others = (
        last_street_bound(
            game, probabilities, np.random.default_rng(2), boards=400, threads=threads
        )
        for threads in (1, 2, 3)
    )
    assert found.value == pytest.approx(expected, abs=4 * found.error + 1e-6)
    assert found.error < 0.1 * expected
    assert found.value < exact.value
    assert others == [found, found]


def improvement_in_leduc():
    """What best actions on the second round win more, by recursion over all deals."""
    game = load_betting_game("leduc")
    deck = list(game.deck)

    def strength(own, board):
        return (own // 4 == board // 4, own // 4)

    def value(node, hero, own, board, others, best):
        """Of the hero against {card: reach}, counterfactual."""
        if node.player < 0:
            won = 0.0
            for other, reach in others.items():
                if len(node.live) == 1:
                    won += reach * (
                        node.spent[1 - hero] if hero in node.live else -node.spent[hero]
                    )
                else:
                    one, two = strength(own, board), strength(other, board)
                    won += reach * node.spent[hero] * ((one > two) - (one < two))
            return won
        actions = node.actions()
        if node.player != hero:
            share = 1 / len(actions)
            less = {other: reach * share for other, reach in others.items()}
            return sum(value(node.after(a), hero, own, board, less, best) for a in actions)
        values = [value(node.after(a), hero, own, board, others, best) for a in actions]
        return max(values) if best and node.street == 1 else sum(values) / len(values)

    gained = 0.0
    for hero in range(2):
        for board in deck:
            for own in deck:
                others = {card: 1.0 for card in deck if len({card, own, board}) == 3}
                if own != board:
                    arguments = game.first_betting, hero, own, board, others
                    gained += value(*arguments, True) - value(*arguments, False)
    return gained / (6 * 5 * 4) / 2 / game.unit


def test_too_few_boards():
    game = bucketed("kuhn")
    with pytest.raises(ValueError, match=r"boards: 1 is not a number of boards \(2 or more\)"):
        last_street_bound(game, uniform_rows(game), np.random.default_rng(1), boards=1)


def test_bound_by_playing():
    game = bucketed("leduc")
    probabilities = uniform_rows(game)
    exact = exact_exploitability(game, probabilities).value
    found, *others = (
        played_bound(
            game,
            probabilities,
            np.random.default_rng(1),
            training_deals=100_000,
            deals=200_000,
            threads=threads,
        )
        for threads in (2, 1, 3)
    )
    assert 0.5 * exact < found.value < exact + 4 * found.error
    assert others == [found, found]


def test_room_is_for_two():
    with pytest.raises(
        ValueError, match=r"two players with one or two private cards, not for kuhn.3p"
    ):
        board_workspace(bucketed("kuhn.3p"))
