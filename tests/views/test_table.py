"""Tables: one set of cells on a terminal, in a notebook and in Markdown."""

import math

import pytest
from tests.views.pictures.parsed import Parsed

from pokerlab.cli.terminal.output import new_console
from pokerlab.views import Column, Table

COLUMNS = {
    "hand": "name bold",
    "combos": "count",
    "often": "share",
    "EV": "chips",
    "change": "signed.1",
    "note": "fold.9",
}
ROWS = [
    ("AA", 1326, 0.12345, 1234.567, 0.04, "as before"),
    ("72o", 4, None, -0.001, math.nan, "folds more often"),
]
LAST = ("all", 1330, 1.0, "unknown", -2, "")


def test_cells_by_kind():
    texts = [
        [
            Column.read(name, text).text(cell)
            for (name, text), cell in zip(COLUMNS.items(), row, strict=True)
        ]
        for row in (*ROWS, LAST)
    ]
    assert texts == [
        ["AA", "1,326", "12.3%", "1,234.57", "+0.0", "as before"],
        ["72o", "4", "–", "0.00", "–", "folds more often"],
        ["all", "1,330", "100.0%", "unknown", "-2.0", ""],
    ]
    with pytest.raises(ValueError, match="'chip' is not a kind of column: text, name, fold, count"):
        Column.read("EV", "chip.2")


def test_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    new_console().print(Table(COLUMNS, ROWS, LAST))
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "hand  combos   often        EV  change  note",
        "AA     1,326   12.3%  1,234.57    +0.0  as before",
        "72o        4       –      0.00       –  folds",
        "                                        more",
        "                                        often",
        "all    1,330  100.0%   unknown    -2.0",
    ]


def test_a_notebook_and_markdown():
    columns = [Column("hand"), Column("EV", "chips"), Column("EV", "chips", 0)]  # twice the same
    table = Table(columns, [("AA", 2.5, 2.5), ("KK & up", 1, 1)], ("all", 2, 2))
    parsed = Parsed(table.html(1, ": see there"))
    assert parsed.count("tr") == 1 + 1 + 1
    assert "1 more: see there" in parsed.texts and "KK & up" not in parsed.texts
    assert "KK & up" in Parsed(table.html()).texts
    assert table.markdown().splitlines() == [
        "| hand | EV | EV |",
        "| --- | --- | --- |",
        "| AA | 2.50 | 2 |",
        "| KK & up | 1.00 | 1 |",
    ]
