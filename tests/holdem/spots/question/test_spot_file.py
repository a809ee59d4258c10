"""Spots as TOML files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import Range
from pokerlab.games.betting_trees import Menus
from pokerlab.holdem.spots import Spot

EXAMPLES = sorted(Path(__file__).parents[4].glob("examples/spots/*.toml"))
GOOD = 'board = "Td9d6h"\noop = "66+"\nip = "QQ-22"\npot = 200\nstack = 900\n'


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_read_and_round_trip(path):
    spot = Spot.from_file(path)
    assert spot.tree.streets[0].nodes > 2
    assert Spot.from_toml(spot.to_toml(), "text") == spot


def test_the_examples_of_one_hand_follow_each_other():
    flop, turn, river = (
        Spot.from_file(path) for path in EXAMPLES if path.name.startswith(("s1", "s2", "s3"))
    )
    assert turn.board[:3] == flop.board and river.board[:4] == turn.board
    assert flop.oop == turn.oop == river.oop and flop.ip == turn.ip == river.ip
    assert (flop.pot, flop.stack, flop.bet, flop.raise_, flop.size_rules) == (
        river.pot,
        river.stack,
        river.bet,
        river.raise_,
        river.size_rules,
    )
    assert flop.donk == turn.donk  # on the river alone nobody can be led into


def test_menus_may_be_tables():
    text = GOOD + 'raise = ""\n[bet]\nflop = "33%"\nriver = "a"\n[bet.turn]\noop = "50%"\nip = ""\n'
    assert Spot.from_toml(text, "text").bet == Menus.of(
        "bet", "flop: 33%; oop turn: 50%; ip turn:; river: a"
    )


def test_ranges_in_files_beside_the_file(tmp_path, monkeypatch):
    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges" / "bb.txt").write_text("66+, AKs:0.5\n")
    file = tmp_path / "spot.toml"
    file.write_text(GOOD.replace('"66+"', '"@ranges/bb.txt"'))
    monkeypatch.chdir("/")
    assert Spot.from_file(file).oop == Range("66+, AKs:0.5")
    file.write_text(GOOD.replace('"66+"', '"@ranges/none.txt"'))
    with pytest.raises(ValueError, match=r"spot\.toml: oop: no range file") as caught:
        Spot.from_file(file)
    assert "\n" not in str(caught.value)


def test_a_rake_cap_in_big_blinds():
    text = GOOD + 'rake = 0.05\nrake_cap = "3bb"\nbig_blind = 2'
    assert Spot.from_toml(text).rake_cap == 6


def test_locks_are_tables():
    text = GOOD + '[locks."x/b100"]\nf = "TT"\nc = "AA, KK"\n[locks.""]\nx = 0.5\na = 0.25\n'
    spot = Spot.from_toml(text, "text")
    locks = {"x/b100": {"f": "TT", "c": "KK+"}, "": {"x": 0.5, "a": "25%"}}
    assert spot.locks == replace(spot, locks=locks).locks
    assert '[locks."x/b100"]\nf = "TT"\n' in spot.to_toml()
    assert Spot.from_toml(spot.to_toml()) == spot
    typed = GOOD + 'locks = ["x/b100: f=TT; c=KK+", ": x=50%; a=0.25"]'
    assert Spot.from_toml(typed, "text") == spot


def test_a_donk_menu_may_be_missing_or_empty():
    missing, empty = Spot.from_toml(GOOD, "text"), Spot.from_toml(GOOD + 'donk = ""', "text")
    assert missing.donk.silent and not empty.donk.silent
    assert "donk" not in missing.to_toml() and 'donk = ""' in empty.to_toml()


chips = st.integers(0, 1000)
parts = st.floats(0, 2, allow_nan=False)


@given(
    board=st.lists(st.integers(0, 51), min_size=3, max_size=5, unique=True),
    pot=st.integers(1, 1000) | st.sampled_from([0.5, 5.125, "5.5bb", "7bb"]),
    stack=chips | st.tuples(chips, chips) | st.sampled_from(["97.5bb", 0.01]),
    donk=st.sampled_from([None, "", "river: 33%", "50%, 2e; turn:", "1.5bb"]),
    raises=st.sampled_from(["", "a", "oop: 2.25x; ip:", "flop: 10c; turn: 2.25c; river: 3bb"]),
    options=st.fixed_dictionaries(
        {},
        optional={
            "add_allin": parts,
            "force_allin": parts,
            "merge": parts,
            "max_bets": st.integers(0, 5),
            "rake": st.floats(0, 1),
            "rake_cap": parts,
            "aggressor": st.sampled_from(["oop", "ip"]),
            "big_blind": st.sampled_from([1, 2, 0.5]),
            "locks": st.sampled_from(
                [{"": {"x": "22, AA"}}, {"x": {"x": 1}}, {"": {"x": "AKs"}, "x": {"x": 1}}]
            ),
        },
    ),
)
def test_spots_round_trip(board, pot, stack, donk, raises, options):
    spot = Spot(board, "random", "55+, AKs:0.25", pot, stack, "50%", raises, donk, **options)
    again = Spot.from_toml(spot.to_toml(), "text")
    assert again == spot
    assert again.units == spot.units


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("board =", "not a TOML file: Invalid value (at end of document)"),
        ("", "board: missing (3, 4 or 5 cards such as 'Td9d6h')"),
        ('board = "Td9d6h"', "oop: missing (a range such as 'TT+, AQs+')"),
        ('board = "Td9d6h"\noop = "66+"\nip = "77"\npot = 5', "stack: missing (one number of chi"),
        (
            "bets = 5\n" + GOOD,
            "bets: unknown field, did you mean bet? (add_allin, added, aggr",
        ),
        ("raise_ = 5\n" + GOOD, "raise_: unknown field, did you mean raise? (add_allin, added"),
        ("add-allin = 1\n" + GOOD, "add-allin: unknown field, did you mean add_allin? (add_al"),
        ("colour = 5\n" + GOOD, "colour: unknown field (add_allin, added, aggressor, bet, big_"),
        ("preflp = 'x'\n" + GOOD, "preflp: unknown field, did you mean preflop? (add_allin, add"),
        ("range = 'x'\n" + GOOD, "range: unknown field, did you mean ranges? (add_allin, add"),
        (GOOD + "[texture.paired]", "texture: unknown field, did you mean textures? (add_allin"),
        ("preflp = 'x'\nranges = 'y.toml'", "preflp: unknown field, did you mean preflop?"),
        (GOOD.replace("200", '"a"'), "pot: 'a' is not a number of chips above 0, at most"),
        (GOOD.replace('"66+"', "66"), "oop: 66 is not a text, a range such as 'TT+, AQs+'"),
        (GOOD.replace('"Td9d6h"', '["Td"]'), "board: ['Td'] is not a text, 3, 4 or 5 cards such"),
        (GOOD + "bet = 50", "bet: 50 is not a menu; write a text such as '33%, a' or a table by"),
        (GOOD + 'bet = "50"', "bet: '50' is not a size; write 33% (of the pot), 2.5x (raises)"),
        (GOOD + '[bet]\nrivr = "50%"', "bet: 'rivr' in 'rivr' is not a street or player (flop, t"),
        (GOOD + 'added = ["x/y"]', "added: line 'x/y': token 2, 'y': not an action (x, b50, b50%"),
        (GOOD + 'added = ["x/b2000"]', "added: line 'x/b2000': token 2, 'b2000': only b1 to b900"),
        (GOOD + "locks = 5", "locks: 5 is not a table of lines and actions"),
        (GOOD + '[locks.x]\nc = "QQ"', "lock 'x': no action 'c'; possible: x, b100, a"),
        (GOOD + "[locks.x]\nx = 7", "lock 'x': x: 7 is not a range such as 'AA, KK:0.5', nor a f"),
        (GOOD + '[locks."x/y"]\nx = 7', "line 'x/y': token 2, 'y': not an action"),
        (GOOD + "removed = [7]", "removed: 7 is not a line such as x/b50/c/Qc/x"),
    ],
)
def test_bad_files_name_the_file_the_field_and_what_is_accepted(text, message):
    with pytest.raises(ValueError) as caught:
        Spot.from_toml(text, "dir/spot.toml")
    assert str(caught.value).startswith("dir/spot.toml: " + message)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match=r"none\.toml: cannot be read: No such file"):
        Spot.from_file(tmp_path / "none.toml")
    with pytest.raises(ValueError, match=r"cannot be read: "):
        Spot.from_file(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"bytes\.toml: not a text file in UTF-8"):
        Spot.from_file(tmp_path / "bytes.toml")
