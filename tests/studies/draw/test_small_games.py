from itertools import combinations

import pytest

from pokerlab.cards.codes import parse_cards
from pokerlab.games.protocol import Game
from pokerlab.solvers import CfrSolver, best_response, exploitability, solve_lp, values
from pokerlab.studies.draw.small_games import (
    RuledDraws,
    by_chance_to_win,
    by_mean_class,
    document_rule,
    small_game,
)
from pokerlab.trees import GameTree

SIX = small_game("six_cards")


@pytest.fixture(scope="module")
def tree():
    return GameTree.build(SIX)


@pytest.fixture(scope="module")
def solved(tree):
    return solve_lp(tree)


def test_the_program_and_cfr_find_the_same_value(tree, solved):
    solver = CfrSolver(tree, "dcfr")
    solver.iterate(300)
    assert solver.exploitability() < 0.005
    assert values(tree, solver.strategy())[0] == pytest.approx(solved.values[0], abs=0.01)
    assert solved.values[0] == pytest.approx(-0.132698, abs=1e-6)


def test_pairs_stand_pat_and_others_throw_the_lower_card():
    for hand in combinations(SIX.deck, 2):
        is_pair = hand[0] // 4 == hand[1] // 4
        assert by_mean_class(SIX, hand) == (() if is_pair else (min(hand),))


def test_king_and_queen_win_most_if_they_stand_pat():
    kq = tuple(sorted(parse_cards("QhKs")))
    assert (by_mean_class(SIX, kq), by_chance_to_win(SIX, kq)) == (kq[:1], ())


@pytest.mark.slow
def test_a_rule_at_the_draw_never_gains(tree, solved):
    for seat in (0, 1):
        game = RuledDraws(SIX, (seat,), by_mean_class)
        assert isinstance(game, Game)
        assert solve_lp(GameTree.build(game)).values[seat] < solved.values[seat] - 0.1


def test_a_stake_of_nothing_never_bets_and_folds_to_a_bet(tree):
    strategy = document_rule(tree, 0.0)
    assert exploitability(tree, strategy) == pytest.approx(1.0)  # the ante of every hand
    assert best_response(tree, strategy, 0).value == pytest.approx(1.0)
