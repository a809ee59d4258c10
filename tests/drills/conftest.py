import pytest

from pokerlab.drills import SolutionSource
from pokerlab.holdem.spots import Spot, solve_spot

RIVER = Spot("QhJh2c4d7h", "AA, KQs, JTs, 98s", "QQ, AJs, T9s, 55", pot=100, stack=150, big_blind=2)
TURN = Spot(
    "QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=200, bet="50%, a", raise_="a"
)


@pytest.fixture(scope="session")
def river():
    return solve_spot(RIVER, target="0.05%")


@pytest.fixture(scope="session")
def turn():
    return solve_spot(TURN, target="0.1%")


@pytest.fixture
def source(river):
    return SolutionSource(river, "river.safetensors")
