import json
import xml.etree.ElementTree as ElementTree

import pytest

from pokerlab.cli.commands.research import reproduce_mapping
from pokerlab.cli.main import main
from pokerlab.players.strategies.limit_file import default_strategy_file
from pokerlab.studies.mapping.matches import MappingMatch
from pokerlab.studies.mapping.plan import MappingPlan
from pokerlab.studies.reporting.report_table import read_rows


@pytest.fixture
def run(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(["reproduce", "mapping", *map(str, arguments)])
        printed = capsys.readouterr()
        return stop.value.code, printed.out, printed.err

    return call


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hands", 100], "--hands 100: the 6 seatings of a duplicate match share the hands"),
        (["--hands", 100], "(take 96 or 102)"),
        (["--hands", 0], "'--hands': must be from 1 to"),
        (["--hands", -6], "'--hands': must be from 1 to"),
        (["--hands", "many"], "'many'"),
        (["--seed", -1], "'--seed': must be from 0 to"),
        (["--jobs", -1], "'--jobs': must be from 0 to"),
        (["--two-player", "none"], "--two-player none: there is no such file"),
        (["--three-player", "."], "--three-player .: there is no such file"),
        (["-o", "file"], "--output file: this is a file, not a folder"),
        (["--two-player", "file"], "bot 'hbb2:file'"),
    ],
)
def test_bad_input_is_one_line(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    named = [] if "--three-player" in arguments else ["--three-player", "file"]
    for as_json in ([], ["--json"]):
        code, out, err = run("--quick", *named, *_and_two(arguments), *arguments, *as_json)
        assert (code, out) == (2, "")
        assert err.startswith("pokerlab: ")
        assert err.count("\n") == 1
        assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def _and_two(arguments):
    """Name a two-player strategy, so that nothing is trained before the refusal."""
    return [] if "--two-player" in arguments else ["--two-player", "file"]


def test_the_default_of_the_training_does_not_change_the_study(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    recipes = {recipe.game: recipe.buckets for recipe in reproduce_mapping._FULL}
    assert recipes == {
        "holdem.limit.2p": "169/kmeans:200,200,200",
        "holdem.limit.3p": "169/kmeans:100,100,100",
    }
    two, three = reproduce_mapping._strategy_files(tmp_path / "out", (None, None), quick=False)
    assert two != default_strategy_file("holdem.limit.2p")
    assert two.parent == three.parent == tmp_path / "strategies"


@pytest.mark.slow
def test_the_quick_form(run, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    folder = tmp_path / "new" / "mapping"
    arguments = ("--quick", "--hands", 36, "--jobs", 1, "-o", folder)

    # Ctrl-C: what is finished stays.
    play, played = MappingMatch.run, []

    def interrupted(self):
        if len(played) == 20:
            raise KeyboardInterrupt
        played.append(self)
        return play(self)

    monkeypatch.setattr(MappingMatch, "run", interrupted)
    code, out, err = run(*arguments)
    assert (code, out) == (130, "")
    assert "matches of 36 hands and more: about" in err
    assert "20 of 223 matches are kept" in err
    assert [path.name for path in folder.iterdir()] == ["matches"]

    # The same command goes on, and plays each match once.
    def noted(self):
        played.append(self)
        return play(self)

    monkeypatch.setattr(MappingMatch, "run", noted)
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert len(played) == len(set(played)) == data["matches"]
    assert data["hands"] == 36
    assert (data["quick"], data["judged"], data["verdicts"]) == (True, False, [])
    check_files(folder, data)

    # Once more: nothing is played, and the same is written.
    before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    monkeypatch.setattr(MappingMatch, "run", None)
    code, out, err = run(*arguments)
    assert code == 0
    assert "training" not in err
    assert "Table 1: the tournament" in out
    assert "Conclusions" not in out
    assert "strategies that know starting hands only, 36 hands a match (of 6,000)" in out
    assert "summary.md are in" in out
    assert {file: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before


def check_files(folder, data):
    names = {file.name for file in folder.iterdir() if file.is_file()}
    assert {str(folder / name) for name in names} == set(data["files"])
    for number in ("01", "02", "03", "05", "06", "11", "12", "15"):
        assert f"table-{number}.csv" in names
    tables = {name: read_rows((folder / name).read_text()) for name in names if "csv" in name}
    # A duplicate match is a game of nothing lost and nothing won.
    matches = {}
    for row in tables["table-01.csv"]:
        bots = frozenset((*row["row"].split(", "), row["column"]))
        matches.setdefault(bots, []).append(float(row["chips"]))
        assert row["thesis_chips"] and row["stderr"]
    assert len(matches) == 35
    assert all(abs(sum(chips)) < 1e-3 for chips in matches.values())
    assert len(tables["classes.csv"]) % 169 == 0
    for row in tables["tables-07-10.csv"]:
        if row["frequency"]:
            assert 0 <= float(row["frequency"]) <= 1 and row["stderr"]
    states = {row["state"] for row in tables["tables-13-14.csv"]}
    assert states == {"S1", "S2"}
    for row in tables["tables-13-14.csv"]:
        chances = [float(row[action]) for action in ("raise", "call", "fold") if row[action]]
        assert not chances or sum(chances) == pytest.approx(1.0, abs=2e-3)
    plain = [row for row in tables["table-15.csv"] if row["row"].startswith("never")]
    assert float(plain[0]["mbb"]) == 0.0  # a bot that plays itself in all seats
    for name in names:
        if name.endswith(".svg"):
            text = " ".join(ElementTree.parse(folder / name).getroot().itertext())
            assert "HBB2" in text and "HBB4" in text
    assert (folder / "classes.png").read_bytes().startswith(b"\x89PNG")
    summary = (folder / "summary.md").read_text()
    assert "| conclusion | source | answer |" not in summary
    assert "Nothing is judged by it." in summary
    assert "fair for dpp, montecarlo for akuma" in summary
    # The totals are those of the hands that were played, never scaled.
    for row in tables["table-11.csv"]:
        assert int(row["hands"]) == 36
        assert float(row["chips"]) == pytest.approx(float(row["mbb"]) * 36 / 100, abs=0.05)


def test_few_hands_and_small_strategies_judge_nothing(tmp_path):
    from pokerlab.studies.mapping.entrants import Entrants

    entrants = Entrants(tmp_path / "two", tmp_path / "three")
    assert MappingPlan(entrants, 6000).judged
    assert not MappingPlan(entrants, 5994).judged
    assert not MappingPlan(entrants, 6000, quick=True).judged


def test_all_matches_can_be_told_apart(tmp_path):
    from pokerlab.studies.mapping.entrants import Entrants

    plan = MappingPlan(Entrants(tmp_path / "two", tmp_path / "three"), 600, 3)
    matches = plan.matches()
    different = {(match.labels, match.seed) for match in matches}
    assert len(matches) == len(set(matches)) == len(different)
    assert {match.hands for match in matches} == {600, 1800}
    # Another seed deals other cards in every match.
    other = MappingPlan(plan.entrants, 600, 4).matches()
    assert not {match.seed for match in matches} & {match.seed for match in other}
