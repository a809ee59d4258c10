"""Batches over the web: the report, the form, the process that solves."""

import json
import os
import shutil
import time
from dataclasses import replace

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.conftest import RIVER, TOKEN
from tests.web.made_batch import make_batch

from pokerlab.holdem.batches import Batch, BatchQuestion, load_batch, report_boards
from pokerlab.holdem.spots.question.spot_file import write_spot_fields
from pokerlab.views.report_tables import boards_data, mean_data
from pokerlab.web import make_app
from pokerlab.web.jobs.batch_process import solve_batch_job
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.pages import batch_reports


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("batches")
    make_batch(place / "some", without=2)
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def some(ids):
    return f"/api/batches/{ids['some']}"


def test_what_a_batch_asks(client, some):
    found = client.get(some).json()
    assert (found["boards"], found["solved"], found["job"]) == (25, 23, None)
    assert found["how"] == "to 0.3%, the first street"
    assert found["features"]["suits"] == ["rainbow", "two-tone", "monotone"]


def test_the_report_is_that_of_the_command_line(client, some, folder):
    found = client.get(f"{some}/report", params={"group": "suits"}).json()
    report = report_boards(load_batch(folder / "some"))
    rows = boards_data(report)
    assert found["columns"]["board"] == [row["board"] for row in rows]
    assert found["columns"]["b33"] == pytest.approx(
        [row["actions"]["b33"] for row in rows], abs=1e-5
    )
    assert found["columns"]["ip_ev"] == pytest.approx([row["ev"][1] for row in rows], abs=1e-5)
    assert found["columns"]["a_ev"] == [None] * 23
    assert found["mean"] == json.loads(json.dumps(mean_data(report, report.mean())))
    groups = {group["flops"]: group for group in found["groups"]}
    for row in report.groups("suits"):
        assert list(groups[row.name]["actions"].values()) == pytest.approx(list(row.frequencies))
    assert found["words"] == ["check", "bet 33", "all-in"]
    assert [each["goes_on"] for each in found["next"]] == [True, True, True]
    assert len(found["places"]) == 23
    assert found["command"] == "pokerlab report some --group suits"


def test_filters(client, some):
    chosen = client.get(f"{some}/report", params={"flops": "A-high", "where": "x < 0.5"}).json()
    assert chosen["columns"]["board"]
    assert set(chosen["columns"]["high"]) == {"A-high"}
    assert max(chosen["columns"]["x"]) < 0.5
    assert chosen["all"] == 23
    for field, text in (
        ("flops", "purple"),
        ("where", "b99 > 1"),
        ("where", "x > 2"),
        ("group", "moon"),
    ):
        answer = client.get(f"{some}/report", params={field: text})
        assert answer.status_code == 400
        assert answer.json()["field"] == field
    assert client.get(f"{some}/report", params={"line": "q/q"}).status_code == 400
    assert client.get(f"{some}/report", params={"hands": "nonsense"}).status_code == 400


def test_a_csv_file_of_what_is_shown(client, some):
    answer = client.get(f"{some}/csv", params={"flops": "monotone"})
    assert answer.headers["content-disposition"] == 'attachment; filename="some.csv"'
    lines = answer.text.splitlines()
    assert lines[0].startswith("board,high,pairing,suits,connectedness,broadways,weight,oop_ev")
    assert lines[1:]
    assert all(",monotone," in line for line in lines[1:])


def test_a_line_that_takes_long_says_how_far_it_is(client, some, monkeypatch):
    def slow(batch, line, hands, report):
        report(3, 23)
        raise ValueError("in the end nothing")

    monkeypatch.setattr("pokerlab.holdem.batches.report_boards", slow)
    monkeypatch.setattr(batch_reports, "_QUICK", 20.0)
    answer = client.get(f"{some}/report", params={"line": "x"})
    assert (answer.status_code, answer.json()["error"]) == (400, "in the end nothing")
    making = batch_reports._Making(None, "", None)
    making.done, making.total = 3, 23
    reports = batch_reports.BatchReports()
    monkeypatch.setattr(batch_reports, "_QUICK", 0.0)
    monkeypatch.setattr(batch_reports._Making, "start", lambda self: None)
    monkeypatch.setattr(batch_reports, "_version", lambda batch: (1,))
    assert reports.get(None, "x", "") == (0, 0)
    assert reports.get(None, "x", "") == (0, 0)  # the same one, which nobody has started


def test_a_report_that_nobody_asks_for_is_broken_off(monkeypatch):
    making = batch_reports._Making(None, "", None)
    monkeypatch.setattr(batch_reports, "_PATIENCE", -1.0)
    monkeypatch.setattr(
        "pokerlab.holdem.batches.report_boards", lambda batch, line, hands, report: report(1, 2)
    )
    making._make()
    assert making.ended.is_set()
    assert (making.report, making.error, making.done) == (None, None, 1)


def test_the_form_says_what_a_batch_takes(client, ids):
    spot = ids["river.toml"]
    boards = "QhJh2c4d7h, QhJh2c4d3s:2"
    found = client.post("/api/batches/check", json={"spot": spot, "boards": boards}).json()
    assert found["boards"] == 2
    assert found["text"].startswith("2 boards, one after the other")
    for data, field in (
        ({"spot": spot, "boards": "QhJh"}, "boards"),
        ({"spot": spot, "flops": "25"}, "spot"),  # the ranges name suits
        ({"spot": spot, "flops": "33"}, "flops"),
        ({"spot": spot, "flops": "/etc/hosts.txt"}, "flops"),
        ({"spot": spot, "flops": ""}, "flops"),
        ({"spot": spot, "boards": boards, "keep": "all"}, "keep"),
        ({"boards": boards}, "spot"),
        ({"spot": spot, "boards": boards, "target": "-3%"}, "spot"),
    ):
        answer = client.post("/api/batches/check", json=data)
        assert (answer.status_code, answer.json()["field"]) == (400, field), data
    assert (
        client.post("/api/batches/check", json={"spot": "none", "flops": "25"}).status_code == 404
    )


def test_the_form_offers_first_what_fits_many_flops(tmp_path, river_file):
    flop = RIVER.fields() | {"board": "QhJh2c"}
    river = RIVER.with_locks({"x": {"x": 1}})
    (tmp_path / "flop.toml").write_text(write_spot_fields(flop), encoding="utf-8")
    os.utime(tmp_path / "flop.toml", (1, 1))  # the oldest
    (tmp_path / "locked.toml").write_text(river.to_toml(), encoding="utf-8")
    shutil.copy(river_file, tmp_path / "river.safetensors")
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1") as client:
        client.get(f"/?token={TOKEN}")
        spots = client.get("/api/batches").json()["spots"]
        assert [each["name"] for each in spots] == ["flop.toml", "river.safetensors", "locked.toml"]
        asked = {"spot": spots[0]["id"], "boards": "QhJh2c\nTd9d6h Td9d6hQc:2, As Kd 2c"}
        assert client.post("/api/batches/check", json=asked).json()["boards"] == 4


def test_names_that_are_taken_or_lead_out_are_refused(client, ids, folder):
    data = {"spot": ids["river.toml"], "boards": "QhJh2c4d7h"}
    for name in ("some", "../out", "", "a/b"):
        answer = client.post("/api/batches", json={**data, "name": name})
        assert (answer.status_code, answer.json()["field"]) == (400, "name")
    assert sorted(path.name for path in folder.iterdir() if path.name != ".pokerlab") == [
        "river.toml",
        "some",
    ]


def test_a_batch_is_solved_by_a_job_and_its_boards_open_in_study(tmp_path, monkeypatch):
    from starlette.testclient import TestClient

    from pokerlab.web import make_app

    (tmp_path / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    app = make_app(tmp_path, token=TOKEN)
    monkeypatch.setattr(app.state.site.jobs, "start", lambda: None)  # the test does the work
    with TestClient(app, base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        spot = client.get("/api/library").json()["files"][0]["id"]
        made = client.post(
            "/api/batches",
            json={
                "spot": spot,
                "boards": "QhJh2c4d7h, QhJh2c4d3s:2",
                "name": "two",
                "target": "1%",
            },
        ).json()
        batch = f"/api/batches/{made['id']}"
        job = JobFolder(app.state.site.jobs.place / made["job"])
        assert client.get(batch).json()["job"]["status"] == "queued"
        assert client.get(f"{batch}/report").status_code == 400  # nothing is solved yet
        assert client.post(f"{batch}/go-on", json={}).json()["error"] == "it runs already"

        job.write_control(action="pause")  # before it begins: nothing is begun
        solve_batch_job(job.path)
        view = client.get(batch).json()
        assert view["job"]["status"] in ("paused", "done")
        if view["job"]["status"] == "paused":
            assert client.post(f"{batch}/go-on", json={}).json()["job"] == job.id
            solve_batch_job(job.path)
        view = client.get(batch).json()
        assert (view["solved"], view["job"]["status"], view["job"]["done"]) == (2, "done", 2)
        report = client.get(f"{batch}/report").json()
        assert report["columns"]["board"] == ["QhJh2c4d7h", "QhJh2c4d3s"]
        opened = client.get(f"/api/solutions/{made['id']}-QhJh2c4d3s/node", params={"line": ""})
        assert opened.status_code == 200
        assert client.get(f"/api/solutions/{made['id']}-QhJh2c4d2d/node").status_code == 404
        assert client.get(f"/api/solutions/{made['id']}-..%2F..%2Fx/node").status_code == 404

        grown = client.post(f"{batch}/go-on", json={"boards": "QhJh2c4d7h, QhJh2c4dTs"}).json()
        assert client.get(batch).json()["boards"] == 3
        assert grown["job"] != job.id


def test_a_batch_whose_process_was_killed_goes_on(tmp_path, monkeypatch):
    from starlette.testclient import TestClient

    from pokerlab.web import make_app

    make_batch(tmp_path / "some", without=2)
    app = make_app(tmp_path, token=TOKEN)
    monkeypatch.setattr(app.state.site.jobs, "start", lambda: None)
    with TestClient(app, base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        batch = f"/api/batches/{client.get('/api/library').json()['files'][0]['id']}"
        begun = client.post(f"{batch}/go-on", json={}).json()["job"]
        job = JobFolder(app.state.site.jobs.place / begun)
        job.write_state(status="running", process=[2**22 + 1, 0.0], began=0.0)  # no such process
        job.tell(phase="iterating", done=23, rate=0.5, left=4.0)
        view = client.get(batch).json()["job"]
        assert (view["status"], view["done"], view["total"]) == ("interrupted", 23, 25)
        assert (view["ended"], "go-on" in view["can"]) == (True, True)
        assert view["elapsed"] is None  # nobody knows when it was killed
        assert client.post(f"{batch}/go-on", json={}).json()["job"] == begun  # the same job
        assert client.get(batch).json()["job"]["status"] == "queued"
        assert client.post(f"/api/jobs/{begun}/cancel", json={}).json()["status"] == "cancelled"
        assert client.get(f"{batch}/report").json()["all"] == 23  # what is solved stays


def test_boards_are_added_while_it_runs_and_it_is_killed(tmp_path):
    """Nothing is solved twice, nothing is lost, and one job does it all."""
    boards = {f"QhJh2c4d{card}": 1.0 for card in ("7h", "3s", "Ts")}
    question = BatchQuestion.of(RIVER, boards, target=None, seconds=0.4)
    Batch.begin(tmp_path / "slow", question)
    with TestClient(make_app(tmp_path, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        client.get(f"/?token={TOKEN}")
        address = f"/api/batches/{client.get('/api/library').json()['files'][0]['id']}"

        def view():
            return client.get(address).json()

        def until(reached):
            give_up = time.monotonic() + 60
            while not reached(view()):
                assert time.monotonic() < give_up, view()
                time.sleep(0.03)
            return view()

        def add(**named):
            return client.post(f"{address}/go-on", json=named)

        job = add().json()["job"]
        until(lambda found: found["solved"] >= 1)
        more = add(boards="QhJh2c4d2s QhJh2c4d7h\nQhJh2c4dKs").json()
        assert more == {"id": address[-12:], "job": job, "added": 2}
        assert add(boards="QhJh2c4d2s").json()["added"] == 0
        for field, text in (("boards", "QhJh2c4d4d"), ("boards", "QhJh"), ("flops", "AK7r")):
            answer = add(**{field: text})
            assert (answer.status_code, answer.json()["field"]) == (400, field)
        found = view()
        assert (found["boards"], found["job"]["total"], found["job"]["ended"]) == (5, 5, False)

        jobs = client.app.state.site.jobs
        jobs.close()  # the test goes on with the job itself, without another process
        psutil.Process(int(jobs.find(job).state()["process"][0])).kill()
        until(lambda found: found["job"]["status"] == "interrupted")
        solved = {row.board for row in load_batch(tmp_path / "slow").rows()}
        times = {
            board: (tmp_path / "slow/solutions" / f"{board}.safetensors").stat().st_mtime_ns
            for board in solved
        }
        assert 1 <= len(times) < 5
        assert add(boards="QhJh2c4d5s").json() == {"id": address[-12:], "job": job, "added": 1}
        solve_batch_job(jobs.find(job).path)
        found = until(lambda found: found["job"]["status"] == "done")
        assert (found["solved"], found["boards"], found["job"]["done"]) == (6, 6, 6)
        assert found["job"]["id"] == job
        for board, when in times.items():
            path = tmp_path / "slow/solutions" / f"{board}.safetensors"
            assert path.stat().st_mtime_ns == when
        assert len(client.get(f"{address}/report").json()["columns"]["board"]) == 6


def test_boards_that_come_while_a_job_ends_are_solved(tmp_path, monkeypatch):
    """It looks again before it says that it is done."""
    question = BatchQuestion.of(RIVER, {"QhJh2c4d7h": 1.0}, target="2%")
    batch = Batch.begin(tmp_path / "late", question)
    job = JobFolder(tmp_path / "job")
    job.path.mkdir()
    job.write_question({"kind": "batch", "output": str(batch.folder), "boards": 1})
    ending, added = JobFolder.ending, []

    def add_at_the_end(self):
        if not added:
            added.append(Batch.begin(batch.folder, replace(question, boards={"QhJh2c4d3s": 1.0})))
        return ending(self)

    monkeypatch.setattr(JobFolder, "ending", add_at_the_end)
    solve_batch_job(job.path)
    assert job.state()["status"] == "done"
    assert {row.board for row in load_batch(batch.folder).rows()} == {"QhJh2c4d7h", "QhJh2c4d3s"}


def test_a_folder_that_is_gone_is_a_failed_job(tmp_path):
    job = JobFolder(tmp_path / "job")
    job.path.mkdir()
    job.write_question({"kind": "batch", "output": str(tmp_path / "gone")})
    solve_batch_job(job.path)
    state = job.state()
    assert state["status"] == "failed"
    assert "not the folder of a batch" in state["error"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["line", "hands", "flops", "where", "group"]),
        st.one_of(
            st.text(max_size=12), st.sampled_from(["suits,pairing", "x > 0", "A-high", "set"])
        ),
    )
)
def test_no_question_is_an_error_of_the_server(client, some, query):
    query = {**query, "line": ""} if query.get("line", "") else query  # lines open solutions
    assert client.get(f"{some}/report", params=query).status_code in (200, 202, 400)


def test_many_flops_are_one_small_answer(client, folder):
    make_batch(folder / "many", "184")
    try:
        ids = {each["name"]: each["id"] for each in client.get("/api/library").json()["files"]}
        answer = client.get(f"/api/batches/{ids['many']}/report")
        while answer.status_code == 202:
            answer = client.get(f"/api/batches/{ids['many']}/report")
        assert len(answer.json()["columns"]["board"]) == 184
        assert len(answer.content) < 40_000  # all 1,755: below 400 kB, 80 kB on the wire
    finally:
        shutil.rmtree(folder / "many")
