import xml.etree.ElementTree as ElementTree
from functools import partial

import pytest

from pokerlab.studies import TREE_FIGURES
from pokerlab.studies.cgh.race import race
from pokerlab.studies.cgh.sampled import race_by_nodes
from pokerlab.studies.regret_bounds import measure_bounds


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, so that whatever a command writes is seen."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_trees(run, folder):
    pytest.importorskip("matplotlib")
    chosen = ["equilibrium", "exploit-folds"]
    result = run("reproduce", "trees", *chosen, "-o", "new/figures", "--json").json
    names = [f"{name}.{ending}" for name in chosen for ending in ("png", "svg")]
    assert result["files"] == [f"new/figures/{name}" for name in names]
    assert sorted(file.name for file in (folder / "new/figures").iterdir()) == names
    for name in chosen:
        svg = ElementTree.parse(folder / f"new/figures/{name}.svg").getroot()
        assert svg.findtext("{*}title").startswith(f"Figure {TREE_FIGURES[name].number}. ")
        png = (folder / f"new/figures/{name}.png").read_bytes()
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert png.endswith(b"IEND\xaeB`\x82")


def test_the_table_of_deviations(run, folder):
    pytest.importorskip("matplotlib")
    rows = run("reproduce", "trees", "equilibrium", "--json").json["deviations"]
    assert [list(row) for row in rows] == 2 * [["fold", "bluff", "value_bet", "game"]]
    # Table 1 of the document: folding Q to a bet by 0.1 more and by 0.1 less than 2/3.
    assert list(rows[0].values()) == pytest.approx([2 / 3 + 0.1, -0.05, 1 / 60, -0.05], abs=1e-9)
    assert list(rows[1].values()) == pytest.approx([2 / 3 - 0.1, 0.05, -1 / 60, -1 / 60], abs=1e-9)
    assert sorted(file.name for file in (folder / "figures").iterdir()) == [
        "equilibrium.png",
        "equilibrium.svg",
    ]


def test_trees_for_people(run, folder):
    pytest.importorskip("matplotlib")
    outcome = run("reproduce", "trees", "equilibrium", "-o", "[red]")
    assert outcome.code == 0
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0] == "equilibrium: Equilibrium strategy of player 1"
    assert lines[1].split("  ")[0] == "fold"
    assert lines[2].split() == ["0.7667", "-0.0500", "+0.0167", "-0.0500"]
    assert lines[3].split() == ["0.5667", "+0.0500", "-0.0167", "-0.0167"]
    assert lines[4:] == ["2 files in [red]"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trees", "magic"], "no figure 'magic': there are influence-own, influence-game"),
        (["trees", "equilibrium", "magic"], "no figure 'magic'"),
        (["magic"], "No such command 'magic'"),
        (["bets", "magic"], "'magic' is not a part (one of appendix, findings, menus"),
        (["bets", "--streets", "turn,magic"], "'magic' is not a street (one of flop, turn, river)"),
        (["bets", "--device", "magic"], "device: 'magic' is not auto, cpu or gpu"),
        (["recall", "--device", "magic"], "device: 'magic' is not auto, cpu or gpu"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(run, folder, arguments, message):
    for as_json in ([], ["--json"]):
        refused(run("reproduce", *arguments, *as_json), message)
    assert list(folder.iterdir()) == []


def test_figures_never_replace_a_file(run, folder):
    (folder / "notes").write_text("mine")
    outcome = run("reproduce", "trees", "equilibrium", "-o", "notes")
    refused(outcome, "--output notes: this is a file, not a folder")
    assert (folder / "notes").read_text() == "mine"


def refused(outcome, message):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


@pytest.mark.slow
def test_the_race(run, tmp_path):
    outcome = run("reproduce", "cgh", "--quick", "-o", tmp_path / "race", "--json")
    assert outcome.code == 0
    games = {row["game"] for row in outcome.json["summary"]}
    assert games == {"kuhn", "onecard", "leduc", "trap"}
    assert {file.name for file in (tmp_path / "race").iterdir()} == {
        "cgh.csv",
        "cgh-summary.csv",
        "cgh.png",
        "cgh.svg",
    }


def test_bounds(run, folder, monkeypatch):
    pytest.importorskip("matplotlib")
    result = run("reproduce", "bounds", "--quick", "-o", "new", "--json").json
    assert result["files"] == ["new/bounds.csv", "new/bounds.svg"]
    assert [row["method"] for row in result["last"][:5]] == METHODS
    assert all(row["exploitability"] <= row["bound"] for row in result["last"])
    few = partial(measure_bounds, ["kuhn"], methods=["cfr"])
    monkeypatch.setattr("pokerlab.studies.regret_bounds.measure_bounds", few)
    shown = run("reproduce", "bounds", "--quick", "-o", "new").out
    assert "A trial: 256 (of 16,384) iterations" in shown
    (folder / "taken").write_text("")
    assert "this is a file, not a folder" in run("reproduce", "bounds", "-o", "taken").err


def test_a_short_race_says_so(run, folder, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("pokerlab.studies.cgh.race.race", partial(race, ["kuhn"], ["cfr", "cgh"]))
    note = "A trial: 300 (of 200,000) iterations. Nothing is judged by it."
    assert note in run("reproduce", "cgh", "--quick", "-o", "new").out
    monkeypatch.setattr("pokerlab.studies.cgh.race.RACE_ITERATIONS", 300)
    assert "A trial" not in run("reproduce", "cgh", "-o", "new").out
    few = partial(race_by_nodes, ["kuhn"], entrants=[("cfr", "external")])
    monkeypatch.setattr("pokerlab.studies.cgh.sampled.race_by_nodes", few)
    note = "A trial: 1,000,000 (of 100,000,000) nodes visited by each."
    assert note in run("reproduce", "cgh", "--sampling", "--quick", "-o", "new").out


def test_cgh_with_sampling(run, folder):
    assert "--sampling and --spots: give" in run("reproduce", "cgh", "--sampling", "--spots").err


METHODS = ["cfr", "cfr+", "external", "outcome", "fp"]


@pytest.mark.slow
def test_exploitation(run, tmp_path, monkeypatch):
    data = run("reproduce", "exploitation", "--quick", "-o", tmp_path / "out", "--json").json
    assert data["game"] == "kuhn"
    assert data["verdicts"] == []
    shown = run("reproduce", "exploitation", "--quick", "-o", tmp_path / "out")
    assert "Conclusions" not in shown.out
    assert "Nothing is judged by it." in " ".join(shown.out.split())
    assert max(map(len, shown.out.splitlines())) <= 80
    file = tmp_path / "file"
    file.touch()
    outcome = run("reproduce", "exploitation", "-o", file)
    assert outcome.code == 2
    assert "this is a file, not a folder" in outcome.err
    for game in (("leduc",), ("holdem", "--quick")):
        outcome = run("reproduce", "exploitation", "--game", *game, "--flops", "all", "-o", "new")
        assert outcome.code == 2
        assert "--flops all: this option is for --game holdem without --quick" in outcome.err

    next((tmp_path / "out" / "tasks").glob("*.json")).unlink()

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("pokerlab.studies.reporting.study.run_jobs", stop)
    outcome = run("reproduce", "exploitation", "--quick", "-o", tmp_path / "out")
    kept = f"{data['tasks'] - 1} of {data['tasks']} tasks are kept in"
    assert kept in " ".join(outcome.err.split())


def test_views(run, folder):
    result = run("reproduce", "view", "--quick", "--jobs", "1", "-o", "views", "--json").json
    assert result["quick"]
    assert result["verdicts"] == []
    tables = {file.name for file in (folder / "views").glob("*.csv")}
    assert tables == {"leduc.csv", "rhode-island-4-4-1.csv"}


def test_rhode_island_needs_a_device_that_is_there(run, folder):
    refused = run("reproduce", "rhode-island", "--device", "tpu", "-o", "new")
    assert refused.code == 2
    assert refused.err == "pokerlab: device: 'tpu' is not auto, cpu or gpu\n"
    assert not (folder / "new").exists()
