"""Solutions of spots, checked again."""

from __future__ import annotations

import pytest
from tests.cli.spot_files import refused

from pokerlab.holdem.spots import load_postflop


def test_a_saved_solution_is_verified(run, river):
    found = run("verify", river, "--json").json
    solution = load_postflop(river)
    assert found["ok"] is True
    assert found["exploitability"]["chips"] == pytest.approx(
        solution.exploitability.chips, abs=0.01
    )
    assert found["bounds"] == pytest.approx(solution.best_values, abs=0.01)
    for value, (low, high) in zip(found["values"], found["intervals"], strict=True):
        assert low <= value <= high
    shown = run("verify", river)
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert "% of the pot: ok" in text
    assert "oop takes 36.6" in text


def test_a_changed_solution_is_found(run, river, folder):
    whole = bytearray(river.read_bytes())
    whole[-1] ^= 4  # a probability of 1 becomes a half
    (folder / "changed").write_bytes(whole)
    refused(run("verify", "changed", "--json"), "is damaged: its ")
    renamed = river.read_bytes().replace(b"dcfr(1.3,0.5,3,0.1)", b"dcfr(1.3,0.5,4,0.1)")
    (folder / "renamed").write_bytes(renamed)
    refused(run("verify", "renamed"), "is damaged: its ")
