"""Reports of a line on all boards of a batch."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from tests.cli.spot_files import refused

from pokerlab.cards import parse_flops
from pokerlab.holdem.batches import (
    BatchQuestion,
    break_down_boards,
    load_batch,
    plan_batch,
    report_boards,
    run_batch,
)
from pokerlab.holdem.spots import Spot

BOARDS = {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 3.0, "8s8h2c4d7d": 2.0}


def solve(folder, bet, boards):
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet=bet)
    question = BatchQuestion.of(spot, boards, (("paired", {"bet": "33%"}),), target="0.5%")
    return run_batch(question, folder, plan_batch(question, workers=1)).batch.folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return solve(tmp_path_factory.mktemp("batch") / "rivers", "50%, a", BOARDS)


def test_what_scripts_rely_on(run, folder):
    found = run("report", folder, "x", "--json").json
    report = report_boards(load_batch(folder), "x")
    assert (found["line"], found["player"], found["seat"]) == ("x", "ip", 1)
    assert [row["board"] for row in found["rows"]] == list(report.names)
    assert sum(row["weight"] for row in found["rows"]) == pytest.approx(1)
    for place, row in enumerate(found["rows"]):
        assert row["ev"] == pytest.approx(report.ev[place].tolist())
        assert row["equity"] == pytest.approx(report.equity[place].tolist())
        assert row["actions"]["x"] == pytest.approx(report.column("x")[place])
    mean = report.mean()
    assert found["mean"]["ev"] == pytest.approx(mean.ev)
    assert found["mean"]["actions"] == pytest.approx(
        dict(zip(report.actions, mean.frequencies, strict=True))
    )
    assert found["rows"][2]["actions"]["b50"] is None  # the paired board has other bets
    assert found["rows"][2]["texture"] == {
        "high": "8-high",
        "pairing": "paired",
        "suits": "rainbow",
        "connectedness": "disconnected",
        "broadways": 0,
        "turn": "blank-turn",
        "river": "straight-river",
    }
    assert found["left_out"] == []
    assert run("report", folder, "b50", "--json").json["left_out"] == ["8s8h2c4d7d"]


def test_boards_for_people(run, folder):
    outcome = run("report", folder, "--sort", "ev asc", "--top", 2, "--show", "x")
    assert outcome.code == 0
    words = [line.split() for line in outcome.out.splitlines()]
    assert words[0][-4:] == ["3", "boards,", "oop", "acts"]
    assert ["1", "more;", "--all", "lists", "them"] in words
    names = [line[0] for line in words if line and line[0] in load_batch(folder).question.boards]
    report = report_boards(load_batch(folder)).sorted_by("ev asc")
    assert names == 2 * list(report.names[:2])  # a table of values and one of actions
    picture = words[3 : 3 + 14]
    assert picture[0] == list("AKQJT98765432")
    assert [line[0] for line in picture[1:]] == list("AKQJT98765432")
    assert len(picture[3]) == 2  # queen-high flops, all with a jack in the middle
    assert all(len(line) <= 80 for line in outcome.out.splitlines()[1:])


def test_groups(run, folder):
    found = run("report", folder, "--group", "pairing, suits", "--json").json
    assert [group["flops"] for group in found["groups"]] == ["unpaired two-tone", "paired rainbow"]
    assert sum(group["weight"] for group in found["groups"]) == pytest.approx(1)
    shown = run("report", folder, "--group", "pairing", "--sort", "weight asc").out
    assert shown.index("paired ") < shown.index("unpaired ")
    refused(
        run("report", folder, "--group", "colour"), "group: 'colour' is not known; known are high"
    )


def test_by_texture(run, folder):
    found = run("report", folder, "--by", "texture", "--json").json
    assert found["by"] == "texture"
    assert {group["flops"]: group["boards"] for group in found["groups"]} == {
        "straight-river": 1,
        "blank-river": 1,
        "flush-river": 1,
    }
    assert found["groups"] == run("report", folder, "--group", "river", "--json").json["groups"]
    part = run("report", folder, "--flops", "blank-river", "--json").json
    assert part["mean"]["ev"] == pytest.approx(found["groups"][2]["ev"])


def test_some_boards(run, folder):
    paired = run("report", folder, "--flops", "paired", "--json").json
    assert [row["board"] for row in paired["rows"]] == ["8s8h2c4d7d"]
    some = run("report", folder, "--where", "b50 >= 0", "--json").json
    assert len(some["rows"]) == 2
    kings = run("report", folder, "--hands", "KQs")
    assert "only KQs" in kings.out
    assert "nobody plays this line" in run("report", folder, "--hands", "quads").out
    refused(run("report", folder, "--flops", "wet"), "bad texture 'wet'")
    refused(run("report", folder, "--show", "luck"), "'luck' is not a column")


def test_files_for_other_programs(run, folder, tmp_path):
    table, figure = tmp_path / "boards.csv", tmp_path / "map.svg"
    assert f"wrote {table}" in run("report", folder, "--csv", table, "--sort", "ev").out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    report = report_boards(load_batch(folder)).sorted_by("ev")
    assert [row["board"] for row in rows] == list(report.names)
    assert [float(row["oop_ev"]) for row in rows] == pytest.approx(report.ev[:, 0].tolist())
    assert "" in {row["b50"] for row in rows}
    run("report", folder, "--csv", table, "--group", "high")
    groups = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["flops"], row["boards"]) for row in groups] == [("Q-high", "2"), ("8-high", "1")]
    refused(run("report", folder, "--figure", figure), "a map shows flops")
    assert not figure.exists()


def test_parquet(run, folder, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("report", folder, "--parquet", tmp_path / "a.parquet").code == 0
    table = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert table["board"] == list(report_boards(load_batch(folder)).names)
    assert table["b33"][0] is None


def test_two_batches(run, folder, tmp_path):
    other = solve(tmp_path / "other", "75%", {"QhJh2c4d7s": 1.0, "AsKh7d2c3c": 1.0})
    found = run("report", folder, "--against", other, "--show", "x", "--json").json["against"]
    assert (found["only_first"], found["only_second"]) == (2, 1)
    first, second = (report_boards(load_batch(each)) for each in (folder, other))
    change = second.column("x")[0] - first.column("x")[1]
    assert found["changes"] == {"QhJh2c4d7s": pytest.approx(change)}
    shown = run("report", folder, "--against", other, "--show", "b50").out
    assert "only in the first 2, only in the second 1" in shown
    assert "b75" in shown and "b50, the largest changes first:" in shown
    refused(run("report", folder, "--against", tmp_path), "is not the folder of a batch")


def of_flops(report):
    """As if the boards of a report were those of the 25 flops of the smallest subset."""
    flops = parse_flops("25")
    some = report.take(np.arange(len(flops)) % len(report.names))
    return replace(some, names=tuple(flop.name for flop in flops))


def test_explanations(run, folder, monkeypatch):
    refused(run("report", folder, "--explain"), "known on 3 boards, too few to explain")
    report = of_flops(report_boards(load_batch(folder)))
    monkeypatch.setattr("pokerlab.holdem.batches.report_boards", lambda *given: report)
    found = run("report", folder, "--explain", "--json").json["explanation"]
    assert (found["boards"], found["column"]) == (25, "oop_ev")
    assert sum(flops["share"] for flops in found["classes"]) == pytest.approx(1)
    shown = " ".join(run("report", folder, "--explain").out.split())
    assert "oop ev is" in shown and "alone explains" in shown
    assert "(on 25 boards: a part of it is chance)" in shown


def test_a_map_of_flops(run, folder, monkeypatch, tmp_path):
    report = of_flops(report_boards(load_batch(folder)))
    monkeypatch.setattr("pokerlab.holdem.batches.report_boards", lambda *given: report)
    figure = tmp_path / "map.svg"
    assert f"wrote {figure}" in run("report", folder, "--figure", figure, "--show", "x").out
    text = figure.read_text(encoding="utf-8")
    assert all(f">{word}</text>" in text for word in ("x", "A-high", "2-high", "percent"))


def test_parts_of_the_range(run, folder, tmp_path):
    rows = break_down_boards(load_batch(folder), "x", "made")
    found = run("report", folder, "x", "--by", "made", "--json").json
    assert found["by"] == "made"
    assert {name: part["ev"] for name, part in found["parts"].items()} == {
        row.name: row.ev for row in rows
    }
    shown = run("report", folder, "x", "--by", "made").out
    assert "made" in shown and "share" in shown and rows[0].name in shown
    assert all(len(line) <= 80 for line in shown.splitlines()[1:])
    table = tmp_path / "parts.csv"
    run("report", folder, "x", "--by", "draws", "--flops", "paired", "--csv", table)
    draws = list(csv.DictReader(table.read_text().splitlines()))
    some = break_down_boards(load_batch(folder), "x", "draws", boards={"8s8h2c4d7d"})
    assert [row["draws"] for row in draws] == [row.name for row in some]
    assert [float(row["share"]) for row in draws] == pytest.approx([row.weight for row in some])
    refused(run("report", folder, "--by", "suit"), "by: 'suit' is not known")
    for option in (["--group", "suits"], ["--explain"], ["--against", folder]):
        refused(
            run("report", folder, "--by", "made", *option),
            f"{option[0]} and --by: give one",
        )


def test_options_of_the_other_kind_of_report_are_refused(run, folder, river):
    refused(run("report", folder, "--cards", 1), "--cards applies only to solutions")
    refused(
        run("report", river, "x/x", "--flops", "paired"),
        "--flops applies only to",
    )
    refused(run("report", river, "x/x", "--explain"), "--explain applies only to batches")


def test_sizes_in_percent_and_forced_checks(run, folder, tmp_path):
    named, percent = (
        run("report", folder, "--show", size, "--sort", size, "--where", f"{size} >= 0").out
        for size in ("b50", "b50%")
    )
    assert named == percent and "b50" in named
    spot = Spot("QhJh2c4d7h", "AA", "QQ", pot=100, stack=80, bet="a", donk="", aggressor="ip")
    question = BatchQuestion.of(spot, {"QhJh2c4d7h": 1.0}, iterations=2)
    forced = run_batch(question, tmp_path / "forced", plan_batch(question, workers=1)).batch.folder
    found = run("report", forced, "--json").json
    assert (found["line"], found["player"], found["actions"]) == ("x", "ip", ["x", "a"])
