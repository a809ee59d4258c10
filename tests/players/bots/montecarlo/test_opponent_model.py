import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import load_betting_game
from pokerlab.players.bots.montecarlo.bot import MonteCarloBot
from pokerlab.players.bots.montecarlo.opponent_model import (
    CALL,
    FOLD,
    RAISE,
    OpponentModel,
    TreeModel,
    small_tree,
    standings,
)


def test_frequencies_are_learned_by_street_and_price():
    model = OpponentModel()
    for _ in range(200):
        model.note(0, True, FOLD)
        model.note(1, True, RAISE)
        model.note(0, False, CALL)
    assert model.frequencies(0, True)[FOLD] > 0.95
    assert model.frequencies(1, True)[RAISE] > 0.95
    assert model.frequencies(0, False)[CALL] > 0.95
    assert model.frequencies(2, True) == pytest.approx((0.2, 0.5, 0.3))  # nothing seen


@given(
    st.lists(st.integers(0, 2), max_size=40),
    st.lists(st.floats(0, 0.9999), min_size=1, max_size=30),
)
def test_actions_of_each_hand_sum_to_one(actions, places):
    model = OpponentModel()
    for action in actions:
        model.note(0, True, action)
    standing = np.array(places)
    total = sum(model.likelihood(0, True, action, standing) for action in (FOLD, CALL, RAISE))
    np.testing.assert_allclose(total, 1.0)


def test_raises_tell_of_good_hands():
    model = OpponentModel()
    standing = np.linspace(0, 0.999, 1000)
    raised = model.likelihood(0, True, RAISE, standing)
    assert raised.mean() == pytest.approx(0.3, abs=0.01)  # as often as it raises
    assert (raised * standing).sum() / raised.sum() > 0.7
    folded = model.likelihood(0, True, FOLD, standing)
    assert (folded * standing).sum() / folded.sum() < 0.3


def test_trust_is_learned_from_hands_that_were_shown():
    honest, random = OpponentModel(), OpponentModel()
    rng = np.random.default_rng(1)
    for _ in range(300):
        honest.note_shown_raise(1, False, 0.9)
        random.note_shown_raise(1, False, rng.random())
    assert honest.trust > 0.95
    assert random.trust < 0.25


def test_standings():
    weights = np.array([0.0, 1.0, 1.0, 2.0])
    np.testing.assert_allclose(
        standings(weights, np.array([9, 1, 2, 3])), [1.0, 0.125, 0.375, 0.75]
    )
    np.testing.assert_allclose(standings(np.zeros(2), np.array([1, 2])), 0.5)


LEDUC = load_betting_game("leduc")
HANDS = [(card,) for card in LEDUC.deck]


def test_only_small_games_for_two_have_one() -> None:
    names = ("kuhn", "leduc", "kuhn.3p", "holdem.limit.2p", "rhodeisland", "draw")
    found = [small_tree(load_betting_game(name)) is not None for name in names]
    assert found == [True, True, False, False, False, False]


def test_nothing_is_known_before_there_are_hands() -> None:
    tree = small_tree(LEDUC)
    assert tree is not None
    model = TreeModel(tree)
    final = LEDUC.replay("rf", LEDUC.make_deal(["Ks", "Js"], "Qs"))
    for number in range(20):
        assert model.known == (number >= 20)
        model.learn(final.view(0), 0)
    assert model.known


def test_a_bot_that_folds_all_but_kings_is_raised_with_anything() -> None:
    bot = MonteCarloBot(samples=50)
    bot.reset(LEDUC, np.random.default_rng(1))
    for number in range(40):
        bot.begin(0, [0, 1])
        cards = ["Js", "Qh" if number % 4 else "Kh"]
        final = LEDUC.replay("rf" if number % 4 else "rc/cc", LEDUC.make_deal(cards, "Qs"))
        bot.end(final.view(0))
    bot.begin(0, [0, 1])
    assert bot.act(LEDUC.replay("", LEDUC.make_deal(["Js", "Qh"], "Qs")).view(0)) == "r"
    model = bot._tree_model(1)
    assert model is not None
    called = model.probabilities(LEDUC.replay("r").node, (), "c", HANDS)
    assert called[-1] > 0.5  # a king
    assert called[:2].max() < 0.2  # a jack
    bot.reset(LEDUC, np.random.default_rng(1))
    bot.begin(0, [0, 1])
    assert bot._tree_model(1) is None


def test_what_the_board_rules_out_is_not_held() -> None:
    tree = small_tree(LEDUC)
    assert tree is not None
    model = TreeModel(tree)
    final = LEDUC.replay("cc/rf", LEDUC.make_deal(["Ks", "Js"], "Qs"))
    for _ in range(20):
        model.learn(final.view(0), 0)
    board = final.board
    folded = model.probabilities(LEDUC.replay("cc/r", final.deal).node, board, "f", HANDS)
    assert folded[HANDS.index(board)] == 0.0
    assert folded.max() == pytest.approx(folded[0])
