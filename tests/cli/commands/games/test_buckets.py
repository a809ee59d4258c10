import numpy as np
import pytest

from pokerlab.holdem.limit.buckets.buckets import BUCKETS_FORMAT
from pokerlab.runtime.files.tensor_files import write_tensors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "ehs2:10"], "pokerlab: buckets 'ehs2:10': 1 number, but ehs2 has 4 streets"),
        (["build", "what"], "buckets 'what' are not known; write them as ehs2:10,10,10,10"),
        (["build", "ehs2:1,1,1,1", "-o", "/no/such/x"], "--output /no/such/x: there is no folder"),
        (["build", "ehs2:1,1,1,1", "--seed", "1"], "--seed needs --output"),
        (["show", "none.safetensors"], "there is no file 'none.safetensors'"),
        (["show", "ehs2:1,1,1,1", "--street", "fifth"], "--street 'fifth': expected one of pre-"),
        (["show", "ehs2:1,1,1,1", "--rows", "0"], "Invalid value for '--rows'"),
        (["show", "ehs2:1,1,1,1", "--deals", "0"], "Invalid value for '--deals'"),
        (["compare", "ehs2:1,1,1,1", "none", "--deals", "-1"], "Invalid value for '--deals'"),
    ],
)
def test_bad_input_is_one_line(run, arguments, message):
    outcome = run("buckets", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_file_of_another_version_is_refused(run, tmp_path):
    path = tmp_path / "old.safetensors"
    write_tensors(path, {"x": np.zeros(1)}, {"format": "pokerlab buckets 99"})
    outcome = run("buckets", "show", path)
    assert outcome.code == 2
    assert "has buckets of version 99, this pokerlab reads version 2" in outcome.err
    assert run("buckets", "verify", path).err == outcome.err


@pytest.mark.slow  # builds the strength tables where the cache folder has none
def test_buckets_are_built_shown_and_compared(run, tmp_path):
    path = tmp_path / "three.safetensors"
    built = run("buckets", "build", "ehs2-flat:3,3,3,3", "-o", path, "--json").json
    assert run("buckets", "verify", path, "--json").json["ok"] is True
    assert run("buckets", "verify", path).out == "ehs2-flat:3,3,3,3: as it was written\n"
    assert built["counts"] == [3, 3, 3, 3]
    assert built["file"] == str(path)
    shown = run("buckets", "show", path, "--deals", "5000", "--street", "turn", "--json").json
    (turn,) = shown["streets"]
    assert turn["buckets"] == 3
    assert turn["largest"] < 0.34
    strengths = [row["strength"] for row in turn["rows"]]
    assert strengths == sorted(strengths)
    text = run("buckets", "show", path, "--deals", "5000").out
    assert "what was before is forgotten" in text
    assert "█" in text
    compared = run("buckets", "compare", path, path, "--deals", "5000", "--json").json
    for street in compared["streets"]:
        assert street["shared_bits"] == pytest.approx(street["bits"][0])
    assert "shared" in run("buckets", "compare", path, path, "--deals", "5000").out


@pytest.mark.parametrize("command", ["show", "verify"])
@pytest.mark.parametrize(
    ("tensors", "counts"),
    [
        ({"values_0": np.zeros(169, np.uint16)}, "[1, 1, 1, 1]"),
        ({"values_0": np.zeros((169, 2))}, "[1, 1, 1, 1]"),
        ({"values_0": np.zeros(169, np.uint16)}, "[[1], 1, 1, 1]"),
        ({"x": np.zeros(1)}, "[" * 5000),
        ({}, "[1e400, 1, 1, 1]"),
    ],
)
def test_a_damaged_file_is_one_line(run, tmp_path, command, tensors, counts):
    path = tmp_path / "bad.safetensors"
    write_tensors(path, tensors, {"format": BUCKETS_FORMAT, "name": "bad", "counts": counts})
    outcome = run("buckets", command, path)
    assert outcome.code == 2
    assert "is damaged: " in outcome.err
    assert outcome.err.count("\n") == 1
