"""Fractions of chips and big blinds, from the spot to the certificate and the simulation."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.play.simulation import simulate_solution
from pokerlab.players.strategies import SpotGame

TURN = {
    "board": "QhJh2c4d",
    "oop": "AA, KQs, 65s",
    "ip": "QQ, AJs, T9s",
    "bet": "50%",
}


@pytest.fixture(scope="module")
def solutions():
    cents = Spot(**TURN, pot=550, stack=[700, 900], rake=0.05, rake_cap=30)
    chips = Spot(**TURN, pot=5.5, stack=[7, 9], rake=0.05, rake_cap=0.3, big_blind=0.5)
    return solve_spot(cents, iterations=60), solve_spot(chips, iterations=60)


def test_chips_of_a_hundredth_are_worth_a_hundredth(solutions):
    cents, chips = solutions
    assert np.array(chips.values) * 100 == pytest.approx(cents.values, rel=1e-4)
    assert chips.exploitability.percent == pytest.approx(cents.exploitability.percent, rel=1e-2)
    assert chips.exploitability.mbb == pytest.approx(2000 * chips.exploitability.chips)
    assert cents.exploitability.mbb == pytest.approx(1000 * cents.exploitability.chips)


def test_decisions_are_shown_in_chips(solutions):
    cents, chips = solutions
    node = chips.at("x/b2.75/c/Ks/x")
    whole = cents.at("x/b275/c/Ks/x")
    assert (node.pot, whole.pot) == (11, 1100)
    assert node.actions == ("x", "a") and chips.at("x").actions == ("x", "b2.75")
    np.testing.assert_allclose(node.ev[0] * 100, whole.ev[0], rtol=1e-3, atol=0.5)


def test_a_file_keeps_the_chips(solutions, tmp_path):
    path = tmp_path / "chips.safetensors"
    solutions[1].save(path)
    again = load_postflop(path, check=True)
    assert again.spot == solutions[1].spot
    assert again.exploitability.mbb == solutions[1].exploitability.mbb
    certificate = verify(again)
    assert certificate.ok
    assert certificate.exploitability.mbb == pytest.approx(again.exploitability.mbb, rel=0.01)


def test_play_agrees_with_the_values(solutions):
    for line in ("", "x/b2.75"):
        played = simulate_solution(solutions[1], 20_000, 1, line)
        assert max(map(abs, played.z)) < 4


def test_a_river_that_is_solved_again_keeps_the_chips(solutions):
    partial = solutions[1].without_river()
    again, before = partial.at("x/x/Ks/x"), solutions[1].at("x/x/Ks/x")
    assert again.actions == before.actions == ("x", "b2.75")
    assert again.pot == before.pot == 5.5


def test_a_table_counts_the_same_mbb(solutions):
    game = SpotGame.of(solutions[1].spot)
    assert game.mbb == 2000
    assert SpotGame.of(solutions[0].spot).mbb == 1000
    # OOP bets 2.75 into 5.5, IP folds: OOP takes the pot, half of which he had put in.
    state = game.replay("r1100f", game.deal(np.random.default_rng(1)))
    assert state.payoffs() == (2.75, -2.75)
