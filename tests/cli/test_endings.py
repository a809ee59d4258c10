"""Files with another ending than .safetensors are known by what they hold, everywhere."""

from __future__ import annotations

import shutil


def test_a_solution_of_a_spot(run, river, folder):
    shutil.copy(river, folder / "a.st")
    assert run("simulate", "a.st", "--hands", 100, "--json").json["hands"] == 100
    assert run("solve", "a.st", "--iterations", 30, "--json").code == 0
    played = run("match", "a.st", "strategy:a.st", "caller", "--hands", 4, "--json")
    assert played.json["hands"] == 4
    seen = run("play", "a.st", "--hands", 1, "--seat", 0)
    assert "no game" not in seen.err


def test_a_trained_strategy(run, folder):
    assert run("train", "kuhn", "--buckets", "each", "--iterations", 500, "-o", "k.st").code == 0
    assert run("exploitability", "k.st", "--json").json["exact"] is True
    assert run("match", "kuhn", "cfr2:k.st", "caller", "--hands", 4, "--json").code == 0
