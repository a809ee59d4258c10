"""Endgames of Libratus are read as spots."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.holdem.spots import Spot, load_postflop
from pokerlab.holdem.spots.question.endgame_file import endgame_fields
from pokerlab.holdem.spots.question.spot_file import is_spot_file

# The order of the hands, written down by loops of its own.
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
HANDS = [CARDS[i] + CARDS[j] for i in range(52) for j in range(i + 1, 52)]


def endgame(reach, board="4s8hTc9h2s", number=4, pot="500"):
    numbers = " ".join(map(repr, map(float, reach)))
    return f"-round {number}\n-board {board}\n-pot {pot}\n-reach {numbers}\n"


@pytest.mark.parametrize(("board", "number"), [("4s8hTc9h2s", 4), ("8sTs9sQh", 3)])
def test_every_hand_has_its_reach(tmp_path, board, number):
    reach = np.random.default_rng(1).random(2652) * np.repeat([0.5, 1e-3], 1326)
    path = tmp_path / "game.libratus"
    path.write_text(endgame(reach, board, number))
    assert is_spot_file(path)
    spot = Spot.from_file(path)
    assert (spot.pot, spot.effective_stack, spot.big_blind) == (500, 19750, 100)
    dealt = {board[place : place + 2] for place in range(0, len(board), 2)}
    names = [format_cards(cards) for cards in COMBO_CARDS.tolist()]
    for player, numbers in enumerate((reach[:1326], reach[1326:])):
        told = dict(zip(HANDS, numbers, strict=True))
        found = spot.ranges[player].weights
        alive = {hand: each for hand, each in told.items() if not dealt & {hand[:2], hand[2:]}}
        most = max(alive.values())
        for name, weight in zip(names, found, strict=True):
            expected = alive.get(name, alive.get(name[2:] + name[:2], 0.0))
            assert weight == pytest.approx(expected / most, rel=1e-8)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the line -round is missing"),
        ("round 4", "'round' is no line of an endgame"),
        (endgame([1.0] * 2652, number=2), "-round 2 must be 3"),
        (endgame([1.0] * 2652, "4s8hTc9h"), "must have 5 cards in round 4"),
        (endgame([1.0] * 7), "must have 2,652 numbers, not 7"),
        (endgame([0.0] * 2652), "a player has no hand"),
        (endgame([-1.0] * 2652), "-reach '-1.0' must be a number of 0 or more"),
        (endgame([1.0] * 2652, pot="[bold]"), "-pot '[bold]' must be a number"),
        (endgame([float("nan")] * 2652), "-reach 'nan' must be"),
        (endgame([1.0] * 2652, pot="0"), "-pot 0 must be above 0 and below 40,000"),
        (endgame([1.0] * 2652, pot="1e8"), "-pot 1e+08 must be above 0 and below 40,000"),
        (endgame([1.0] * 2652) + "-pot 700\n", "the line -pot stands twice"),
        (endgame([1.0] * 2652, "4s8hTc9h4s"), "4s stands twice"),
    ],
)
def test_bad_files_are_one_line(text, line):
    with pytest.raises(ValueError, match=re.escape(line)) as refused:
        endgame_fields(text)
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_one_that_is_not_solved(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        Spot.from_file(tmp_path / "no.libratus")
    assert is_spot_file(tmp_path / "no.libratus")  # not a game: its reader says what is wrong
    (tmp_path / "game.libratus").write_text(endgame([1.0] * 2652))
    with pytest.raises(ValueError, match=r"is a text file \(an endgame\), not a solution"):
        load_postflop(tmp_path / "game.libratus")


def test_a_board_may_be_written_in_any_way():
    reach = np.random.default_rng(2).random(2652)
    for board in ("4S8HTC9H2S", "4s 8h 10c 9h 2s"):
        assert endgame_fields(endgame(reach, board)) == endgame_fields(endgame(reach))


@given(st.text(alphabet="-roundbaptech 0123456789.\n", max_size=200))
def test_any_text_is_fields_or_one_line(text):
    try:
        endgame_fields(text)
    except ValueError as error:
        assert "\n" not in str(error)
