"""Two solutions of one spot against each other: play against exact values, and known results."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.holdem.spots import (
    PostflopSolution,
    Spot,
    load_postflop,
    simulate_match,
    simulate_solution,
    solve_spot,
)
from pokerlab.holdem.spots.play.play_outs import BLOCK
from pokerlab.holdem.spots.play.solution_match import SolutionMatch

HANDS = 200_000


@cache
def rough(name: str) -> PostflopSolution:
    """A solution of the same spot that is far from equilibrium."""
    return solve_spot(SPOTS[name], rule="cfr", iterations=2, threads=1)


@pytest.mark.parametrize("name", SPOTS)
def test_play_agrees_with_exact_values(name: str) -> None:
    good = solved(name)
    result = simulate_match(good, rough(name), HANDS, 3, names=("good", "rough"))
    assert result.hands == result.planned_hands == HANDS
    for seats in result.seats.values():
        assert max(abs(seat.z) for seat in seats.values()) < 4
        assert seats["sum"].chips == pytest.approx(seats["oop"].chips + seats["ip"].chips)
        assert seats["sum"].exact == pytest.approx(seats["oop"].exact + seats["ip"].exact)
    good_sum, rough_sum = (result.seats[name]["sum"] for name in ("good", "rough"))
    if good.spot.rake:
        assert good_sum.chips + rough_sum.chips < 0
        assert good_sum.at_least is None
    else:
        assert good_sum.chips + rough_sum.chips == pytest.approx(0)
        assert good_sum.exact + rough_sum.exact == pytest.approx(0)
        for seats in result.seats.values():
            assert all(seat.exact > seat.at_least - 1e-6 for seat in seats.values())
        assert good_sum.at_least == pytest.approx(-2 * good.exploitability.chips)


@pytest.mark.parametrize("name", ["river", "turn, rake, all-in", "flop, one suit, rake"])
def test_a_solution_against_itself(name: str) -> None:
    """Both seatings are the same game, so what is won in one is lost in the other."""
    solution = solved(name)
    result = simulate_match(solution, solution, 1000, 3, names=("one", "other"))
    one, other = (result.seats[name] for name in ("one", "other"))
    half = solution.spot.pot / 2
    for seat, value in zip(("oop", "ip"), solution.values, strict=True):
        assert one[seat] == other[seat]
        assert one[seat].exact == pytest.approx(value - half, abs=1e-6)
    if not solution.spot.rake:
        assert (one["sum"].chips, one["sum"].stderr, one["sum"].z) == (0, 0, 0)


def test_a_result_that_is_known() -> None:
    """One profile always moves in and the other always folds: the first takes every pot."""
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", 90, 80, bet="a", raise_="")
    bold = solve_spot(spot, iterations=5, locks={"": {"a": 1}, "x": {"a": 1}})
    timid = solve_spot(spot, iterations=5, locks={"": {"x": 1}, "x/a": {"f": 1}, "a": {"f": 1}})
    result = simulate_match(bold, timid, 5000, names=("bold", "timid"))
    for name, sign in (("bold", 1), ("timid", -1)):
        won = [seat.chips for seat in result.seats[name].values()]
        assert won == [sign * 45, sign * 45, sign * 90]
        assert [seat.stderr for seat in result.seats[name].values()] == [0, 0, 0]
        exact = [seat.exact for seat in result.seats[name].values()]
        assert exact == pytest.approx([sign * 45, sign * 45, sign * 90], rel=1e-9)
        assert [seat.z for seat in result.seats[name].values()] == [0, 0, 0]
        assert result.seats[name]["oop"].at_least is None  # both are locked
    assert result.curve.hands.tolist() == list(range(10, 5001, 10))
    np.testing.assert_allclose(result.curve.chips[:, 2], 90 / 2 * result.curve.hands)


def test_the_number_of_threads_changes_nothing() -> None:
    hands = 6 * BLOCK + 1000
    one, three = (
        simulate_match(solved("turn"), rough("turn"), hands, 4, threads=threads)
        for threads in (1, 3)
    )
    assert one.seats == three.seats
    np.testing.assert_array_equal(one.curve.chips, three.curve.chips)


def test_the_cards_do_not_depend_on_who_plays() -> None:
    """With the same seed, all games that end with the first check are the same."""
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", 90, 80, bet="a", raise_="")
    checks = {"": {"x": 1}, "x": {"x": 1}}
    quiet = solve_spot(spot, iterations=5, locks=checks)
    other = solve_spot(spot, iterations=5, locks=checks | {"a": {"c": 1}})
    first, second = (simulate_match(quiet, each, 20_000, 5) for each in (quiet, other))
    assert first.seats["first"]["oop"].chips == second.seats["first"]["oop"].chips


def test_the_curve_ends_with_the_result() -> None:
    result = simulate_match(solved("river"), rough("river"), HANDS, 3)
    curve = result.curve
    assert len(curve.hands) == 500
    assert curve.hands[-1] == HANDS
    seats = result.seats["first"].values()
    np.testing.assert_allclose(curve.chips[-1], [seat.chips * HANDS / 2 for seat in seats])
    np.testing.assert_allclose(curve.stderr[-1], [seat.stderr * HANDS / 2 for seat in seats])


def test_common_cards_and_numbers_make_the_sum_surer() -> None:
    result = simulate_match(solved("turn"), rough("turn"), HANDS, 3)
    seats = result.seats["first"]
    assert seats["sum"].stderr < 0.9 * np.hypot(seats["oop"].stderr, seats["ip"].stderr)


def test_suits_merged_in_one_of_them() -> None:
    """Boards differ then, so nothing exact is cheap; both play the same equilibrium."""
    merged, apart = solved("turn, one suit"), solved("turn, one suit", isomorphism=False)
    result = simulate_match(merged, apart, HANDS, 3)
    assert all(seat.exact is seat.z is None for seat in result.seats["first"].values())
    half, epsilon = merged.spot.pot / 2, merged.exploitability.chips + apart.exploitability.chips
    for seat, value in zip(("oop", "ip"), merged.values, strict=True):
        won = result.seats["first"][seat]
        assert abs(won.chips - (value - half)) < 4 * won.stderr + 2 * epsilon


@pytest.mark.slow
def test_hands_in_groups() -> None:
    """Profiles that hold one strategy for each group of hands, against other groups and none."""
    spot = Spot("QhJh2c4d", "66+, AT+", "JJ-22, KQ, JTs", 100, 150, bet="60%", raise_="")
    ranked = solve_spot(spot, iterations=30, threads=1, groups="rank")
    viewed = solve_spot(spot, iterations=3, threads=1, groups="view")
    apart = solve_spot(spot, iterations=3, threads=1)
    assert ranked.strategies[1][0].size < viewed.strategies[1][0].size
    for other in (viewed, apart):
        result = simulate_match(ranked, other, HANDS, 6)
        assert max(abs(seat.z) for seat in result.seats["first"].values()) < 4
    assert abs(simulate_solution(ranked, HANDS, 6).z[0]) < 4
    assert abs(simulate_solution(ranked, HANDS, 6, "x/b60/c/Kc").z[0]) < 4


def test_files_play_as_what_was_saved(tmp_path) -> None:
    pair = []
    for number, solution in enumerate((solved("turn"), rough("turn"))):
        solution.save(tmp_path / f"{number}.safetensors")
        pair.append(load_postflop(tmp_path / f"{number}.safetensors"))
    saved = simulate_match(*pair, 10_000, 1)
    assert saved.seats == simulate_match(solved("turn"), rough("turn"), 10_000, 1).seats


def test_json() -> None:
    result = simulate_match(solved("river, rake"), rough("river, rake"), 2, names=("a", "b"))
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert (data["hands"], data["profiles"]) == (2, ["a", "b"])
    won = data["results"]["b"]["sum"]
    assert won["percent"] == pytest.approx(100 * won["chips"] / 61)
    assert won["mbb"] == pytest.approx(1000 * won["chips"])
    assert won["chips_stderr"] is won["z"] is won["at_least_chips"] is None  # one deal, and rake


def test_what_was_played_so_far() -> None:
    match = SolutionMatch(solved("river"), rough("river"), 4 * BLOCK)
    assert next(iter(match)) == 2 * BLOCK
    result = match.result()
    assert (result.hands, result.complete) == (2 * BLOCK, False)
    assert result.curve.hands[-1] <= 2 * BLOCK


SMALL = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"board": "QhJh2c4d8h"}, "board QhJh2c4d7h and QhJh2c4d8h"),
        ({"pot": 90}, "pot 100 and 90"),
        ({"stack": 70}, "stack 80 and 70"),
        ({"rake": 0.05}, "rake"),
        ({"ip": "QQ, AJs:0.5"}, "ip holds"),
        ({"bet": "50%, a"}, "bet a and 50%, a"),
        ({"max_bets": 1, "raise_": "50%", "bet": "30%, a"}, "bet a and 30%, a"),
        ({"big_blind": 2}, "big_blind by default and 2"),
    ],
)
def test_different_spots(changes: dict[str, object], named: str) -> None:
    fields = {"board": "QhJh2c4d7h", "oop": "AA, KQs", "ip": "QQ, AJs", "pot": 100, "stack": 80}
    other = Spot(**{**fields, "bet": "a", "raise_": "", **changes})
    first, second = (solve_spot(spot, iterations=1) for spot in (SMALL, other))
    with pytest.raises(ValueError, match="different spots") as error:
        simulate_match(first, second, 10)
    assert named in str(error.value)


def test_the_same_menu_in_other_words() -> None:
    """All-in is both 80 chips and the size that is not possible: the trees are the same."""
    one = solve_spot(SMALL, iterations=1)
    other = solve_spot(replace(SMALL, bet="a, 500%"), iterations=1)
    assert simulate_match(one, other, 10).hands == 10


def test_a_strategy_that_is_none_is_named() -> None:
    river = solved("river")
    nothing = replace(river, strategies=(tuple(map(np.zeros_like, river.strategies[0])),))
    for pair in ((river, nothing), (nothing, river)):
        names = ("good", "bad") if pair[0] is river else ("bad", "good")
        with pytest.raises(ValueError, match=r"bad: the strategy at .* is not a dist"):
            simulate_match(*pair, 1000, names=names)


def test_bad_input() -> None:
    river = solved("river")
    for hands in (0, 3, True, 2.0):
        with pytest.raises(ValueError, match=f"hands: {hands} is not an even number"):
            simulate_match(river, river, hands)
    with pytest.raises(ValueError, match="both solutions are called 'x'"):
        simulate_match(river, river, 10, names=("x", "x"))
    with pytest.raises(ValueError, match="second holds no strategies of the river"):
        simulate_match(solved("turn"), solved("turn").without_river(), 10)
