"""The strategy of all hands that a bot might hold."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.games import DealtState, load_game
from pokerlab.players.bots import Bot, Caller, StrategyBot, private_hands
from pokerlab.solvers import solve


def test_hands_of_holdem_are_combos() -> None:
    hands = private_hands(load_game("holdem.limit.3p"))
    assert np.array_equal(np.array(hands), COMBO_CARDS)


@pytest.mark.parametrize("name", ["draw", "stud"])
def test_hands_that_change_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        private_hands(load_game(name))


def test_each_hand_is_asked_by_itself() -> None:
    bot = StrategyBot(solve("leduc", "cfr", iterations=20))
    game = load_game("leduc")
    bot.reset(game, np.random.default_rng(1))
    state = game.replay("crc/r", game.make_deal(["Js", "Kh"], "Jh"))
    told = bot.hand_strategy(state.view(1))
    assert told is not None
    for hand, row in zip(private_hands(game), told.probabilities, strict=True):
        if format_cards(hand) == "Jh":
            assert not row.any()
            continue
        other = "Js" if format_cards(hand) != "Js" else "Qs"
        dealt = game.make_deal([other, format_cards(hand)], "Jh")
        own = bot.probabilities(game.replay("crc/r", dealt).view(1))
        assert dict(zip(told.actions, row, strict=True)) == pytest.approx(
            {action: own.get(action, 0.0) for action in told.actions}
        )


def test_the_other_hand_is_hidden() -> None:
    game = load_game("holdem.nolimit.2p")
    state = game.start(game.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c")).holding((51, 50))
    assert state.holes == ((), (51, 50)) and state.deal.board == ()


def test_bots_that_act_alone_do_not_tell() -> None:
    class Quiet(Bot):
        def act(self, view: DealtState) -> str:
            return "c"

    view = load_game("leduc").replay("")
    assert Quiet().hand_strategy(view) is None
    told = Caller().hand_strategy(view)
    assert told is not None and told.actions == ("c",) and (told.probabilities == 1.0).all()
