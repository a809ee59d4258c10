from dataclasses import replace

import numpy as np
import pytest

from pokerlab.arena.matches import play_match
from pokerlab.arena.simulation.compiled_match import Simulation, simulate
from pokerlab.arena.simulation.tables import as_table
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.street_buckets import one_bucket
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.bots.strategy_bot import StrategyBot
from pokerlab.players.strategies import TableStrategy
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.machine import core_count
from pokerlab.solvers import solve
from pokerlab.trees.limit import betting

LIMIT = "holdem.limit.2p"


def within(result, player, expected, sigmas=4):
    return abs(result.mbb_per_hand[player] - expected) < sigmas * result.stderr[player]


def same_but_time(result):
    return replace(result, seconds=0, cpu_seconds=0, threads=0)


def test_the_number_of_threads_changes_nothing():
    players = ["random", "random:1,6,3"]
    results = [
        same_but_time(simulate(LIMIT, players, 150_001, 9, threads=threads))
        for threads in (1, 2, 5)
    ]
    assert results[0] == results[1] == results[2]
    assert simulate(LIMIT, players, 150_001, 10).chips != results[0].chips


def test_same_cards_whoever_plays_and_however_many_hands():
    few = Simulation(LIMIT, ["caller", "raiser"], 100, seed=4).record(100)
    many = Simulation(LIMIT, ["random", "folder"], 100_000, seed=4).record(100)
    assert [hand.deal for hand in few] == [hand.deal for hand in many]
    again = Simulation(LIMIT, ["random", "folder"], 100, seed=4).record(100)
    assert [hand.betting for hand in again] == [hand.betting for hand in many]


@pytest.mark.parametrize(
    "players",
    [("caller", "raiser"), ("random:1,2,1", "raiser"), ("fold-to-raise", "random:0,1,1")],
)
def test_agrees_with_matches_of_the_same_bots(players):
    match = play_match(LIMIT, list(players), 4000, 11)
    result = simulate(LIMIT, list(players), 400_000, 12)
    for player in (0, 1):
        error = np.hypot(match.stderr[player], result.stderr[player])
        assert abs(match.mbb_per_hand[player] - result.mbb_per_hand[player]) < 4 * error
    # The spread of a hand is the same too.
    assert match.stderr[0] * np.sqrt(4000) == pytest.approx(
        result.stderr[0] * np.sqrt(400_000), rel=0.1
    )


def test_folder_loses_the_small_blind_or_the_big_one():
    result = simulate(LIMIT, ["folder", "raiser"], 1000, 1)
    assert result.by_position[0] == (-1000.0, -500.0)
    assert result.mbb_per_hand == (-750.0, 750.0)
    assert result.actions[0][1:] == ((0, 0, 0),) * 3


def test_duplicate_cancels_the_cards():
    result = simulate(LIMIT, ["caller", "raiser"], 20_000, 2, duplicate=True)
    assert result.chips == (0.0, 0.0)
    assert result.stderr == (0.0, 0.0)
    plain = simulate(LIMIT, ["random:1,6,3", "random:1,4,3"], 100_000, 2)
    paired = simulate(LIMIT, ["random:1,6,3", "random:1,4,3"], 100_000, 2, duplicate=True)
    assert paired.hands == 100_000
    difference = plain.mbb_per_hand[0] - paired.mbb_per_hand[0]
    assert abs(difference) < 4 * np.hypot(plain.stderr[0], paired.stderr[0])


@pytest.mark.parametrize("name", ["kuhn", "kuhn2", "leduc", "onecard2"])
def test_equilibria_win_the_value_of_the_game(name):
    solution = solve(name, "lp")
    game = load_betting_game(name)
    table = as_table(game, StrategyBot(solution))
    result = simulate(game, [table, table], 2_000_000, 6)
    mbb = 1000 * game.unit / game.big_blind
    for player in (0, 1):
        for position, value in enumerate(solution.values):
            error = result.position_stderr[player][position]
            assert abs(result.by_position[player][position] - value * mbb) < 4 * error
            assert error < 6 * game.unit


def test_a_trained_strategy_is_its_table():
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    rows = np.random.default_rng(8).dirichlet(np.ones(3), game.rows).astype(np.float16)
    trained = LimitStrategy(game, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
    table = as_table(game.game, TwoPlayerLimitBot(trained))
    np.testing.assert_array_equal(table.probabilities, rows.astype(np.float32))
    node = game.betting.nodes[5]
    row = table.row(node.text, 3)
    assert table.probabilities[row, 1] == rows[game.first_row[5] + 3, 1]


@pytest.mark.slow
def test_three_players():
    solution = solve("kuhn.3p", "cfr", iterations=200)
    game = load_betting_game("kuhn.3p")
    table = as_table(game, StrategyBot(solution))
    result = simulate(game, [table] * 3, 900_000, 3)
    for position, value in enumerate(solution.values):
        error = result.position_stderr[1][position]
        assert abs(result.by_position[1][position] - 1000 * value) < 4 * error
    assert sum(result.chips) == pytest.approx(0, abs=1e-6)


def test_a_saved_solution_by_name(tmp_path):
    path = tmp_path / "leduc.safetensors"
    solution = solve("leduc", "cfr+", iterations=100)
    solution.save(path)
    result = simulate("leduc", [f"strategy:{path}", "random"], 400_000, 1)
    match = play_match("leduc", [f"strategy:{path}", "random"], 3000, 1)
    error = np.hypot(match.stderr[0], result.stderr[0])
    assert abs(match.mbb_per_hand[0] - result.mbb_per_hand[0]) < 4 * error


def test_odd_chips_and_splits_among_three():
    game = replace(
        load_betting_game("kuhn.3p"), ranks="JQ", suits="cdhs", odd_chips="first", ante=5
    )
    for hand in Simulation(game, ["random"] * 3, 3000, seed=1).record(3000):
        assert hand.final.payoffs() == hand.payoffs
    split = replace(game, odd_chips="split", unit=2)
    for hand in Simulation(split, ["random"] * 3, 3000, seed=1).record(3000):
        assert hand.final.payoffs() == hand.payoffs


def test_limit_games_with_stacks_end_all_in():
    game = load_betting_game(LIMIT).with_stacks([45, 30])
    hands = Simulation(game, ["random:1,4,4"] * 2, 3000, seed=1).record(3000)
    for hand in hands:
        assert hand.final.payoffs() == hand.payoffs
    assert any(hand.betting.endswith("/") or "//" in hand.betting for hand in hands)


def test_a_simulation_can_be_broken_off():
    simulation = Simulation(LIMIT, ["caller", "raiser"], 1_000_000, threads=2)
    for played in simulation:
        if played > 60_000:
            break
    result = simulation.result()
    assert result.hands == played
    assert not result.complete
    assert sum(result.actions[1][0]) >= played
    with pytest.raises(ValueError, match="has been played"):
        next(iter(simulation))
    assert Simulation(LIMIT, ["caller", "raiser"], 10).result().hands == 0


def test_threads_are_all_cores_by_default():
    assert Simulation("kuhn", ["caller", "caller"], 10).threads == core_count()


@pytest.mark.parametrize(
    ("game", "players", "options", "message"),
    [
        (LIMIT, ["caller"], {}, "holdem.limit.2p is a game for 2 players, and 1 was given"),
        (LIMIT, ["caller"] * 3, {}, "for 2 players, and 3 were given"),
        (LIMIT, ["caller", "riser"], {}, "no bot 'riser', did you mean raiser"),
        (
            LIMIT,
            ["caller", "fair"],
            {},
            "fair cannot be made a table: holdem.limit.2p has too many hands to ask it about each;"
            " what works there is a file of `pokerlab train`, or a bot that does not look at its",
        ),
        (
            "kuhn",
            ["caller", "montecarlo"],
            {},
            r"montecarlo cannot be made a table: it does not tell its probabilities \(after '' with"
            r" Js\); derive it from PolicyBot and write probabilities\(view\) instead of act",
        ),
        ("holdem.nolimit.2p", ["caller"] * 2, {}, "a no-limit game: only limit games"),
        ("draw", ["caller"] * 2, {}, "only limit games"),
        (LIMIT, ["caller"] * 2, {"hands": 0}, "hands: 0 is not a number of hands"),
        (LIMIT, ["caller"] * 2, {"hands": 5, "duplicate": True}, "take 4 or 6"),
        (LIMIT, ["caller"] * 2, {"seed": -1}, "seed: -1 is not a seed"),
        (LIMIT, ["caller"] * 2, {"threads": 0}, "threads: 0 is not a number of threads"),
        ("nogame", ["caller"] * 2, {}, "nogame"),
    ],
)
def test_bad_input(game, players, options, message):
    options = {"hands": 10} | options
    with pytest.raises(ValueError, match=message):
        simulate(game, players, **options)


def test_a_betting_tree_that_is_too_large(monkeypatch):
    assert betting.MAX_NODES == 100_000
    monkeypatch.setattr(betting, "MAX_NODES", 7000)  # holdem.limit.2p has 6,378
    with pytest.raises(ValueError, match="has more than 7,000 nodes"):
        simulate("holdem.limit.3p", ["caller"] * 3, 10)


def test_bad_tables():
    game = load_betting_game("leduc")
    blind = [one_bucket(), one_bucket()]
    with pytest.raises(ValueError, match="a table of leduc cannot play kuhn"):
        as_table(load_betting_game("kuhn"), as_table(game, "caller"))
    with pytest.raises(ValueError, match=r"shape \(5, 3\) and type float32: .* need \(36, 3\)"):
        TableStrategy(game, blind, np.zeros((5, 3), np.float32))
    with pytest.raises(ValueError, match="type float64"):
        TableStrategy(game, blind, np.zeros((36, 3)))
    table = TableStrategy.filled(game, blind, [0, 1, 0])
    with pytest.raises(ValueError, match="nobody decides after 'cc/cc' in leduc"):
        table.row("cc/cc")
    with pytest.raises(ValueError, match=r"1 is not a group of street 0 \(0 to 0\)"):
        table.row("", 1)
