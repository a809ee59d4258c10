"""Study of a solve that has not ended: its states, routes, kills, full disks."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokerlab.holdem.spots import PostflopSolution, load_postflop, solve_spot
from pokerlab.runtime.machine import free_memory
from pokerlab.web.jobs import queue as jobs_module
from pokerlab.web.jobs.job_folder import is_alive, process_identity
from pokerlab.web.jobs.look_process import read_state
from pokerlab.web.routes.solutions import report

from .test_jobs import LONG, NEVER, ended, here, iterates, place, site

__all__ = ["here", "place", "site"]


@pytest.fixture
def reads_here(monkeypatch):
    """Checkpoints are read in this process, which is warm."""

    def read(self, job):
        job.wish_look(process_identity())
        read_state(job.path)

    monkeypatch.setattr(jobs_module.Jobs, "_read_checkpoint", read)


def look(site, id_, after=None):
    """Ask for a state, and wait for it; the view of the solve and the id of the state."""
    answer = site.act(id_, "look")
    assert answer.status_code == 200, answer.text

    def there(view):
        return not view["look"]["busy"] and view["look"]["iteration"] not in (None, after)

    view = site.until(id_, there)
    assert view["look"]["error"] is None
    return view, f"live-{id_}-{view['look']['iteration']}"


def begin(site):
    id_ = site.begin("turn.toml", **NEVER)
    site.until(id_, iterates)
    return id_


def get(site, id_, what="", **query):
    return site.client.get(f"/api/solutions/{id_}{what}", params=query)


def test_a_running_solve_is_studied(site, here):
    id_ = begin(site)
    assert site.view(id_)["look"] | {"newer": True} == {
        "open": True,
        "iteration": None,
        "newer": True,
        "busy": False,
        "error": None,
    }
    view, state = look(site, id_)
    assert view["status"] == "running"
    iteration = view["look"]["iteration"]
    once = get(site, state).json()
    assert once["iterations"] == iteration and not once["certified"]
    assert once["state"].endswith(f"of the pot at iteration {iteration:,}")
    assert "certificate follows" in once["certificate"]
    # The strategies are those of a solve that stops there; so are the values.
    stopped = solve_spot(LONG, iterations=iteration, threads=1, device="cpu")
    for line in ("", "x", "b50/c/7h"):
        node = get(site, state, "/node", line=line).json()
        values = get(site, state, "/values", line=line).json()
        its = stopped.at(line)
        assert node["command"].split()[2] == f".pokerlab/jobs/{id_}/state-{iteration}.safetensors"
        order = np.sort(stopped.boards.combos[its.player])[::-1]
        mine = np.array(node["strategy"], float)
        there = ~np.isnan(mine[0])
        np.testing.assert_allclose(mine[:, there], its.strategy[:, order][:, there], atol=6e-5)
        found = np.array(values["ev"][its.player], float)
        known = ~np.isnan(found)
        assert known.any()
        np.testing.assert_allclose(found[known], its.ev[its.player][order][known], atol=0.02)
    for what, query in [
        ("/report", {"line": "x/x"}),
        ("/filter", {"line": "", "hands": "AA"}),
        ("/range", {"line": "x", "player": "ip"}),
        ("/hand", {"line": "", "hand": "AA"}),
        ("/deal", {"line": "", "seed": "1"}),
    ]:
        assert get(site, state, what, **query).status_code == 200, what
    csv = get(site, state, "/hands.csv", line="x")
    assert "turn-x.csv" in csv.headers["content-disposition"]
    # A newer state takes its place.
    newer, following = look(site, id_, after=iteration)
    assert newer["look"]["iteration"] > iteration
    assert get(site, following).json()["iterations"] == newer["look"]["iteration"]
    gone = get(site, state, "/node", line="x")
    assert gone.status_code == 404 and "is gone" in gone.json()["error"]
    assert newer["trend"] in ("still falling", "not falling just now", "standing still")
    # Nothing of it is left when the solve has ended; the solution has all lines.
    site.act(id_, "stop")
    view = site.until(id_, ended)
    assert view["status"] == "done" and not view["look"]["open"]
    assert not [path.name for path in site.jobs.find(id_).path.glob("*.safetensors")]
    assert get(site, following).status_code == 404
    assert get(site, view["solution"], "/node", line="b50/c/7h").status_code == 200
    assert get(site, view["solution"]).json()["certified"]
    refused = site.act(id_, "look")
    assert refused.status_code == 400 and "it has ended" in refused.json()["error"]


def test_a_paused_solve_is_studied_from_its_checkpoint(site, here, reads_here):
    id_ = begin(site)
    view, before = look(site, id_)
    site.act(id_, "pause")
    paused = site.until(id_, ended)
    assert paused["look"] == {
        "open": True,
        "iteration": view["look"]["iteration"],
        "newer": True,
        "busy": False,
        "error": None,
    }
    checkpoint = site.jobs.find(id_).checkpoint
    kept = checkpoint.read_bytes()
    view, state = look(site, id_, after=view["look"]["iteration"])
    assert view["look"]["iteration"] == paused["iteration"] and not view["look"]["newer"]
    assert get(site, before).status_code == 404
    node = get(site, state, "/node", line="x").json()
    assert node["kind"] == "decision"
    # What is there already is not made again, and the checkpoint is as it was.
    path = site.jobs.find(id_).state_path(paused["iteration"])
    written = path.stat().st_mtime_ns
    assert site.act(id_, "look").status_code == 200
    assert path.stat().st_mtime_ns == written
    assert checkpoint.read_bytes() == kept
    # It goes on as if nobody had looked, and what was shown stays until somebody asks again.
    site.act(id_, "go-on")
    going = site.until(id_, lambda view: view["iteration"] and view["look"]["newer"])
    assert going["look"]["iteration"] == paused["iteration"]
    assert get(site, state, "/node", line="x").json() == node


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_a_killed_solve_is_studied_as_far_as_it_was_saved(site, here):
    id_ = begin(site)
    site.act(id_, "pause")
    saved = site.until(id_, ended)["iteration"]
    here.undo()  # from here on in processes of their own
    site.act(id_, "go-on")
    site.until(id_, lambda view: iterates(view) and view["iteration"] > saved)
    job = site.jobs.find(id_)
    # Killed while a state is wanted: what was half written is not seen, and goes with the next.
    assert site.act(id_, "look").status_code == 200
    os.kill(int(job.state()["process"][0]), signal.SIGKILL)
    view = site.until(id_, ended)
    assert view["status"] == "interrupted" and not view["look"]["busy"]
    job.remove_states()
    (job.path / ".state-1.safetensors.half.tmp").write_bytes(b"half")
    view, state = look(site, id_)
    assert view["look"]["iteration"] == saved
    assert get(site, state, "/node", line="x").status_code == 200
    assert view["can"] == ["go-on", "stop", "cancel"]
    # Another server finds it as it is.
    other = type(site)(site.place)
    assert get(other, state, "/node", line="x").json()["line"] == "x"
    # A checkpoint that is damaged is one line.
    whole = job.checkpoint.read_bytes()
    job.checkpoint.write_bytes(whole[:-9])
    assert other.act(id_, "look").status_code == 200
    view = other.until(id_, lambda view: not view["look"]["busy"])
    assert "damaged" in view["look"]["error"] and str(site.place) not in view["look"]["error"]
    other.close()
    assert site.act(id_, "cancel").status_code == 200
    assert site.view(id_)["look"]["open"] is False
    assert get(site, state).status_code == 404


def test_a_full_disk_costs_the_look_and_not_the_solve(site, here, monkeypatch):
    save = PostflopSolution.save

    def no_room(self, path):
        if "state-" in str(path):
            raise OSError(28, "No space left on device")
        save(self, path)

    id_ = begin(site)
    monkeypatch.setattr(PostflopSolution, "save", no_room)
    site.act(id_, "look")
    view = site.until(id_, lambda view: view["look"]["error"])
    assert view["look"]["error"].startswith("the disk is full: this state takes")
    assert view["status"] == "running" and view["warnings"] == []
    monkeypatch.setattr(PostflopSolution, "save", save)
    view, _ = look(site, id_)
    assert view["look"]["error"] is None
    site.act(id_, "stop")
    assert site.until(id_, ended)["status"] == "done"


def test_what_is_not_there_is_one_plain_line(site, here, reads_here, monkeypatch):
    unknown = "0" * 12
    for id_ in ("live-", "live-x", f"live-{unknown}", f"live-{unknown}-3", "live-../../x-3"):
        for what in ("", "/node", "/values", "/report", "/hands.csv"):
            answer = get(site, id_, what)
            assert answer.status_code == 404, (id_, what)
            assert "\n" not in answer.json()["error"]
    assert site.act(unknown, "look").status_code == 404
    for kind in ("batch", "simplify"):
        other = site.jobs.add({"kind": kind, "asked": {}})
        site.jobs.find(other).write_state(status="paused")
        answer = site.act(other, "look")
        assert answer.status_code == 400 and "one spot" in answer.json()["error"]
        site.jobs.find(other).write_state(status="done")
    monkeypatch.setattr(jobs_module, "free_memory", lambda: 0)  # it stays in the queue
    id_ = site.begin("turn.toml", **NEVER)
    answer = site.act(id_, "look")
    assert answer.status_code == 400 and "nothing was saved" in answer.json()["error"]
    assert site.act(id_, "look", target="1%").status_code == 400
    job = site.jobs.find(id_)
    # A checkpoint for which there is no memory.
    job.checkpoint.write_bytes(b"large")
    answer = site.act(id_, "look")
    assert answer.status_code == 400 and answer.json()["field"] == "memory"
    monkeypatch.setattr(jobs_module, "free_memory", free_memory)
    job.write_state(status="paused")
    assert site.act(id_, "look").status_code == 200
    assert "damaged" in site.view(id_)["look"]["error"]
    job.checkpoint.unlink()
    # A state that is damaged; other states and files of the folder are no ids.
    solution = solve_spot(LONG, iterations=3, threads=1)
    solution.save(job.state_path(3))
    state = f"live-{id_}-3"
    assert get(site, state).status_code == 200
    job.state_path(4).write_bytes(job.state_path(3).read_bytes()[:-50])
    for what in ("", "/node", "/values"):
        answer = get(site, f"live-{id_}-4", what)
        assert answer.status_code == 400 and "damaged" in answer.json()["error"]
    (job.path / "state-x.safetensors").write_bytes(b"")
    assert job.newest_state()[0] == 4
    # It is only to look at.
    for address, body in [
        (f"/api/solutions/{state}/lock", {"line": "x", "wanted": {"x": 0.5}}),
        ("/api/train", {"solution": state}),
        ("/api/tasks/simplify", {"solution": state, "step": "25%"}),
        ("/api/jobs", {"solution": state, "target": "1%"}),
        (f"/api/library/{state}/rename", {"name": "mine"}),
        (f"/api/library/{state}/delete", {}),
    ]:
        answer = site.client.post(address, json=body)
        assert answer.status_code in (400, 404), address
    assert load_postflop(job.state_path(3)).iterations == 3
    assert json.loads((job.path / "look.json").read_bytes()).keys() == {"error"}


def kept(site, monkeypatch, status="paused"):
    """A solve that was never begun, as if it had been."""
    monkeypatch.setattr(jobs_module, "free_memory", lambda: 0)  # it stays in the queue
    job = site.jobs.find(site.jobs.add({"name": "turn", "bytes": 1}))
    job.write_state(status=status)
    return job


def test_a_state_that_goes_while_it_is_read(site, here, monkeypatch):
    """Its report is told to the end; what comes later is 404, so that pages look for the next."""
    job = kept(site, monkeypatch)
    solution = solve_spot(LONG, iterations=3, threads=1)
    events = report._events

    def gone_before_the_end(*asked):
        *rows, done = events(*asked)
        yield from rows
        job.remove_states()
        yield done

    monkeypatch.setattr(report, "_events", gone_before_the_end)
    solution.save(job.state_path(3))
    state = f"live-{job.id}-3"
    answer = get(site, state, "/report", line="x/x")
    assert answer.status_code == 200 and "\nevent: done\n" in answer.text
    # Between the look at its file and the opening of it.
    listed = job.state_path(3)
    monkeypatch.setattr(type(listed), "is_file", lambda self: True)
    for what in ("", "/node", "/values", "/report"):
        answer = get(site, state, what, line="x/x")
        assert answer.status_code == 404 and "state-3" in answer.json()["error"], what


def test_states_that_are_gone_are_closed(site, here, monkeypatch):
    """On the disk they are gone only then."""
    job = kept(site, monkeypatch)
    for iterations in (1, 2, 3):
        solve_spot(LONG, iterations=iterations, threads=1).save(job.state_path(iterations))
        job.remove_states(but=iterations)
        assert get(site, f"live-{job.id}-{iterations}").json()["iterations"] == iterations
    opened = site.app.state.site.opened
    assert [Path(key[0]).name for key in opened._solutions._values] == ["state-3.safetensors"]


@pytest.mark.parametrize("status", ["paused", "failed"])
def test_a_cancelled_solve_is_not_read_any_more(site, here, monkeypatch, status):
    """The process that reads its checkpoint ends, and leaves no state behind."""
    job = kept(site, monkeypatch, status)
    reader = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    identity = process_identity(reader.pid)
    job.wish_look(identity)
    try:
        assert is_alive(identity)
        assert site.act(job.id, "cancel").status_code == 200
        assert not is_alive(identity)
    finally:
        reader.kill()
