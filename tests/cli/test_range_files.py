"""``@file`` stands for the range in a file, wherever a command takes a range."""

import pytest


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "[btn] 50%.txt").write_text("AA, KK:0.5\nAKs\n", encoding="utf-8")
    return "@[btn] 50%.txt"


def test_range(run, file):
    assert run("range", file, "--json").json == run("range", "AA, KK:0.5, AKs", "--json").json
    outcome = run("range", file)
    assert outcome.code == 0
    assert "KK" in outcome.out


def test_equity(run, file):
    outcome = run("equity", file, "QQ", "--samples", "1000")
    assert outcome.code == 0
    assert "[btn]" in outcome.out
    expected = run("equity", "AA, KK:0.5, AKs", "QQ", "--samples", "1000", "--json").json
    assert run("equity", file, "QQ", "--samples", "1000", "--json").json == expected


def test_deals(run, file):
    expected = run("deals", "holdem.limit.2p", "-p", "0:AA, KK:0.5, AKs", "--json").json
    assert run("deals", "holdem.limit.2p", "-p", f"0:{file}", "--json").json == expected


@pytest.mark.parametrize("command", [["range"], ["equity", "AA"]])
def test_files_that_are_not_there_or_no_ranges(run, tmp_path, command):
    outcome = run(*command, "@none.txt")
    assert (outcome.code, outcome.out) == (2, "")
    assert "none.txt" in outcome.err
    for bad in ("/dev/zero", str(tmp_path)):
        outcome = run(*command, f"@{bad}")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.count("\n") == 1


def test_a_range_file_is_not_written_over(run, file, tmp_path):
    before = (tmp_path / file[1:]).read_bytes()
    options = ["--board", "2c3c4d5h", "--oop", file, "--ip", "QQ", "--pot", "10", "--stack", "10"]
    outcome = run("solve", *options, "-o", tmp_path / file[1:])
    assert outcome.code == 2
    assert "read by the command" in outcome.err
    assert (tmp_path / file[1:]).read_bytes() == before
