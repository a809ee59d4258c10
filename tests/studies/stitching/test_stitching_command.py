import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.arena.tournaments import Score
from pokerlab.cli.main import main
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.stitching import report as stitching


def run(capsys, *arguments, command=("reproduce", "mapping")):
    with pytest.raises(SystemExit) as stop:
        main([*command, *map(str, arguments)])
    printed = capsys.readouterr()
    return stop.value.code, printed.out, printed.err


@pytest.mark.slow
def test_the_quick_form_goes_on_where_it_was(capsys, tmp_path):
    arguments = ("experts", "--quick", "--hands", 12, "--jobs", 1, "-o", tmp_path)
    code, _, err = run(capsys, *arguments)
    assert code == 0
    assert "187 matches" in err
    experts = {file: file.stat().st_mtime_ns for file in (tmp_path / "strategies").iterdir()}
    assert len(experts) > 2
    code, out, err = run(capsys, *arguments, "--json")
    found = json.loads(out)
    assert (code, found["matches"], found["verdicts"]) == (0, 187, [])
    assert all(file.stat().st_mtime_ns == time for file, time in experts.items())


def test_the_mappings_of_the_thesis_are_those_of_the_thesis(monkeypatch):
    result = SimpleNamespace(mbb_per_hand=(1.0,), stderr=(0.1,))
    monkeypatch.setattr(stitching, "_gains", lambda *_: {"won more": Measure(1.0, 0.1)})
    results = SimpleNamespace(
        duel=lambda *_: SimpleNamespace(result=result),
        tournament=lambda bots: SimpleNamespace(
            scores=lambda: {bot: Score(0.0, float("experts" in bot), 0.1) for bot in bots}
        ),
    )
    behind = "Every mapping of the thesis is behind CFR3+experts in the tournament"
    (found,) = (each for each in stitching._verdicts(results) if each.conclusion == behind)
    assert found.answer == "holds"
    assert list(found.evidence) == [f"less HBB{number}" for number in range(1, 6)]


def test_a_part_that_is_none(capsys, tmp_path):
    code, out, err = run(capsys, "expert", "-o", tmp_path)
    assert (code, out) == (2, "")
    assert err == "pokerlab: 'expert' is not a part (thesis, experts, teams)\n"


def test_experts_are_a_folder(capsys, tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    code, out, err = run(capsys, "experts", "--experts", file, "-o", tmp_path / "new")
    assert (code, out) == (2, "")
    assert err == f"pokerlab: --experts {file}: there is no such folder\n"
    assert not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A strategy for three that plays anything."""
    game = BucketedGame.of(load_betting_game("kuhn.3p"), "each")
    rows = np.random.default_rng(5).dirichlet(np.ones(3), game.rows).astype(np.float16)
    file = tmp_path_factory.mktemp("base") / "kuhn.safetensors"
    LimitStrategy(game, rows, 1, 1.0, "none", "none", 0.0, 0.0, False).save(file)
    return file


def test_experts_are_trained_once(capsys, tmp_path, base):
    arguments = ("kuhn.3p", "--experts", base, "--buckets", "each", "--iterations", 400)
    options = ("--threads", 1, "--boards", 2, "-o", tmp_path / "experts")
    code, out, _ = run(capsys, *arguments, *options, "--json", command=["train"])
    found = json.loads(out)
    assert code == 0
    files = sorted((tmp_path / "experts").iterdir())
    assert [file.stem for file in files] == sorted(found["experts"])
    before = [file.stat().st_mtime_ns for file in files]
    code, out, _ = run(capsys, *arguments, *options, command=["train"])
    assert (code, [file.stat().st_mtime_ns for file in files]) == (0, before)
    assert "saved to" in out
    for other in (("--iterations", 800), ("--buckets", "none")):
        code, out, err = run(capsys, *arguments, *options, *other, command=["train"])
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "400" not in err and "deals with each, not on" in err
    other_base = tmp_path / "other.safetensors"
    replace(LimitStrategy.load(base), iterations=2).save(other_base)
    for other in (("--seed", 1), ("--experts", other_base)):
        code, out, err = run(capsys, *arguments, *options, *other, command=["train"])
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "trained from another strategy than" in err
    options = ("--iterations", 400, "-o", tmp_path / "new")
    code, out, err = run(capsys, "leduc", "--experts", base, *options, command=["train"])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "this is a strategy of kuhn.3p, not leduc" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--experts", "none", "--iterations", 10], "--experts none: there is no such file"),
        (["--experts", "{base}", "-o", "new"], "--experts: give the deals of all experts together"),
        (["--experts", "{base}", "--iterations", 10], "--experts: give a folder by --output"),
        (["--experts", "{base}", "--method", "exact"], "--experts and --method: give one"),
        (["--experts", "{base}", "--rule", "cfr"], "--experts and --rule: give one"),
        (["--experts", "{base}", "--minutes", 1], "--experts and --minutes: give one"),
        (["--experts", "{base}", "--resume", "kept"], "--experts and --resume: give one"),
        (["--experts", "{base}", "--plot", "p.svg"], "--experts and --plot: give one"),
        (
            ["--experts", "{base}", "-o", "{base}", "--iterations", 10],
            "this is a file, not a folder",
        ),
        (
            ["--experts", "{base}", "-o", "new", "--iterations", 10, "--buckets", "none"],
            "buckets none: the first street must have the 4 of",
        ),
    ],
)
def test_experts_that_cannot_be(capsys, tmp_path, monkeypatch, base, arguments, message):
    monkeypatch.chdir(tmp_path)
    given = [str(each).format(base=base) for each in arguments]
    code, out, err = run(capsys, "kuhn.3p", *given, "--json", command=["train"])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
