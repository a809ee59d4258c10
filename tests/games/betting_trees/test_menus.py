"""Menus: their text, and the amounts they give."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pokerlab.games.betting_trees.menus import (
    PLAYERS,
    STREETS,
    Menus,
    Situation,
    Size,
    SizeRules,
    amounts,
    menu_text,
    parse_menu,
    percent_amount,
)

bet_sizes = st.one_of(
    st.builds(Size, st.just("%"), st.floats(0.01, 1000, allow_nan=False)),
    st.builds(Size, st.just("c"), st.integers(1, 5000).map(float)),
    st.builds(Size, st.just("e"), st.integers(0, 3).map(float)),
    st.just(Size("a")),
)
raise_sizes = bet_sizes | st.builds(Size, st.just("x"), st.floats(1.01, 50, allow_nan=False))
raise_menus = st.lists(raise_sizes, max_size=4).map(tuple)
rules = st.builds(
    SizeRules,
    add_allin=st.sampled_from([0.0, 0.5, 1.5, 4.0]),
    force_allin=st.sampled_from([0.0, 0.1, 0.15, 1.0]),
    merge=st.sampled_from([0.0, 0.1, 0.5]),
    max_bets=st.none() | st.integers(0, 4),
    chip=st.sampled_from([1, 100]),
    big_blind=st.sampled_from([1, 50, 250.0]),
)


@st.composite
def situations(draw):
    start, facing = draw(st.integers(1, 2000)), draw(st.just(0) | st.integers(1, 500))
    to_call = draw(st.integers(1, facing)) if facing else 0
    return Situation(
        pot=start + 2 * facing,
        facing=facing,
        to_call=to_call,
        most=facing + draw(st.integers(1, 5000)),
        streets_left=draw(st.integers(1, 3)),
        bets=draw(st.integers(1, 4)) if facing else 0,
    )


first = Situation(pot=200, facing=0, to_call=0, most=900, streets_left=3, bets=0)


@given(raise_menus)
def test_menus_round_trip(menu):
    assert parse_menu(menu_text(menu), "raise") == menu


@given(
    st.lists(st.tuples(st.none() | raise_menus, st.none() | raise_menus), min_size=3, max_size=3)
)
def test_menus_by_street_and_player_round_trip(cells):
    menus = Menus("raise", tuple(cells))
    assume(not menus.silent)
    assert Menus.of("raise", str(menus)) == menus
    tables = {
        street: {
            player: menu_text(menu)
            for player, menu in zip(PLAYERS, row, strict=True)
            if menu is not None
        }
        for street, row in zip(STREETS, cells, strict=True)
    }
    assert Menus.of("raise", tables) == menus


def test_one_text_says_it_for_streets_and_players():
    menus = Menus.of("bet", "33%, a; river: 50%; ip river: 75%;")
    assert menus.at(0, 0) == menus.at(1, 1) == (Size("%", 33), Size("a"))
    assert menus.at(2, 0) == (Size("%", 50),)
    assert menus.at(2, 1) == (Size("%", 75),)
    assert Menus.of("bet", "river: 50%").at(0, 0) is None
    assert Menus.of("bet", "FLOP: 50%; turn:; OOP River: A").cells == (
        ((Size("%", 50),),) * 2,
        ((),) * 2,
        ((Size("a"),), None),
    )
    assert str(Menus.of("bet", {"ip": {"flop": "a"}, "oop": "33%"})) == (
        "oop flop: 33%; ip flop: a; oop turn: 33%; oop river: 33%"
    )
    assert str(Menus.of("raise", "oop: 2x; ip:")) == "oop: 2x; ip:"


def test_donk_menus_are_for_the_first_player():
    assert Menus.of("donk", "oop river: 50%") == Menus.of("donk", {"river": "50%"})
    assert str(Menus.of("donk", "50%")) == "50%"
    assert str(Menus.of("donk", "50%; turn:")) == "flop: 50%; turn:; river: 50%"


@pytest.mark.parametrize(
    ("kind", "source", "message"),
    [
        ("bet", "33", "'33' is not a size; write 33% (of the pot), 2.5x (raises), 120c (chips), 2"),
        ("bet", "33%,", "'' is not a size; write 33% (of the pot)"),
        ("bet", "-5%", "'-5%' is not a size"),
        ("bet", "nan%", "'nan%' is not a size"),
        ("bet", "5a", "'5a' is not a size"),
        ("bet", "half", "'half' is not a size"),
        ("bet", "0%", "'0%': a size is above 0, and at most 1000000000 chips"),
        ("bet", "1.5e", "'1.5e': 1 to 3 streets are left on a board, write e, 1e, 2e or 3e"),
        ("bet", "4e", "'4e': 1 to 3 streets are left on a board, write e, 1e, 2e or 3e"),
        ("bet", "0e", "'0e': 1 to 3 streets"),
        ("bet", "99999999999c", "'99999999999c': a size is above 0, and at most 1000000000"),
        ("bet", "2.5x", "'2.5x': a multiple of the bet before is for raises only; 33% (of the"),
        ("raise", "1x", "'1x': a raise is more than 1x the bet before, such as 2.5x"),
        ("bet", "preflop: 5%", "'preflop' in 'preflop: 5%' is not a street or player (flop, turn"),
        ("bet", {"sb": "5%"}, "'sb' in 'sb' is not a street or player (flop, turn, river, oop,"),
        ("bet", "flop turn: 5%", "'turn' in 'flop turn: 5%' is a second street or player for"),
        ("bet", {"flop": "turn: 5%"}, "'turn' in 'turn: 5%' is a second street or player for one"),
        ("bet", ": 5%", "': 5%' names no street before the colon (flop, turn, river)"),
        ("bet", "flop: 5%; flop: 6%", "'flop: 6%' is a second menu for one place in 'flop: 5%; f"),
        (
            "bet",
            "50%; river 66%",
            "'river 66%': a colon is missing after river; write 'river: 66%'",
        ),
        ("bet", "IP river 66%, a", "'IP river 66%, a': a colon is missing after IP river; write"),
        ("donk", "turn", "'turn': a colon is missing after turn; write 'turn: '"),
        ("bet", 50, "50 is not a menu; write a text such as '33%, a' or a table by street"),
        ("bet", {"flop": 50}, "50 is not a menu; write a text"),
        ("donk", "ip: 5%", "only oop can make a donk bet; name streets alone (flop, turn, river)"),
    ],
)
def test_bad_menus_name_kind_text_and_what_is_accepted(kind, source, message):
    with pytest.raises(ValueError) as caught:
        Menus.of(kind, source)
    assert str(caught.value).startswith(f"{kind}: {message}")
    assert "\n" not in str(caught.value)


def test_a_raise_menu_does_not_pass_for_a_bet_menu():
    with pytest.raises(ValueError, match=r"^bet: '2x': a multiple of the bet before"):
        Menus.of("bet", Menus.of("raise", "2x"))


@pytest.mark.parametrize(
    ("menu", "expected"),
    [
        ("50%", [100]),
        ("120c", [120]),
        ("a", [900]),
        # 1 + 2·900/200 = 10 = (1 + 2f)³, (1 + 2f)² and 1 + 2f: f is 57.7%, 108.1% and 450%.
        ("e", [115]),
        ("3e", [115]),
        ("2e", [216]),
        ("1e", [900]),
        ("1000%", [900]),
        ("0.1%", [1]),
        ("", []),
    ],
)
def test_first_bets(menu, expected):
    assert amounts(parse_menu(menu, "bet"), first, SizeRules()) == expected


@pytest.mark.parametrize(
    ("menu", "expected"),
    [
        ("50%", [120 + 220]),
        ("2.5x", [300]),
        ("120c", [240]),
        ("60c", [240]),  # a raise goes up by at least the bet
        ("1.1x", [240]),
        # 1 + 2·780/440 = 4.545 = (1 + 2f)³: f is 32.8%, 144 chips.
        ("e", [120 + 144]),
        ("10x", [900]),
    ],
)
def test_raises_of_a_bet_of_120(menu, expected):
    there = Situation(pot=440, facing=120, to_call=120, most=900, streets_left=3, bets=1)
    assert amounts(parse_menu(menu, "raise"), there, SizeRules()) == expected


def test_a_raise_of_a_raise_has_a_street_less_to_be_geometric_over():
    there = Situation(pot=800, facing=300, to_call=180, most=900, streets_left=3, bets=2)
    over_two = Situation(pot=800, facing=300, to_call=180, most=900, streets_left=2, bets=1)
    menu = parse_menu("e", "raise")
    # 1 + 2·600/800 = 2.5 = (1 + 2f)²: f is 29.1%, 232 chips.
    assert amounts(menu, there, SizeRules()) == amounts(menu, over_two, SizeRules()) == [532]


def test_geometric_bets_that_are_called_end_all_in():
    pot, stack = 100, 1234
    for streets_left in (3, 2, 1):
        there = Situation(pot, 0, 0, stack, streets_left, 0)
        (bet,) = amounts(parse_menu("e", "bet"), there, SizeRules())
        pot, stack = pot + 2 * bet, stack - bet
    assert stack == 0


def test_chips_and_big_blinds_in_the_smallest_chip():
    there = first._replace(pot=550, most=9750)
    menu = parse_menu("1.5c, 2.5bb, 50%", "bet")
    assert amounts(menu, there, SizeRules(chip=100, big_blind=100)) == [150, 250, 275]
    assert amounts(menu, there, SizeRules(chip=100, big_blind=200)) == [150, 275, 500]
    facing = first._replace(pot=1000, facing=200, to_call=200, most=9750, bets=1)
    assert amounts(parse_menu("3BB", "raise"), facing, SizeRules(chip=100, big_blind=100)) == [500]
    assert str(parse_menu("2.5 bb", "bet")[0]) == "2.5bb"


def test_add_all_in_up_to_a_part_of_the_pot():
    menu = parse_menu("50%", "bet")
    assert amounts(menu, first._replace(most=300), SizeRules(add_allin=1.5)) == [100, 300]
    assert amounts(menu, first._replace(most=301), SizeRules(add_allin=1.5)) == [100]
    assert amounts((), first._replace(most=300), SizeRules(add_allin=1.5)) == [300]


def test_force_all_in_when_little_would_be_left_behind():
    # A bet of 100 makes a pot of 400; 15% of it are 60 chips.
    menu = parse_menu("50%", "bet")
    assert amounts(menu, first._replace(most=160), SizeRules(force_allin=0.15)) == [160]
    assert amounts(menu, first._replace(most=161), SizeRules(force_allin=0.15)) == [100]


def test_merge_keeps_the_larger_of_close_sizes():
    # (1 + 1) / (1 + 0.8) = 1.111 and (1 + 1) / (1 + 0.82) = 1.099.
    assert amounts(parse_menu("80%, 100%", "bet"), first, SizeRules(merge=0.1)) == [160, 200]
    assert amounts(parse_menu("82%, 100%", "bet"), first, SizeRules(merge=0.1)) == [200]
    # Compared with the last that stayed: 64% is close to 82%, but that one has fallen.
    assert amounts(parse_menu("64%, 82%, 100%", "bet"), first, SizeRules(merge=0.1)) == [128, 200]
    # Exactly at the threshold they merge.
    assert amounts(parse_menu("50%, 65%", "bet"), first, SizeRules(merge=0.1)) == [130]


def test_the_cap_leaves_only_all_in_and_only_where_there_was_a_size():
    menu, none = parse_menu("50%, 100%", "bet"), parse_menu("", "bet")
    assert amounts(menu, first, SizeRules(max_bets=0)) == [900]
    assert amounts(none, first, SizeRules(max_bets=0)) == []
    assert amounts(
        menu, first._replace(facing=100, to_call=100, bets=1), SizeRules(max_bets=2)
    ) == [
        200,
        300,
    ]


@given(raise_menus, situations(), rules)
def test_amounts_are_legal_and_follow_the_thresholds(menu, there, rules):
    found = amounts(menu, there, rules)
    assert found == sorted(set(found))
    assert all(there.facing < there.least <= amount <= there.most for amount in found)
    if found:
        assert rules.max_bets is None or there.bets < rules.max_bets or found == [there.most]
    else:
        assert not menu
    if there.most - there.facing <= rules.add_allin * there.pot - 1:
        assert there.most in found
    for amount in found[:-1]:
        pot_after_call = there.pot + 2 * (amount - there.facing)
        assert there.most - amount > rules.force_allin * pot_after_call - 0.5
    for smaller, larger in pairwise(found):
        ratio = (there.pot + larger - there.facing) / (there.pot + smaller - there.facing)
        assert ratio > 1 + rules.merge


@given(raise_menus, situations(), st.sampled_from([0.1, 0.5]))
def test_what_is_merged_is_close_to_what_stayed(menu, there, threshold):
    every = amounts(menu, there, SizeRules())
    kept = amounts(menu, there, SizeRules(merge=threshold))
    assert set(kept) <= set(every)
    for amount in set(every) - set(kept):
        larger = min(each for each in kept if each > amount)
        ratio = (there.pot + larger - there.facing) / (there.pot + amount - there.facing)
        assert ratio <= (1 + threshold) * (1 + 1e-9)


@given(situations(), st.floats(0.1, 1000, allow_nan=False))
def test_a_percentage_of_a_line_is_that_of_a_menu(there, percent):
    assert [percent_amount(percent, there)] == amounts((Size("%", percent),), there, SizeRules())
