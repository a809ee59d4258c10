"""Every river of a turn solved again, put together."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.holdem.spots import Spot, solve_spot
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


def test_spots_that_begin_elsewhere_are_refused() -> None:
    river = Spot("QhJh2c4d7s", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    with pytest.raises(ValueError, match="must begin on the turn"):
        solve_rivers_again(solve_spot(river, iterations=2, threads=1))
