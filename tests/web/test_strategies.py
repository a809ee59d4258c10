"""Trained strategies over the web: listed, opened, and one line for whatever is wrong."""

import json
import shutil

import numpy as np
import pytest
from tests.web.conftest import TOKEN
from typer.testing import CliRunner

from pokerlab.cli.assembly import assemble
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.strategies import LimitStrategy
from pokerlab.players.strategies.limit_file import LIMIT_FORMAT
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.files.tensor_map import read_tensors


def save_strategy(path, name="holdem.limit.2p", groups="classes"):
    """A strategy that folds, calls and raises by the number of the group."""
    game = BucketedGame.of(load_betting_game(name), groups)
    part = (np.arange(game.rows) % 7 + 1) / 10
    probabilities = np.stack([1 - part - 0.1, part, np.full(game.rows, 0.1)], axis=1)
    probabilities = probabilities.astype(np.float16)
    LimitStrategy(game, probabilities, 7, 1.0, "hand", "none", 12.5, 0.0, False).save(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trained")
    save_strategy(place / "holdem.safetensors")
    save_strategy(place / "leduc.safetensors", "leduc", "each")
    shutil.copy(place / "leduc.safetensors", place / "cut.safetensors")
    content = (place / "cut.safetensors").read_bytes()
    (place / "cut.safetensors").write_bytes(content[:-7])
    return place


def shown(folder, monkeypatch, *words):
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(assemble("show"), ["show", *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_library_lists_them(client, ids):
    files = {each["name"]: each for each in client.get("/api/library").json()["files"]}
    holdem = files["holdem.safetensors"]
    assert (holdem["kind"], holdem["game"]) == ("strategy", "holdem.limit.2p")
    assert (holdem["groups"], holdem["players"], holdem["error"]) == ("classes", 2, None)
    assert files["cut.safetensors"]["error"]


@pytest.mark.parametrize(
    ("line", "board"),
    [("", ""), ("r", ""), ("rc/", ""), ("rc/cr", "QhJh2c"), ("cc/cc/", "QhJh2c4d")],
)
def test_decisions_are_those_of_show(client, ids, folder, monkeypatch, line, board):
    address = f"/api/strategies/{ids['holdem.safetensors']}"
    node = client.get(f"{address}/node", params={"line": line, "board": board}).json()
    words = [word for word in (line, *(("--board", board) if board else ())) if word]
    told = shown(folder, monkeypatch, "holdem.safetensors", *words)
    assert node["command"] == " ".join(["pokerlab show holdem.safetensors", *words])
    for name in ("line", "player", "pot", "actions", "next", "board"):
        assert node[name] == told[name]
    assert node["frequencies"] == pytest.approx(told["frequencies"], abs=0.02)
    assert [option["share"] for option in node["options"]] == node["frequencies"]
    hands = {row.pop("hand"): row for row in node["hands"]}
    assert hands == told["hands"]
    assert (node["cells"] is not None) == bool(hands)
    assert [step["action"] for step in node["path"]] == [each for each in line if each != "/"]


def test_a_deal(client, ids, folder, monkeypatch):
    address = f"/api/strategies/{ids['leduc.safetensors']}"
    data = client.get(f"{address}/deal", params={"deal": "Ks Qs Jh", "line": "cc/"}).json()
    told = shown(folder, monkeypatch, "leduc.safetensors", "cc/", "--deal", "Ks Qs Jh")
    assert [node["line"] for node in data["nodes"]] == [node["line"] for node in told["nodes"]]
    assert data["nodes"][1]["words"] in ("check", "bet")
    address = f"/api/strategies/{ids['holdem.safetensors']}"
    asked = {"board": "QhJh2c", "line": "rc/", "seed": 4, "least": "60"}
    found = client.get(f"{address}/deal", params=asked)
    assert found.json()["board"].startswith("QhJh2c")


@pytest.mark.parametrize(
    ("path", "asked", "field"),
    [
        ("node", {"line": "x"}, "line"),
        ("node", {"line": "../../etc"}, "line"),
        ("node", {"line": "r" * 5000}, "line"),
        ("node", {"line": "rc/", "board": "QhJh"}, "board"),
        ("node", {"line": "rc/", "board": "@/etc/passwd"}, "board"),
        ("node", {"line": "f"}, "line"),
        ("deal", {"deal": "AsKs"}, "deal"),
        ("deal", {"deal": "AsKs AsKs"}, "deal"),
        ("deal", {"deal": "AsKs QdQc 2c", "line": "rrrrrrrr"}, "deal"),
        ("deal", {"seed": "-1"}, "seed"),
        ("deal", {"board": "zz"}, "board"),
        ("deal", {"board": "QhQh2c"}, "board"),
        ("deal", {"board": "QhJh2c3c4c5c"}, "board"),
    ],
)
def test_attacks_are_one_line(client, ids, path, asked, field):
    answer = client.get(f"/api/strategies/{ids['holdem.safetensors']}/{path}", params=asked)
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field and len(answer.json()["error"]) <= 500


def test_other_ids_and_damaged_files(client, ids):
    for name in ("nothing", "..%2f..%2fsecret", ids["cut.safetensors"]):
        for rest in ("", "/node", "/deal"):
            assert client.get(f"/api/strategies/{name}{rest}").status_code in (400, 404)


def test_groups_that_were_never_made_are_not_made_for_a_page(tmp_path):
    """A file may name groups that take hours."""
    from starlette.testclient import TestClient

    from pokerlab.web import make_app

    save_strategy(tmp_path / "a.safetensors")
    tensors, entries = read_tensors(tmp_path / "a.safetensors", LIMIT_FORMAT)
    write_hashed(tmp_path / "a.safetensors", tensors, entries | {"groups": "ehs2:9,9,9,9"})
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        file = client.get("/api/library").json()["files"][0]
        answer = client.get(f"/api/strategies/{file['id']}")
        assert answer.status_code == 400
        assert "not on this machine yet" in answer.json()["error"]
