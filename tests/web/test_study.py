"""The addresses of Study: what the library says, and one line for whatever is wrong."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.conftest import RIVER
from typer.testing import CliRunner

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cli.assembly import assemble
from pokerlab.holdem.spots import load_postflop
from pokerlab.holdem.spots.answer.locking import lock_actions, towards_frequencies
from pokerlab.holdem.spots.reports.study import decision_data, solution_data, value_data


@pytest.fixture(scope="module")
def solution(river_file):
    return load_postflop(river_file)


@pytest.fixture(scope="module")
def address(ids):
    return f"/api/solutions/{ids['river.safetensors']}"


def plain(data):
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("line", ["", "x", "x/b51", "a/c", "x/x"])
def test_answers_are_the_data_of_the_library(client, address, solution, line):
    once = client.get(address).json()
    assert once.pop("name") == "river.safetensors"
    assert once.pop("id") in address
    assert once.pop("money") == {"pot": 101, "big_blind": None, "prizes": None}
    assert once == plain(solution_data(solution))
    node = client.get(f"{address}/node", params={"line": line}).json()
    command = node.pop("command")
    shown_line = {"a/c": "a", "x/x": "x"}.get(line, line)
    assert command == f"pokerlab show river.safetensors {shown_line}".strip()
    assert node == plain(decision_data(solution, line))
    values = client.get(f"{address}/values", params={"line": line})
    if node["kind"] == "decision":
        assert values.json() == plain(value_data(solution, line))
    else:
        assert values.status_code == 400
        assert values.json()["field"] == "line"


def shown(folder, monkeypatch, *words):
    """What a command prints in the folder."""
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(assemble(words[0]), list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_of_a_view_runs(client, address, folder, monkeypatch):
    command = client.get(f"{address}/node", params={"line": "x"}).json()["command"].split()
    assert json.loads(shown(folder, monkeypatch, *command[1:], "--json"))["line"] == "x"


@pytest.mark.parametrize(
    ("path", "field", "words"),
    [
        ("node?line=b7", "line", "not possible here"),
        ("node?line=Qh", "line", "line 'Qh'"),
        ("values?line=?", "line", "not an action"),
        ("filter?hands=top-par", "hands", "did you mean top-pair"),
        ("range?player=me", "player", "is not oop or ip"),
        ("hands.csv?hands=zz", "hands", "zz"),
    ],
)
def test_bad_input_is_one_line_beside_its_field(client, address, path, field, words):
    answer = client.get(f"{address}/{path}")
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert words in answer.json()["error"]


def test_what_is_no_solution_is_404(client, ids):
    for id_ in ("nothing", ids["river.toml"]):
        for path in ("", "/node", "/values", "/filter", "/range", "/hands.csv"):
            assert client.get(f"/api/solutions/{id_}{path}").status_code == 404
    damaged = client.get(f"/api/solutions/{ids['damaged.safetensors']}/node")
    assert damaged.status_code in (400, 404)
    assert "damaged" in damaged.json()["error"]


def test_a_filter_gives_numbers_of_both_players(client, address, solution):
    once = solution_data(solution)
    found = client.get(f"{address}/filter", params={"line": "x", "hands": "AA, set"}).json()[
        "hands"
    ]
    names = [[once["hands"][seat][number] for number in found[seat]] for seat in range(2)]
    assert names == [["AsAd", "QdQc"], ["AsAd", "JsJd", "7s7c"]]


def test_a_range_is_that_of_show(client, address, folder, monkeypatch):
    for query, options in (
        ({"line": "x", "player": "ip"}, ["--range", "ip"]),
        ({"line": "x", "player": "ip", "action": "x"}, ["--range", "ip", "--action", "x"]),
    ):
        text = shown(folder, monkeypatch, "show", "river.safetensors", "x", *options)
        assert client.get(f"{address}/range", params=query).json()["range"] == text.strip()
    only = client.get(f"{address}/range", params={"line": "x", "player": "ip", "hands": "AA"})
    assert only.json()["range"] == "AsAd"


def test_csv_of_either_player(client, address, solution):
    answer = client.get(f"{address}/hands.csv", params={"line": "x", "hands": "pair"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="river-x.csv"' in answer.headers["content-disposition"]
    head, *lines = answer.text.splitlines()
    assert head.startswith("hand,class,made,draws,weight,x,b51,a,ev,equity,realisation,ev_x")
    assert lines
    other = client.get(f"{address}/hands.csv", params={"line": "x", "player": "oop"}).text
    assert other.startswith("hand,class,made,draws,weight,ev,equity,realisation\n")


def test_a_csv_of_a_file_with_other_letters(folder, river_file, client):
    shutil.copy(river_file, folder / "раздача.safetensors")
    try:
        files = {each["name"]: each["id"] for each in client.get("/api/library").json()["files"]}
        answer = client.get(f"/api/solutions/{files['раздача.safetensors']}/hands.csv")
        assert answer.headers["content-disposition"].endswith('filename="_______.csv"')
    finally:
        (folder / "раздача.safetensors").unlink()


def test_a_lock_from_wanted_frequencies_and_from_shares(client, address, solution):
    decision = solution.decision("x")
    wanted = {"x": 0.25}
    answer = client.post(f"{address}/lock", json={"line": "x", "wanted": wanted}).json()
    expected = towards_frequencies(decision, wanted)
    assert answer["lock"] == lock_actions(decision, expected)
    again = client.post(
        f"{address}/lock", json={"line": "x", "strategy": answer["strategy"]}
    ).json()
    assert again["line"] == "x"
    assert RIVER.with_locks({"x": again["lock"]}).locks  # the solver takes it


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"line": "x", "wanted": {"x": 2}}, "wanted"),
        ({"line": "x", "wanted": {"b7": 0.2}}, "wanted"),
        ({"line": "x", "wanted": [0.3]}, "wanted"),
        ({"line": "x", "strategy": [[1]]}, "strategy"),
        ({"line": "x"}, "strategy"),
        ({"line": 3}, "line"),
        ({"line": "x/x"}, "line"),
    ],
)
def test_a_bad_lock_is_named(client, address, data, field):
    answer = client.post(f"{address}/lock", json=data)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


TOKENS = st.one_of(
    st.sampled_from(["x", "b51", "a", "c", "f", "Ks", "", "r100", "b50%", "..", "%00"]),
    st.text(max_size=4),
)


@given(st.lists(TOKENS, max_size=6), st.sampled_from(["node", "values", "range", "filter"]))
def test_no_line_is_a_fault_of_the_server(client, address, tokens, path):
    answer = client.get(f"{address}/{path}", params={"line": "/".join(tokens), "hands": tokens[:1]})
    assert answer.status_code in (200, 400)
    assert answer.status_code == 200 or answer.json()["error"]


def test_the_tree_of_a_deal_is_that_of_show(client, address, folder, monkeypatch):
    asked = {"line": "x", "deal": "KcQs AhJc", "least": "5"}
    data = client.get(f"{address}/deal", params=asked).json()
    words = data["command"].split()
    assert words[:4] == ["pokerlab", "show", "river.safetensors", "x"]
    printed = shown(
        folder,
        monkeypatch,
        *("show", "river.safetensors", "x", "--deal", data["deal"], "--least", "5%", "--json"),
    )
    for node, told in zip(data["nodes"], json.loads(printed)["nodes"], strict=True):
        assert {key: node[key] for key in told} == told
    assert [node["words"] for node in data["nodes"]][:2] == ["", "check"]


def test_a_deal_at_random_arrives_at_the_line(client, address, solution):
    dealt = {
        client.get(f"{address}/deal", params={"line": "x/b51", "seed": seed}).json()["deal"]
        for seed in range(12)
    }
    assert len(dealt) > 3
    weights = solution.decision("x/b51").weights
    for deal in dealt:
        for seat, hand in enumerate(deal.split()[:2]):
            assert weights[seat][combo_index(*parse_cards(hand))] > 0


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"deal": "../../x y"}, "deal"),
        ({"deal": "AsAd AsAd"}, "deal"),
        ({"deal": "2s2d AhJc"}, "deal"),
        ({"deal": "KcQs AhJc", "line": "x/x/x"}, "deal"),
        ({"line": "q"}, "line"),
        ({"seed": "9" * 40}, "seed"),
        ({"deal": "KcQs AhJc", "least": "nan"}, "least"),
        ({"deal": "A" * 5000}, "deal"),
    ],
)
def test_bad_deals_are_one_line(client, address, asked, field):
    answer = client.get(f"{address}/deal", params=asked)
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert len(answer.json()["error"]) <= 500
