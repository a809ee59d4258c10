"""What a spot is, and what it refuses."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import Range, parse_cards
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot

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


def test_a_big_blind_is_known_where_it_was_given():
    """Also as an amount or a size in big blinds; and it stays as it is when a spot is varied."""
    assert not spot().has_big_blind and spot().big_blind == 1
    assert "big_blind" not in spot().fields()
    given = (
        {"big_blind": 1},
        {"big_blind": 2.0},
        {"pot": "200bb"},
        {"stack": ["900bb", 900]},
        {"rake": 0.05, "rake_cap": "3bb"},
        {"bet": "3bb"},
        {"donk": "river: 3bb"},
    )
    for changed in given:
        first = spot(**changed)
        assert first.has_big_blind, changed
        assert first.fields()["big_blind"] == first.big_blind == changed.get("big_blind", 1)
        assert Spot.from_fields(first.fields()) == first == replace(first, pot=first.pot)
    for first in (spot(), spot(big_blind=1)):
        changed = (
            first.with_board("AsKd2c"),
            first.with_locks({"": {"x": 1}}),
            replace(first, pot=1),
        )
        assert [each.has_big_blind for each in changed] == [first.has_big_blind] * 3
        assert eval(repr(first), {"Spot": Spot}) == first
    assert replace(spot(), big_blind=2).has_big_blind
    with pytest.raises(ValueError, match="has_big_blind: unknown field"):
        Spot.from_fields({**spot().fields(), "has_big_blind": True})


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
        ({"oop": "AA, KK:1e-300"}, "oop: the weight 1e-300 of KdKc is too small to compute with; a "
                                   "weight must be 0 or from 1e-30 to 1"),
        ({"oop": np.ones(5)}, "oop: a range has 1326 weights, not an array of shape (5,)"),
        ({"pot": 0}, "pot: 0 is not a number of chips above 0, at most 1000000000 (or big blinds"),
        ({"pot": -5}, "pot: -5 is not a number of chips above 0"),
        ({"pot": "5.5b"}, "pot: '5.5b' is not a number of chips above 0"),
        ({"pot": "bb"}, "pot: 'bb' is not a number of chips above 0"),
        ({"pot": "٣bb"}, "pot: '٣bb' is not a number of chips above 0"),
        ({"pot": 10**400}, "pot: 1000000000000000000000000000000000000000000000000000000"),
        ({"pot": float("nan")}, "pot: nan is not a number of chips above 0"),
        ({"pot": 5.00001}, "pot: 5.00001 has a part smaller than a thousandth of a chip"),
        ({"pot": 5.5, "smallest_chip": 1}, "pot: 5.5 is not a whole number of the smallest chip"),
        ({"smallest_chip": 0.25}, "smallest_chip: 0.25 is not 1, 0.1, 0.01 or 0.001"),
        ({"big_blind": 0}, "big_blind: 0 is not a number of chips above 0"),
        ({"rake": 10**400}, "rake: 1000000000000000000000000000000000000"),
        ({"stack": -1}, "stack: -1 is not a number of chips from 0 to 1000000000"),
        ({"stack": [900, -1]}, "stack: -1 is not a number of chips from 0"),
        ({"stack": [1, 2, 3]}, "stack: [1, 2, 3] is not one number of chips or two (oop, ip)"),
        ({"stack": [900]}, "stack: [900] is not one number of chips or two (oop, ip)"),
        ({"stack": None}, "stack: None is not a number of chips from 0"),
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
        "import sys; from pokerlab.holdem.spots import Spot;"
        "Spot('Td9d6h', 'AA', 'KK', 2, 10).tree; sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_amounts_in_big_blinds():
    short = spot(pot="5.5bb", stack=["97.5bb", 200], big_blind=2, bet="33%, 3bb")
    assert (short.pot, short.stack, short.effective_stack) == (11, (195, 200), 195)
    assert short.tree.streets[0].labels(0) == ["x", "b3.63", "b6"]
    # Nothing was said of fractions or big blinds: whole chips, as ever.
    assert spot(pot=11, stack=195, big_blind=2, bet="33%").tree.streets[0].labels(0) == ["x", "b4"]


def test_what_sizes_are_rounded_to():
    assert spot().units == 1
    assert spot(pot=5.5).units == spot(stack=(900, 0.25)).units == spot(bet="2.5c").units == 100
    assert spot(bet="2bb").units == spot(pot="6bb").units == 100
    assert spot(pot=5.125).units == spot(pot="5.125bb").units == 1000
    assert spot(smallest_chip=0.1, bet="33%", pot=5.5).tree.streets[0].labels(0) == ["x", "b1.8"]
    assert replace(spot(), pot=5.5).tree.streets[0].labels(0) == ["x", "b2.75", "a"]


@given(
    pot=st.integers(1, 2000),
    stack=st.integers(0, 20000),
    street=st.integers(0, 2),
    bet=st.sampled_from(["33%, 2e, a", "60%, e, a", "10%"]),
    options=st.fixed_dictionaries(
        {},
        optional={
            "donk": st.sampled_from(["", "25%"]),
            "add_allin": st.sampled_from([0.5, 1.5]),
            "force_allin": st.just(0.15),
            "merge": st.just(0.1),
        },
    ),
)
def test_a_spot_in_hundredths_has_the_tree_of_the_same_spot_in_cents(
    pot, stack, street, bet, options
):
    board = "Td9d6hQc2s"[: 6 + 2 * street]
    options = options | {"board": board, "bet": bet, "raise_": "2.5x", "max_bets": 2}
    cents = spot(pot=pot, stack=stack, **options).tree
    chips = spot(pot=pot / 100, stack=stack / 100, smallest_chip=0.01, **options).tree
    assert (chips.pot, chips.stack, chips.units) == (pot, stack, 100)
    for whole, parts in zip(cents.streets, chips.streets, strict=True):
        for field in fields(whole):
            if field.name != "units":
                np.testing.assert_array_equal(
                    getattr(whole, field.name), getattr(parts, field.name)
                )
    for level, node, line in chips.walk():
        place = chips.find(line)
        if place.kind == EdgeKind.NODE:
            assert (place.level, place.node) == (level, node)
        else:  # the first decision of a street: a card comes before it
            assert place.kind == EdgeKind.NEXT_STREET
            assert chips.find(f"{line}/x").level == level
