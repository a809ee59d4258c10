"""`pokerlab nolimit library`: flops solved ahead."""

import json

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.players.bots.nolimit import library, street

WORDS = ("--stack", "30bb", "--lines", "1", "--flops", "AsAhAd", "--iterations", "1")


@pytest.mark.slow
def test_a_library_is_filled_once(run, tmp_path, monkeypatch):
    for module in (library, street):
        monkeypatch.setattr(module, "LADDERS", SMALL)
    folder = tmp_path / "flops"
    told = json.loads(run("nolimit", "library", str(folder), *WORDS, "--json").out)
    assert (told["flops"], told["folder"]) == (2, str(folder))
    files = {file: file.stat().st_mtime_ns for file in folder.glob("*.safetensors")}
    assert len(files) == 2
    next(iter(files)).unlink()  # as after a kill: what is missing is solved, the rest stays
    told = run("nolimit", "library", str(folder), *WORDS).out
    assert "2 flops" in " ".join(told.split())  # a long path breaks the line
    again = {file: file.stat().st_mtime_ns for file in folder.glob("*.safetensors")}
    assert again.keys() == files.keys()
    assert sum(again[file] == files[file] for file in files) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--stack", "4bb"), "--stack: '4bb' must be from 5bb to 250bb"),
        (("--flops", "AKX"), "bad flop 'AKX'"),
        (("--chart", "none.chart"), "none.chart"),
        (("--device", "tpu"), "tpu"),
    ],
)
def test_bad_options_are_one_line(run, tmp_path, words, said):
    told = run("nolimit", "library", str(tmp_path / "flops"), *words)
    assert told.code == 2 and told.out == ""
    assert said in told.err.replace("\n", " ")
