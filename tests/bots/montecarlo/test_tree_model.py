"""What the Monte Carlo bot learns of an opponent in a small game."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.bots.montecarlo.bot import MonteCarloBot
from pokerlab.bots.montecarlo.tree_model import TreeModel, small_tree
from pokerlab.games import load_betting_game

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
    called = model.chances(LEDUC.replay("r").node, (), "c", HANDS)
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
    folded = model.chances(LEDUC.replay("cc/r", final.deal).node, board, "f", HANDS)
    assert folded[HANDS.index(board)] == 0.0
    assert folded.max() == pytest.approx(folded[0])
