"""`pokerlab lbr`: JSON, the lines for people, refusals, Ctrl-C, a folder that goes on."""

import json

import pytest
import typer
from typer.testing import CliRunner

from pokerlab.arena.responses import measuring
from pokerlab.arena.responses.measuring import local_best_response
from pokerlab.cli.commands.play import lbr as command
from pokerlab.cli.terminal.interruption import CutShortError


@pytest.fixture
def run():
    application = typer.Typer()
    command.register(application)
    application.command("other")(lambda: None)

    def invoke(*arguments):
        return CliRunner().invoke(application, ["lbr", *arguments])

    return invoke


def test_json_is_what_scripts_rely_on(run, tmp_path):
    folder = tmp_path / "kept"
    arguments = ["random:1,2,1", "--game", "leduc", "--hands", "40", "--seed", "5"]
    outcome = run(*arguments, "-o", str(folder), "--json")
    assert outcome.exit_code == 0, outcome.output
    data = json.loads(outcome.stdout)
    expected = local_best_response("leduc", "random:1,2,1", 40, 5)
    assert (data["mbb"], data["stderr"], data["hands"]) == (expected.mbb, expected.stderr, 40)
    assert data["interval"] == list(expected.interval)
    assert not data["exact"]
    assert data["folder"] == str(folder)
    again = json.loads(run(*arguments, "-o", str(folder), "--json").stdout)
    assert again["mbb"] == data["mbb"]


def test_exact(run):
    outcome = run("caller", "--game", "leduc", "--exact", "--json")
    data = json.loads(outcome.stdout)
    assert data["mbb"] == pytest.approx(1466.6667)
    assert (data["stderr"], data["hands"], data["exact"]) == (0.0, None, True)
    outcome = run("caller", "--game", "leduc", "--exact", "--menu", "fc", "--streets", "2")
    assert "caller, leduc, menu fc, streets 2" in outcome.output
    assert "+0.000 mbb/hand, exact" in outcome.output


def test_for_people(run):
    outcome = run("folder", "--hands", "4", "--stack", "20bb")
    assert outcome.exit_code == 0, outcome.output
    assert "folder, holdem.nolimit.2p.20bb, menu fcpa, all streets, 4 hands, seed 0" in (
        outcome.output
    )
    assert "wins +750.0 ± 0.0 mbb/hand (95%: +750 to +750)" in outcome.output


def test_an_estimate_says_so(run, tmp_path):
    bot = tmp_path / "quiet.py"
    bot.write_text(
        "from pokerlab.players.bots import Bot\n"
        "class Quiet(Bot):\n"
        "    def act(self, view):\n"
        "        return 'c'\n"
    )
    outcome = run(f"{bot}:Quiet", "--game", "leduc", "--hands", "4", "--samples", "2")
    assert outcome.exit_code == 0, outcome.output
    text = " ".join(outcome.output.split())
    assert "does not tell its strategy" in text
    assert "an estimate from 2 answers with each of 100 hands a decision" in text


def test_ctrl_c_shows_the_result_so_far(run, monkeypatch):
    play = measuring._play_hand

    def stopped(responder, plan, number):
        if number == 45:
            raise KeyboardInterrupt
        return play(responder, plan, number)

    monkeypatch.setattr(measuring, "_play_hand", stopped)
    outcome = run("caller", "--game", "kuhn", "--hands", "100", "--json")
    assert json.loads(outcome.stdout)["hands"] == 40
    assert isinstance(outcome.exception, CutShortError)
    counted = "40 of 100 hands are counted, those before which all are finished"
    assert str(outcome.exception) == counted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["caller", "--menu", "all"], r"--menu all: it is not known \(fc, fcpa, 56\)"),
        (["caller", "--streets", "0-2"], "--streets 0-2: write all, a street"),
        (["caller", "--streets", "5"], "has streets 1 to 4, not 5"),
        (["caller", "--hands", "3"], "hands: 3 must be an even number"),
        (["caller", "--game", "kuhn.3p"], "are for two players, not 3"),
        (["caller", "--game", "draw"], "hands that change or lie open"),
        (["caller", "--exact"], "too many boards to play all of them"),
        (["limit2:none", "--game", "leduc"], "none"),
    ],
)
def test_refusals(run, arguments, said):
    outcome = run(*arguments)
    assert isinstance(outcome.exception, ValueError), outcome.output
    with pytest.raises(ValueError, match=said):
        raise outcome.exception
