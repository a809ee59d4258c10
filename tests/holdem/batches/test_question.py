"""The question of a batch: what it says, what it refuses, and that its file says it again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import format_cards
from pokerlab.cards.flops import all_flops
from pokerlab.holdem.batches import BatchQuestion, load_batch, parse_boards, read_question
from pokerlab.holdem.spots import Spot
from pokerlab.runtime.errors import DamagedFileError

SPOT = Spot("QhJh2c", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%, a")
FILE = """
board = "QhJh2c"
oop = "AA, KQs"
ip = "QQ, AJs"
pot = 100
stack = 80
[textures."monotone, paired"]
bet = "33%"
[textures.rainbow]
bet = "75%"
max_bets = 2
"""


def cards(count):
    return st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True)


BOARDS = st.integers(3, 5).flatmap(cards).map(format_cards)


@given(
    st.dictionaries(BOARDS, st.floats(0.001, 1000), min_size=1, max_size=5),
    st.sampled_from(["full", "partial", "root"]),
    st.one_of(st.none(), st.floats(0, 1000), st.just("0.5%")),
    st.one_of(st.none(), st.integers(0, 1000)),
)
def test_the_file_gives_the_question_again(boards, keep, target, iterations):
    question = BatchQuestion.of(
        SPOT, boards, (("paired", {"bet": "33%"}),), keep=keep, target=target, iterations=iterations
    )
    again = BatchQuestion.from_toml(question.to_toml())
    assert again == question and again.digest == question.digest


def test_the_names_of_flops_are_their_boards():
    names = {flop.name: flop.weight for flop in all_flops()}
    assert BatchQuestion.of(SPOT, names).boards == names


@given(st.text(max_size=40))
def test_any_text_is_boards_or_one_line(text):
    try:
        found = parse_boards(text)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        assert parse_boards(",".join(f"{name}:{weight}" for name, weight in found.items())) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names 0 boards"),
        ("QhJh", "not 3 .flop., 4"),
        ("QhJhQh", "twice|different"),
        ("QhJh2c, 2cQhJh", "QhJh2c stands twice"),
        ("QhJh2c:0", "'0' is not a weight above 0"),
        ("QhJh2c:nan", "'nan' is not a weight above 0"),
        ("QhJh2x", "boards: "),
    ],
)
def test_bad_boards(text, message):
    with pytest.raises(ValueError, match=message):
        parse_boards(text)


def test_menus_follow_the_first_texture_that_fits(tmp_path):
    (tmp_path / "spot.toml").write_text(FILE)
    boards = {"AsKs7s": 1, "AsAhKd": 1, "AsKh7d": 1, "AsKs7d": 1, "AsKh7dQc": 1}
    question = read_question(tmp_path / "spot.toml", boards)
    bets = {board: str(question.spot(board).bet) for board in boards}
    assert bets["AsKs7s"] == bets["AsAhKd"] == "33%"
    assert bets["AsKh7d"] == bets["AsKh7dQc"] == "75%"
    assert bets["AsKs7d"] == "50%, a"
    assert question.spot("AsKh7d").max_bets == 2 and question.spot("AsKs7s").max_bets is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[textures.soggy]\nbet = '33%'", "'soggy' must be one of"),
        ("[textures.paired]\npot = 3", "pot is not a field that may differ by texture"),
        ("[textures]\npaired = 3", "write a table for each texture"),
        ("bord = 'x'", "bord: unknown field"),
    ],
)
def test_bad_spot_files(tmp_path, text, message):
    file = tmp_path / "spot.toml"
    file.write_text(f'oop = "AA"\nip = "KK"\npot = 10\nstack = 20\n{text}')
    with pytest.raises(ValueError, match=message):
        read_question(file, {"QhJh2c": 1})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"keep": "some"}, "keep: 'some' must be one of full, partial, root"),
        ({"precision": 8}, "precision: 8"),
        ({"target": "much"}, "target: 'much'"),
        ({"iterations": -1}, "iterations: -1"),
        ({"rule": "magic"}, "magic"),
        ({"groups": "magic"}, "magic"),
    ],
)
def test_bad_settings(wrong, message):
    with pytest.raises(ValueError, match=message):
        BatchQuestion.of(SPOT, {"QhJh2c": 1}, **wrong)


def test_a_range_that_knows_suits_has_no_flops_up_to_suits():
    BatchQuestion.of(SPOT, {"QhJh2c": 1}, up_to_suits=True)
    spot = Spot("QhJh2c", "AA, KhQh", "QQ", 10, 20)
    BatchQuestion.of(spot, {"QhJh2c": 1})
    with pytest.raises(ValueError, match="oop: the range treats suits differently"):
        BatchQuestion.of(spot, {"QhJh2c": 1}, up_to_suits=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pot = 100", "pot = 101", "does not fit its digest"),
        ("pokerlab batch 2", "pokerlab batch 9", "its format is 'pokerlab batch 9'"),
        ("[boards]", "[bords]", "boards is None, not a table"),
        ("precision = 32", 'precision = "a"', "precision: 'a'"),
        ("isomorphism", "isomorphy", "isomorphy: unknown field"),
        ("[spot]", "[spot", "not a TOML file"),
    ],
)
def test_a_damaged_question(tmp_path, old, new, message):
    text = BatchQuestion.of(SPOT, {"QhJh2c": 1}).to_toml()
    assert old in text
    (tmp_path / "batch.toml").write_text(text.replace(old, new))
    with pytest.raises(DamagedFileError, match=message):
        load_batch(tmp_path)
