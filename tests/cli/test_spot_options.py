"""Spots of files and options together."""

from __future__ import annotations

import pytest

LINES = {
    "board": 'board = "QhJh2c4d7h"\n',
    "oop": 'oop = "AA, KQs, JTs"\n',
    "ip": 'ip = "QQ, AJs, T9s"\n',
    "pot": "pot = 100\n",
    "stack": "stack = 80\n",
}
OPTIONS = {
    "board": "QhJh2c4d7h",
    "oop": "AA, KQs, JTs",
    "ip": "QQ, AJs, T9s",
    "pot": "100",
    "stack": "80",
}


@pytest.mark.parametrize("field", LINES)
def test_an_option_completes_a_file_that_lacks_the_field(run, tmp_path, field):
    whole, lacking = tmp_path / "whole.toml", tmp_path / "lacking.toml"
    whole.write_text("".join(LINES.values()))
    lacking.write_text("".join(text for name, text in LINES.items() if name != field))
    completed = run("solve", lacking, f"--{field}", OPTIONS[field], "--dry-run", "--json")
    assert completed.code == 0, completed.err
    assert completed.json["nodes"] == run("solve", whole, "--dry-run", "--json").json["nodes"]
    refused = run("solve", lacking, "--dry-run")
    assert refused.code == 2
    assert refused.err.startswith(f"pokerlab: {lacking}: {field}: missing (")


def test_a_bad_option_beside_a_good_file_names_the_option_not_the_file(run, tmp_path):
    file = tmp_path / "spot.toml"
    file.write_text("".join(LINES.values()))
    refused = run("solve", file, "--pot", "-5", "--dry-run")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert refused.err.startswith("pokerlab: pot: '-5' is not a number of chips")


def test_nested_brackets_are_one_line(run, tmp_path):
    file = tmp_path / "spot.toml"
    file.write_text("board = " + "[" * 5000 + "]" * 5000)
    refused = run("solve", file, "--pot", 5, "--dry-run")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_a_dry_run_says_the_time_to_the_target_and_the_sizes(run, folder):
    file = folder / "spot.toml"
    file.write_text(
        'board = "QhJh2c4d7h"\noop = "AA, KQs"\nip = "QQ, AJs"\npot = 100\nstack = 800\n'
    )
    plain = run("solve", file, "--dry-run", "--json").json
    lower = run("solve", file, "--dry-run", "--json", "--target", "0.1%").json
    ratio = lower["expected_seconds"]["32"] / plain["expected_seconds"]["32"]
    assert abs(ratio - 5**0.6) < 1e-9
    assert [size["chips"] for size in plain["sizes"]["river"][0]["bet"]["oop"]] == [50, 800]
    shown = run("solve", file, "--dry-run", "--target", "0.1%").out
    assert "0.1% of the pot takes" in shown
    assert "50 800" in shown
