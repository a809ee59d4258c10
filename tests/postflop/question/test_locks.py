import numpy as np
import pytest

from pokerlab.cards import combo_index, parse_cards
from pokerlab.postflop import Spot, solve_spot
from pokerlab.postflop.question.locks import keeps_suits, parse_locks

OOP = "AA, KQs, JTs, T9s, 55"
IP = "QQ, AJs, KJs, 98s"
RIVER = Spot("QhJh2c4d7h", OOP, IP, pot=100, stack=150)


def number(text):
    return combo_index(*parse_cards(text))


def test_a_locked_range_does_what_it_is_told():
    free = solve_spot(RIVER, target="0.05%")
    locked = solve_spot(RIVER, target="0.05%", locks={"x/b50": {"f": OOP}})
    node = locked.at("x/b50")
    assert node.frequencies[0] == pytest.approx(1, abs=1e-3)
    assert locked.exploitability.percent <= 0.06
    assert locked.values[0] < free.values[0] - 1
    # The other player takes advantage: he bets more often.
    assert locked.at("x").frequencies[1] > free.at("x").frequencies[1]


def test_some_hands_are_locked_and_the_others_are_free():
    locked = solve_spot(RIVER, target="0.05%", locks={"x/b50": {"f": "KsQs", "c": "KcQc"}})
    node = locked.at("x/b50")
    assert node.strategy[0, number("KsQs")] == pytest.approx(1, abs=1e-3)
    assert node.strategy[1, number("KcQc")] == pytest.approx(1, abs=1e-3)
    assert node.strategy[0, number("AsAc")] < 0.5


def test_a_lock_at_the_equilibrium_changes_nothing():
    free = solve_spot(RIVER, target="0.02%")
    node = free.at("x")
    shares = {
        action: np.nan_to_num(share / np.nansum(node.strategy, axis=0))
        for action, share in zip(node.actions, node.strategy, strict=True)
    }
    locked = solve_spot(RIVER, target="0.02%", locks={"x": shares})
    assert locked.values == pytest.approx(free.values, abs=0.1)


def test_locks_on_one_board_or_on_all():
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%", raise_="")
    everywhere = solve_spot(spot, iterations=50, locks={"x/x/x": {"x": "QQ, AJs"}})
    for card in ("Ks", "7h"):
        assert everywhere.at(f"x/x/{card}/x").frequencies[0] == pytest.approx(1, abs=1e-3)
    here = solve_spot(spot, iterations=50, locks={"x/x/Ks/x": {"x": "QQ, AJs"}})
    assert not here.isomorphism
    assert here.at("x/x/Ks/x").frequencies[0] == pytest.approx(1, abs=1e-3)
    assert here.at("x/x/7h/x").frequencies[0] < 0.999


def test_suits_stay_alike_only_under_locks_of_whole_classes():
    assert keeps_suits(parse_locks(RIVER, {"x": {"x": "QQ"}}))
    assert not keeps_suits(parse_locks(RIVER, {"x": {"x": "QsQc"}}))


@pytest.mark.parametrize(
    ("locks", "message"),
    [
        ({"x": {"c": "QQ"}}, "no action 'c'; possible: x, b50"),
        ({"x": {"x": "QQ:0.5"}}, "sum to 0.5, not to 1"),
        ({"x/x": {"x": "QQ"}}, "nobody decides there"),
        ({"x/b77": {"f": "QQ"}}, "not possible here"),
        ({"x": {"x": "QQQ"}}, "QQQ"),
    ],
)
def test_bad_locks(locks, message):
    with pytest.raises(ValueError, match=message):
        parse_locks(RIVER, locks)
