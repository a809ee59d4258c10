"""Solves in processes of their own: queue, stop, pause, go on, kill."""

import json
import os
import signal
import threading
import time

import psutil
import pytest
from starlette.testclient import TestClient

from pokerlab.holdem.spots import Spot, load_postflop
from pokerlab.web import make_app
from pokerlab.web.jobs import queue as jobs_module
from pokerlab.web.jobs.job_folder import JobFolder, is_alive, process_identity
from pokerlab.web.jobs.job_view import job_view, phase_text
from pokerlab.web.jobs.solve_process import solve_job

from .conftest import RIVER

LONG = Spot(
    "QhJh2c4d",
    "AA, KQs, JTs, 98s",
    "QQ, AJs, T9s, 55",
    pot=100,
    stack=400,
    bet="50%, a",
    raise_="60%, a",
)
NEVER = {"target": "0.0000001%", "threads": 1, "device": "cpu"}
"""A target that no solve reaches."""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    (tmp_path / "turn.toml").write_text(LONG.to_toml(), encoding="utf-8")
    return tmp_path


class Site:
    """A client, and what it knows."""

    def __init__(self, place):
        self.place = place
        self.app = make_app(place, token="t")
        self.client = TestClient(self.app, base_url="http://127.0.0.1")
        self.client.__enter__()
        self.client.get("/?token=t")
        files = self.client.get("/api/library").json()["files"]
        self.ids = {entry["name"]: entry["id"] for entry in files}

    def close(self):
        self.client.__exit__(None, None, None)

    @property
    def jobs(self):
        return self.app.state.site.jobs

    def begin(self, name, **more):
        answer = self.client.post("/api/jobs", json={"spot": self.ids[name], **more})
        assert answer.status_code == 200, answer.text
        return answer.json()["id"]

    def act(self, id_, action, **more):
        return self.client.post(f"/api/jobs/{id_}/{action}", json=more)

    def view(self, id_):
        return self.client.get(f"/api/jobs/{id_}").json()

    def runs_here(self, id_):
        state = self.jobs.find(id_).state()
        return state["status"] == "running" and state["process"] == process_identity()

    def until(self, id_, condition, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            view = self.view(id_)
            if condition(view):
                return view
            time.sleep(0.02)
        raise AssertionError(f"in vain: {view}")


@pytest.fixture
def site(place):
    made = Site(place)
    yield made
    for view in made.jobs.views():
        if made.runs_here(view["id"]):  # to cancel it would be to kill this process
            made.act(view["id"], "stop")
            made.until(view["id"], ended)
        elif not view["ended"]:
            made.jobs.cancel(view["id"])
    made.close()


@pytest.fixture
def here(monkeypatch):
    """Solves in threads of this process, which is warm; the rest is the same."""

    def start(self, job):
        # Before the thread is: until then the queue would start the same solve again.
        job.write_state(status="running", process=process_identity(), began=time.time())
        thread = threading.Thread(target=solve_job, args=[job.path], daemon=True)
        thread.start()

    with monkeypatch.context() as patches:
        patches.setattr(jobs_module.Jobs, "_start", start)
        patches.setattr(jobs_module, "_holds_memory", lambda state: state["status"] == "running")
        yield patches


def ended(view):
    return view["ended"]


def iterates(view):
    return view["iteration"] is not None and len(view["points"]) > 3


def test_a_solve_from_begin_to_end(site, here):
    id_ = site.begin("river.toml", target="0.5%", threads=1)
    with site.client.stream("GET", f"/api/jobs/{id_}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        views = [
            json.loads(line.removeprefix("data: "))
            for line in stream.iter_lines()
            if line.startswith("data: ")
        ]
    last = views[-1]
    assert last["status"] == "done", last
    assert last["reached"]["percent"] <= 0.5
    assert [point[0] for point in last["points"]] == sorted(point[0] for point in last["points"])
    assert {view["status"] for view in views} <= {"queued", "running", "done"}
    solution = load_postflop(site.place / last["output"])
    assert solution.spot == RIVER
    assert solution.exploitability.percent <= 0.5
    files = {entry["id"]: entry for entry in site.client.get("/api/library").json()["files"]}
    assert files[last["solution"]]["kind"] == "solution"
    assert not last["checkpoint"]
    # A lower target goes on from the solution, in the same file.
    before = solution.iterations
    assert site.act(id_, "go-on", target="0.1%").status_code == 200
    after = site.until(id_, ended)
    assert after["status"] == "done"
    # The curve and the clock go on, too.
    assert after["points"][: len(last["points"])] == last["points"]
    for column in (0, 1):
        numbers = [point[column] for point in after["points"]]
        assert numbers == sorted(numbers) and numbers[-1] > last["points"][-1][column]
    assert after["elapsed"] > last["elapsed"]
    better = load_postflop(site.place / last["output"])
    assert better.exploitability.percent <= 0.1
    assert better.iterations > before
    assert site.act(id_, "cancel").json()["status"] == "forgotten"
    assert site.client.get(f"/api/jobs/{id_}").status_code == 404
    assert (site.place / last["output"]).exists()


@pytest.mark.parametrize(
    ("status", "stopped", "words"),
    [
        ("done", "target", "done: the target is reached"),
        ("done", "cancelled", "stopped, and kept"),
        ("done", "stalled", "done: stalled"),
        ("done", "of another reason", "done: of another reason"),
        ("paused", None, "paused"),
    ],
)
def test_each_end_has_words(status, stopped, words):
    assert phase_text({"status": status, "stopped": stopped}, {}, {}, None) == words


def test_what_the_process_before_said_is_over_when_another_one_starts(tmp_path):
    job = JobFolder(tmp_path)
    job.write_question({"output": str(tmp_path / "x")})
    job.tell(phase="iterating", time=100.0, iteration=7, left=3.0, points=[[7, 1.0, 0.5]])
    job.write_state(status="running", process=process_identity(), began=200.0)
    view = job_view(job, None)
    assert (view["phase"], view["left_text"], view["iteration"]) == ("starting", None, 7)
    job.tell(phase="iterating", time=201.0, iteration=8, left=3.0)
    view = job_view(job, None)
    assert (view["phase"], view["left_text"], view["iteration"]) == ("solving", "about 3 s", 8)


def test_one_at_a_time_stop_and_keep(site, here):
    first = site.begin("turn.toml", **NEVER)
    second = site.begin("river.toml", target="1%", threads=1)
    third = site.begin("river.toml", target="1%", threads=1)
    site.until(first, iterates)
    assert site.view(second)["status"] == "queued"
    assert site.act(third, "cancel").json()["status"] == "cancelled"
    assert site.act(second, "stop").status_code == 400
    view = site.view(first)
    assert {"stop", "pause", "target", "cancel"} == set(view["can"])
    site.act(first, "stop")
    view = site.until(first, ended)
    assert view["status"] == "done"
    solution = load_postflop(site.place / view["output"])
    assert solution.stopped == "cancelled"
    assert site.until(second, ended)["status"] == "done"
    assert site.view(third)["status"] == "cancelled"
    # What was stopped goes on to its target; what has reached it needs another one.
    assert site.act(second, "go-on").json()["field"] == "target"
    assert "go-on" in site.view(first)["can"]
    assert site.act(first, "go-on").status_code == 200
    site.until(first, lambda view: (view["iteration"] or 0) > solution.iterations)
    site.act(first, "stop")
    assert site.until(first, ended)["status"] == "done"
    again = load_postflop(site.place / view["output"])
    assert again.iterations > solution.iterations


def test_pause_go_on_another_target_and_a_new_server(site, here):
    id_ = site.begin("turn.toml", **NEVER)
    site.until(id_, iterates)
    site.act(id_, "pause")
    paused = site.until(id_, ended)
    assert paused["status"] == "paused"
    assert paused["checkpoint"]
    assert not (site.place / paused["output"]).exists()
    site.act(id_, "go-on")
    going = site.until(id_, lambda view: iterates(view) and view["iteration"] > paused["iteration"])
    assert going["elapsed"] > paused["elapsed"]
    assert going["points"][: len(paused["points"])] == paused["points"]
    # The server is gone, the solve goes on; the next server finds it.
    site.jobs.close()
    other = Site(site.place)
    view = other.view(id_)
    assert view["status"] == "running"
    # A target that is reached already ends it.
    assert other.act(id_, "go-on", target="50%").status_code == 200
    assert other.until(id_, ended)["status"] == "done"
    assert (site.place / view["output"]).exists()
    other.close()


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_a_process_that_is_killed_goes_on_from_its_checkpoint(site, here):
    id_ = site.begin("turn.toml", **NEVER)
    site.until(id_, iterates)
    site.act(id_, "pause")
    before = site.until(id_, ended)["iteration"]
    here.undo()  # from here on in a process of its own
    site.jobs.find(id_).write_state(status="paused")
    site.act(id_, "go-on")
    site.until(id_, lambda view: iterates(view) and view["iteration"] > before)
    process = site.jobs.find(id_).state()["process"]
    assert process[0] != os.getpid()
    os.kill(int(process[0]), signal.SIGKILL)
    view = site.until(id_, ended)
    assert view["status"] == "interrupted"
    assert "killed" in view["phase"]
    assert view["can"] == ["go-on", "stop", "cancel"]
    assert not is_alive(process)
    # What the checkpoint holds becomes a solution.
    site.act(id_, "stop")
    view = site.until(id_, ended)
    assert view["status"] == "done"
    assert load_postflop(site.place / view["output"]).iterations >= before


def test_a_lower_target_while_it_runs(site, here):
    """The target at the start is met after a few iterations, the lower one later."""
    id_ = site.begin("turn.toml", target="0.5%", threads=1, device="cpu")
    assert site.act(id_, "go-on", target="0.05%").status_code == 200
    view = site.until(id_, ended)
    assert view["status"] == "done"
    assert view["reached"]["percent"] <= 0.05


def test_what_does_not_fit_waits_or_is_refused(site, monkeypatch):
    monkeypatch.setattr(jobs_module, "free_memory", lambda: 1_000_000)
    id_ = site.begin("river.toml", threads=1)
    view = site.until(id_, lambda view: view["phase"].startswith("waiting for memory"))
    assert view["status"] == "queued"
    site.act(id_, "cancel")
    memory = psutil.virtual_memory()._replace(total=1_000_000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    answer = site.client.post("/api/jobs", json={"spot": site.ids["river.toml"]})
    assert answer.status_code == 400
    assert answer.json()["field"] == "memory"


def test_bad_questions_name_the_field(site):
    river = site.ids["river.toml"]
    fields = RIVER.fields()
    for data, field in [
        ({}, "spot"),
        ({"spot": 3}, "spot"),
        ({"spot": "board = 3"}, "spot"),
        ({"spot": {**fields, "pot": -1}}, "pot"),
        ({"spot": {**fields, "oop": "@../../secret"}}, "oop"),
        ({"spot": river, "target": "none"}, "target"),
        ({"spot": river, "target": -1}, "target"),
        ({"spot": river, "iterations": 0}, "iterations"),
        ({"spot": river, "iterations": 1.5}, "iterations"),
        ({"spot": river, "precision": 8}, "precision"),
        ({"spot": river, "rule": "magic"}, "rule"),
        ({"spot": river, "groups": "magic"}, "groups"),
        ({"spot": river, "device": "abacus"}, "device"),
        ({"spot": river, "keep": "some"}, "keep"),
        ({"spot": river, "name": "../x"}, "name"),
        ({"spot": river, "locks": {"x": 3}}, "locks"),
        ({"spot": river, "locks": {"nowhere": {"b50": 0.5}}}, "locks"),
        ({"spot": river, "unlocked": ["x"]}, "unlocked"),
        ({"spot": river, "unlocked": "x"}, "unlocked"),
    ]:
        answer = site.client.post("/api/jobs", json=data)
        assert answer.status_code == 400, data
        assert answer.json()["field"] == field, answer.json()
    assert site.client.post("/api/jobs", json={"spot": "0" * 12}).status_code == 404
    assert site.client.get("/api/jobs").json() == {"jobs": []}
    for path in ("/api/jobs/x", "/api/jobs/" + "0" * 12, "/api/jobs/..%2f..", "/api/jobs/x/events"):
        assert site.client.get(path).status_code == 404


def test_two_solves_of_one_spot_have_two_files(site, monkeypatch):
    monkeypatch.setattr(jobs_module, "free_memory", lambda: 0)  # they stay in the queue
    names = [site.view(site.begin("river.toml"))["output"] for _ in range(2)]
    assert names == ["river.safetensors", "river-2.safetensors"]


def test_locks_of_a_solution_are_removed_replaced_and_kept(site, monkeypatch):
    monkeypatch.setattr(jobs_module, "free_memory", lambda: 0)  # it stays in the queue
    locked = RIVER.with_locks({"": {"x": 1}, "x": {"x": 1}, "x/b51": {"f": 1}})
    data = {"spot": locked.to_toml(), "unlocked": ["", "x"], "locks": {"x": {"a": 1}}}
    id_ = site.client.post("/api/jobs", json=data).json()["id"]
    spot = Spot.from_toml(site.jobs.find(id_).question()["spot"])
    assert spot == RIVER.with_locks({"x/b51": {"f": 1}, "x": {"a": 1}})


def test_a_process_number_that_was_given_again_is_another_process():
    number, began = process_identity()
    assert is_alive([number, began])
    assert not is_alive([number, began - 100])
    assert not is_alive(None)
    assert not is_alive([10**9, 0.0])


def test_half_a_line_of_progress_is_read_when_it_is_whole(tmp_path):
    job, path = JobFolder(tmp_path), tmp_path / "progress.jsonl"
    path.write_bytes(b'{"phase": "beginning"}\n{"phase": "ite')
    assert len(job.lines()) == 1
    with path.open("ab") as file:
        file.write(b'rating"}\nnonsense\n[1]\n')
    assert [line["phase"] for line in job.lines()] == ["beginning", "iterating"]
    job.tell(phase="beginning")
    assert len(job.lines()) == 1


def test_a_full_disk_is_a_message_and_costs_nothing(site, here, monkeypatch):
    import errno

    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.solvers import loop
    from pokerlab.web.jobs import solve_process

    full = threading.Event()
    full.set()
    save = PostflopSolution.save

    def save_if_there_is_room(self, path):
        if full.is_set():
            raise OSError(errno.ENOSPC, "No space left on device")
        save(self, path)

    def no_checkpoint(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(PostflopSolution, "save", save_if_there_is_room)
    monkeypatch.setattr(loop, "save_checkpoint", no_checkpoint)
    monkeypatch.setattr(solve_process, "_SECONDS_BETWEEN_SAVES", 0.01)
    id_ = site.begin("river.toml", target="1%", threads=1)
    view = site.until(id_, lambda view: view["phase"] == "waiting for the disk")
    assert view["status"] == "running"
    assert "the disk is full" in view["warnings"][0]
    full.clear()  # somebody made room
    view = site.until(id_, ended)
    assert view["status"] == "done"
    assert load_postflop(site.place / view["output"]).exploitability.percent <= 1


def test_a_question_that_cannot_be_written_is_a_message(site, monkeypatch):
    def no_room(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JobFolder, "write_question", no_room)
    answer = site.client.post("/api/jobs", json={"spot": site.ids["river.toml"]})
    assert answer.status_code == 400
    assert answer.json()["error"] == "the disk is full: make room, and try again"
    assert site.client.get("/api/jobs").json() == {"jobs": []}


def test_a_pause_that_cannot_be_saved_becomes_an_answer(site, here, monkeypatch):
    from pokerlab.solvers import loop

    def no_checkpoint(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loop, "save_checkpoint", no_checkpoint)
    id_ = site.begin("turn.toml", **NEVER)
    site.until(id_, iterates)
    site.act(id_, "pause")
    view = site.until(id_, ended)
    assert view["status"] == "done"
    assert (site.place / view["output"]).exists()


def test_no_room_for_the_solution_is_said_before_the_solve(site, monkeypatch):
    import shutil

    usage = shutil.disk_usage(site.place)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10))
    answer = site.client.post("/api/jobs", json={"spot": site.ids["river.toml"]})
    assert answer.json()["field"] == "disk"


def test_two_servers_start_a_solve_once(place, monkeypatch):
    started = []

    def start(self, job):
        started.append(job.id)
        job.write_state(status="running", process=process_identity())

    monkeypatch.setattr(jobs_module.Jobs, "_start", start)
    several = [jobs_module.Jobs(place) for _ in range(3)]
    id_ = several[0].add({"output": "x", "created": 0.0})
    threads = [threading.Thread(target=jobs._start_next) for jobs in several]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert started == [id_]
    # One that waits is cancelled, and no server starts it any more.
    second = several[1].add({"output": "y", "created": 1.0})
    several[2].cancel(second)
    several[0].find(id_).write_state(status="done")
    several[0]._start_next()
    assert started == [id_]


def test_two_browsers_on_one_solve(site, here):
    """Each has a cookie and a stream of its own; what one does, the other sees."""
    other = TestClient(site.app, base_url="http://127.0.0.1")
    assert other.get("/api/jobs").status_code == 403
    other.get("/?token=t")
    id_ = site.begin("turn.toml", **NEVER)
    site.until(id_, iterates)
    seen = {}

    def follow(name, client):
        with client.stream("GET", f"/api/jobs/{id_}/events") as stream:
            lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
        seen[name] = json.loads(lines[-1].removeprefix("data: "))["status"]

    followers = [
        threading.Thread(target=follow, args=each)
        for each in (("one", site.client), ("other", other))
    ]
    for follower in followers:
        follower.start()
    assert other.post(f"/api/jobs/{id_}/stop", json={}).status_code == 200
    for follower in followers:
        follower.join(60)
    assert seen == {"one": "done", "other": "done"}


def test_a_solve_that_stands_still_says_what_to_try(site, here):
    id_ = site.begin("river.toml", target="0.0000001%", threads=1, precision=16)
    view = site.until(id_, ended)
    assert view["status"] == "done"
    assert view["phase"].startswith("stalled: the exploitability has not fallen by a tenth")
    assert view["phase"].endswith("try more bits (32) or another rule (cfr+)")
    assert "go-on" in view["can"]
    solution = load_postflop(site.place / view["output"])
    assert solution.stopped == "stalled"
    assert site.act(id_, "go-on").status_code == 200
    site.until(id_, lambda view: (view["iteration"] or 0) > solution.iterations)
    site.act(id_, "stop")
    site.until(id_, ended)
