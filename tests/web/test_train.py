"""The Train page's addresses: tables, bad input, a server that is started anew."""

import json
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.conftest import RIVER, TOKEN

from pokerlab.holdem.batches import Batch, BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.batches.rows import make_row
from pokerlab.holdem.spots import load_postflop
from pokerlab.web import make_app
from pokerlab.web.answers import UnknownIdError
from pokerlab.web.files.library import Library
from pokerlab.web.pages.kept_tables import KeptTables


@pytest.fixture(scope="module")
def file(ids):
    return ids["river.safetensors"]


def sit(client, file, **setup):
    answer = client.post(f"/api/train/files/{file}", json=setup)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def act(client, table, action=None):
    decision = table["hand"]["decision"]
    taken = decision["choices"][0]["action"] if action is None else action
    return client.post(
        f"/api/train/tables/{table['table']}/act",
        json={"action": taken, "line": decision["line"]},
    )


def test_a_hand_and_the_next(client, file, folder):
    table = sit(client, file, seat="oop", seed=4)
    hand = table["hand"]
    assert hand["seat"] == "oop" and hand["pot"] == 101 and table["number"] == 1
    assert "opponent" not in json.dumps(hand)
    assert hand["decision"]["choices"][0]["action"] == "x"
    while table["hand"]["result"] is None:
        table = act(client, table).json()
    judged = table["hand"]["judgements"][-1]
    assert judged["grade"] and len(judged["losses"]) == len(judged["actions"])
    assert table["hand"]["matrix"]["cells"] and table["score"]["hands"] >= 1
    assert client.get(f"/api/train/tables/{table['table']}").json() == table
    following = client.post(f"/api/train/tables/{table['table']}/next").json()
    assert following["number"] == 2 and following["hand"]["result"] is None
    described = client.get(f"/api/train/files/{file}").json()
    assert described["streets"] == ["river"] and described["score"]["decisions"] > 0
    assert described["board"] == "QhJh2c4d7h" and described["kind"] == "solution"
    lines = (folder / "river.training.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["source"] == "river.safetensors"


def test_sizes_and_losses_are_named_as_in_study(client, file):
    seen = set()
    for seat, seed in [("oop", 1), *(("ip", seed) for seed in range(6))]:
        table = sit(client, file, seat=seat, seed=seed)
        line, choices = (table["hand"]["decision"][name] for name in ("line", "choices"))
        seen.add(line)
        node = client.get(f"/api/solutions/{file}/node", params={"line": line}).json()
        for choice, option in zip(choices, node["options"], strict=True):
            assert choice["action"] == option["action"]
            percent = None if option["size"] is None else pytest.approx(100 * option["size"])
            assert choice["percent"] == percent
    assert len(seen) >= 3  # raises are among them
    table = act(client, sit(client, file, seat="oop", seed=4), "a").json()
    judged, score = table["hand"]["judgements"][-1], table["score"]
    assert judged["loss_text"] == f"{judged['loss']:.3f} chips" and judged["loss_bb"] is None
    assert score["loss_hand_text"] == f"{score['loss_hand']:.3f} chips"
    once = client.get(f"/api/solutions/{file}").json()
    assert once["big_blind"] is None and once["exploitability"]["bb"] is None


def test_the_table_is_there_after_a_restart(client, file, folder):
    table = sit(client, file, seat="ip", seed=8)
    table = act(client, table).json()
    with TestClient(make_app(folder, token=TOKEN), base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        assert again.get(f"/api/train/tables/{table['table']}").json() == table


def test_a_decision_is_made_once(client, file):
    table = sit(client, file, seat="oop", seed=1)
    first = act(client, table, "x")
    again = act(client, table, "x")
    assert first.status_code == 200
    assert again.status_code == 400
    assert again.json()["error"] == "this decision has been made already"
    if first.json()["hand"]["result"] is None:
        assert client.post(f"/api/train/tables/{table['table']}/next").status_code == 400


def test_only_mistakes(client, file):
    table = sit(client, file, seat="oop", seed=2)
    while not table["mistakes"]:
        while table["hand"]["decision"] is not None:
            choices = table["hand"]["decision"]["choices"]
            table = act(client, table, choices[-1]["action"]).json()
        if not table["mistakes"]:
            table = client.post(f"/api/train/tables/{table['table']}/next").json()
    again = sit(client, file, mistakes=True)
    assert again["left"] == table["mistakes"] and again["setup"]["mistakes"]


@pytest.mark.parametrize(
    ("setup", "field", "message"),
    [
        ({"seat": "button"}, "seat", "seat: 'button' must be one of oop, ip"),
        ({"seat": 3}, "seat", "seat: 3 is not a text"),
        ({"street": "flop"}, "street", "begins on the river, not before"),
        ({"line": "x/b3"}, "line", "token 2, 'b3': not possible here"),
        ({"line": "x/x"}, "line", "the hand is over here"),
        ({"seed": 1.5}, "seed", "seed: 1.5 is not a whole number"),
        ({"mistakes": "yes"}, "mistakes", "is not true or false"),
    ],
)
def test_bad_setups_are_named_by_field(client, file, setup, field, message):
    answer = client.post(f"/api/train/files/{file}", json=setup)
    assert answer.status_code == 400 and answer.json()["field"] == field
    assert message in answer.json()["error"]


def test_what_is_not_there(client, ids):
    assert client.get("/api/train/files/nothing").status_code == 404
    assert "nothing to train" in client.get(f"/api/train/files/{ids['river.toml']}").json()["error"]
    assert client.post(f"/api/train/files/{ids['damaged.safetensors']}").status_code == 400
    for table in ("0" * 24, "..", "x" * 24, "%2e%2e%2fsecret"):
        assert client.get(f"/api/train/tables/{table}").status_code == 404
        assert client.post(f"/api/train/tables/{table}/next").status_code == 404


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.sampled_from(["action", "line"]), st.text(max_size=8) | st.integers()))
def test_no_request_is_a_fault_of_the_server(client, file, data):
    table = sit(client, file, seat="oop", seed=1) if not _TABLE else _TABLE[0]
    _TABLE.append(table)
    answer = client.post(f"/api/train/tables/{table['table']}/act", json=data)
    assert answer.status_code == 400 and answer.json()["error"]


_TABLE = []


def test_tables_have_a_limit(tmp_path):
    tables = KeptTables(tmp_path / "tables", most_open=2, most_kept=3)
    ids = [tables.add(number, {"number": number}) for number in range(5)]
    assert len(list((tmp_path / "tables").glob("*.json"))) <= 4
    opened = []
    for id_ in ids[-2:]:
        with tables.use(id_, lambda state: opened.append(state) or state["number"]) as table:
            assert table in (3, 4)
    assert opened == []  # they were open
    (tmp_path / "tables" / f"{ids[4]}.json").write_text("{")
    with pytest.raises(UnknownIdError), KeptTables(tmp_path / "tables").use(ids[4], dict):
        pass


def test_a_batch_is_trained_on_its_boards(client, folder, river_file):
    solution = load_postflop(river_file)
    question = BatchQuestion.of(solution.spot, {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 1.0})
    batch = Batch.begin(folder / "rivers", question)
    path = batch.solution_path("QhJh2c4d7h")
    solution.save(path)
    row = make_row(solution, "QhJh2c4d7h", 1.0, 1.0, path.stat().st_size)
    batch.store.add("QhJh2c4d7h", row)
    files = client.get("/api/library").json()["files"]
    file = next(entry["id"] for entry in files if entry["kind"] == "batch")
    described = client.get(f"/api/train/files/{file}").json()
    assert described["kind"] == "batch" and described["note"] == "1 of 2 boards are not solved"
    table = sit(client, file, seat="ip", seed=1)
    assert table["kind"] == "batch" and table["hand"]["board"] == "QhJh2c4d7h"
    table = act(client, table).json()
    assert table["score"]["decisions"] == 1
    assert (folder / "rivers" / "training.jsonl").is_file()


def test_some_boards_of_a_batch_are_practised(tmp_path):
    """By texture or by name; the table goes on after the server was started anew."""
    spot = replace(RIVER, oop="AA, KQs, JTs", ip="QQ, AJs, T9s")
    boards = ["QhJh2c4d7h", "QhJh2c4d7s", "8s8h2c4d7d", "8s8h2c4d9d"]
    question = BatchQuestion.of(spot, dict.fromkeys(boards, 1.0), target="5%")
    run_batch(question, tmp_path / "rivers", plan_batch(question, workers=1, threads=1))
    paired = f"{Library(tmp_path).id_of(tmp_path / 'rivers')}~{quote('paired')}"
    named = paired.partition("~")[0] + "~" + quote("QhJh2c4d7s 8s8h2c4d9d")
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        told = client.get(f"/api/train/files/{paired}").json()
        assert told["note"] == "2 of 4 boards: paired" and told["kind"] == "batch"
        dealt = {
            sit(client, file, seat="oop", seed=seed)["hand"]["board"]
            for file in (paired,)
            for seed in range(8)
        }
        assert dealt == {"8s8h2c4d7d", "8s8h2c4d9d"}
        table = sit(client, named, seat="oop", seed=1)
        assert table["hand"]["board"] in ("QhJh2c4d7s", "8s8h2c4d9d")
        for text, message in (
            ("soggy", "bad texture 'soggy'"),
            ("trips", "no board that is finished is 'trips'"),
            ("QhJh2c4d", "no board that is finished is"),
            ("QhJh2c4dQh", "card Qh stands twice"),
        ):
            answer = client.get(f"/api/train/files/{named.partition('~')[0]}~{quote(text)}")
            assert answer.status_code == 400 and message in answer.json()["error"], text
        assert client.get(f"/api/batches/{paired}").json()["boards"] == 4
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        address = f"/api/train/tables/{table['table']}"
        while table["hand"]["result"] is None:
            table = act(client, table).json()
        for _ in range(3):
            table = client.post(f"{address}/next").json()
            assert table["hand"]["board"] in ("QhJh2c4d7s", "8s8h2c4d9d")
            while table["hand"]["result"] is None:
                table = act(client, table).json()
