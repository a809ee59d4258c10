"""Whatever a file says, it is a spot or one line of error."""

from __future__ import annotations

import datetime

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.holdem.spots import Spot

GOOD = {
    "board": "Td9d6hQc2s",
    "oop": "66+",
    "ip": "QQ-22",
    "pot": 200,
    "stack": 900,
    "bet": "50%, a",
    "raise": {"river": {"oop": "2.5x", "ip": ""}},
    "donk": "river: 25%",
    "aggressor": "ip",
    "add_allin": 1.5,
    "force_allin": 0.15,
    "merge": 0.1,
    "max_bets": 3,
    "rake": 0.05,
    "rake_cap": 30,
    "big_blind": 2,
    "smallest_chip": 0.01,
    "added": ["x/b77"],
    "removed": ["x/b100"],
    "locks": {"x": {"x": "QQ", "a": "22"}},
}

words = st.sampled_from(
    ["5.5bb", "bb", "50%", "a", "2e", "x", "oop", "ip", "river: 33%; ip:", "x/b50/c/Qc", "٣", "1e9",
     "AA", "22", "QQ:0.5", "[50]AA[/50]", "@file", "-1", "nan", "9" * 5000, "/" * 3000, ",;:" * 999]
)  # fmt: skip
scalars = (
    st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=20)
    | words
    | st.just(datetime.date(2020, 1, 1))
)
names = st.sampled_from(["flop", "river", "oop", "ip", "x", "", "x/b50", "b50", "a", "x" * 3000])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


def is_one_line(text):
    return "\n" not in text and "\r" not in text and len(text) < 1000


def test_without_changes_it_is_a_spot():
    assert Spot.from_toml(tomli_w.dumps(GOOD)).pot == 200


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(GOOD)) | st.text(max_size=5), values, max_size=3))
def test_other_values_are_a_spot_or_one_line(changes):
    text = tomli_w.dumps(GOOD | changes)
    try:
        spot = Spot.from_toml(text, "spot.toml")
    except ValueError as error:
        assert str(error).startswith("spot.toml: ")
        assert is_one_line(str(error)), str(error)
    else:
        assert Spot.from_toml(spot.to_toml()) == spot


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_texts_are_a_spot_or_one_line(data):
    text = tomli_w.dumps(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 8))
        other = data.draw(st.text(max_size=4) | st.sampled_from("[]{}=\"'.\n#"))
        text = text[:place] + other + text[place + length :]
    try:
        Spot.from_toml(text, "spot.toml")
    except ValueError as error:
        assert is_one_line(str(error)), str(error)


def test_deep_brackets_are_one_line():
    for text in ("board = " + "[" * 4_000, "a" + ".a" * 4_000 + " = 1", "[" * 4_000):
        try:
            Spot.from_toml(text, "spot.toml")
        except ValueError as error:
            assert is_one_line(str(error))
        else:
            raise AssertionError(text[:20])
