from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.games import BettingGame, Street, load_game, merge_suits
from pokerlab.games.betting_trees.translation import pseudo_harmonic
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.bots.strategy_bot import StrategyBot
from pokerlab.players.strategies import SpotGame, load_table_game
from pokerlab.solvers import solve

UNLIMITED = BettingGame(
    name="unlimited",
    players=2,
    betting="no-limit",
    ranks="JQK",
    suits="s",
    showdown="high-card",
    ante=10,
    stacks=(210, 210),
    menu="50%, 200%, a",
    streets=(Street(hole=1),),
)


def make(solution, game, seed=1):
    bot = StrategyBot(solution)
    bot.reset(game, np.random.default_rng(seed))
    return bot


def play(game, bots, hands, seed):
    """What seat 0 wins in each hand; bots stay in their seats."""
    won = []
    for deal in game.deals(np.random.default_rng(seed), hands):
        state = game.start(deal)
        while state.player >= 0:
            state = state.apply(bots[state.player].act(state.view(state.player)))
        won.append(state.payoffs()[0])
    return np.array(won)


@pytest.fixture(scope="module")
def leduc():
    return solve("leduc", "dcfr", iterations=300)


@pytest.fixture(scope="module")
def spot():
    return Spot(
        "QhJh2c4d",
        "AA, KQs, 9h8h, 77",
        "JJ, 55, AhKh, QTs",
        pot=100,
        stack=300,
        bet="turn: 50%, a; river: 75%",
        raise_="turn: a; river:",
    )


@pytest.fixture(scope="module")
def solved_spot(spot):
    return solve_spot(spot, target="0.2%")


@pytest.fixture(scope="module")
def unlimited():
    return solve(UNLIMITED, "cfr+", iterations=500)


def test_two_of_them_play_to_the_value_of_leduc(leduc):
    game = load_game("leduc")
    won = play(game, [make(leduc, game, 1), make(leduc, game, 2)], 6000, 3)
    error = won.std() / len(won) ** 0.5
    assert error < 0.06
    assert abs(won.mean() - leduc.values[0]) < 4 * error


def test_it_plays_just_what_the_solution_says(leduc):
    game = load_game("leduc")
    bot = make(leduc, game)
    for deal in game.deals(np.random.default_rng(5), 50):
        for betting in ("", "r", "cr", "cc/", "crrc/cr"):
            view = game.replay(betting, deal)
            view = view.view(view.player)
            wanted = leduc.strategy[view.seen_by(view.player)]
            assert bot.probabilities(view) == pytest.approx(
                {action: chance for action, chance in wanted.items() if chance > 0}
            )


def test_a_solution_from_a_file(leduc, tmp_path):
    path = tmp_path / "leduc.safetensors"
    leduc.save(path)
    game = load_table_game(path)
    assert game == load_game("leduc")
    deal = game.make_deal(["Ks", "Qh"], "Kh")
    view = game.replay("cc/", deal).view(0)
    assert make(path, game).probabilities(view) == make(leduc, game).probabilities(view)


def test_a_game_up_to_suits(leduc):
    game = load_game("leduc")
    merged = solve(merge_suits(game), "dcfr", iterations=300)
    bot, plain = make(merged, game), make(leduc, game)
    for deal in game.deals(np.random.default_rng(6), 40):
        for betting in ("", "r", "cr", "cc/", "crrc/cr"):
            view = game.replay(betting, deal)
            view = view.view(view.player)
            told, wanted = bot.probabilities(view), plain.probabilities(view)
            for action in view.actions():
                assert told.get(action, 0.0) == pytest.approx(wanted.get(action, 0.0), abs=0.01)


def test_a_spot_against_itself_gives_its_value(spot, solved_spot):
    game = SpotGame.of(spot)
    won = play(game, [make(solved_spot, game, 1), make(solved_spot, game, 2)], 2500, 7)
    taken = won + spot.pot / 2
    error = taken.std() / len(taken) ** 0.5
    assert error < 5
    assert abs(taken.mean() - solved_spot.values[0]) < 4 * error


def test_a_spot_plays_what_its_solution_shows(spot, solved_spot):
    game = SpotGame.of(spot)
    bot = make(solved_spot, game)
    deal = game.make_deal(["AsAd", "JsJd"], "QhJh2c4d7h")
    for betting, line in (("", ""), ("c", "x"), ("cc/", "x/x/7h"), ("cc/c", "x/x/7h/x")):
        state = game.replay(betting, deal)
        shown = solved_spot.at(line)
        hole = max(state.holes[state.player]), min(state.holes[state.player])
        combo = hole[0] * (hole[0] - 1) // 2 + hole[1]
        told = bot.probabilities(state.view(state.player))
        expected = shown.strategy[:, combo]
        named = [bot_action(game, state, label) for label in shown.actions]
        assert told == pytest.approx(
            {a: p for a, p in zip(named, expected, strict=True) if p > 0}, abs=1e-3
        )


def bot_action(game, state, label):
    if label in ("x", "c"):
        return "c"
    if label == "f":
        return "f"
    if label == "a":
        return f"r{state.raise_bounds()[1]}"
    return f"r{state.node.price + 2 * int(label[1:])}"


def test_a_partial_solution_solves_its_rivers(spot, solved_spot):
    game = SpotGame.of(spot)
    whole, partial = make(solved_spot, game), make(solved_spot.without_river(), game)
    deal = game.make_deal(["AsAd", "JsJd"], "QhJh2c4d7h")
    view = game.replay("cc/c", deal).view(1)
    assert sum(partial.probabilities(view).values()) == pytest.approx(1.0)
    view = game.replay("c", deal).view(1)
    assert partial.probabilities(view) == whole.probabilities(view)


def test_bets_off_the_menu_are_translated_with_the_right_probabilities(unlimited):
    game = replace(UNLIMITED, menu="")
    bot = make(unlimited, game)
    deal = game.make_deal(["Js", "Qs"])
    # The pot is 20: the menu has bets of 10 (to 20), 40 (to 50) and all-in (210).
    on_menu = {
        size: bot.probabilities(game.replay(f"r{size}", deal).view(1)) for size in (20, 50, 210)
    }
    for size, smaller, larger in ((30, 20, 50), (40, 20, 50), (100, 50, 210)):
        share = [(total - 10) / 20 for total in (size, smaller, larger)]
        weights = pseudo_harmonic(share[0], share[1:])
        told = bot.probabilities(game.replay(f"r{size}", deal).view(1))
        for kind in ("f", "c"):
            wanted = weights[0] * on_menu[smaller].get(kind, 0.0) + weights[1] * on_menu[
                larger
            ].get(kind, 0.0)
            assert told.get(kind, 0.0) == pytest.approx(wanted)
        assert sum(told.values()) == pytest.approx(1.0)


def test_its_own_past_weighs_the_lines(unlimited):
    """After a bet off the menu that it raised, lines in which it would not raise count less."""
    game = replace(UNLIMITED, menu="")
    bot = make(unlimited, game)
    for hole in ("Js", "Qs", "Ks"):
        other = "Ks" if hole != "Ks" else "Js"
        deal = game.make_deal([other, hole])
        first = bot.probabilities(game.replay("r30", deal).view(1))
        for action, chance in first.items():
            if action[0] != "r" or chance == 0.0:
                continue
            state = game.replay(f"r30{action}", deal)
            bounds = state.raise_bounds()
            if bounds is None:
                continue
            again = state.apply(f"r{bounds[1]}")
            told = bot.probabilities(again.view(1))
            assert sum(told.values()) == pytest.approx(1.0)
            assert set(told) <= {"f", "c"}


def test_it_survives_every_bet(unlimited):
    """Whatever the other does, its answers are legal."""
    game = replace(UNLIMITED, menu="")
    bot = make(unlimited, game)
    rng = np.random.default_rng(3)
    for deal in game.deals(rng, 150):
        state = game.start(deal)
        while state.player >= 0:
            if state.player == 1:
                told = bot.probabilities(state.view(1))
                assert sum(told.values()) == pytest.approx(1.0)
                state = state.apply(bot.sample(told))
                continue
            actions = state.actions()
            state = state.apply(actions[int(rng.integers(len(actions)))])


def test_it_answers_bets_off_the_menu_of_a_spot(spot, solved_spot):
    game = SpotGame.of(spot)
    bot = make(solved_spot, game)
    rng = np.random.default_rng(4)
    for deal in game.deals(rng, 60):
        state = game.start(deal)
        while state.player >= 0:
            if state.player == 0:
                state = state.apply(bot.act(state.view(0)))
                continue
            bounds = state.raise_bounds()
            if bounds is not None and rng.random() < 0.7:
                state = state.apply(f"r{rng.integers(bounds[0], bounds[1] + 1)}")
            else:
                state = state.apply("c")


def test_a_hand_that_the_range_does_not_hold_is_played_fairly(spot, solved_spot):
    game = SpotGame.of(spot)
    deal = game.make_deal(["QsQd", "3s3d"], "QhJh2c4d7h")
    assert set(make(solved_spot, game).probabilities(game.start(deal).view(0))) == {"r300"}


def test_a_spot_is_no_whole_game(solved_spot):
    with pytest.raises(ValueError, match=r"spot \(QhJh2c4d.*\) cannot play holdem.limit.2p; give"):
        make(solved_spot, load_game("holdem.limit.2p"))


def test_wrong_games_and_files(leduc, tmp_path):
    with pytest.raises(ValueError, match="a solution of leduc cannot play kuhn: their streets"):
        make(leduc, load_game("kuhn"))
    with pytest.raises(ValueError, match="there is no such file"):
        StrategyBot(str(tmp_path / "missing.safetensors"))
    (tmp_path / "text.safetensors").write_text("not a solution")
    with pytest.raises(ValueError, match="text"):
        StrategyBot(str(tmp_path / "text.safetensors"))
    with pytest.raises(ValueError, match="a solution of pennies cannot be played at a table"):
        StrategyBot(solve("pennies", "lp"))


def test_values_of_hands_on_the_lines_of_a_spot():
    """Their means over ranges and cards are the EVs of the solution."""
    spot = Spot("QhJh2c4d", "AA, KQs, T9s", "QQ, AJs, 87s", pot=100, stack=80, bet="50%, a")
    solution = solve_spot(spot, target="0.5%")
    bot = StrategyBot(solution)
    game = bot.strategy.game
    bot.reset(game, np.random.default_rng(1))
    ranges = [each.weights for each in spot.ranges]

    def mean(values, seat, gone=False):
        own, other = (np.where(gone, 0.0, ranges[each]) for each in (seat, 1 - seat))
        chances = own * met_weights(other)
        return np.nansum(chances * values[seat]), chances.sum()

    deal = game.make_deal(["AsAd", "QsQd"], "QhJh2c4d")
    values = bot.hand_values(game.replay("", deal).view(0), 1)
    for seat in range(2):
        total, count = mean(values, seat)
        assert total / count == pytest.approx(solution.values[seat] - 50, abs=1e-3)
    checked = game.replay("cc", deal)  # the card that came is not known
    ranges[:] = solution.weights_after(spot.find("x/x"))
    by_card = bot.card_values(checked.view(0), 1)
    holds = np.array([[card in cards for card in range(52)] for cards in COMBO_CARDS.tolist()])
    sums = np.array(
        [mean(by_card[card], 1, holds[:, card]) for card in range(52) if card not in spot.board]
    ).sum(axis=0)
    view = solution.at("x")
    chances = view.weights[1] * view.strategy[0] * met_weights(view.weights[0])
    known = ~np.isnan(chances * view.action_ev[0])
    expected = np.average(view.action_ev[0][known], weights=chances[known]) - 50
    assert sums[0] / sums[1] == pytest.approx(expected, abs=1e-3)
    assert bot.hand_values(game.replay("r130", deal).view(1), 0) is None  # not on its menu
    assert np.isnan(by_card[spot.board[0]]).all()
