import json
import math

import pytest

from pokerlab.arena.matches import play_match
from pokerlab.arena.results import MatchResult, ResultsFile, significance


@pytest.fixture(scope="module")
def results():
    return [play_match("leduc", ["caller", "random"], 20, seed, duplicate=True) for seed in (1, 2)]


def test_json_round_trip(results):
    for result in results:
        assert MatchResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_an_error_that_is_not_known_is_null():
    result = play_match("leduc", ["caller", "random"], 1, 1)
    assert result.to_json()["stderr"] == {"caller": None, "random": None}
    assert math.isnan(MatchResult.from_json(result.to_json()).stderr[0])


def test_a_file_keeps_what_was_added(tmp_path, results):
    file = ResultsFile(tmp_path / "results.jsonl")
    assert file.read() == {}
    for result in results:
        file.add(result)
    assert file.read() == {result.plan: result for result in results}


def test_every_cut_of_the_last_line_is_survived(tmp_path, results):
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path)
    file.add(results[0])
    whole = path.stat().st_size
    file.add(results[1])
    content = path.read_bytes()
    for end in range(whole, len(content), 17):
        path.write_bytes(content[:end])
        assert list(file.read()) == [results[0].plan]
        file.add(results[1])
        assert path.read_bytes() == content


@pytest.mark.parametrize("line", ["nonsense", "{}", "[]", '{"scores": 3}', "3"])
def test_a_line_that_is_no_result(tmp_path, results, line):
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path)
    file.add(results[0])
    with path.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(ValueError, match=r"results\.jsonl, line 2: "):
        file.read()


def test_significance_is_that_of_the_normal_distribution():
    assert significance(1.0, 1.0) == pytest.approx(0.31731, abs=1e-5)
    assert significance(-2.5758, 1.0) == pytest.approx(0.01, abs=1e-5)
    assert significance(0.0, 3.0) == 1.0
