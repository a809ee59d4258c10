"""The responder: never above the best response, exact where it can be computed, unbiased."""

import numpy as np
import pytest

from pokerlab.arena.responses.local_best_response import LocalBestResponse
from pokerlab.arena.responses.local_policy import search
from pokerlab.games import BettingGame, Street, load_game
from pokerlab.holdem.preflop.class_matchups import class_tables
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.bots import Bot, Caller, FairBot, Folder, Raiser, RandomBot, StrategyBot
from pokerlab.players.bots.hand_strategy import private_hands
from pokerlab.players.bots.tree_strategy import tree_strategy
from pokerlab.players.strategies import SpotGame
from pokerlab.solvers import best_response, solve
from pokerlab.trees.game_tree import GameTree

LEDUC = load_game("leduc")
NO_LIMIT_LEDUC = BettingGame(
    name="leduc.nolimit",
    players=2,
    betting="no-limit",
    ranks="JQK",
    suits="sh",
    showdown=LEDUC.showdown,
    ante=10,
    stacks=(100, 100),
    menu="100%, a",
    streets=(Street(hole=1), Street(board=1)),
)


class Mixed(FairBot):
    """A bot with mixed strategies that depend on its cards and the betting."""

    def probabilities(self, view):
        seed = [*map(int, view.holes[view.player]), *map(int, view.board), *view.betting.encode()]
        actions = view.node.actions()
        chances = np.random.default_rng(seed).dirichlet(np.ones(len(actions)))
        return dict(zip(actions, chances.tolist(), strict=True))


@pytest.mark.parametrize("game", [LEDUC, NO_LIMIT_LEDUC], ids=lambda game: game.name)
@pytest.mark.parametrize(
    "bot", [Caller(), Raiser(all_in=True), Folder(), FairBot(), Mixed()], ids=type
)
def test_never_above_the_best_response(game, bot):
    tree = GameTree.of(game)
    strategy = tree_strategy(tree, bot)
    for seat in (0, 1):
        best = best_response(tree, strategy, seat).value
        for menu in ("fc", "fcpa"):
            assert LocalBestResponse(game, bot, menu).expected([seat]) <= best + 1e-9
    assert LocalBestResponse(game, bot, "fcpa").expected() > 0.0


def test_an_equilibrium_loses_nothing():
    solution = solve(LEDUC, "dcfr", iterations=500)
    bot = StrategyBot(solution)
    bot.reset(LEDUC, np.random.default_rng(1))
    tree = GameTree.of(LEDUC)
    strategy = tree_strategy(tree, bot)
    for seat in (0, 1):
        value = best_response(tree, strategy, seat).value
        assert LocalBestResponse(LEDUC, bot).expected([seat]) <= value + 1e-9


def test_river_spot_is_below_its_certificate():
    spot = Spot(
        "QhJh2c4d7s", "AA, QJs, 98s, KTs", "QQ, AJs, T9s, 65s", pot=100, stack=300,
        bet="100%, a", raise_="100%, a",
    )  # fmt: skip
    solution = solve_spot(spot, iterations=3)
    game = SpotGame.of(spot)
    bot = StrategyBot(solution)
    bot.reset(game, np.random.default_rng(1))
    found = []
    for seat in (0, 1):
        most = solution.best_values[seat] - spot.pot / 2
        found.append(LocalBestResponse(game, bot).expected([seat]))
        assert found[-1] <= most + 1e-4
    assert sum(found) > 0.0  # three iterations are far from an equilibrium


def test_playing_hands_gives_the_expectation():
    bot = Mixed()
    bot.reset(LEDUC, np.random.default_rng(1))
    responder = LocalBestResponse(LEDUC, bot)
    rng = np.random.default_rng(2)
    won = [responder.play(deal, seat, rng).won for deal in LEDUC.deals(rng, 150) for seat in (0, 1)]
    error = np.std(won, ddof=1) / np.sqrt(len(won))
    assert abs(np.mean(won) - responder.expected()) < 4 * error


@pytest.mark.slow
def test_against_all_in_it_calls_by_the_classes():
    """Every hand folds for a blind, or plays for 200 by its chance against any hand."""
    game = load_game("holdem.nolimit.2p")
    tables = class_tables()
    equities = (tables.equities * tables.pairs).sum(axis=1) / tables.pairs.sum(axis=1)
    shares = tables.pairs.sum(axis=1) / tables.pairs.sum()
    exact = shares @ np.maximum(-1.0, 200 * (2 * equities - 1))
    bot = Raiser(all_in=True)
    responder = LocalBestResponse(game, bot, "fc")
    rng = np.random.default_rng(5)
    won = [
        responder.play(deal, seat, rng).won / 100 for deal in game.deals(rng, 15) for seat in (0, 1)
    ]
    assert abs(np.mean(won) - exact) < 4 * np.std(won) / np.sqrt(15)


class Silent(Bot):
    """Raises aces and kings, and does not tell."""

    def act(self, view):
        high = max(card // 4 for card in view.holes[view.player])
        if high >= 11:
            return "r" if "r" in view.actions() else "c"
        return "f" if view.to_call else "c"


def test_a_bot_that_does_not_tell_is_estimated():
    game = load_game("holdem.limit.2p")
    bot = Silent()
    deal = game.make_deal(["7h2c", "AsKd"], "KhQd9h5s3c")
    responder = LocalBestResponse(game, bot, twin=Silent, samples=1, among=60)
    hand = responder.play(deal, 0, np.random.default_rng(1))
    assert hand.estimated
    assert hand.won < 0
    with pytest.raises(ValueError, match="Silent does not tell its strategy; a second instance"):
        LocalBestResponse(game, bot).play(deal, 0, np.random.default_rng(1))
    with pytest.raises(ValueError, match="no exact mean"):
        LocalBestResponse(load_game("kuhn"), Silent(), twin=Silent).expected()


def test_off_the_chosen_streets_it_checks_and_calls():
    game = load_game("holdem.nolimit.2p")
    deal = game.make_deal(["AsAd", "7h2c"], "Ac3d4h5s9c")
    hand = LocalBestResponse(game, Caller(), streets=[3]).play(deal, 0, np.random.default_rng(1))
    assert hand.street == 3
    assert hand.showdown
    assert hand.plain > 12_000
    hand = LocalBestResponse(game, Caller(), "fc").play(deal, 0, np.random.default_rng(1))
    assert 0 < hand.plain <= 100


@pytest.mark.parametrize("menu", ["fcpa", "56"])
def test_sizes_are_legal_and_grow(menu):
    game = load_game("holdem.nolimit.2p")
    asked = []

    class Watched(Folder):
        def hand_strategy(self, view):
            asked.append(view.node.text)
            return super().hand_strategy(view)

    deal = game.make_deal(["AsAd", "7h2c"], "Ac3d4h5s9c")
    LocalBestResponse(game, Watched(), menu).play(deal, 1, np.random.default_rng(1))
    sizes = [int(text[1:]) for text in asked]
    if menu == "fcpa":
        assert sizes == [300, 20000]
    else:
        assert len(sizes) <= 14
        assert {min(sizes), max(sizes)} == {200, 20000}


def test_search_finds_the_peak_of_every_unimodal_row():
    for count in (1, 2, 5, 9, 56):
        sizes = [str(size) for size in range(count)]
        for peak in range(count):
            tried = search(sizes, lambda size, peak=peak: -abs(int(size) - peak))
            assert max(tried, key=tried.get) == str(peak)
            assert len(tried) <= 14


def test_refusals():
    with pytest.raises(ValueError, match=r"kuhn\.3p: local best responses are for two players"):
        LocalBestResponse(load_game("kuhn.3p"), Caller())
    with pytest.raises(ValueError, match=r"menu: 'all' is not known \(fc, fcpa, 56\)"):
        LocalBestResponse(LEDUC, Caller(), "all")
    with pytest.raises(ValueError, match="too many boards to play all"):
        LocalBestResponse(load_game("holdem.limit.2p"), Caller()).expected()
    with pytest.raises(ValueError, match="hands that change or lie open"):
        LocalBestResponse(load_game("stud"), RandomBot())
    assert len(private_hands(LEDUC)) == 6
