"""Tasks: push or fold, simple strategies, rules, sizes: they find what the library finds."""

import csv
import io
import time
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.holdem.pushfold import PushFoldRules, solve_ahead, solve_push_fold_table
from pokerlab.holdem.spots import Spot, find_sizes, load_postflop, solve_spot
from pokerlab.holdem.spots.simple.origins import losses_between
from pokerlab.holdem.spots.simple.rules import find_rules
from pokerlab.holdem.spots.simple.simplify import simplify
from pokerlab.views.rule_texts import rule_text
from pokerlab.web.jobs import queue as jobs_module
from pokerlab.web.jobs.task_process import do_task

from .conftest import RIVER


@pytest.fixture
def here(monkeypatch):
    """Tasks in the thread of the queue: this process is warm; the rest is the same."""
    monkeypatch.setattr(jobs_module.Jobs, "_start", lambda self, job: do_task(job.path))
    monkeypatch.setattr(jobs_module, "_holds_memory", lambda state: state["status"] == "running")


@pytest.fixture
def asked(client, here):
    """Ask for a task, wait for its end, and give what it found."""

    def ask(kind, **body):
        answer = client.post(f"/api/tasks/{kind}", json=body)
        assert answer.status_code == 200, answer.text
        id_ = answer.json()["id"]
        for _ in range(3000):
            view = client.get(f"/api/jobs/{id_}").json()
            if view["ended"]:
                break
            time.sleep(0.02)
        assert view["status"] == "done", view
        assert view["kind"] == kind and view["address"].endswith(f"={id_}")
        return client.get(f"/api/tasks/{id_}").json()

    return ask


def refused(client, kind, **body):
    answer = client.post(f"/api/tasks/{kind}", json=body)
    assert answer.status_code == 400, answer.text
    return answer.json()["field"], answer.json()["error"]


def test_push_or_fold_is_that_of_the_library(client, asked):
    stacks, payouts = "10, 8", "50, 30, 20"
    found = asked("pushfold", stacks=stacks, payouts=payouts, others="12", target=0.01)
    rules = PushFoldRules((10, 8), (50, 30, 20), (12,))
    direct = solve_push_fold_table(rules, target=0.01)
    result = found["result"]
    assert [each["value"] for each in result["players"]] == direct.values.tolist()
    assert [each["gain"] for each in result["players"]] == direct.gains.tolist()
    assert result["classes"] == list(CLASS_NAMES) and result["prizes"]
    assert [each["position"] for each in result["decisions"]] == ["SB", "BB"]
    assert result["decisions"][1]["after"] == ["SB"]
    assert np.allclose([each["shares"] for each in result["decisions"]], direct.shares, atol=6e-5)
    # The address of the same table finds it again, and nothing is solved twice.
    query = {"stacks": "10,8", "payouts": payouts, "others": "12", "target": "0.01"}
    known = client.get("/api/tasks/pushfold", params=query).json()
    assert known["job"] == found["id"] and known["positions"] == ["SB", "BB"]
    again = client.post("/api/tasks/pushfold", json=query | {"iterations": 1000}).json()
    assert again["id"] == found["id"]
    text = client.get(f"/api/tasks/{found['id']}/charts.csv").text
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["hand", "SB", "BB:SB"] and len(rows) == 170
    assert float(rows[1][1]) == result["decisions"][0]["shares"][0]


def test_bounties_and_hands_ahead_are_those_of_the_library(client, asked):
    table = {"stacks": "4, 6", "payouts": "50, 30", "others": "5", "bounties": "10, 5, 5"}
    table |= {"progressive": "yes", "ahead": "1", "target": "0.1"}
    found = asked("pushfold", **table)
    rules = PushFoldRules((4, 6), (50, 30), (5,), bounties=(10, 5, 5), progressive=True)
    direct = solve_ahead(rules, 1, target=0.1)
    assert [each["value"] for each in found["result"]["players"]] == direct.values.tolist()
    assert found["asked"]["ahead"] == 1 and found["asked"]["rules"]["progressive"] is True
    assert client.get("/api/tasks/pushfold", params=table).json()["job"] == found["id"]
    for changes in ({"ahead": ""}, {"progressive": ""}, {"bounties": "10, 5, 6"}):
        assert client.get("/api/tasks/pushfold", params=table | changes).json()["job"] is None


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"stacks": "10"}, "stacks", "1 given; push or fold is for 2 to 6 players"),
        ({"stacks": "10, x"}, "stacks", "'x' is not a number"),
        ({"stacks": "10, 0"}, "stacks", "0 is not a number of chips from 0.001"),
        ({"stacks": "9," * 500}, "stacks", "500 given"),
        ({"stacks": "10,10", "payouts": "50,30,20"}, "payouts", "3 prizes for 2 players"),
        ({"stacks": "10,10", "others": "5"}, "others", "needs payouts"),
        ({"stacks": "10,10", "payouts": "1", "others": "9," * 1999 + "-1"}, "others", "'-1' is"),
        ({"stacks": "10,10", "bounties": "5"}, "bounties", "needs payouts"),
        ({"stacks": "10,10", "payouts": "1", "progressive": True}, "progressive", "needs bounties"),
        ({"stacks": "10,10", "progressive": "no"}, "progressive", "is not true or false"),
        ({"stacks": "10,10", "ahead": 9}, "ahead", "9 is not from 0 to 5"),
        ({"stacks": "9,9,9,9,9", "ahead": 1}, "ahead", "at most 4"),
        ({"stacks": "10,10", "ante": 2}, "ante", "2 is not from 0 to 1"),
        ({"stacks": "10,10", "ante": "much"}, "ante", "'much' is not a number"),
        ({"stacks": "10,10", "target": "nan"}, "target", "is not a number"),
        ({"stacks": "10,10", "iterations": 10**9}, "iterations", "is not from 1 to"),
        ({"stacks": 7}, "stacks", "7 is not a text"),
    ],
)
def test_a_bad_table_is_refused_under_its_field(client, body, field, words):
    found, error = refused(client, "pushfold", **body)
    assert found == field and words in error
    if not isinstance(body["stacks"], int):
        answer = client.get("/api/tasks/pushfold", params=body)
        assert answer.status_code == 400 and answer.json()["field"] == field


def test_a_simple_strategy_is_priced_and_kept(client, asked, folder, ids):
    solution = ids["river.safetensors"]
    found = asked("simplify", solution=solution, step="50%", loss="0.2%", player="oop")
    direct = simplify(load_postflop(folder / "river.safetensors"), "50%", loss="0.2%", player="oop")
    loss, result = direct.loss, found["result"]
    assert result["loss"]["oop"] == pytest.approx(direct.losses[0], abs=1e-9)
    assert result["loss"]["percent"] == pytest.approx(loss.percent, abs=1e-9) and loss.percent < 0.2
    assert result["simple"] == len(direct.lines) - len(direct.complicated)
    assert {each["line"] for each in result["lines"]} == {each.line for each in direct.lines}
    assert "file" not in found["asked"] and found["solution"] == solution
    kept = client.post(f"/api/tasks/{found['id']}/keep", json={"name": "river simple"}).json()
    saved = load_postflop(folder / "river simple.safetensors")
    assert saved.exploitability.chips == pytest.approx(direct.solution.exploitability.chips)
    assert client.get(f"/api/tasks/{found['id']}").json()["kept"] == kept["id"]
    assert client.get(f"/api/compare/{solution}/{kept['id']}").status_code == 200
    taken = client.post(f"/api/tasks/{found['id']}/keep", json={"name": "river simple"})
    assert taken.status_code == 400 and taken.json()["field"] == "name"
    for name in ("../out", "/etc/x", "a/b", "", "con", "x" * 300):
        bad = client.post(f"/api/tasks/{found['id']}/keep", json={"name": name})
        assert bad.status_code == 400, name
    (folder / "river simple.safetensors").unlink()


def test_rules_in_words_are_those_of_the_library(asked, folder, ids):
    found = asked("rules", solution=ids["river.safetensors"], line="x", loss="1%", step="50%")
    direct = find_rules(load_postflop(folder / "river.safetensors"), "x", loss="1%", step="50%")
    texts = [rule_text(rule, direct.actions) for rule in direct.rules]
    assert [each["text"] for each in found["result"]["rules"]] == texts
    assert found["result"]["loss"]["ip"] == pytest.approx(direct.losses[1], abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "changes", "field", "words"),
    [
        ("simplify", {"step": "30%"}, "step", "30% does not divide 100%"),
        ("simplify", {"by": "colour"}, "by", "colour"),
        ("simplify", {"player": "button"}, "lines", "'button' is not one of oop, ip"),
        ("simplify", {"lines": "x/b7777"}, "lines", "x/b7777"),
        ("simplify", {"lines": "*" * 5000}, "lines", "at most 2,000 letters"),
        ("simplify", {"loss": "little"}, "loss", "'little' is not 0.5%"),
        ("simplify", {"max_actions": 0}, "max_actions", "0 is not from 1 to 100"),
        ("rules", {"line": "x/x"}, "line", "x/x"),
        ("rules", {"most_rules": 99}, "most_rules", "is not from 1 to 30"),
    ],
)
def test_bad_wishes_are_refused_under_their_fields(client, ids, kind, changes, field, words):
    found, error = refused(client, kind, solution=ids["river.safetensors"], **changes)
    assert found == field and words in error


def test_losses_are_split_as_by_the_library(client, asked, folder, ids):
    full = load_postflop(folder / "river.safetensors")
    simple = simplify(full, "100%").solution
    simple.save(folder / "simple.safetensors")
    first = ids["river.safetensors"]
    files = client.get("/api/library").json()["files"]
    second = next(each["id"] for each in files if each["name"] == "simple.safetensors")
    found = asked("losses", first=first, second=second)
    parts = losses_between(full, load_postflop(folder / "simple.safetensors"))
    assert found["pair"] == [first, second] and "files" not in found["asked"]
    assert list(found["result"]["losses"].values()) == pytest.approx([each.total for each in parts])
    rows = found["result"]["rows"]
    for player, name in enumerate(("oop", "ip")):
        own = [row["chips"] for row in rows if row["player"] == name]
        assert sum(own) == pytest.approx(parts[player].total, abs=1e-3)
    (folder / "simple.safetensors").unlink()
    other = replace(RIVER, pot=202)
    solve_spot(other, iterations=10, threads=1).save(folder / "other.safetensors")
    files = client.get("/api/library").json()["files"]
    second = next(each["id"] for each in files if each["name"] == "other.safetensors")
    field, error = refused(client, "losses", first=first, second=second)
    assert field == "second" and "solutions of one spot" in error
    (folder / "other.safetensors").unlink()


SMALL = {**RIVER.fields(), "bet": "50%", "raise": "a"}
SIZES = ", ".join(f"{size}%" for size in range(1, 31))


def test_bet_sizes_are_those_of_the_library(asked):
    wishes = {"candidates": "33%, 100%", "most": 1, "player": "oop", "target": "0.5%"}
    found = asked("sizes", spot=SMALL, **wishes)["result"]
    direct = find_sizes(
        Spot.from_fields(SMALL), "33%, 100%", most=1, player="oop", target="0.5%", threads=1
    )
    ((place, menu),) = direct.menus.items()
    assert str(place) == "oop river"
    assert found["menus"]["oop"]["river"] == found["cells"]["river"]["oop"] == str(menu[0])
    assert found["cells"]["river"]["ip"] == "50%"
    assert found["rounds"][0]["losses"]["oop"]["river"]["bounds"] == pytest.approx(
        direct.rounds[0].losses[place].never_negative()[1:], abs=0.2
    )
    answers = asked("against", spot=SMALL, size="80%", target="0.5%", player="ip")["result"]
    assert {each["player"] for each in answers["losses"]} == {"ip"}
    assert all(each["bounds"][1] >= each["bounds"][0] for each in answers["losses"])


@pytest.mark.parametrize(
    ("kind", "changes", "field", "words"),
    [
        ("sizes", {"candidates": "50%"}, "candidates", "must be two sizes or more"),
        ("sizes", {"candidates": "50"}, "candidates", "50"),
        ("sizes", {"most": 30}, "most", "is not from 1 to"),
        ("sizes", {"streets": "flop"}, "streets", "'flop' is not one of river"),
        ("sizes", {"target": "soon"}, "target", "soon"),
        ("sizes", {"spot": {**SMALL, "rake": 0.05}}, "spot", "without rake"),
        ("sizes", {"spot": {**SMALL, "pot": -1}}, "pot", "-1 is not a number of chips"),
        ("sizes", {"id": "nothing"}, None, None),
        ("against", {"size": ""}, "size", "give a size"),
        ("against", {"size": "67"}, "size", "67"),
        ("against", {"spot": {**SMALL, "board": "QhJh2c"}, "size": SIZES}, "size", "decisions"),
    ],
)
def test_bad_questions_about_sizes(client, kind, changes, field, words):
    body = {"spot": SMALL} | changes
    answer = client.post(f"/api/tasks/{kind}", json=body)
    if field is None:
        assert answer.status_code == 404
        return
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field and words in answer.json()["error"]


def test_a_task_is_cancelled_and_begun_again(client, monkeypatch, ids):
    monkeypatch.setattr(jobs_module.Jobs, "_start", lambda self, job: None)  # it waits
    answer = client.post("/api/tasks/simplify", json={"solution": ids["river.safetensors"]})
    id_ = answer.json()["id"]
    for action in ("pause", "stop"):
        told = client.post(f"/api/jobs/{id_}/{action}", json={})
        assert told.status_code == 400 and "half-way" in told.json()["error"]
    assert client.get(f"/api/tasks/{id_}").json()["result"] is None
    assert client.post(f"/api/tasks/{id_}/keep", json={"name": "x"}).status_code == 400
    assert client.get(f"/api/tasks/{id_}/charts.csv").status_code == 404
    assert client.post(f"/api/jobs/{id_}/cancel", json={}).json()["can"] == ["go-on", "forget"]
    assert client.post(f"/api/jobs/{id_}/go-on", json={}).json()["status"] == "queued"
    client.post(f"/api/jobs/{id_}/cancel", json={})
    assert client.post(f"/api/jobs/{id_}/cancel", json={}).json()["status"] == "forgotten"
    assert client.get(f"/api/tasks/{id_}").status_code == 404
