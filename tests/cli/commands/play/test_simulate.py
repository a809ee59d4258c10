import pytest
import typer
from typer.testing import CliRunner

from pokerlab.arena.simulation.compiled_match import simulate
from pokerlab.cli.commands.play import simulate as command


@pytest.fixture
def app():
    """The command alone; a second one keeps its name in the command line."""
    application = typer.Typer()
    command.register(application)
    application.command("other")(lambda: None)
    return application


def test_json_is_what_scripts_rely_on(app):
    import json

    arguments = ["simulate", "leduc", "caller", "random:1,2,1", "--hands", "50000", "--seed", "5"]
    outcome = CliRunner().invoke(app, [*arguments, "--json"])
    assert outcome.exit_code == 0, outcome.output
    data = json.loads(outcome.stdout)
    expected = simulate("leduc", ["caller", "random:1,2,1"], 50_000, 5)
    assert data["hands"] == 50_000
    assert data["seconds"] > 0
    assert data["hands_per_second"] == pytest.approx(50_000 / data["seconds"])
    assert data["scores"] == dict(zip(expected.names, expected.chips, strict=True))
    assert data["mbb_per_hand"] == dict(zip(expected.names, expected.mbb_per_hand, strict=True))
    assert data["stderr"] == dict(zip(expected.names, expected.stderr, strict=True))
    assert data["actions"]["caller"][0]["raise"] == 0
    assert data["actions"]["random:1,2,1"][1]["fold"] == expected.actions[1][1][0]
    one = CliRunner().invoke(app, [*arguments, "--threads", "1", "--json"])
    assert json.loads(one.stdout)["scores"] == data["scores"]


def test_for_people(app):
    outcome = CliRunner().invoke(
        app, ["simulate", "kuhn", "caller", "caller", "--hands", "1000", "--duplicate"]
    )
    assert outcome.exit_code == 0, outcome.output
    assert "kuhn: 1,000 duplicate hands, seed 0" in outcome.output
    assert "hands/s" in outcome.output
    assert "caller#2" in outcome.output
    assert "100.0%" in outcome.output


def test_one_hand_has_no_error(app):
    arguments = ["simulate", "kuhn", "caller", "raiser", "--hands", "1"]
    assert '"stderr": {"caller": null' in CliRunner().invoke(app, [*arguments, "--json"]).stdout
    assert CliRunner().invoke(app, arguments).exit_code == 0
