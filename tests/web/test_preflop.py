"""The page before the flop: charts equal the command line and the library, and lead to spots."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import pokerlab as pl
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES
from pokerlab.cli.assembly import assemble
from pokerlab.holdem.charts import DEPTHS, shipped_chart
from pokerlab.holdem.preflop import save_preflop, solve_push_fold
from pokerlab.holdem.spots import Spot


@pytest.fixture(scope="module")
def charts(client, folder):
    """A chart of push or fold, one that was changed, and one that was cut, by name."""
    save_preflop(folder / "pushes.safetensors", solve_push_fold(10))
    whole = (folder / "pushes.safetensors").read_bytes()
    changed = bytearray(whole)
    changed[-100] ^= 1
    (folder / "changed.safetensors").write_bytes(changed)
    (folder / "cut.safetensors").write_bytes(whole[:-30])
    files = client.get("/api/library").json()["files"]
    return {each["name"]: each for each in files}


@pytest.fixture(scope="module")
def printed():
    done = CliRunner().invoke(assemble("preflop"), ["preflop", "--stack", "100", "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def node(client, chart, line=""):
    answer = client.get(f"/api/charts/{chart}/node", params={"line": line})
    assert answer.status_code == 200, answer.text
    return answer.json()


def same(found, expected):
    """Whether numbers, and None for what is not known, are the same up to what is shown."""
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=6e-5)


def test_every_decision_is_what_the_command_prints(client, printed):
    assert printed["lines"].keys() == {each.line for each in shipped_chart(100).decisions}
    for line, expected in printed["lines"].items():
        found = node(client, "100bb", line)
        assert found["kind"] == "decision"
        assert found["player"] == {"sb": "SB", "bb": "BB"}[expected["player"]]
        assert found["actions"] == expected["actions"]
        same([each["frequency"] for each in found["options"]], expected["frequencies"])
        seat = found["seat"]
        for place, name in enumerate(CLASS_NAMES):
            hand = expected["hands"][name]
            same([found["reach"][seat][place]], [hand["reach"]])
            same([row[place] for row in found["strategy"]], hand["strategy"])
            same([row[place] for row in found["action_ev"]], hand["ev"])


def test_how_exact_a_chart_is_in_the_parts_of_the_command(client, printed):
    found = client.get("/api/charts/100bb").json()
    parts = {each["name"]: 1000 * each["bb"] for each in found["parts"]}
    told = printed["exploitability"]
    assert 1000 * found["exploitability"] == pytest.approx(told["mbb"])
    assert parts["before the flop"] == pytest.approx(told["preflop"])
    assert parts["from the flop solves"] == pytest.approx(told["flops"])
    assert parts["from the subset, at least about"] == pytest.approx(told["subset"])
    assert 1000 * found["value"] == pytest.approx(printed["button_wins"])
    inside = parts["before the flop"] + parts["from the flop solves"]
    assert inside == pytest.approx(told["mbb"])


def test_what_players_win_adds_up(client):
    """Between two players it sums to nothing, and a mixed hand wins the mean of its actions."""
    for line in ("", "r2.5", "c/r3", "r2.5/r10"):
        found = node(client, "100bb", line)
        assert sum(found["totals"]) == pytest.approx(0, abs=1e-5)
        seat = found["seat"]
        strategy = np.array(found["strategy"])
        evs = np.array(found["action_ev"], float)
        mean = (strategy * evs).sum(axis=0)
        own = np.array(found["ev"][seat], float)
        assert np.nanmax(np.abs(mean - own)) < 2e-3
        best = np.sort(evs, axis=0)
        assert np.nanmax(np.abs(best[-1] - best[-2] - np.array(found["second"], float))) < 2e-4
        assert found["combos"][seat] == pytest.approx(
            np.dot(found["reach"][seat], CLASS_SIZES), rel=1e-3
        )


def test_the_way_to_a_decision(client):
    found = node(client, "100bb", "r2.5/r10")
    assert [(step["player"], step["pot"], step["to_call"]) for step in found["path"]] == [
        ("SB", 1.5, 0.5),
        ("BB", 3.5, 1.5),
    ]
    assert [step["options"][step["chosen"]]["action"] for step in found["path"]] == ["r2.5", "r10"]
    assert (found["pot"], found["stack"], found["pot_odds"]) == (12.5, 97.5, 7.5 / 20)
    assert [each["name"] for each in found["path"][0]["options"]][:3] == [
        "Fold",
        "Limp",
        "Raise to 2.5",
    ]
    assert [each["line"] for each in found["options"]][1] == "r2.5/r10/c"
    assert node(client, "100bb", "r2.5/f")["text"] == "SB takes 2"
    allin = node(client, "100bb", "r2.5/r10/a/c")
    assert (allin["kind"], allin["text"]) == ("end", "All-in: showdown for 200")
    for line in ("r2.5/r10", "r2.5/f"):
        words = node(client, "100bb", line)["command"].split()
        assert CliRunner().invoke(assemble("preflop"), words[1:]).exit_code == 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_every_line_to_a_flop_is_the_spot_of_its_story(client, depth):
    chart = shipped_chart(depth)
    for line in chart.flop_lines:
        found = node(client, f"{depth}bb", line)
        asked = {"line": line, "flop": "Qs7h2d"}
        answer = client.get(f"/api/charts/{depth}bb/spot", params=asked)
        if found["problem"]:
            assert answer.status_code == 400
            continue
        fields = answer.json()["fields"]
        sizes = {name: fields[name] for name in ("bet", "raise", "force_allin", "max_bets")}
        told = {"preflop": found["story"], "ranges": f"{depth}bb", "big_blind": 10}
        by_story = Spot.from_fields({"board": "Qs7h2d", **told, **sizes})
        assert Spot.from_fields(fields).fields() == by_story.fields()
        assert found["ranges"] == {
            name: str(chart.range_after(line, seat)) for seat, name in enumerate(chart.players)
        }
        assert [chart.players[seat] for seat in found["order"]] == ["BB", "SB"]
        assert (
            10 * found["pot"] == by_story.pot and 10 * found["behind"] == by_story.effective_stack
        )
        words = found["command"]
        assert f"--ranges {depth}bb" in words and f"'{found['story']}'" in words


def test_charts_of_the_folder_are_listed_and_opened(client, charts, folder):
    assert charts["pushes.safetensors"]["kind"] == "chart"
    assert charts["pushes.safetensors"]["reached"] == "0.000 mbb"
    assert charts["changed.safetensors"]["kind"] == "chart"
    for name in ("changed.safetensors", "cut.safetensors"):
        assert "is damaged" in charts[name]["error"]
    listed = client.get("/api/charts").json()
    assert [each["id"] for each in listed["shipped"]] == [f"{depth}bb" for depth in DEPTHS]
    assert {each["name"]: bool(each["error"]) for each in listed["files"]} == {
        "pushes.safetensors": False,
        "changed.safetensors": True,
    }
    assert len(listed["flops"]) == 25
    assert sum(each["share"] for each in listed["flops"]) == pytest.approx(1)
    solution = pl.load(folder / "pushes.safetensors")
    id_ = charts["pushes.safetensors"]["id"]
    for line in ("", "a"):
        view, found = solution.at(line), node(client, id_, line)
        for row, expected in zip(found["strategy"], view.strategy, strict=True):
            same(row, expected.tolist())
        for row, expected in zip(found["action_ev"], view.ev, strict=True):
            same(row, [None if each != each else each for each in expected.tolist()])
    once = client.get(f"/api/charts/{id_}").json()
    assert (once["stack"], once["parts"], once["shipped"]) == (10, [], False)
    assert node(client, id_, "a/c")["kind"] == "end"
    answer = client.get(f"/api/charts/{charts['changed.safetensors']['id']}")
    assert answer.status_code == 400 and "is damaged" in answer.json()["error"]


def test_a_chart_is_taken_by_upload(client, charts, folder):
    data = (folder / "pushes.safetensors").read_bytes()
    answer = client.post("/api/library/upload?name=mine.safetensors", content=data)
    assert (answer.status_code, answer.json()["kind"]) == (200, "chart")
    bad = client.post("/api/library/upload?name=bad.safetensors", content=data[:-9])
    assert bad.status_code == 400 and "damaged" in bad.json()["error"]
    (folder / "mine.safetensors").unlink()


def test_another_stack_is_shown_at_the_nearest_line(client):
    def near(chart, line):
        return client.get(f"/api/charts/{chart}/near", params={"line": line}).json()["line"]

    assert near("100bb", "r2.5/r10/c") == "r2.5/r10/c"
    for depth in DEPTHS:
        for line in (
            "",
            "r2.5",
            "c/r3/c",
            "r2.5/r10/r23/a/c",
            "f",
            "zz/../x",
            "rnan",
            "r",
            "r1e999",
        ):
            assert node(client, f"{depth}bb", near(f"{depth}bb", line))
    assert near("20bb", "r2.5/r10") == "r2.5/r7.5"


def test_the_spot_of_a_line_is_kept_once_for_a_batch(client, folder):
    before = set(folder.iterdir())
    first = client.post("/api/charts/50bb/spot", json={"line": "r2.5/c"})
    again = client.post("/api/charts/50bb/spot", json={"line": "r2.5/c"})
    assert first.json() == again.json() == {**first.json(), "name": "50bb r2.5-c.toml"}
    (made,) = [path for path in set(folder.iterdir()) - before if path.suffix == ".toml"]
    text = made.read_text(encoding="utf-8")
    assert 'ranges = "50bb"' in text and "board" not in text
    listed = {each["id"]: each for each in client.get("/api/library").json()["files"]}
    assert listed[first.json()["id"]]["missing"] == ["board"]
    asked = {"spot": first.json()["id"], "flops": "25", "target": "5%", "keep": "root", "name": "x"}
    planned = client.post("/api/batches/check", json=asked)
    assert planned.json()["boards"] == 25, planned.text
    made.write_text(text + "rake = 0.05\n", encoding="utf-8")
    other = client.post("/api/charts/50bb/spot", json={"line": "r2.5/c"}).json()
    assert other["name"] == "50bb r2.5-c-2.toml" and "rake" in made.read_text(encoding="utf-8")
    made.unlink()
    (folder / other["name"]).unlink()


@pytest.mark.parametrize(
    ("path", "asked", "status", "field", "said"),
    [
        ("/api/charts/101bb", {}, 404, None, "no file with the id"),
        ("/api/charts/nothing/node", {}, 404, None, "no file with the id 'nothing'"),
        ("/api/charts/100bb/node", {"line": "zz"}, 400, "line", "not an action"),
        ("/api/charts/100bb/node", {"line": "r2.5/c/x"}, 400, "line", "r2.5/c/x"),
        ("/api/charts/100bb/node", {"line": "r7"}, 400, "line", "r7"),
        ("/api/charts/100bb/node", {"line": "r2.5//c"}, 400, "line", ""),
        ("/api/charts/100bb/node", {"line": "Qc"}, 400, "line", ""),
        ("/api/charts/100bb/spot", {"line": "r2.5/c", "flop": "QsQh"}, 400, "flop", "has 2 cards"),
        ("/api/charts/100bb/spot", {"line": "r2.5/c", "flop": "QsQsQh"}, 400, "flop", "twice"),
        ("/api/charts/100bb/spot", {"line": "r2.5/c"}, 400, "flop", "a flop has 3"),
        (
            "/api/charts/100bb/spot",
            {"line": "r2.5", "flop": "Qs7h2d"},
            400,
            "line",
            "those that do",
        ),
    ],
)
def test_what_is_wrong_is_one_line(client, path, asked, status, field, said):
    answer = client.get(path, params=asked)
    assert (answer.status_code, answer.json()["field"]) == (status, field)
    assert said in answer.json()["error"] and "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "line"), ({"line": 3}, "line"), ({"line": "r2.5"}, "line"), ({"lin": "r2.5/c"}, "lin")],
)
def test_a_bad_post_names_its_field(client, folder, body, field):
    before = sorted(folder.iterdir())
    answer = client.post("/api/charts/100bb/spot", json=body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert sorted(folder.iterdir()) == before


def test_only_charts_are_opened_here(client, ids):
    answer = client.get(f"/api/charts/{ids['river.safetensors']}/node")
    assert answer.status_code == 404 and "is not a chart" in answer.json()["error"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("0.5 " * 1326, "1,326 weights (PioSOLVER)"),
        ("AA:1,AKs:0.5", "weights after a colon (PioSOLVER)"),
        ("[50.0]AKs-AQs[/50.0],AA", "weights in brackets (GTO+)"),
        ("AhAc: 1,AhAd: 0.5", "weights of single combos (GTO Wizard)"),
        ("top 20%", None),
    ],
)
def test_a_pasted_range_is_told_by_its_form(client, text, form):
    answer = client.post("/api/ranges/check", json={"text": text})
    assert answer.json()["form"] == form
