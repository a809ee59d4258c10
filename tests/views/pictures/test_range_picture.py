"""The 13×13 picture of a range in the terminal and in HTML."""

import io
import re

import numpy as np
import pytest
from rich.console import Console
from tests.views.pictures.parsed import Parsed, check_safe

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.cards.ranges.range import Range
from pokerlab.views.pictures.range_picture import RangePicture

HANDS = Range("88+, AKs:0.5, KQo:0.25, T9o:0.75")


def drawn(hands: Range, *, encoding: str = "utf-8", color_system: str | None = None) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(
        file=stream,
        width=80,
        force_terminal=color_system is not None,
        color_system=color_system,  # type: ignore[arg-type]
        _environ={},
    )
    console.print(hands)
    stream.seek(0)
    return stream.read()


def test_without_colours_blocks_show_the_weights() -> None:
    lines = drawn(HANDS).splitlines()
    assert len(lines) == 15
    cells = [[line[start : start + 4] for start in range(0, 65, 5)] for line in lines[:13]]
    assert cells[0][:3] == ["AA █", "AKs▒", " ·  "]
    assert cells[2][1] == "KQo░"
    assert cells[5][4] == "T9o▓"
    shown = sum(cell[0] != " " for row in cells for cell in row if cell)
    assert shown == 7 + 3
    assert lines[13] == "56 combos, 4.2% of all hands"
    assert lines[14] == "░ to 25%, ▒ to 50%, ▓ below 100%, █ 100%"


def test_legend_stands_only_below_partial_weights() -> None:
    assert len(drawn(Range("AA")).splitlines()) == 14


def test_terminals_that_know_ascii_only() -> None:
    text = drawn(HANDS, encoding="ascii")
    assert text.isascii()
    assert text.startswith("AA # AKs=  .")


@pytest.mark.parametrize("color_system", ["256", "truecolor"])
def test_colours_shade_the_classes_and_show_all_labels(color_system: str) -> None:
    text = drawn(HANDS, color_system=color_system)
    assert all(f" {name:<3} " in text for name in CLASS_NAMES)
    assert "█" not in text
    style = {name: codes for codes, name in re.findall(r"\x1b\[([\d;]*)m (\w+) +\x1b", text)}
    assert style["AA"] == style["88"]
    assert len({style[name] for name in ("AA", "AKs", "KQo", "T9o", "72o")}) == 5


def test_sixteen_colours_are_drawn_with_blocks() -> None:
    assert "AKs▒" in drawn(HANDS, color_system="standard")


def test_html_is_a_matrix_without_scripts() -> None:
    html = HANDS._repr_html_()
    parsed = Parsed(html)
    check_safe(parsed)
    titles = [text for text in parsed.texts if text.endswith("%") and " " in text]
    assert [title.split()[0] for title in titles] == list(CLASS_NAMES)
    assert "AKs 50%" in titles
    assert "72o 0%" in titles
    assert "56 combos, 4.2% of all hands" in html
    # Half of a cell of 33 is filled where the weight is a half: AKs stands beside the aces.
    assert "M46 16.5h45v16.5H46z" in html
    assert len(html) < 60_000


def test_a_mean_that_misses_one_by_rounding_is_full() -> None:
    weights = np.zeros((13, 13))
    weights[0, 0] = 1 - 1e-12
    console = Console(file=io.StringIO(), width=80, color_system=None)
    with console.capture() as captured:
        console.print(RangePicture(weights))
    assert captured.get().startswith("AA █")


def test_one_combo_is_one() -> None:
    for text, said in (("AhKd", "1 combo, 0.1% "), ("AhKd:0.5", "0.5 combos"), ("", "0 combos")):
        assert said in Range(text).picture()._summary
