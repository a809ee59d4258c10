"""The state of a solve under way, against a solve that was stopped at the same iteration."""

import numpy as np
import pytest

from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.games import load_game
from pokerlab.holdem.spots import Gadget, Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.solving import solution_in_checkpoint
from pokerlab.solvers import CfrSolver, run
from pokerlab.trees import GameTree

HANDS = {"oop": "AA, KQs, JTs, 98s", "ip": "QQ, AJs, T9s, 55"}
BETTING = {"pot": 100, "stack": 250, "bet": "60%, a", "raise_": "a"}
TURN = Spot("QhJh2c4d", **HANDS, **BETTING)
RIVER = Spot("QhJh2c4d7h", **HANDS, **BETTING)
CASES = {
    "turn": (TURN, {}),
    "16 bits": (TURN, {"precision": 16}),
    "groups": (TURN, {"groups": "view/river"}),
    "prizes": (Spot("QhJh2c4d7h", **HANDS, **BETTING, payouts="50, 30, 20", others=150), {}),
    "run-outs": (Spot("QsJh2h", "AA, KQs", "QQ, AJs", 100, 80, bet="a", runouts="2x2"), {}),
    "no averages": (RIVER, {"rule": "fp"}),
    "gadget": (RIVER, {"gadget": Gadget("ip", np.full(1326, 55.0))}),
}


def watched(spot, at, **options):
    """The solution of a longer solve after some iterations, and that solve."""
    seen = []

    def look(progress, make):
        if progress.iteration == at and progress.phase == "iterating" and not seen:
            seen.append(make())

    whole = solve_spot(spot, iterations=at + 6, threads=1, look=look, **options)
    (found,) = seen
    return found, whole


@pytest.mark.parametrize("name", CASES)
def test_a_look_shows_what_a_stopped_solve_saves(name, tmp_path):
    spot, options = CASES[name]
    file = tmp_path / "stopped.checkpoint"
    stopped = solve_spot(spot, iterations=8, threads=1, checkpoint=file, **options)
    found, whole = watched(spot, 8, **options)
    gadget = {"gadget": options["gadget"]} if "gadget" in options else {}
    found.save(tmp_path / "state.safetensors")
    for state in (
        found,
        load_postflop(tmp_path / "state.safetensors"),
        solution_in_checkpoint(file, spot, threads=1, **gadget),
    ):
        assert state.iterations == 8 and not state.certified and stopped.certified
        for mine, its in zip(state.strategies, stopped.strategies, strict=True):
            assert all(map(np.array_equal, mine, its))
        # Averages are rounded for the file only after they were measured.
        near = {"abs": 2e-3 * spot.pot if options.get("precision") == 16 else 2e-4 * spot.pot}
        assert state.values == pytest.approx(stopped.values, **near)
        assert state.exploitability.chips == pytest.approx(stopped.exploitability.chips, **near)
        for line in ("", "x", "a"):
            mine, its = state.at(line), stopped.at(line)
            assert np.array_equal(mine.strategy, its.strategy, equal_nan=True)
            for player in range(2):
                np.testing.assert_allclose(mine.ev[player], its.ev[player], atol=near["abs"])
            np.testing.assert_allclose(mine.action_ev, its.action_ev, atol=near["abs"])
    # To look at a solve changes nothing of it.
    again = solve_spot(spot, iterations=14, threads=1, **options)
    for mine, its in zip(whole.strategies, again.strategies, strict=True):
        assert all(map(np.array_equal, mine, its))


def test_what_a_look_measures_is_true_of_its_strategies():
    """Values are computed anew by a walk that shares no code with the solver's."""
    found, _ = watched(TURN, 8)
    certificate = verify(found)
    assert certificate.exploitability.chips == pytest.approx(found.exploitability.chips, abs=0.02)
    assert certificate.values == pytest.approx(found.values, abs=0.02)
    means = [found.at("").ev[player] for player in range(2)]
    for player, ev in enumerate(means):
        met = met_weights(TURN.ranges[1 - player].weights) * TURN.ranges[player].weights
        there = met > 0
        mean = (ev[there] * met[there]).sum() / met[there].sum()
        assert mean == pytest.approx(certificate.values[player], abs=1e-6)


def test_a_solve_that_goes_on_from_a_solution_shows_the_time_of_both():
    start = solve_spot(RIVER, iterations=10, threads=1)
    seen = []
    solve_spot(
        RIVER,
        iterations=14,
        threads=1,
        start=start,
        look=lambda progress, make: seen.append(make()) if progress.iteration > 10 else None,
    )
    assert seen[0].seconds > start.seconds
    assert seen[-1].history[: len(start.history)] == start.history


def test_another_checkpoint_is_refused_in_one_line(tmp_path):
    file = tmp_path / "kuhn.checkpoint"
    run(CfrSolver(GameTree.build(load_game("kuhn")), "cfr+"), iterations=3, checkpoint=file)
    with pytest.raises(ValueError, match="is not a checkpoint of a spot"):
        solution_in_checkpoint(file, RIVER)
    solve_spot(RIVER, iterations=3, threads=1, checkpoint=tmp_path / "river.checkpoint")
    dearer = Spot("QhJh2c4d7h", **HANDS, **{**BETTING, "pot": 90})
    with pytest.raises(ValueError, match="belongs to another solve: its pot is 100, not 90"):
        solution_in_checkpoint(tmp_path / "river.checkpoint", dearer)
