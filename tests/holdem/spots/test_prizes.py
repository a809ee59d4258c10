"""Spots that pay prize money, beside the same games written out node by node."""

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame as WrittenGame
from tests.holdem.spots.test_solver import Places

import pokerlab as pl
from pokerlab.engine.walker import as_storage
from pokerlab.games.prizes import PrizeMoney
from pokerlab.holdem.spots import PostflopSolver, Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.rivers import solve_rivers_again
from pokerlab.players.bots import make_bot
from pokerlab.players.strategies import SpotGame
from pokerlab.players.strategies.table_games import load_table_game
from pokerlab.solvers import Strategy, best_response, values
from pokerlab.trees import GameTree

PRIZES = {
    "river, many ties": Spot(
        "Ts9s8d7c3h",
        "AsTc:0.61, JhTh:0.83, QdJd, 6d5d:0.45, AhAd:0.77, 5s4s, KsQs:0.39, Jc2c",
        "JcJs:0.47, ThTd, 9c9d:0.35, AcKc:0.94, Qh2h:0.4, QhJs:0.58, 6h5h:0.81, JhTh",
        pot=60,
        stack=(150, 220),
        bet="30%, a",
        raise_="a",
        payouts="50, 30, 20",
        others=[90],
    ),
    "turn, the last three with bounties": Spot(
        "QhJh2c4d",
        "AsAd:0.83, KhQd:0.61, 9h8h",
        "AcJd:0.37, 5c5s, AhKh:0.72",
        pot=100,
        stack=(300, 120),
        bet="turn: 50%, a; river: 75%",
        raise_="turn: a; river:",
        payouts=[50, 30],
        others=[200],
        bounty=[10, 20, 5],
        progressive=True,
    ),
    "turn, all-ins that tie": Spot(
        "QhJh2c2d",
        "AsKd:0.83, KhQd:0.61, AdAh",
        "AcKs:0.37, QcTc, 9c9d:0.72",
        pot=40,
        stack=35,
        bet="a",
        raise_="",
        payouts=[70, 30],
        others=[60, 10, 30],
    ),
    "flop, heads-up with bounties": Spot(
        "QhJh2c",
        "AsAd:0.6",
        "JsJd, AhAc:0.43",
        pot=100,
        stack=200,
        bet="flop: a; turn:; river: 50%",
        raise_="",
        payouts=[60, 40],
        bounty=20,
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name.startswith("flop") else [])
        for name in PRIZES
    ],
)
def test_values_and_responses_are_those_of_the_written_game(name: str) -> None:
    spot = PRIZES[name]
    tree = GameTree.build(WrittenGame(spot))
    solver = PostflopSolver(spot, precision=64)
    where = Places(solver, tree)
    solver.iterate(20)
    averages = as_storage(solver.layout, solver.shares())
    average = Strategy.from_weights(where.infosets, where.read_storage(averages, "sums"))
    found = solver.certify(averages)
    best = [best_response(tree, average, player).value for player in range(2)]
    # On the river exact; before it, win margins with ties are rounded to halves.
    allowed = 1e-9 if spot.street == 2 else 2e-5 * spot.pot
    assert np.abs(found.values - (values(tree, average) + spot.pot / 2)).max() < allowed
    assert np.abs(np.array(found.best_values) - (np.array(best) + spot.pot / 2)).max() < allowed


@pytest.mark.parametrize("name", PRIZES)
def test_the_certificate_is_confirmed(name: str, tmp_path) -> None:
    spot = PRIZES[name]
    solution = solve_spot(spot, target="0.1%")
    certificate = verify(solution)
    assert certificate.ok, certificate.problems
    assert solution.exploitability.percent <= 0.1
    assert sum(solution.gains) / 2 == pytest.approx(solution.exploitability.chips)
    assert min(solution.gains) > -1e-4
    # No bound is crossed by what players get.
    for value, (low, high) in zip(certificate.values, certificate.bounds, strict=True):
        assert low - 1e-6 <= value <= high + 1e-6
    solution.save(tmp_path / "prizes.safetensors")
    again = load_postflop(tmp_path / "prizes.safetensors")
    assert again.spot == spot
    assert verify(again).ok
    assert again.prize_shares == solution.prize_shares


def test_the_winner_takes_all_as_with_chips_to_the_bit() -> None:
    for plain in PRIZES.values():
        chips = replace(plain, payouts=(), others=(), bounty=(), progressive=False)
        takes_all = replace(chips, payouts=[100], others=[77])
        first, second = (solve_spot(spot, iterations=30) for spot in (chips, takes_all))
        assert first.values == second.values
        assert first.best_values == second.best_values
        for one, other in zip(first.strategies, second.strategies, strict=True):
            for player in range(2):
                assert np.asarray(one[player]).tobytes() == np.asarray(other[player]).tobytes()
        assert first.prize_shares is None
        stacks = np.broadcast_to(chips.stack, 2)
        expected = (stacks + np.array(first.values)) / (stacks.sum() + chips.pot + 77)
        assert second.prize_shares == pytest.approx(tuple(expected))


def test_two_equal_prizes_for_three_make_calls_tight() -> None:
    """On the bubble of a satellite, the one who calls an all-in needs a far better hand."""
    chips = Spot("QhJh2c4d7h", "AsAd, KdQs, 9s8s, 6d5d", "KcQc, JsTs, 9d9c", 100, 200, "a", "")
    bubble = replace(chips, payouts="50, 50", others=[200])
    calls = []
    for spot in (chips, bubble):
        solution = solve_spot(spot, target="0.05%")
        node = solution.at("a")
        calls.append(node.frequencies[1])
    assert calls[1] < 0.7 * calls[0]


def test_values_at_a_decision_are_those_of_its_actions() -> None:
    solution = solve_spot(PRIZES["river, many ties"], target="0.05%")
    for line in ("", "x", "x/a", "a"):
        node = solution.at(line)
        own = node.ev[node.player]
        mixed = sum(
            share * worth for share, worth in zip(node.strategy, node.action_ev, strict=True)
        )
        known = ~np.isnan(own) & (node.weights[node.player] > 0)
        assert np.allclose(own[known], mixed[known], atol=1e-6)
        if "f" in node.actions:  # to give up costs what has been paid, and nothing more
            assert np.allclose(node.action_ev[node.actions.index("f")][known], 0, atol=1e-6)


def test_a_street_solved_again_plays_for_the_same_prizes() -> None:
    spot = replace(PRIZES["turn, the last three with bounties"], bet="turn:; river: 50%")
    whole = solve_spot(spot, target="0.02%")
    one, other = (each.at("x/x/7h/x") for each in (whole, whole.without_river()))
    for player in range(2):
        own = one.weights[player] > 1e-2
        assert own.any()
        assert np.abs(one.ev[player][own] - other.ev[player][own]).max() < 0.5


def test_groups_and_locks() -> None:
    spot = PRIZES["river, many ties"]
    locked = solve_spot(spot, target="0.1%", locks={"": {"x": 1}})
    assert verify(locked).ok
    assert locked.at("").frequencies[0] == pytest.approx(1)
    grouped = solve_spot(spot, iterations=50, groups="view")
    assert verify(grouped).ok


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"rake": 0.05}, "rake: does not work with payouts"),
        ({"payouts": ""}, "others: needs payouts"),
        ({"payouts": "50, x"}, "payouts: 'x' is not a number"),
        ({"payouts": "50, 60"}, "place 2 would win 60"),
        ({"payouts": [5, 4, 3, 2]}, "4 prizes for 3 players"),
        ({"others": [-5]}, "others: -5"),
        ({"bounty": [1, 2]}, "bounty: 2 for 3 players"),
        ({"progressive": 1}, "progressive: 1 is not"),
    ],
)
def test_bad_input_is_named(changes, words) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        replace(PRIZES["river, many ties"], **changes)
    assert words in str(error.value)


def test_what_counts_chips_alone_is_refused(tmp_path) -> None:
    spot = PRIZES["turn, the last three with bounties"]
    solution = solve_spot(spot, iterations=5)
    solution.save(tmp_path / "prizes.safetensors")
    with pytest.raises(ValueError, match="payouts"):
        solve_rivers_again(solution, "maxmargin")
    with pytest.raises(ValueError, match="payouts"):
        solve_spot(spot, iterations=5, keep_values=True)
    with pytest.raises(ValueError, match="payouts: a table counts chips alone"):
        load_table_game(tmp_path / "prizes.safetensors")
    bot = make_bot(f"strategy:{tmp_path / 'prizes.safetensors'}")
    chips = replace(spot, payouts=(), others=(), bounty=(), progressive=False)
    with pytest.raises(ValueError, match="payouts: a table counts chips alone"):
        bot.reset(SpotGame.of(chips), np.random.default_rng(1))


def test_the_file_of_a_spot_gives_the_same_spot() -> None:
    for spot in PRIZES.values():
        assert Spot.from_toml(spot.to_toml()) == spot


def test_a_tie_of_all_chips_leaves_both_in() -> None:
    money = PrizeMoney((50, 50), 20, (50.0, 30.0, 20.0), (60,))
    win, tie, loss = money.worths(50)[0]
    assert loss < -10 - 0 < tie < win
    assert money.share(0, 0) == pytest.approx(pl.icm([50, 70, 60], [50, 30, 20]).equities[0])
