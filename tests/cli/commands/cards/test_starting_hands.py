"""`pokerlab starting-hands`."""

import csv

import pytest


def test_a_table_of_all_classes_at_80_columns(run, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "hands.csv"
    arguments = ["starting-hands", "holdem.limit.2p", "folder", "folder", "--hands", 20_000]
    outcome = run(*arguments, "--seat", 1, "--csv", file)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert max(len(line) for line in lines if str(file) not in line) <= 80
    rows = [line for line in lines if line[:2] in {f"{rank} " for rank in "AKQJT98765432"}]
    assert rows == [f"{rank} " + " -0.50" * 13 for rank in "AKQJT98765432"]
    assert "over all deals: -500.0 ± 0.0 mbb/hand" in outcome.out
    with file.open() as opened:
        table = list(csv.DictReader(opened))
    assert len(table) == 169
    assert (table[0]["class"], table[0]["combos"], table[0]["bb"]) == ("AA", "6", "-0.5")
    data = run(*arguments, "--seat", 1, "--json").json
    assert (data["hands"], data["mbb_per_hand"]) == (20_000, pytest.approx(-500.0))
    assert [row["class"] for row in data["classes"]] == [row["class"] for row in table]


def test_bad_input_is_one_line(run, tmp_path):
    for arguments, message in (
        (["kuhn", "caller", "caller"], "kuhn has no starting hands of hold'em"),
        (["holdem.limit.2p", "caller", "caller", "--seat", "2"], "seat 2"),
        (["holdem.limit.2p", "caller", "nobody"], "nobody"),
        (["holdem.limit.2p", "caller", "caller", "--csv", "/none/x.csv"], "--csv"),
    ):
        outcome = run("starting-hands", *arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1
