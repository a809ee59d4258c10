"""The strategy of all hands that a bot might hold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.games import DealtState, load_betting_game, load_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.spots import PostflopSolution, Spot, solve_spot
from pokerlab.players.bots import (
    Bot,
    Caller,
    Folder,
    FoldToRaise,
    Raiser,
    StrategyBot,
    private_hands,
)
from pokerlab.players.bots.hand_strategy import ask_each_hand
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies import SpotGame
from pokerlab.players.strategies.limit_file import LimitStrategy
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


def assert_as_hand_by_hand(bot: Bot, view: DealtState) -> None:
    told, slow = bot.hand_strategy(view), ask_each_hand(bot.probabilities, view)
    assert told is not None and slow is not None
    assert set(slow.actions) <= set(told.actions)
    for action, column in zip(told.actions, told.probabilities.T, strict=True):
        if action in slow.actions:
            expected = slow.probabilities[:, slow.actions.index(action)]
            np.testing.assert_allclose(column, expected, atol=1e-12)
        else:
            assert not column.any()


SPOT = Spot("QhJh2c4d", "AA:0.5, QJs, 98s, KTs", "QQ, AJs, T9s", 100, 150, bet="50%", raise_="a")


@pytest.mark.parametrize("rest", ["", "c", "r200", "r231", "cr260", "cc/", "r200c/c", "r217c/r400"])
def test_all_hands_of_a_spot_at_once(rest: str) -> None:
    """On the menu and off it; hands that the range lacks play as the fair bot."""
    game = SpotGame.of(SPOT)
    bot = StrategyBot(_spot_solution())
    bot.reset(game, np.random.default_rng(1))
    state = game.replay(rest, game.make_deal(["AsAd", "QsQd"], "QhJh2c4d7s"))
    assert_as_hand_by_hand(bot, state.view(state.player))


@lru_cache(maxsize=1)
def _spot_solution() -> PostflopSolution:
    return solve_spot(SPOT, iterations=5)


@pytest.mark.parametrize("partial", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_own_bets_that_stand_for_several_weigh_hands_differently(partial: bool) -> None:
    """After a bet that is off the menu, one raise at the table is two of the solution."""
    spot = Spot("QhJh2c4d", "AA, QJs, 98s", "QQ, AJs, T9s", 100, 400, bet="50%, 100%", raise_="a")
    solution = solve_spot(spot, iterations=5)
    game = SpotGame.of(spot)
    bot = StrategyBot(solution.without_river() if partial else solution)
    bot.reset(game, np.random.default_rng(1))
    deal = game.make_deal(["AsAd", "QsQd"], "QhJh2c4d7s")
    state = game.replay("r270", deal)
    told = bot.hand_strategy(state.view(1))
    assert told is not None
    raises = [action for action in told.actions if action[0] == "r"]
    for line in ("r270c/c", f"r270{raises[-1]}c/"):
        state = game.replay(line, deal)
        if state.player >= 0:
            assert_as_hand_by_hand(bot, state.view(state.player))


@pytest.mark.parametrize(
    ("name", "groups", "lines"),
    [
        ("holdem.limit.2p", "classes", ["", "r", "rc/", "rc/cr"]),
        ("leduc", "each", ["", "cr", "cc/", "rc/rr"]),
    ],
)
def test_all_hands_of_a_limit_table_at_once(name: str, groups: str, lines: list[str]) -> None:
    game = load_betting_game(name)
    bucketed = BucketedGame.of(game, groups)
    rng = np.random.default_rng(1)
    rows = rng.dirichlet([1, 1, 1], bucketed.rows).astype(np.float16)
    rows[rng.random(len(rows)) < 0.1] = np.nan
    strategy = LimitStrategy(bucketed, rows, 0, 0.0, "", "", 0.0, 0.0, False)
    deal = game.deal(rng)
    for bot in (TwoPlayerLimitBot(strategy), StrategyBot(strategy)):
        bot.reset(game, rng)
        for line in lines:
            state = game.replay(line, deal)
            assert_as_hand_by_hand(bot, state.view(state.player))


@pytest.mark.parametrize("bot", [Caller(), Raiser(), Folder(), FoldToRaise()])
def test_bots_that_do_not_look_at_their_cards(bot: Bot) -> None:
    game = load_game("holdem.nolimit.2p")
    deal = game.make_deal(["AsAd", "QsQd"], "QhJh2c4d7s")
    for line in ("", "r300", "r300c/", "r300c/r600"):
        state = game.replay(line, deal)
        assert_as_hand_by_hand(bot, state.view(state.player))


def test_a_class_of_ones_own_is_asked_by_itself() -> None:
    class Bold(StrategyBot):
        def probabilities(self, view: DealtState) -> dict[str, float]:
            return {"r": 1.0}

    class Picky(Caller):
        def act(self, view: DealtState) -> str:
            return "f" if view.holes[view.player] == (43,) and view.to_call else "c"

    kuhn = load_game("kuhn")
    told = Bold(solve("kuhn", "lp")).hand_strategy(kuhn.replay(""))
    assert told is not None and told.actions == ("r",)
    told = Picky().hand_strategy(kuhn.replay("r"))
    assert told is not None and told.actions == ("c", "f")


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
