"""Locks over the web: copied, made of models of players, told in one sentence; and bad wishes."""

import json
import shutil

import numpy as np
import pytest
from tests.web.conftest import RIVER
from typer.testing import CliRunner

from pokerlab.cli.assembly import assemble
from pokerlab.holdem.batches import BatchQuestion
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.answer.copied_locks import copy_lock
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.reports.study import study_hands

TURN = Spot("QhJh2c4d", "AA, KQs, 55", "KK, AJs, T9s", 60, 60, bet="60%, a", raise_="")

MODEL = """
format = "pokerlab line model 1"
player = "ann"
hands = 400

[[lines]]
street = "river"
position = "ip"
initiative = "nobody"
line = "x"
counts = { check = 30, large = 10 }

[[lines]]
street = "turn"
position = "oop"
initiative = "other"
line = ""
counts = { check = 5, medium = 35 }

[[lines]]
street = "river"
position = "oop"
initiative = "nobody"
line = ""
counts = { check = 40, medium = 40 }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    place = tmp_path_factory.mktemp("locks")
    shutil.copy(river_file, place / "river.safetensors")
    solve_spot(TURN, target="0.5%", threads=1).save(place / "turn.safetensors")
    solve_spot(RIVER, target="0.2%", threads=1, locks={"x": {"x": 1}}).save(
        place / "locked.safetensors"
    )
    (place / "ann.toml").write_text(MODEL, encoding="utf-8")
    (place / "bad.toml").write_text(MODEL.replace('"ann"', "7"), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def address(ids):
    return {name: f"/api/solutions/{ids[f'{name}.safetensors']}" for name in ("river", "turn")} | {
        "locked": f"/api/solutions/{ids['locked.safetensors']}"
    }


def listed(client):
    return {each["name"]: each for each in client.get("/api/library").json()["files"]}


def test_the_library_names_models_and_who_is_locked(client):
    files = listed(client)
    ann = files["ann.toml"]
    assert (ann["kind"], ann["player"], ann["hands"], ann["lines"]) == ("model", "ann", 400, 3)
    assert ann["decisions"] == 160 and ann["error"] is None
    assert (files["bad.toml"]["kind"], files["bad.toml"]["error"]) == (
        "model",
        "player: 7 is not a name",
    )
    assert files["locked.safetensors"]["locked"] == "IP at 1 line"
    assert files["locked.safetensors"]["same"] == files["river.safetensors"]["same"]
    assert files["turn.safetensors"]["same"] != files["river.safetensors"]["same"]


def test_a_batch_with_locks_says_so(client, folder):
    spot = TURN.with_locks({"x": {"x": 1}, "x/x": {"x": 1}})
    question = BatchQuestion.of(spot, {"QhJh2c4d": 1, "AsKh7d2c": 1})
    (folder / "many").mkdir()
    (folder / "many" / "batch.toml").write_text(question.to_toml(), encoding="utf-8")
    found = listed(client)["many"]
    assert (found["kind"], found["locks"], found["error"]) == ("batch", ["x", "x/x"], None)
    shutil.rmtree(folder / "many")


def test_a_model_can_be_dropped_in(client, folder):
    answer = client.post("/api/library/upload?name=guest.toml", content=MODEL.encode())
    assert answer.json()["kind"] == "model"
    (folder / "guest.toml").unlink()
    answer = client.post("/api/library/upload?name=bad.toml", content=MODEL.replace("30", "-3"))
    assert answer.status_code == 400 and "check: -3 is not a number" in answer.json()["error"]


def test_a_copy_is_that_of_the_library(client, address, folder):
    solution = load_postflop(folder / "turn.safetensors")
    decision = solution.decision("x/x/5s")
    order = study_hands(solution, 0)
    strategy = np.where(decision.weights[0] > 0, np.round(decision.strategy, 4), np.nan)
    sent = [[None if each != each else each for each in row] for row in strategy[:, order].tolist()]
    for by, count in (("hand", 1), ("made", 48)):
        asked = {"line": "x/x/5s", "strategy": sent, "to": "rivers", "by": by}
        found = client.post(f"{address['turn']}/lock/copy", json=asked).json()
        copied = copy_lock(solution, decision, strategy, "rivers", by)
        assert found["locks"] == copied.locks and len(found["locks"]) <= count
        assert found["words"].startswith(f"{copied.boards} rivers")
    # What the copy makes hands do on another card is read back from its texts.
    texts = copy_lock(solution, decision, strategy, "rivers").locks["x/x"]
    asked = {"line": "x/x/Ah", "lock": texts}
    rows = np.array(client.post(f"{address['turn']}/lock", json=asked).json()["strategy"], float)
    both = ~np.isnan(strategy[0, order]) & ~np.isnan(rows[0])
    assert both.sum() > 10
    np.testing.assert_allclose(rows[:, both], strategy[:, order][:, both], atol=2e-4)


def test_a_copy_of_what_the_solution_has_locked(client, folder):
    spot = TURN.with_locks({"x/x/5s": {"x": "AA, KQs"}})
    solve_spot(spot, iterations=20, threads=1).save(folder / "one.safetensors")
    id_ = listed(client)["one.safetensors"]["id"]
    asked = {"line": "x/x/5s", "to": "rivers"}
    found = client.post(f"/api/solutions/{id_}/lock/copy", json=asked).json()
    assert found["locks"] == {"x/x": {"x": "AA,KcQc,KdQd,KsQs"}}
    (folder / "one.safetensors").unlink()


@pytest.mark.parametrize("uniform", [False, True])
def test_a_model_makes_the_locks_of_the_command(client, address, folder, ids, monkeypatch, uniform):
    monkeypatch.chdir(folder)
    words = ["lock-from", "ann.toml", "turn.safetensors", "--player", "oop", "--json"]
    done = CliRunner().invoke(assemble("lock-from"), [*words, *(["--uniform"] if uniform else [])])
    assert done.exit_code == 0, done.output
    told = {each["line"]: each for each in json.loads(done.stdout)["locks"]}
    asked = {"model": ids["ann.toml"], "player": "oop", "uniform": uniform}
    found = client.post(f"{address['turn']}/lock/model", json=asked).json()
    assert (found["player"], found["hands"], found["seat"]) == ("ann", 400, "oop")
    assert [row["line"] for row in found["rows"]] == list(told)
    assert ("x/x" in told) == uniform  # the first decision on all rivers
    for row in found["rows"]:
        own = told[row["line"]]
        assert row["observations"] == own["observations"] and row["weight"] == own["weight"]
        assert row["weight"] == pytest.approx(
            row["observations"] / (row["observations"] + 10), abs=1e-4
        )
        assert dict(zip(row["actions"], row["frequencies"], strict=True)) == own["frequencies"]
        assert (row["before"] is None) == (own["before"] is None)
    solved = load_postflop(folder / "turn.safetensors").spot.with_locks(found["locks"])
    assert {str(lock.line) for lock in solved.locks} == set(told)


def test_a_model_on_some_streets(client, address, ids):
    def lines(**asked):
        asked = {"model": ids["ann.toml"], "player": "oop", **asked}
        found = client.post(f"{address['turn']}/lock/model", json=asked).json()
        return {row["line"]: row for row in found["rows"]}

    both, river = lines(streets=["turn", "river"]), lines(streets=["river"])
    assert list(river) == [line for line, row in both.items() if row["street"] == "river"]
    assert both[""]["before"] is not None and all(row["before"] is None for row in river.values())
    softer = lines(streets=["turn"], most=0.5)
    assert softer[""]["weight"] == pytest.approx(both[""]["weight"] / 2, abs=1e-4)


def test_the_sentence_has_the_numbers_of_the_certificates(client, address, folder, ids):
    found = client.get(f"{address['locked']}/gain").json()
    assert found["free"] == {"id": ids["river.safetensors"], "name": "river.safetensors"}
    before, after = (verify(folder / f"{name}.safetensors") for name in ("river", "locked"))
    gain = found["gain"]
    assert gain["winner"] == "oop" and gain["told"]
    change = after.values[0] - before.values[0]
    assert gain["changes"][0] == pytest.approx(change, abs=0.05)
    parts = gain["parts"]
    assert parts[0] == "Locking IP after x wins OOP " and parts[1]["chips"] == gain["changes"][0]
    share = f"{float(parts[3]['aside'].split()[1].rstrip('%')):.1f}"
    assert share == f"{100 * change / RIVER.pot:.1f}"
    response = after.best_values[0] - before.values[0]
    assert parts[-2]["chips"] == pytest.approx(response, abs=0.05)
    assert found["locks"] == [
        {
            "line": "x",
            "player": "ip",
            "street": "river",
            "weight": 1.0,
            "words": "after x",
            "look": "x",
        }
    ]
    both = client.get(f"/api/compare/{ids['river.safetensors']}/{ids['locked.safetensors']}?line=x")
    assert both.json()["gain"] == gain
    turned = f"/api/compare/{ids['locked.safetensors']}/{ids['river.safetensors']}?line=x"
    assert client.get(turned).json()["gain"] == gain


def test_compare_says_what_is_locked(client, ids):
    pair = f"{ids['river.safetensors']}/{ids['locked.safetensors']}"
    found = client.get(f"/api/compare/{pair}?line=x/b51").json()
    assert found["path"][0]["lock_sides"] == [None, None]
    ours = found["path"][1]["lock_sides"]
    assert ours[0] is None and ours[1]["hands"] == ours[1]["of"] > 0 and ours[1]["weight"] == 1
    assert found["lock_sides"] == [None, None]
    assert [len(lines) for lines in found["locked_lines"]] == [0, 1]
    node = client.get(f"/api/solutions/{ids['locked.safetensors']}/node?line=x").json()
    assert node["lock"]["hands"] == len(node["locked"])


def test_without_a_solution_to_compare_with_nothing_is_claimed(client, folder, address):
    spot = TURN.with_locks({"x": {"x": 1}})
    solve_spot(spot, iterations=20, threads=1).save(folder / "alone.safetensors")
    (folder / "turn.safetensors").rename(folder / "turn.hidden")
    id_ = listed(client)["alone.safetensors"]["id"]
    found = client.get(f"/api/solutions/{id_}/gain").json()
    assert found["free"] is None and found["gain"] is None and found["locks"]
    (folder / "turn.hidden").rename(folder / "turn.safetensors")
    assert client.get(f"/api/solutions/{id_}/gain").json()["free"]["name"] == "turn.safetensors"
    (folder / "alone.safetensors").unlink()
    assert client.get(f"{address['river']}/gain").json() == {
        "locks": [],
        "free": None,
        "gain": None,
    }


@pytest.mark.parametrize(
    ("where", "data", "field"),
    [
        ("copy", {"to": "rivers"}, "line"),
        ("copy", {"line": "x/x/5s"}, "to"),
        ("copy", {"line": "x/x/5s", "to": "turns", "strategy": None}, "strategy"),
        ("copy", {"line": "x/x/5s", "to": "rivers", "strategy": [[1]]}, "strategy"),
        ("copy", {"line": "x/x/5s", "to": "rivers"}, "strategy"),
        ("copy", {"line": "x", "to": "rivers"}, "to"),
        ("copy", {"line": "x/x/5s", "to": "turns"}, "to"),
        ("copy", {"line": "x/x/5s", "to": "rivers", "by": "suit"}, "by"),
        ("copy", {"line": "x/x", "to": "rivers"}, "line"),
        ("copy", {"line": "x/x/5s", "to": "rivers", "all": True}, "all"),
        ("model", {"player": "oop"}, "model"),
        ("model", {"model": "MODEL"}, "player"),
        ("model", {"model": "MODEL", "player": "button"}, "player"),
        ("model", {"model": "MODEL", "player": "ip"}, "streets"),
        ("model", {"model": "MODEL", "player": "oop", "streets": []}, "streets"),
        ("model", {"model": "MODEL", "player": "oop", "streets": "turn"}, "streets"),
        ("model", {"model": "MODEL", "player": "oop", "streets": ["flop"]}, "streets"),
        ("model", {"model": "MODEL", "player": "oop", "uniform": 1}, "uniform"),
        ("model", {"model": "MODEL", "player": "oop", "half_at": 0}, "half_at"),
        ("model", {"model": "MODEL", "player": "oop", "most": 2}, "most"),
        ("model", {"model": "BAD", "player": "oop"}, "model"),
        ("", {"line": "x", "lock": "AA"}, "lock"),
        ("", {"line": "x", "lock": {"b7": "AA"}}, "lock"),
        ("", {"line": "x", "lock": {"x": [1]}}, "lock"),
        ("", {"line": "x", "lock": {}}, "lock"),
    ],
)
def test_bad_wishes_are_named(client, address, ids, where, data, field):
    names = {"MODEL": ids["ann.toml"], "BAD": ids["bad.toml"]}
    data = {
        key: names.get(each, each) if isinstance(each, str) else each for key, each in data.items()
    }
    answer = client.post(f"{address['turn']}/lock{'/' if where else ''}{where}", json=data)
    assert (answer.status_code, answer.json()["field"]) == (400, field), answer.text
    assert "\n" not in answer.json()["error"]


def test_what_is_not_a_model_is_not_there(client, address, ids):
    asked = {"model": ids["turn.safetensors"], "player": "oop"}
    answer = client.post(f"{address['turn']}/lock/model", json=asked)
    assert answer.status_code == 404 and "is not a model" in answer.json()["error"]
    assert client.get("/api/solutions/nothing/gain").status_code == 404
