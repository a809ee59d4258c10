"""The published values of the three reference spots, and the memory of the largest."""

from pathlib import Path

import pytest

from pokerlab.holdem.spots import PostflopSolver, Spot, solve_spot

SPOTS = Path(__file__).parents[3] / "examples" / "spots"


def reference(name):
    return Spot.from_file(SPOTS / f"{name}.toml")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("s3-river", 92.774),
        ("s2-turn", 91.961),
        pytest.param("s1-flop", 107.13, marks=pytest.mark.slow),
    ],
)
def test_the_first_player_takes_what_is_published(name, value):
    solution = solve_spot(reference(name), target="0.1%")
    assert solution.stopped == "target"
    assert solution.values[0] == pytest.approx(value, abs=0.1)
    if name == "s1-flop":
        assert solution.equities[0] == pytest.approx(0.53647, abs=1e-5)
    assert sum(solution.values) == pytest.approx(200, abs=1e-3)
    assert solution.exploitability.percent <= 0.101


@pytest.mark.slow
def test_the_flop_fits_into_what_was_promised():
    sizes = {bits: PostflopSolver(reference("s1-flop"), precision=bits).nbytes for bits in (32, 16)}
    assert sizes[32] <= 650e6
    assert sizes[16] == sizes[32] / 2
