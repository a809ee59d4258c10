"""Every river of a turn solved again, put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards import Range
from pokerlab.holdem.spots import Gadget, Spot, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.rivers import solve_rivers_again

TURN = Spot("QhJh2h4c", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
MORE = Spot(
    "QhJh2h4c", "AA, KQs, JTs, 55", "QQ, AJs, T9s", pot=100, stack=150, bet="60%", raise_="a"
)


def test_the_turn_stays_and_the_whole_is_certified() -> None:
    rough = solve_spot(TURN, iterations=4, threads=1)
    again = solve_rivers_again(rough, "unsafe", target="2%")
    assert again.left == 0
    assert again.solved == 2 * len(rough.boards.cards[1])
    for before, after in zip(rough.strategies[0], again.solution.strategies[0], strict=True):
        assert np.array_equal(before, after)
    assert verify(again.solution).ok


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [3, 20])
@pytest.mark.parametrize("kind", ["resolve", "maxmargin", "reach-maxmargin"])
def test_safe_gadgets_make_no_turn_easier_to_exploit(kind: str, iterations: int) -> None:
    rough = solve_spot(MORE, iterations=iterations)
    again = solve_rivers_again(rough, kind, target="0.1%")
    # Each river may lose its gap of 0.1% of its pot, at most 400 chips, for each player.
    assert again.solution.exploitability.chips < rough.exploitability.chips + 0.4
    assert verify(again.solution).ok


def test_rivers_that_no_two_hands_reach_are_left() -> None:
    # Only AsAd calls, and nobody can hold it beside AsAh.
    locks = {"b60": {"c": "AsAd", "f": "KsKd"}, "x": {"x": 1}}
    spot = replace(MORE, oop=Range("AsAh"), ip=Range("AsAd, KsKd")).with_locks(locks)
    rough = solve_spot(spot, iterations=2, threads=1)
    again = solve_rivers_again(rough, "unsafe", target="50%", threads=1)
    # Of x/x the 44 rivers that let both hands be, for both players.
    assert len(rough.boards.cards[1]) == 48
    assert (again.solved, again.left) == (2 * 44, 2 * (3 * 48 - 44))
    assert verify(again.solution).ok


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"board": "QhJh2h4c7s"}, {}, "begin on the turn"),
        ({}, {"streets": 1}, "have its rivers"),
        ({}, {"gadget": Gadget("ip", np.full(1326, 50.0))}, "have no gadget"),
        ({}, {"groups": "view/river"}, "have no groups"),
        ({"rake": 0.05}, {}, "have no rake"),
    ],
)
def test_other_solutions_are_refused(change, options, message) -> None:
    spot = replace(TURN, **change)
    solution = solve_spot(spot, iterations=1, threads=1, **options)
    with pytest.raises(ValueError, match=f"must {message}"):
        solve_rivers_again(solution)
