"""The Train page of a folder: what it lists, mixed tables, programmes, what is due, progress."""

import json
import shutil
import time

import pytest
from starlette.testclient import TestClient
from tests.drills.clock import MovedClock
from tests.players.bots.nolimit.small_menus import SMALL
from tests.web.conftest import TOKEN

from pokerlab.cards import combo_index, parse_cards
from pokerlab.drills import Programme, Setup
from pokerlab.holdem.batches import Batch, BatchQuestion
from pokerlab.holdem.batches.rows import make_row
from pokerlab.holdem.spots import load_postflop
from pokerlab.players.bots.nolimit import street
from pokerlab.web import make_app


@pytest.fixture
def place(tmp_path, river_file):
    """A folder with two solutions, a batch, a damaged file and a damaged file of results."""
    folder = tmp_path / "spots"
    (folder / "more").mkdir(parents=True)
    shutil.copy(river_file, folder / "river.safetensors")
    shutil.copy(river_file, folder / "more" / "again.safetensors")
    (folder / "damaged.safetensors").write_bytes(river_file.read_bytes()[:-40])
    shutil.copy(river_file, folder / "broken.safetensors")
    (folder / "broken.training.jsonl").write_text('{"session": 1}\n')
    solution = load_postflop(river_file)
    batch = Batch.begin(folder / "rivers", BatchQuestion.of(solution.spot, {"QhJh2c4d7h": 1.0}))
    path = batch.solution_path("QhJh2c4d7h")
    solution.save(path)
    batch.store.add("QhJh2c4d7h", make_row(solution, "QhJh2c4d7h", 1.0, 1.0, path.stat().st_size))
    return folder


@pytest.fixture
def site(place):
    """A client of the folder, with a clock that can be moved."""
    app = make_app(place, token=TOKEN)
    app.state.site.clock = MovedClock()
    with TestClient(app, base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        client.clock, client.folder = app.state.site.clock, place
        yield client


def overview(site):
    found = site.get("/api/train/folder").json()
    return found, {row["name"]: row for row in found["sources"]}


def post(site, path, **body):
    answer = site.post(path, json=body)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def begin(site, *names, **body):
    _, rows = overview(site)
    sources = [{"id": rows[name]["id"]} for name in names]
    return post(site, "/api/train/folder", sources=sources, **body)


def act(site, table, place, **more):
    decision = table["hand"]["decision"]
    action = decision["choices"][place]["action"]
    address = f"/api/train/tables/{table['table']}/act"
    return post(site, address, action=action, line=decision["line"], **more)


def play_out(site, table, place=0):
    while table["hand"]["decision"] is not None:
        table = act(site, table, place, seconds=1.5)
    return table


def next_hand(site, table):
    return post(site, f"/api/train/tables/{table['table']}/next")


FILES = ("river.safetensors", "more/again.safetensors", "rivers")


def test_all_that_can_be_practised_is_listed(site):
    found, rows = overview(site)
    assert set(rows) == {*FILES, "damaged.safetensors", "broken.safetensors"}
    assert rows["damaged.safetensors"]["error"] and not rows["river.safetensors"]["error"]
    assert "line 1" in rows["broken.safetensors"]["error"]
    assert str(site.folder) not in json.dumps(found)
    assert rows["rivers"]["boards"] == 1 and rows["rivers"]["kind"] == "batch"
    assert found["due"] == 0 and found["programmes"] == []


def test_a_mixed_table(site):
    table = begin(site, *FILES, seat="oop", seed=3)
    sources = []
    for number in range(6):
        sources.append(table["source"])
        table = play_out(site, table, -1)
        if number < 5:
            table = next_hand(site, table)
    assert sources == ["river.safetensors", "again.safetensors", "rivers"] * 2
    assert [each["hands"] for each in table["sources"]] == [2, 2, 2]
    assert table["score"]["hands"] == 6 and table["score"]["seconds"] == 1.5
    assert (site.folder / "river.training.jsonl").is_file()
    assert (site.folder / "more" / "again.training.jsonl").is_file()
    assert (site.folder / "rivers" / "training.jsonl").is_file()
    _, rows = overview(site)
    assert sum(rows[name]["decisions"] for name in FILES) == table["score"]["decisions"]
    for worst in table["score"]["worst"]:
        own = rows[FILES[worst["place"]]]
        assert (worst["file"], worst["kind"]) == (own["id"], own["kind"])
        id_ = f"{own['id']}-{worst['board']}" if own["kind"] == "batch" else own["id"]
        node = site.get(f"/api/solutions/{id_}/node", params={"line": worst["line"]})
        assert node.status_code == 200
    with TestClient(make_app(site.folder, token=TOKEN), base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        assert again.get(f"/api/train/tables/{table['table']}").json() == table


def test_weights(site):
    _, rows = overview(site)
    sources = [
        {"id": rows["river.safetensors"]["id"], "weight": 3},
        {"id": rows["rivers"]["id"], "weight": 1},
    ]
    table = post(site, "/api/train/folder", sources=sources, seed=1)
    for _ in range(7):
        table = next_hand(site, play_out(site, table))
    assert [each["hands"] for each in table["sources"]] == [6, 2]


def test_mistakes_are_due_over_days(site):
    table = begin(site, "river.safetensors", seat="oop", seed=2)
    for _ in range(5):
        table = next_hand(site, play_out(site, table, -1))
    found, rows = overview(site)
    due = rows["river.safetensors"]["due"]
    assert due > 0 and found["due"] == due == rows["river.safetensors"]["mistakes"]
    table = begin(site, *FILES, due="only")
    assert table["left"] == due
    played = 0
    while True:
        hand = table["hand"]
        while hand["decision"] is not None:
            choices = [each["action"] for each in hand["decision"]["choices"]]
            line = hand["decision"]["line"]
            node = load_postflop(site.folder / "river.safetensors").at(line)
            values = node.action_ev[:, combo_index(*parse_cards(hand["cards"]))]
            place = choices.index(node.actions[int(values.argmax())])
            table = act(site, table, place)
            hand = table["hand"]
        played += 1
        if table["over"]:
            break
        table = next_hand(site, table)
    assert played == due and table["end"] == "all that was due today has been played"
    assert overview(site)[0]["due"] == 0
    refused = site.post("/api/train/folder", json={"sources": [], "due": "only"})
    assert refused.json()["field"] == "sources"
    site.clock.forward(1)
    assert overview(site)[0]["due"] == due
    assert site.get("/api/train/progress").json()["streak"] == 1
    site.clock.forward(1)
    assert site.get("/api/train/progress").json()["streak"] == 0


def test_what_is_renamed_keeps_what_is_due(site):
    """A solution and a batch; a copy begins without results."""
    for name in ("river.safetensors", "rivers"):
        table = begin(site, name, seat="oop", seed=2)
        for _ in range(4):
            table = next_hand(site, play_out(site, table, -1))
    _, before = overview(site)
    for name in ("river.safetensors", "rivers"):
        row = before[name]
        assert row["due"] > 0
        post(site, "/api/library/duplicate", id=row["id"])
        new = post(site, "/api/library/rename", id=row["id"], name=f"pond {row['kind']}")
        _, rows = overview(site)
        found = rows[new["name"]]
        assert {**row, "id": found["id"], "name": found["name"]} == found
    assert rows["rivers-2"]["decisions"] == 0 == rows["river-2.safetensors"]["decisions"]
    table = begin(site, "pond solution.safetensors", due="only")
    assert table["left"] == before["river.safetensors"]["due"]


def test_time_is_over(site):
    table = begin(site, "river.safetensors", seconds=5, seat="oop", seed=2)
    line = table["hand"]["decision"]["line"]
    late = f"/api/train/tables/{table['table']}/late"
    assert site.post(late, json={"line": "x/x"}).status_code == 400
    table = post(site, late, line=line)
    assert table["hand"]["result"]["late"] and table["score"]["slow"] == 1
    judged = table["hand"]["judgements"][-1]
    assert (judged["action"], judged["grade"], judged["action_words"]) == ("", *["too slow"] * 2)
    assert site.post(late, json={"line": line}).status_code == 400
    assert overview(site)[0]["due"] == 1
    table = begin(site, "river.safetensors", seat="oop", seed=2)
    answer = site.post(f"/api/train/tables/{table['table']}/late", json={"line": line})
    assert answer.json()["error"] == "there is no time limit at this table"


def test_programmes(site):
    _, rows = overview(site)
    sources = [{"id": rows[name]["id"], "weight": 2} for name in FILES]
    whole = {"weight": 1, "bot": "nolimit:seconds=2", "stack": 50, "blinds": ""}
    settings = {"close": 2, "seconds": 10, "due": "first", "seat": "ip"}
    post(site, "/api/train/programmes", name="Evening", sources=sources, whole=whole, **settings)
    kept = Programme.load(site.folder / "Evening.programme.json")
    assert kept.setup == Setup("ip", close=2, seconds=10, due="first")
    assert [each.file for each in kept.sources] == [*FILES, ""]
    (site.folder / "bad.programme.json").write_text("{")
    (site.folder / "rivers").rename(site.folder / "gone")
    found = {each["name"]: each for each in overview(site)[0]["programmes"]}
    assert found["bad"]["error"] and str(site.folder) not in found["bad"]["error"]
    evening = found["Evening"]
    assert evening["missing"] == ["rivers"] and len(evening["sources"]) == 2
    assert evening["whole"] == whole and evening["setup"]["close"] == 2
    table = post(site, "/api/train/folder", sources=evening["sources"], seed=1, **evening["setup"])
    assert table["setup"]["close"] == 2 and table["setup"]["due"] == "first"
    post(site, "/api/train/programmes/delete", name="Evening")
    assert not (site.folder / "Evening.programme.json").exists()
    assert site.post("/api/train/programmes/delete", json={"name": "Evening"}).status_code == 404
    for name in ("../x", "", "con", "a/b", ".hidden", "x\0"):
        answer = site.post("/api/train/programmes", json={"name": name, "sources": sources[:1]})
        assert answer.status_code == 400 and answer.json()["field"] == "name"


def test_whole_hands_in_turn(site, monkeypatch):
    """They are played at a table of the Play page, judged, kept, and lead into Study."""
    monkeypatch.setattr(street, "LADDERS", SMALL)
    whole = {"bot": "nolimit:iterations=3,threads=1", "stack": 20}
    table = begin(site, "river.safetensors", whole=whole, seat="oop", seed=3)
    assert table["whole"] is None and table["kind"] == "solution"
    table = next_hand(site, play_out(site, table))
    address = f"/api/train/tables/{table['table']}"
    assert table["kind"] == "nolimit" and table["hand"] is None
    assert site.post(f"{address}/next", json={}).json()["error"] == "this hand is not over"
    assert "not over" in site.post(f"{address}/judge", json={}).json()["error"]
    play = f"/api/play/tables/{table['whole']['play']}"
    while (hand := site.get(play).json())["result"] is None:
        if hand["decision"] is None:
            time.sleep(0.05)
            continue
        post(site, f"{play}/act", answer="c", betting=hand["betting"], number=hand["number"])
    assert {seat["name"] for seat in hand["seats"]} == {"you", "nolimit"}
    table = post(site, f"{address}/judge")
    judged = table["whole"]["judged"]
    assert len(judged["decisions"]) + judged["unjudged"] > 0
    assert table["score"]["hands"] == 2
    solved = [each for each in judged["decisions"] if each["board"]]
    assert solved
    kept = post(site, f"{address}/keep", decision=solved[-1]["number"])
    node = site.get(f"/api/solutions/{kept['id']}/node", params={"line": kept["line"]})
    assert node.status_code == 200
    again = site.get(address).json()
    assert [
        each["kept"]
        for each in again["score"]["worst"]
        if each["line"] == solved[-1]["line"] and each["kind"] == "nolimit"
    ] in ([{"file": kept["id"], "line": kept["line"]}], [])
    assert next_hand(site, table)["kind"] == "solution"
    logged = (site.folder / "nolimit.training.jsonl").read_text().splitlines()
    assert len(logged) == len(judged["decisions"]) + 1


def test_progress(site):
    table = begin(site, *FILES, seat="oop", seed=3)
    for _ in range(3):
        table = next_hand(site, play_out(site, table, -1))
    site.clock.forward(1)
    table = begin(site, "rivers", seat="oop", seed=9)
    play_out(site, table, -1)
    found = site.get("/api/train/progress").json()
    assert [each["day"] for each in found["days"]] == ["2026-11-20", "2026-11-21"]
    assert set(found["sources"]) == set(FILES) and found["streak"] == 2
    assert found["total"]["decisions"] == sum(each["decisions"] for each in found["days"])
    places = [(each["source"], each["line"], each["hand"]) for each in found["worst"]]
    assert len(set(places)) == len(places)  # of each decision the last mistake
    assert found["worst"] and {each["source"] for each in found["worst"]} <= set(FILES)
    assert all(each["file"] and each["loss_percent"] > 0 for each in found["worst"])


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "sources", "choose something to practise"),
        ({"sources": "all"}, "sources", "name up to"),
        ({"sources": [3]}, "sources", "is not a file with an id"),
        ({"sources": [{"id": "RIVER", "weight": 0}]}, "weight", "weight: 0 is not from 1 to 100"),
        ({"sources": [{"id": "RIVER", "x": 1}]}, "sources", "is there already, or more"),
        ({"sources": [{"id": "RIVER"}, {"id": "RIVER"}]}, "sources", "is there already"),
        ({"sources": [{"id": "BROKEN"}]}, "sources", "line 1"),
        ({"sources": [{"id": "RIVER"}], "close": -2}, "close", "must be from 0 to 100"),
        ({"sources": [{"id": "RIVER"}], "close": "1%"}, "close", "is not a number"),
        ({"sources": [{"id": "RIVER"}], "close": 1, "clear": 2}, "clear", "no gap is both"),
        ({"sources": [{"id": "RIVER"}], "seconds": 0.1}, "seconds", "must be from 1 to 600"),
        ({"sources": [{"id": "RIVER"}], "due": "x"}, "due", "must be only, first or empty"),
        ({"sources": [{"id": "RIVER"}], "seat": "btn"}, "seat", "must be one of oop, ip"),
        ({"sources": [{"id": "RIVER"}], "street": "flop"}, "street", "begins on the river"),
        ({"sources": [{"id": "RIVER"}], "line": "x"}, "line", "unknown field"),
        # the nuts that fold to an all-in lose 100% of the pot, all others here lose less than 75%
        ({"sources": [{"id": "RIVER"}], "close": 95, "clear": 90}, "close", "none of"),
        ({"whole": 3}, "whole", "weight, bot, stack and blinds"),
        ({"whole": {"bot": "fair"}}, "whole", "only nolimit says"),
        ({"whole": {"bot": "nolimit:library=x"}}, "whole", "must be seconds="),
        ({"whole": {"stack": 1}}, "stack", "stack: 1 is not from 5"),
        ({"whole": {"blinds": "x"}}, "whole", "blinds"),
        ({"whole": {}, "due": "only"}, "", "whole hands do not come back"),
    ],
)
def test_bad_input_is_named_by_field(site, monkeypatch, body, field, message):
    monkeypatch.setattr("pokerlab.drills.session._MAX_SEARCH", 20)
    _, rows = overview(site)
    names = {"RIVER": "river.safetensors", "BROKEN": "broken.safetensors"}
    text = json.dumps(body)
    for word, name in names.items():
        text = text.replace(word, rows[name]["id"])
    answer = site.post("/api/train/folder", json=json.loads(text))
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field and message in answer.json()["error"]


def test_what_is_not_there(site):
    assert site.post("/api/train/folder", json={"sources": [{"id": "no"}]}).status_code == 404
    table = begin(site, "river.safetensors")["table"]
    for name in ("judge", "keep"):
        answer = site.post(f"/api/train/tables/{table}/{name}", json={})
        assert answer.status_code == 400 and "whole hand" in answer.json()["error"]


def test_a_table_of_an_earlier_version(site):
    """Its state named one file and one session; it goes on."""
    table = play_out(site, begin(site, "river.safetensors", seed=4, seat="oop"))
    path = site.folder / ".pokerlab" / "training" / f"{table['table']}.json"
    state = json.loads(path.read_text())
    old = state["mixed"]["sessions"][0]
    for name in ("close", "clear", "seconds", "due"):
        del old["setup"][name]
    path.write_text(json.dumps({"file": state["files"][0], **old}))
    with TestClient(make_app(site.folder, token=TOKEN), base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        found = again.get(f"/api/train/tables/{table['table']}").json()
        assert found["hand"] == table["hand"] and found["score"] == table["score"]
        assert next_hand(again, found)["number"] == 2
