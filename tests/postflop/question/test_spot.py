"""What a spot is, and what it refuses."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from pokerlab.cards import Range, parse_cards
from pokerlab.postflop import Spot

GOOD = {"board": "Td9d6h", "oop": "66+, A8s+", "ip": "QQ-22", "pot": 200, "stack": 900}


def spot(**changes) -> Spot:
    return Spot(**GOOD | changes)


def test_text_codes_and_objects_make_the_same_spot():
    same = Spot(
        board=parse_cards("Td9d6h"),
        oop=Range("66+, A8s+"),
        ip=Range("QQ-22").weights,
        pot=200.0,
        stack=np.array([900, 900]),
        bet={"flop": "50%, a", "turn": "50%, a", "river": {"oop": "50%, a", "ip": "50%, a"}},
    )
    assert same == spot()
    assert hash(same) == hash(spot())
    assert same != spot(pot=201)


def test_a_spot_does_not_change_but_can_be_varied():
    first = spot(added=["b30"], donk="river: 50%")
    with pytest.raises(FrozenInstanceError):
        first.pot = 5  # type: ignore[misc]
    assert replace(first, pot=200) == first
    assert replace(first, bet="33%").tree.streets[0].labels(0) == ["x", "b30", "b66"]


def test_its_text_makes_it_again():
    first = spot(stack=[900, 1000], raise_="ip: 2.5x; oop:", donk="river: 50%", rake=0.05)
    assert eval(repr(first), {"Spot": Spot}) == first
    assert pickle.loads(pickle.dumps(first)) == first


def test_board_cards_are_not_in_the_live_ranges():
    first, second = spot(oop="TT, 66").ranges
    assert first.count == 6 and second.count == 6 + 3 + 3 + 3 + 8 * 6 - 6
    assert first == Range("TT, 66").remove("Td9d6h")


def test_the_street_is_that_of_the_board():
    assert [spot(board=board).street for board in ("Td9d6h", "Td9d6hQc", "Td9d6hQc2s")] == [0, 1, 2]
    assert len(spot(board="Td9d6hQc").tree.streets) == 2


def test_unequal_stacks():
    assert spot(stack=(900, 500)).effective_stack == 500
    assert spot(stack=(900, 500)).stack == (900, 500)
    assert spot(stack=[900, 900]).stack == 900


def test_rake_without_a_cap():
    assert spot(rake=0.1).rake_from(500) == 50
    assert spot(rake=0.1, rake_cap=20).rake_from(500) == 20
    assert spot().rake_from(500) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "Td9d"}, "board: 'Td9d' has 2 cards; a board has 3 (flop), 4 (turn) or 5 (rive"),
        ({"board": "Td9d6hQc2s3s"}, "board: 'Td9d6hQc2s3s' has 6 cards; a board has 3 (flop), 4"),
        ({"board": ""}, "board: '' has 0 cards; a board has"),
        ({"board": "Td9dTd"}, "board: card Td stands twice in 'Td9dTd'"),
        ({"board": "Td9dXh"}, "board: bad cards 'Td9dXh': 'X' is not a rank"),
        ({"board": 7}, "board: 7 is not a row of cards such as 'Td9d6h'"),
        ({"oop": "66++"}, "oop: "),
        ({"ip": ""}, "ip: no hands; write a range such as 'TT+, AQs+'"),
        ({"ip": "AA:0"}, "ip: no hands; write a range"),
        ({"oop": "TdTc, 9dAs"}, "oop: every hand holds a card of the board Td9d6h; write a range"),
        ({"oop": "AsKs", "ip": "AsQs, KsQs"}, "oop, ip: no hand of 'AsKs' can be dealt together "
                                              "with one of 'AsQs,KsQs', they share cards"),
        ({"oop": np.full(1326, np.nan)}, "oop: weight nan of 2d2c (combo 0) is outside 0 to 1"),
        ({"oop": np.ones(5)}, "oop: a range has 1326 weights, not an array of shape (5,)"),
        ({"pot": 0}, "pot: 0 is not a number of chips from 1 to 1000000000"),
        ({"pot": -5}, "pot: -5 is not a number of chips from 1"),
        ({"pot": "200"}, "pot: '200' is not a number of chips from 1"),
        ({"pot": float("nan")}, "pot: nan is not a number of chips from 1"),
        ({"pot": 5.5}, "pot: 5.5 is not a whole number of chips; count in smaller chips (5.5 big"),
        ({"stack": -1}, "stack: -1 is not a number of chips from 0 to 1000000000"),
        ({"stack": [900, -1]}, "stack: -1 is not a number of chips from 0"),
        ({"stack": [1, 2, 3]}, "stack: [1, 2, 3] is not one number of chips or two (oop, ip)"),
        ({"stack": "900"}, "stack: '900' is not a number of chips from 0"),
        ({"donk": "flop: 50%"}, "donk: a menu for the flop needs the aggressor, who raised "),
        ({"aggressor": "button"}, "aggressor: 'button' is not a player, oop or ip"),
        ({"aggressor": 1}, "aggressor: 1 is not a player, oop or ip"),
        ({"bet": "flop: 50%"}, "bet: no menu for oop on the turn; add 'turn: 50%', or 'turn:' for"),
        ({"bet": "oop: 50%"}, "bet: no menu for ip on the flop; add 'flop: 50%', or 'flop:' for"),
        ({"raise_": "turn: 2x"}, "raise: no menu for oop on the flop; add 'flop: 50%'"),
        ({"raise_": None}, "raise: None is not a menu; write a text such as '33%, a' or a table"),
        ({"bet": "2x"}, "bet: '2x': a multiple of the bet before is for raises only"),
        ({"add_allin": -1}, "add_allin: -1 is not a number from 0 up (0 for off)"),
        ({"force_allin": "x"}, "force_allin: 'x' is not a number from 0 up (0 for off)"),
        ({"merge": float("nan")}, "merge: nan is not a number from 0 up (0 for off)"),
        ({"merge": float("inf")}, "merge: inf is not a number from 0 up (0 for off)"),
        ({"rake": 5}, "rake: 5 is not a number from 0 to 1 (0 for off)"),
        ({"rake_cap": True}, "rake_cap: True is not a number from 0 up (0 for off)"),
        ({"max_bets": -1}, "max_bets: -1 is not a number of bets and raises, 0, 1, 2, …"),
        ({"max_bets": 2.5}, "max_bets: 2.5 is not a number of bets and raises"),
    ],
)  # fmt: skip
def test_bad_input_names_the_field_and_what_is_accepted(changes, message):
    with pytest.raises(ValueError) as caught:
        spot(**changes)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_menus_of_streets_before_the_spot_are_not_needed():
    late = spot(board="Td9d6hQc2s", bet="river: 50%", raise_="river: a")
    assert late.tree.streets[0].labels(0) == ["x", "b100"]


def test_what_adds_a_bet_to_empty_menus_makes_a_game():
    assert spot(bet="", add_allin=4.5).tree.streets[0].labels(0) == ["x", "a"]
    assert spot(bet="", added=["b70"]).tree.streets[0].labels(0) == ["x", "b70"]
    assert spot(bet="oop: 50%; ip:").tree.streets[0].labels(0) == ["x", "b100"]
    assert spot(bet="", add_allin=4.49).tree.streets[0].labels(0) == ["x"]


def test_another_board():
    later = spot(donk="", aggressor="ip").with_board("AsKd2c4h")
    assert later == spot(board="AsKd2c4h", donk="", aggressor="ip")
    with pytest.raises(ValueError, match="board: 'AsKd' has 2 cards"):
        spot().with_board("AsKd")


def test_making_a_spot_does_not_load_the_compiler():
    code = (
        "import sys; from pokerlab.postflop import Spot;"
        "Spot('Td9d6h', 'AA', 'KK', 2, 10).tree; sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
