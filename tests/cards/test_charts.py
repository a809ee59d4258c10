"""Charts of starting hands as CSV, and the other files that ranges are read from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards import Range
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.chart import parse_chart

WEIGHTS = st.lists(st.integers(0, 100), min_size=169, max_size=169)
RANKS = "AKQJT98765432"


@settings(max_examples=20)
@given(WEIGHTS, st.sampled_from(",;\t"), st.booleans(), st.booleans())
def test_rows_and_grids_say_the_same(percents, separator, signed, framed):
    if not signed:
        percents[0] = 100  # a column without a sign is in percent if a number says so
    cells = [f"{each}%" if signed else str(each) for each in percents]
    rows = [separator.join(["hand", "raise"])]
    rows += [separator.join(pair) for pair in zip(CLASS_NAMES, cells, strict=True)]
    grid = [cells[start : start + 13] for start in range(0, 169, 13)]
    if framed:
        grid = [["", *RANKS], *([rank, *row] for rank, row in zip(RANKS, grid, strict=True))]
    text = "\n".join(separator.join(row) for row in grid)
    expected = np.array(percents)[CLASS_OF_COMBO] / 100
    assert (parse_chart("\n".join(rows)) == expected).all()
    assert (parse_chart(text) == expected).all()


CELLS = st.sampled_from(["AA", "AKs", "hand", "", "1", "50%", "0.5", "x", "200", '"', "A"])
TEXTS = st.lists(st.lists(CELLS, max_size=4).map(",".join), max_size=5).map("\n".join)


@given(st.one_of(TEXTS, st.text(max_size=30)))
def test_any_text_is_weights_or_one_error(text):
    try:
        weights = parse_chart(text)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert weights.shape == (1326,)
        assert ((weights >= 0) & (weights <= 1)).all()


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", None, "the chart is empty"),
        ("hand,call\nAA,x", None, "'x' in column 'call' is not a weight"),
        ("hand,call\nAA,-1", None, "'-1' in column 'call' is not a weight"),
        ("hand,call\nAA,101", None, "'101' in column 'call' is above 100%"),
        ("hand,call\nAA,1\naa,1", None, "hand 'aa' stands twice"),
        ("hand,call\nAX,1", None, "bad range item 1 'AX'"),
        ("hand,call,raise\nAA,1,0", "limp", "no one column 'limp'; it has call, raise"),
        ("hand\nAA", None, "no column of weights"),
    ],
)
def test_bad_charts(text, column, said):
    with pytest.raises(ValueError, match="") as refused:
        parse_chart(text, column)
    assert said in str(refused.value)


def test_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "btn.csv").write_text("Hand;Call;Raise\nAA;0;1\nAKs;0.25;0.75\nAhKd;1;0\n")
    assert Range("@btn.csv#raise") == Range("AA, AKs:0.75")
    assert Range("@ btn.csv#CALL") == Range("AKs:0.25, AhKd")
    (tmp_path / "a#b.txt").write_text("AA")
    assert Range("@a#b.txt") == Range("AA")
    with pytest.raises(ValueError, match=r"btn.csv': .* \(call, raise\).* @btn.csv#raise"):
        Range("@btn.csv")
    (tmp_path / "text.txt").write_text("AA")
    with pytest.raises(ValueError, match=r"range file 'text.txt': #call names a column"):
        Range("@text.txt#call")
    with pytest.raises(ValueError, match=r"no range file 'none.csv'"):
        Range("@none.csv#call")


def test_weights_of_all_hands_in_the_order_of_piosolver(tmp_path):
    """It begins 2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d."""
    file = tmp_path / "oop.txt"
    weights = ["0"] * 1326
    weights[3], weights[7], weights[-1] = "1", "0.45", "1e-3"
    file.write_text(" ".join(weights))
    assert Range(f"@{file}") == Range("2s2c, 3c2d:0.45, AsAh:0.001")
    file.write_text(" ".join(["2", *weights[1:]]))
    with pytest.raises(ValueError, match="outside 0 to 1"):
        Range(f"@{file}")
    file.write_text(" ".join(["0.5.5", *weights[1:]]))
    with pytest.raises(ValueError, match="is not a number"):
        Range(f"@{file}")
