import json

import pytest
import typer
from typer.testing import CliRunner

from pokerlab.cli.commands.games import train as command
from pokerlab.players.strategies.limit_file import LimitStrategy


@pytest.fixture
def app():
    """The command alone; a second one keeps its name in the command line."""
    application = typer.Typer()
    command.register(application)
    application.command("other")(lambda: None)
    return application


def call(app, *arguments):
    return CliRunner().invoke(app, ["train", *map(str, arguments)])


def refusal(app, *arguments):
    outcome = call(app, *arguments)
    assert isinstance(outcome.exception, ValueError), outcome.output
    assert "\n" not in str(outcome.exception)
    return str(outcome.exception)


def test_json_and_file(app, tmp_path):
    file = tmp_path / "leduc.safetensors"
    options = ("--buckets", "each", "--threads", 1, "--seed", 4, "-o", file, "--json")
    outcome = call(app, "leduc", "--iterations", 20_000, *options)
    assert outcome.exit_code == 0, outcome.output
    data = json.loads(outcome.stdout)
    assert data["iterations"] == 20_000
    assert data["counts"] == [6, 30]
    assert data["exact"] is True
    assert data["updates"] > 20_000
    assert data["history"][-1][2] == data["exploitability"] < data["history"][0][2]
    strategy = LimitStrategy.load(file)
    assert strategy.exploitability == data["exploitability"]
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_fictitious_play_on_transition_matrices(app, tmp_path):
    file = tmp_path / "leduc.safetensors"
    options = ("--method", "independent", "--iterations", 100, "-o", file, "--json")
    outcome = call(app, "leduc", *options)
    assert outcome.exit_code == 0, outcome.output
    data = json.loads(outcome.stdout)
    assert (data["method"], data["rule"], data["buckets"]) == ("independent", "fp", "each")
    assert data["exact"] is True
    assert data["history"][-1][2] == data["exploitability"] < data["history"][0][2]
    strategy = LimitStrategy.load(file)
    assert (strategy.method, strategy.rule) == ("independent", "fp")
    outcome = call(app, "leduc", *options[:-1])
    assert "100 iterations on the game of transition matrices (fp)" in outcome.output
    assert "exact in the game of transition matrices" in " ".join(outcome.output.split())


def test_the_curve_is_drawn(app, tmp_path):
    options = ("--buckets", "each", "--threads", 1, "-o", tmp_path / "leduc", "--iterations", 2_000)
    outcome = call(app, "leduc", *options, "--plot", tmp_path / "curve.svg")
    assert outcome.exit_code == 0, outcome.output
    text = (tmp_path / "curve.svg").read_text()
    assert "leduc, each: exact, with these groups" in text
    assert "external, linear" in text
    assert "a picture is a .png or .svg file" in refusal(
        app, "leduc", *options, "--plot", tmp_path / "curve.gif"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--method", "all"),
            "method: 'all' is not known (external, outcome, chance, public, situations, exact,"
            " independent)",
        ),
        (("--rule", "best"), "unknown rule 'best'"),
        (("--buckets", "ehs2:170,1,1,1"), "only 169 different hands"),
        (("--buckets", "ehs2:100,100,100,100"), "are too many"),
        (("--buckets", "ehs2:100,20,20,20"), "memory: "),
        (("--method", "exact"), "169/kmeans:1000,1000,1000 forgets earlier streets"),
        (("--method", "exact", "--buckets", "ehs2:9,9,9,9"), "6,561 buckets on the river"),
        (("--method", "exact", "--buckets", "classes"), "only buckets of hold'em"),
        (("--method", "exact", "--rule", "best"), "unknown rule 'best'"),
        (("--method", "independent", "--buckets", "classes"), "only buckets of hold'em"),
        (("--method", "independent", "--buckets", "ehs2:5,5,5,5"), "remembers earlier streets"),
    ],
)
def test_what_does_not_fit_is_said_before_buckets_are_built(app, monkeypatch, options, message):
    def build(*arguments):
        raise AssertionError("buckets were built")

    monkeypatch.setattr("pokerlab.holdem.limit.sampling.bucketed_game.BucketedGame.of", build)
    monkeypatch.setattr(command, "free_memory", lambda: 4_000_000_000)
    assert message in refusal(app, "holdem.limit.2p", "--minutes", 1, *options)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("holdem.nolimit.2p", "is a no-limit game"),
        ("draw", "draw"),
        ("rhodeisland", "too many hands on street 2"),
    ],
)
def test_games_that_cannot_be_trained_are_refused_at_once(app, monkeypatch, game, message):
    monkeypatch.setattr(
        "pokerlab.holdem.limit.sampling.bucketed_game.groups_by_name",
        lambda *_: pytest.fail("buckets were built"),
    )
    assert message in refusal(app, game, "--minutes", 1)


class ChosenError(Exception):
    """What the command chose to train."""


@pytest.mark.parametrize(
    ("options", "buckets", "iterations", "minutes"),
    [
        ((), "169/kmeans:1000,1000,1000", 16_000_000, None),
        (("--rule", "linear"), "169/kmeans:1000,1000,1000", 16_000_000, None),
        (("--minutes", 3), "169/kmeans:1000,1000,1000", None, 3.0),
        (("--iterations", 40_000_000), "169/kmeans:1000,1000,1000", 40_000_000, None),
        (("--buckets", "classes", "--minutes", 1), "classes", None, 1.0),
    ],
)
def test_the_default_of_limit_holdem(app, monkeypatch, options, buckets, iterations, minutes):
    def train(game, **found):
        raise ChosenError(game, found["iterations"], found["minutes"])

    monkeypatch.setattr(
        "pokerlab.holdem.limit.sampling.bucketed_game.BucketedGame.of", lambda rules, name: name
    )
    monkeypatch.setattr(command, "watched_training", train)
    monkeypatch.setattr(command, "check_room", lambda *_, **__: None)
    outcome = call(app, "holdem.limit.2p", *options)
    assert isinstance(outcome.exception, ChosenError), outcome.output
    assert outcome.exception.args == (buckets, iterations, minutes)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("leduc", ()),
        ("holdem.limit.3p", ()),
        ("holdem.limit.2p", ("--buckets", "169/kmeans:200,200,200")),
        ("holdem.limit.2p", ("--method", "chance")),
        ("holdem.limit.2p", ("--method", "independent")),
        ("holdem.limit.2p", ("--rule", "cfr")),
    ],
)
def test_what_was_not_measured_must_be_told_when_to_stop(app, game, options):
    assert "give --minutes or --iterations" in refusal(app, game, *options)


def test_a_training_that_stops_by_itself_says_why(app, tmp_path, monkeypatch):
    monkeypatch.setitem(command.BEST_DEALS, "leduc", 2_000)
    options = ("--threads", 1, "-o", tmp_path / "leduc")
    outcome = call(app, "leduc", *options)
    assert outcome.exit_code == 0, outcome.output
    said = " ".join(outcome.output.split())
    assert "2,000 deals by external sampling (linear)" in said
    assert "stopped by itself at 2,000 deals: with these buckets, more training came no" in said
    for length, note in (("2000", None), ("3000", None), ("1000", "2,000 deals are best; shorter")):
        outcome = call(app, "leduc", *options, "--iterations", length, "--json")
        data = json.loads(outcome.stdout)
        assert (data["iterations"], data["stopped"]) == (int(length), "iterations")
        assert data["note"] is None if note is None else note in data["note"]


@pytest.mark.parametrize("threads", [1, 2])
def test_goes_on_where_it_was(app, tmp_path, threads):
    options = ("--buckets", "each", "--threads", threads, "--json")
    whole, parts, kept = (tmp_path / name for name in ("whole", "parts", "kept"))
    assert call(app, "leduc", "--iterations", 5_000, *options, "-o", whole).exit_code == 0
    for iterations in (2_000, 5_000):
        outcome = call(
            app, "leduc", "--iterations", iterations, *options, "-o", parts, "--resume", kept
        )
        assert outcome.exit_code == 0, outcome.output
    assert kept.is_file()
    first, second = LimitStrategy.load(whole), LimitStrategy.load(parts)
    assert first.probabilities.tobytes() == second.probabilities.tobytes()


def test_for_people(app, tmp_path):
    outcome = call(
        app,
        "kuhn",
        "--buckets",
        "each",
        "--iterations",
        1000,
        "-o",
        tmp_path / "k",
        "--method",
        "public",
    )
    assert outcome.exit_code == 0, outcome.output
    assert "kuhn with each (3 groups): 4 betting nodes, 12 rows" in outcome.output
    assert "1,000 deals by public sampling (cfr+(1))" in outcome.output
    assert "mbb/g, exact" in outcome.output


def test_bad_input(app, tmp_path, monkeypatch):
    file = tmp_path / "x"
    assert "give --minutes or --iterations" in refusal(app, "leduc", "-o", file)
    limits = ("--iterations", 10, "-o", file)
    assert "method: 'all' is not known" in refusal(
        app, "leduc", "--buckets", "each", *limits, "--method", "all"
    )
    assert "no-limit game" in refusal(app, "holdem.nolimit.2p", "--buckets", "none", *limits)
    assert "there is no folder" in refusal(app, "leduc", "--iterations", 1, "-o", tmp_path / "a/b")
    assert "--output is the same file" in refusal(app, "leduc", *limits, "--resume", file)
    monkeypatch.setattr(command, "free_memory", lambda: 10_000_000)
    text = refusal(app, "holdem.limit.2p", "--buckets", "classes", "--threads", 2, *limits)
    assert "1,077,882 rows need about 903 MB, and 10 MB are free; use fewer buckets or" in text
    assert not file.exists()


def test_a_game_of_ones_own_is_trained_and_played(run, tmp_path, monkeypatch):
    """The strategy carries its game: the file of the game may be gone."""
    monkeypatch.chdir(tmp_path)
    rules = run("game", "show", "leduc", "--json").json["rules"].replace("leduc", "mine")
    (tmp_path / "mine.toml").write_text(rules, encoding="utf-8")
    options = ("--iterations", 5000, "--threads", 1, "--boards", 2, "-o", "m.safetensors")
    trained = run("train", "mine.toml", *options, "--json")
    assert trained.code == 0, trained.err
    assert trained.json["game"] == "mine"
    (tmp_path / "mine.toml").rename(tmp_path / "same.toml")
    (tmp_path / "m.safetensors").rename(tmp_path / "moved.safetensors")
    played = run(
        "match", "same.toml", "limit2:moved.safetensors", "caller", "--hands", 50, "--json"
    )
    assert played.code == 0, played.err
    assert played.json["faults"] == {"limit2:moved.safetensors": 0, "caller": 0}
