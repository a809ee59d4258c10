import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.matches import play_match
from pokerlab.arena.results import MatchResult, ResultsFile, significance
from pokerlab.arena.tournaments import Tournament
from pokerlab.runtime.errors import DamagedFileError


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
        file.add(result.plan.key, result)
    assert file.read() == {result.plan: result for result in results}


def test_every_cut_of_the_last_line_is_survived(tmp_path, results):
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path)
    file.add(results[0].plan.key, results[0])
    whole = path.stat().st_size
    file.add(results[1].plan.key, results[1])
    content = path.read_bytes()
    for end in range(whole, len(content), 17):
        path.write_bytes(content[:end])
        assert list(file.read()) == [results[0].plan]
        file.add(results[1].plan.key, results[1])
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "Expecting value"),
        ("{}", "'game' is missing"),
        ("[]", "not the result of a match"),
        ('{"scores": 3}', "'game' is missing"),
        ("3", "not the result of a match"),
        ("[" * 100_000, "brackets inside brackets"),
    ],
)
def test_a_line_that_is_no_result(tmp_path, results, line, message):
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path)
    file.add(results[0].plan.key, results[0])
    with path.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(DamagedFileError, match=r"results\.jsonl' is damaged: line 2: ") as raised:
        file.read()
    assert message in str(raised.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("name", ["bots", "pockets"])
def test_a_text_is_not_a_list_of_texts(results, name):
    with pytest.raises(ValueError, match=f"{name} is 'ab', not a list of texts"):
        MatchResult.from_json({**results[0].to_json(), name: "ab"})


@given(data=st.data(), value=JSON)
def test_a_result_of_another_shape_is_refused(results, data, value):
    """What is taken as a result can be written, compared and shown as one."""
    changed = json.loads(json.dumps(results[0].to_json()))
    name = data.draw(st.sampled_from(sorted(changed)))
    if isinstance(changed[name], dict) and data.draw(st.booleans()):
        changed[name][data.draw(st.sampled_from(sorted(changed[name])))] = value
    else:
        changed[name] = value
    try:
        read = MatchResult.from_json(changed)
    except ValueError as error:
        assert "not the result of a match" in str(error)
        return
    hash(read.plan)
    assert json.loads(read.plan.key)
    assert len(read.plan.bots) == len(read.names) == len(read.chips) == len(read.stderr)
    Tournament(tuple(dict.fromkeys(read.plan.bots)), (read,)).scores()
    assert json.loads(json.dumps(read.to_json())) == changed


def test_significance_is_that_of_the_normal_distribution():
    assert significance(1.0, 1.0) == pytest.approx(0.31731, abs=1e-5)
    assert significance(-2.5758, 1.0) == pytest.approx(0.01, abs=1e-5)
    assert significance(0.0, 3.0) == 1.0
