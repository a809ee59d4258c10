"""Every fault of a spot is found at once, and under its field."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.holdem.spots.question.test_spot_fuzz import GOOD, is_one_line, values

from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.field_errors import check_fields
from pokerlab.holdem.spots.question.spot import SPOT_FIELDS
from pokerlab.runtime.files.confined import confined_to

BAD = {
    "board": "Td9d6hQcTd",
    "oop": "6x+",
    "ip": "",
    "pot": 0,
    "stack": [1, 2, 3],
    "bet": "33",
    "raise": {"river": {"oop": "1x", "ip": ""}},
    "donk": "ip: 25%",
    "aggressor": "button",
    "add_allin": -1,
    "force_allin": "much",
    "merge": True,
    "max_bets": 1.5,
    "rake": 2,
    "rake_cap": "3 chips",
    "big_blind": 0,
    "smallest_chip": 0.3,
    "added": ["x/y"],
    "removed": ["x/b101"],
    "locks": {"x": {"b7": 1}},
}
KEYS = {
    "raise": "raise.river.oop",
    "added": "added.0",
    "removed": "removed.0",
    "locks": "locks.x",
}


def test_a_good_spot_is_that_of_its_fields():
    checked = check_fields(GOOD)
    assert checked.spot == Spot.from_fields(GOOD)
    assert checked.errors == {}


def test_what_is_none_is_left_out():
    fields = dict.fromkeys(SPOT_FIELDS) | {name: GOOD[name] for name in ("board", "oop", "ip")}
    assert check_fields(fields | {"pot": 1, "stack": 1}).errors == {}
    assert set(check_fields(fields).errors) == {"pot", "stack"}
    assert check_fields(fields | {"rake": 7}).missing == ("pot", "stack")


@pytest.mark.parametrize("name", BAD)
def test_one_fault_is_named_as_spot_names_it(name):
    fields = GOOD | {name: BAD[name]}
    with pytest.raises(ValueError) as caught:
        Spot.from_fields(fields)
    found = check_fields(fields)
    assert found.spot is None
    assert list(found.errors) == [KEYS.get(name, name)]
    text = found.errors[KEYS.get(name, name)]
    assert str(caught.value) == (text if name == "locks" else f"{name}: {text}")


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from([*BAD]), min_size=1))
def test_faults_of_several_fields_are_found_together(names):
    errors = check_fields(GOOD | {name: BAD[name] for name in names}).errors
    # Lines and locks can be judged only where everything else is good.
    judged = names - {"added", "removed", "locks"} or names
    assert set(errors) == {KEYS.get(name, name) for name in judged}


def test_each_menu_has_an_error_of_its_own():
    bet = {"flop": {"oop": "33%", "ip": "33"}, "turn": "a, q", "river": {"oop": "", "ip": "-1%"}}
    assert set(check_fields(GOOD | {"bet": bet}).errors) == {
        "bet.flop.ip",
        "bet.turn",
        "bet.river.ip",
    }


def test_lines_are_judged_one_by_one_in_any_order():
    fields = GOOD | {"added": ["x/b77/r200", "x/b77", "x/b100000"], "removed": ["b50", "f"]}
    assert set(check_fields(fields).errors) == {"added.2", "removed.1"}


def test_a_bad_board_does_not_blame_the_ranges():
    assert set(check_fields(GOOD | {"board": "", "oop": "Jh2c"}).errors) == {"board"}
    assert set(check_fields(GOOD | {"oop": "TdTh, 6h6c", "ip": "6h6c"}).errors) == {"oop", "ip"}


def test_unknown_fields_are_named():
    assert "did you mean board" in check_fields(GOOD | {"bord": "AhKhQh"}).errors["bord"]


def test_a_story_tells_what_is_missing(tmp_path):
    (tmp_path / "ranges.toml").write_text(
        '[ranges]\n"BTN raise 2.5" = "22+, A2s+"\n"BTN raise 2.5, BB call" = "JJ-22"\n'
    )
    fields = {"board": "Td9d6h", "preflop": "BTN raise 2.5, BB call", "ranges": "ranges.toml"}
    checked = check_fields(fields, beside=tmp_path)
    assert checked.errors == {}
    assert str(checked.spot.oop) == "JJ-22"
    assert list(check_fields(fields | {"preflop": "BTN raise"}, beside=tmp_path).errors) == [
        "preflop"
    ]
    assert list(check_fields(fields | {"ranges": "no.toml"}, beside=tmp_path).errors) == ["ranges"]
    wrong = check_fields(fields | {"board": "T", "ranges": "no.toml"}, beside=tmp_path).errors
    assert set(wrong) == {"board", "ranges"}


@pytest.mark.parametrize("name", ["@../secret.txt", "@/etc/hostname", "@link.txt", "@\0"])
def test_range_files_outside_of_the_folder_are_refused(tmp_path, name):
    (tmp_path / "secret.txt").write_text("AA")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.txt").symlink_to(tmp_path / "secret.txt")
    (inside / "mine.txt").write_text("AA")
    with confined_to(inside):
        errors = check_fields(GOOD | {"oop": name}, beside=inside).errors
        assert "is not in the folder" in errors["oop"]
        assert not check_fields(GOOD | {"oop": "@mine.txt"}, beside=inside).errors


@given(
    st.dictionaries(
        st.sampled_from([*SPOT_FIELDS, "preflop", "ranges", "other"]), values, max_size=2
    )
)
def test_whatever_is_given_the_answer_is_a_spot_or_lines(fields):
    checked = check_fields(GOOD | fields)
    assert (checked.spot is None) == bool(checked.errors)
    assert all(map(is_one_line, checked.errors.values()))
