"""Game files and hand histories that were changed at random are read, or refused in one line."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.games import load_betting_game, read_acpc, read_toml, write_acpc, write_toml
from pokerlab.games.formats.match_state import parse_match_state
from pokerlab.games.formats.phh import format_hand_history, parse_hand_histories

LIMIT, NO_LIMIT = (load_betting_game(f"holdem.{kind}.2p") for kind in ("limit", "nolimit"))
DEAL = LIMIT.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c")


def read_state(text):
    parse_match_state(text, NO_LIMIT)


def read_hands(text):
    list(parse_hand_histories(text))


FILES = [
    (lambda text: read_toml(text, "game"), write_toml(load_betting_game("leduc"))),
    (lambda text: read_toml(text, "game"), write_toml(load_betting_game("draw"))),
    (lambda text: read_acpc(text, "game"), write_acpc(LIMIT)),
    (lambda text: read_acpc(text, "game"), write_acpc(NO_LIMIT)),
    (read_hands, format_hand_history(LIMIT.replay("crc/rc/cc/rf", DEAL), ("a", "b"), 7)),
    (read_hands, format_hand_history(NO_LIMIT.replay("r300c/cc/cc/r900c", DEAL))),
    (read_state, "MATCHSTATE:0:30:r300c/cr900c/:AsKd|/2c3d4h/5s"),
]

PIECES = [
    *(
        "",
        "0",
        "-1",
        "2",
        "9" * 30,
        "9" * 5000,
        "1.5",
        "1e400",
        "inf",
        "nan",
        "true",
        "0x" + "f" * 5000,
    ),
    *("[]", "{}", "[[]]", '""', "'x'", "[1, 2]", "[" * 2000, "{a=" * 2000, "1979-05-27", "\u0663"),
    *("=", "\n", "|", ":", "/", "c", "r", "f", "As", "?", "\0", "\ud7ff", "\U0001f0a1", "x" * 3000),
]


def check(read, text):
    try:
        read(text)
    except ValueError as error:
        assert str(error)
        assert len(str(error).splitlines()) == 1
        assert len(str(error)) < 600


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(FILES),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES)),
        min_size=1,
        max_size=4,
    ),
)
def test_changed_text_is_read_or_refused_in_one_line(file, changes):
    read, text = file
    for place, length, piece in changes:
        start = int(place * len(text))
        text = text[:start] + piece + text[start + length :]
    check(read, text)


@pytest.mark.parametrize("number", range(len(FILES)))
def test_values_of_other_types_are_refused_in_one_line(number):
    read, text = FILES[number]
    values = list(re.finditer(r"(?<== )[^\n]+|\d+|'[^']*'", text))
    rng = random.Random(number)
    for value in values:
        for piece in rng.sample(PIECES, 8):
            check(read, text[: value.start()] + piece + text[value.end() :])


def test_files_that_are_cut_are_read_or_refused_in_one_line():
    for read, text in FILES:
        for length in range(0, len(text), 3):
            check(read, text[:length])


@pytest.mark.parametrize("field", ["variant = []", "variant = {}", "variant = 1", "actions = 3"])
def test_hand_histories_with_fields_of_other_types(field):
    text = format_hand_history(LIMIT.replay("rf", DEAL))
    name = field.split()[0]
    with pytest.raises(ValueError, match=f"{name}: "):
        read_hands(re.sub(rf"^{name} = .*$", field, text, flags=re.MULTILINE))


def test_an_acpc_game_that_never_ends_is_refused():
    text = re.sub("maxRaises.*\n", "", write_acpc(LIMIT))
    with pytest.raises(ValueError, match="game: maxRaises: missing, players could raise for ever"):
        read_acpc(text, "game")
