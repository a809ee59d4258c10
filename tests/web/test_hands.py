"""Hands on the pages: lists, hands by themselves, spots, players, models, a night judged."""

import csv
import io
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient
from tests.histories import NIGHT

from pokerlab.arena.logs.folder_counts import count_files
from pokerlab.arena.logs.histories import hand_at
from pokerlab.drills.played.judged_histories import HandJudging, hands_to_judge, judge_hands
from pokerlab.drills.played.played_hands import judge_played
from pokerlab.holdem import charts
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.players.opponents.line_model import load_line_model
from pokerlab.web import make_app
from pokerlab.web.files import histories as histories_module
from pokerlab.web.jobs import queue as jobs_module
from pokerlab.web.jobs.task_process import do_task

from .conftest import TOKEN

DATA = Path(__file__).parents[1] / "data" / "histories"
RIVER = Spot(
    "Kh7d2c2s9h", "87s, 66, QJs, KQs", "AK, QQ, AQ", 10, 15, big_blind=1, bet="75%, a", raise_="a"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("hands")
    (place / "hands").mkdir()
    (place / "hands" / "night.phhs").write_text(NIGHT, encoding="utf-8")
    for name in ("stars.txt", "pluribus.phhs"):
        shutil.copy(DATA / name, place / "hands" / name)
    shutil.copy(Path(charts.__file__).parent / "data" / "six-max.toml", place / "six-max.toml")
    solve_spot(RIVER, target="0.2%").save(place / "river.safetensors")
    return place


@pytest.fixture(scope="module")
def client(folder):
    with TestClient(make_app(folder, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        yield client


@pytest.fixture(scope="module")
def ids(client):
    return {each["name"]: each["id"] for each in client.get("/api/library").json()["files"]}


@pytest.fixture
def here(monkeypatch):
    """Tasks in the thread of the queue: this process is warm; the rest is the same."""
    monkeypatch.setattr(jobs_module.Jobs, "_start", lambda self, job: do_task(job.path))
    monkeypatch.setattr(jobs_module, "_holds_memory", lambda state: state["status"] == "running")


def ended(client, id_):
    for _ in range(2000):
        view = client.get(f"/api/jobs/{id_}").json()
        if view["ended"]:
            return view
        time.sleep(0.02)
    raise AssertionError(view)


def listed(client, **asked):
    answer = client.get("/api/hands", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_all_histories_are_one_list(client, ids):
    data = listed(client)
    assert data["all"] == data["totals"]["hands"] == 14 and data["player"] == "ann"[:0]
    assert [file["name"] for file in data["files"]] == [
        "hands/night.phhs",
        "hands/pluribus.phhs",
        "hands/stars.txt",
    ]
    assert data["left_out"] == 1 and not data["reading"] and not data["faults"]
    night = listed(client, files=ids["hands/night.phhs"])
    assert night["player"] == "ann" and night["totals"]["hands"] == 5
    assert night["stakes"] == ["50/100"]
    assert [row["number"] for row in night["rows"]] == ["4711", "4712", "4713", "4714", "4715"]
    two = listed(client, files=f"{ids['hands/night.phhs']},{ids['hands/stars.txt']}")
    assert two["all"] == 8
    (unread,) = client.get("/api/hands/unread").json()["hands"]
    assert (unread["file"], unread["place"]) == ("hands/stars.txt", 3)
    assert "small & big blinds" in unread["reason"]


def test_filters_order_and_parts_of_a_list(client, ids):
    asked = {"files": ids["hands/night.phhs"], "player": "ann"}
    won = listed(client, **asked, result="won", order="won", descending="1")["rows"]
    assert [row["number"] for row in won] == ["4711", "4715", "4712"]
    assert listed(client, **asked, flop="1", two="1", reached="river")["totals"]["hands"] == 2
    part = listed(client, **asked, first="3", count="1")
    assert [row["number"] for row in part["rows"]] == ["4714"] and part["totals"]["hands"] == 5
    nobody = listed(client, files=asked["files"], player="*")
    assert nobody["player"] == "" and nobody["rows"][0]["cards"] == ""


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"player": "nobody"}, "player"),
        ({"cards": "AA"}, "cards"),
        ({"player": "ann", "cards": "!" * 5000}, "cards"),
        ({"player": "ann", "position": "XX"}, "position"),
        ({"stakes": "a lot"}, "stakes"),
        ({"seats": "0"}, "seats"),
        ({"pot": "none"}, "pot"),
        ({"least": "much"}, "least"),
        ({"order": "luck"}, "order"),
        ({"text": "a\n"}, "text"),
        ({"first": "-1"}, "first"),
        ({"count": "301"}, "count"),
    ],
)
def test_bad_filters_are_400_with_the_field(client, asked, field):
    answer = client.get("/api/hands", params=asked)
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field and "\n" not in answer.json()["error"]


def test_players_are_those_of_the_command_line(client, folder):
    found = client.get("/api/hands/players").json()
    files = [folder / "hands" / name for name in ("night.phhs", "pluribus.phhs", "stars.txt")]
    expected = count_files(files).statistics()
    assert found["hands"] == 14 and len(found["players"]) == len(expected)
    for each in found["players"]:
        one = expected[each["player"]]
        assert (each["hands"], each["vpip"], each["pfr"]) == (one.hands, one.vpip, one.pfr)
        assert each["per_hundred"] == pytest.approx(100 * one.mean)
    few = client.get("/api/hands/players", params={"pot": "unraised", "seats": "2"}).json()
    assert few["hands"] == 1 and {each["player"] for each in few["players"]} == {"ann", "bob"}


def test_a_hand_is_played_again(client, ids):
    file = ids["hands/night.phhs"]
    data = client.get(f"/api/hands/of/{file}/1").json()
    assert [player["position"] for player in data["players"]] == ["BB", "SB"]
    steps = data["steps"]
    assert (steps[0]["pot"], steps[0]["bets"], steps[0]["board"]) == (150, [100, 50], "")
    assert steps[1]["words"] == "bob raises 75% of the pot" and steps[1]["stacks"] == [1900, 1750]
    assert [step["board"] for step in steps if step["words"] == "river"] == ["Kh7d2c2s9h"]
    assert steps[-1]["folded"] == [False, True] and steps[-1]["pot"] == 2500
    for step in steps:
        put_in = sum(
            player["stack"] - stack
            for player, stack in zip(data["players"], step["stacks"], strict=True)
        )
        assert put_in == step["pot"]
    assert data["note"].startswith("ranges: the charts of two players, 20 big blinds")
    assert data["ranges"] == ["six-max", "six-max.toml"] and data["two"]
    assert [each["name"] for each in data["solutions"]] == ["river.safetensors"]
    folded = client.get(f"/api/hands/of/{file}/2").json()
    assert folded["no_spot"] == "no two players saw a flop" and not folded["solutions"]
    many = client.get(f"/api/hands/of/{ids['hands/pluribus.phhs']}/1").json()
    assert many["note"] == "ranges: six-max, for 100 big blinds"
    ranges = {"ranges": "six-max.toml"}
    many = client.get(f"/api/hands/of/{ids['hands/pluribus.phhs']}/1", params=ranges).json()
    assert many["note"] == "ranges: six-max.toml"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/hands/of/FILE/0", 400),
        ("/api/hands/of/FILE/99", 400),
        ("/api/hands/of/FILE/x", 400),
        ("/api/hands/of/FILE/1?ranges=../secret", 400),
        ("/api/hands/of/nothing/1", 404),
        ("/api/hands/of/RIVER/1", 404),
        ("/api/hands?files=nothing", 404),
        ("/api/hands?files=RIVER", 404),
        ("/api/hands/judged/000000000000", 404),
        ("/api/hands/judged/x/decisions.csv", 404),
        ("/api/spots/new?history=FILE&hand=2", 400),
        ("/api/spots/new?history=FILE&hand=", 400),
        ("/api/spots/new?history=nothing&hand=1", 404),
    ],
)
def test_bad_addresses_are_answered_in_one_line(client, ids, address, status):
    address = address.replace("FILE", ids["hands/night.phhs"])
    answer = client.get(address.replace("RIVER", ids["river.safetensors"]))
    assert answer.status_code == status and "\n" not in answer.json()["error"]


def test_a_hand_that_cannot_be_read_says_so(client, ids):
    answer = client.get(f"/api/hands/of/{ids['hands/stars.txt']}/3")
    assert answer.status_code == 400 and "hand 3 cannot be read" in answer.json()["error"]


def test_the_spot_of_a_hand_is_that_of_the_library(client, ids, folder):
    query = urlencode({"history": ids["hands/night.phhs"], "hand": 1})
    data = client.get(f"/api/spots/new?{query}").json()
    assert data["name"] == "night 4711" and data["id"] is None
    checked = client.post("/api/spots/check", json={"spot": data["fields"]}).json()
    assert not checked["errors"]
    fields = data["fields"]
    assert (fields["board"], fields["pot"], fields["big_blind"]) == ("Kh7d2c", 500, 100)
    assert fields["bet"]["flop"] == {"oop": "50%", "ip": "50%"}
    query = urlencode({"history": ids["hands/pluribus.phhs"], "hand": 1, "ranges": "six-max.toml"})
    other = client.get(f"/api/spots/new?{query}").json()["fields"]
    assert "AA" not in other["oop"].split(",")[0] and len(other["ip"]) > 20


def test_decisions_are_judged_by_a_solution_of_the_folder(client, ids, folder):
    address = f"/api/hands/of/{ids['hands/night.phhs']}/1/judge"
    data = client.post(address, json={"solution": ids["river.safetensors"]}).json()
    expected = judge_played(
        hand_at(folder / "hands" / "night.phhs", 1).hand,
        load_postflop(folder / "river.safetensors"),
    )
    assert [each["ev"] for each in data["decisions"]] == [
        list(each.judgement.ev) for each in expected.moves
    ]
    (decision,) = data["decisions"]
    assert (decision["player"], decision["move"], decision["line"]) == ("ann", 7, "")
    assert not (folder / "river.training.jsonl").exists()
    client.post(address, json={"solution": ids["river.safetensors"], "keep_mistakes": True})
    client.post(address, json={"solution": ids["river.safetensors"], "keep_mistakes": True})
    assert len((folder / "river.training.jsonl").read_text().splitlines()) == 1
    for body, field in (({}, "solution"), ({"solution": 3}, "solution"), ({"x": 1}, "x")):
        answer = client.post(address, json=body)
        assert (answer.status_code, answer.json()["field"]) == (400, field)
    other = f"/api/hands/of/{ids['hands/night.phhs']}/3/judge"
    answer = client.post(other, json={"solution": ids["river.safetensors"]})
    assert answer.status_code == 400 and "board" in answer.json()["error"]


NIGHT_ASKED = {"street": "river", "target": "0.5%", "keep": "all", "player": "ann"}


def test_a_night_is_judged_in_the_background(client, ids, folder, here):
    body = {"files": ids["hands/night.phhs"], **NIGHT_ASKED}
    before = client.post("/api/hands/judge/weigh", json=body).json()
    assert (before["hands"], before["can"], before["exact"]) == (2, 2, True)
    assert before["text"] == "under a second" and not before["passed"]
    id_ = client.post("/api/hands/judge", json=body).json()["id"]
    view = ended(client, id_)
    assert view["status"] == "done" and view["address"] == f"/hands/judged/{id_}"
    found = client.get(f"/api/hands/judged/{id_}").json()
    judging = HandJudging("ann", street="river", target="0.5%", keep="all")
    asked = hands_to_judge({folder / "hands" / "night.phhs": None}, judging)
    rows = list(judge_hands(asked, judging))
    assert found["judged"] == found["total"] == 2
    assert found["lost"] == pytest.approx(sum(row["lost"] for row in rows), rel=0.1)
    worst = found["worst"][0]
    assert worst["file"] == ids["hands/night.phhs"] and worst["grade"] == "blunder"
    (jam,) = (each for each in found["worst"] if each["number"] == "4711")
    assert (jam["action_words"], jam["best_words"], jam["cards"]) == ("all-in", "check", "8s7s")
    node = client.get(f"/api/solutions/{worst['solution']}/node", params={"line": worst["line"]})
    assert node.status_code == 200, node.text
    train = client.get(f"/api/train/files/{worst['solution']}").json()
    assert train["mistakes"] == 1
    table = list(
        csv.DictReader(io.StringIO(client.get(f"/api/hands/judged/{id_}/decisions.csv").text))
    )
    assert len(table) == 3 and float(table[0]["loss_bb"]) == pytest.approx(worst["loss_bb"])
    assert client.get(f"/api/hands/judged/{id_}").json()["asked"]["ranges"] is None


def test_a_night_that_was_killed_goes_on(client, ids, monkeypatch):
    """The process of the task is killed while it solves; what it found is kept, and counts."""
    body = {"files": ids["hands/night.phhs"], **NIGHT_ASKED, "target": "0.4%"}
    started = []

    def start(self, job):
        if not started:
            folder = job.path
            code = (
                "import os, sys; from pathlib import Path\n"
                "from pokerlab.drills.played import judged_histories as found\n"
                "judge = found.judge_one\n"
                "def kill(asked, *rest, **more):\n"
                "    if asked.place == 4: os.kill(os.getpid(), 9)\n"
                "    return judge(asked, *rest, **more)\n"
                "found.judge_one = kill\n"
                "from pokerlab.web.jobs.task_process import do_task\n"
                "do_task(Path(sys.argv[1]))\n"
            )
            started.append(subprocess.run([sys.executable, "-c", code, str(folder)]).returncode)
        else:
            do_task(job.path)

    monkeypatch.setattr(jobs_module.Jobs, "_start", start)
    monkeypatch.setattr(jobs_module, "_holds_memory", lambda state: state["status"] == "running")
    id_ = client.post("/api/hands/judge", json=body).json()["id"]
    for _ in range(2000):
        view = client.get(f"/api/jobs/{id_}").json()
        if started and view["status"] == "interrupted":
            break
        time.sleep(0.02)
    assert started == [-9] and "go-on" in view["can"]
    assert client.get(f"/api/hands/judged/{id_}").json()["judged"] == 1
    assert client.post(f"/api/jobs/{id_}/go-on").status_code == 200
    for _ in range(2000):
        view = client.get(f"/api/jobs/{id_}").json()
        if view["status"] == "done":
            break
        time.sleep(0.02)
    assert client.get(f"/api/hands/judged/{id_}").json()["judged"] == 2


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"player": "*"}, "player"),
        ({"street": "attic"}, "street"),
        ({"runouts": "99x99x"}, "runouts"),
        ({"target": "none"}, "target"),
        ({"seconds": 0}, "seconds"),
        ({"keep": "some"}, "keep"),
        ({"ranges": "/etc/passwd"}, "ranges"),
        ({"stakes": "x"}, "stakes"),
        ({"stakes": "1/2"}, "files"),
        ({"keep_mistakes": "yes"}, "keep_mistakes"),
        ({"name": "../x"}, "name"),
        ({"unknown": 1}, "unknown"),
        ({"files": 3}, "files"),
    ],
)
def test_bad_nights_are_refused(client, ids, asked, field):
    body = {"files": ids["hands/night.phhs"], **NIGHT_ASKED, **asked}
    answer = client.post("/api/hands/judge", json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field


def test_a_model_of_players_is_written(client, ids, folder, here):
    id_ = client.post("/api/hands/model", json={"name": "pool", "seats": "2"}).json()["id"]
    assert ended(client, id_)["status"] == "done"
    found = client.get(f"/api/tasks/{id_}").json()["result"]
    files = [folder / "hands" / name for name in ("night.phhs", "pluribus.phhs", "stars.txt")]
    from pokerlab.arena.logs.histories import HandFilter

    chosen = HandFilter.parse(seats="2")
    expected = count_files(files, chosen, together=True, lines=True).model("pool")
    assert load_line_model(folder / "pool.toml").counts == expected.counts
    assert (found["player"], found["hands"], found["file"]) == ("pool", expected.hands, "pool.toml")
    one = client.post("/api/hands/model", json={"name": "ann", "player": "ann"}).json()["id"]
    assert ended(client, one)["status"] == "done" and (folder / "ann.toml").is_file()
    for body, field in (
        ({"player": "nobody"}, "player"),
        ({"seats": "x"}, "seats"),
        ({"pot": "x"}, "pot"),
        ({"name": "/x"}, "name"),
        ({"files": "nothing"}, None),
    ):
        answer = client.post("/api/hands/model", json=body)
        assert answer.status_code in (400, 404) and answer.json()["field"] == field
    (folder / "pool.toml").unlink()
    (folder / "ann.toml").unlink()


def test_large_histories_are_read_apart(client, ids, folder, monkeypatch):
    monkeypatch.setattr(histories_module, "_AT_ONCE", 100)
    path = folder / "hands" / "large.phhs"
    path.write_text(NIGHT, encoding="utf-8")
    found = client.get("/api/library").json()["files"]
    (id_,) = (each["id"] for each in found if each["name"] == "hands/large.phhs")
    first = listed(client, files=id_)
    assert first["reading"] == [{"name": "hands/large.phhs", "hands": 0}] and not first["rows"]
    answer = client.post("/api/hands/judge", json={"files": id_, "player": "ann"})
    assert answer.status_code == 400 and "still being read" in answer.json()["error"]
    for _ in range(1000):
        data = listed(client, files=id_)
        if not data["reading"]:
            break
        time.sleep(0.05)
    assert data["totals"]["hands"] == 5 and data["player"] == "ann"
    path.unlink()


def test_many_files_are_read_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(histories_module, "_SECONDS", 0.0)
    monkeypatch.setattr(histories_module, "_MOST_HANDS", 7)  # in memory: one file
    (tmp_path / "hands").mkdir()
    for number in range(4):
        (tmp_path / "hands" / f"{number}.phhs").write_text(NIGHT, encoding="utf-8")
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        left = []
        for _ in range(4):
            data = listed(client)
            left.append([each["name"] for each in data["reading"]])
        assert [len(each) for each in left] == [3, 2, 1, 0]
        assert data["all"] == 20 and left[0] == [f"hands/{number}.phhs" for number in (1, 2, 3)]
        monkeypatch.setattr(histories_module.HistoryFiles, "_kept", None)
        assert listed(client)["all"] == 20  # the answer for all together is in memory
        (tmp_path / "hands" / "3.phhs").unlink()
        monkeypatch.undo()
        assert listed(client)["all"] == 15


def test_what_is_kept_of_a_history_may_be_damaged(client, ids, folder):
    before = listed(client, files=ids["hands/night.phhs"])
    for path in (folder / ".pokerlab" / "hands").glob("*.safetensors"):
        path.write_bytes(path.read_bytes()[:-7])
    app = make_app(folder, token=TOKEN)
    with TestClient(app, base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        asked = {"files": ids["hands/night.phhs"]}
        assert again.get("/api/hands", params=asked).json()["rows"] == before["rows"]
