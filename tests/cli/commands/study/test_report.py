"""One line of a solution on all cards that may come."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from tests.cli.spot_files import refused

from pokerlab import solve
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.reports.run_outs import report_run_outs

MENUS = {"bet": "turn: 50%; river: a", "raise_": ""}
# Three suits that nothing tells apart: half of the cards are the same but for their names.
SPOT = Spot("QhJh2h4h", "99, KQs, 65s", "JTs, 88, QQ, A5s", pot=100, stack=80, **MENUS)


@pytest.fixture(scope="module")
def solution():
    return solve_spot(SPOT, iterations=50)


@pytest.fixture(scope="module")
def turn(solution, tmp_path_factory):
    file = tmp_path_factory.mktemp("turn") / "turn.safetensors"
    solution.save(file)
    return file


def test_what_scripts_rely_on(run, turn, solution):
    found = run("report", turn, "x/x", "--json").json
    report = report_run_outs(solution, "x/x")
    assert (found["line"], found["player"], found["seat"]) == ("x/x", "oop", 0)
    assert (found["board"], found["pot"], found["actions"]) == ("QhJh2h4h", 100, ["x", "a"])
    assert [row["card"] for row in found["rows"]] == [row.name for row in report.rows]
    assert sum(row["weight"] for row in found["rows"]) == pytest.approx(1)
    for row in found["rows"]:
        assert sum(row["ev"]) == pytest.approx(100, abs=0.01)
        assert sum(row["equity"]) == pytest.approx(1)
        assert sum(row["actions"].values()) == pytest.approx(1)
        assert row["completes"]
    assert sum(found["mean"]["ev"]) == pytest.approx(100, abs=0.01)
    answer = run("report", turn, "x/x/x", "--json").json
    assert answer["player"] == "ip"


def test_for_people(run, turn, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run("report", turn, "x/x", "--top", 3, "--sort", "ip_equity").out
    lines = text.splitlines()
    assert lines[0] == "Q♥ J♥ 2♥ 4♥  after x/x/(card), oop acts, pot 100"
    for line, shown in (("x/x/x", "x/x/(card)/x, ip acts"), ("x/x/x/x", "x/x/(card)/x/x, nobody")):
        assert f" after {shown}" in run("report", turn, line, "--top", 0).out
    words = [line.split() for line in lines]
    assert list("AKQJT98765432") in words
    heads = ["card", "often", "oop", "EV", "equity", "realised", "ip", "EV", "equity", "realised"]
    assert heads in words
    assert ["card", "x", "EV", "a", "EV"] in words
    assert ["all", "100.0%"] in [line[:2] for line in words]
    assert lines[-1] == "45 more; --all lists them"
    assert all(len(line) <= 80 for line in lines)
    assert "…" not in text
    assert len(run("report", turn, "x/x", "--all").out.splitlines()) == len(lines) - 1 + 2 * 45


def test_without_a_line_both_players_check(run, turn, river):
    assert run("report", turn, "--json").json == run("report", turn, "x/x", "--json").json
    refused(run("report", river), "no card comes in this spot: reports are for flops and turns")


def test_a_forced_check_is_no_decision(run, folder):
    """With donk = "" the first player only checks after a bet: the report goes on to the other."""
    spot = replace(SPOT, bet="turn: 50%; river: 50%", stack=400, donk="")
    solve_spot(spot, iterations=20).save("turn.safetensors")
    found = run("report", "turn.safetensors", "x/b50/c", "--json").json
    assert (found["line"], found["player"], found["actions"]) == ("x/b50/c/x", "ip", ["x", "b100"])
    assert found == run("report", "turn.safetensors", "x/b50/c/x", "--json").json
    assert " after x/b50/c/(card)/x, ip acts" in run("report", "turn.safetensors", "x/b50/c").out
    assert run("report", "turn.safetensors", "x/x", "--json").json["player"] == "oop"


def test_sizes_in_percent(run, turn, folder):
    """As lines take them."""
    spot = replace(SPOT, bet="turn: 50%; river: 75%", stack=400)
    solve_spot(spot, iterations=20).save("turn.safetensors")
    by_name, by_percent = (
        run("report", "turn.safetensors", "x/x", "--show", size, "--sort", f"{size}_ev asc").out
        for size in ("b75", "b75%")
    )
    assert by_name == by_percent and "b75, by card" in by_name
    outcome = run("report", "turn.safetensors", "x/x", "--show", "b50%")
    refused(outcome, "'b50%': no such action; possible: x, b75")
    shown = [
        run("show", "turn.safetensors", "x", "--sort", size, "--where", f"{size} > 1%").out
        for size in ("b50", "b50%")
    ]
    assert shown[0] == shown[1]
    ranges = [
        run("show", "turn.safetensors", "x", "--range", "ip", "--action", size).out
        for size in ("b50", "b50%")
    ]
    assert ranges[0] == ranges[1] != ""


def test_groups(run, turn):
    found = run("report", turn, "x/x", "--group", "completes", "--json").json
    names = [group["card"] for group in found["groups"]]
    assert names == ["pairs the board", "flush", "straight", "blank"]
    assert len(found["rows"]) == 48
    assert sum(group["weight"] for group in found["groups"]) == pytest.approx(1)
    text = run("report", turn, "x/x", "--group", "suit").out
    words = [line.split() for line in text.splitlines()]
    assert [line[0] for line in words if line and line[0] in "cdhs"] == [*"shdc", *"shdc"]


def test_by_texture(run, turn, solution):
    found = run("report", turn, "x/x", "--by", "texture", "--json").json
    groups = report_run_outs(solution, "x/x").groups("texture")
    assert found["by"] == "texture"
    assert [group["card"] for group in found["groups"]] == [group.name for group in groups]
    assert found["groups"][1]["card"] == "completes a flush"
    for one, other in zip(found["groups"], groups, strict=True):
        assert one["ev"] == pytest.approx(other.ev)
        assert (one["cards"], one["weight"]) == (other.count, pytest.approx(other.weight))
    assert sum(group["cards"] for group in found["groups"]) == len(found["rows"]) == 48
    plain = run("report", turn, "x/x", "--json").json
    assert [row["texture"] for row in plain["rows"]] == [row["texture"] for row in found["rows"]]
    text = run("report", turn, "x/x", "--by", "texture").out
    assert "completes a flush" in text and "brings a flush draw" not in text  # it is a river
    refused(
        run("report", turn, "x/x", "--by", "texture", "--group", "suit"),
        "--group and --by texture: give one or the other",
    )


def test_made_hands_over_all_cards(run, turn, folder):
    found = run("report", turn, "x/x", "--by", "made", "--json").json
    assert found["by"] == "made"
    assert sum(part["weight"] for part in found["parts"].values()) == pytest.approx(1)
    words = [line.split() for line in run("report", turn, "x/x", "--by", "made").out.splitlines()]
    assert ["made", "share", "x", "a", "EV", "equity"] in [line[:6] for line in words]
    assert [line[0] for line in words if line and line[0] in found["parts"]] == [*found["parts"]]
    run("report", turn, "x/x", "--by", "made", "--csv", "made.csv")
    text = (folder / "made.csv").read_text(encoding="utf-8").splitlines()
    assert text[0].startswith("made,share,x,a,ev,equity,")
    assert len(text) == 1 + len(found["parts"])
    refused(run("report", turn, "x/x", "--by", "suits"), "by: 'suits' is not known")


def test_files(run, turn, folder):
    outcome = run("report", turn, "x/x", "--csv", "cards.csv", "--figure", "cards.svg")
    assert outcome.out == "wrote cards.csv\nwrote cards.svg\n"
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = run("report", turn, "x/x", "--json").json["rows"]
    assert [row["card"] for row in rows] == [row["card"] for row in found]
    assert [float(row["oop_ev"]) for row in rows] == [row["ev"][0] for row in found]
    assert [float(row["a"]) for row in rows] == [row["actions"]["a"] for row in found]
    assert "QhJh2h4h x/x: oop ev" in (folder / "cards.svg").read_text(encoding="utf-8")
    parquet = pytest.importorskip("pyarrow.parquet")
    run("report", turn, "x/x", "--group", "rank", "--parquet", "ranks.parquet")
    assert parquet.read_table(folder / "ranks.parquet")["card"].to_pylist() == [*"AKQJT98765432"]


def test_a_line_that_nobody_plays(run, folder):
    always = {"x": {"b50": "JTs, 88, QQ, A5s"}}
    solve_spot(SPOT, iterations=5, locks=always).save(folder / "always.safetensors")
    found = run("report", "always.safetensors", "x/x", "--json").json
    assert {row["weight"] for row in found["rows"]} == {0}
    assert found["mean"]["ev"] == [None, None]
    text = run("report", "always.safetensors", "x/x").out
    assert text.splitlines()[1:] == ["nobody plays this line"]
    refused(run("report", "always.safetensors", "x/x", "--figure", "a.svg"), "no number to draw")


def test_what_cannot_be_reported(run, turn, folder):
    refused(run("report", turn, "x"), "line 'x': no card is left out")
    refused(run("report", turn, "x/x", "--sort", "size"), "sort: 'size' is not a column")
    refused(run("report", turn, "x/x", "--show", "b20"), "show: 'b20' is not a column")
    refused(run("report", turn, "x/x", "--group", "colour"), "group: 'colour' is not known")
    refused(run("report", turn, "x/x", "--figure", "cards.pdf"), "a picture is a .png or .svg file")
    refused(run("report", turn, "x/x", "--csv", turn), "this file is read by the command")
    refused(run("report", folder, "x/x"), "is not the folder of a batch")
    assert not list(folder.iterdir())
    solve("kuhn", iterations=1).save("kuhn.safetensors")
    refused(run("report", "kuhn.safetensors", "x"), "is a solution of kuhn: reports are for")
