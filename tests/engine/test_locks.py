from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import combo_index, parse_cards
from pokerlab.engine.locks import (
    Lock,
    keeps_suits,
    lock_fields,
    lock_texts,
    parse_locks,
    read_locks,
    to_locks,
)
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot

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
    flop = Spot("QhJh2c", "AA, KQs", "QQ, AJs, T9s", pot=100, stack=80, bet="50%", raise_="")

    def kept(lock, spot=flop):
        return keeps_suits(parse_locks(spot, {"x": {"x": lock}}), spot.board, spot.ranges)

    assert kept("QQ")
    assert not kept("QsQc")
    # On this board spades and diamonds alone can be exchanged.
    assert kept("QsQc, QdQc")
    assert not kept("AcJc, AsJs")
    assert kept("AcJc, AsJs, AdJd")
    told_apart = replace(flop, ip="QQ, AJs, Ts9s")
    assert kept("QsQc", told_apart)


def test_suits_are_merged_under_locks_that_keep_them():
    spot = Spot("QhJh2c", "AA, KQs", "QQ, AJs, T9s", pot=100, stack=80, bet="a", raise_="")
    locks = {"x": {"x": "QsQc, QdQc, AcJc", "a": "QsQd"}}
    merged = solve_spot(spot, target="0.05%", locks=locks)
    apart = solve_spot(spot, target="0.05%", locks=locks, isomorphism=False)
    assert (merged.isomorphism, apart.isomorphism) == (True, False)
    assert merged.values == pytest.approx(apart.values, abs=0.1)


def test_a_frequency_holds_for_every_hand_that_no_range_names():
    locked = solve_spot(RIVER, iterations=50, locks={"x": {"b50": "30%", "a": 0, "x": "QQ"}})
    node = locked.at("x")
    assert node.actions == ("x", "b50", "a")
    np.testing.assert_allclose(node.strategy[:, number("AsJs")], [0.7, 0.3, 0], atol=1e-3)
    np.testing.assert_allclose(node.strategy[:, number("QsQc")], [1, 0, 0], atol=1e-3)
    assert locked.isomorphism
    assert locked.locks == {"x": {"b50": "0.3", "a": "0", "x": "QQ"}}


def test_a_pair_is_not_a_number():
    locks = to_locks({"x": {"x": "99", "b50": "22"}})
    assert [who.count for _, who in locks[0].actions] == [6, 6]
    assert to_locks(lock_texts(locks)) == locks


def test_the_locks_of_a_spot_and_more():
    spot = replace(RIVER, locks={"x": {"x": 1}, "": {"x": "AA"}})
    locked = solve_spot(spot, iterations=20, locks={"x": {"b50": 1}})
    assert locked.locks == {"x": {"b50": "1"}, "": {"x": "AA"}}
    assert locked.at("x").frequencies[1] == pytest.approx(1, abs=1e-3)
    assert locked.at("").strategy[0, number("AsAc")] == pytest.approx(1, abs=1e-3)


def test_a_lock_on_one_board_goes_before_one_on_all(tmp_path):
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%", raise_="")
    spot = spot.with_locks({"x/x/Ks/x": {"x": 1}, "x/x/x": {"x": 0}})
    solution = solve_spot(spot, iterations=20)
    for _ in range(2):
        assert solution.at("x/x/Ks/x").frequencies[0] == pytest.approx(1, abs=1e-3)
        assert solution.at("x/x/7h/x").frequencies[0] == pytest.approx(0, abs=1e-3)
        solution.save(tmp_path / "locked.safetensors")
        solution = load_postflop(tmp_path / "locked.safetensors", check=True)
        assert solution.spot == spot
    river = solution.without_river().at("x/x/Ks/x")
    assert river.frequencies[0] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("locks", "message"),
    [
        ({"x": {"b50": 0.5}}, "the frequencies leave 0.5 for x, a; give all but one"),
        ({"x": {"x": 0.5, "b50": 0.6}}, "the frequencies sum to 1.1, not to 1"),
        ({"x": {"x": 0.5, "b50": 0.2, "a": 0.2}}, "the frequencies sum to 0.9, not to 1"),
        ({"x": {"x": 2}}, "x: 2 is not a range such as 'AA, KK:0.5', nor a frequency from 0 to 1"),
        ({"x": {"x": True}}, "x: True is not a range"),
        ({"x": {"x": "150%"}}, "x: 1.5 is not a range"),
        ({"x": {"x": None}}, "x: None is not a range"),
        ({"x": {}}, "is not a table of actions"),
        ({"x": "QQ"}, "lock 'x': 'QQ' is not a table of actions and who takes them"),
        ({"x": {"x": 1}, " x": {"x": 1}}, "the line is locked twice"),
        ({"x/b50": {"c": 1}, "x/b50%": {"c": 1}}, "'x/b50' locks it already"),
        (
            5,
            r"5 is not a table of lines and actions \(\[locks.x\] with .*, nor a list such as"
            r" \['x: b50=30%'\]",
        ),
        (["x"], "lock 'x': give the line, a colon and actions, as in 'x: b50=AA"),
        (["x: b50=1", 5], "is not a table of lines and actions"),
        ({"x": {"c": "QQ"}}, "no action 'c'; possible: x, b50"),
        ({"x": {"x": "QQ:0.5"}}, "sum to 0.5, not to 1"),
        ({"x/x": {"x": "QQ"}}, "nobody decides there, the hand is over"),
        ({"x/b77": {"f": "QQ"}}, "not possible here"),
        ({"x": {"x": "QQQ"}}, "QQQ"),
        ({"x": {"x": 1, "weight": 0}}, "lock 'x': 0 is not a weight, above 0 and up to 1"),
        ({"x": {"x": 1, "weight": "170%"}}, "'170%' is not a weight"),
        ({"x": {"x": 1, "weight": "AA"}}, "'AA' is not a weight"),
        ({"x": {"x": 1, "weight": float("nan")}}, "nan is not a weight"),
        ({"x": {"x": 1, "weight": True}}, "True is not a weight"),
        ({"x": {"x": 1, "weight": None}}, "None is not a weight"),
        ({"x": {"weight": 0.5}}, "a weight and no action"),
    ],
)
def test_bad_locks(locks, message):
    with pytest.raises(ValueError, match=message):
        parse_locks(RIVER, locks)


def test_a_lock_where_a_card_comes():
    """Lines without cards lock all cards, from the first decision after them on."""
    turn = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    locks = parse_locks(turn, ["x/x/x: x=100%", "x/x/3c: x=1", "x/x: x=1"])
    assert [(lock.line, bool(lock.cards)) for lock in locks] == [
        ("x/x/x", False),
        ("x/x", False),
        ("x/x/3c", True),
    ]
    assert {(lock.level, lock.node) for lock in locks} == {
        (place.level, place.node) for place in map(turn.find, ("x/x/x", "x/x/3c"))
    }
    flop = Spot("QhJh2c", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    with pytest.raises(ValueError, match="name all the cards on the way, or none"):
        parse_locks(flop, {"x/x/3c/x/x": {"x": 1}})
    assert parse_locks(flop, {"x/x/x/x": {"x": 1}})[0].level == 2


@given(
    st.floats(0, 1, exclude_min=True),
    st.floats(0, 1),
    st.sampled_from(["", " ", "  "]),
    st.booleans(),
)
def test_weights_are_read_as_they_are_written(weight, share, blank, percent):
    (lock,) = to_locks({"x": {"b50": share, "x": "QQ", "weight": weight}})
    assert lock.weight == weight
    assert to_locks(lock_texts([lock])) == to_locks(lock_fields([lock])) == (lock,)
    parts = lock_texts([lock])["x"]
    given = parts.pop("weight", "1")
    if percent:
        given = "70%"
        lock = lock._replace(weight=0.7)
    actions = "; ".join(f"{action}={who}" for action, who in parts.items())
    typed = read_locks([f"x:{blank}{actions}{blank}@{blank}{given}{blank}"])
    assert to_locks(typed) == (lock,)


@given(st.lists(st.text("xb50=:;@%.1 AK", max_size=14), max_size=3))
def test_any_text_is_locks_or_one_line_that_says_why_not(given):
    try:
        found = to_locks(read_locks(given))
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        assert all(isinstance(lock, Lock) and 0 < lock.weight <= 1 for lock in found)


def test_two_texts_of_a_line_have_one_weight():
    assert read_locks(["x: x=AA @ 0.5", "x: b50=KK"])["x"]["weight"] == "0.5"
    with pytest.raises(ValueError, match="weight is given twice for this line"):
        read_locks(["x: x=AA @ 0.5", "x: b50=KK @ 0.5"])
