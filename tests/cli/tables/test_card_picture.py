"""A number for each card, drawn."""

from io import StringIO

import pytest
from rich.console import Console

from pokerlab.cards.codes import parse_cards
from pokerlab.cli.tables.card_picture import CardPicture, FlopPicture


def drawn(picture, **options):
    console = Console(file=StringIO(), width=80, **options)
    console.print(picture)
    return console.file.getvalue().splitlines()


def test_each_card_has_its_place():
    numbers = dict(zip(parse_cards("AsKs2c"), (1.25, 100.04, None), strict=True))
    lines = drawn(CardPicture(numbers), no_color=True)
    assert [line[0] for line in lines[1:]] == list("♠♥♦♣")
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split() == ["♠", "1.2", "100"]
    assert lines[4].split() == ["♣"]
    assert all(len(line) <= 2 + 13 * 5 for line in lines)


@pytest.mark.parametrize("scale", [1, -1, 10, -10, 1e3, -1e3, 1e5])
def test_columns_stay_apart(scale):
    numbers = dict(enumerate(scale * (99.9 + step / 100) for step in range(52)))
    for line in drawn(CardPicture(numbers), no_color=True)[1:]:
        assert len(line.split()) == 14


def test_shares_are_in_percent_and_the_highest_is_blue():
    numbers = dict(zip(parse_cards("AsKs"), (0.25, 0.75), strict=True))
    picture = CardPicture(numbers, percent=True)
    assert drawn(picture, no_color=True)[1].split() == ["♠", "25", "75"]
    coloured = drawn(picture, force_terminal=True, color_system="truecolor")[1]
    assert "48;2;214;96;77m   25" in coloured
    assert "48;2;67;147;195m   75" in coloured


def test_nothing_to_draw():
    assert len(drawn(CardPicture({}), no_color=True)) == 5


def test_flops_by_high_and_middle_card():
    lines = drawn(FlopPicture({(12, 12): 0.5, (12, 5): 0.25, (5, 5): 1.0}, percent=True))
    assert len(lines) == 14
    assert lines[1].split() == ["A", "50", "25"]
    assert lines[8].split() == ["7", "100"]
    assert lines[1].index("25") == lines[0].index("7") - 1
    assert lines[13].split() == ["2"]
