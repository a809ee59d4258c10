import pytest
from tests.cli.spot_files import EXAMPLES

from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.doubts import spot_doubts


@pytest.mark.parametrize(
    ("pot", "stack", "asked"),
    [
        (9.2, 956, "The stack is 104 times the pot"),
        ("5.5bb", 975, "The stack is 177 times the pot"),
        (920, 95.6, "The pot is 10 times the stack"),
        (2, 199, None),
        (5.5, 97.5, None),
        (200, 900, None),
        (180, 20, None),
        (55.5, 12.5, None),
        (100, 0, None),
    ],
)
def test_mixed_units_are_asked_about(pot, stack, asked):
    doubts = spot_doubts(Spot("Td9d6h", "66+", "QQ-22", pot, stack))
    assert len(doubts) == (asked is not None)
    assert asked is None or doubts[0].endswith(asked)


def test_a_donk_menu_needs_an_aggressor_on_the_first_street():
    def doubts(board, donk, aggressor=None):
        spot = Spot(board, "66+", "QQ-22", 200, 900, donk=donk, aggressor=aggressor)
        return [doubt[: doubt.index(",")] for doubt in spot_doubts(spot)]

    for board, street in (("Td9d6h", "flop"), ("Td9d6hQc", "turn"), ("Td9d6hQc2s", "river")):
        said = [f"donk: nobody is the aggressor on the {street}"]
        assert doubts(board, "") == doubts(board, "50%") == said
        assert doubts(board, "", "ip") == doubts(board, "", "oop") == doubts(board, None) == []
    assert doubts("Td9d6h", "river: 50%") == []


def test_the_examples_raise_none():
    for file in EXAMPLES.glob("*.toml"):
        assert spot_doubts(Spot.from_file(file)) == [], file
